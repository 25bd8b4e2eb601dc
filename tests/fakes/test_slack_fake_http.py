"""The fake Slack over signed HTTP and OAuth, with the real slack_bolt and slack_sdk."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store import FileInstallationStore
from slack_sdk.oauth.state_store import FileOAuthStateStore

from tests.fakes.slack import ApiError, Delivery, Slack
from tests.fakes.slack.example import Stage, by_http, make_app, serving


def run(scenario: Callable[[Stage], Awaitable[None]], **options: Any) -> None:
    """Play a scenario on a stage of its own."""

    async def play() -> None:
        async with by_http(**options) as stage:
            await scenario(stage)

    asyncio.run(asyncio.wait_for(play(), 20))


def test_events_commands_and_modals_work_over_http_too() -> None:
    async def scenario(stage: Stage) -> None:
        message = await stage.ann.asks(stage.general, "read this")
        await stage.slack.answered(message)
        assert (await stage.ann.slash("/smallprint", "help", stage.general))["text"] == "you said help"
        await stage.ann.shortcut("check_claims", message)
        await stage.slack.until(lambda: stage.slack.views(stage.ann))
        assert await stage.ann.submits(stage.slack.views(stage.ann)[0], {"words": "bad"})

    run(scenario)


def test_the_request_url_is_verified() -> None:
    async def scenario(stage: Stage) -> None:
        assert stage.slack.http is not None
        assert await stage.slack.http.challenge()

    run(scenario)


@pytest.mark.parametrize(
    ("forgery", "status"), [({"secret": "other"}, 401), ({"age": 400.0}, 401), ({}, 200)]
)
def test_a_bad_or_stale_signature_is_refused_by_the_app(forgery: dict[str, Any], status: int) -> None:
    async def scenario(stage: Stage) -> None:
        await stage.ann.says(stage.general, "hello")
        await stage.slack.settled()
        (sent,) = stage.slack.events_sent("message")
        assert stage.slack.http is not None
        assert await stage.slack.http.forged(Delivery("events_api", "Ev1", sent.payload), **forgery) == status

    run(scenario)


@contextlib.asynccontextmanager
async def answering(slack: Slack, *answers: web.Response) -> AsyncIterator[list[dict[str, str]]]:
    """An app that gives these answers in turn; the headers that it was sent."""
    seen: list[dict[str, str]] = []
    left = list(answers)

    async def handle(request: web.Request) -> web.Response:
        seen.append(dict(request.headers))
        return left.pop(0)

    server = web.Application()
    server.router.add_post("/slack/events", handle)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    slack.use_http(f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events")
    try:
        yield seen
    finally:
        await runner.cleanup()


def test_a_failed_request_is_repeated_with_its_number_and_reason() -> None:
    async def play() -> None:
        async with Slack.running(scale=0.0001) as slack:
            ws = slack.workspace()
            ann = ws.user("ann")
            general = ws.channel("general", ann)
            async with answering(slack, web.Response(status=500), web.Response()) as seen:
                await ann.says(general, "hello")
                await slack.settled()
            assert "X-Slack-Retry-Num" not in seen[0]
            assert (seen[1]["X-Slack-Retry-Num"], seen[1]["X-Slack-Retry-Reason"]) == ("1", "http_error")

    asyncio.run(play())


def test_an_app_may_ask_for_no_more_retries() -> None:
    async def play() -> None:
        async with Slack.running(scale=0.0001) as slack:
            ws = slack.workspace()
            ann = ws.user("ann")
            general = ws.channel("general", ann)
            refusal = web.Response(status=500, headers={"X-Slack-No-Retry": "1"})
            async with answering(slack, refusal) as seen:
                await ann.says(general, "hello")
                await slack.settled()
            assert len(seen) == 1
            assert slack.events_sent()[0].state == "lost"

    asyncio.run(play())


def oauth_app(slack: Slack, folder: str, scopes: list[str]) -> AsyncApp:
    """The example app, installed by OAuth."""
    settings = AsyncOAuthSettings(
        client_id=slack.core.client_id,
        client_secret=slack.core.client_secret,
        scopes=scopes,
        installation_store=FileInstallationStore(base_dir=f"{folder}/installed"),
        state_store=FileOAuthStateStore(expiration_seconds=60, base_dir=f"{folder}/states"),
    )
    return make_app(slack, oauth_settings=settings)


@pytest.mark.parametrize("org", [False, True])
def test_an_app_is_installed_by_oauth_and_answers(tmp_path: Any, org: bool) -> None:
    async def play() -> None:
        async with Slack.running(scale=0.002) as slack:
            ws = slack.workspace("Acme", enterprise=slack.enterprise() if org else None, install=False)
            ann = ws.user("ann")
            app = oauth_app(slack, str(tmp_path), ["chat:write", "app_mentions:read", "commands"])
            async with serving(app) as address:
                slack.use_http(f"{address}/slack/events")
                status, page = await ann.installs(f"{address}/slack/install", org=org)
                assert status == 200, page
                assert ws.installation.scopes == {"chat:write", "app_mentions:read", "commands"}
                assert ws.installation.org_wide is org
                general = ws.channel("general", ann)
                message = await ann.asks(general, "read this")
                await slack.answered(message)
                await slack.settled()
                assert [one.name for one in slack.events_sent()] == ["app_mention"]

    asyncio.run(asyncio.wait_for(play(), 20))


def test_an_installation_that_a_person_declines_or_that_asks_for_too_much(tmp_path: Any) -> None:
    async def play() -> None:
        async with Slack.running() as slack:
            ws = slack.workspace(install=False)
            ann = ws.user("ann")
            async with serving(oauth_app(slack, str(tmp_path), ["chat:write"])) as address:
                _, page = await ann.installs(f"{address}/slack/install", deny=True)
                assert "access_denied" in page
                assert not slack.core.world.installations
            async with serving(oauth_app(slack, str(tmp_path), ["admin"])) as address:
                with pytest.raises(ApiError, match="invalid_scope"):
                    await ann.installs(f"{address}/slack/install")

    asyncio.run(play())
