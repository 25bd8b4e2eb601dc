"""The whole bot in Discord: `smallprint run` beside a loopback Discord, each in a process of its own."""

from __future__ import annotations

import asyncio
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from bot.keys import Keys
from tests.benchmarks.chat import BURST, CHANNELS, CLAIMS, EVENTS, KILLS, PEOPLE, RATE, STEADY, percentile
from tests.benchmarks.harness import ROOT, Figure
from tests.bot.discord.killing import RUN, play
from tests.fakes.discord.remote import RemoteDiscord


def chat() -> Iterator[Figure]:
    """Steady traffic, then a burst."""
    with tempfile.TemporaryDirectory(prefix="smallprint-bench-") as folder:
        yield from asyncio.run(measured(Path(folder)))


def kill() -> Iterator[Figure]:
    """The bot is killed ten times while 200 questions are asked."""
    with tempfile.TemporaryDirectory(prefix="smallprint-kill-") as folder:
        found = asyncio.run(play(Path(folder), events=EVENTS, kills=KILLS))
    told = f"of {EVENTS}, killed {KILLS} times"
    yield Figure("kill -9, Discord: answered twice", found.doubled, "", 0, told)
    yield Figure("kill -9, Discord: not answered", found.unanswered, "", 0, told)


async def measured(folder: Path) -> list[Figure]:
    """The figures of one run."""
    rooms, people = [f"room{n}" for n in range(CHANNELS)], [f"p{n}" for n in range(PEOPLE)]
    async with RemoteDiscord.running("--channels", *rooms, "--people", *people) as discord:
        env = {
            **os.environ,
            "SMALLPRINT_DISCORD_API": discord.facts["api"],
            "SMALLPRINT_DISCORD_TOKEN": discord.facts["token"],
            "SMALLPRINT_STATE": f"sqlite:///{folder}/state.db",
            "SMALLPRINT_KEYS": Keys.new(),
            "SMALLPRINT_LISTEN": "127.0.0.1:0",
            "SMALLPRINT_KNOWLEDGE": str(folder / "knowledge.db"),
        }
        with (folder / "log").open("wb") as log:
            bot = await asyncio.create_subprocess_exec(
                sys.executable, "-c", RUN, cwd=ROOT, env=env, stderr=log
            )
        try:
            while not (await discord("state"))["connected"]:
                assert bot.returncode is None, (folder / "log").read_text()[-500:]
                await asyncio.sleep(0.1)
            await asked(discord, 5, 0.5)  # the first answers pay for what is loaded late
            waited, wrong, _ = await asked(discord, RATE * STEADY, 1 / RATE)
            memory = psutil.Process(bot.pid).memory_info().rss / 2**20
            _, lost, seconds = await asked(discord, BURST, 0.0)
        finally:
            bot.terminate()
            await bot.wait()
    return [
        Figure("chat, Discord: reply posted, half", statistics.median(waited) * 1000, "ms"),
        Figure("chat, Discord: reply posted, 95 of 100", percentile(waited, 95) * 1000, "ms", 400),
        Figure("chat, Discord: not answered, or twice", wrong, "", 0, f"of {RATE * STEADY}, {RATE} a second"),
        Figure("chat, Discord: resident memory at the end", memory, "MiB", 300),
        Figure(f"chat, Discord: burst of {BURST:,}: not answered, or twice", lost, "", 0),
        Figure(f"chat, Discord: burst of {BURST:,}: until all were answered", seconds, "s"),
    ]


async def asked(discord: RemoteDiscord, count: int, pause: float) -> tuple[list[float], int, float]:
    """Ask so often; seconds from each message to its answer, how many have none or two, seconds in all."""
    start, texts, sent = time.perf_counter(), itertools.cycle(CLAIMS), []
    for number in range(count):
        text = f"{next(texts)} {number}"
        room, person = f"room{number % CHANNELS}", f"p{number % PEOPLE}"
        say = discord("says", user=person, channel=room, text=text, mention=True)
        sent.append(asyncio.create_task(say))
        await asyncio.sleep(max(0.0, start + (number + 1) * pause - time.perf_counter()))
    messages = [answer["id"] for answer in await asyncio.gather(*sent)]
    answers: dict[str, list[str]] = {}
    for _ in range(600):
        answers = {}
        for post in (await discord("posts"))["posts"]:
            answers.setdefault(post["source"], []).append(post["id"])
        if all(one in answers for one in messages):
            break
        await asyncio.sleep(0.2)
    waited = [written(answers[one][0]) - written(one) for one in messages if one in answers]
    wrong = sum(len(answers.get(one, ())) != 1 for one in messages)
    return waited, wrong, time.perf_counter() - start


def written(identifier: str) -> float:
    """When a message was written, in seconds: its ID holds it."""
    return (int(identifier) >> 22) / 1000
