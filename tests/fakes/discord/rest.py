"""The REST API of the fake: messages, threads, commands, interactions, scripted failures."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.discord import checks
from tests.fakes.discord.gateway import CONTENT
from tests.fakes.discord.world import PUBLIC_THREAD, Channel, Failure, Message, moment, snowflake

if TYPE_CHECKING:
    from tests.fakes.discord.server import Discord

Json = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
EPHEMERAL = 1 << 6


class RefusalError(Exception):
    """An answer with one of Discord's JSON error codes."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status, self.body = status, {"code": code, "message": message}


def answer(body: object, status: int = 200, **headers: str) -> web.Response:
    """JSON whose content type is just `application/json`, as Discord's is."""
    found = {"Content-Type": "application/json", "Via": "1.1 google", **headers}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=found)


class Rest:
    """Answers the requests of one Discord."""

    def __init__(self, discord: Discord) -> None:
        self._discord = discord

    def routes(self) -> list[tuple[str, str, Handler]]:
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
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """The token, scripted failures, and errors as Discord writes them."""
        path = request.path.removeprefix("/api/v10")
        if not request.path.startswith("/api/"):
            return await handler(request)
        self._discord.requests.append((request.method, path))
        public = path.startswith(("/interactions/", "/webhooks/"))
        if not public and request.headers.get("Authorization") != f"Bot {self._discord.token}":
            return answer({"code": 0, "message": "401: Unauthorized"}, 401)
        failure = self._failure(request.method, path)
        if failure is not None and failure.kind == "429":
            self._discord.note("limited", path=path)
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
        for failure in self._discord.failures:
            if failure.times > 0 and failure.method == method and failure.path in path:
                failure.times -= 1
                return failure
        return None

    async def _gateway_bot(self, request: web.Request) -> web.Response:
        limits = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        url = f"ws://{self._discord.address}/gateway"
        return answer({"url": url, "shards": 1, "session_start_limit": limits})

    async def _me(self, request: web.Request) -> web.Response:
        return answer(self._discord.me.json())

    async def _application(self, request: web.Request) -> web.Response:
        return answer(
            {
                "id": self._discord.me.id,
                "name": "smallprint",
                "icon": None,
                "description": "",
                "bot_public": True,
                "bot_require_code_grant": False,
                "verify_key": "0",
                "flags": (1 << 19) if self._discord.content_allowed else 0,
                "owner": self._discord.me.json(),
                "team": None,
            }
        )

    async def _get_commands(self, request: web.Request) -> web.Response:
        localised = request.query.get("with_localizations") == "true"
        return answer(
            self._discord.commands
            if localised
            else [without_localisations(one) for one in self._discord.commands]
        )

    async def _put_commands(self, request: web.Request) -> web.Response:
        assert request.content_type == "application/json"
        self._discord.puts += 1
        self._discord.commands = [
            {
                "description": "",
                **one,
                "id": snowflake(),
                "application_id": self._discord.me.id,
                "version": "1",
            }
            for one in await request.json()
        ]
        self._discord.note("commands", names=[one["name"] for one in self._discord.commands])
        return answer(self._discord.commands)

    def _channel(self, request: web.Request, *needed: str) -> Channel:
        found = self._discord.channels.get(request.match_info["channel"])
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
        session = self._discord.gateway.session
        if session is not None and guild is not None and not session.intents & CONTENT:
            return self._discord.gateway.blanked(data, session)
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
        self._discord.note(
            "posted",
            id=message.id,
            channel=channel.id,
            source=message.reference.id if message.reference else channel.id if channel.parent else None,
            nonce=nonce or None,
            content=message.content,
            flags=message.flags,
            allowed_mentions=body.get("allowed_mentions"),
        )
        await self._discord.tell("MESSAGE_CREATE", message, channel)
        return answer(self._seen(message, channel))

    def _made(self, channel: Channel, body: Json, files: list[tuple[str, bytes]]) -> Message:
        reference = (body.get("message_reference") or {}).get("message_id")
        message = Message(
            snowflake(),
            channel.id,
            self._discord.me,
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
        if message.author is not self._discord.me:
            raise RefusalError(403, 50005, "Cannot edit a message authored by another user")
        body, _ = await self._body(request)
        self._change(message, body)
        self._discord.note("edited", id=message.id, channel=channel.id, content=message.content)
        await self._discord.tell("MESSAGE_UPDATE", message, channel)
        return answer(self._seen(message, channel))

    async def _delete(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        message = self._message(request, channel)
        self._discord.note("deleted", id=message.id, channel=channel.id)
        await self._discord.deletes(message)
        return web.Response(status=204)

    async def _thread(self, request: web.Request) -> web.Response:
        channel = self._channel(request, "create_public_threads")
        message = self._message(request, channel)
        if message.id in self._discord.channels:
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
        channel.guild.channels[thread.id] = self._discord.channels[thread.id] = thread
        await self._discord.gateway.tell("THREAD_CREATE", {**thread.json(), "newly_created": True})
        return answer(thread.json(), 201)

    # -- interactions

    def _asked(self, request: web.Request) -> Json:
        found = self._discord.interactions.get(request.match_info["token"])
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
            self._discord.me,
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
        message = Message(snowflake(), asked["channel"].id, self._discord.me, str(body.get("content") or ""))
        return answer(message.json(None))


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
