"""The Slack edge: Slack's library on one side, the core's Service on the other."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

import aiohttp
import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient

from bot.errors import UserError
from bot.keys import Keys
from bot.ports import RefusedError
from bot.slack import translate
from bot.slack.features import scopes_of_variant
from bot.slack.installs import Installed, Installs, ManyInstalls, OneInstall, SealedStore, create_tables
from bot.slack.interactions import Interactions
from bot.slack.port import SlackPort, web_client
from bot.slack.rights import Rights
from bot.slack.settings import SlackSettings

if TYPE_CHECKING:
    from bot.service import Service
    from bot.state import State

log = structlog.get_logger(__name__)

STATE_LIFE = 600  # seconds in which somebody has to consent to an installation
INSTALL_AGAIN = "install the app there again, and give its token to this deployment"
GONE = frozenset(("app_uninstalled", "tokens_revoked"))
PING = 5.0  # seconds between signs of life on a socket, and between tries to connect


async def connect(
    service: Service, state: State, keys: Keys, settings: SlackSettings, *, proxy: str | None = None
) -> SlackEdge:
    """A Slack edge that is ready to start; `proxy` is the way out where the network has one.

    Raises UserError where the settings do not fit together.
    """
    if faults := settings.faults():
        raise UserError(faults[0])
    edge = SlackEdge(service, state, settings, aiohttp.ClientSession(), proxy)
    try:
        await edge.prepare(keys)
    except BaseException:
        await edge.stop()
        raise
    return edge


class SlackEdge:
    """Listens to Slack, hands events to the service, and is its way back."""

    def __init__(
        self,
        service: Service,
        state: State,
        settings: SlackSettings,
        session: aiohttp.ClientSession,
        proxy: str | None,
    ) -> None:
        self._service, self._state, self._settings = service, state, settings
        self._session, self._proxy = session, proxy
        self._flow: AsyncOAuthFlow | None = None
        self._installs: Installs = OneInstall(self.client(secret(settings.bot_token)))
        self._socket: AsyncSocketModeHandler | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._app = AsyncApp(
            name="smallprint",
            client=self.client(None),
            signing_secret=secret(settings.signing_secret) or "",
            authorize=self._authorizing(),  # type: ignore[arg-type]  # None is the library's word for unknown
            process_before_response=True,
            attaching_conversation_kwargs_enabled=False,
        )

    async def prepare(self, keys: Keys) -> None:
        """Open the store of installations, where there are many, and register what is listened to."""
        if self._settings.client_id:
            await self._many(self._settings.client_id, keys)
        rights = Rights(self._service, self._settings.people, self.installed, self.port)
        interactions = Interactions(self._service, self._state, rights, self.port, self._start)
        self._app.event(re.compile(".+"))(self._on_event(interactions))
        interactions.register(self._app)

    async def _many(self, client_id: str, keys: Keys) -> None:
        engine, client_secret = self._state.engine, secret(self._settings.client_secret) or ""
        store = SealedStore(client_id, engine, keys)
        states = AsyncSQLAlchemyOAuthStateStore(expiration_seconds=STATE_LIFE, engine=engine)
        await create_tables(store.metadata, states.metadata, engine=engine)
        self._installs = ManyInstalls(store, self.client(None), client_secret)
        self._flow = AsyncOAuthFlow(
            client=self.client(None),
            settings=AsyncOAuthSettings(
                client_id=client_id,
                client_secret=client_secret,
                scopes=sorted(scopes_of_variant(self._settings.manifest)),
                redirect_uri=self._settings.redirect_url,
                authorization_url=self._settings.authorize_url,
                installation_store=store,
                state_store=states,
            ),
        )

    def client(self, token: str | None) -> AsyncWebClient:
        """A Web API client with a token, or with none."""
        return web_client(token, self._settings.api, self._session, self._proxy)

    # -- the core's way back

    async def installed(self, workspace: str) -> Installed:
        """The installation of a workspace. Raises RefusedError where there is none, NotNowError."""
        found = await self._installs.of(workspace)
        if found is None:
            raise RefusedError("not_installed")
        return found

    async def port(self, workspace: str) -> SlackPort:
        """The port of a workspace, with its token of today. Raises RefusedError, NotNowError."""
        return SlackPort(self.client((await self.installed(workspace)).token))

    # -- listening

    def _authorizing(self) -> Callable[..., Awaitable[AuthorizeResult | None]]:
        # The library fills in arguments by name, and would take a method's `self` for one.
        async def authorize(
            context: AsyncBoltContext, enterprise_id: str | None, team_id: str | None
        ) -> AuthorizeResult | None:
            return await self._authorize(context, enterprise_id, team_id)

        return authorize

    async def _authorize(
        self, context: AsyncBoltContext, enterprise_id: str | None, team_id: str | None
    ) -> AuthorizeResult | None:
        whole = context.is_enterprise_install and enterprise_id
        workspace = enterprise_id if whole else team_id
        try:
            found = await self.installed(workspace or "")
        except RefusedError as error:
            log.warning("unknown_workspace", workspace=workspace, reason=error.reason, what=INSTALL_AGAIN)
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_user_id=found.user,
            bot_id=found.bot,
            bot_token=found.token,
        )

    def _on_event(self, interactions: Interactions) -> Callable[..., Awaitable[None]]:
        async def on_event(body: dict[str, Any], context: AsyncBoltContext) -> None:
            """Take an event. It is acknowledged when this returns; if it raises, Slack sends it again."""
            inner = body["event"]
            if inner["type"] == "app_home_opened":
                self._start(interactions.home(translate.workspace(body), inner))
            elif inner["type"] in GONE:
                await self._gone(translate.workspace(body), inner)
            else:
                me = translate.Me(
                    context.bot_user_id or "", context.bot_id or "", self._settings.manifest == "scan"
                )
                event = translate.event(body, me)
                if event is not None:
                    await self._service.take(event)

        return on_event

    async def _gone(self, workspace: str, inner: dict[str, Any]) -> None:
        """Uninstalled, or our token taken back: everything of the workspace is deleted."""
        if inner["type"] == "tokens_revoked" and not (inner.get("tokens") or {}).get("bot"):
            return
        await self._installs.forget(workspace)
        await self._service.uninstalled("slack", workspace)
        log.info("uninstalled", platform="slack", workspace=workspace)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- HTTP

    def routes(self) -> list[web.RouteDef]:
        """What the web server answers for Slack: events in HTTP mode, installing where there are many."""
        found = []
        if not self._settings.sockets:
            found.append(web.post("/slack/events", self._events))
        if self._flow is not None:
            found.append(web.get("/slack/install", self._install))
            found.append(web.get("/slack/oauth_redirect", self._redirected))
        return found

    async def _events(self, request: web.Request) -> web.Response:
        return await to_aiohttp_response(await self._app.async_dispatch(await to_bolt_request(request)))

    async def _install(self, request: web.Request) -> web.Response:
        assert self._flow is not None
        return await to_aiohttp_response(await self._flow.handle_installation(await to_bolt_request(request)))

    async def _redirected(self, request: web.Request) -> web.Response:
        assert self._flow is not None
        return await to_aiohttp_response(await self._flow.handle_callback(await to_bolt_request(request)))

    # -- Socket Mode

    async def start(self) -> None:
        """Begin to listen. The library tries on while Slack is out of reach, and logs each try."""
        if not self._settings.sockets:
            return
        self._socket = AsyncSocketModeHandler(
            self._app,
            secret(self._settings.app_token),
            web_client=self.client(None),
            proxy=self._proxy,
            ping_interval=PING,
        )
        self._start(self._socket.connect_async())  # type: ignore[no-untyped-call]

    async def stop(self) -> None:
        """Listen no more."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            with contextlib.suppress(Exception):  # it may never have been connected
                # The library's own reader would take the other side's goodbye, and closing wait for it.
                if (reader := self._socket.client.message_receiver) is not None:
                    reader.cancel()
                await self._socket.close_async()  # type: ignore[no-untyped-call]
        await self._session.close()


def secret(value: Any) -> str | None:
    """A secret's value."""
    return value.get_secret_value() if value is not None else None
