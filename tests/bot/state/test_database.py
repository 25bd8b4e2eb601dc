"""The database itself: its schema, who may start, and what happens when it is not there."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from bot.events import Place
from bot.keys import Keys, KeysError
from bot.state import State, StateError
from bot.state import engine as engines
from bot.state.records import Content
from bot.state.tables import metadata
from tests.bot.state.conftest import KEY
from tests.postgres import postgres_url, server

PLACE = Place("slack", "T1", "C1")
WORDS = "confidential-roadmap"


async def opened(url: str, key: str = KEY) -> State:
    """An opened state."""
    return await State.open(url, keys=Keys([key]))


def test_the_migrations_make_the_tables(state_url: str) -> None:
    async def story() -> None:
        state = await opened(state_url)
        async with state.engine.connect() as connection:
            missing = await connection.run_sync(
                lambda found: compare_metadata(MigrationContext.configure(found), metadata)
            )
        await state.close()
        assert missing == []

    asyncio.run(story())


def test_replicas_that_start_together(state_url: str) -> None:
    async def story() -> None:
        states = await asyncio.gather(*(opened(state_url) for _ in range(4)))
        for state in states:
            await state.ready()
            await state.close()

    asyncio.run(story())


def test_a_newer_schema_is_refused(state_url: str) -> None:
    async def story() -> None:
        state = await opened(state_url)
        async with state.engine.begin() as connection:
            await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        await state.close()
        with pytest.raises(StateError, match="newer than this program"):
            await opened(state_url)

    asyncio.run(story())


def test_other_keys_are_refused_and_change_nothing(state_url: str) -> None:
    async def story() -> None:
        await (await opened(state_url)).close()
        with pytest.raises(KeysError, match="sealed with other keys"):
            await opened(state_url, Keys.new())
        await (await opened(state_url)).close()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("nonsense", "no URL"),
        ("mysql://host/db", "starts with mysql"),
        ("sqlite+aiosqlite:////x/state.db", "no driver"),
        ("sqlite://", "names no file"),
        ("sqlite:////nowhere/at/all/state.db", "unable to open"),
        ("postgresql://bot:hunter2@127.0.0.1:9/x", "connection"),
    ],
)
def test_a_url_that_leads_nowhere(url: str, told: str) -> None:
    with pytest.raises(StateError, match=told) as raised:
        asyncio.run(opened(url))
    assert "\n" not in str(raised.value)
    assert "hunter2" not in str(raised.value)


def test_a_locked_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "LOCK_PATIENCE", 0.1)

    async def story() -> None:
        state = await opened(f"sqlite:///{tmp_path}/state.db")
        other = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StateError, match="locked"):
            await state.decided(PLACE, "answer", "asked")
        with pytest.raises(StateError, match="locked"):
            await state.ready()
        assert await state.last_decision(PLACE) is None  # reading goes on
        other.execute("ROLLBACK")
        await state.decided(PLACE, "answer", "asked")
        await state.ready()
        await state.close()
        other.close()

    asyncio.run(story())


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_text("something else " * 100)
    with pytest.raises(StateError, match="not a database"):
        asyncio.run(opened(f"sqlite:///{tmp_path}/state.db"))


def test_a_read_only_server(monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgres_url()

    async def story() -> None:
        state = await opened(url)
        await state.ready()
        await state.close()
        name = url.partition("?")[0].rpartition("/")[2]
        server().run(url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        state = State(engines.make_engine(url), Keys([KEY]), time.time)
        with pytest.raises(StateError, match="read-only"):
            await state.ready()
        with pytest.raises(StateError, match="read-only"):
            await state.decided(PLACE, "answer", "asked")
        await state.close()

    asyncio.run(story())


def test_a_server_that_comes_back() -> None:
    url = postgres_url()

    async def story() -> None:
        state = await opened(url)
        await state.decided(PLACE, "answer", "asked")
        server().stop()
        try:
            with pytest.raises(StateError) as raised:
                await state.last_decision(PLACE)
            assert "\n" not in str(raised.value)
            with pytest.raises(StateError):
                await state.ready()
        finally:
            server().start()
        assert await state.last_decision(PLACE) is not None
        await state.ready()
        await state.close()

    asyncio.run(story())


def test_nobody_reads_claims_links_or_articles_in_the_files(tmp_path: Path) -> None:
    async def story() -> None:
        state = await opened(f"sqlite:///{tmp_path}/state.db")
        said = Content("en", claims=WORDS, receipt=WORDS, links=(WORDS,))
        record = await state.private(PLACE, "U1", said)
        await state.keep(WORDS, WORDS)
        await state.take_link(PLACE, WORDS, 0)
        search()
        await state.close()
        search()
        assert record.content == said

    def search() -> None:
        files = list(tmp_path.iterdir())
        assert any(b"private" in path.read_bytes() for path in files)  # what is there is found
        assert all(WORDS.encode() not in path.read_bytes() for path in files)

    asyncio.run(story())


def test_an_error_tells_no_values(tmp_path: Path) -> None:
    async def story() -> None:
        state = await opened(f"sqlite:///{tmp_path}/state.db")
        async with state.engine.begin() as connection:
            await connection.exec_driver_sql("DROP TABLE decisions")
        with pytest.raises(StateError) as raised:
            await state.decided(Place("slack", "T1", WORDS), "answer", "asked")
        assert WORDS not in str(raised.value)
        assert raised.value.__cause__ is None
        await state.close()

    asyncio.run(story())
