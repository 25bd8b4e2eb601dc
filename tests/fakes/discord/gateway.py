"""The gateway: HELLO, IDENTIFY, READY, heartbeats, RESUME with what was missed, close codes, zlib-stream."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import WSCloseCode, WSMsgType, web

from tests.fakes.discord import limits

if TYPE_CHECKING:
    from tests.fakes.discord.server import Discord

Json = dict[str, Any]

# topics/opcodes-and-status-codes.mdx
DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME = 0, 1, 2, 3, 4, 6
RECONNECT, MEMBERS, INVALID, HELLO, ACK = 7, 8, 9, 10, 11
UNKNOWN_OPCODE, DECODE, NOT_AUTHENTICATED, BAD_TOKEN, TWICE = 4001, 4002, 4003, 4004, 4005
INVALID_SEQ, TOO_MANY, INVALID_SHARD, BAD_INTENTS, DISALLOWED = 4007, 4008, 4010, 4013, 4014
OVER = (1000, 1001)  # a client that closes with these does not come back to its session

# events/gateway.mdx, intents
GUILDS, MEMBERS_INTENT, PRESENCES = 1, 1 << 1, 1 << 8
GUILD_MESSAGES, REACTIONS, DIRECT, CONTENT = 1 << 9, 1 << 10, 1 << 12, 1 << 15
PRIVILEGED = MEMBERS_INTENT | PRESENCES
ALL_INTENTS = (1 << 26) - 1
INTERVAL = 41_250  # milliseconds between heartbeats


class CloseError(Exception):
    """The client did something that ends its connection."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Connection:
    """One socket; `compress` as the client's query asks."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.BaseTransport | None, compress: bool
    ) -> None:
        self.socket, self._transport = socket, transport
        self._stream = zlib.compressobj() if compress else None
        self._sent: list[float] = []
        self.beats = 0

    async def send(self, payload: Json) -> None:
        """Send one payload; a client that is gone misses it."""
        if self.socket.closed:
            return
        text = json.dumps(payload)
        try:
            if self._stream is None:
                await self.socket.send_str(text)
                return
            data = self._stream.compress(text.encode()) + self._stream.flush(zlib.Z_SYNC_FLUSH)
            await self.socket.send_bytes(data)
        except (ConnectionError, RuntimeError):
            return

    async def cut(self, code: int | None) -> None:
        """End it: with a close code, or as a lost network does."""
        if code is not None:
            await self.socket.close(code=code)
        elif isinstance(self._transport, asyncio.Transport):
            self._transport.abort()

    def received(self) -> None:
        """Count what the client sends. Raises CloseError above 120 in a minute."""
        now = time.monotonic()
        self._sent = [*(at for at in self._sent if now - at < 60), now]
        if len(self._sent) > limits.GATEWAY_SENDS:
            raise CloseError(TOO_MANY, "You are being rate limited.")


@dataclass
class Session:
    """One client, connected or not; what it was told is kept, to be told again after a RESUME."""

    id: str
    intents: int
    shard: tuple[int, int]
    connection: Connection | None = None
    sent: list[Json] = field(default_factory=list)

    @property
    def connected(self) -> bool:
        """Whether there is somebody at the other end."""
        return self.connection is not None and not self.connection.socket.closed

    def serves(self, guild: str | None) -> bool:
        """Whether a guild's events are for this shard; direct conversations are for the first one."""
        return (int(guild or 0) >> 22) % self.shard[1] == self.shard[0]

    async def tell(self, event: str, data: Any) -> None:
        """Dispatch one event; while nobody is connected it waits in the session."""
        payload = {"op": DISPATCH, "t": event, "s": len(self.sent) + 1, "d": data}
        self.sent.append(payload)
        if self.connection is not None:
            await self.connection.send(payload)


class Gateway:
    """All sessions."""

    def __init__(self, discord: Discord) -> None:
        self._discord = discord
        self.sessions: dict[str, Session] = {}
        self.identified = self.resumed = self.refused = 0

    @property
    def session(self) -> Session | None:
        """The newest session."""
        return next(reversed(self.sessions.values()), None)

    @property
    def connected(self) -> bool:
        """Whether a session that is ready is connected."""
        return any(session.connected for session in self.sessions.values())

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """One connection."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        connection = Connection(socket, request.transport, request.query.get("compress") == "zlib-stream")
        await connection.send({"op": HELLO, "d": {"heartbeat_interval": INTERVAL}})
        session: Session | None = None
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    raise CloseError(DECODE, "Error while decoding payload.")
                session = await self._received(connection, session, message.data)
        except CloseError as error:
            self.refused += 1
            self._discord.note("closed", code=error.code, reason=error.reason)
            if error.code not in (BAD_TOKEN, DISALLOWED):
                self._discord.offend(f"gateway: {error.code} {error.reason}")
            await socket.close(code=error.code, message=error.reason.encode())
        if session is not None and session.connection is connection:
            session.connection = None
            self._discord.note("disconnected", session=session.id, code=socket.close_code)
            if socket.close_code in OVER and session.id in self.sessions:
                del self.sessions[session.id]
        return socket

    async def _received(self, connection: Connection, session: Session | None, text: str) -> Session | None:
        connection.received()
        try:
            payload = json.loads(text)
            op, data = payload["op"], payload.get("d")
        except (ValueError, KeyError, TypeError):
            raise CloseError(DECODE, "Error while decoding payload.") from None
        if op == HEARTBEAT:
            connection.beats += 1
            await connection.send({"op": ACK})
        elif op in (IDENTIFY, RESUME):
            if session is not None:
                raise CloseError(TWICE, "Already authenticated.")
            return await (self._identify if op == IDENTIFY else self._resume)(connection, data)
        elif session is None:
            raise CloseError(NOT_AUTHENTICATED, "Not authenticated.")
        elif op == MEMBERS:
            await session.tell("GUILD_MEMBERS_CHUNK", self._discord.member_chunk(data))
        elif op not in (PRESENCE, VOICE):
            raise CloseError(UNKNOWN_OPCODE, f"Unknown opcode {op}.")
        return session

    async def _identify(self, connection: Connection, data: Json) -> Session:
        self._check(data)
        shard = tuple(data.get("shard") or (0, 1))
        if len(shard) != 2 or not 0 <= shard[0] < shard[1]:
            raise CloseError(INVALID_SHARD, "Invalid shard.")
        self.identified += 1
        session = Session(secrets.token_hex(8), data["intents"], (shard[0], shard[1]), connection)
        self.sessions[session.id] = session
        self._discord.note("identified", session=session.id, intents=session.intents, shard=shard)
        guilds = [one for one in self._discord.guilds.values() if one.bot and session.serves(one.id)]
        await session.tell("READY", self._discord.ready(session.id, session.shard, guilds))
        for guild in guilds if session.intents & GUILDS else ():
            await session.tell("GUILD_CREATE", guild.json(self._discord.me))
        return session

    def _check(self, data: Json) -> None:
        if data["token"].removeprefix("Bot ") != self._discord.token:
            raise CloseError(BAD_TOKEN, "Authentication failed.")
        intents = data["intents"]
        if intents & ~ALL_INTENTS:
            raise CloseError(BAD_INTENTS, "Invalid intent(s).")
        if intents & PRIVILEGED or (intents & CONTENT and not self._discord.content_allowed):
            raise CloseError(DISALLOWED, "Disallowed intent(s).")

    async def _resume(self, connection: Connection, data: Json) -> Session | None:
        if data["token"].removeprefix("Bot ") != self._discord.token:
            raise CloseError(BAD_TOKEN, "Authentication failed.")
        session = self.sessions.get(data["session_id"])
        if session is None:
            self._discord.note("not_resumed", session=data["session_id"])
            await connection.send({"op": INVALID, "d": False})
            return None
        if not 0 <= (since := data["seq"] or 0) <= len(session.sent):
            raise CloseError(INVALID_SEQ, "Invalid seq.")
        self.resumed += 1
        missed = session.sent[since:]
        self._discord.note("resumed", session=session.id, since=since, missed=len(missed))
        for payload in missed:
            await connection.send(payload)
        session.connection = connection
        await session.tell("RESUMED", {})
        return session

    # -- telling

    async def tell(self, event: str, data: Json, *, guild: str | None, intent: int = 0) -> None:
        """Dispatch an event to every session that asked for its kind and serves its guild."""
        for session in list(self.sessions.values()):
            if session.serves(guild) and (not intent or session.intents & intent):
                await session.tell(event, self.blanked(data, session.intents) if "content" in data else data)

    def blanked(self, data: Json, intents: int) -> Json:
        """A message as an app with these intents may read it: without the content only what is for it."""
        me = self._discord.me.id
        ours = data["author"]["id"] == me or any(user["id"] == me for user in data["mentions"])
        if intents & CONTENT or ours or "guild_id" not in data:
            return data
        blank: Json = {"content": "", "embeds": [], "attachments": [], "components": []}
        if data.get("referenced_message"):
            blank["referenced_message"] = self.blanked(data["referenced_message"], intents)
        return {**data, **blank}

    # -- trouble on purpose

    async def drop(self, code: int | None = None) -> None:
        """Cut every connection, without a word or with a close code; the sessions can be resumed."""
        for session in list(self.sessions.values()):
            connection, session.connection = session.connection, None
            if connection is not None:
                await connection.cut(code)

    async def ask_to_reconnect(self) -> None:
        """Opcode 7: the client shall connect again and resume."""
        await self._everybody({"op": RECONNECT, "d": None})

    async def invalidate(self) -> None:
        """Opcode 9: the sessions are over, the client shall identify anew."""
        connections = [one.connection for one in self.sessions.values()]
        self.sessions.clear()
        for connection in connections:
            if connection is not None:
                await connection.send({"op": INVALID, "d": False})

    async def _everybody(self, payload: Json) -> None:
        for session in self.sessions.values():
            if session.connection is not None:
                await session.connection.send(payload)

    async def close(self) -> None:
        """Say good-bye to all."""
        connections = [one.connection for one in self.sessions.values() if one.connection is not None]
        await asyncio.gather(*(one.socket.close(code=WSCloseCode.GOING_AWAY) for one in connections))
