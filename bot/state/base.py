"""What every part of the state shares: the engine, the keys, the clock, and a few words of SQL."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.events import Place
from bot.keys import Keys
from bot.state.engine import reading, writing

Clock = Callable[[], float]
# Both dialects spell "insert, unless it is there" alike, but as classes of their own.
Insert = sqlite.Insert | postgresql.Insert


class Base:
    """An opened database. The parts of `State` build on it."""

    def __init__(self, engine: AsyncEngine, keys: Keys, clock: Clock) -> None:
        self.engine = engine
        self._keys = keys
        self._clock = clock

    def _read(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return reading(self.engine)

    def _write(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return writing(self.engine)

    def _insert(self, table: sa.Table) -> Insert:
        if self.engine.dialect.name == "postgresql":
            return postgresql.insert(table)
        return sqlite.insert(table)

    def _put(self, table: sa.Table, **values: Any) -> Insert:
        """Insert a row, or change the row that has the same primary key."""
        keys = [column.name for column in table.primary_key]
        insert = self._insert(table).values(**values)
        changed = {name: insert.excluded[name] for name in values if name not in keys}
        return insert.on_conflict_do_update(index_elements=keys, set_=changed)


def stands(place: Place) -> dict[str, str]:
    """The columns of a place's channel."""
    return {"platform": place.platform, "workspace": place.workspace, "channel": place.channel}


def within(table: sa.Table, place: Place) -> sa.ColumnElement[bool]:
    """That a row belongs to a place's channel."""
    return sa.and_(*(table.c[name] == value for name, value in stands(place).items()))


def of_workspace(table: sa.Table, platform: str, workspace: str) -> sa.ColumnElement[bool]:
    """That a row belongs to a workspace."""
    return sa.and_(table.c.platform == platform, table.c.workspace == workspace)
