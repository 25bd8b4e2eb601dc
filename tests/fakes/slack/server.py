"""The fake Slack as a test sees it: start it, fill it, look at what the app did, spoil things, stop it."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import control, limits, methods
from tests.fakes.slack.api import METHODS, Api
from tests.fakes.slack.core import ApiError, Call, Core, Fault, Options, ResponseUrl
from tests.fakes.slack.delivery import Deliveries, Delivery
from tests.fakes.slack.events import Events
from tests.fakes.slack.manifest import EVERYTHING, Manifest
from tests.fakes.slack.model import Channel, Enterprise, Installation, Member, Message, Team, View
from tests.fakes.slack.posting import Posting, check_content, may_post
from tests.fakes.slack.scenario import User, Workspace
from tests.fakes.slack.signed import SignedHttp
from tests.fakes.slack.sockets import SocketMode
from tests.fakes.slack.viewing import Views

PATIENCE = 10.0
RESPONSE_URL = "response_url"  # what a post to one is called among the calls and faults
SHOWN: tuple[str, ...] = ("text", "blocks", "attachments")


class Slack:
    """One Slack with one app, on a free port of 127.0.0.1."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.deliveries = Deliveries(core)
        self.events = Events(core, self.deliveries)
        self.posting = Posting(core, self.events)
        self.viewing = Views(core)
        self.api = Api(self)
        self.sockets = SocketMode(core)
        self.http: SignedHttp | None = None
        self.deliveries.transport = self.sockets
        self._runner: web.AppRunner | None = None

    # Start and stop

    @classmethod
    async def start(
        cls,
        manifest: Manifest | dict[str, Any] | Path | str = EVERYTHING,
        *,
        port: int = 0,
        scale: float = 1.0,
        ack: float = limits.ACK,
        trigger_life: float = limits.TRIGGER_LIFE,
        retry_after: tuple[float, ...] = limits.RETRY_AFTER,
        rate_limits: bool = True,
        distributed: bool = False,
        journal: Path | None = None,
    ) -> Slack:
        """A listening fake. See `Options` for the numbers."""
        options = Options(
            scale=scale,
            ack=ack,
            trigger_life=trigger_life,
            retry_after=retry_after,
            rate_limits=rate_limits,
            distributed=distributed,
            journal=journal,
        )
        slack = cls(Core(Manifest.of(manifest), options))
        await slack._listen(port)
        return slack

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, *args: Any, **options: Any) -> AsyncIterator[Slack]:
        """The same as a context, which fails at its end if the app did what no correct app does."""
        slack = await cls.start(*args, **options)
        try:
            yield slack
            slack.check()
        finally:
            await slack.stop()

    async def _listen(self, port: int) -> None:
        assert methods.__all__, "importing the methods registers them"
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/api/{method}", self.api.handle)
        app.router.add_get("/link/", self.sockets.handle)
        app.router.add_post("/response/{team}/{key}", self._respond)
        app.router.add_post("/upload/{file}", functools.partial(methods.files.upload, self.core))
        app.router.add_get("/oauth/v2/authorize", self._authorize)
        app.router.add_post("/control/{what}", functools.partial(control.handle, self))
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        self.core.address = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        """Close every connection and the server."""
        await self.deliveries.close()
        await self.sockets.close()
        if self.http is not None:
            await self.http.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def check(self) -> None:
        """Raise AssertionError if the app did what no correct app does (see `forgive`)."""
        assert not self.core.offences, "the app broke Slack's rules:\n" + "\n".join(self.core.offences)

    def forgive(self, part: str) -> list[str]:
        """Take the offences that hold `part` off the list, for a test that expects them."""
        taken = [one for one in self.core.offences if part in one]
        self.core.offences = [one for one in self.core.offences if part not in one]
        return taken

    # What the app needs to know

    @property
    def api_url(self) -> str:
        """What SMALLPRINT_SLACK_API is set to (base_url of slack_sdk's client), with its slash."""
        return f"{self.core.address}/api/"

    @property
    def app_token(self) -> str:
        """The app-level token of Socket Mode."""
        return self.core.app_token

    @property
    def signing_secret(self) -> str:
        """The secret that HTTP mode signs with."""
        return self.core.signing_secret

    def client(self, token: str | None = None) -> AsyncWebClient:
        """slack_sdk's own client, pointed at the fake."""
        return AsyncWebClient(token=token, base_url=self.api_url)

    # Content

    def enterprise(self, name: str = "Org") -> Enterprise:
        """A new Enterprise Grid organisation."""
        made = Enterprise(self.core.world.id("E"), name)
        self.core.world.enterprises[made.id] = made
        return made

    def workspace(
        self, name: str = "Acme", *, enterprise: Enterprise | None = None, install: bool = True
    ) -> Workspace:
        """A new workspace, with the app installed unless told otherwise."""
        team = Team(self.core.world.id("T"), name, name.lower().replace(" ", "-"), enterprise)
        self.core.world.teams[team.id] = team
        workspace = Workspace(self, team)
        if install:
            workspace.install()
        return workspace

    def install_org(self, enterprise: Enterprise, scopes: frozenset[str] | None = None) -> Installation:
        """Install the app for all workspaces of an organisation (which has one at least)."""
        asked = self.core.manifest.scopes if scopes is None else scopes
        return self.core.world.install(self.core.manifest.name, asked, None, enterprise, "")

    def person(self, key: str) -> User:
        """The person with an ID."""
        return User(self, self.core.world.members[key])

    def use_http(self, *urls: str) -> SignedHttp:
        """Send to the app's own server from now on (several: in turn, as a load balancer does)."""
        self.http = self.deliveries.transport = SignedHttp(self.core, list(urls))
        return self.http

    # What the app did

    def posts(self, channel: str | Channel | None = None) -> list[Message]:
        """The app's messages that stand in a channel (or in all), oldest first."""
        where = (
            channel if channel is None or isinstance(channel, Channel) else self.core.world.channel(channel)
        )
        return [
            one
            for one in self.core.world.written
            if one.by_app and not one.deleted and (where is None or one.channel is where)
        ]

    def replies(self, message: Message) -> list[Message]:
        """The app's answers that stand in the thread of a message."""
        return [one for one in self.posts(message.channel) if one.thread_ts == message.root]

    def reply_counts(self) -> Counter[str]:
        """How many messages the app ever posted (deleted ones too) to each thread, by the parent's ts."""
        return Counter(one.root for one in self.core.world.written if one.by_app)

    def by_metadata(self, key: str) -> Counter[Any]:
        """How many messages the app ever posted with each value of a key of the metadata's event_payload."""
        payloads = (
            one.metadata["event_payload"] for one in self.core.world.written if one.by_app and one.metadata
        )
        return Counter(one[key] for one in payloads if key in one)

    @property
    def strays(self) -> list[Message]:
        """The app's answers to threads that were gone: Slack puts them into the channel itself."""
        return self.core.strays

    def ephemerals(self, user: User) -> list[Message]:
        """What only this person sees, oldest first."""
        return self.core.world.ephemerals.get(user.id, [])

    def views(self, user: User) -> list[View]:
        """The modals that a person has open, the topmost last."""
        return self.core.world.modals.get(user.id, [])

    def home(self, user: User) -> View | None:
        """A person's Home tab of the app, once it was published."""
        return next((view for (who, _), view in self.core.world.homes.items() if who == user.id), None)

    def calls(self, method: str | None = None, outcome: str | None = None) -> list[Call]:
        """The calls of the Web API, all or those of a method, or with an outcome ("ok", an error, "429")."""
        return [
            one for one in self.core.calls if method in (None, one.method) and outcome in (None, one.outcome)
        ]

    def events_sent(self, name: str | None = None) -> list[Delivery]:
        """The deliveries, all or those of a name ("app_mention", "message.message_changed", "/x")."""
        return [one for one in self.deliveries.all if name in (None, one.name)]

    def latencies(self) -> list[float]:
        """The seconds that each ack took, shortest first."""
        return sorted(one.latency for one in self.deliveries.all if one.state == "acked")

    async def connected(self, sockets: int = 1, within: float = PATIENCE) -> None:
        """Wait until the app has so many connections."""
        await self.until(lambda: len(self.sockets.open) >= sockets, within, f"{sockets} open sockets")

    async def settled(self, within: float = PATIENCE) -> None:
        """Wait until every delivery was acked (or given up) and no call is under way."""
        await self.until(lambda: not self.deliveries.open() and not self.core.busy, within, "settled")

    async def until(
        self, true: Callable[[], Any], within: float = PATIENCE, words: str = "what the test waits for"
    ) -> None:
        """Wait until something holds, looked at whenever the app did something. Raises AssertionError."""
        await self.core.until(true, within, words)

    async def answered(self, message: Message, count: int = 1, within: float = PATIENCE) -> list[Message]:
        """Wait until a message has so many answers in its thread. Returns them."""
        await self.until(
            lambda: len(self.replies(message)) >= count, within, f"{count} answers to {message.text[:60]!r}"
        )
        return self.replies(message)

    async def quiet(self, seconds: float = 0.3, within: float = PATIENCE) -> None:
        """Wait until all is settled and the app called nothing for some time: nothing more will come."""
        async with asyncio.timeout(within):
            while True:
                await self.settled(within)
                before = len(self.core.recent())
                await asyncio.sleep(seconds)
                if len(self.core.recent()) == before:
                    return

    # What goes wrong

    def fail(self, method: str, **fault: Any) -> Fault:
        """Let the next call of a method (or of "response_url", or "*") fail; see `Fault` for how."""
        if method not in {"*", RESPONSE_URL, *METHODS}:
            raise ValueError(f"the fake has no method {method}")
        made = Fault(method, **fault)
        self.core.faults.append(made)
        return made

    @contextlib.asynccontextmanager
    async def held(self) -> AsyncIterator[list[Delivery]]:
        """Keep events back; they are sent at the end, in the order in which the list then stands."""
        self.deliveries.holding = True
        try:
            yield self.deliveries.held
        finally:
            self.deliveries.holding = False
            events, self.deliveries.held = self.deliveries.held, []
            for one in events:
                self.deliveries.dispatch(one)

    def again(self, event: Delivery | str) -> Delivery:
        """Deliver an event once more, under the same event_id."""
        return self.deliveries.again(event if isinstance(event, str) else event.id)

    # What happens to installations

    def revoke(self, installation: Installation) -> None:
        """Revoke a token; the app is told, if it subscribed to it."""
        event = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [installation.bot.id]}}
        self.events.send(event, installation.bot.team, to=installation)
        installation.state = "token_revoked"

    def uninstall(self, installation: Installation) -> None:
        """Remove the app from a workspace: both events are sent, in no certain order; the token is dead."""
        event = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [installation.bot.id]}}
        self.events.send(event, installation.bot.team, to=installation)
        self.events.send({"type": "app_uninstalled"}, installation.bot.team, to=installation)
        installation.state = "account_inactive"
        for channel in self.core.world.channels.values():
            if channel.kind != "im":
                channel.members.discard(installation.bot.id)

    # Previews and response_url

    def preview(self, message: Message, attachments: list[dict[str, Any]]) -> None:
        """A link preview arrives: message_changed with nothing but attachments added."""
        before = message.wire()
        message.attachments = [*message.attachments, *attachments]
        self.events.changed(message, before)

    def answer(
        self, answer: dict[str, Any], channel: Channel, user: Member, original: Message | None
    ) -> None:
        """Carry out what a response_url or a command's ack says. Raises ApiError."""
        if answer.get("delete_original"):
            if original is not None and not original.deleted:
                self.posting.delete(original)
            return
        check_content(answer)
        installation = self.core.world.installed(user.team)[0]
        if answer.get("replace_original") and original is not None and not original.deleted:
            content: dict[str, Any] = {key: answer[key] for key in SHOWN if key in answer}
            self.posting.edit(original, content, installation.bot.id)
        elif answer.get("response_type") == "in_channel":
            if channel.archived:
                may_post(channel, installation)
            self.posting.by_app(installation, channel, answer)
        else:
            self.posting.ephemeral(installation, channel, user, answer)

    async def _respond(self, request: web.Request) -> web.Response:
        return await self.api.spoilt(request, RESPONSE_URL, await request.json(), self._responded)

    async def _responded(self, request: web.Request, name: str, args: dict[str, Any]) -> web.Response:
        url: ResponseUrl | None = self.core.response_urls.get(request.match_info["key"])
        outcome = "ok"
        try:
            if url is None or time.monotonic() > url.until:
                raise ApiError("expired_url")
            if url.left <= 0:
                raise ApiError("used_url")
            url.left -= 1
            self.answer(args, url.channel, url.user, url.original)
        except ApiError as error:
            outcome = error.error
            self.core.offend(f"response_url: {outcome} {' '.join(error.messages)}".strip())
        self.core.calls.append(Call(name, args, outcome, time.time()))
        self.core.journal("api", method=name)
        if outcome == "ok":
            return web.Response(text="ok")
        return web.json_response({"ok": False, "error": outcome}, status=404)

    # OAuth

    async def _authorize(self, request: web.Request) -> web.Response:
        team = self.core.world.teams.get(request.query.get("team", "")) or next(
            iter(self.core.world.teams.values())
        )
        try:
            location = self.consent(dict(request.query), team)
        except ApiError as error:
            return web.Response(status=400, text=error.error)
        raise web.HTTPFound(location)

    def consent(
        self, query: dict[str, str], team: Team, *, org: bool = False, user: str = "", deny: bool = False
    ) -> str:
        """What a person's "Allow" does: the address with code and state that the browser is sent to.

        query: that of the authorize address. Raises ApiError for a client or scopes that the manifest lacks.
        """
        if query.get("client_id") != self.core.client_id:
            raise ApiError("invalid_client_id")
        scopes = frozenset(filter(None, query.get("scope", "").split(",")))
        if not scopes <= self.core.manifest.scopes:
            raise ApiError("invalid_scope", *sorted(scopes - self.core.manifest.scopes))
        redirect = query.get("redirect_uri") or None
        answer = {"state": query.get("state", "")}
        if deny:
            answer["error"] = "access_denied"
        else:
            code = answer["code"] = secrets.token_hex(12)
            self.core.codes[code] = {
                "scopes": scopes,
                "team": None if org else team,
                "enterprise": team.enterprise,
                "user": user,
                "redirect_uri": redirect,
                "until": time.monotonic() + limits.OAUTH_CODE_LIFE * self.core.options.scale,
            }
        return f"{redirect or ''}?{urlencode(answer)}"
