"""The REST API's door: routes, the token, failures on purpose, rate limits, errors as Discord writes them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from aiohttp import web

from tests.fakes.discord import application, interactions, limits, messages
from tests.fakes.discord.core import Bucket, Failure, RefusalError, answer, limited

if TYPE_CHECKING:
    from tests.fakes.discord.server import Discord

Endpoint = Callable[["Discord", web.Request], Awaitable[web.StreamResponse]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

PREFIX = "/api/v10"
PUBLIC = ("/interactions/", "/webhooks/")  # their token is in the path
ROUTES: tuple[tuple[str, str, Endpoint], ...] = (*application.ROUTES, *messages.ROUTES, *interactions.ROUTES)


class Api:
    """The REST API of a fake."""

    def __init__(self, discord: Discord, *, rate_limits: bool) -> None:
        self._discord = discord
        self.failures: list[Failure] = []
        self.requests: list[tuple[str, str]] = []
        self.running = 0
        self._limits = rate_limits
        self._global = Bucket(*limits.GLOBAL)
        self._buckets: dict[str, Bucket] = {}

    def add(self, app: web.Application) -> None:
        """Put the routes into an application."""
        for method, path, endpoint in ROUTES:
            app.router.add_route(method, PREFIX + path, self._bound(endpoint))
        app.router.add_route("*", PREFIX + "/{path:.*}", self._bound(unknown))

    def _bound(self, endpoint: Endpoint) -> Handler:
        async def handler(request: web.Request) -> web.StreamResponse:
            self.running += 1
            try:
                return await self._call(endpoint, request)
            finally:
                self.running -= 1

        return handler

    async def _call(self, endpoint: Endpoint, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix(PREFIX)
        self.requests.append((request.method, path))
        failure = next((one for one in self.failures if one.meets(request.method, path)), None)
        if failure is not None:
            self._discord.note("failed", method=request.method, path=path, left=failure.times)
            await asyncio.sleep(failure.delay)
            if (instead := failure.answer()) is not None:
                return instead
            if failure.lose == "request":
                return gone(request)
        found = self._refused(request, path) or await self._carried_out(endpoint, request, path)
        return gone(request) if failure is not None and failure.lose == "answer" else found

    def _refused(self, request: web.Request, path: str) -> web.Response | None:
        """The token and the rate limits."""
        if path.startswith(PUBLIC):
            return None
        if request.headers.get("Authorization") != f"Bot {self._discord.token}":
            return answer({"code": 0, "message": "401: Unauthorized"}, 401)
        if not self._limits:
            return None
        if wait := self._global.take():
            return limited(wait, "global")
        bucket = self._bucket(request)
        return limited(wait) if bucket and (wait := bucket.take()) else None

    def _bucket(self, request: web.Request) -> Bucket | None:
        channel = request.match_info.get("channel")
        if channel is None or request.method != "POST" or not request.path.endswith("/messages"):
            return None
        return self._buckets.setdefault(channel, Bucket(*limits.MESSAGES))

    async def _carried_out(self, endpoint: Endpoint, request: web.Request, path: str) -> web.StreamResponse:
        try:
            found = await endpoint(self._discord, request)
        except RefusalError as refusal:
            self._discord.note("refused", method=request.method, path=path, reason=str(refusal))
            if refusal.offence:
                self._discord.offend(f"{request.method} {path}: {refusal}")
            return answer(refusal.body, refusal.status)
        if self._limits and (bucket := self._bucket(request)):
            found.headers.update(bucket.headers("messages"))
        return found


def gone(request: web.Request) -> web.StreamResponse:
    """The connection breaks before an answer arrives."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


async def unknown(discord: Discord, request: web.Request) -> web.StreamResponse:
    """A path that the fake does not know: add it, or the app is wrong."""
    raise RefusalError(404, 0, "404: Not Found", offence=True)
