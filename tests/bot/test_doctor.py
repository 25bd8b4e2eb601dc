"""`smallprint doctor`: what it finds, what it says to do about it, and that it leaves everything as it is."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.commands import doctor
from bot.commands.doctor import AT_FIRST, NOT_SET_UP, Check, outside, told
from bot.jobs import Jobs
from bot.keys import Keys
from bot.settings import Settings
from bot.state import State
from knowledge import clock
from knowledge.store import default_path
from tests.bot.test_cli import process
from tests.conftest import ROOT
from tests.fakes.discord import Discord
from tests.fakes.slack import Slack
from tests.postgres import state_url

__all__ = ["state_url"]

SECRETS = ("xoxb-secret-word", "xapp-secret-word", "discord-secret-word")


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of this machine."""
    for name in os.environ:
        if name.startswith("SMALLPRINT_") and name not in ("SMALLPRINT_KNOWLEDGE", "SMALLPRINT_NO_SKIP"):
            monkeypatch.delenv(name)


def given(folder: Path, **more: Any) -> Settings:
    """The settings of a deployment in a folder."""
    return Settings(**{"SMALLPRINT_STATE": f"sqlite:///{folder}/state.db", **more})


def looked(settings: Settings) -> dict[str, Check]:
    """What is found around the program, by name."""
    return {check.name: check for check in asyncio.run(outside(settings))}


async def started(url: str, keys: Keys) -> None:
    """A deployment that ran once, with one piece of work that was not finished."""
    state = await State.open(url, keys=keys)
    jobs = Jobs(url, keys=keys, executor="only", version="1")

    async def handler(kind: str, payload: dict[str, Any], job: str) -> None:
        await asyncio.Event().wait()

    await jobs.launch(handler)
    await jobs.submit("event", "E1", {}, lane="C1")
    await jobs.close(grace=0.0)
    await state.close()


def test_before_the_first_start_all_is_well_and_nothing_is_made(tmp_path: Path) -> None:
    found = looked(given(tmp_path / "new"))
    assert all(check.fine for check in found.values())
    assert AT_FIRST in found["state"].text
    assert found["keys"].text == AT_FIRST
    assert found["Slack"].text == found["Discord"].text == NOT_SET_UP
    assert not list(tmp_path.iterdir())


def test_a_deployment_that_ran_is_well_and_stays_as_it_is(tmp_path: Path, state_url: str) -> None:
    key = Keys.new()
    settings = given(
        tmp_path, SMALLPRINT_STATE=state_url, SMALLPRINT_KEYS=key, SMALLPRINT_EXECUTOR="smallprint-0"
    )
    fresh = looked(settings)
    assert all(check.fine for check in fresh.values())
    assert AT_FIRST in fresh["state"].text
    asyncio.run(started(state_url, Keys.parse(key)))
    found = looked(settings)
    assert all(check.fine for check in found.values()), told(list(found.values()))
    assert found["waiting work"].text == "1"
    assert found["replica"].text == "smallprint-0"
    other = looked(settings.model_copy(update={"keys": Settings(SMALLPRINT_KEYS=Keys.new()).keys}))
    assert "sealed with other keys" in " ".join(other["state"].todo)


@pytest.mark.parametrize(
    ("break_it", "name", "says"),
    [
        (lambda folder: (folder / "state.key").unlink(), "keys", "put it back"),
        (lambda folder: (folder / "state.key").write_text("no key"), "keys", "no key"),
        (lambda folder: (folder / "state.db").write_text("no database" * 99), "state", "not a database"),
        (lambda folder: (folder / "state-jobs.db").write_text("no" * 999), "waiting work", "not a database"),
    ],
)
def test_what_is_broken_is_named(
    tmp_path: Path, break_it: Callable[[Path], object], name: str, says: str
) -> None:
    asyncio.run(started(f"sqlite:///{tmp_path}/state.db", Keys.beside(tmp_path / "state.key")))
    for left in tmp_path.glob("*-wal"):
        left.unlink()
    break_it(tmp_path)
    found = looked(given(tmp_path))
    assert not found[name].fine
    assert says in " ".join((found[name].text, *found[name].todo))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"SMALLPRINT_STATE": "mysql://host/name"}, "write sqlite"),
        ({"SMALLPRINT_STATE": "postgresql://user:secret-word@127.0.0.1:1/name"}, "SMALLPRINT_EXECUTOR"),
        (
            {
                "SMALLPRINT_STATE": "postgresql://user:secret-word@127.0.0.1:1/name",
                "SMALLPRINT_EXECUTOR": "one",
                "SMALLPRINT_KEYS": Keys.new(),
            },
            "state database: ",
        ),
        ({"SMALLPRINT_STATE": "postgresql://127.0.0.1:1/name", "SMALLPRINT_EXECUTOR": "one"}, "keys new"),
    ],
)
def test_what_is_set_wrong_is_one_line_without_a_password(
    tmp_path: Path, more: dict[str, str], says: str
) -> None:
    found = looked(given(tmp_path, **more))
    wrong = [check for check in found.values() if not check.fine]
    assert says in " ".join(line for check in wrong for line in check.todo)
    assert "secret-word" not in told(list(found.values()))


def test_slack_is_asked_and_its_features_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with Slack.running(ROOT / "deploy" / "slack" / "minimal.json") as slack:
            workspace = slack.workspace("Acme")
            monkeypatch.setenv("SMALLPRINT_SLACK_API", slack.api_url)
            monkeypatch.setenv("SMALLPRINT_SLACK_BOT_TOKEN", workspace.token)
            (half,) = [check for check in await outside(given(tmp_path)) if check.name == "Slack"]
            assert "SMALLPRINT_SLACK_APP_TOKEN" in " ".join(half.todo)
            monkeypatch.setenv("SMALLPRINT_SLACK_APP_TOKEN", slack.app_token)
            (well,) = [check for check in await outside(given(tmp_path)) if check.name == "Slack"]
            assert well.fine
            assert any(line.startswith("yes") and "direct messages" in line for line in well.notes)
            assert any(line.startswith("no") and "channels:history" in line for line in well.notes)
            monkeypatch.setenv("SMALLPRINT_SLACK_APP_TOKEN", SECRETS[1])
            (wrong,) = [check for check in await outside(given(tmp_path)) if check.name == "Slack"]
            assert "connections:write" in " ".join(wrong.todo)
            assert workspace.token not in told([well, half, wrong])

    asyncio.run(scene())


def test_discord_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with Discord() as fake:
            monkeypatch.setenv("SMALLPRINT_DISCORD_API", fake.api)
            monkeypatch.setenv("SMALLPRINT_DISCORD_TOKEN", fake.token)
            (well,) = [check for check in await outside(given(tmp_path)) if check.name == "Discord"]
            assert well.fine
            assert "SMALLPRINT_DISCORD_CONTENT" in " ".join(well.notes)
            monkeypatch.setenv("SMALLPRINT_DISCORD_CONTENT", "1")
            (wrong,) = [check for check in await outside(given(tmp_path)) if check.name == "Discord"]
            assert "4014" in " ".join(wrong.todo)
            assert fake.token not in told([well, wrong])

    asyncio.run(scene())


def test_a_platform_that_never_answers_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("SMALLPRINT_SLACK_API", f"http://127.0.0.1:{silent.getsockname()[1]}/api/")
        monkeypatch.setenv("SMALLPRINT_SLACK_BOT_TOKEN", SECRETS[0])
        monkeypatch.setenv("SMALLPRINT_SLACK_APP_TOKEN", SECRETS[1])
        begun = time.monotonic()
        slack = looked(given(tmp_path))["Slack"]
    assert "no answer" in " ".join(slack.todo)
    assert time.monotonic() - begun < 5


def test_a_whole_look_exits_with_one_and_tells_no_secret(tmp_path: Path) -> None:
    done = process(
        "doctor",
        SMALLPRINT_STATE=f"sqlite:///{tmp_path}/state.db",
        SMALLPRINT_SLACK_API="http://127.0.0.1:1/api/",
        SMALLPRINT_SLACK_BOT_TOKEN=SECRETS[0],
        SMALLPRINT_SLACK_APP_TOKEN=SECRETS[1],
        SMALLPRINT_DISCORD_API="http://127.0.0.1:1/api",
        SMALLPRINT_DISCORD_TOKEN=SECRETS[2],
    )
    out = done.stdout.decode()
    assert done.returncode == 1
    assert not done.stderr
    assert out.count("cannot be reached") == 3
    assert [line.split()[1] for line in out.splitlines() if line.startswith("look")] == ["Slack", "Discord"]
    assert not any(word in out for word in SECRETS)
    assert not list(tmp_path.iterdir())


def test_rows_that_nobody_checked_are_told_where_somebody_is_served(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SMALLPRINT_KNOWLEDGE", str(tmp_path / "knowledge.db"))
    assert doctor.doctor()[1]
    long_ago = time.time() - 30 * doctor.DAY
    os.utime(default_path(), (long_ago, long_ago))
    assert doctor.doctor()[1], "who asks at a terminal looks when they want to"
    monkeypatch.setenv("SMALLPRINT_DISCORD_API", "http://127.0.0.1:1/api")
    monkeypatch.setenv("SMALLPRINT_DISCORD_TOKEN", SECRETS[2])
    text, well = doctor.doctor()
    assert not well
    assert "smallprint sync" in text


def test_a_day_before_the_newest_round_is_no_day_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(clock.VARIABLE, "2020-01-01")
    text, well = doctor.doctor()
    assert not well
    assert "set the clock" in text
