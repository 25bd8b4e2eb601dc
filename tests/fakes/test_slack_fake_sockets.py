"""The fake Slack over Socket Mode, with the real slack_bolt and slack_sdk."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler

from tests.fakes.slack import EVERYTHING, Slack, User, Workspace

Test = Callable[[], Awaitable[None]]


def button(action_id: str, **more: Any) -> dict[str, Any]:
    """A button of an actions block."""
    return {
        "type": "button",
        "action_id": action_id,
        "text": {"type": "plain_text", "text": action_id},
        **more,
    }


def make_app(slack: Slack, ws: Workspace) -> AsyncApp:
    """An app that answers mentions in the thread, commands in the ack, and shortcuts and buttons with modals."""
    app = AsyncApp(token=ws.token, signing_secret=slack.signing_secret, client=slack.client(ws.token))

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
        self.ann, self.bob = ws.user("ann"), ws.user("bob")
        self.general = ws.channel("general", self.ann, self.bob)

    @property
    def people(self) -> tuple[User, User]:
        """Both people."""
        return self.ann, self.bob


@contextlib.asynccontextmanager
async def staged(**options: Any) -> AsyncIterator[Stage]:
    """A fake Slack with the app connected by a WebSocket."""
    options = {"scale": 0.002, **options}
    async with Slack.running(**options) as slack:
        ws = slack.workspace("Acme")
        app = make_app(slack, ws)
        handler = AsyncSocketModeHandler(app, slack.app_token, ping_interval=0.2)
        await handler.connect_async()
        try:
            await slack.connected()
            yield Stage(slack, ws, app)
        finally:
            await handler.close_async()


def run(scenario: Callable[..., Awaitable[None]], **options: Any) -> None:
    """Play a scenario on a stage of its own."""

    async def play() -> None:
        async with staged(**options) as stage:
            await scenario(stage)

    asyncio.run(asyncio.wait_for(play(), 20))


def test_a_mention_is_answered_in_its_thread() -> None:
    async def scenario(stage: Stage) -> None:
        message = await stage.ann.asks(stage.general, "read this")
        (answer,) = await stage.slack.answered(message)
        await stage.slack.settled()
        assert answer.thread_ts == message.ts
        assert answer.metadata == {"event_type": "reply", "event_payload": {"source": message.ts}}
        assert stage.slack.by_metadata("source") == {message.ts: 1}
        assert stage.slack.reply_counts() == {message.ts: 1}
        names = [one.name for one in stage.slack.events_sent()]
        assert sorted(names) == ["app_mention", "message", "message"]  # the last is the app's own answer
        assert all(0 < one < 3 for one in stage.slack.latencies())

    run(scenario)


def test_the_ack_of_a_command_is_shown_to_one_person() -> None:
    async def scenario(stage: Stage) -> None:
        answer = await stage.ann.slash("/smallprint", "rank x", stage.general)
        assert answer["text"] == "you said rank x"
        (shown,) = stage.slack.ephemerals(stage.ann)
        assert shown.text == "you said rank x"
        assert not stage.slack.ephemerals(stage.bob)
        assert not stage.slack.posts()

    run(scenario)


def test_a_shortcut_opens_a_modal_that_is_filled_in_and_submitted() -> None:
    async def scenario(stage: Stage) -> None:
        message = await stage.bob.says(stage.general, "twice as fast")
        await stage.ann.shortcut("check_claims", message)
        await stage.slack.until(lambda: stage.slack.modals(stage.ann))
        (view,) = stage.slack.modals(stage.ann)
        assert view.blocks[0]["text"]["text"] == "twice as fast"
        assert await stage.ann.submits(view, {"words": "bad"}) == {"text": "not that"}
        assert stage.slack.modals(stage.ann) == [view]
        assert await stage.ann.submits(view, {"words": "good"}) == {}
        assert not stage.slack.modals(stage.ann)

    run(scenario)


def test_a_button_answers_by_its_response_url() -> None:
    async def scenario(stage: Stage) -> None:
        message = await stage.ann.asks(stage.general, "read this")
        (answer,) = await stage.slack.answered(message)
        await stage.bob.press(answer, "details")
        await stage.slack.until(lambda: stage.slack.ephemerals(stage.bob))
        assert stage.slack.ephemerals(stage.bob)[0].text == "only for you"

    run(scenario)


def test_a_client_with_the_retry_handler_waits_out_a_429() -> None:
    async def scenario(stage: Stage) -> None:
        client = stage.slack.client(stage.ws.token)
        client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=2))
        stage.slack.fail("chat.postMessage", retry_after=1)
        await client.chat_postMessage(channel=stage.general.id, text="hello")
        outcomes = [call.outcome for call in stage.slack.calls("chat.postMessage")]
        assert outcomes == ["429", "ok"]
        assert len(stage.slack.posts(stage.general)) == 1

    run(scenario)


def test_a_missing_scope_is_named() -> None:
    async def scenario(stage: Stage) -> None:
        client = stage.slack.client(stage.ws.token)
        with pytest.raises(SlackApiError) as refused:
            await client.conversations_replies(channel=stage.general.id, ts="1.000000")
        assert refused.value.response["error"] == "missing_scope"
        assert "channels:history" in refused.value.response["needed"]
        assert "chat:write" in refused.value.response["provided"]

    run(scenario, manifest=EVERYTHING.without("channels:history", "groups:history", "im:history"))
