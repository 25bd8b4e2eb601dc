"""`python -m tests.benchmarks.soak [MINUTES]`: mixed traffic on Slack and Discord at once, 30 minutes.

Ten events a second: questions, edits, deletions, links; 1 % of the posts meet a 429 and 1 % a 503, and Slack
delivers again what it thinks was not taken. Printed: what was lost or doubled, and memory and open files over
time, which must stay flat.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.benchmarks.chat import CHANNELS, CLAIMS, PEOPLE, RUN, environment
from tests.benchmarks.harness import ROOT, machine
from tests.fakes.discord.remote import RemoteDiscord
from tests.fakes.slack.remote import RemoteSlack

RATE = 10.0  # events a second on both platforms together
LINK = "https://blogs.nvidia.com/blog/mlperf-inference"


@dataclass
class Tally:
    """What was said, by platform, and what should have come of it."""

    asked: dict[str, list[str]] = field(default_factory=lambda: {"slack": [], "discord": []})
    removed: set[str] = field(default_factory=set)
    samples: list[tuple[float, float, int]] = field(default_factory=list)


async def soak(seconds: float, folder: Path) -> None:
    """Run, then print."""
    rooms, people = [f"room{n}" for n in range(CHANNELS)], [f"p{n}" for n in range(PEOPLE)]
    manifest = str(ROOT / "deploy" / "slack" / "scan.json")
    world = ("--channels", *rooms, "--people", *people)
    async with (
        RemoteSlack.running("--manifest", manifest, "--no-rate-limits", *world) as slack,
        RemoteDiscord.running(*world) as discord,
    ):
        env = environment(slack, folder) | {
            "SMALLPRINT_SLACK_MANIFEST": "scan",
            "SMALLPRINT_DISCORD_API": discord.facts["api"],
            "SMALLPRINT_DISCORD_TOKEN": discord.facts["token"],
        }
        with (folder / "log").open("wb") as log:
            bot = await asyncio.create_subprocess_exec(
                sys.executable, "-c", RUN, cwd=ROOT, env=env, stderr=log
            )
        try:
            while not ((await slack("state"))["sockets"] and (await discord("state"))["connected"]):
                assert bot.returncode is None, (folder / "log").read_text()[-500:]
                await asyncio.sleep(0.2)
            tally = await traffic(slack, discord, seconds, psutil.Process(bot.pid))
            await asyncio.sleep(30)
            await report(slack, discord, tally, folder)
        finally:
            bot.terminate()
            await bot.wait()


async def traffic(slack: RemoteSlack, discord: RemoteDiscord, seconds: float, bot: psutil.Process) -> Tally:
    """Say things for so long."""
    chance, tally = random.Random(7), Tally()
    start, number, sampled = time.perf_counter(), 0, 0.0
    while (now := time.perf_counter() - start) < seconds:
        if now - sampled >= max(10.0, seconds / 30):
            sampled = now
            tally.samples.append((now, bot.memory_info().rss / 2**20, bot.num_fds()))
        await (on_slack if number % 2 else on_discord)(slack, discord, number // 2, chance, tally)
        number += 1
        await asyncio.sleep(max(0.0, start + number / RATE - time.perf_counter()))
    tally.samples.append((seconds, bot.memory_info().rss / 2**20, bot.num_fds()))
    return tally


async def on_slack(
    slack: RemoteSlack, _: RemoteDiscord, number: int, chance: random.Random, tally: Tally
) -> None:
    """One event in Slack."""
    user, channel = f"p{number % PEOPLE}", list(slack.facts["channels"].values())[number % CHANNELS]
    if chance.random() < 0.01:
        await slack("fail", method="chat.postMessage", retry_after=1)
    if chance.random() < 0.01:
        await slack("fail", method="chat.postMessage", status=503)
    if chance.random() < 0.05:
        await slack("says", user=user, channel=channel, text=f"look at {LINK}/{number}")
        return
    text = f"{CLAIMS[number % len(CLAIMS)]} {number}"
    said = await slack("says", user=user, channel=channel, text=text, mention=True)
    tally.asked["slack"].append(said["ts"])
    if chance.random() < 0.03:
        await slack("edits", user=user, channel=channel, ts=said["ts"], text=f"{text} (edited)")
    elif chance.random() < 0.03:
        tally.removed.add(said["ts"])
        await slack("deletes", user=user, channel=channel, ts=said["ts"])


async def on_discord(
    _: RemoteSlack, discord: RemoteDiscord, number: int, chance: random.Random, tally: Tally
) -> None:
    """One event in Discord."""
    user, channel = f"p{number % PEOPLE}", f"room{number % CHANNELS}"
    for how in ({"retry_after": 0.2}, {"status": 503}):
        if chance.random() < 0.01:
            await discord("fail", method="POST", path="/messages", **how)
    text = f"{CLAIMS[number % len(CLAIMS)]} {number}"
    said = await discord("says", user=user, channel=channel, text=text, mention=True)
    tally.asked["discord"].append(said["id"])


async def report(slack: RemoteSlack, discord: RemoteDiscord, tally: Tally, folder: Path) -> None:
    """Print what came of it."""
    answers = Counter(post["thread_ts"] for post in (await slack("posts"))["posts"])
    wanted = [ts for ts in tally.asked["slack"] if ts not in tally.removed]
    there = Counter((await discord("counts"))["replies"])
    log = (folder / "log").read_text("utf-8")
    print(f"Slack: {len(wanted)} asked, {told(answers, wanted)}; {len(tally.removed)} deleted")
    print(f"Discord: {len(tally.asked['discord'])} asked, {told(there, tally.asked['discord'])}")
    print(f"log: {log.count('post_lost')} lost, {log.count('job_gave_up')} given up")
    for at, memory, files in tally.samples:
        print(f"{at / 60:6.1f} min  {memory:7.1f} MiB  {files:4d} open files")


def told(answers: Counter[Any], wanted: list[str]) -> str:
    """How many of these have no answer, and how many two."""
    none = sum(answers[one] == 0 for one in wanted)
    twice = sum(answers[one] > 1 for one in wanted)
    return f"{none} without an answer, {twice} with two"


if __name__ == "__main__":
    print(machine())
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    with tempfile.TemporaryDirectory(prefix="smallprint-soak-") as where:
        os.environ.pop("SMALLPRINT_TODAY", None)
        asyncio.run(soak(minutes * 60, Path(where)))
