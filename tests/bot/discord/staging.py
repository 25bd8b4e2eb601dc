"""The real edge and the real core before a Discord on the loopback interface."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from bot.discord.edge import DiscordEdge, connect
from bot.discord.settings import DiscordSettings
from bot.keys import Keys
from bot.service import Service
from bot.state import State
from tests.bot.service.conftest import ScriptedLinks
from tests.bot.slack.staging import CLAIM, LINK, OPEN_CLAIM, MemoryJobs, SharedReaders
from tests.fakes.discord import Channel, Discord, Guild, Message, User

if TYPE_CHECKING:
    from bot.jobs import Jobs

__all__ = ["CLAIM", "LINK", "OPEN_CLAIM", "WORD", "Core", "Stage", "connected", "core", "settings", "stage"]

WORD = "**True, but not like for like:**"


@dataclass
class Core:
    """State, jobs and service over the files of a folder."""

    service: Service
    state: State
    jobs: MemoryJobs
    links: ScriptedLinks

    async def done(self) -> None:
        """Wait until no work is left."""
        async with asyncio.timeout(20):
            while await self.jobs.waiting():
                await asyncio.sleep(0.01)


@asynccontextmanager
async def core(
    folder: Path, port: Callable[[str], Awaitable[Any]], clock: Callable[[], float] = time.time
) -> AsyncIterator[Core]:
    """A core that posts through `port`; opening it again is a restart."""
    keys = Keys.beside(folder / "keys")
    state = await State.open(f"sqlite:///{folder}/state.db", keys=keys)
    jobs, links = MemoryJobs(), ScriptedLinks({LINK: CLAIM})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.service.service.Readers", SharedReaders)
        service = Service(
            state=state, jobs=cast("Jobs", jobs), ports={"discord": port}, vendor=links, clock=clock
        )
    await service.start()
    try:
        yield Core(service, state, jobs, links)
    finally:
        await service.stop()
        await state.close()


def settings(fake: Discord, *, content: bool = False, token: str | None = None) -> DiscordSettings:
    """The settings of a deployment beside a fake."""
    given: dict[str, Any] = {
        "SMALLPRINT_DISCORD_API": fake.api,
        "SMALLPRINT_DISCORD_TOKEN": token or fake.token,
        "SMALLPRINT_DISCORD_CONTENT": content,
    }
    return DiscordSettings(**given)


@asynccontextmanager
async def connected(
    folder: Path, fake: Discord, *, content: bool = False
) -> AsyncIterator[tuple[Core, DiscordEdge]]:
    """A process that runs; leaving it is a restart."""
    made: list[DiscordEdge] = []

    async def port(workspace: str) -> Any:
        return await made[0].port(workspace)

    async with core(folder, port) as found:
        made.append(await connect(found.service, found.state, settings(fake, content=content)))
        try:
            await made[0].start()
            yield found, made[0]
        finally:
            await made[0].stop()


@dataclass
class Stage:
    """One server with two people and a channel; ann manages it, bob reads German."""

    discord: Discord
    core: Core
    edge: DiscordEdge
    guild: Guild
    general: Channel
    ann: User
    bob: User
    taken: int = 0

    async def posts(self, count: int = 1) -> list[Message]:
        """All that we posted, the oldest first, once there are so many and no work is left."""
        await self.discord.until(lambda: len(self.discord.posts()) >= count)
        await self.core.done()
        return sorted(self.discord.posts(), key=lambda message: int(message.id))

    async def quiet(self, taken: int) -> None:
        """Wait until so many events were taken and no work is left."""
        await self.discord.until(lambda: self.taken >= taken)
        await self.core.done()


@asynccontextmanager
async def stage(
    folder: Path, *, content: bool = False, denied: tuple[str, ...] = (), locale: str = "en-US"
) -> AsyncIterator[Stage]:
    """A stage, where Discord objects to nothing. denied: what we may not do in the channel."""
    async with Discord(content_allowed=content) as fake:
        ann, bob = fake.user("ann", admin=True), fake.user("bob", locale="de")
        guild = fake.guild("Acme", ann, locale=locale)
        general = fake.channel(guild, "general", denied=denied)
        async with connected(folder, fake, content=content) as (found, edge):
            made = Stage(fake, found, edge, guild, general, ann, bob)
            take = found.service.take

            async def counted(event: Any) -> Any:
                decided = await take(event)
                made.taken += 1
                return decided

            found.service.take = counted  # type: ignore[method-assign]
            yield made
            assert fake.offences == []
