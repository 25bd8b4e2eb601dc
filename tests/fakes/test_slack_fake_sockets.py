"""The fake Slack over Socket Mode, with the real slack_bolt and slack_sdk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler

from tests.fakes.slack import EVERYTHING, NotAckedError, ScenarioError
from tests.fakes.slack.example import Stage, by_socket


def run(scenario: Callable[[Stage], Awaitable[None]], **options: Any) -> None:
    """Play a scenario on a stage of its own."""

    async def play() -> None:
        async with by_socket(**options) as stage:
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
        await stage.slack.until(lambda: stage.slack.views(stage.ann))
        (view,) = stage.slack.views(stage.ann)
        assert view.blocks[0]["text"]["text"] == "twice as fast"
        assert await stage.ann.submits(view, {"words": "bad"}) == {"text": "not that"}
        assert stage.slack.views(stage.ann) == [view]
        assert await stage.ann.submits(view, {"words": "good"}) == {}
        assert not stage.slack.views(stage.ann)

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


def test_an_event_whose_ack_never_comes_is_sent_again() -> None:
    seen: list[tuple[Any, Any]] = []

    async def scenario(stage: Stage) -> None:
        @stage.app.middleware
        async def note(req: Any, next: Any) -> None:
            seen.append((req.headers.get("x-slack-retry-num"), req.headers.get("x-slack-retry-reason")))
            await next()

        stage.slack.sockets.mute = True
        await stage.ann.says(stage.general, "hello")
        await stage.slack.until(lambda: len(seen) == 2)
        stage.slack.sockets.mute = False
        await stage.slack.settled()
        (delivery,) = stage.slack.events_sent("message")
        assert delivery.state == "acked"
        assert delivery.failures == ["timeout"] * (delivery.attempts - 1)

    run(scenario, ack=0.2)
    assert seen[1] == (["1"], ["timeout"])


def test_an_event_is_given_up_after_three_retries() -> None:
    async def scenario(stage: Stage) -> None:
        stage.slack.sockets.mute = True
        await stage.ann.says(stage.general, "hello")
        await stage.slack.settled()
        (delivery,) = stage.slack.events_sent("message")
        assert (delivery.state, delivery.attempts) == ("lost", 4)

    run(scenario, ack=0.02)


def test_the_app_reconnects_after_a_disconnect_and_after_a_cut() -> None:
    async def scenario(stage: Stage) -> None:
        for part in (stage.slack.sockets.disconnect, stage.slack.sockets.cut):
            before = stage.slack.sockets.opened
            await part()
            await stage.slack.until(lambda: stage.slack.sockets.opened > before)  # noqa: B023
            await stage.slack.connected()
            message = await stage.ann.asks(stage.general, "still there?")
            await stage.slack.answered(message)

    run(scenario)


def test_an_event_that_was_on_a_cut_connection_is_sent_again() -> None:
    async def scenario(stage: Stage) -> None:
        stage.slack.sockets.mute = True
        await stage.ann.says(stage.general, "hello")
        await stage.slack.until(lambda: stage.slack.deliveries.all[0].attempts == 1)
        await stage.slack.sockets.cut()
        stage.slack.sockets.mute = False
        await stage.slack.settled()
        (delivery,) = stage.slack.events_sent("message")
        assert delivery.state == "acked"
        assert set(delivery.failures) == {"connection_failed"}

    run(scenario, retry_after=(0.0, 0.0, *[60.0] * 40))


def test_a_command_fails_for_the_person_while_nobody_is_connected() -> None:
    async def scenario(stage: Stage) -> None:
        stage.slack.sockets.mute = True
        with pytest.raises(NotAckedError):
            await stage.ann.slash("/smallprint", "help", stage.general)

    run(scenario, ack=0.05)


def test_a_person_cannot_press_what_is_not_there() -> None:
    async def scenario(stage: Stage) -> None:
        message = await stage.ann.asks(stage.general, "read this")
        (answer,) = await stage.slack.answered(message)
        with pytest.raises(ScenarioError, match="only"):
            await stage.bob.press(answer, "no_such_button")

    run(scenario)
