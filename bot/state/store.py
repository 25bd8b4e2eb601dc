"""The state: what the bot remembers between two messages, in SQLite or PostgreSQL."""

from __future__ import annotations

import time

import sqlalchemy as sa

from bot.keys import Keys
from bot.state.base import Clock
from bot.state.channels import Channels
from bot.state.engine import StateError, make_engine
from bot.state.replies import Replies
from bot.state.schema import migrate
from bot.state.settings import ChatSettings
from bot.state.upkeep import Upkeep


class State(ChatSettings, Replies, Channels, Upkeep):
    """Settings, sent replies, links, digests, cache: no message's text.

    Every method raises StateError, with one clear line, while the database cannot be used, and
    works again by itself when it can. `engine` is open to what keeps tables of its own in the same
    database (installations).
    """

    @classmethod
    async def open(cls, url: str, *, keys: Keys, clock: Clock = time.time) -> State:
        """Open a database, bring it to this program's schema and see that the keys fit.

        url: sqlite:////folder/state.db or postgresql://user:password@host/name, without a driver.
        Raises StateError or KeysError.
        """
        state = cls(make_engine(url), keys, clock)
        try:
            await migrate(state.engine)
            await state.check_keys()
        except BaseException:
            await state.close()
            raise
        return state

    async def close(self) -> None:
        """Let go of the database."""
        await self.engine.dispose()

    async def ready(self) -> None:
        """Raise StateError unless the database can be read and written."""
        async with self._write() as connection:
            if self.engine.dialect.name == "postgresql":
                if await connection.scalar(sa.text("SHOW transaction_read_only")) == "on":
                    raise StateError("state database: it is read-only")
            else:
                await connection.execute(sa.text("DELETE FROM facts WHERE name IS NULL"))

    async def server_time(self) -> float | None:
        """The clock of the database's server, in seconds since 1970; None for a file. Raises StateError."""
        if self.engine.dialect.name != "postgresql":
            return None
        async with self._read() as connection:
            return float(
                await connection.scalar(sa.text("SELECT extract(epoch FROM clock_timestamp())")) or 0
            )
