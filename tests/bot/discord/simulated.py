"""A Discord in memory (simcord), with the real client, the real edge and the real core behind it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import simcord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env
from simcord.results import InteractionResult

from bot.discord.edge import DiscordEdge
from bot.discord.settings import DiscordSettings
from tests.bot.discord.staging import Core, core

TALK = (discord.MessageType.default, discord.MessageType.reply)


def settings(**more: Any) -> DiscordSettings:
    """The settings of a deployment."""
    return DiscordSettings(**{"SMALLPRINT_DISCORD_TOKEN": "token", **more})


@dataclass
class Stage:
    """One server with two people and a channel; ann may manage it."""

    env: Env
    core: Core
    edge: DiscordEdge
    guild: GuildHandle
    channel: ChannelHandle
    ann: MemberActor
    bob: MemberActor

    @property
    def me(self) -> discord.ClientUser:
        """Our own account."""
        assert self.edge.bot.user is not None
        return self.edge.bot.user

    async def quiet(self) -> None:
        """Wait until no work is left."""
        await self.env.settle()
        await self.core.done()
        await self.env.settle()

    async def asks(self, text: str, **more: Any) -> discord.Message:
        """Somebody mentions us with a text: the message."""
        sent = await self.bob.send(self.channel, f"{self.me.mention} {text}", **more)
        await self.quiet()
        return sent

    def ours(self, channel: ChannelHandle | None = None) -> list[discord.Message]:
        """What we said to all in a channel and its threads, the oldest first."""
        there = [channel] if channel else [self.channel, *self.channel.threads]
        found = [message for one in there for message in one.history()]
        return [
            message
            for message in found
            if message.author.id == self.me.id and message.type in TALK and not message.flags.ephemeral
        ]

    async def restart(self) -> None:
        """A new process over the same state."""
        await self.quiet()
        self.edge = DiscordEdge(self.core.service, settings())
        await self.env.restart_bot(self.edge.bot)


@asynccontextmanager
async def stage(folder: Path, *, content: bool = False, denied: tuple[str, ...] = ()) -> AsyncIterator[Stage]:
    """A stage; `denied` names what we may not do in the channel."""
    made: list[Stage] = []

    async def port(workspace: str) -> Any:
        return await made[0].edge.port(workspace)

    def clock() -> float:
        # Messages are as old as the simulation's own time says.
        return made[0].env.now().timestamp() if made else time.time()

    async with core(folder, port, clock) as found:
        edge = DiscordEdge(found.service, settings(SMALLPRINT_DISCORD_CONTENT=content))
        async with simcord.run(edge.bot, shard_count=1, approved_intents=discord.Intents.all()) as env:
            guild = env.create_guild()
            withheld = discord.PermissionOverwrite(**dict.fromkeys(denied, False))
            overwrites: Any = {edge.bot.user: withheld} if denied else None
            channel = guild.create_text_channel("general", overwrites=overwrites)
            leads = guild.create_role("leads", permissions=discord.Permissions(manage_guild=True))
            ann = guild.add_member(env.create_user("ann"), roles=[leads])
            bob = guild.add_member(env.create_user("bob"))
            made.append(Stage(env, found, edge, guild, channel, ann, bob))
            yield made[0]


def said(result: InteractionResult) -> str:
    """All that an interaction came to, as text."""
    shown = [one for one in (result.response, *result.followups) if one is not None]
    return "\n".join(text(one) for one in shown)


def text(message: Any) -> str:
    """A message with its embeds as text."""
    parts = [message.content]
    for embed in message.embeds:
        parts += [embed.description or "", embed.footer.text or ""]
    return "\n".join(part for part in parts if part)


def labels(message: Any) -> list[str]:
    """The labels of a message's buttons, and the placeholders of its menus."""
    found: list[str] = []
    for row in message.components:
        items = row["components"] if isinstance(row, dict) else row.children
        for item in items:
            known = item if isinstance(item, dict) else item.to_dict()
            found.append(str(known.get("label") or known.get("placeholder")))
    return found
