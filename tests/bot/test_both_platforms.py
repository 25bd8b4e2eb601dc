"""`smallprint run` with both tokens: one process answers in Slack and in Discord, and either one may fail."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.keys import Keys
from tests.bot.slack.staging import CLAIM
from tests.conftest import ROOT
from tests.fakes.discord import Discord
from tests.fakes.slack import Slack, Workspace

RUN = "from bot.cli import main; main(['run'])"
PATIENCE = 60.0


@dataclass
class Both:
    """One process between two chat platforms, and the file of its log."""

    slack: Slack
    workspace: Workspace
    discord: Discord
    log: Path
    process: asyncio.subprocess.Process

    async def answers_in_slack(self) -> None:
        """Somebody asks in Slack, and is answered."""
        ann = self.workspace.user("ann")
        room = self.workspace.channel("general", ann)
        asked = await ann.asks(room, CLAIM)
        [answer] = await self.slack.answered(asked, within=PATIENCE)
        assert answer.thread_ts == asked.ts

    async def answers_in_discord(self) -> None:
        """Somebody asks in Discord, and is answered."""
        bob = next(iter(self.discord.users.values()))
        room = next(iter(self.discord.channels.values()))
        asked = await bob.mentions(room, CLAIM)
        await self.discord.until(self.discord.posts, PATIENCE)
        assert [post.channel for post in self.discord.posts()] == [asked.id]

    async def logs(self, *words: str) -> None:
        """Wait for a line of the log that holds some words."""
        async with asyncio.timeout(PATIENCE):
            while not any(all(word in line for word in words) for line in self.log.read_text().splitlines()):
                assert self.process.returncode is None, self.log.read_text()
                await asyncio.sleep(0.02)

    async def ends(self) -> int:
        """Ask it to end: what it ends with."""
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), PATIENCE)


@asynccontextmanager
async def both(folder: Path, **other: str) -> AsyncIterator[Both]:
    """The process with good tokens for both, but for what `other` sets."""
    async with (
        Slack.running(ROOT / "deploy" / "slack" / "thread.json", scale=0.002) as slack,
        Discord() as discord,
    ):
        workspace = slack.workspace("Acme")
        discord.channel(discord.guild("Acme", discord.user("bob")), "general")
        given = {
            **os.environ,
            "SMALLPRINT_SLACK_API": slack.api_url,
            "SMALLPRINT_SLACK_APP_TOKEN": slack.app_token,
            "SMALLPRINT_SLACK_BOT_TOKEN": workspace.token,
            "SMALLPRINT_SLACK_MANIFEST": "thread",
            "SMALLPRINT_DISCORD_API": discord.api,
            "SMALLPRINT_DISCORD_TOKEN": discord.token,
            "SMALLPRINT_STATE": f"sqlite:///{folder}/state.db",
            "SMALLPRINT_KEYS": Keys.new(),
            "SMALLPRINT_LISTEN": "127.0.0.1:0",
            "SMALLPRINT_KNOWLEDGE": str(folder / "knowledge.db"),
            **other,
        }
        log = folder / "log"
        with log.open("ab") as file:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", RUN, cwd=ROOT, env=given, stderr=file
            )
        try:
            yield Both(slack, workspace, discord, log, process)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


def play(folder: Path, scene: Callable[[Both], Awaitable[None]], **other: str) -> None:
    """Play a scene with a process of its own."""

    async def whole() -> None:
        async with both(folder, **other) as running:
            await scene(running)

    asyncio.run(whole())


def test_one_process_answers_on_both(tmp_path: Path) -> None:
    async def scene(on: Both) -> None:
        await on.logs('"running"', "discord, slack")
        await on.slack.connected(within=PATIENCE)
        await on.answers_in_slack()
        await on.answers_in_discord()
        assert await on.ends() == 0

    play(tmp_path, scene)


def test_a_token_that_discord_refuses_leaves_slack_running(tmp_path: Path) -> None:
    async def scene(on: Both) -> None:
        await on.logs('"platform_down"', "SMALLPRINT_DISCORD_TOKEN")
        await on.slack.connected(within=PATIENCE)
        await on.answers_in_slack()
        assert "wrong.token" not in on.log.read_text()

    play(tmp_path, scene, SMALLPRINT_DISCORD_TOKEN="wrong.token")


def test_an_intent_that_discord_refuses_leaves_slack_running(tmp_path: Path) -> None:
    async def scene(on: Both) -> None:
        await on.logs('"platform_down"', "4014")
        await on.slack.connected(within=PATIENCE)
        await on.answers_in_slack()

    play(tmp_path, scene, SMALLPRINT_DISCORD_CONTENT="1")


def test_a_token_that_slack_refuses_leaves_discord_running(tmp_path: Path) -> None:
    async def scene(on: Both) -> None:
        await on.logs('"running"', "discord")
        await on.answers_in_discord()

    play(tmp_path, scene, SMALLPRINT_SLACK_BOT_TOKEN="no-slack-token")
