"""A small real app of slack_bolt, for the tests of the fake: it does one thing of each kind."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack.model import Channel
from tests.fakes.slack.scenario import User, Workspace
from tests.fakes.slack.server import Slack


def button(action_id: str, **more: Any) -> dict[str, Any]:
    """A button of an actions block."""
    return {
        "type": "button",
        "action_id": action_id,
        "text": {"type": "plain_text", "text": action_id},
        **more,
    }


def make_app(slack: Slack, token: str | None = None, **more: Any) -> AsyncApp:
    """An app that answers mentions in the thread, commands in the ack, and shortcuts with a modal."""
    client = slack.client(token)
    return with_listeners(AsyncApp(signing_secret=slack.signing_secret, client=client, **more))


def with_listeners(app: AsyncApp) -> AsyncApp:
    """The app with all that it does."""

    @app.event("app_mention")
    async def mention(event: dict[str, Any], client: Any) -> None:
        blocks = [
            {"type": "section", "text": {"type": "mrkdwn", "text": "read"}},
            {"type": "actions", "elements": [button("details", value="1")]},
        ]
        await client.chat_postMessage(
            channel=event["channel"],
            thread_ts=event.get("thread_ts") or event["ts"],
            text="read",
            blocks=blocks,
            metadata={"event_type": "reply", "event_payload": {"source": event["ts"]}},
        )

    @app.event("message")
    async def message() -> None:
        pass

    @app.command("/smallprint")
    async def command(ack: Any, command: dict[str, Any]) -> None:
        await ack(text=f"you said {command['text']}")

    @app.shortcut("check_claims")
    async def shortcut(ack: Any, shortcut: dict[str, Any], client: Any) -> None:
        await ack()
        await client.views_open(trigger_id=shortcut["trigger_id"], view=modal(shortcut["message"]["text"]))

    @app.action("details")
    async def details(ack: Any, body: dict[str, Any], client: Any, respond: Any) -> None:
        await ack()
        await respond(text="only for you", response_type="ephemeral", replace_original=False)

    @app.view("form")
    async def form(ack: Any, view: dict[str, Any]) -> None:
        value = view["state"]["values"]["text"]["words"]["value"]
        if value == "bad":
            await ack(response_action="errors", errors={"text": "not that"})
        else:
            await ack()

    return app


def modal(text: str) -> dict[str, Any]:
    """A modal with one input."""
    return {
        "type": "modal",
        "callback_id": "form",
        "title": {"type": "plain_text", "text": "Claims"},
        "submit": {"type": "plain_text", "text": "Read"},
        "blocks": [
            {"type": "section", "text": {"type": "mrkdwn", "text": text}},
            {
                "type": "input",
                "block_id": "text",
                "label": {"type": "plain_text", "text": "Text"},
                "element": {"type": "plain_text_input", "action_id": "words"},
            },
        ],
    }


class Stage:
    """A workspace with two people and a channel, and the app connected to it."""

    def __init__(self, slack: Slack, ws: Workspace, app: AsyncApp) -> None:
        self.slack, self.ws, self.app = slack, ws, app
        self.ann: User = ws.user("ann")
        self.bob: User = ws.user("bob")
        self.general: Channel = ws.channel("general", self.ann, self.bob)
        self.client = slack.client(ws.token)


@contextlib.asynccontextmanager
async def by_socket(**options: Any) -> AsyncIterator[Stage]:
    """A fake Slack with the app connected by a WebSocket."""
    async with Slack.running(**{"scale": 0.002, **options}) as slack:
        ws = slack.workspace("Acme")
        app = make_app(slack, ws.token)
        handler = AsyncSocketModeHandler(app, slack.app_token, ping_interval=0.2)
        await handler.connect_async()  # type: ignore[no-untyped-call]
        try:
            await slack.connected()
            yield Stage(slack, ws, app)
        finally:
            await handler.close_async()  # type: ignore[no-untyped-call]


@contextlib.asynccontextmanager
async def serving(app: AsyncApp, port: int = 0) -> AsyncIterator[str]:
    """The app behind an HTTP server on a free port: its address."""

    async def handle(request: web.Request) -> web.Response:
        bolt = AsyncBoltRequest(
            body=await request.text(),
            query=request.query_string,
            headers={key: [value] for key, value in request.headers.items()},
        )
        done = await dispatch(app, request.path, bolt)
        headers = [(key, value) for key, values in done.headers.items() for value in values]
        return web.Response(status=done.status, body=done.body, headers=dict(headers))

    server = web.Application()
    server.router.add_route("*", "/slack/{tail:.*}", handle)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def dispatch(app: AsyncApp, path: str, request: AsyncBoltRequest) -> Any:
    """An event or an interaction; an install page or its redirect, where the app has them."""
    flow = app.oauth_flow
    if flow is not None and path == flow.install_path:
        return await flow.handle_installation(request)
    if flow is not None and path == flow.redirect_uri_path:
        return await flow.handle_callback(request)
    return await app.async_dispatch(request)


async def serve() -> None:
    """The app as a process of its own, by Socket Mode: the way `smallprint run` is started."""
    client = AsyncWebClient(token=os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SMALLPRINT_SLACK_API"])
    handler = AsyncSocketModeHandler(with_listeners(AsyncApp(client=client)), os.environ["SLACK_APP_TOKEN"])
    await handler.start_async()  # type: ignore[no-untyped-call]


@contextlib.asynccontextmanager
async def by_http(**options: Any) -> AsyncIterator[Stage]:
    """A fake Slack that posts signed requests to the app."""
    async with Slack.running(**{"scale": 0.002, **options}) as slack:
        ws = slack.workspace("Acme")
        app = make_app(slack, ws.token)
        async with serving(app) as address:
            slack.use_http(f"{address}/slack/events")
            yield Stage(slack, ws, app)


if __name__ == "__main__":
    asyncio.run(serve())
