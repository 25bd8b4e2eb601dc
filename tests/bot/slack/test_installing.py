"""HTTP mode and OAuth: signatures, installing in a workspace or an organisation, sealed tokens, leaving."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import sqlite3
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from slack_sdk.oauth.installation_store import Installation
from structlog.testing import capture_logs

from bot.events import Place
from bot.keys import Keys, KeysError
from bot.ports import RefusedError
from bot.slack.installs import SealedStore, create_tables
from bot.state import State
from tests.bot.slack.staging import CLAIM, WORD, Stage, stage

Run = Callable[..., None]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Play a scene in HTTP mode."""

    def run(scene: Callable[[Stage], Awaitable[None]], **more: Any) -> None:
        async def whole() -> None:
            async with asyncio.timeout(20), stage(tmp_path, "minimal", socket=False, **more) as found:
                await scene(found)

        asyncio.run(whole())

    return run


def signed(secret: str, body: str, at: float) -> dict[str, str]:
    """The headers that Slack signs a request with."""
    stamp = str(int(at))
    digest = hmac.new(secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": f"v0={digest}",
    }


def test_events_come_signed_over_http(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message)
        assert reply.text.startswith(WORD)
        await s.ann.slash("/smallprint", "help", s.general)
        await s.sees(s.ann)

    run(scene)


def test_a_bad_or_stale_signature_gets_401_and_a_good_one_200(run: Run) -> None:
    async def scene(s: Stage) -> None:
        body = json.dumps({"type": "url_verification", "challenge": "abc"})
        now = time.time()
        cases = (
            (signed(s.slack.signing_secret, body, now), 200),
            (signed("wrong", body, now), 401),
            (signed(s.slack.signing_secret, body, now - 301), 401),
            (signed(s.slack.signing_secret, body + " ", now), 401),
            ({"Content-Type": "application/json"}, 401),
        )
        async with aiohttp.ClientSession() as session:
            for headers, status in cases:
                async with session.post(f"{s.address}/slack/events", data=body, headers=headers) as answer:
                    assert answer.status == status
                    if status == 200:
                        assert "abc" in await answer.text()

    run(scene)


def raw(folder: Path) -> bytes:
    """All bytes that the state's database holds."""
    return b"".join(path.read_bytes() for path in folder.glob("state.db*"))


def test_installing_by_oauth_seals_the_token_and_serves_the_workspace(run: Run, tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        status, page = await s.ann.installs(f"{s.address}/slack/install")
        assert status == 200, page
        s.ws.invite(s.general)
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message)
        assert reply.text.startswith(WORD)
        assert s.ws.token.encode() not in raw(tmp_path)
        # Who installed it may change settings, although somebody else made the channel.
        other = s.ws.channel("other", s.bob, s.ann, creator=s.bob)
        await s.ann.slash("/smallprint", "settings links on", other)
        await s.sees(s.ann)
        assert (await s.service.preferences(Place("slack", s.ws.id, other.id))).links

    run(scene, many=True)


def test_a_token_near_its_end_is_exchanged_and_kept_sealed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(s: Stage) -> None:
        s.slack.core.manifest = replace(s.slack.core.manifest, rotation=True)
        await s.ann.installs(f"{s.address}/slack/install")
        first = s.ws.token
        monkeypatch.setattr("bot.slack.installs.EXCHANGE_BEFORE", 24 * 60)
        second = (await s.edge.port(s.ws.id)).client.token
        assert second != first
        assert len(s.slack.calls("oauth.v2.access", "ok")) == 2
        for token in (first, second):
            assert token is not None
            assert token.encode() not in raw(tmp_path)

    run(scene, many=True)


def test_a_refused_consent_installs_nothing(run: Run) -> None:
    async def scene(s: Stage) -> None:
        _, page = await s.ann.installs(f"{s.address}/slack/install", deny=True)
        assert "access_denied" in page
        with pytest.raises(RefusedError, match="not_installed"):
            await s.edge.port(s.ws.id)

    run(scene, many=True)


def test_uninstalling_deletes_the_tokens_and_the_data(run: Run) -> None:
    async def scene(s: Stage) -> None:
        await s.ann.installs(f"{s.address}/slack/install")
        place = Place("slack", s.ws.id, s.general.id)
        await s.service.set_preference("channel", place, "links", True, s.ann.id)
        assert await s.edge.port(s.ws.id)
        s.ws.uninstall()
        await s.quiet()
        with pytest.raises(RefusedError, match="not_installed"):
            await s.edge.port(s.ws.id)
        assert not (await s.service.preferences(place)).links

    run(scene, many=True)


def test_a_revoked_token_deletes_them_too_and_a_new_installation_works(run: Run) -> None:
    async def scene(s: Stage) -> None:
        await s.ann.installs(f"{s.address}/slack/install")
        s.slack.revoke(s.ws.installation)
        await s.quiet()
        with pytest.raises(RefusedError):
            await s.edge.port(s.ws.id)
        await s.ann.installs(f"{s.address}/slack/install")
        s.ws.invite(s.general)
        message = await s.ann.asks(s.general, CLAIM)
        assert await s.slack.answered(message)

    run(scene, many=True)


def test_an_organisation_installs_for_all_its_workspaces(run: Run) -> None:
    async def scene(s: Stage) -> None:
        org = s.slack.enterprise("Org")
        first = s.slack.workspace("First", enterprise=org, install=False)
        second = s.slack.workspace("Second", enterprise=org, install=False)
        cat, dan = first.user("cat"), second.user("dan")
        status, page = await cat.installs(f"{s.address}/slack/install", org=True)
        assert status == 200, page
        for ws, user in ((first, cat), (second, dan)):
            channel = ws.channel("general", user)
            message = await user.asks(channel, CLAIM)
            (reply,) = await s.slack.answered(message)
            assert reply.text.startswith(WORD)
            await user.slash("/smallprint", "help", channel)
            await s.sees(user)
            await user.press(reply, "v1.why")
            await s.modal(user, "Why this word?")
        first.uninstall()
        await s.quiet()
        with pytest.raises(RefusedError, match="not_installed"):
            await s.edge.port(org.id)

    run(scene, many=True)


def test_a_workspace_that_nobody_installed_gets_a_line_and_no_answer(run: Run) -> None:
    async def scene(s: Stage) -> None:
        stranger = s.slack.workspace("Stranger")
        eve = stranger.user("eve")
        channel = stranger.channel("general", eve)
        message = await eve.asks(channel, CLAIM)
        await s.quiet()
        assert not s.slack.replies(message)
        assert all(one.state == "acked" for one in s.slack.events_sent())

    with capture_logs() as lines:
        run(scene, many=True)
    assert ("unknown_workspace", "not_installed") in [(line["event"], line.get("reason")) for line in lines]


def test_tokens_are_sealed_and_useless_without_the_key(tmp_path: Path) -> None:
    async def whole() -> None:
        keys = Keys([Keys.new()])
        state = await State.open(f"sqlite:///{tmp_path}/state.db", keys=keys)
        store = SealedStore("client", state.engine, keys)
        await create_tables(store.metadata, engine=state.engine)
        await create_tables(store.metadata, engine=state.engine)  # a second replica finds them made
        await store.async_save(
            Installation(
                app_id="A1",
                team_id="T1",
                bot_token="xoxb-secret-of-the-workspace",
                bot_refresh_token="xoxe-secret",
                bot_id="B1",
                bot_user_id="UB",
                bot_scopes="chat:write,commands",
                user_id="U1",
            )
        )
        found = await store.bot_of("T1")
        assert found is not None
        assert (found.bot_token, found.bot_refresh_token) == ("xoxb-secret-of-the-workspace", "xoxe-secret")
        assert await store.installer_of("T1") == "U1"
        assert await store.bot_of("T2") is None
        assert b"secret" not in raw(tmp_path)
        other = SealedStore("client", state.engine, Keys([Keys.new()]))
        with pytest.raises(KeysError):
            await other.bot_of("T1")
        await store.delete_of("T1")
        assert await store.bot_of("T1") is None
        await state.close()

    asyncio.run(whole())
    with sqlite3.connect(tmp_path / "state.db") as database:
        assert database.execute("select count(*) from slack_bots").fetchone() == (0,)
