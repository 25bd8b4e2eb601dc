"""One running process: state, durable work, the core, the edges that have a token, a small web server."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

import structlog
from aiohttp import web

from bot import metrics
from bot.deployment import Deployment
from bot.errors import UserError
from bot.events import PLATFORMS, Platform
from bot.jobs import Jobs
from bot.keys import Keys
from bot.ports import NotNowError, Port
from bot.service import Service
from bot.service.readers import Readers
from bot.service.vendor import VendorLinks
from bot.state import State

log = structlog.get_logger(__name__)

DOWN = 30.0  # seconds after which a post for a platform that is down is tried again


class Edge(Protocol):
    """A connected chat platform, as the process sees it."""

    async def port(self, workspace: str) -> Port:
        """The way back to a workspace. Raises RefusedError or NotNowError."""

    async def start(self) -> None:
        """Begin to listen. Raises UserError with one line where that cannot work."""

    async def stop(self) -> None:
        """Listen no more."""

    def routes(self) -> list[web.RouteDef]:
        """What the web server answers for it."""


Connect = Callable[[Service, State, Keys], Awaitable[Edge]]


class Process:
    """Everything that runs, put together; edges are handed in, so that nothing here knows them."""

    def __init__(
        self,
        found: Deployment,
        *,
        listen: str,
        state: State,
        jobs: Jobs,
        readers: Readers,
        vendor: VendorLinks,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._listen, self._state, self._jobs = listen, state, jobs
        self._edges: dict[Platform, Edge] = {}
        self._down: dict[Platform, str] = {}
        ports = {platform: self._to(platform) for platform in PLATFORMS}
        self.service = Service(
            state=state,
            jobs=jobs,
            ports=ports,
            readers=readers,
            vendor=vendor,
            clock=wall,
            retention=found.retention,
            keep_work=found.keep_work,
        )

    def _to(self, platform: Platform) -> Callable[[str], Awaitable[Port]]:
        async def port(workspace: str) -> Port:
            if platform not in self._edges:
                raise NotNowError("not_running", DOWN, sure=True)
            return await self._edges[platform].port(workspace)

        return port

    async def run(self, connects: Mapping[Platform, Connect], keys: Keys) -> None:
        """Run until a signal comes. Raises UserError where no edge can start."""
        for platform, connect in connects.items():
            await self._guarded(platform, self._connect(platform, connect, keys))
        if not self._edges:
            raise UserError("; ".join(self._down.values()) or "no chat platform to run")
        runner = await self._web()
        try:
            await self.service.start()
            for platform, edge in list(self._edges.items()):
                await self._guarded(platform, edge.start())
            if set(self._down) >= set(connects):
                raise UserError("; ".join(self._down.values()))
            log.info("running", platform=", ".join(sorted(set(self._edges) - set(self._down))))
            await _until_told()
        finally:
            log.info("stopping")
            for edge in self._edges.values():
                with contextlib.suppress(Exception):  # the others are stopped all the same
                    await edge.stop()
            await self.service.stop()
            await runner.cleanup()

    async def _connect(self, platform: Platform, connect: Connect, keys: Keys) -> None:
        self._edges[platform] = await connect(self.service, self._state, keys)

    async def _guarded(self, platform: Platform, step: Awaitable[None]) -> None:
        """One platform's trouble is told and leaves the other one running."""
        try:
            await step
        except UserError as error:
            self._down[platform] = f"{platform}: {error}"
            log.error("platform_down", platform=platform, reason=str(error))

    # -- web

    async def _web(self) -> web.AppRunner:
        app = web.Application(client_max_size=1 << 20)
        app.add_routes(
            [
                web.get("/healthz", self._healthz),
                web.get("/readyz", self._readyz),
                web.get("/metrics", self._metrics),
            ]
        )
        for edge in self._edges.values():
            app.add_routes(edge.routes())
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        host, _, port = self._listen.rpartition(":")
        try:
            await web.TCPSite(runner, host.strip("[]"), int(port)).start()
        except (OSError, OverflowError) as error:
            await runner.cleanup()
            raise UserError(f"SMALLPRINT_LISTEN={self._listen}: {error}") from None
        log.info("listening", url="http://{}:{}".format(*runner.addresses[0][:2]))
        return runner

    async def _healthz(self, request: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def _readyz(self, request: web.Request) -> web.Response:
        """Ready to take events, else what is missing, a line each."""
        missing = await self.missing()
        text = "".join(f"{line}\n" for line in missing) or "ready\n"
        return web.Response(text=text, status=503 if missing else 200)

    async def missing(self) -> list[str]:
        """What keeps this process from answering, a line each."""
        found = list(self._down.values())
        try:
            async with asyncio.timeout(2):
                await self._state.ready()
                await self._jobs.waiting()
        except TimeoutError:
            found.append("state database: no answer in time")
        except UserError as error:
            found.append(str(error))
        return found

    async def _metrics(self, request: web.Request) -> web.Response:
        with contextlib.suppress(UserError):
            metrics.waiting(await self._jobs.waiting())
        metrics.knowledge_age(await self.service.knowledge_age())
        return web.Response(body=metrics.exposed(), content_type="text/plain", charset="utf-8")


async def _until_told() -> None:
    """Wait for SIGTERM or SIGINT."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, told.set)
    await told.wait()
