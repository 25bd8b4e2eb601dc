"""Socket Mode: WebSockets that the app opens, each event to one of them."""

from __future__ import annotations

import asyncio
import json
import random
import uuid
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.fakes.slack import limits
from tests.fakes.slack.core import ApiError, Core
from tests.fakes.slack.delivery import Delivery, NotAckedError


@dataclass(eq=False)
class Socket:
    """An open connection. `refreshing`: the app was told to replace it; it gets nothing new."""

    ws: web.WebSocketResponse
    request: web.Request
    waiting: dict[str, asyncio.Future[Any]] = field(default_factory=dict)
    refreshing: bool = False


class SocketMode:
    """The server's side of Socket Mode, and a `Transport`."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.open: list[Socket] = []
        self.opened = 0
        self.mute = False
        self._tickets: set[str] = set()

    def ticket(self) -> str:
        """The WebSocket address that apps.connections.open gives; it is good for one connection."""
        if len(self.open) >= limits.SOCKETS:
            raise ApiError("too_many_websockets")
        key = uuid.uuid4().hex
        self._tickets.add(key)
        return f"{self.core.address.replace('http', 'ws', 1)}/link/?ticket={key}&app_id={self.core.app_id}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection until it closes."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=403, text="bad ticket")
        self._tickets.discard(ticket)
        socket = Socket(web.WebSocketResponse(), request)
        await socket.ws.prepare(request)
        self.open.append(socket)
        self.opened += 1
        self.core.journal("socket", open=len(self.open))
        hello = {
            "type": "hello",
            "num_connections": len(self.open),
            "debug_info": {"host": "fake", "approximate_connection_time": 3600},
            "connection_info": {"app_id": self.core.app_id},
        }
        try:
            await socket.ws.send_json(hello)
            async for message in socket.ws:
                if message.type == WSMsgType.TEXT:
                    self._acked(socket, message.data)
        finally:
            self._gone(socket)
        return socket.ws

    def _acked(self, socket: Socket, raw: str) -> None:
        if self.mute:
            return
        ack = json.loads(raw)
        waiting = socket.waiting.pop(ack.get("envelope_id", ""), None)
        if waiting is None:
            self.core.journal("late_ack", envelope=ack.get("envelope_id"))
        elif not waiting.done():
            waiting.set_result(ack.get("payload"))

    def _gone(self, socket: Socket) -> None:
        if socket in self.open:
            self.open.remove(socket)
        for one in socket.waiting.values():
            if not one.done():
                one.set_exception(NotAckedError("connection_failed"))
        self.core.journal("socket", open=len(self.open))

    async def send(self, delivery: Delivery) -> Any:
        """Send to one of the open sockets, by chance, and wait for the ack."""
        able = [one for one in self.open if not one.refreshing and not one.ws.closed]
        if not able:
            raise NotAckedError("connection_failed")
        socket, envelope = random.choice(able), str(uuid.uuid4())
        message = {
            "envelope_id": envelope,
            "type": delivery.kind,
            "payload": delivery.payload,
            "accepts_response_payload": delivery.kind != "events_api",
        }
        if delivery.kind == "events_api":
            message |= {"retry_attempt": delivery.attempts - 1, "retry_reason": delivery.reason}
        waiting = socket.waiting[envelope] = asyncio.get_running_loop().create_future()
        try:
            await socket.ws.send_json(message)
            async with asyncio.timeout(self.core.options.ack):
                return await waiting
        except TimeoutError:
            raise NotAckedError("timeout") from None
        except ConnectionError:
            raise NotAckedError("connection_failed") from None
        finally:
            socket.waiting.pop(envelope, None)

    async def disconnect(self, reason: str = "refresh_requested", *, close: bool = True) -> None:
        """Tell the app to replace its connections: soon ("warning") or now ("refresh_requested")."""
        for socket in list(self.open):
            socket.refreshing = reason != "warning"
            await socket.ws.send_json(
                {"type": "disconnect", "reason": reason, "debug_info": {"host": "fake"}}
            )
            if close and reason != "warning":
                await socket.ws.close()

    async def cut(self) -> None:
        """Cut every connection without a word, as a broken network does."""
        for socket in list(self.open):
            if socket.request.transport is not None:
                socket.request.transport.abort()

    async def close(self) -> None:
        """Close all connections."""
        for socket in list(self.open):
            await socket.ws.close()
