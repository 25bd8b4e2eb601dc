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

from tests.fakes.discord import checks
from tests.fakes.discord.gateway import CONTENT, DIRECT, GUILD_MESSAGES, REACTIONS, Gateway
from tests.fakes.discord.world import (
    BITS,
    DM,
    EVERYTHING,
    MANAGE_GUILD,
    PUBLIC_THREAD,
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


class RefusalError(Exception):
    """An answer with one of Discord's JSON error codes."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status, self.body = status, {"code": code, "message": message}


def answer(body: object, status: int = 200, **headers: str) -> web.Response:
    """JSON whose content type is just `application/json`, as Discord's is."""
    found = {"Content-Type": "application/json", "Via": "1.1 google", **headers}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=found)


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
        app = web.Application(middlewares=[self._guard])
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_post("/control", self._control)
        for method, path, handler in self._routes():
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
        await self._tell("MESSAGE_CREATE", message, channel)
        return message

    async def edits(self, message: Message, text: str) -> None:
        """A person changes what a message says."""
        message.content, message.edited = text, moment()
        await self._tell("MESSAGE_UPDATE", message, self.channels[message.channel])

    async def previews(self, message: Message) -> None:
        """An embed of a link arrives; nobody edited anything."""
        message.embeds = [{"type": "link", "url": "https://example.com", "title": "a page"}]
        await self._tell("MESSAGE_UPDATE", message, self.channels[message.channel])

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

    async def _tell(self, event: str, message: Message, channel: Channel) -> None:
        guild = channel.guild.id if channel.guild else None
        data = message.json(guild)
        if event == "MESSAGE_CREATE":
            self.note("said", id=message.id, channel=channel.id, author=message.author.id)
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

    # -- REST

    def _routes(self) -> list[tuple[str, str, Handler]]:
        message = "/channels/{channel}/messages/{message}"
        hook = "/webhooks/{app}/{token}"
        return [
            ("GET", "/gateway/bot", self._gateway_bot),
            ("GET", "/users/@me", self._me),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/applications/@me", self._application),
            ("GET", "/applications/{app}/commands", self._get_commands),
            ("PUT", "/applications/{app}/commands", self._put_commands),
            ("GET", "/channels/{channel}", self._get_channel),
            ("GET", "/channels/{channel}/messages", self._history),
            ("POST", "/channels/{channel}/messages", self._post),
            ("GET", message, self._get_message),
            ("PATCH", message, self._patch),
            ("DELETE", message, self._delete),
            ("POST", f"{message}/threads", self._thread),
            ("POST", "/interactions/{id}/{token}/callback", self._callback),
            ("POST", hook, self._follow_up),
            ("PATCH", f"{hook}/messages/{{message}}", self._edit_follow_up),
        ]

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """The token, scripted failures, and errors as Discord writes them."""
        path = request.path.removeprefix("/api/v10")
        if not request.path.startswith("/api/"):
            return await handler(request)
        self.requests.append((request.method, path))
        public = path.startswith(("/interactions/", "/webhooks/"))
        if not public and request.headers.get("Authorization") != f"Bot {self.token}":
            return answer({"code": 0, "message": "401: Unauthorized"}, 401)
        failure = self._failure(request.method, path)
        if failure is not None and failure.kind == "429":
            self.note("limited", path=path)
            body = {"message": "You are being rate limited.", "retry_after": failure.after, "global": False}
            return answer(body, 429, **{"Retry-After": str(failure.after)})
        if failure is not None and failure.kind == "status":
            return web.Response(
                status=failure.status, text="<html>Bad Gateway</html>", content_type="text/html"
            )
        try:
            found = await handler(request)
        except RefusalError as refusal:
            return answer(refusal.body, refusal.status)
        if failure is not None and request.transport is not None:
            request.transport.abort()
        return found

    def _failure(self, method: str, path: str) -> Failure | None:
        for failure in self.failures:
            if failure.times > 0 and failure.method == method and failure.path in path:
                failure.times -= 1
                return failure
        return None

    async def _gateway_bot(self, request: web.Request) -> web.Response:
        limits = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        url = f"ws://{self.address}/gateway"
        return answer({"url": url, "shards": 1, "session_start_limit": limits})

    async def _me(self, request: web.Request) -> web.Response:
        return answer(self.me.json())

    async def _application(self, request: web.Request) -> web.Response:
        return answer(
            {
                "id": self.me.id,
                "name": "smallprint",
                "icon": None,
                "description": "",
                "bot_public": True,
                "bot_require_code_grant": False,
                "verify_key": "0",
                "flags": (1 << 19) if self.content_allowed else 0,
                "owner": self.me.json(),
                "team": None,
            }
        )

    async def _get_commands(self, request: web.Request) -> web.Response:
        localised = request.query.get("with_localizations") == "true"
        return answer(self.commands if localised else [without_localisations(one) for one in self.commands])

    async def _put_commands(self, request: web.Request) -> web.Response:
        assert request.content_type == "application/json"
        self.puts += 1
        self.commands = [
            {"description": "", **one, "id": snowflake(), "application_id": self.me.id, "version": "1"}
            for one in await request.json()
        ]
        self.note("commands", names=[one["name"] for one in self.commands])
        return answer(self.commands)

    def _channel(self, request: web.Request, *needed: str) -> Channel:
        found = self.channels.get(request.match_info["channel"])
        if found is None:
            raise RefusalError(404, 10003, "Unknown Channel")
        if found.lacks("view_channel"):
            raise RefusalError(403, 50001, "Missing Access")
        for permission in needed:
            if found.lacks(permission):
                raise RefusalError(403, 50013, "Missing Permissions")
        return found

    def _message(self, request: web.Request, channel: Channel) -> Message:
        found = channel.messages.get(request.match_info["message"])
        if found is None:
            raise RefusalError(404, 10008, "Unknown Message")
        return found

    async def _get_channel(self, request: web.Request) -> web.Response:
        return answer(self._channel(request).json())

    async def _history(self, request: web.Request) -> web.Response:
        channel = self._channel(request, "read_message_history")
        found = sorted(channel.messages.values(), key=lambda one: int(one.id), reverse=True)
        limit = int(request.query.get("limit", 50))
        if after := request.query.get("after"):
            found = [one for one in found if int(one.id) > int(after)][-limit:]
        if before := request.query.get("before"):
            found = [one for one in found if int(one.id) < int(before)]
        return answer([self._seen(one, channel) for one in found[:limit]])

    def _seen(self, message: Message, channel: Channel) -> Json:
        """A message as the bot may read it."""
        guild = channel.guild.id if channel.guild else None
        data = message.json(guild)
        session = self.gateway.session
        if session is not None and guild is not None and not session.intents & CONTENT:
            return self.gateway.blanked(data, session)
        return data

    async def _get_message(self, request: web.Request) -> web.Response:
        channel = self._channel(request, "read_message_history")
        return answer(self._seen(self._message(request, channel), channel))

    async def _body(self, request: web.Request) -> tuple[Json, list[tuple[str, bytes]]]:
        """A message's body and its files; JSON or a form, told by the content type."""
        if request.content_type == "application/json":
            return await request.json(), []
        if request.content_type != "multipart/form-data":
            raise RefusalError(400, 50035, f"content type {request.content_type}")
        form = await request.post()
        files = [
            (part.filename, part.file.read()) for part in form.values() if isinstance(part, web.FileField)
        ]
        return json.loads(str(form["payload_json"])), files

    def _checked(self, body: Json, files: list[tuple[str, bytes]]) -> None:
        if faults := checks.faults(body):
            raise RefusalError(400, 50035, f"Invalid Form Body: {', '.join(faults)}")
        if checks.empty(body, len(files)):
            raise RefusalError(400, 50006, "Cannot send an empty message")

    async def _post(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        if channel.lacks("send_messages_in_threads" if channel.parent else "send_messages"):
            raise RefusalError(403, 50013, "Missing Permissions")
        body, files = await self._body(request)
        self._checked(body, files)
        nonce = str(body.get("nonce") or "")
        if body.get("enforce_nonce") and nonce in channel.nonces:
            # developers/resources/message.mdx: the message that was made with it, and no other.
            return answer(self._seen(channel.messages[channel.nonces[nonce]], channel))
        message = self._made(channel, body, files)
        if nonce:
            channel.nonces[nonce] = message.id
        self.note(
            "posted",
            id=message.id,
            channel=channel.id,
            source=message.reference.id if message.reference else channel.id if channel.parent else None,
            nonce=nonce or None,
            content=message.content,
            flags=message.flags,
            allowed_mentions=body.get("allowed_mentions"),
        )
        await self._tell("MESSAGE_CREATE", message, channel)
        return answer(self._seen(message, channel))

    def _made(self, channel: Channel, body: Json, files: list[tuple[str, bytes]]) -> Message:
        reference = (body.get("message_reference") or {}).get("message_id")
        message = Message(
            snowflake(),
            channel.id,
            self.me,
            str(body.get("content") or ""),
            reference=channel.messages.get(str(reference)) if reference else None,
            embeds=[]
            if channel.lacks("embed_links")
            else [{"type": "rich", **one} for one in body.get("embeds") or []],
            components=numbered(body.get("components") or []),
            flags=int(body.get("flags") or 0),
            nonce=body.get("nonce"),
            raw=body,
        )
        for n, (name, data) in enumerate(files):
            about: Json = next((one for one in body.get("attachments") or [] if int(one["id"]) == n), {})
            message.attachments.append(
                {
                    "id": snowflake(),
                    "filename": name,
                    "size": len(data),
                    "description": about.get("description"),
                    "url": "https://cdn.invalid/a",
                    "proxy_url": "https://cdn.invalid/a",
                }
            )
        channel.messages[message.id] = message
        return message

    def _change(self, message: Message, body: Json) -> None:
        self._checked({"content": message.content, "embeds": message.embeds, **body}, [])
        message.content = str(body.get("content", message.content) or "")
        message.embeds = [{"type": "rich", **one} for one in body.get("embeds", message.embeds) or []]
        message.components = numbered(body.get("components", message.components) or [])
        message.edited, message.raw = moment(), body

    async def _patch(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        message = self._message(request, channel)
        if message.author is not self.me:
            raise RefusalError(403, 50005, "Cannot edit a message authored by another user")
        body, _ = await self._body(request)
        self._change(message, body)
        self.note("edited", id=message.id, channel=channel.id, content=message.content)
        await self._tell("MESSAGE_UPDATE", message, channel)
        return answer(self._seen(message, channel))

    async def _delete(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        message = self._message(request, channel)
        self.note("deleted", id=message.id, channel=channel.id)
        await self.deletes(message)
        return web.Response(status=204)

    async def _thread(self, request: web.Request) -> web.Response:
        channel = self._channel(request, "create_public_threads")
        message = self._message(request, channel)
        if message.id in self.channels:
            raise RefusalError(400, 160004, "A thread has already been created for this message")
        body = await request.json()
        if not 1 <= len(body["name"]) <= 100 or body.get("auto_archive_duration") not in (
            60,
            1440,
            4320,
            10080,
        ):
            raise RefusalError(400, 50035, "Invalid Form Body: name")
        thread = Channel(message.id, body["name"], channel.guild, PUBLIC_THREAD, channel)
        assert channel.guild is not None
        channel.guild.channels[thread.id] = self.channels[thread.id] = thread
        await self.gateway.tell("THREAD_CREATE", {**thread.json(), "newly_created": True})
        return answer(thread.json(), 201)

    # -- interactions

    def _asked(self, request: web.Request) -> Json:
        found = self.interactions.get(request.match_info["token"])
        if found is None:
            raise RefusalError(404, 10015, "Unknown Webhook")
        return found

    async def _callback(self, request: web.Request) -> web.Response:
        asked = self._asked(request)
        if "type" in asked:
            raise RefusalError(400, 40060, "Interaction has already been acknowledged")
        if time.monotonic() - asked["began"] > 3:
            raise RefusalError(404, 10062, "Unknown interaction")
        body, files = await self._body(request)
        data = body.get("data") or {}
        asked["type"], asked["data"] = body["type"], data
        if body["type"] == 4:
            self._checked(data, files)
            asked["answers"].append({**data, "id": snowflake()})
        if body["type"] == 5:
            asked["ephemeral"] = bool(int(data.get("flags") or 0) & EPHEMERAL)
        if body["type"] == 8:
            asked["answers"].append(data)
        if body["type"] == 9:
            asked["form"] = data
        if request.query.get("with_response") not in ("1", "true"):
            return web.Response(status=204)
        return answer({"interaction": {"id": asked["id"], "type": body["type"]}})

    async def _follow_up(self, request: web.Request) -> web.Response:
        asked = self._asked(request)
        body, files = await self._body(request)
        self._checked(body, files)
        channel: Channel = asked["channel"]
        message = Message(
            snowflake(),
            channel.id,
            self.me,
            str(body.get("content") or ""),
            embeds=body.get("embeds") or [],
            components=numbered(body.get("components") or []),
            flags=int(body.get("flags") or 0),
            raw=body,
        )
        attachments = body.get("attachments") or []
        asked["answers"].append(
            {**body, "id": message.id, "message": message, "files": files, "alt": attachments}
        )
        return answer(message.json(channel.guild.id if channel.guild else None))

    async def _edit_follow_up(self, request: web.Request) -> web.Response:
        asked = self._asked(request)
        body, _ = await self._body(request)
        self._checked(body, [])
        asked["answers"].append({**body, "edited": request.match_info["message"]})
        message = Message(snowflake(), asked["channel"].id, self.me, str(body.get("content") or ""))
        return answer(message.json(None))

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


def numbered(rows: list[Json]) -> list[Json]:
    """Components with the IDs that Discord gives them."""
    return [
        {
            **row,
            "id": n,
            "components": [{**item, "id": 100 * n + m} for m, item in enumerate(row["components"])],
        }
        for n, row in enumerate(rows, 1)
    ]


def without_localisations(value: Any) -> Any:
    """Commands as Discord lists them where nobody asks for the localisations."""
    if isinstance(value, dict):
        return {k: without_localisations(v) for k, v in value.items() if not k.endswith("_localizations")}
    return [without_localisations(one) for one in value] if isinstance(value, list) else value


def guild_of(channel: Channel) -> Json:
    """The guild's ID, where there is one."""
    return {"guild_id": channel.guild.id} if channel.guild else {}


def intent_of(channel: Channel) -> int:
    """The intent that a channel's messages need."""
    return GUILD_MESSAGES if channel.guild else DIRECT


def sum_of(channel: Channel) -> int:
    """The bits of what the bot may not do."""
    return sum(BITS[name] for name in (channel.parent or channel).denied)
