"""What was said while no process ran: a new session is told nothing of it, and looks back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.bot.discord.staging import CLAIM, WORD, connected
from tests.fakes.discord import Discord


def test_who_asked_while_we_were_away_is_answered_once(tmp_path: Path) -> None:
    async def whole() -> None:
        async with Discord() as fake, asyncio.timeout(30):
            ann = fake.user("ann")
            guild = fake.guild("Acme", ann)
            general, other = fake.channel(guild, "general"), fake.channel(guild, "other")
            async with connected(tmp_path, fake) as (found, _):
                before = await ann.mentions(general, CLAIM)
                await fake.until(fake.posts)
                await found.done()
            away = [await ann.mentions(room, CLAIM) for room in (general, other)]
            await ann.says(general, CLAIM)
            for _ in range(2):  # the second time there is nothing left to answer
                async with connected(tmp_path, fake) as (found, _):
                    await fake.until(lambda: len(fake.posts()) == 3)
                    await found.done()
            assert {post.channel for post in fake.posts()} == {before.id, *(one.id for one in away)}
            assert all(post.content.startswith(WORD) for post in fake.posts())

    asyncio.run(whole())


@pytest.mark.parametrize("within", [0.0, 600.0], ids=["long ago", "no right to look back"])
def test_nobody_is_answered_late_or_against_a_permission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, within: float
) -> None:
    monkeypatch.setattr("bot.discord.missed.WITHIN", within)

    async def whole() -> None:
        async with Discord() as fake, asyncio.timeout(30):
            ann = fake.user("ann")
            denied = ("read_message_history",) if within else ()
            general = fake.channel(fake.guild("Acme", ann), "general", denied=denied)
            await ann.mentions(general, CLAIM)
            async with connected(tmp_path, fake) as (found, edge):
                await fake.until(edge.bot.is_ready)
                later = await ann.mentions(general, CLAIM)
                await fake.until(fake.posts)
                await found.done()
            assert [post.channel for post in fake.posts()] == [later.id]
            assert fake.offences == []

    asyncio.run(whole())
