"""The fake Discord by itself: what it refuses, what it hides, what it tells again, and as a process."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.fakes.discord import Channel, Discord, Message, User
from tests.fakes.discord.gateway import CONTENT, DIRECT, GUILD_MESSAGES, GUILDS
from tests.fakes.discord.remote import RemoteDiscord

NEVER = 60.0


class Client:
    """The barest client of a fake."""

    def __init__(self, fake: Discord, session: aiohttp.ClientSession, channel: Channel, ann: User) -> None:
        self.fake, self.session, self.channel, self.ann = fake, session, channel, ann
        self.headers = {"Authorization": f"Bot {fake.token}"}

    async def call(self, method: str, path: str, **more: Any) -> tuple[int, Any]:
        """A call of the REST API: status and body."""
        headers = {**self.headers, **more.pop("headers", {})}
        async with self.session.request(method, self.fake.api + path, headers=headers, **more) as answer:
            body = await answer.text()
            kind = answer.headers.get("Content-Type")
            return answer.status, json.loads(body) if kind == "application/json" else body

    async def post(self, **body: Any) -> tuple[int, Any]:
        """Post a message."""
        return await self.call("POST", f"/channels/{self.channel.id}/messages", json=body)

    async def identify(self, intents: int) -> aiohttp.ClientWebSocketResponse:
        """Open the gateway."""
        socket = await self.session.ws_connect(f"ws://{self.fake.address}/gateway")
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 2, "d": {"token": self.fake.token, "intents": intents}})
        return socket


async def heard(socket: aiohttp.ClientWebSocketResponse, event: str) -> Any:
    """The next event of a kind."""
    async with asyncio.timeout(5):
        while (told := await socket.receive_json()).get("t") != event:
            pass
    return told["d"]


def play(scene: Any, *, denied: tuple[str, ...] = (), content: bool = False) -> None:
    """A scene with a client and one channel."""

    async def whole() -> None:
        async with Discord(content_allowed=content) as fake, aiohttp.ClientSession() as session:
            ann = fake.user("ann")
            channel = fake.channel(fake.guild("Acme", ann), "general", denied=denied)
            async with asyncio.timeout(NEVER):
                await scene(Client(fake, session, channel, ann))

    asyncio.run(whole())


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": "x" * 2001}, 50035),
        ({"content": ""}, 50006),
        ({"content": "x", "nonce": "n" * 26}, 50035),
        ({"embeds": [{"description": "x" * 4097}]}, 50035),
        ({"embeds": [{"description": "x" * 3500}, {"description": "x" * 2501}]}, 50035),
        ({"embeds": [{"description": "\N{GRINNING FACE}" * 2049}]}, 50035),
        ({"embeds": [{"footer": {"text": "x" * 2049}}]}, 50035),
        ({"content": "x", "components": [{"type": 1, "components": []}]}, 50035),
    ],
)
def test_what_breaks_a_limit_is_refused(body: dict[str, Any], code: int) -> None:
    async def scene(c: Client) -> None:
        status, answer = await c.post(**body)
        assert (status, answer["code"]) == (400, code)
        assert not c.fake.posts()

    play(scene)


@pytest.mark.parametrize(
    ("denied", "code"), [("send_messages", 50013), ("view_channel", 50001)], ids=["send", "view"]
)
def test_what_is_not_allowed_is_refused(denied: str, code: int) -> None:
    async def scene(c: Client) -> None:
        assert (await c.post(content="x"))[1]["code"] == code
        assert (await c.call("GET", "/users/@me", headers={"Authorization": "Bot wrong"}))[0] == 401

    play(scene, denied=(denied,))


def test_a_nonce_is_enforced_only_where_that_is_asked() -> None:
    async def scene(c: Client) -> None:
        first = (await c.post(content="a", nonce="n", enforce_nonce=True))[1]["id"]
        assert (await c.post(content="a", nonce="n", enforce_nonce=True))[1]["id"] == first
        assert (await c.post(content="a", nonce="n"))[1]["id"] != first

    play(scene)


def test_scripted_failures() -> None:
    async def scene(c: Client) -> None:
        c.fake.fail("POST", "/messages", retry_after=1.5)
        status, limited = await c.post(content="a")
        assert (status, limited["retry_after"]) == (429, 1.5)
        c.fake.fail("POST", "/messages", status=503)
        status, page = await c.post(content="a")
        assert status == 503
        assert "<html>" in page
        assert not c.fake.posts()
        c.fake.fail("POST", "/messages", lose="answer")
        with pytest.raises(aiohttp.ClientError):
            await c.post(content="a")
        assert len(c.fake.posts()) == 1

    play(scene)


@pytest.mark.parametrize("seeing", [False, True])
def test_texts_are_blanked_without_the_intent(seeing: bool) -> None:
    async def scene(c: Client) -> None:
        socket = await c.identify(GUILDS | GUILD_MESSAGES | DIRECT | (CONTENT if seeing else 0))
        await heard(socket, "GUILD_CREATE")
        ann = c.ann
        said: list[Message] = [await ann.says(c.channel, "talk")]
        assert (await heard(socket, "MESSAGE_CREATE"))["content"] == ("talk" if seeing else "")
        said.append(await ann.mentions(c.channel, "you"))
        assert (await heard(socket, "MESSAGE_CREATE"))["content"] == f"<@{c.fake.me.id}> you"
        await ann.tells("alone")
        assert (await heard(socket, "MESSAGE_CREATE"))["content"] == "alone"
        seen = await c.call("GET", f"/channels/{c.channel.id}/messages/{said[0].id}")
        assert seen[1]["content"] == ("talk" if seeing else "")

    play(scene, content=True)


def test_a_session_is_resumed_with_what_was_missed() -> None:
    async def scene(c: Client) -> None:
        socket = await c.identify(GUILDS | GUILD_MESSAGES)
        session = (await heard(socket, "READY"))["session_id"]
        await c.fake.gateway.drop()
        ann = c.ann
        await ann.mentions(c.channel, "missed")
        again = await c.session.ws_connect(f"ws://{c.fake.address}/gateway")
        await again.send_json({"op": 6, "d": {"token": c.fake.token, "session_id": session, "seq": 2}})
        assert "missed" in (await heard(again, "MESSAGE_CREATE"))["content"]
        await heard(again, "RESUMED")
        other = await c.session.ws_connect(f"ws://{c.fake.address}/gateway")
        await other.send_json({"op": 6, "d": {"token": c.fake.token, "session_id": "none", "seq": 1}})
        assert (await other.receive_json())["op"] == 10
        assert await other.receive_json() == {"op": 9, "d": False}

    play(scene)


@pytest.mark.parametrize(("token", "intents", "code"), [("wrong", 0, 4004), (None, CONTENT, 4014)])
def test_close_codes(token: str | None, intents: int, code: int) -> None:
    async def scene(c: Client) -> None:
        socket = await c.session.ws_connect(f"ws://{c.fake.address}/gateway")
        await socket.receive_json()
        await socket.send_json({"op": 2, "d": {"token": token or c.fake.token, "intents": intents}})
        await socket.receive()
        assert socket.close_code == code

    play(scene)


def test_as_a_process_with_a_journal(tmp_path: Path) -> None:
    async def whole() -> None:
        journal = tmp_path / "journal.jsonl"
        async with (
            RemoteDiscord.running("--journal", str(journal)) as fake,
            aiohttp.ClientSession(headers={"Authorization": f"Bot {fake.facts['token']}"}) as session,
        ):
            said = await fake("says", user="ann", channel="general", text="hello", mention=True)
            url = f"{fake.facts['api']}/channels/{fake.facts['channels']['general']}/messages"
            async with session.post(url, json={"content": "hi"}) as answer:
                assert answer.status == 200
            assert [post["content"] for post in (await fake("posts"))["posts"]] == ["hi"]
            state = await fake("state")
            assert (state["connected"], state["puts"], state["posts"]) == (False, 0, 1)
            with pytest.raises(AssertionError, match="no such command"):
                await fake("dances")
        written = journal.read_text("utf-8")
        assert said["id"] in written
        assert all(json.loads(line) for line in written.splitlines())

    asyncio.run(whole())
