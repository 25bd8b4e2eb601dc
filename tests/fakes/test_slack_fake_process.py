"""The fake Slack as a process of its own, with an app in this one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

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
