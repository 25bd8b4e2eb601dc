"""The fake Slack as a process of its own, with an app in this one."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.conftest import ROOT
from tests.fakes.slack import Slack, Workspace
from tests.fakes.slack.remote import RemoteSlack


def test_it_serves_an_app_and_keeps_a_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"

    async def play() -> None:
        async with RemoteSlack.running("--journal", str(journal), "--scale", "0.01") as slack:
            facts = slack.facts
            client = AsyncWebClient(token=facts["bot_token"], base_url=facts["api_url"])
            app = AsyncApp(token=facts["bot_token"], signing_secret="none", client=client)

            @app.event("app_mention")
            async def mention(event: dict[str, str]) -> None:
                metadata = {"event_type": "reply", "event_payload": {"source": event["ts"]}}
                await client.chat_postMessage(
                    channel=event["channel"], thread_ts=event["ts"], text="read", metadata=metadata
                )

            @app.event("message")
            async def message() -> None:
                pass

            handler = AsyncSocketModeHandler(app, facts["app_token"])
            await handler.connect_async()  # type: ignore[no-untyped-call]
            said = await slack("says", user="ann", channel="general", text="read this", mention=True)
            while not (await slack("posts", channel="general"))["posts"]:
                await asyncio.sleep(0.02)
            await slack("settled")
            counts = await slack("counts", key="source")
            assert counts == {"threads": {said["ts"]: 1}, "metadata": {said["ts"]: 1}, "strays": 0}
            state = await slack("state")
            assert (state["open"], state["lost"], state["offences"]) == (0, 0, [])
            await handler.close_async()  # type: ignore[no-untyped-call]

    asyncio.run(asyncio.wait_for(play(), 30))
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [line["text"] for line in lines if line["what"] == "post"] == ["read"]
    assert {line["name"] for line in lines if line["what"] == "ack"} == {"app_mention", "message"}


def test_it_outlives_an_app_that_is_killed_and_sends_again_what_was_not_acked() -> None:
    async def play() -> None:
        async with Slack.running(scale=0.01, retry_after=(0.0, *[10.0] * 100)) as slack:
            ws = slack.workspace()
            ann = ws.user("ann")
            general = ws.channel("general", ann)
            app = await start_app(slack, ws)
            await slack.connected()
            first = await ann.asks(general, "one")
            await slack.answered(first)
            app.kill()
            await app.wait()
            await slack.until(lambda: not slack.sockets.open)
            second = await ann.asks(general, "two")
            app = await start_app(slack, ws)
            try:
                await slack.answered(second)
                await slack.settled()
                assert slack.reply_counts() == {first.ts: 1, second.ts: 1}
                assert {one.state for one in slack.events_sent()} == {"acked"}
            finally:
                app.kill()
                await app.wait()

    asyncio.run(asyncio.wait_for(play(), 30))


async def start_app(slack: Slack, ws: Workspace) -> asyncio.subprocess.Process:
    """The example app as a process of its own."""
    tokens = {
        "SMALLPRINT_SLACK_API": slack.api_url,
        "SLACK_APP_TOKEN": slack.app_token,
        "SLACK_BOT_TOKEN": ws.token,
        "SLACK_SIGNING_SECRET": slack.signing_secret,
    }
    command = (sys.executable, "-m", "tests.fakes.slack.example")
    return await asyncio.create_subprocess_exec(*command, cwd=ROOT, env={**os.environ, **tokens})
