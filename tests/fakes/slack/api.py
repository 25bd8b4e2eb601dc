"""The Web API: who calls, with which arguments and rights, how often; then the method itself."""

from __future__ import annotations

import asyncio
import base64
import json
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.slack import limits
from tests.fakes.slack.core import ApiError, Call, Fault
from tests.fakes.slack.model import SCOPE_PREFIX, Channel, Installation, Member, Team

if TYPE_CHECKING:
    from tests.fakes.slack.server import Slack

# What a correct app never gets to see: a test fails of it (unless it says that it expects it).
OFFENCES = {
    "invalid_blocks",
    "msg_too_long",
    "msg_blocks_too_long",
    "no_text",
    "invalid_arguments",
    "unknown_method",
    "invalid_metadata_format",
    "metadata_too_large",
    "expired_trigger_id",
    "exchanged_trigger_id",
    "invalid_trigger_id",
    "push_limit_reached",
    "method_deprecated",
}
# slack_bolt adds the workspace to every call; only organisation-wide tokens need it.
COMMON_ARGUMENTS = {"token", "team_id"}
JSON_ARGUMENTS = {"blocks", "attachments", "metadata", "view", "unfurls", "files"}


@dataclass
class Request:
    """A call on its way through a method: its arguments, and the installation whose token it bears."""

    slack: Slack
    method: str
    args: dict[str, Any]
    token: str
    found: Installation | None = None
    basic: tuple[str, str] | None = None

    @property
    def installation(self) -> Installation:
        """The caller's installation. Raises ApiError for a call without a bot token."""
        if self.found is None:
            raise ApiError("not_authed")
        return self.found

    def text(self, name: str) -> str:
        """A required argument. Raises ApiError."""
        value = self.args.get(name)
        if value in (None, ""):
            raise ApiError("invalid_arguments", f"[ERROR] missing required field: {name}")
        return str(value)

    def flag(self, name: str) -> bool:
        """A yes-or-no argument, False where it is missing."""
        return self.args.get(name) in (True, 1, "1", "true", "True")

    def number(self, name: str, default: int) -> int:
        """A whole number. Raises ApiError."""
        try:
            return int(self.args.get(name) or default)
        except ValueError:
            raise ApiError("invalid_arguments", f"[ERROR] must be a number: {name}") from None

    def channel(self, *, member: bool = False) -> Channel:
        """The channel of the call. Raises ApiError where the app does not see it (or is no `member`)."""
        channel = self.slack.core.world.channels.get(self.text("channel"))
        me = self.installation.bot.id
        if channel is None or not any(map(self.reaches, [channel.team, *channel.shared_with])):
            raise ApiError("channel_not_found")
        if channel.kind != "public" and me not in channel.members:
            raise ApiError("channel_not_found")
        if member and me not in channel.members:
            raise ApiError("not_in_channel")
        return channel

    def reaches(self, team: Team) -> bool:
        """Whether the caller is installed in a workspace."""
        return self.slack.core.world.reach(self.installation, team)

    def member(self, user: str) -> Member:
        """A person of the caller's workspaces. Raises ApiError."""
        found = self.slack.core.world.members.get(user)
        if found is None or not self.reaches(found.team):
            raise ApiError("user_not_found")
        return found

    def need(self, *scopes: str) -> None:
        """Raise ApiError("missing_scope") unless the caller has one of the scopes."""
        if not self.installation.scopes & set(scopes):
            raise ApiError(
                "missing_scope",
                needed=",".join(scopes),
                provided=",".join(sorted(self.installation.scopes)),
            )

    def need_for(self, channel: Channel, right: str) -> None:
        """The same for a right ("history", "read") on a kind of channel."""
        self.need(f"{SCOPE_PREFIX[channel.kind]}:{right}")


Answer = Callable[[web.Request, str, dict[str, Any]], Awaitable[web.Response]]
Handler = Callable[[Request], Awaitable[dict[str, Any]]]


@dataclass(frozen=True)
class Method:
    """A method of the Web API. scopes: one of them is needed. tier: 0 for a limit of its own, or none."""

    handler: Handler
    args: frozenset[str]
    scopes: tuple[str, ...] = ()
    tier: int = 0
    token: str = "bot"


METHODS: dict[str, Method] = {}


def method(
    name: str, args: str, *, scopes: tuple[str, ...] = (), tier: int = 0, token: str = "bot"
) -> Callable[[Handler], Handler]:
    """Register a method with the arguments that it knows."""

    def register(handler: Handler) -> Handler:
        METHODS[name] = Method(handler, frozenset(args.split()), scopes, tier, token)
        return handler

    return register


@dataclass
class Api:
    """Serves /api/<method>."""

    slack: Slack

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        core = self.slack.core
        name, args = request.match_info["method"], await arguments(request)
        core.busy += 1
        try:
            return await self.spoilt(request, name, args, self._answer)
        finally:
            core.busy -= 1
            core.journal("api", method=name)

    async def spoilt(
        self, request: web.Request, name: str, args: dict[str, Any], answer: Answer
    ) -> web.Response:
        """Answer a request, unless the test lets it fail."""
        fault = self._fault(name, args)
        if fault is None:
            return await answer(request, name, args)
        if fault.delay:
            await asyncio.sleep(fault.delay)
        failed = self._spoil(request, name, args, fault)
        if failed is not None:
            return failed
        done = await answer(request, name, args)
        return self._lose(request, name, args) if fault.lose == "answer" else done

    def _record(self, name: str, args: dict[str, Any], outcome: str) -> None:
        self.slack.core.calls.append(Call(name, args, outcome, time.time()))

    def _fault(self, name: str, args: dict[str, Any]) -> Fault | None:
        for fault in self.slack.core.faults:
            here = fault.channel in (None, args.get("channel"))
            if fault.times > 0 and here and fault.method in (name, "*"):
                fault.times -= 1
                return fault
        return None

    def _lose(self, request: web.Request, name: str, args: dict[str, Any]) -> web.Response:
        self._record(name, args, "lost")
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    def _spoil(
        self, request: web.Request, name: str, args: dict[str, Any], fault: Fault
    ) -> web.Response | None:
        if fault.lose == "request":
            return self._lose(request, name, args)
        if fault.status is not None:
            self._record(name, args, str(fault.status))
            return web.Response(status=fault.status, text="upstream failure")
        if fault.retry_after is not None:
            return self._limited(name, args, fault.retry_after)
        if fault.error is not None:
            self._record(name, args, fault.error)
            return web.json_response({"ok": False, "error": fault.error})
        return None

    def _limited(self, name: str, args: dict[str, Any], seconds: float) -> web.Response:
        self._record(name, args, "429")
        return web.json_response(
            {"ok": False, "error": "ratelimited"},
            status=429,
            headers={"Retry-After": str(max(1, math.ceil(seconds)))},
        )

    async def _answer(self, request: web.Request, name: str, args: dict[str, Any]) -> web.Response:
        found = Request(self.slack, name, args, bearer(request, args), basic=basic(request))
        try:
            known = self._check(found)
            wait = self._wait(found, known)
            if wait:
                return self._limited(name, args, wait)
            body = {"ok": True, **await known.handler(found)}
            self._record(name, args, "ok")
        except ApiError as error:
            self._record(name, args, error.error)
            body = {"ok": False, "error": error.error, **error.more}
            if error.messages:
                body |= {"errors": error.messages, "response_metadata": {"messages": error.messages}}
            if error.error in OFFENCES:
                self.slack.core.offend(f"{name}: {error.error} {' '.join(error.messages)}".strip())
        headers = {}
        if found.found is not None:
            headers["x-oauth-scopes"] = ",".join(sorted(found.found.scopes))
        return web.json_response(body, headers=headers)

    def _check(self, request: Request) -> Method:
        known = METHODS.get(request.method)
        if known is None:
            raise ApiError("unknown_method", request.method)
        self._authenticate(request, known)
        strange = request.args.keys() - known.args - COMMON_ARGUMENTS
        if strange:
            raise ApiError(
                "invalid_arguments", *(f"[ERROR] unexpected field: {one}" for one in sorted(strange))
            )
        if known.scopes:
            request.need(*known.scopes)
        return known

    def _authenticate(self, request: Request, known: Method) -> None:
        core = self.slack.core
        if known.token == "none":
            return
        if not request.token:
            raise ApiError("not_authed")
        if known.token == "app":
            if request.token.startswith("xoxb-"):
                raise ApiError("not_allowed_token_type")
            if request.token != core.app_token:
                raise ApiError("invalid_auth")
            return
        if request.token == core.app_token:
            raise ApiError("not_allowed_token_type")
        request.found = core.world.installations.get(request.token)
        if request.found is None:
            raise ApiError("invalid_auth")
        if request.found.state != "ok":
            raise ApiError(request.found.state)

    def _wait(self, request: Request, known: Method) -> float:
        """The seconds that a caller has to wait who calls too often; 0 for none."""
        core, name = self.slack.core, request.method
        if not core.options.rate_limits:
            return 0.0
        if name in {"chat.postMessage", "chat.postEphemeral"}:
            channel = str(request.args.get("channel"))
            return core.take((name, request.token, channel), limits.POSTS_PER_CHANNEL, limits.POST_BURST) or (
                core.take((name, request.token), limits.POSTS_PER_WORKSPACE, limits.WORKSPACE_BURST)
            )
        if core.options.distributed and name in {"conversations.history", "conversations.replies"}:
            return core.take((name, request.token), limits.HISTORY_DISTRIBUTED, 1)
        if known.tier:
            most = limits.TIERS[known.tier]
            return core.take((name, request.token), most, max(1, most / 2))
        return 0.0


def bearer(request: web.Request, args: dict[str, Any]) -> str:
    """The token of a request, from its header or its arguments."""
    header = request.headers.get("Authorization", "")
    return header.removeprefix("Bearer ") if header.startswith("Bearer ") else str(args.get("token") or "")


def basic(request: web.Request) -> tuple[str, str] | None:
    """User and password of a request, where it has them."""
    header = request.headers.get("Authorization", "")
    if not header.startswith("Basic "):
        return None
    user, _, password = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
    return user, password


async def arguments(request: web.Request) -> dict[str, Any]:
    """The arguments of a call, from the address and from a JSON or form body."""
    args: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        args |= await request.json()
    elif request.method == "POST":
        args |= {key: value for key, value in (await request.post()).items() if isinstance(value, str)}
    for key in JSON_ARGUMENTS & args.keys():
        if isinstance(args[key], str):
            try:
                args[key] = json.loads(args[key])
            except ValueError:
                continue  # the method says what is wrong with it
    return args
