"""`smallprint run` as child processes that are killed while people ask: what the loopback Slack counts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
from asyncio.subprocess import Process
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from bot.keys import Keys
from tests.conftest import ROOT
from tests.fakes.slack import Channel, Message, Slack, User, Workspace

CLAIM = "GB300 is 48 % faster per GPU than MI355X on GPT-OSS-120B offline in MLPerf Inference v6.1."
RUN = "from bot.cli import main; main(['run'])"
PATIENCE = 120.0


@dataclass
class Outcome:
    """What came of the events: answers by message, and what the replicas logged as lost."""

    asked: int
    answers: Counter[int] = field(default_factory=Counter)
    lost: int = 0
    kills: int = 0

    @property
    def doubled(self) -> int:
        """How many messages have more than one answer."""
        return sum(count for times, count in self.answers.items() if times > 1)

    @property
    def unanswered(self) -> int:
        """How many messages have none."""
        return self.answers[0]


class Replicas:
    """Child processes on one state, each with a name of its own."""

    def __init__(self, slack: Slack, ws: Workspace, folder: Path, manifest: str, state: str | None) -> None:
        self._env = {
            **os.environ,
            "SMALLPRINT_SLACK_API": slack.api_url,
            "SMALLPRINT_SLACK_APP_TOKEN": slack.app_token,
            "SMALLPRINT_SLACK_BOT_TOKEN": ws.token,
            "SMALLPRINT_SLACK_MANIFEST": manifest,
            "SMALLPRINT_STATE": state or f"sqlite:///{folder}/state.db",
            "SMALLPRINT_KEYS": Keys.new(),
            "SMALLPRINT_LISTEN": "127.0.0.1:0",
            "SMALLPRINT_KNOWLEDGE": str(folder / "knowledge.db"),
        }
        self._folder = folder
        self.running: dict[str, Process] = {}

    async def start(self, name: str) -> None:
        """Start a replica; its log is a file of its name."""
        with (self._folder / f"{name}.log").open("ab") as log:
            self.running[name] = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                RUN,
                cwd=ROOT,
                env={**self._env, "SMALLPRINT_EXECUTOR": name},
                stderr=log,
            )

    def ended(self) -> bool:
        """Whether one has ended by itself."""
        return any(process.returncode is not None for process in self.running.values())

    async def kill(self, name: str) -> None:
        """End a replica without a word."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGKILL)
        await process.wait()

    async def end(self) -> None:
        """End all of them."""
        for name in list(self.running):
            await self.kill(name)

    def logged(self, event: str) -> int:
        """How often all replicas logged an event."""
        files = self._folder.glob("*.log")
        return sum(file.read_text("utf-8").count(f'"event": "{event}"') for file in files)


async def play(
    folder: Path,
    *,
    manifest: str = "thread",
    state: str | None = None,
    replicas: int = 1,
    events: int = 200,
    kills: int = 10,
    channels: int = 20,
    direct: bool = False,
    seed: int = 1,
) -> Outcome:
    """People ask `events` questions while replicas are killed `kills` times at random points."""
    chance = random.Random(seed)
    path = ROOT / "deploy" / "slack" / f"{manifest}.json"
    # Slack sends an event again until it is taken: the times between are shorter, there are more of them.
    async with Slack.running(path, scale=0.02, retry_after=(0.0, *[25.0] * 400), rate_limits=False) as slack:
        ws = slack.workspace("Acme")
        people = [ws.user(f"p{number}") for number in range(channels)]
        rooms = [ws.channel(f"room{number}", *people) for number in range(channels)]
        names = [f"r{number}" for number in range(replicas)]
        team = Replicas(slack, ws, folder, manifest, state)
        try:
            for name in names:
                await team.start(name)
            await slack.until(lambda: team.ended() or len(slack.sockets.open) >= replicas, 60, "connected")
            assert not team.ended(), "a replica does not start; see its log"
            messages = await _ask_and_kill(team, names, chance, people, rooms, events, kills, direct)
            outcome = Outcome(events, kills=kills)
            await _all_answered(slack, messages, manifest, team)
        finally:
            await team.end()
        counts = slack.reply_counts()
        outcome.answers = Counter(counts[message.ts] for message in messages)
        outcome.lost = team.logged("post_lost")
        return outcome


async def _ask_and_kill(
    team: Replicas,
    names: list[str],
    chance: random.Random,
    people: list[User],
    rooms: list[Channel],
    events: int,
    kills: int,
    direct: bool,
) -> list[Message]:
    moments = sorted(chance.sample(range(5, events), kills))
    messages = []
    for number in range(events):
        who, text = people[number % len(people)], f"{CLAIM} {number}"
        said = who.tells(text) if direct else who.asks(rooms[number % len(rooms)], text)
        messages.append(await said)
        await asyncio.sleep(chance.uniform(0.01, 0.06))
        if number in moments:
            name = chance.choice(names)
            await asyncio.sleep(chance.uniform(0, 0.4))
            await team.kill(name)
            await team.start(name)
            if len(names) == 1:
                # Not all kills before the first start has ended: some must fall into work.
                await asyncio.sleep(chance.uniform(1.5, 4.0))
    return messages


async def _all_answered(slack: Slack, messages: list[Message], manifest: str, team: Replicas) -> None:
    """Wait until every message has its answer, or as many as were not lost where nobody may look back."""

    def done() -> bool:
        answered = sum(1 for one in slack.core.world.written if one.by_app)
        return answered >= len(messages) - (team.logged("post_lost") if manifest == "minimal" else 0)

    # Where some are missing, the outcome tells how many.
    with contextlib.suppress(AssertionError):
        await slack.until(done, PATIENCE, "answers")
    await asyncio.sleep(1.0)  # a second answer would come now
