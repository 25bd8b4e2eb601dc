"""Real servers on loopback that behave as badly as a test wants, and a DNS that says what it wants."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_network

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from bot.links.policy import FetchPolicy

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
LOOPBACK = ip_network("127.0.0.0/8")
PAGE = "<html><body><article><p>In MLPerf Inference v6.1, {text}</p></article></body></html>"


class Dns(AbstractResolver):
    """Answers from a script: for each name lists of addresses, one list a question, the last one for good."""

    def __init__(self, **names: list[list[str]]) -> None:
        self.names = {name.replace("_", "."): answers for name, answers in names.items()}
        self.asked: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The next answer for a name. Raises OSError for a name that is not in the script."""
        self.asked.append(host)
        answers = self.names.get(host)
        if answers is None:
            raise OSError(f"no such name: {host}")
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=0,
            )
            for address in found
        ]

    async def close(self) -> None:
        """Nothing to close."""


@dataclass
class Site:
    """A running server: its port and the paths that it was asked for."""

    port: int
    asked: list[str] = field(default_factory=list)

    @property
    def pages(self) -> list[str]:
        """The paths without robots.txt."""
        return [path for path in self.asked if path != "/robots.txt"]

    def url(self, path: str = "/", host: str = "site.example") -> str:
        """The address of a page on it."""
        return f"http://{host}:{self.port}{path}"

    def policy(self, dns: AbstractResolver | None = None, **changed: object) -> FetchPolicy:
        """A policy that may ask it: loopback, its port, plain http, short times."""
        settings: dict[str, object] = {
            "admitted": (LOOPBACK,),
            "ports": frozenset((self.port,)),
            "plain": True,
            "total": 1.5,
            "interval": 0.0,
            "resolver": dns or Dns(site_example=[["127.0.0.1"]]),
        }
        return FetchPolicy(**{**settings, **changed})  # type: ignore[arg-type]


@asynccontextmanager
async def site(handler: Handler, robots: str | None = None) -> AsyncIterator[Site]:
    """A server of web pages; robots.txt is as given, else missing."""
    found = Site(0)

    async def serve(request: web.BaseRequest) -> web.StreamResponse:
        assert isinstance(request, web.BaseRequest)
        found.asked.append(request.path_qs)
        if request.path == "/robots.txt":
            return web.Response(text=robots) if robots is not None else web.Response(status=404)
        return await handler(request)  # type: ignore[arg-type]

    server = web.Server(serve)
    runner = web.ServerRunner(server, shutdown_timeout=0.1)
    await runner.setup()
    place = web.TCPSite(runner, "127.0.0.1", 0)
    await place.start()
    found.port = runner.addresses[0][1]
    try:
        yield found
    finally:
        await runner.cleanup()


@asynccontextmanager
async def raw(answer: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> AsyncIterator[Site]:
    """A server that writes bytes by itself after the head of a request."""
    found = Site(0)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            found.asked.append(head.split(b" ")[1].decode())
            await answer(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


def html(text: str, **headers: str) -> web.Response:
    """A small page."""
    return web.Response(text=PAGE.format(text=text), content_type="text/html", headers=headers)
