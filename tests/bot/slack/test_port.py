"""The port alone against the strict fake: what is found again, what may not be looked at, what is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.events import Place
from bot.page import Page
from bot.ports import CannotLookError, NotNowError, Post, RefusedError
from bot.reply import build
from bot.slack.port import SlackPort
from tests.bot.cases import CASES
from tests.conftest import ROOT
from tests.fakes.slack import Slack, Workspace

FRAME = next(told for told in CASES if told.name == "frame, scale")
REPLY = build([FRAME.claim], [FRAME.reading], "en")
Scene = Callable[[Slack, Workspace, SlackPort], Awaitable[None]]


def play(scene: Scene, manifest: str = "thread") -> None:
    """Play a scene with a port of a workspace."""

    async def whole() -> None:
        path = ROOT / "deploy" / "slack" / f"{manifest}.json"
        async with asyncio.timeout(20), Slack.running(path, scale=0.002) as slack:
            ws = slack.workspace("Acme")
            client = AsyncWebClient(token=ws.token, base_url=slack.api_url, retry_handlers=[])
            await scene(slack, ws, SlackPort(client))

    asyncio.run(whole())


def post_in(ws: Workspace, channel: str, source: str | None, key: str = "k1") -> Post:
    """A post of the case's reply."""
    return Post(key, Place("slack", ws.id, channel), REPLY, source, "U1")


def test_a_post_is_found_again_by_its_key_and_no_other_is() -> None:
    async def scene(slack: Slack, ws: Workspace, port: SlackPort) -> None:
        ann = ws.user("ann")
        general = ws.channel("general", ann)
        message = await ann.says(general, "x")
        first = post_in(ws, general.id, message.ts)
        assert await port.find(first) is None
        ts = await port.post(first)
        for n in range(250):  # more than one page of a busy thread
            await ann.says(general, f"chat {n}", thread=message)
        late = await port.post(replace(first, key="k2"))
        assert await port.find(first) == ts
        assert await port.find(replace(first, key="k2")) == late
        assert await port.find(replace(first, key="k3")) is None
        digest = replace(first, key="k4", source=None)
        assert await port.find(digest) is None
        assert await port.find(digest) is None
        posted = await port.post(digest)
        assert await port.find(digest) == posted

    play(scene)


def test_without_the_right_to_look_nothing_is_claimed() -> None:
    async def scene(slack: Slack, ws: Workspace, port: SlackPort) -> None:
        ann = ws.user("ann")
        general = ws.channel("general", ann)
        message = await ann.says(general, "x")
        with pytest.raises(CannotLookError):
            await port.find(post_in(ws, general.id, message.ts))
        with pytest.raises(CannotLookError):
            await port.read(Place("slack", ws.id, general.id), message.ts)

    play(scene, "minimal")


def test_a_message_is_read_in_a_thread_and_out_of_it() -> None:
    async def scene(slack: Slack, ws: Workspace, port: SlackPort) -> None:
        ann = ws.user("ann")
        general = ws.channel("general", ann)
        root = await ann.says(general, "root")
        reply = await ann.says(general, "reply", thread=root)
        place = Place("slack", ws.id, general.id)
        for message in (root, reply):
            found = await port.read(place, message.ts)
            assert found is not None
            assert (found.id, found.author, found.text) == (message.ts, ann.id, message.text)
            assert not found.automated
            assert found.at == float(message.ts)
        await ann.deletes(reply)
        assert await port.read(place, reply.ts) is None

    play(scene)


def test_replies_are_replaced_and_removed_and_what_is_gone_is_removed() -> None:
    async def scene(slack: Slack, ws: Workspace, port: SlackPort) -> None:
        ann = ws.user("ann")
        general = ws.channel("general", ann)
        message = await ann.says(general, "x")
        post = post_in(ws, general.id, message.ts)
        ts = await port.post(post)
        await port.update(replace(post, reply=Page("en", "A page", ("a line",))), ts)
        (shown,) = slack.replies(message)
        assert shown.text == "A page"
        assert shown.metadata == {"event_type": "smallprint_reply", "event_payload": {"key": "k1"}}
        await port.remove(post.place, ts)
        await port.remove(post.place, ts)
        assert not slack.replies(message)
        with pytest.raises(RefusedError):
            await port.update(post, ts)

    play(scene)


def test_a_table_that_is_refused_is_told_as_text() -> None:
    async def scene(slack: Slack, ws: Workspace, port: SlackPort) -> None:
        ann = ws.user("ann")
        general = ws.channel("general", ann)
        message = await ann.says(general, "x")
        slack.fail("chat.postMessage", error="invalid_blocks")
        await port.post(post_in(ws, general.id, message.ts))
        (shown,) = slack.replies(message)
        assert "data_table" not in {block["type"] for block in shown.blocks}
        assert "16,635 CoreWeave GB300 NVL72" in str(shown.blocks)

    play(scene)


def test_an_answer_to_a_message_that_is_gone_leaves_nothing_in_the_channel() -> None:
    async def scene(slack: Slack, ws: Workspace, port: SlackPort) -> None:
        ann = ws.user("ann")
        general = ws.channel("general", ann)
        message = await ann.says(general, "x")
        await ann.deletes(message)
        with pytest.raises(RefusedError, match="thread_not_found"):
            await port.post(post_in(ws, general.id, message.ts))
        assert not slack.posts(general)

    play(scene)


def test_failures_say_whether_slack_may_have_carried_them_out() -> None:
    async def scene(slack: Slack, ws: Workspace, port: SlackPort) -> None:
        ann = ws.user("ann")
        general = ws.channel("general", ann)
        message = await ann.says(general, "x")
        post = post_in(ws, general.id, message.ts)
        slack.fail("chat.postMessage", retry_after=3)
        with pytest.raises(NotNowError) as limited:
            await port.post(post)
        assert (limited.value.sure, limited.value.after) == (True, 3.0)
        for fault in ({"status": 500}, {"lose": "answer"}, {"lose": "request"}):
            slack.fail("chat.postMessage", **fault)
            with pytest.raises(NotNowError) as unsure:
                await port.post(post)
            assert not unsure.value.sure
        general.archived = True
        with pytest.raises(RefusedError) as refused:
            await port.post(post)
        assert refused.value.reason == "is_archived"

    play(scene)
