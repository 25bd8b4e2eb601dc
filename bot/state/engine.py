"""The database behind the state: one URL in, an engine out, and every failure as one clear line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.errors import UserError

Backend = Literal["sqlite", "postgresql"]

DRIVERS: dict[Backend, str] = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}
ALIASES: dict[str, Backend] = {"sqlite": "sqlite", "postgresql": "postgresql", "postgres": "postgresql"}

PATIENCE = 10.0  # seconds that one piece of work with the database may take
LOCK_PATIENCE = 5.0  # seconds to wait for another writer of the SQLite file
CONNECT_PATIENCE = 5  # seconds to wait for a server
POOL_SIZE = 5


class StateError(UserError):
    """The database cannot be used right now, or not at all. It names no content and no password."""


def parsed(url: str) -> sa.URL:
    """A URL without a driver. Raises StateError with what to write instead."""
    try:
        found = sa.make_url(url)
    except ArgumentError:
        raise StateError(
            "the state's URL is no URL; write sqlite:////folder/state.db or postgresql://user@host/name"
        ) from None
    backend = ALIASES.get(found.drivername)
    if backend is None:
        raise StateError(
            f"the state's URL starts with {found.drivername}; write sqlite:///… or postgresql://… (no driver)"
        )
    if backend == "sqlite" and (not found.database or found.database == ":memory:"):
        raise StateError("the state's URL names no file; write sqlite:////folder/state.db")
    return found.set(drivername=backend)


def backend_of(url: str) -> Backend:
    """Which of the two databases a URL means. Raises StateError."""
    return ALIASES[parsed(url).drivername]


def named(url: str) -> str:
    """A URL as it may be shown: without its password."""
    return parsed(url).render_as_string(hide_password=True)


def make_engine(url: str) -> AsyncEngine:
    """An engine for a URL without a driver. Nothing is opened yet. Raises StateError."""
    found = parsed(url)
    backend = ALIASES[found.drivername]
    options: dict[str, Any] = {"pool_pre_ping": True, "hide_parameters": True, "pool_size": POOL_SIZE}
    if backend == "sqlite":
        options["connect_args"] = {"timeout": LOCK_PATIENCE}
    else:
        options |= {"max_overflow": POOL_SIZE, "pool_timeout": LOCK_PATIENCE}
        options["connect_args"] = {"connect_timeout": CONNECT_PATIENCE}
    engine = create_async_engine(found.set(drivername=DRIVERS[backend]), **options)
    if backend == "sqlite":
        _prepare_sqlite(engine.sync_engine)
    return engine


def _prepare_sqlite(engine: sa.Engine) -> None:
    """Readers beside one writer, and transactions that begin where SQLAlchemy says so."""

    @sa.event.listens_for(engine, "connect")
    def connected(connection: Any, record: object) -> None:
        # The driver's own way of opening transactions leaves out reads and changes of the schema.
        connection.isolation_level = None
        for line in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {line}")

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        # A writer takes the lock at once: one that reads first and then writes could be refused.
        kind = "IMMEDIATE" if connection.get_execution_options().get("writes") else "DEFERRED"
        connection.exec_driver_sql(f"BEGIN {kind}")


@asynccontextmanager
async def told() -> AsyncIterator[None]:
    """Turn whatever a database can do wrong into a StateError, in bounded time."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except DBAPIError as error:
        raise StateError(f"state database: {_reason(error)}") from None
    except (PoolTimeoutError, TimeoutError):
        raise StateError("state database: no answer in time") from None
    except OSError as error:
        raise StateError(f"state database: {error.strerror or type(error).__name__}") from None
    except SQLAlchemyError as error:
        raise StateError(f"state database: {type(error).__name__}") from None


def _reason(error: DBAPIError) -> str:
    # The first line only: the lines behind it may quote a row.
    lines = str(error.orig).strip().splitlines()
    return lines[0] if lines else type(error.orig).__name__


@asynccontextmanager
async def reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction that only reads."""
    async with told(), engine.connect() as connection:
        yield connection


@asynccontextmanager
async def writing(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction that is committed at its end, or rolled back as a whole."""
    async with told(), engine.connect() as connection:
        await connection.execution_options(writes=True)
        async with connection.begin():
            yield connection
