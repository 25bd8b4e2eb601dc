"""People in Slack and what they get: the real slack_bolt and slack_sdk against a strict fake over sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.events import Place
from bot.ports import RefusedError
from bot.slack.checks import examine
from tests.bot.slack.staging import CLAIM, LINK, OPEN_CLAIM, WORD, Stage, stage, texts

Run = Callable[..., None]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Play a scene on a stage of its own."""

    def run(scene: Callable[[Stage], Awaitable[None]], manifest: str = "thread", **more: Any) -> None:
        async def whole() -> None:
            async with asyncio.timeout(20), stage(tmp_path, manifest, **more) as found:
                await scene(found)

        asyncio.run(whole())

    return run


def place(s: Stage, thread: str | None = None) -> Place:
    """The stage's channel."""
    return Place("slack", s.ws.id, s.general.id, thread)


# -- asked


def test_a_mention_is_answered_once_in_its_thread(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message, within=5)
        await s.quiet()
        assert reply.text.startswith(WORD)
        assert s.slack.replies(message) == [reply]
        (call,) = s.slack.calls("chat.postMessage")
        assert call.args["unfurl_links"] in (False, "0", "false")
        assert call.args["unfurl_media"] in (False, "0", "false")
        assert "reply_broadcast" not in call.args
        assert CLAIM not in str(reply.metadata)

    run(scene)


def test_a_bare_mention_in_a_thread_reads_the_parent(run: Run) -> None:
    async def scene(s: Stage) -> None:
        parent = await s.bob.says(s.general, CLAIM)
        await s.ann.asks(s.general, "", thread=parent)
        (reply,) = await s.slack.answered(parent)
        assert reply.text.startswith(WORD)

    run(scene)


def test_without_the_right_to_read_a_bare_mention_is_told_what_to_do(run: Run) -> None:
    async def scene(s: Stage) -> None:
        parent = await s.bob.says(s.general, CLAIM)
        await s.ann.asks(s.general, "", thread=parent)
        (reply,) = await s.slack.answered(parent)
        assert not reply.text.startswith(WORD)

    run(scene, "minimal")


def test_a_direct_message_is_answered(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.tells(
            "GB300 ist bei GPT-OSS-120B offline 48 % schneller pro GPU als MI355X (v6.1)."
        )
        (reply,) = await s.slack.answered(message, within=5)
        assert reply.text.startswith("Stimmt, aber nicht Gleiches mit Gleichem:")

    run(scene, "minimal")


def test_a_follow_up_in_the_thread_changes_one_thing(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        await s.slack.answered(message, within=5)
        await s.bob.asks(s.general, "and server?", thread=message)
        first, second = await s.slack.answered(message, 2)
        assert "offline" in texts(first.blocks)
        assert "server" in texts(second.blocks)

    run(scene)


def test_a_reaction_reads_a_message_once_that_is_switched_on(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.bob.says(s.general, CLAIM)
        await s.ann.reacts(message, "mag")
        await s.quiet()
        assert not s.slack.replies(message)
        await s.service.set_preference("channel", place(s), "reaction", True, "U0")
        await s.bob.reacts(message, "mag")
        (reply,) = await s.slack.answered(message, within=5)
        assert reply.text.startswith(WORD)

    run(scene)


def test_a_watched_link_is_answered_once_though_slack_tells_of_it_twice(run: Run) -> None:
    async def scene(s: Stage) -> None:
        s.links.pages[LINK] = CLAIM
        await s.service.set_preference("channel", place(s), "links", True, "U0")
        message = await s.ann.says(s.general, f"look <{LINK}>")
        (reply,) = await s.slack.answered(message, within=5)
        await s.quiet()
        assert s.slack.replies(message) == [reply]
        assert len(s.slack.events_sent("link_shared")) == 1
        await s.bob.composes(f"<{LINK}>")
        await s.quiet()
        assert len(s.slack.posts()) == 1

    run(scene, "scan")


@pytest.mark.parametrize(
    "text",
    [
        f"<!channel> <@U000000005> *{CLAIM}* <https://evil.example|https://mlcommons.org> <!here>",
        f"{CLAIM} " + "so it says; " * 3_300,
        "\u202e" + CLAIM + "\u200b",
        "<" * 2000,
    ],
    ids=["pings", "40,000 characters", "turned round", "brackets"],
)
def test_hostile_text_is_answered_and_pings_nobody(run: Run, text: str) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, text[:39_900])
        (reply,) = await s.slack.answered(message)
        for said in (reply.text, texts(reply.blocks)):
            assert "<!" not in said
            assert "<@" not in said
            assert "evil.example" not in said
        assert "evil.example" not in str(reply.blocks)

    run(scene, "minimal")


# -- commands, shortcut, buttons


def test_a_slash_command_is_seen_by_one_person_and_can_be_shared(run: Run) -> None:
    async def scene(s: Stage) -> None:
        await s.ann.slash("/smallprint", f"check {CLAIM}", s.general)
        shown = await s.sees(s.ann)
        assert shown.text.startswith(WORD)
        assert not s.slack.posts()
        await s.ann.press(shown, "v1.share")
        await s.slack.until(lambda: s.slack.posts(s.general), 10, "the shared answer")
        await s.quiet()
        (posted,) = s.slack.posts(s.general)
        assert posted.text.startswith(WORD)

    run(scene, "minimal")


@pytest.mark.parametrize(
    "text", ["", "help", "privacy", "rank gpt-oss-120b offline", "x" * 3000, "<!channel>"]
)
def test_every_slash_command_gives_a_page_even_nonsense(run: Run, text: str) -> None:
    async def scene(s: Stage) -> None:
        await s.ann.slash("/smallprint", text, s.general)
        assert texts((await s.sees(s.ann)).blocks).strip()

    run(scene, "minimal")


def test_the_shortcut_reads_a_message_for_one_person(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.bob.says(s.general, CLAIM)
        await s.ann.shortcut("check_claims", message)
        shown = await s.sees(s.ann)
        assert shown.text.startswith(WORD)
        assert not s.slack.posts()

    run(scene, "minimal")


def test_buttons_open_details_fair_version_and_why(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message, within=5)
        for action, title in (("details", "Details"), ("fair", "Fair version"), ("why", "Why this word?")):
            await s.bob.press(reply, f"v1.{action}")
            view = await s.modal(s.bob, title)
            assert "MLPerf®" in texts(view.blocks) or "Why this word" in texts(view.blocks)
            await s.bob.closes(view)

    run(scene, "minimal")


def test_the_chart_comes_into_the_thread_with_alt_text(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message, within=5)
        await s.bob.press(reply, "v1.chart")
        await s.slack.until(lambda: s.slack.calls("files.completeUploadExternal", "ok"), 10, "a chart")
        (file,) = s.slack.core.world.files.values()
        assert "16,635" in file.alt_text
        assert file.content is not None
        assert file.content.startswith(b"\x89PNG")

    run(scene, "minimal")


def test_only_the_poster_takes_a_reply_away(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.bob.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message, within=5)
        await s.quiet()
        await s.bob.press(reply, "v1.feedback", f"helpful.{reply.metadata['event_payload']['key']}")  # type: ignore[index]
        assert (await s.sees(s.bob)).text == "Thank you."
        await s.bob.press(reply, "v1.remove")
        await s.slack.until(lambda: not s.slack.replies(message), 10, "the reply to go")

    run(scene, "minimal")


def test_a_menu_fills_what_the_sentence_left_out(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, OPEN_CLAIM)
        (reply,) = await s.slack.answered(message, within=5)
        await s.quiet()
        (menu,) = [
            part
            for block in reply.blocks
            if block["type"] == "actions"
            for part in block["elements"]
            if part["type"] == "static_select"
        ][:1]
        before = reply.text
        await s.bob.chooses(reply, menu["action_id"], menu["options"][0]["value"])
        await s.slack.until(lambda: reply.text != before or reply.edits, 10, "the reply to change")

    run(scene, "minimal")


def test_a_year_old_button_offers_to_read_again(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message, within=5)
        await s.quiet()
        await s.service.uninstalled("slack", s.ws.id)  # as if its retention were over
        await s.bob.press(reply, "v1.details")
        view = await s.modal(s.bob, "Reading expired")
        await s.bob.submits(view, {"text": CLAIM})
        again = await s.modal(s.bob, "Details")
        assert WORD in texts(again.blocks)

    run(scene, "minimal")


# -- Home and settings


def test_the_home_tab_shows_settings_and_changes_them(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        await s.slack.answered(message, within=5)
        await s.quiet()
        await s.ann.opens_home()
        await s.slack.until(lambda: s.slack.home(s.ann), 10, "the Home tab")
        home = s.slack.home(s.ann)
        assert home is not None
        assert "True, but not like for like" in texts(home.blocks)
        await s.ann.chooses(home, "v1.set.language", "de")
        await s.slack.until(lambda: "Datenschutz" in texts(s.slack.home(s.ann).blocks), 10, "German")  # type: ignore[union-attr]
        assert (await s.service.preferences(place(s), s.ann.id)).language == "de"

    run(scene, "minimal")


def test_a_channel_s_creator_changes_its_settings_and_nobody_else(run: Run) -> None:
    async def scene(s: Stage) -> None:
        for user in (s.ann, s.bob):
            await user.opens_home()
            await s.slack.until(lambda user=user: s.slack.home(user), 10, "the Home tab")  # type: ignore[misc]
        home = s.slack.home(s.bob)
        assert home is not None
        await s.bob.chooses(home, "v1.channel", s.general.id)
        assert "Only the people who look after" in texts((await s.modal(s.bob)).blocks)
        home = s.slack.home(s.ann)
        assert home is not None
        await s.ann.chooses(home, "v1.channel", s.general.id)
        form = await s.modal(s.ann, "Settings")
        wrong = await s.ann.submits(form, {"links_days": "many", "quiet_hours": "25:00", "links_press": "on"})
        assert set(wrong) == {"links_days", "quiet_hours"}
        assert await s.ann.submits(form, {"links_days": "7", "quiet_hours": "19:00-07:30"}) == {}
        kept = await s.service.preferences(place(s))
        assert (kept.links_days, kept.quiet_hours, kept.links_press) == (7, "19:00-07:30", True)
        await s.ann.slash("/smallprint", "settings links on", s.general)
        await s.sees(s.ann)
        assert (await s.service.preferences(place(s))).links
        await s.bob.slash("/smallprint", "settings links off", s.general)
        await s.sees(s.bob)
        assert (await s.service.preferences(place(s))).links

    run(scene, "minimal")


def test_forget_me_on_the_home_tab_deletes_what_is_kept_under_a_name(run: Run) -> None:
    async def scene(s: Stage) -> None:
        await s.service.set_preference("person", place(s), "language", "de", s.ann.id)
        message = await s.ann.asks(s.general, CLAIM)
        await s.slack.answered(message, within=5)
        await s.quiet()
        await s.ann.opens_home()
        await s.slack.until(lambda: s.slack.home(s.ann), 5, "the Home tab")
        home = s.slack.home(s.ann)
        assert home is not None
        await s.ann.press(home, "v1.forget")
        assert "gelöscht" in texts((await s.modal(s.ann)).blocks)
        assert (await s.service.preferences(place(s), s.ann.id)).language == "auto"
        assert not await s.service.recent(place(s), s.ann.id)

    run(scene, "minimal")


def test_a_button_that_no_version_knows_is_not_left_without_a_word(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message, within=5)
        (buttons,) = [block for block in reply.blocks if block["type"] == "actions"]
        buttons["elements"][0]["action_id"] = "v0.details"
        await s.bob.press(reply, "v0.details")
        assert "not kept" in (await s.sees(s.bob)).text

    run(scene, "minimal")


def test_in_a_direct_conversation_nobody_changes_the_workspace(run: Run) -> None:
    async def scene(s: Stage) -> None:
        await s.bob.slash("/smallprint", "settings workspace links on", s.bob.dm())
        assert "Only the people who look after" in texts((await s.sees(s.bob)).blocks)
        assert not (await s.service.preferences(place(s))).links
        await s.bob.slash("/smallprint", "settings me language de", s.bob.dm())
        await s.sees(s.bob, 2)
        assert (await s.service.preferences(place(s), s.bob.id)).language == "de"

    run(scene, "minimal")


def test_who_made_a_channel_does_not_change_the_workspace(run: Run) -> None:
    async def scene(s: Stage) -> None:
        await s.ann.slash("/smallprint", "settings workspace links on", s.general)
        assert "Only the people who look after" in texts((await s.sees(s.ann)).blocks)
        assert not (await s.service.preferences(place(s))).links

    run(scene, "minimal")


def test_who_is_listed_may_change_the_workspace(run: Run) -> None:
    async def scene(s: Stage) -> None:
        await s.bob.slash("/smallprint", "settings workspace links on", s.general)
        await s.sees(s.bob)
        assert s.settings.people == {s.bob.id}
        assert (await s.service.preferences(place(s))).links

    run(scene, "minimal", SMALLPRINT_SLACK_ADMINS="U000000005")


# -- messages that change


def test_a_reply_follows_edits_and_deletions_and_no_preview(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message, within=5)
        await s.quiet()
        s.slack.preview(message, [{"from_url": LINK, "text": "preview"}])
        await s.quiet()
        assert reply.edits == 0
        await s.ann.edits(message, f"{s.ws.mention} {CLAIM.replace('48 %', '15 %')}")
        await s.slack.until(lambda: reply.edits, 10, "the reply to follow")
        assert not reply.text.startswith(WORD)
        await s.ann.deletes(message)
        await s.slack.until(lambda: reply.deleted, 10, "the reply to go")

    run(scene)


# -- delivery


def test_duplicates_and_disorder_give_one_answer(run: Run) -> None:
    async def scene(s: Stage) -> None:
        async with s.slack.held() as events:
            message = await s.ann.asks(s.general, CLAIM)
            events.reverse()
        (reply,) = await s.slack.answered(message, within=5)
        for delivery in s.slack.events_sent():
            s.slack.again(delivery)
        await s.quiet()
        assert s.slack.replies(message) == [reply]

    run(scene)


def test_a_deletion_that_overtakes_its_message_leaves_nothing(run: Run) -> None:
    async def scene(s: Stage) -> None:
        async with s.slack.held() as events:
            message = await s.ann.asks(s.general, CLAIM)
            await s.ann.deletes(message)
            events.reverse()
        await s.quiet()
        assert not s.slack.replies(message)

    run(scene)


@pytest.mark.parametrize(
    "fault",
    [
        {"retry_after": 1},
        {"status": 503},
        {"lose": "request"},
        {"lose": "answer"},
        {"error": "internal_error"},
    ],
    ids=str,
)
def test_a_post_that_fails_is_made_exactly_once(run: Run, fault: dict[str, Any]) -> None:
    async def scene(s: Stage) -> None:
        s.slack.fail("chat.postMessage", **fault)
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message, within=20)
        await s.quiet()
        assert s.slack.replies(message) == [reply]
        assert set(s.slack.reply_counts().values()) == {1}

    run(scene)


def test_after_a_disconnect_events_come_again(run: Run) -> None:
    async def scene(s: Stage) -> None:
        await s.slack.sockets.disconnect()
        await s.slack.connected()
        message = await s.ann.asks(s.general, CLAIM)
        assert len(await s.slack.answered(message)) == 1

    run(scene, "minimal")


def test_slack_out_of_reach_at_the_start_is_tried_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.slack.edge.PING", 0.2)

    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, CLAIM)
        assert len(await s.slack.answered(message, within=5)) == 1
        assert len(s.slack.calls("apps.connections.open")) == 2

    run(scene, "minimal", first={"method": "apps.connections.open", "status": 503})


def test_an_event_that_comes_while_slack_does_not_say_who_we_are_is_not_lost(run: Run) -> None:
    async def scene(s: Stage) -> None:
        s.slack.fail("auth.test", status=503)
        message = await s.ann.asks(s.general, CLAIM)
        assert len(await s.slack.answered(message, within=5)) == 1
        assert s.slack.events_sent("app_mention")[0].attempts == 2

    run(scene, "minimal", ack=0.2)


def test_a_token_that_slack_refuses_is_told_in_a_line(run: Run) -> None:
    async def scene(s: Stage) -> None:
        s.slack.fail("auth.test", error="invalid_auth", times=9)
        await s.ann.asks(s.general, CLAIM)
        await s.quiet()
        assert [one.state for one in s.slack.events_sent()] == ["acked"]
        with pytest.raises(RefusedError, match="invalid_auth"):
            await s.edge.port(s.ws.id)

    with capture_logs() as lines:
        run(scene, "minimal")
    assert ("unknown_workspace", "invalid_auth") in [(line["event"], line.get("reason")) for line in lines]


def test_all_rows_of_several_claims_are_shown_on_request(run: Run) -> None:
    async def scene(s: Stage) -> None:
        message = await s.ann.asks(s.general, f"{CLAIM} {CLAIM.replace('offline', 'server')} {OPEN_CLAIM}")
        (reply,) = await s.slack.answered(message, within=5)
        await s.bob.press(reply, "v1.details")
        view = await s.modal(s.bob, "Details")
        few = texts(view.blocks)
        await s.bob.press(view, "v1.all")
        await s.slack.until(lambda: len(texts(s.slack.views(s.bob)[-1].blocks)) > len(few), 5, "all rows")
        assert len(s.slack.views(s.bob)) == 1

    run(scene, "minimal")


def test_an_event_that_cannot_be_stored_is_not_acknowledged_and_comes_again(run: Run) -> None:
    async def scene(s: Stage) -> None:
        take, failures = s.service.take, [OSError("no space"), OSError("no space")]

        async def failing(event: Any) -> Any:
            if failures:
                raise failures.pop()
            return await take(event)

        s.service.take = failing  # type: ignore[method-assign]
        message = await s.ann.asks(s.general, CLAIM)
        await s.slack.answered(message, within=5)
        assert s.slack.events_sent("app_mention")[0].attempts == 3

    run(scene, "minimal", ack=0.2)


# -- rights and places that go away


@pytest.mark.parametrize("what", ["kick", "archive"])
def test_a_channel_that_went_away_stops_nothing_else(run: Run, what: str) -> None:
    async def scene(s: Stage) -> None:
        other = s.ws.channel("other", s.ann)
        async with s.slack.held():
            message = await s.ann.asks(s.general, CLAIM)
        if what == "kick":
            s.general.members.discard(s.ws.bot.id)
        else:
            s.general.archived = True
        elsewhere = await s.ann.asks(other, CLAIM)
        assert await s.slack.answered(elsewhere)
        await s.quiet()
        assert len(s.slack.replies(message)) <= 1

    run(scene, "minimal")


def test_a_missing_scope_is_named_by_doctor_and_breaks_nothing(run: Run) -> None:
    async def scene(s: Stage) -> None:
        (line,), works = await examine(s.settings)
        assert "files:write" in line
        assert any(one.startswith("no") and "files:write" in one for one in works)
        message = await s.ann.asks(s.general, CLAIM)
        (reply,) = await s.slack.answered(message, within=5)
        await s.bob.press(reply, "v1.chart")
        assert "files" in (await s.sees(s.bob)).text or "missing_scope" in (await s.sees(s.bob)).text

    few = frozenset(
        (
            "app_mentions:read",
            "chat:write",
            "commands",
            "im:history",
            "links:read",
            "channels:read",
            "groups:read",
        )
    )
    run(scene, "minimal", scopes=few)


def test_uninstalling_deletes_everything_of_the_workspace(run: Run) -> None:
    async def scene(s: Stage) -> None:
        await s.service.set_preference("channel", place(s), "links", True, "U0")
        message = await s.ann.asks(s.general, CLAIM)
        await s.slack.answered(message, within=5)
        await s.quiet()
        s.ws.uninstall()
        await s.quiet()
        assert not (await s.service.preferences(place(s))).links
        assert not await s.service.recent(place(s), s.ann.id)

    run(scene, "minimal")


def test_a_channel_of_two_organisations_is_left_alone_until_it_is_switched_on(run: Run) -> None:
    async def scene(s: Stage) -> None:
        guest = s.slack.workspace("Guest", install=False)
        both = s.ws.channel("both", s.ann, shared_with=guest)
        message = await s.ann.asks(both, CLAIM)
        await s.ann.slash("/smallprint", f"check {CLAIM}", both)
        assert "another organisation" in (await s.sees(s.ann)).text
        await s.quiet()
        assert not s.slack.replies(message)

    run(scene, "minimal")


def test_doctor_finds_nothing_wrong_and_says_what_is(run: Run) -> None:
    async def scene(s: Stage) -> None:
        problems, works = await examine(s.settings)
        assert not problems
        assert any(one.startswith("yes") and "direct messages" in one for one in works)
        s.slack.revoke(s.ws.installation)
        await s.quiet()
        (line,), works = await examine(s.settings)
        assert "SMALLPRINT_SLACK_BOT_TOKEN" in line
        assert not works
        assert s.ws.id not in line

    run(scene, "minimal")
