"""The gateway of the fake: HELLO, IDENTIFY, READY, heartbeats, RESUME with what was missed, close codes."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

if TYPE_CHECKING:
    from tests.fakes.discord.server import Discord

# developers/events/gateway.mdx
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
GUILD_MESSAGES, REACTIONS, DIRECT, CONTENT = 1 << 9, 1 << 10, 1 << 12, 1 << 15
INTERVAL = 20_000  # milliseconds between heartbeats


@dataclass
class Session:
    """One connected or disconnected client; what it was told is kept, to be told again after a RESUME."""

    id: str
    intents: int
    sent: list[dict[str, Any]] = field(default_factory=list)
    socket: web.WebSocketResponse | None = None

    async def tell(self, event: str, data: Any) -> None:
        """Dispatch one event; while nobody is connected it waits in the session."""
        payload = {"op": DISPATCH, "t": event, "s": len(self.sent) + 1, "d": data}
        self.sent.append(payload)
        if self.socket is not None and not self.socket.closed:
            await self.socket.send_str(json.dumps(payload))


class Gateway:
    """All sessions."""

    def __init__(self, discord: Discord) -> None:
        self._discord = discord
        self.sessions: dict[str, Session] = {}
        self.identified = self.resumed = 0

    @property
    def session(self) -> Session | None:
        """The newest session."""
        return next(reversed(self.sessions.values()), None)

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """One connection."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps({"op": HELLO, "d": {"heartbeat_interval": INTERVAL}}))
        session: Session | None = None
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            payload = json.loads(message.data)
            if payload["op"] == HEARTBEAT:
                await socket.send_str(json.dumps({"op": ACK}))
            elif payload["op"] == IDENTIFY:
                session = await self._identify(socket, payload["d"])
            elif payload["op"] == RESUME:
                session = await self._resume(socket, payload["d"])
        if session is not None and session.socket is socket:
            session.socket = None
        return socket

    async def _identify(self, socket: web.WebSocketResponse, data: dict[str, Any]) -> Session | None:
        if data["token"] != self._discord.token:
            await socket.close(code=4004, message=b"Authentication failed.")
            return None
        if data["intents"] & CONTENT and not self._discord.content_allowed:
            await socket.close(code=4014, message=b"Disallowed intent(s).")
            return None
        self.identified += 1
        session = Session(secrets.token_hex(8), data["intents"], socket=socket)
        self.sessions[session.id] = session
        self._discord.note("identified", session=session.id, intents=data["intents"])
        await session.tell("READY", self._discord.ready(session.id))
        for guild in self._discord.guilds.values():
            await session.tell("GUILD_CREATE", guild.json(self._discord.me))
        return session

    async def _resume(self, socket: web.WebSocketResponse, data: dict[str, Any]) -> Session | None:
        session = self.sessions.get(data["session_id"])
        if session is None or data["token"] != self._discord.token:
            await socket.send_str(json.dumps({"op": INVALID, "d": False}))
            return None
        self.resumed += 1
        session.socket = socket
        self._discord.note("resumed", session=session.id, since=data["seq"])
        for payload in session.sent[data["seq"] :]:
            await socket.send_str(json.dumps(payload))
        await session.tell("RESUMED", {})
        return session

    async def tell(self, event: str, data: Any, intent: int = 0) -> None:
        """Dispatch an event to every session that asked for its kind."""
        for session in list(self.sessions.values()):
            if not intent or session.intents & intent:
                await session.tell(event, self.blanked(data, session) if "content" in data else data)

    def blanked(self, data: dict[str, Any], session: Session) -> dict[str, Any]:
        """Without the intent only what is for the bot has its words."""
        me = self._discord.me.id
        for_us = (
            "guild_id" not in data
            or data["author"]["id"] == me
            or any(u["id"] == me for u in data["mentions"])
        )
        if session.intents & CONTENT or for_us:
            return data
        return {**data, "content": "", "embeds": [], "attachments": [], "components": []}

    async def drop(self, code: int = 1001) -> None:
        """Cut every connection; the sessions stay and can be resumed."""
        for session in self.sessions.values():
            socket, session.socket = session.socket, None
            if socket is not None:
                await socket.close(code=code)

    async def ask_to_reconnect(self) -> None:
        """Opcode 7."""
        for session in self.sessions.values():
            if session.socket is not None:
                await session.socket.send_str(json.dumps({"op": RECONNECT, "d": None}))
