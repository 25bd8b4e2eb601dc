"""Where waiting work is kept: beside the state, apart from it, and sealed."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from dbos import Serializer

from bot.keys import Keys
from bot.state.engine import (
    CONNECT_PATIENCE,
    LOCK_PATIENCE,
    StateError,
    make_engine,
    parsed,
    reading,
    writing,
)
from bot.state.resealing import reseal

SCHEMA = "smallprint_jobs"  # on PostgreSQL
DRIVER = "postgresql+psycopg"
JOB = "job"  # the workflow of one piece of work
UNFINISHED = ["ENQUEUED", "PENDING", "DELAYED"]
POOL = 20  # connections to the SQLite file, as many as DBOS would make


@dataclass(frozen=True)
class Database:
    """A database as DBOS opens it. schema: None for SQLite, which has none."""

    url: str
    schema: str | None
    engine: dict[str, Any]

    @property
    def file(self) -> Path | None:
        """The SQLite file."""
        return Path(self.url.removeprefix("sqlite:///")) if self.schema is None else None


def beside(state_url: str) -> Database:
    """The database of the work that belongs to a state: a file of its own, or a schema of its own.

    Raises StateError for a URL that is none.
    """
    url = parsed(state_url)
    # An error of the database is logged without the values of the statement.
    options: dict[str, Any] = {"hide_parameters": True, "pool_pre_ping": True}
    if url.drivername == "sqlite":
        file = Path(url.database or "")
        url = url.set(database=str(file.with_name(f"{file.stem}-jobs{file.suffix}")))
        return Database(url.render_as_string(), None, options)
    options["connect_args"] = {"connect_timeout": CONNECT_PATIENCE}
    return Database(url.render_as_string(hide_password=False), SCHEMA, options)


def prepare(database: Database) -> None:
    """Let a SQLite file be read beside its writer; it stays so. Raises StateError."""
    if database.file is None:
        return
    try:
        connection = sqlite3.connect(database.file)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StateError(f"jobs database {database.file}: {error}") from None


def intake_engine(database: Database) -> sa.Engine:
    """The engine with which work is handed in: what it commits is on the disk."""
    if database.file is None:
        return work_engine(database)
    engine = _sqlite(database, isolation_level=None, synchronous="FULL")

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def work_engine(database: Database) -> sa.Engine:
    """The engine with which work is taken up and its end is noted, as DBOS would open it.

    In SQLite a note may be lost when the power goes (not when the process is killed): then the work is
    looked at again. It does not make the disk keep up with every step, so nobody waits for that.
    """
    if database.file is None:
        url = sa.make_url(database.url).set(drivername=DRIVER)
        return sa.create_engine(url, pool_timeout=LOCK_PATIENCE, **database.engine)
    return _sqlite(database, isolation_level="IMMEDIATE", synchronous="NORMAL")


def _sqlite(database: Database, *, isolation_level: str | None, synchronous: str) -> sa.Engine:
    engine = sa.create_engine(database.url, pool_size=POOL, **database.engine)

    @sa.event.listens_for(engine, "connect")
    def connected(connection: Any, record: object) -> None:
        connection.isolation_level = isolation_level
        connection.execute(f"PRAGMA busy_timeout={int(LOCK_PATIENCE * 1000)}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute(f"PRAGMA synchronous={synchronous}")

    return engine


async def rotate(state_url: str, keys: Keys) -> int:
    """Seal waiting and finished work with the first key. Returns how many values; safe to repeat.

    Raises StateError or KeysError.
    """
    database = beside(state_url)
    if database.file is not None and not database.file.exists():
        return 0
    engine = make_engine(database.url)
    try:
        async with writing(engine) as connection:
            return await connection.run_sync(reseal, keys, database.schema)
    finally:
        await engine.dispose()


async def unfinished(state_url: str) -> int | None:
    """How much work of a state waits or is in hand; None where no table was made yet. Raises StateError."""
    database = beside(state_url)
    if database.file is not None and not database.file.exists():
        return None
    table = sa.table("workflow_status", sa.column("status"), sa.column("name"), schema=database.schema)
    count = sa.select(sa.func.count()).where(table.c.status.in_(UNFINISHED), table.c.name == JOB)
    engine = make_engine(database.url)
    try:
        async with reading(engine) as connection:
            there = await connection.run_sync(
                lambda one: sa.inspect(one).has_table(table.name, schema=database.schema)
            )
            return int(await connection.scalar(count) or 0) if there else None
    finally:
        await engine.dispose()


class Sealing(Serializer):
    """Keeps inputs and results as sealed JSON: nobody reads a message in the database or its log."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def name(self) -> str:
        """How rows that this serializer wrote are told from others."""
        return "smallprint_sealed"

    def serialize(self, data: Any) -> str:
        """Sealed JSON; an exception is kept as its type's name alone, its text may quote something."""
        return self._keys.seal(json.dumps(data, default=lambda value: type(value).__name__))

    def deserialize(self, serialized_data: str) -> Any:
        """The data of `serialize`. Raises KeysError."""
        return json.loads(self._keys.open(serialized_data))
