"""`smallprint run` as a child process that is killed while people ask: what the loopback Discord counts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import sys
import time
from asyncio.subprocess import Process
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from bot.keys import Keys
from tests.bot.slack.staging import CLAIM
from tests.conftest import ROOT
from tests.fakes.discord import Channel, Discord, Message, User

RUN = "from bot.cli import main; main(['run'])"
PATIENCE = 90.0
COUNTED = re.compile(r'^smallprint_events_total\{.*action="answer".*\} ([0-9.]+)', re.MULTILINE)
LISTENING = re.compile(r'"url": "(http://127\.0\.0\.1:\d+)"')


@dataclass(frozen=True)
class Outcome:
    """What came of the questions. seconds: from the last one until all had their answers."""

    asked: int
    doubled: int
    unanswered: int
    strays: int
    seconds: float


class Child:
    """The bot as a process on one state."""

    def __init__(self, fake: Discord, folder: Path) -> None:
        self._fake, self._folder = fake, folder
        self._process: Process | None = None
        self._env = {
            **os.environ,
            "SMALLPRINT_DISCORD_API": fake.api,
            "SMALLPRINT_DISCORD_TOKEN": fake.token,
            "SMALLPRINT_STATE": f"sqlite:///{folder}/state.db",
            "SMALLPRINT_KEYS": Keys.new(),
            "SMALLPRINT_LISTEN": "127.0.0.1:0",
            "SMALLPRINT_KNOWLEDGE": str(folder / "knowledge.db"),
        }

    async def start(self) -> None:
        """Start it and wait until it is connected. Raises AssertionError where it ends by itself."""
        before = self._fake.gateway.identified
        with (self._folder / "child.log").open("ab") as log:
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-c", RUN, cwd=ROOT, env=self._env, stderr=log
            )
        self._process = child
        await self._fake.until(
            lambda: child.returncode is not None or self._fake.gateway.identified > before, PATIENCE
        )
        assert child.returncode is None, "the bot does not start; see child.log"

    async def stored(self) -> int:
        """How many questions this process has stored: Discord tells nothing again to one that starts anew."""
        url = LISTENING.findall((self._folder / "child.log").read_text("utf-8"))[-1]
        async with aiohttp.ClientSession() as session, session.get(f"{url}/metrics") as answer:
            return int(sum(float(count) for count in COUNTED.findall(await answer.text())))

    async def kill(self) -> None:
        """End it without a word."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


async def play(
    folder: Path, *, events: int = 24, kills: int = 2, channels: int = 3, seed: int = 1
) -> Outcome:
    """People ask `events` questions in `kills` + 1 bursts; between them the bot is killed in its work."""
    chance = random.Random(seed)
    async with Discord() as fake:
        # One person may ask twenty times a minute, so there are as many as channels.
        people = [fake.user(f"p{number}") for number in range(channels)]
        guild = fake.guild("Acme", people[0])
        rooms = [fake.channel(guild, f"room-{number}") for number in range(channels)]
        child = Child(fake, folder)
        asked: list[Message] = []
        try:
            await child.start()
            for burst in range(kills + 1):
                asked += await _ask(people, rooms, events // (kills + 1))
                if burst < kills:
                    async with asyncio.timeout(PATIENCE):
                        while await child.stored() < events // (kills + 1):
                            await asyncio.sleep(0.05)
                    await asyncio.sleep(chance.uniform(0, 1.0))
                    await child.kill()
                    await child.start()
            began = time.monotonic()
            # Where some are missing, the outcome tells how many.
            with contextlib.suppress(TimeoutError):
                await fake.until(lambda: len(fake.posts()) >= len(asked), PATIENCE)
            seconds = time.monotonic() - began
            await asyncio.sleep(1.0)  # a second answer would come now
        finally:
            await child.kill()
        return _outcome(fake, asked, seconds)


async def _ask(people: list[User], rooms: list[Channel], count: int) -> list[Message]:
    return [
        await people[number % len(people)].mentions(rooms[number % len(rooms)], f"{CLAIM} {number}")
        for number in range(count)
    ]


def _outcome(fake: Discord, asked: list[Message], seconds: float) -> Outcome:
    # A thread has the ID of the message that it hangs from.
    answers = Counter(post.channel for post in fake.posts())
    known = {message.id for message in asked}
    return Outcome(
        asked=len(asked),
        doubled=sum(1 for message in asked if answers[message.id] > 1),
        unanswered=sum(1 for message in asked if not answers[message.id]),
        strays=sum(count for channel, count in answers.items() if channel not in known),
        seconds=seconds,
    )
