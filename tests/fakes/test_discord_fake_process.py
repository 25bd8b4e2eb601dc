"""The fake Discord as a process of its own, with an app in this one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import discord
import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from tests.fakes.discord.remote import RemoteDiscord


def test_it_serves_an_app_and_keeps_a_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = tmp_path / "journal.jsonl"

    async def play() -> None:
        async with RemoteDiscord.running("--journal", str(journal), "--content") as fake:
            monkeypatch.setattr(Route, "BASE", fake.facts["api"])
            gateway = URL(fake.facts["api"]).with_scheme("ws").with_path("/gateway")
            monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
            client = discord.Client(
                intents=discord.Intents(guilds=True, guild_messages=True, message_content=True)
            )

            async def on_message(message: discord.Message) -> None:
                if message.author != client.user:
                    await message.reply("read", mention_author=False)

            client.event(on_message)
            async with client:
                task = asyncio.create_task(client.start(fake.facts["token"]))
                await fake("connected")
                said = await fake("says", user="bob", channel="general", text="read this")
                while not (await fake("posts", channel="general"))["posts"]:
                    await asyncio.sleep(0.02)
                await fake("settled")
                assert await fake("counts") == {"replies": {said["id"]: 1}, "strays": 0}
                await fake("disconnect")
                await fake("edits", user="bob", message=said["id"], text="read that")
                while not (state := await fake("state"))["resumed"]:
                    await asyncio.sleep(0.02)
                assert (state["identified"], state["offences"]) == (1, [])
                with pytest.raises(AssertionError, match="no channel nowhere"):
                    await fake("says", user="bob", channel="nowhere", text="x")
                with pytest.raises(AssertionError, match="no such command"):
                    await fake("dances")
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(asyncio.wait_for(play(), 30))
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert [line["text"] for line in lines if line["what"] == "posted"] == ["read"]
    assert {"identified", "disconnected", "resumed"} <= {line["what"] for line in lines}
