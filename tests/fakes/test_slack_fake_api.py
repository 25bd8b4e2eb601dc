"""What the Web API of the fake Slack refuses, and which events it sends, with the real slack_sdk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.fakes.slack import EVERYTHING, Channel, ScenarioError, Slack, User, Workspace, limits


class Deaf:
    """A way to the app that acknowledges everything at once."""

    async def send(self, delivery: Any) -> None:
        """Take it."""


@dataclass
class World:
    """A workspace without an app, and slack_sdk's client with the bot's token."""

    slack: Slack
    ws: Workspace
    ann: User
    general: Channel
    client: AsyncWebClient

    def sent(self) -> list[dict[str, Any]]:
        """The events that the app would have got."""
        return [one.payload["event"] for one in self.slack.events_sent()]

    async def refused(self, call: Awaitable[Any]) -> str:
        """The error of a call that Slack refuses."""
        with pytest.raises(SlackApiError) as error:
            await call
        return str(error.value.response["error"])


def run(scenario: Callable[[World], Awaitable[None]], **options: Any) -> None:
    """Play a scenario."""

    async def play() -> None:
        async with Slack.running(**options) as slack:
            slack.deliveries.transport = Deaf()
            ws = slack.workspace("Acme")
            ann = ws.user("ann")
            general = ws.channel("general", ann)
            client = slack.client(ws.token)
            client.retry_handlers = []
            await scenario(World(slack, ws, ann, general, client))
            await slack.settled()

    asyncio.run(asyncio.wait_for(play(), 20))


def test_a_token_is_checked() -> None:
    async def scenario(world: World) -> None:
        assert await world.refused(world.slack.client("xoxb-none").auth_test()) == "invalid_auth"
        assert await world.refused(world.slack.client().auth_test()) == "not_authed"
        assert (await world.client.auth_test())["bot_id"] == world.ws.installation.bot_id
        await world.client.auth_revoke()
        assert await world.refused(world.client.auth_test()) == "token_revoked"
        again = world.ws.install()
        world.ws.uninstall()
        client = world.slack.client(again.token)
        assert await world.refused(client.auth_test()) == "account_inactive"
        assert [one["type"] for one in world.sent()] == [
            "tokens_revoked",
            "tokens_revoked",
            "app_uninstalled",
        ]

    run(scenario)


def test_a_channel_that_the_app_may_not_write_to() -> None:
    async def scenario(world: World) -> None:
        def post(channel: Channel) -> Awaitable[Any]:
            return world.client.chat_postMessage(channel=channel.id, text="hello")

        other, secret = (
            world.ws.channel("other", bot=False),
            world.ws.channel("secret", kind="private", bot=False),
        )
        assert await world.refused(post(other)) == "not_in_channel"
        assert await world.refused(post(secret)) == "channel_not_found"
        world.general.restricted = True
        assert await world.refused(post(world.general)) == "restricted_action"
        world.ws.archive(world.general)
        assert await world.refused(post(world.general)) == "is_archived"
        assert not world.slack.posts()

    run(scenario)


SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "x"}}


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ({"text": ""}, "no_text"),
        ({"text": "", "blocks": [SECTION]}, "no_text"),
        ({"text": "x" * 40_001}, "msg_too_long"),
        ({"text": "x", "blocks": [SECTION] * 51}, "invalid_blocks"),
        ({"text": "x", "blocks": [{**SECTION, "colour": "red"}]}, "invalid_blocks"),
        (
            {
                "text": "x",
                "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 2900}}] * 4,
            },
            "msg_blocks_too_long",
        ),
        ({"text": "x", "metadata": {"event_type": "x", "payload": {}}}, "invalid_metadata_format"),
        ({"text": "x", "colour": "red"}, "invalid_arguments"),
    ],
)
def test_a_message_that_slack_would_not_take_fails_the_test(content: dict[str, Any], error: str) -> None:
    async def scenario(world: World) -> None:
        assert (
            await world.refused(world.client.chat_postMessage(channel=world.general.id, **content)) == error
        )
        with pytest.raises(AssertionError, match=error):
            world.slack.check()
        assert len(world.slack.forgive(error)) == 1
        world.slack.check()

    run(scenario)


def test_posts_are_limited_by_channel() -> None:
    async def scenario(world: World) -> None:
        for channel in (world.general, world.ws.channel("other")):
            for _ in range(limits.POST_BURST):
                await world.client.chat_postMessage(channel=channel.id, text="x")
            with pytest.raises(SlackApiError) as limited:
                await world.client.chat_postMessage(channel=channel.id, text="x")
            assert limited.value.response.status_code == 429
            assert int(limited.value.response.headers["Retry-After"]) == 1
        assert len(world.slack.posts()) == 2 * limits.POST_BURST

    run(scenario)


def test_a_scaled_limit_lets_through_again_soon() -> None:
    async def scenario(world: World) -> None:
        for _ in range(10):
            await world.client.chat_postMessage(channel=world.general.id, text="x")
            await asyncio.sleep(0.02)
        assert {call.outcome for call in world.slack.calls("chat.postMessage")} == {"ok"}

    run(scenario, scale=0.01)


def test_a_post_whose_answer_was_lost_stands_in_the_channel() -> None:
    async def scenario(world: World) -> None:
        metadata = {"event_type": "reply", "event_payload": {"key": "k1"}}
        for lose, posts in (("request", 0), ("answer", 1)):
            world.slack.fail("chat.postMessage", lose=lose)
            with pytest.raises(aiohttp.ClientError):
                await world.client.chat_postMessage(channel=world.general.id, text="x", metadata=metadata)
            assert len(world.slack.posts()) == posts
        found = await world.client.conversations_history(channel=world.general.id, include_all_metadata=True)
        assert found["messages"][0]["metadata"] == metadata
        bare = await world.client.conversations_history(channel=world.general.id)
        assert "metadata" not in bare["messages"][0]
        world.slack.fail("chat.postMessage", status=503)
        with pytest.raises(SlackApiError):
            await world.client.chat_postMessage(channel=world.general.id, text="x")

    run(scenario)


def test_a_thread_is_read_in_pages() -> None:
    async def scenario(world: World) -> None:
        root = await world.ann.says(world.general, "root")
        for number in range(5):
            await world.ann.says(world.general, f"reply {number}", thread=root)
        texts, cursor = [], None
        while cursor != "":
            page = await world.client.conversations_replies(
                channel=world.general.id, ts=root.ts, limit=2, cursor=cursor
            )
            texts += [one["text"] for one in page["messages"][1:]]
            cursor = (page.get("response_metadata") or {}).get("next_cursor", "")
        assert texts == [f"reply {number}" for number in range(5)]
        history = await world.client.conversations_history(channel=world.general.id)
        assert [one["text"] for one in history["messages"]] == ["root"]

    run(scenario)


def test_one_message_arrives_as_mention_message_and_link_without_text() -> None:
    async def scenario(world: World) -> None:
        text = f"{world.ws.mention} see <https://news.vendor.example/a|this> and <https://else.example/b>"
        message = await world.ann.says(world.general, text)
        mention, whole, links = world.sent()
        assert (mention["type"], whole["type"], links["type"]) == ("app_mention", "message", "link_shared")
        assert mention["ts"] == whole["ts"] == links["message_ts"] == message.ts
        assert links["links"] == [{"url": "https://news.vendor.example/a", "domain": "vendor.example"}]
        assert "text" not in links
        assert links["is_bot_user_member"]
        ids = {one.id for one in world.slack.events_sent()}
        assert len(ids) == 3

    run(scenario)


def test_without_history_scopes_and_membership_only_links_are_told() -> None:
    async def scenario(world: World) -> None:
        other = world.ws.channel("other", world.ann, bot=False)
        await world.ann.says(world.general, "see https://vendor.example/a")
        await world.ann.says(other, f"{world.ws.mention} see https://vendor.example/a")
        await world.ann.composes("see https://vendor.example/a")
        kinds = [(one["type"], one["source"], one["is_bot_user_member"]) for one in world.sent()]
        assert kinds == [
            ("link_shared", "conversations_history", True),
            ("link_shared", "conversations_history", False),
            ("link_shared", "composer", True),
        ]

    run(scenario, manifest=EVERYTHING.without("channels:history"))


def test_edits_previews_and_deletions_are_told() -> None:
    async def scenario(world: World) -> None:
        message = await world.ann.says(world.general, "one")
        await world.ann.edits(message, "two")
        world.slack.preview(message, [{"title": "preview"}])
        await world.ann.deletes(message)
        _, edited, preview, deleted = world.sent()
        assert (edited["message"]["text"], edited["previous_message"]["text"]) == ("two", "one")
        assert edited["message"]["edited"]["user"] == world.ann.id
        assert preview["message"]["text"] == preview["previous_message"]["text"]
        assert preview["message"]["attachments"]
        assert (deleted["subtype"], deleted["deleted_ts"]) == ("message_deleted", message.ts)

    run(scenario)


def test_an_edited_mention_is_told_again_as_a_new_event() -> None:
    async def scenario(world: World) -> None:
        message = await world.ann.asks(world.general, "one")
        await world.ann.edits(message, f"{world.ws.mention} two")
        first, second = (one.payload for one in world.slack.events_sent("app_mention"))
        assert first["event_id"] != second["event_id"]
        assert first["event"]["ts"] == second["event"]["ts"] == message.ts
        assert "edited" not in first["event"]
        assert second["event"]["edited"]["user"] == world.ann.id

    run(scenario)


def test_a_deleted_parent_stays_as_a_tombstone_until_its_last_reply_goes() -> None:
    async def scenario(world: World) -> None:
        message = await world.ann.says(world.general, "root")
        answer = await world.client.chat_postMessage(
            channel=world.general.id, text="answer", thread_ts=message.ts
        )
        await world.ann.deletes(message)
        assert world.sent()[-1]["subtype"] == "message_changed"
        assert world.sent()[-1]["message"]["subtype"] == "tombstone"
        await world.client.chat_delete(channel=world.general.id, ts=answer["ts"])
        assert [one["subtype"] for one in world.sent()[-2:]] == ["message_deleted"] * 2
        assert not world.general.messages

    run(scenario)


def test_an_answer_to_a_thread_that_is_gone_strays_into_the_channel() -> None:
    async def scenario(world: World) -> None:
        message = await world.ann.says(world.general, "root")
        await world.ann.deletes(message)
        await world.client.chat_postMessage(channel=world.general.id, text="late", thread_ts=message.ts)
        (stray,) = world.slack.strays
        assert stray.thread_ts is None

    run(scenario)


def test_a_response_url_wears_out() -> None:
    async def scenario(world: World) -> None:
        url = world.slack.core.response_url(world.ann.member, world.general)
        codes = [(await AsyncWebhookClient(url).send(text="x")).status_code for _ in range(6)]
        assert codes == [200] * 5 + [404]
        assert len(world.slack.ephemerals(world.ann)) == 5
        assert len(world.slack.forgive("used_url")) == 1

    run(scenario)


def test_a_trigger_is_good_once_and_for_a_short_time() -> None:
    async def scenario(world: World) -> None:
        view = {"type": "modal", "title": {"type": "plain_text", "text": "x"}, "blocks": [SECTION]}
        trigger = world.slack.core.trigger(world.ann.member)
        opened = await world.client.views_open(trigger_id=trigger, view=view)
        again = world.client.views_open(trigger_id=trigger, view=view)
        assert await world.refused(again) == "exchanged_trigger_id"
        late = world.slack.core.trigger(world.ann.member)
        await asyncio.sleep(0.15)
        assert (
            await world.refused(world.client.views_open(trigger_id=late, view=view)) == "expired_trigger_id"
        )
        update = {"view_id": opened["view"]["id"], "view": view}
        assert (await world.client.views_update(hash=opened["view"]["hash"], **update))["ok"]
        assert await world.refused(world.client.views_update(hash="old", **update)) == "hash_conflict"
        assert len(world.slack.forgive("trigger_id")) == 2

    run(scenario, trigger_life=0.1)


def test_a_file_is_uploaded_in_three_steps() -> None:
    async def scenario(world: World) -> None:
        message = await world.ann.says(world.general, "root")
        await world.client.files_upload_v2(
            channel=world.general.id,
            thread_ts=message.ts,
            content=b"bytes",
            filename="chart.png",
            alt_txt="a chart",
        )
        (post,) = world.slack.replies(message)
        assert post.files[0]["alt_txt"] == "a chart"

    run(scenario)


def test_a_reader_needs_the_scope_of_users() -> None:
    async def scenario(world: World) -> None:
        assert await world.refused(world.client.users_info(user=world.ann.id)) == "missing_scope"

    run(scenario)


def test_an_organisation_wide_installation_covers_its_workspaces() -> None:
    async def play() -> None:
        async with Slack.running() as slack:
            slack.deliveries.transport = Deaf()
            org = slack.enterprise("Org")
            one, two = (slack.workspace(name, enterprise=org, install=False) for name in ("One", "Two"))
            other = slack.workspace("Other")
            token = slack.install_org(org).token
            ann, bob = two.user("ann"), other.user("bob")
            await ann.says(two.channel("general", ann), f"{two.mention} hello")
            body = slack.events_sent("app_mention")[0].payload
            assert body["authorizations"][0]["is_enterprise_install"]
            assert (body["team_id"], body["enterprise_id"]) == (two.id, org.id)
            client = slack.client(token)
            for ws in (one, two):
                await client.chat_postMessage(channel=ws.channel("talk").id, text="hello")
            with pytest.raises(SlackApiError, match="channel_not_found"):
                await client.chat_postMessage(channel=other.channel("talk", bob).id, text="hello")

    asyncio.run(play())


def test_events_are_held_turned_round_and_repeated() -> None:
    async def scenario(world: World) -> None:
        async with world.slack.held() as events:
            await world.ann.says(world.general, "one")
            await world.ann.says(world.general, "two")
            events.reverse()
        assert [one["text"] for one in world.sent()] == ["two", "one"]
        world.slack.again(world.slack.events_sent()[0])
        ids = [one.id for one in world.slack.events_sent()]
        assert len(ids) == 3
        assert len(set(ids)) == 2

    run(scenario)


def test_what_happens_around_messages_is_told() -> None:
    async def scenario(world: World) -> None:
        message = await world.ann.says(world.general, "hello")
        await world.ann.reacts(message, "mag")
        await world.ann.unreacts(message, "mag")
        await world.ann.opens_home()
        await world.ann.leaves(world.general)
        world.ws.archive(world.general)
        world.ws.kick(world.general)
        kinds = [one["type"] for one in world.sent()]
        assert kinds == [
            "message",
            "reaction_added",
            "reaction_removed",
            "app_home_opened",
            "member_left_channel",
            "channel_archive",
            "member_left_channel",
            "channel_left",
        ]
        assert world.sent()[1]["item"] == {"type": "message", "channel": world.general.id, "ts": message.ts}

    run(scenario)


def test_an_event_that_the_manifest_does_not_name_is_not_sent() -> None:
    async def scenario(world: World) -> None:
        message = await world.ann.asks(world.general, "hello")
        await world.ann.reacts(message, "mag")
        assert [one["type"] for one in world.sent()] == ["app_mention"]

    everything = {
        "oauth_config": {"scopes": {"bot": ["app_mentions:read", "channels:history", "reactions:read"]}},
        "settings": {"event_subscriptions": {"bot_events": ["app_mention"]}},
    }
    run(scenario, manifest=everything)


def test_a_shared_channel_is_told_once_and_a_person_of_outside_is_named() -> None:
    async def scenario(world: World) -> None:
        other = world.slack.workspace("Partner")
        shared = world.ws.channel("shared", world.ann, shared_with=other)
        shared.members.add(other.bot.id)
        await other.user("bob").says(shared, "hello")
        (event,) = world.slack.events_sent()
        assert event.payload["is_ext_shared_channel"]
        assert event.payload["event"]["user_team"] == other.id

    run(scenario)


def test_menus_feedback_and_a_button_for_one_person() -> None:
    async def scenario(world: World) -> None:
        bob = world.ws.user("bob")
        plain = {"type": "plain_text", "text": "Offline"}
        options = [{"text": plain, "value": "offline"}]
        side = {"text": plain, "value": "good"}
        blocks: list[dict[str, Any]] = [
            {**SECTION, "accessory": {"type": "overflow", "action_id": "menu", "options": options}},
            {
                "type": "context_actions",
                "elements": [
                    {
                        "type": "feedback_buttons",
                        "action_id": "feedback",
                        "positive_button": side,
                        "negative_button": {**side, "value": "bad"},
                    },
                    {
                        "type": "icon_button",
                        "action_id": "remove",
                        "icon": "trash",
                        "text": plain,
                        "visible_to_user_ids": [world.ann.id],
                    },
                ],
            },
        ]
        await world.client.chat_postMessage(channel=world.general.id, text="x", blocks=blocks)
        (post,) = world.slack.posts()
        await bob.chooses(post, "menu", "Offline")
        await bob.press(post, "feedback", "bad")
        await world.ann.press(post, "remove")
        with pytest.raises(ScenarioError, match="does not see"):
            await bob.press(post, "remove")
        menu, feedback, _ = (one.payload["actions"][0] for one in world.slack.events_sent("block_actions"))
        assert menu["selected_option"]["value"] == "offline"
        assert feedback["value"] == "bad"

    run(scenario)


def test_a_token_that_runs_out_is_refreshed_once() -> None:
    async def scenario(world: World) -> None:
        core = world.slack.core
        query = {"client_id": core.client_id, "scope": "chat:write"}
        back = world.slack.consent(query, world.slack.workspace("New", install=False).team)
        code = dict(parse_qsl(back.removeprefix("?")))["code"]
        secrets = {"client_id": core.client_id, "client_secret": core.client_secret}
        first = await world.client.oauth_v2_access(**secrets, code=code)
        refresh = {**secrets, "grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
        second = await world.client.oauth_v2_access(**refresh)
        assert second["access_token"] != first["access_token"]
        assert await world.refused(world.client.oauth_v2_access(**refresh)) == "invalid_refresh_token"
        old = world.slack.client(first["access_token"])
        assert await world.refused(old.auth_test()) == "token_expired"
        assert await world.refused(world.client.oauth_v2_access(**secrets, code=code)) == "invalid_code"

    run(scenario, manifest=replace(EVERYTHING, rotation=True))


def test_a_post_to_a_response_url_can_fail_too() -> None:
    async def scenario(world: World) -> None:
        url = world.slack.core.response_url(world.ann.member, world.general)
        world.slack.fail("response_url", status=503)
        assert (await AsyncWebhookClient(url, retry_handlers=[]).send(text="x")).status_code == 503
        assert not world.slack.ephemerals(world.ann)
        assert (await AsyncWebhookClient(url).send(text="x", response_type="in_channel")).status_code == 200
        assert [one.text for one in world.slack.posts(world.general)] == ["x"]

    run(scenario)
