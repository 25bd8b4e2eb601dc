"""Replicas that are killed, restarted, upgraded, and cut off from their database: nothing lost or doubled."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.jobs import Jobs
from bot.keys import Keys
from bot.state import StateError
from tests.conftest import ROOT
from tests.postgres import postgres_url, server

KEY = Keys.new()
MANY = 40


class Replicas:
    """Worker processes on one database, and the folder in which they write down what they did."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        (folder / "done").mkdir()
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, seconds: float = 0.05) -> None:
        """Start a replica and wait until it takes up work."""
        arguments = [self.url, KEY, name, str(self.folder), str(seconds)]
        self._running[name] = subprocess.Popen(
            [sys.executable, "-m", "tests.bot.jobs.worker", *arguments],
            cwd=ROOT,
            stderr=(self.folder / f"{name}.log").open("ab"),
        )
        ups = self.lines("up").count(name)
        until(lambda: self.lines("up").count(name) > ups, 30)

    def kill(self, name: str) -> None:
        """End a replica without a word."""
        process = self._running.pop(name)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)

    def end(self) -> None:
        """End all of them."""
        for name in list(self._running):
            self.kill(name)

    def lines(self, name: str) -> list[str]:
        """What the replicas wrote to a file."""
        path = self.folder / name
        return path.read_text().splitlines() if path.exists() else []

    @property
    def done(self) -> set[str]:
        """The IDs of the work that was done."""
        return {path.name for path in (self.folder / "done").iterdir()}


def until(holds: Callable[[], bool], seconds: float) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)


@pytest.fixture
def replicas(state_url: str, tmp_path: Path) -> Iterator[Replicas]:
    """No replica yet, on each database."""
    made = Replicas(state_url, tmp_path)
    yield made
    made.end()


def submit(url: str, *, first: int = 0, many: int = MANY) -> None:
    """Hand in work from a process that does none of it."""

    async def story() -> None:
        jobs = Jobs(url, keys=Keys([KEY]), executor="submitter", version="1", per_second=1000)
        await jobs.open()
        for number in range(first, first + many):
            await jobs.submit("event", f"E{number}", {"text": "x"}, lane=f"C{number % 7}")
        await jobs.close()

    asyncio.run(story())


def test_killed_in_the_middle(replicas: Replicas) -> None:
    replicas.start("one")
    submit(replicas.url)
    for share in (0.2, 0.5, 0.8):
        until(lambda share=share: len(replicas.done) >= share * MANY, 30)  # type: ignore[misc]
        replicas.kill("one")
        replicas.start("one")
    until(lambda: len(replicas.done) == MANY, 30)
    assert replicas.lines("doubled") == []
    begun = Counter(line.split()[0] for line in replicas.lines("begun"))
    assert set(begun) == replicas.done
    # Only what was in hand was begun again.
    assert sum(begun.values()) < 3 * MANY


def test_two_replicas_share_the_work_and_the_ticks(tmp_path: Path) -> None:
    replicas = Replicas(postgres_url(), tmp_path)
    try:
        replicas.start("one")
        replicas.start("two")
        submit(replicas.url)
        until(lambda: len(replicas.done) >= MANY // 3, 30)
        replicas.kill("two")
        submit(replicas.url, first=MANY)
        until(lambda: len(replicas.done) >= MANY, 30)
        replicas.start("two")
        until(lambda: len(replicas.done) == 2 * MANY, 40)
        until(lambda: len(replicas.lines("ticks")) >= 3, 10)
    finally:
        replicas.end()
    assert replicas.lines("doubled") == []
    by = Counter(line.split()[1] for line in replicas.lines("begun"))
    assert set(by) == {"one", "two"}
    assert len(set(replicas.lines("ticks"))) == len(replicas.lines("ticks"))


def test_the_database_goes_away_for_a_while(tmp_path: Path) -> None:
    url = postgres_url()
    replicas = Replicas(url, tmp_path)
    try:
        replicas.start("one", 0.1)
        submit(url)
        until(lambda: len(replicas.done) >= 5, 30)
        server().stop()
        try:
            with pytest.raises(StateError):
                submit(url, first=MANY, many=1)
            time.sleep(1)
        finally:
            server().start()
        submit(url, first=MANY, many=5)
        until(lambda: len(replicas.done) == MANY + 5, 60)
    finally:
        replicas.end()
    assert replicas.lines("doubled") == []
