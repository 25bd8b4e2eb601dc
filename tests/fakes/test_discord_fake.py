"""The fake Discord by itself: what it refuses, what it hides, what it tells again."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from tests.fakes.discord import Channel, Discord, Message, User, commands, limits
from tests.fakes.discord.gateway import CONTENT, DIRECT, GUILD_MESSAGES, GUILDS

Scene = Callable[["Client"], Awaitable[None]]


class Client:
    """The barest client of a fake."""

    def __init__(self, fake: Discord, session: aiohttp.ClientSession, ann: User, channel: Channel) -> None:
        self.fake, self.session, self.ann, self.channel = fake, session, ann, channel
        self.headers = {"Authorization": f"Bot {fake.token}"}
        self.messages = f"/channels/{channel.id}/messages"

    async def call(self, method: str, path: str, **more: Any) -> tuple[int, Any]:
        """A call of the REST API: status and body."""
        headers = {**self.headers, **more.pop("headers", {})}
        async with self.session.request(method, self.fake.api + path, headers=headers, **more) as answer:
            body = await answer.text()
            kind = answer.headers.get("Content-Type")
            return answer.status, json.loads(body) if kind == "application/json" else body

    async def post(self, **body: Any) -> tuple[int, Any]:
        """Post a message."""
        return await self.call("POST", self.messages, json=body)

    async def put(self, *listed: dict[str, Any]) -> tuple[int, Any]:
        """Send the list of commands."""
        return await self.call("PUT", f"/applications/{self.fake.me.id}/commands", json=listed)

    async def opened(self, query: str = "") -> aiohttp.ClientWebSocketResponse:
        """The gateway, before anything was said."""
        socket = await self.session.ws_connect(f"{self.fake.gateway_url}{query}")
        if not query:
            assert (await socket.receive_json())["op"] == 10
        return socket

    async def identify(self, intents: int, **more: Any) -> aiohttp.ClientWebSocketResponse:
        """The gateway, identified."""
        socket = await self.opened()
        await socket.send_json({"op": 2, "d": {"token": self.fake.token, "intents": intents, **more}})
        return socket


async def heard(socket: aiohttp.ClientWebSocketResponse, event: str) -> Any:
    """The next event of a kind."""
    async with asyncio.timeout(5):
        while (told := await socket.receive_json()).get("t") != event:
            pass
    return told["d"]


def play(scene: Scene, *, denied: tuple[str, ...] = (), **how: Any) -> None:
    """A scene with a client and one channel."""

    async def whole() -> None:
        async with Discord(**how) as fake, aiohttp.ClientSession() as session, asyncio.timeout(20):
            ann = fake.user("ann")
            channel = fake.channel(fake.guild("Acme", ann), "general", denied=denied)
            await scene(Client(fake, session, ann, channel))

    asyncio.run(whole())


# -- what is refused


def button(**more: Any) -> dict[str, Any]:
    """A message with one button."""
    return row({"type": 2, "style": 1, "label": "Go", "custom_id": "go", **more})


def row(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A message with a row of components."""
    return {"content": "x", "components": [{"type": 1, "components": list(items)}], **more}


def menu(*values: str, **more: Any) -> dict[str, Any]:
    """A message with a menu."""
    options = [{"label": value or "none", "value": value} for value in values]
    return row({"type": 3, "custom_id": "which", "options": options, **more})


FIELD = {"name": "n", "value": "v"}


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"content": "x" * 2001}, "content"),
        ({"content": "x", "nonce": "n" * 26}, "nonce"),
        ({"content": "x", "flags": limits.EPHEMERAL}, "flags"),
        ({"content": "x", "flags": limits.COMPONENTS_V2}, "flags"),
        ({"content": "x", "allowed_mentions": {"parse": ["all"]}}, "allowed_mentions.parse"),
        (
            {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
            "allowed_mentions.users",
        ),
        ({"embeds": [{"title": "x" * 257}]}, "embeds.0.title"),
        ({"embeds": [{"description": "x" * 4097}]}, "embeds.0.description"),
        ({"embeds": [{"description": "\N{GRINNING FACE}" * 2049}]}, "embeds.0.description"),
        ({"embeds": [{"description": "x" * 3500}, {"description": "x" * 2501}]}, "embeds"),
        ({"embeds": [{"footer": {"text": "x" * 2049}}]}, "embeds.0.footer.text"),
        ({"embeds": [{"author": {"name": "x" * 257}}]}, "embeds.0.author.name"),
        ({"embeds": [{"fields": [FIELD] * 26}]}, "embeds.0.fields"),
        ({"embeds": [{"fields": [{"name": "", "value": "v"}]}]}, "embeds.0.fields.0.name"),
        ({"embeds": [{"fields": [{"name": "n", "value": "x" * 1025}]}]}, "embeds.0.fields.0.value"),
        ({"embeds": [{"title": "x"}] * 11}, "embeds"),
        (row(), "components.0"),
        (button(label="x" * 81), "components.0.components.0.label"),
        (button(label=""), "components.0.components.0"),
        (button(custom_id="x" * 101), "components.custom_id"),
        (button(url="https://example.com"), "components.0.components.0"),
        (button(style=9), "components.0.components.0.style"),
        (row(*button()["components"][0]["components"] * 2), "components"),
        (
            row(*[{"type": 2, "style": 1, "label": "x", "custom_id": str(n)} for n in range(6)]),
            "components.0",
        ),
        (menu(), "components.0.components.0.options"),
        (menu(*map(str, range(26))), "components.0.components.0.options"),
        (menu("a", "a"), "components.0.components.0.options"),
        (menu("a", ""), "components.0.components.0.options.1.value"),
        (menu("a", placeholder="x" * 151), "components.0.components.0.placeholder"),
        ({"content": "x", "components": [{"type": 10, "content": "x"}]}, "components.0.type"),
    ],
)
def test_what_breaks_a_rule_is_refused_at_its_path_and_an_offence(body: dict[str, Any], path: str) -> None:
    async def scene(c: Client) -> None:
        status, answer = await c.post(**body)
        assert (status, answer["code"]) == (400, 50035)
        found = answer["errors"]
        for step in path.split("."):
            found = found[step]
        assert found["_errors"]
        assert [f"50035 {path}" in one for one in c.fake.offences] == [True]
        assert not c.fake.posts()

    play(scene)


@pytest.mark.parametrize(
    "body",
    [
        {"content": "x" * 2000, "flags": limits.SILENT | limits.SUPPRESS_EMBEDS},
        {"embeds": [{"description": "x" * 4096, "footer": {"text": "y" * 1904}}]},
        row(*[{"type": 2, "style": 1, "label": "x" * 80, "custom_id": str(n)} for n in range(5)]),
        menu(*map(str, range(25)), max_values=25),
        {"flags": limits.COMPONENTS_V2, "components": [{"type": 10, "content": "x" * 4000}]},
    ],
    ids=["text", "embed", "buttons", "menu", "components v2"],
)
def test_what_just_keeps_the_limits_is_taken(body: dict[str, Any]) -> None:
    async def scene(c: Client) -> None:
        assert (await c.post(**body))[0] == 200
        assert c.fake.offences == []

    play(scene)


def test_an_empty_message_is_refused() -> None:
    async def scene(c: Client) -> None:
        assert (await c.post(content=" "))[1]["code"] == 50006

    play(scene)


@pytest.mark.parametrize(
    ("denied", "code"), [("send_messages", 50013), ("view_channel", 50001)], ids=["send", "view"]
)
def test_what_is_not_allowed_is_refused_and_no_offence(denied: str, code: int) -> None:
    async def scene(c: Client) -> None:
        assert (await c.post(content="x"))[1]["code"] == code
        assert c.fake.offences == []
        await c.fake.permits(c.channel)
        assert (await c.post(content="x"))[0] == 200

    play(scene, denied=(denied,))


def test_rights_of_other_calls() -> None:
    async def scene(c: Client) -> None:
        said = await c.ann.says(c.channel, "x")
        one = f"{c.messages}/{said.id}"
        assert (await c.call("GET", "/users/@me", headers={"Authorization": "Bot wrong"}))[0] == 401
        assert (await c.call("GET", f"{c.messages}/1"))[1]["code"] == 10008
        assert (await c.call("GET", "/channels/1"))[1]["code"] == 10003
        assert (await c.call("PATCH", one, json={"content": "y"}))[1]["code"] == 50005
        assert (await c.call("DELETE", one))[1]["code"] == 50013
        assert (await c.call("POST", f"{one}/threads", json={"name": "x"}))[1]["code"] == 50013
        assert (await c.post(embeds=[{"title": "x"}]))[1]["embeds"] == []
        assert (await c.call("GET", "/nowhere"))[0] == 404
        assert len(c.fake.offences) == 3

    play(scene, denied=("create_public_threads", "embed_links"))


def test_a_body_needs_the_content_type_of_json() -> None:
    async def scene(c: Client) -> None:
        for kind in ("text/plain", "application/json; charset=utf-8"):
            status, answer = await c.call(
                "POST", c.messages, data=b'{"content": "x"}', headers={"Content-Type": kind}
            )
            assert (status, answer["code"]) == (400, 50035)

    play(scene)


def test_a_thread_stands_at_its_message_once() -> None:
    async def scene(c: Client) -> None:
        said = await c.ann.says(c.channel, "x")
        path = f"{c.messages}/{said.id}/threads"
        assert (await c.call("POST", path, json={"name": ""}))[1]["code"] == 50035
        wrong = {"name": "x", "auto_archive_duration": 7}
        assert (await c.call("POST", path, json=wrong))[1]["code"] == 50035
        status, thread = await c.call("POST", path, json={"name": "x", "auto_archive_duration": 60})
        assert (status, thread["id"], thread["parent_id"]) == (201, said.id, c.channel.id)
        assert (await c.call("POST", path, json={"name": "x"}))[1]["code"] == 160004
        await c.call("POST", f"/channels/{said.id}/messages", json={"content": "in it"})
        assert [post.content for post in c.fake.replies(said)] == ["in it"]

    play(scene)


# -- messages


def test_a_nonce_is_enforced_only_where_that_is_asked_and_while_its_message_stands() -> None:
    async def scene(c: Client) -> None:
        first = (await c.post(content="a", nonce="n", enforce_nonce=True))[1]["id"]
        assert (await c.post(content="b", nonce="n", enforce_nonce=True))[1]["id"] == first
        assert [post.content for post in c.fake.posts()] == ["a"]
        assert (await c.post(content="a", nonce="n"))[1]["id"] != first
        await c.call("DELETE", f"{c.messages}/{c.fake.posts()[-1].id}")
        assert (await c.post(content="a", nonce="n", enforce_nonce=True))[1]["id"] != first

    play(scene)


def test_whom_a_post_makes_ring() -> None:
    async def scene(c: Client) -> None:
        said = await c.ann.says(c.channel, "x")
        about = {"message_reference": {"message_id": said.id}, "content": f"{c.ann.mention} @everyone"}
        none = {"parse": [], "replied_user": False}
        for more in ({}, {"allowed_mentions": none}, {"allowed_mentions": {"parse": ["everyone"]}}):
            assert (await c.post(**about, **more))[0] == 200
        ann = c.ann.mention
        assert [post.pings for post in c.fake.posts()] == [[ann, "@everyone", ann], [], ["@everyone"]]
        assert c.fake.reply_counts() == {said.id: 3}

    play(scene)


def test_history_goes_around_before_and_after() -> None:
    async def scene(c: Client) -> None:
        said = [await c.ann.mentions(c.channel, str(n)) for n in range(6)]

        async def ids(query: str) -> list[int]:
            found = (await c.call("GET", f"{c.messages}?{query}"))[1]
            return [int(one["content"].split()[1]) for one in found]

        assert await ids("limit=2") == [5, 4]
        assert await ids(f"after={said[1].id}&limit=2") == [3, 2]
        assert await ids(f"before={said[2].id}") == [1, 0]
        assert await ids(f"around={said[3].id}&limit=3") == [4, 3, 2]
        assert (await c.call("GET", f"{c.messages}?limit=101"))[1]["code"] == 50035

    play(scene)


@pytest.mark.parametrize("seeing", [False, True])
def test_texts_are_blanked_without_the_intent(seeing: bool) -> None:
    async def scene(c: Client) -> None:
        socket = await c.identify(GUILDS | GUILD_MESSAGES | DIRECT | (CONTENT if seeing else 0))
        await heard(socket, "GUILD_CREATE")
        said: Message = await c.ann.says(c.channel, "talk")
        assert (await heard(socket, "MESSAGE_CREATE"))["content"] == ("talk" if seeing else "")
        await c.ann.mentions(c.channel, "you", reply_to=said)
        told = await heard(socket, "MESSAGE_CREATE")
        assert told["content"] == f"<@{c.fake.me.id}> you"
        assert told["referenced_message"]["content"] == "talk"
        await c.ann.tells("alone")
        assert (await heard(socket, "MESSAGE_CREATE"))["content"] == "alone"
        assert (await c.call("GET", f"{c.messages}/{said.id}"))[1]["content"] == ("talk" if seeing else "")
        await c.fake.previews(said)
        assert (await heard(socket, "MESSAGE_UPDATE"))["edited_timestamp"] is None

    play(scene, content_allowed=True)


# -- failures on purpose


def test_calls_go_wrong_on_purpose() -> None:
    async def scene(c: Client) -> None:
        for how in ({"retry_after": 1.5}, {"status": 503}, {"status": 403, "code": 50013}):
            c.fake.fail("POST", "/messages", **how)
        c.fake.fail("POST", "/messages", lose="request")
        c.fake.fail("POST", "/messages", lose="answer")
        status, limited = await c.post(content="a")
        assert (status, limited["retry_after"]) == (429, 1.5)
        assert "<html>" in (await c.post(content="a"))[1]
        assert (await c.post(content="a"))[1]["code"] == 50013
        for there in (0, 1):
            with pytest.raises(aiohttp.ClientError):
                await c.post(content="a")
            assert len(c.fake.posts()) == there

    play(scene)


def test_rate_limits_are_those_of_discord() -> None:
    async def scene(c: Client) -> None:
        answers = [await c.post(content=str(n)) for n in range(6)]
        assert [status for status, _ in answers] == [200] * 5 + [429]
        assert 4 < answers[-1][1]["retry_after"] <= 5
        calls = [(await c.call("GET", "/users/@me"))[1].get("global") for _ in range(60)]
        assert True in calls

    play(scene, rate_limits=True)


# -- the gateway


def test_a_session_is_resumed_with_what_was_missed() -> None:
    async def scene(c: Client) -> None:
        socket = await c.identify(GUILDS | GUILD_MESSAGES)
        session = (await heard(socket, "READY"))["session_id"]
        await heard(socket, "GUILD_CREATE")
        await c.fake.gateway.drop()
        await c.ann.mentions(c.channel, "missed")
        again = await c.opened()
        resume = {"token": c.fake.token, "session_id": session, "seq": 2}
        await again.send_json({"op": 6, "d": resume})
        assert "missed" in (await heard(again, "MESSAGE_CREATE"))["content"]
        await heard(again, "RESUMED")
        other = await c.opened()
        await other.send_json({"op": 6, "d": {**resume, "session_id": "none"}})
        assert await other.receive_json() == {"op": 9, "d": False}

    play(scene)


def test_a_session_that_its_client_ended_is_over() -> None:
    async def scene(c: Client) -> None:
        socket = await c.identify(GUILDS)
        await heard(socket, "READY")
        await socket.close()
        await c.fake.until(lambda: not c.fake.gateway.sessions)

    play(scene)


@pytest.mark.parametrize(
    ("sent", "code", "offences"),
    [
        ({"op": 2, "d": {"token": "wrong", "intents": 0}}, 4004, 0),
        ({"op": 2, "d": {"token": None, "intents": CONTENT}}, 4014, 0),
        ({"op": 2, "d": {"token": None, "intents": 1 << 40}}, 4013, 1),
        ({"op": 2, "d": {"token": None, "intents": 0, "shard": [1, 1]}}, 4010, 1),
        ({"op": 8, "d": {}}, 4003, 1),
        ("nonsense", 4002, 1),
    ],
)
def test_close_codes(sent: Any, code: int, offences: int) -> None:
    async def scene(c: Client) -> None:
        socket = await c.opened()
        if isinstance(sent, dict) and sent["d"].get("token", "") is None:
            sent["d"]["token"] = c.fake.token
        await socket.send_str(json.dumps(sent) if isinstance(sent, dict) else sent)
        await socket.receive()
        assert socket.close_code == code
        assert len(c.fake.offences) == offences

    play(scene)


def test_the_stream_is_compressed_where_that_is_asked() -> None:
    async def scene(c: Client) -> None:
        socket = await c.opened("?v=10&encoding=json&compress=zlib-stream")
        inflate = zlib.decompressobj()
        assert json.loads(inflate.decompress(await socket.receive_bytes()))["op"] == 10
        await socket.send_json({"op": 1, "d": None})
        assert json.loads(inflate.decompress(await socket.receive_bytes())) == {"op": 11}

    play(scene)


def test_a_shard_hears_of_its_own_guilds() -> None:
    async def scene(c: Client) -> None:
        assert (await c.call("GET", "/gateway/bot"))[1]["shards"] == 2
        mine = (int(c.fake.guilds[c.channel.guild_id or ""].id) >> 22) % 2
        sockets = [await c.identify(GUILDS | GUILD_MESSAGES | DIRECT, shard=[n, 2]) for n in range(2)]
        for socket in sockets:
            await heard(socket, "READY")
        await c.ann.mentions(c.channel, "in the guild")
        assert "in the guild" in (await heard(sockets[mine], "MESSAGE_CREATE"))["content"]
        await c.ann.tells("alone")
        assert (await heard(sockets[0], "MESSAGE_CREATE"))["content"] == "alone"

    play(scene, shards=2)


# -- commands


def command(**more: Any) -> dict[str, Any]:
    """A slash command."""
    return {"type": 1, "name": "check", "description": "Check it", **more}


def option(**more: Any) -> dict[str, Any]:
    """An option of one."""
    return {"type": 3, "name": "text", "description": "What", **more}


LONG = {"de": "x" * 101}


@pytest.mark.parametrize(
    "listed",
    [
        [command(name="Check")],
        [command(name="x" * 33)],
        [command(name="two words")],
        [command(description="")],
        [command(description_localizations=LONG)],
        [command(name_localizations={"xx": "check"})],
        [command(), command()],
        [command(options=[option(), option()])],
        [command(options=[option(), option(name="must", required=True)])],
        [command(options=[option(choices=[{"name": "n", "value": "x" * 101}])])],
        [command(options=[option(autocomplete=True, choices=[{"name": "n", "value": "v"}])])],
        [command(options=[option(name=f"o{n}") for n in range(26)])],
        [command(options=[option(type=1), option(name="other")])],
        [command(options=[option(name=f"o{n}", description="x" * 100) for n in range(25)]) | {"x": 1}] * 2,
        [command(contexts=[9])],
        [{"type": 3, "name": "Check", "description": "none allowed"}],
        [{"type": 3, "name": f"m{n}"} for n in range(16)],
    ],
)
def test_commands_that_break_a_rule_are_refused_together(listed: list[dict[str, Any]]) -> None:
    async def scene(c: Client) -> None:
        assert (await c.put(*listed))[1]["code"] == 50035
        assert c.fake.commands == []

    play(scene)


def test_commands_are_listed_as_they_were_sent_and_keep_their_ids() -> None:
    async def scene(c: Client) -> None:
        sent = command(name_localizations={"de": "prüfen"}, options=[option()])
        first = (await c.put(sent, {"type": 3, "name": "Check claims"}))[1]
        path = f"/applications/{c.fake.me.id}/commands"
        assert "name_localizations" not in (await c.call("GET", path))[1][0]
        whole = (await c.call("GET", f"{path}?with_localizations=true"))[1]
        assert whole[0]["name_localizations"] == {"de": "prüfen"}
        assert (await c.put(sent))[1][0]["id"] == first[0]["id"]
        assert commands.size(sent) == len("check") + 1 + len("Check it") + len("text") + len("What")

    play(scene)
