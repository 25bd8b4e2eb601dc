"""The whole bot in Slack: `smallprint run` beside a loopback Slack, each in a process of its own."""

from __future__ import annotations

import asyncio
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil

from bot.keys import Keys
from tests.benchmarks.harness import ROOT, Figure, NotHereError
from tests.bot.slack.killing import RUN, Outcome, play
from tests.fakes.slack.remote import RemoteSlack
from tests.postgres import here, server

RATE = 20  # messages a second
STEADY = 60  # seconds of them
BURST = 1_000
PEOPLE = 200  # so that nobody asks more often than the bot answers one person
CHANNELS = 60  # so that one post a second and channel is never what is waited for
KILLS, EVENTS = 10, 200
CLAIMS = (
    "GB300 is 48 % faster per GPU than MI355X on GPT-OSS-120B offline in MLPerf Inference v6.1.",
    "In MLPerf Inference v6.1, Vera Rubin NVL72 delivers up to 3.7x the throughput of GB300 NVL72.",
    "B200 hits 100,000 tokens/s on Llama 2 70B server.",
    "MI355X was 38 % schneller im Server-Szenario bei GPT-OSS-120B als in der Runde davor.",
)


def environment(slack: RemoteSlack, folder: Path, state: str | None = None) -> dict[str, str]:
    """What `smallprint run` needs to know to work with this Slack."""
    return {
        **os.environ,
        "SMALLPRINT_SLACK_API": slack.facts["api_url"],
        "SMALLPRINT_SLACK_APP_TOKEN": slack.facts["app_token"],
        "SMALLPRINT_SLACK_BOT_TOKEN": slack.facts["bot_token"],
        "SMALLPRINT_SLACK_MANIFEST": "thread",
        "SMALLPRINT_STATE": state or f"sqlite:///{folder}/state.db",
        "SMALLPRINT_KEYS": Keys.new(),
        "SMALLPRINT_EXECUTOR": "only",
        "SMALLPRINT_LISTEN": "127.0.0.1:0",
        "SMALLPRINT_KNOWLEDGE": str(folder / "knowledge.db"),
    }


async def measured(folder: Path, state: str | None) -> tuple[list[Figure], list[Figure]]:
    """Figures of steady traffic and of a burst after it."""
    names = [f"room{number}" for number in range(CHANNELS)]
    manifest = str(ROOT / "deploy" / "slack" / "thread.json")
    people = [f"p{number}" for number in range(PEOPLE)]
    options = ("--manifest", manifest, "--no-rate-limits", "--channels", *names, "--people", *people)
    async with RemoteSlack.running(*options) as slack:
        with (folder / "log").open("wb") as log:
            bot = await asyncio.create_subprocess_exec(
                sys.executable, "-c", RUN, cwd=ROOT, env=environment(slack, folder, state), stderr=log
            )
        try:
            while not (await slack("state"))["sockets"]:
                assert bot.returncode is None, (folder / "log").read_text()[-500:]
                await asyncio.sleep(0.1)
            channels = list(slack.facts["channels"].values())
            await asked(slack, channels[:5], 5, 0.5)  # the first answers pay for what is loaded late
            steady = await asked(slack, channels, RATE * STEADY, 1 / RATE)
            acks = (await slack("state"))["latencies"]
            memory = psutil.Process(bot.pid).memory_info().rss / 2**20
            burst = await asked(slack, channels, BURST, 0.0)
            offences = (await slack("state"))["offences"]
        finally:
            bot.terminate()
            await bot.wait()
    assert not offences, offences[:3]
    return figures(steady, acks, memory), flood(burst)


async def asked(
    slack: RemoteSlack, channels: Sequence[str], count: int, pause: float
) -> tuple[list[float], int, float]:
    """Ask so often; seconds from each message to its answer, how many have none or two, seconds in all."""
    start, texts, sent = time.perf_counter(), itertools.cycle(CLAIMS), []
    for number in range(count):
        say = slack(
            "says",
            user=f"p{number % PEOPLE}",
            channel=channels[number % len(channels)],
            text=f"{next(texts)} {number}",
            mention=True,
        )
        sent.append(asyncio.create_task(say))
        wait = start + (number + 1) * pause - time.perf_counter()
        await asyncio.sleep(max(0.0, wait))
    messages = [answer["ts"] for answer in await asyncio.gather(*sent)]
    times: dict[str, list[float]] = {}
    for _ in range(600):
        posts: list[dict[str, Any]] = (await slack("posts"))["posts"]
        times = {}
        for post in posts:
            times.setdefault(post["thread_ts"], []).append(float(post["ts"]))
        if all(ts in times for ts in messages):
            break
        await asyncio.sleep(0.2)
    waited = [times[ts][0] - float(ts) for ts in messages if ts in times]
    wrong = sum(len(times.get(ts, ())) != 1 for ts in messages)
    return waited, wrong, time.perf_counter() - start


def figures(steady: tuple[list[float], int, float], acks: Sequence[float], memory: float) -> list[Figure]:
    """The figures of steady traffic."""
    waited, wrong, _ = steady
    return [
        Figure("ack, 99 of 100", percentile(acks, 99) * 1000, "ms", 100),
        Figure("reply posted, half", statistics.median(waited) * 1000, "ms"),
        Figure("reply posted, 95 of 100", percentile(waited, 95) * 1000, "ms", 400),
        Figure("not answered, or twice", wrong, "", 0, f"of {RATE * STEADY}, {RATE} a second"),
        Figure("resident memory at the end", memory, "MiB", 300),
    ]


def flood(burst: tuple[list[float], int, float]) -> list[Figure]:
    """The figures of a burst."""
    _, wrong, seconds = burst
    return [
        Figure(f"burst of {BURST:,}: not answered, or twice", wrong, "", 0),
        Figure(f"burst of {BURST:,}: until all were answered", seconds, "s"),
    ]


def percentile(values: Sequence[float], part: int) -> float:
    """The value below which so many of 100 lie."""
    return statistics.quantiles(values, n=100)[part - 1]


def chat(name: str, state: str | None) -> Iterator[Figure]:
    """All figures on one database."""
    with tempfile.TemporaryDirectory(prefix="smallprint-bench-") as folder:
        for found in itertools.chain(*asyncio.run(measured(Path(folder), state))):
            yield replace(found, name=f"chat, {name}: {found.name}")


def sqlite() -> Iterator[Figure]:
    """The bot on SQLite."""
    yield from chat("SQLite", None)


def postgresql() -> Iterator[Figure]:
    """The bot on PostgreSQL."""
    if not here():
        raise NotHereError("no PostgreSQL for tests is installed")
    yield from chat("PostgreSQL", server().database())


def kill() -> Iterator[Figure]:
    """The bot is killed ten times while 200 questions are asked, with each manifest and two replicas."""
    runs: list[tuple[str, dict[str, Any]]] = [
        ("thread", {"manifest": "thread"}),
        ("scan", {"manifest": "scan"}),
        ("direct messages", {"manifest": "minimal", "direct": True}),
        ("minimal", {"manifest": "minimal"}),
    ]
    if here():
        runs.append(("two replicas, PostgreSQL", {"replicas": 2, "state": server().database()}))
    for name, options in runs:
        with tempfile.TemporaryDirectory(prefix="smallprint-kill-") as folder:
            found: Outcome = asyncio.run(play(Path(folder), events=EVENTS, kills=KILLS, **options))
        told = f"of {EVENTS}, killed {KILLS} times"
        yield Figure(f"kill -9, {name}: answered twice", found.doubled, "", 0, told)
        lost = found.lost if name == "minimal" else 0
        yield Figure(
            f"kill -9, {name}: not answered", found.unanswered, "", lost, f"{found.lost} perhaps lost"
        )
