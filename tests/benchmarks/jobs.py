"""How fast work is kept and taken up: at 20 a second, and in a burst of 1,000, in both databases."""

from __future__ import annotations

import asyncio
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from bot import logs
from bot.jobs import Jobs
from bot.keys import Keys
from bot.state import StateError
from tests import postgres
from tests.benchmarks.harness import Figure, NotHereError

RATE = 20  # pieces of work a second
STEADY = 200  # of them
BURST = 1_000
CHANNELS = 50
TEXT = "up to 2.7x faster than the generation before " * 4


class Run:
    """When each piece of work was handed in, kept, and taken up, in seconds."""

    def __init__(self) -> None:
        self.kept: list[float] = []
        self.refused = 0
        self.handed: dict[str, float] = {}
        self.taken: dict[str, float] = {}

    async def handle(self, kind: str, payload: dict[str, Any], job_id: str) -> None:
        """Take a piece of work up, and do nothing."""
        self.taken.setdefault(job_id, time.perf_counter())

    async def submit(self, jobs: Jobs, job_id: str, lane: str) -> None:
        """Hand one piece in."""
        self.handed[job_id] = start = time.perf_counter()
        while True:
            try:
                await jobs.submit("event", job_id, {"text": TEXT}, lane=lane)
            except StateError:
                self.refused += 1  # a platform delivers it again
            else:
                break
        self.kept.append(time.perf_counter() - start)

    async def done(self) -> None:
        """Wait until everything was taken up."""
        while len(self.taken) < len(self.handed):
            await asyncio.sleep(0.01)

    @property
    def waits(self) -> list[float]:
        """From handing in to taking up."""
        return [self.taken[job] - start for job, start in self.handed.items()]


async def steady(jobs: Jobs, run: Run) -> None:
    """20 pieces of work a second, whatever the answer takes."""
    tasks = []
    for number in range(STEADY):
        tasks.append(asyncio.create_task(run.submit(jobs, f"s{number}", f"C{number % CHANNELS}")))
        await asyncio.sleep(1 / RATE)
    await asyncio.gather(*tasks)
    await run.done()


async def burst(jobs: Jobs, run: Run) -> None:
    """1,000 pieces at once."""
    await asyncio.gather(
        *(run.submit(jobs, f"b{number}", f"C{number % CHANNELS}") for number in range(BURST))
    )
    await run.done()


async def measured(url: str) -> tuple[Run, Run, float]:
    """Both runs, and how long the burst took as a whole."""
    first, second = Run(), Run()
    for run, story in ((first, steady), (second, burst)):
        jobs = Jobs(url, keys=Keys([Keys.new()]), executor="bench", version="1", per_second=1000)
        await jobs.launch(run.handle)
        await asyncio.sleep(1.5)  # the queue's own threads have started
        start = time.perf_counter()
        await story(jobs, run)
        took = time.perf_counter() - start
        while await jobs.waiting():
            await asyncio.sleep(0.05)
        await jobs.close()
    return first, second, took


def figures(name: str, url: str) -> Iterator[Figure]:
    """The figures of one database."""
    logs.configure("error")
    calm, rush, took = asyncio.run(measured(url))
    yield Figure(f"{name}: work kept at {RATE}/s, p99", _share(calm.kept, 99), "ms", 100)
    yield Figure(f"{name}: kept to taken up, median", 1000 * statistics.median(calm.waits), "ms")
    yield Figure(f"{name}: kept to taken up, p95", _share(calm.waits, 95), "ms", 200)
    yield Figure(f"{name}: a burst of {BURST:,}, all taken up after", took, "s", 30, _again(rush))
    yield Figure(f"{name}: pieces a second in it", BURST / took, "/s")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield Figure(
        f"{name}: largest resident memory",
        memory / (2**20 if sys.platform == "darwin" else 2**10),
        "MiB",
        300,
    )


def _again(run: Run) -> str:
    return f"{run.refused} handed in again" if run.refused else ""


def _share(times: list[float], percent: int) -> float:
    return 1000 * statistics.quantiles(times, n=100)[percent - 1]


def jobs_in_sqlite() -> Iterator[Figure]:
    """Durable work in a file."""
    with tempfile.TemporaryDirectory() as folder:
        yield from figures("SQLite", f"sqlite:///{folder}/state.db")


def jobs_in_postgresql() -> Iterator[Figure]:
    """Durable work in a server, which runs on the same machine."""
    if not postgres.here():
        raise NotHereError("the wheel with a PostgreSQL server is not installed")
    yield from figures("PostgreSQL", postgres.server().database())
