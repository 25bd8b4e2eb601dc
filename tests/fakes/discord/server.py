"""The fake Discord itself: its people, its REST API, its control from outside."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from aiohttp import web

from tests.fakes.discord.gateway import DIRECT, GUILD_MESSAGES, REACTIONS, Gateway
from tests.fakes.discord.rest import Rest, answer
from tests.fakes.discord.world import (
    BITS,
    DM,
    EVERYTHING,
    MANAGE_GUILD,
    Channel,
    Failure,
    Guild,
    Message,
    User,
    moment,
    snowflake,
)

Json = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
EPHEMERAL, SILENT = 1 << 6, 1 << 12


class Discord:
    """A whole Discord on a loopback port, with one bot application."""

    def __init__(self, *, journal: Path | None = None, content_allowed: bool = False) -> None:
        self.token = "fake-token." + secrets.token_hex(8)
        self.me = User(snowflake(), "smallprint", bot=True)
        self.content_allowed = content_allowed
        self.users: dict[str, User] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}
        self.commands: list[Json] = []
        self.puts = 0
        self.failures: list[Failure] = []
        self.requests: list[tuple[str, str]] = []
        self.interactions: dict[str, Json] = {}  # by token: the interaction and what was answered
        self.notes: list[Json] = []
        self.gateway = Gateway(self)
        self._rest = Rest(self)
        self.address = ""
        self._journal = journal.open("a", encoding="utf-8") if journal else None
        self._runner: web.AppRunner | None = None

    # -- running

    @property
    def api(self) -> str:
        """The base address of the REST API."""
        return f"http://{self.address}/api/v10"

    async def start(self, port: int = 0) -> None:
        """Listen on a loopback port, a free one for 0."""
        app = web.Application(middlewares=[self._rest.guard])
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_post("/control", self._control)
        for method, path, handler in self._rest.routes():
            app.router.add_route(method, f"/api/v10{path}", handler)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        sockets = cast("asyncio.Server", site._server).sockets
        self.address = f"127.0.0.1:{sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Listen no more."""
        await self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._journal is not None:
            self._journal.close()

    async def __aenter__(self) -> Discord:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    def note(self, what: str, **more: Any) -> None:
        """A line of the journal."""
        line = {"what": what, "at": time.time(), **more}
        self.notes.append(line)
        if self._journal is not None:
            self._journal.write(json.dumps(line) + "\n")
            self._journal.flush()

    async def until(self, holds: Callable[[], object], within: float = 10.0) -> None:
        """Wait until something holds. Raises TimeoutError."""
        async with asyncio.timeout(within):
            while not holds():
                await asyncio.sleep(0.01)

    # -- the world

    def user(self, name: str, *, locale: str = "en-US", admin: bool = False) -> User:
        """A new person."""
        found = User(snowflake(), name, locale=locale, admin=admin)
        self.users[found.id] = found
        return found

    def guild(self, name: str, owner: User, *, locale: str = "en-US") -> Guild:
        """A new server, before the bot connects."""
        found = Guild(snowflake(), name, owner, locale)
        self.guilds[found.id] = found
        return found

    def channel(self, guild: Guild, name: str, *, denied: tuple[str, ...] = ()) -> Channel:
        """A new text channel, before the bot connects."""
        found = Channel(snowflake(), name, guild, denied=set(denied))
        guild.channels[found.id] = self.channels[found.id] = found
        return found

    def direct(self, user: User) -> Channel:
        """The direct conversation of a person with the bot."""
        for one in self.channels.values():
            if one.recipient is user:
                return one
        found = Channel(snowflake(), "", type=DM, recipient=user)
        self.channels[found.id] = found
        return found

    def posts(self, channel: Channel | None = None) -> list[Message]:
        """What the bot has posted: in a channel and its threads, or everywhere."""
        return [
            message
            for one in self.channels.values()
            if channel is None or one is channel or one.parent is channel
            for message in one.messages.values()
            if message.author is self.me
        ]

    def ready(self, session: str) -> Json:
        """The READY event."""
        return {
            "v": 10,
            "user": self.me.json(),
            "guilds": [{"id": one, "unavailable": True} for one in self.guilds],
            "session_id": session,
            "resume_gateway_url": f"ws://{self.address}/gateway",
            "application": {"id": self.me.id, "flags": 0},
            "shard": [0, 1],
        }

    # -- what people do

    async def says(
        self, user: User, channel: Channel, text: str, *, mention: bool = False, reply: Message | None = None
    ) -> Message:
        """A person writes a message."""
        mentions = [self.me] if mention or (reply is not None and reply.author is self.me) else []
        content = f"<@{self.me.id}> {text}".strip() if mention else text
        message = Message(snowflake(), channel.id, user, content, mentions, reply)
        channel.messages[message.id] = message
        self.note("said", id=message.id, channel=channel.id, author=user.id)
        await self.tell("MESSAGE_CREATE", message, channel)
        return message

    async def edits(self, message: Message, text: str) -> None:
        """A person changes what a message says."""
        message.content, message.edited = text, moment()
        await self.tell("MESSAGE_UPDATE", message, self.channels[message.channel])

    async def previews(self, message: Message) -> None:
        """An embed of a link arrives; nobody edited anything."""
        message.embeds = [{"type": "link", "url": "https://example.com", "title": "a page"}]
        await self.tell("MESSAGE_UPDATE", message, self.channels[message.channel])

    async def deletes(self, message: Message) -> None:
        """A person deletes a message."""
        channel = self.channels[message.channel]
        channel.messages.pop(message.id)
        data = {"id": message.id, "channel_id": channel.id, **guild_of(channel)}
        await self.gateway.tell("MESSAGE_DELETE", data, intent_of(channel))

    async def reacts(self, user: User, message: Message, emoji: str) -> None:
        """A person puts a sign on a message."""
        channel = self.channels[message.channel]
        data = {
            "user_id": user.id,
            "message_id": message.id,
            "message_author_id": message.author.id,
            "channel_id": channel.id,
            "emoji": {"id": None, "name": emoji},
            "burst": False,
            "type": 0,
            **guild_of(channel),
        }
        await self.gateway.tell("MESSAGE_REACTION_ADD", data, REACTIONS)

    async def tell(self, event: str, message: Message, channel: Channel) -> None:
        """Tell the bot of a message."""
        guild = channel.guild.id if channel.guild else None
        data = message.json(guild)
        await self.gateway.tell(event, data, intent_of(channel))

    async def interacts(self, user: User, channel: Channel, kind: int, data: Json, **more: Any) -> str:
        """A person uses a command (2), a component (3), a suggestion (4) or a form (5); the token."""
        token = secrets.token_hex(12)
        permissions = EVERYTHING | (MANAGE_GUILD if user.admin else 0)
        body: Json = {
            "id": snowflake(),
            "application_id": self.me.id,
            "type": kind,
            "token": token,
            "version": 1,
            "channel_id": channel.id,
            "channel": channel.json(),
            "data": data,
            "locale": user.locale,
            "app_permissions": str(EVERYTHING - sum_of(channel)),
            "entitlements": [],
            "authorizing_integration_owners": {"0": channel.guild.id if channel.guild else "0"},
            "context": 0 if channel.guild else 1,
            "attachment_size_limit": 10 << 20,
            **more,
        }
        if channel.guild:
            member: Json = {
                "user": user.json(),
                "roles": [],
                "joined_at": moment(user.id),
                "permissions": str(permissions),
            }
            member |= {"deaf": False, "mute": False, "flags": 0, "nick": None, "avatar": None}
            body |= {"guild_id": channel.guild.id, "guild_locale": channel.guild.locale, "member": member}
        else:
            body["user"] = user.json()
        self.interactions[token] = {
            "id": body["id"],
            "channel": channel,
            "answers": [],
            "began": time.monotonic(),
        }
        await self.gateway.tell("INTERACTION_CREATE", body)
        return token

    async def uses(self, user: User, channel: Channel, name: str, **options: Any) -> str:
        """`/smallprint NAME`, with options."""
        root = next(one for one in self.commands if one["name"] == "smallprint")
        known = next(one for one in root["options"] if one["name"] == name)
        types = {one["name"]: one["type"] for one in known.get("options", ())}
        given = [{"name": key, "type": types[key], "value": value} for key, value in options.items()]
        inner = {"type": 1, "name": name, "options": given}
        return await self.interacts(
            user, channel, 2, {"id": root["id"], "name": "smallprint", "type": 1, "options": [inner]}
        )

    async def presses(self, user: User, message: Message, name: str, values: list[str] | None = None) -> str:
        """A button or menu whose custom_id has `name` in it."""
        items = [item for row in message.components for item in row["components"]]
        item = next(one for one in items if f":{name}:" in one["custom_id"])
        channel = self.channels[message.channel]
        data = {"custom_id": item["custom_id"], "component_type": item["type"]}
        if values is not None:
            data["values"] = values
        guild = channel.guild.id if channel.guild else None
        return await self.interacts(user, channel, 3, data, message=message.json(guild))

    async def answered(self, token: str, count: int = 1) -> list[Json]:
        """What an interaction was answered with, once there are so many messages."""
        found = self.interactions[token]["answers"]
        await self.until(lambda: len(found) >= count)
        return cast("list[Json]", found)

    # -- control from another process

    async def _control(self, request: web.Request) -> web.Response:
        """One thing that a person does, or a look: {"do": …}. For tests that start the bot as a process."""
        body = await request.json()
        match body["do"]:
            case "says":
                user, channel = self.users[body["user"]], self.channels[body["channel"]]
                message = await self.says(user, channel, body["text"], mention=bool(body.get("mention")))
                return answer({"id": message.id})
            case "posts":
                return answer([post.json(None) for post in self.posts()])
            case "fail":
                self.failures.append(Failure(**body["failure"]))
            case "drop":
                await self.gateway.drop()
            case "state":
                connected = any(session.socket is not None for session in self.gateway.sessions.values())
                return answer({"connected": connected, "puts": self.puts, "posts": len(self.posts())})
            case unknown:
                return answer({"problem": f"unknown: {unknown}"}, 400)
        return answer({})


def guild_of(channel: Channel) -> Json:
    """The guild's ID, where there is one."""
    return {"guild_id": channel.guild.id} if channel.guild else {}


def intent_of(channel: Channel) -> int:
    """The intent that a channel's messages need."""
    return GUILD_MESSAGES if channel.guild else DIRECT


def sum_of(channel: Channel) -> int:
    """The bits of what the bot may not do."""
    return sum(BITS[name] for name in (channel.parent or channel).denied)
