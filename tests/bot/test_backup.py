"""Backup and restore of a running installation; keys that are changed. As a user calls them."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot import cli
from bot.events import Place
from bot.jobs import Jobs
from bot.keys import Keys
from bot.settings import settings
from bot.state import State
from bot.state.records import Content
from knowledge.store import Store

PLACE = Place("slack", "T1", "C1")
OLD, NEW = Keys.new(), Keys.new()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installation of its own, with keys that are set."""
    monkeypatch.setenv("SMALLPRINT_KNOWLEDGE", str(tmp_path / "home" / "knowledge.db"))
    monkeypatch.setenv("SMALLPRINT_KEYS", OLD)
    settings.cache_clear()
    yield tmp_path / "home"
    settings.cache_clear()


def run(*words: str) -> None:
    """A command that goes well."""
    settings.cache_clear()
    cli.app(args=list(words), standalone_mode=False)


def line(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line of a command that fails."""
    settings.cache_clear()
    with pytest.raises(SystemExit) as raised:
        cli.main(list(words))
    assert raised.value.code == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    return told[0]


def url(home: Path) -> str:
    """The state's default URL."""
    return f"sqlite:///{home}/state.db"


async def fill(home: Path, key: str = OLD) -> str:
    """A state with one reply, and work that waits; returns the reply's ID."""
    home.mkdir(exist_ok=True)
    keys = Keys([key])
    state = await State.open(url(home), keys=keys)
    reply = await state.private(PLACE, "U1", Content("en", claims="[1]"))
    await state.keep("https://a.example", "article")
    await state.close()

    async def never(kind: str, payload: dict[str, Any], job_id: str) -> None:
        await asyncio.Event().wait()

    jobs = Jobs(url(home), keys=keys, executor="only", version="1")
    await jobs.launch(never)
    await jobs.submit("event", "E1", {"text": "waits"}, lane="C1")
    await jobs.close(grace=0)
    return reply.id


async def found(home: Path, reply: str, key: str = OLD) -> tuple[str | None, list[str]]:
    """The claims of the reply, and the texts of the work that was waiting."""
    state = await State.open(url(home), keys=Keys([key]))
    record = await state.reply(reply)
    assert await state.cached("https://a.example") == "article" or key != OLD
    await state.close()
    texts: list[str] = []

    async def handle(kind: str, payload: dict[str, Any], job_id: str) -> None:
        texts.append(payload["text"])

    jobs = Jobs(url(home), keys=Keys([key]), executor="only", version="1")
    await jobs.launch(handle)
    async with asyncio.timeout(15):
        while await jobs.waiting():
            await asyncio.sleep(0.05)
    await jobs.close()
    return (record.content.claims if record and record.content else None), texts


def test_a_backup_gives_everything_back(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Store.open().close()  # makes the knowledge file
    reply = asyncio.run(fill(home))
    archive = tmp_path / "backup.zip"
    run("backup", str(archive))
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert "keys are not in it" in capsys.readouterr().out
    shutil.rmtree(home)
    run("restore", str(archive))
    assert {path.name for path in home.iterdir()} == {"knowledge.db", "state.db", "state-jobs.db"}
    assert asyncio.run(found(home, reply)) == ("[1]", ["waits"])
    run("rows", "--limit", "1")


def test_nothing_is_overwritten_unasked(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reply = asyncio.run(fill(home))
    archive = tmp_path / "backup.zip"
    run("backup", str(archive))
    assert "such a file already" in line(capsys, "backup", str(archive))
    assert "stop the bot and add --replace" in line(capsys, "restore", str(archive))

    async def later() -> None:
        state = await State.open(url(home), keys=Keys([OLD]))
        await state.decided(PLACE, "answer", "asked")
        try:
            assert "in use" in await asyncio.to_thread(line, capsys, "restore", str(archive), "--replace")
        finally:
            await state.close()

    asyncio.run(later())
    run("restore", str(archive), "--replace")
    with sqlite3.connect(home / "state.db") as connection:
        assert connection.execute("SELECT count(*) FROM decisions").fetchone() == (0,)
    assert asyncio.run(found(home, reply)) == ("[1]", ["waits"])


def test_a_damaged_backup_changes_nothing(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(fill(home))
    archive = tmp_path / "backup.zip"
    run("backup", str(archive))
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    text, cut, other, evil = (tmp_path / name for name in ("text", "cut", "other", "evil"))
    text.write_text("no archive")
    cut.write_bytes(archive.read_bytes()[:-300])
    with (
        zipfile.ZipFile(archive) as good,
        zipfile.ZipFile(other, "w") as bad,
        zipfile.ZipFile(evil, "w") as worse,
    ):
        manifest = json.loads(good.read("manifest.json"))
        bad.writestr("manifest.json", json.dumps(manifest))
        for name in manifest["files"]:
            bad.writestr(name, good.read(name)[:-100])
        worse.writestr("manifest.json", json.dumps({**manifest, "files": {"../../evil": "0"}}))
        worse.writestr("../../evil", "x")
    for path in (text, cut, other, evil, tmp_path / "none"):
        assert str(path) in line(capsys, "restore", str(path), "--replace")
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before


def test_postgresql_has_tools_of_its_own(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLPRINT_STATE", "postgresql://bot:secret@db/x")
    told = line(capsys, "backup", str(tmp_path / "x.zip"))
    assert "pg_dump" in told
    assert "secret" not in told


def test_keys_are_changed_without_loss(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = asyncio.run(fill(home))
    monkeypatch.setenv("SMALLPRINT_KEYS", NEW)
    assert "other keys" in line(capsys, "keys", "rotate")
    monkeypatch.setenv("SMALLPRINT_KEYS", f"{NEW},{OLD}")
    run("keys", "rotate")
    assert "sealed with the first key" in capsys.readouterr().out
    assert asyncio.run(found(home, reply, NEW)) == ("[1]", ["waits"])


def test_a_new_key(capsys: pytest.CaptureFixture[str]) -> None:
    run("keys", "new")
    Keys([capsys.readouterr().out.strip()])
