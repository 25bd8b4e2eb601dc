"""Bringing a database to the schema of this program, once, whoever comes first."""

from __future__ import annotations

from typing import Literal

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.state.engine import StateError, reading, writing

# empty: nothing was made yet. older: the next start brings it up to date.
Standing = Literal["empty", "older", "current"]

# Any number will do, as long as every replica asks for the same lock.
LOCK = 5_309_734_118


def config() -> Config:
    """Where the migrations lie: inside this package, also when it is installed."""
    made = Config()
    made.set_main_option("script_location", "bot.state:migrations")
    return made


async def migrate(engine: AsyncEngine) -> None:
    """Apply the missing migrations, all or none. Raises StateError, also for a newer schema than ours."""
    async with writing(engine) as connection:
        await connection.run_sync(_upgrade)


async def standing(engine: AsyncEngine) -> Standing:
    """How a database's schema stands to this program's. Raises StateError, also for a newer one."""
    async with reading(engine) as connection:
        return await connection.run_sync(lambda one: _standing(one, ScriptDirectory.from_config(config())))


def _standing(connection: sa.Connection, script: ScriptDirectory) -> Standing:
    current = MigrationContext.configure(connection).get_current_revision()
    if current is None:
        return "empty"
    if not _known(script, current):
        raise StateError(
            f"state database: its schema ({current}) is newer than this program; use the newer program"
        )
    return "current" if current == script.get_current_head() else "older"


def _upgrade(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        # Held until the transaction ends. SQLite's writer has its lock from the start.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    made = config()
    made.attributes["connection"] = connection
    if _standing(connection, ScriptDirectory.from_config(made)) != "current":
        command.upgrade(made, "head")


def _known(script: ScriptDirectory, revision: str) -> bool:
    try:
        return script.get_revision(revision) is not None
    except CommandError:
        return False
