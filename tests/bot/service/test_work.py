"""What the core does about events: answers once, follows what people change, survives what goes wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.decide import Decision
from bot.events import Place
from bot.page import Page
from bot.ports import Message, NotNowError, RefusedError
from bot.reply import Reply
from tests.bot.service.conftest import CHANNEL, CLAIM, HOLDS, Core, opened

POST = "https://blog.vendor.example/post"
OTHER = "https://blog.vendor.example/other"


def test_a_mention_is_answered_in_its_language(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", f"<@U99> {CLAIM}"))
        (reply,) = core.said
        assert isinstance(reply, Reply)
        assert reply.language == "en"
        assert reply.parts
        await core.take(
            core.event("mention", "GB300 ist 48 % schneller als MI355X in MLPerf Inference v6.1.")
        )
        assert core.said[1].language == "de"

    run(test)


def test_an_event_that_comes_again_and_one_message_in_many_events_is_answered_once(run: Any) -> None:
    async def test(core: Core) -> None:
        first = core.event("mention", CLAIM, message="s1")
        twin = core.event("message", f"{CLAIM} {POST}", message="s1")
        notice = core.event("links", message="s1", links=(POST,))
        core.links.pages[POST] = CLAIM
        await core.service.set_preference("channel", CHANNEL, "links", True, "U9")
        await asyncio.gather(*(core.service.take(event) for event in (first, twin, notice, first, twin)))
        await core.done()
        assert core.port.made == {"s1": 1}

    run(test)


def test_a_bare_mention_reads_the_message_that_it_points_at(run: Any) -> None:
    async def test(core: Core) -> None:
        core.port.messages["parent"] = Message("parent", "U2", CLAIM)
        await core.take(core.event("mention", "<@U99>", about="parent"))
        assert isinstance(core.said[0], Reply)
        core.port.may_look = False
        await core.take(core.event("mention", "<@U99>", about="parent"))
        assert isinstance(core.said[1], Page)

    run(test)


def test_a_follow_up_in_the_thread_changes_one_thing(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", CLAIM, message="root"))
        thread = type(CHANNEL)("slack", "T1", "C1", thread="root")
        await core.take(core.event("mention", "<@U99> and at 8 GPUs?", place=thread))
        first, second = core.said
        assert isinstance(first, Reply)
        assert isinstance(second, Reply)
        assert second.parts[0].claim.subject.accelerators == 8
        assert second.parts[0].claim.value == first.parts[0].claim.value

    run(test)


def test_a_follow_up_in_a_direct_talk_and_to_a_reply_of_ours(run: Any) -> None:
    async def test(core: Core) -> None:
        direct = Place("slack", "T1", "D1", direct=True)
        await core.take(core.event("direct", CLAIM, place=direct))
        await core.take(core.event("direct", "and at 8 GPUs?", place=direct))
        await core.take(core.event("mention", CLAIM, message="s9"))
        (ours,) = [message for message, post in core.port.posts.items() if post.source == "s9"]
        await core.take(core.event("mention", "<@U99> at 8 GPUs?", about=ours))
        _, second, _, fourth = core.said
        for reply in (second, fourth):
            assert isinstance(reply, Reply)
            assert reply.parts[0].claim.subject.accelerators == 8

    run(test)


def test_what_somebody_else_wrote_is_no_command_of_who_points_at_it(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.service.set_preference("person", CHANNEL, "language", "de", "U1")
        core.port.messages["parent"] = Message("parent", "U2", "forget-me")
        await core.take(core.event("mention", "<@U99>", about="parent"))
        assert isinstance(core.said[0], Reply)
        assert (await core.service.preferences(CHANNEL, "U1")).language == "de"
        await core.service.set_preference("channel", CHANNEL, "reaction", True, "U9")
        core.port.messages["m2"] = Message("m2", "U2", "Why does everybody praise GB300?")
        await core.take(core.event("reaction", message="m2", about="m2", author="U2", actor="U1"))
        assert isinstance(core.said[1], Reply)

    run(test)


def test_small_talk_in_between_does_not_end_a_talk(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", CLAIM, message="root"))
        thread = type(CHANNEL)("slack", "T1", "C1", thread="root")
        await core.take(core.event("mention", "thanks!", place=thread))
        await core.take(core.event("mention", "and server?", place=thread))
        last = core.said[-1]
        assert isinstance(last, Reply)
        assert [part.claim.scenario for part in last.parts] == ["server"]

    run(test)


def test_an_edited_follow_up_changes_what_was_said_before_it(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", CLAIM, message="root"))
        thread = type(CHANNEL)("slack", "T1", "C1", thread="root")
        await core.take(core.event("mention", "and server?", place=thread, message="s2"))
        await core.take(core.event("mention", "in v6.0?", place=thread, message="s3"))
        await core.take(core.event("edit", "at 8 GPUs?", place=thread, message="s2"))
        edited = core.said[1]
        assert isinstance(edited, Reply)
        claim = edited.parts[0].claim
        assert (claim.subject.accelerators, claim.scenario, claim.round) == (8, "offline", "v6.1")

    run(test)


def test_the_longest_message_is_read(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", f"{CLAIM} " + "<!channel> x 5 " * 2600))
        (reply,) = core.said
        assert isinstance(reply, Reply)
        assert "channel" not in reply.fallback

    run(test)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("help", "Paste a claim"),
        ("hilfe", "Fügen Sie eine Aussage"),
        ("rank deepseek-r1 server v6.1", "Places in MLPerf® Inference v6.1"),
        ("compare GB300 vs MI355X gpt-oss-120b offline", ""),
        ("deltas v6.0 B200", "MLPerf® Inference"),
        ("privacy", "What Smallprint keeps"),
        ("", "Paste a claim"),
    ],
)
def test_commands_in_a_mention(run: Any, text: str, begins: str) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", f"<@U99> {text}"))
        (page,) = core.said
        assert isinstance(page, Page)
        assert page.title.startswith(begins)

    run(test)


def test_a_vendors_link_is_answered_once_a_channel(run: Any) -> None:
    async def test(core: Core) -> None:
        core.links.pages[POST] = CLAIM
        await core.service.set_preference("channel", CHANNEL, "links", True, "U9")
        await asyncio.gather(*(core.service.take(core.event("message", f"look {POST}")) for _ in range(100)))
        await core.done()
        assert len(core.said) == 1
        assert core.links.fetched == [POST]

    run(test)


def test_a_post_that_is_fine_or_cannot_be_read_is_met_with_silence(run: Any) -> None:
    async def test(core: Core) -> None:
        core.links.pages |= {POST: "", OTHER: CLAIM}
        core.links.refused[OTHER] = Decision("ignore", "not_readable")
        await core.service.set_preference("channel", CHANNEL, "links", True, "U9")
        await core.take(core.event("message", POST), core.event("message", OTHER))
        assert not core.said
        last = await core.service.decision(CHANNEL)
        assert last is not None
        assert last.reason in ("no_claims", "not_readable")

    run(test)


def test_a_link_out_of_reach_is_answered_when_it_is_posted_again(run: Any) -> None:
    async def test(core: Core) -> None:
        core.links.pages[POST] = CLAIM
        core.links.refused[POST] = Decision("ignore", "not_readable")
        await core.service.set_preference("channel", CHANNEL, "links", True, "U9")
        await core.take(core.event("message", POST))
        assert not core.said
        core.links.refused.clear()
        await core.take(core.event("message", POST))
        await core.take(core.event("message", POST))
        assert len(core.said) == 1

    run(test)


def test_a_mention_does_not_tell_who_is_an_admin_and_says_what_to_use(run: Any) -> None:
    async def test(core: Core) -> None:
        for text in ("why", "subscribe monday", "settings links on"):
            await core.take(core.event("mention", f"<@U99> {text}"))
        assert all("slash command" in line for line in core.lines)
        asked = await core.service.page("why", place=CHANNEL, person="U1")
        assert isinstance(asked, Page)
        assert "slash command" not in asked.title

    run(test)


def test_an_edit_is_read_again(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", CLAIM, message="s1"))
        before = core.lines
        await core.take(core.event("edit", CLAIM + " Thanks!", message="s1"))
        assert core.lines == before
        await core.take(core.event("edit", CLAIM.replace("48", "15"), message="s1"))
        assert core.lines != before
        assert len(core.said) == 1
        await core.take(core.event("edit", "never mind", message="s1"))
        assert not core.said

    run(test)


def test_an_edited_command_is_carried_out_again(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", "rank gpt-oss-120b offline", message="s1"))
        await core.take(core.event("edit", "rank deepseek-r1 server", message="s1"))
        (line,) = core.lines
        assert "DeepSeek-R1 server" in line

    run(test)


def test_a_link_put_in_the_place_of_another_takes_the_answer_with_it(run: Any) -> None:
    async def test(core: Core) -> None:
        core.links.pages |= {POST: CLAIM, OTHER: CLAIM}
        core.links.refused[OTHER] = Decision("ignore", "not_readable")
        await core.service.set_preference("channel", CHANNEL, "links", True, "U9")
        await core.take(core.event("message", POST, message="s1"))
        assert len(core.said) == 1
        await core.take(core.event("edit", OTHER, message="s1"))
        assert not core.said

    run(test)


def test_an_edit_of_links_is_followed(run: Any) -> None:
    async def test(core: Core) -> None:
        core.links.pages |= {POST: CLAIM, OTHER: CLAIM.replace("48", "55")}
        await core.service.set_preference("channel", CHANNEL, "links", True, "U9")
        await core.take(core.event("message", POST, message="s1"))
        assert len(core.said) == 1
        await core.take(core.event("edit", POST, message="s1", preview=True))
        await core.take(core.event("edit", f"{POST} {OTHER}", message="s1"))
        (reply,) = core.said
        assert isinstance(reply, Reply)
        assert len(reply.parts) == 2
        await core.take(core.event("edit", "no link", message="s1"))
        assert not core.said

    run(test)


def test_a_deletion_takes_the_reply_with_it_even_when_it_comes_first(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", CLAIM, message="s1"), core.event("deletion", message="s1"))
        await core.take(core.event("deletion", message="s2"), core.event("mention", CLAIM, message="s2"))
        assert not core.said
        assert core.port.made == {"s1": 1} or not core.port.made

    run(test)


def test_what_may_work_later_is_tried_again(run: Any) -> None:
    async def test(core: Core) -> None:
        core.port.fail.extend([NotNowError("ratelimited", 0.01, sure=True), NotNowError("http_503", 0.01)])
        await core.take(core.event("mention", CLAIM, message="s1"))
        assert core.port.made == {"s1": 1}

    run(test)


def test_a_post_whose_answer_was_lost_is_found_again(run: Any) -> None:
    async def test(core: Core) -> None:
        core.port.fail.append("lost")
        await core.take(core.event("mention", CLAIM, message="s1"))
        assert core.port.made == {"s1": 1}
        record = await core.state.reply_to(CHANNEL, "s1")
        assert record is not None
        assert record.status == "posted"

    run(test)


def test_where_nobody_may_look_back_it_is_lost_and_not_doubled(run: Any) -> None:
    async def test(core: Core) -> None:
        core.port.may_look = False
        core.port.fail.append("lost")
        await core.take(core.event("mention", CLAIM, message="s1"))
        assert core.port.made == {"s1": 1}
        record = await core.state.reply_to(CHANNEL, "s1")
        assert record is not None
        assert record.status == "lost"

    run(test)


def test_what_is_refused_for_good_is_not_tried_again(run: Any) -> None:
    async def test(core: Core) -> None:
        core.port.fail.append(RefusedError("is_archived"))
        await core.take(core.event("mention", CLAIM, message="s1"))
        assert not core.port.made

    run(test)


def test_a_restart_does_not_answer_again(folder: Path) -> None:
    async def test() -> None:
        async with opened(folder) as core:
            event = core.event("mention", CLAIM, message="s1")
            await core.take(event)
            assert core.port.made == {"s1": 1}
        async with opened(folder) as core:
            assert (await core.take(event))[0].reason == "already_answered"
            assert not core.port.made

    asyncio.run(test())


def test_what_one_person_saw_can_be_shared_once(run: Any) -> None:
    async def test(core: Core) -> None:
        shown = await core.service.page(f"check {CLAIM}", place=CHANNEL, person="U1")
        assert not isinstance(shown, Page)
        assert not core.said
        for _ in range(2):
            assert await core.service.share(shown.record.id, CHANNEL, "U1") is not None
        await core.done()
        assert len(core.said) == 1

    run(test)


def test_a_choice_fills_what_is_missing(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", "B200 is 3x faster on Llama 2 70B offline.", message="s1"))
        record = await core.state.reply_to(CHANNEL, "s1")
        assert record is not None
        (reply,) = core.said
        assert isinstance(reply, Reply)
        menu = reply.parts[0].menus[0]
        chosen = await core.service.choose(record.id, menu.field, menu.choices[0].value, "U1")
        assert chosen is not None
        assert chosen.reply is not None
        assert core.said == [chosen.reply]
        assert menu.field not in [left.field for left in chosen.reply.parts[0].menus]
        wrong = await core.service.choose(record.id, "quote", "x", "U1")
        assert wrong is not None

    run(test)


def test_only_the_asker_or_an_admin_removes(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", CLAIM, message="s1"))
        record = await core.state.reply_to(CHANNEL, "s1")
        assert record is not None
        assert not await core.service.remove(record.id, "U2")
        assert core.said
        assert await core.service.remove(record.id, "U1")
        assert not core.said
        assert await core.service.remove(record.id, "U2", admin=True)

    run(test)


def test_an_expired_reply_says_so(run: Any) -> None:
    async def test(core: Core) -> None:
        from bot.state.records import Retention

        await core.take(core.event("mention", CLAIM, message="s1"))
        record = await core.state.reply_to(CHANNEL, "s1")
        assert record is not None
        await core.state.purge(Retention(fields=-1))
        shown = await core.service.shown(record.id)
        assert shown is not None
        assert shown.reply is None
        assert await core.service.choose(record.id, "model", "llama2-70b", "U1") is None
        assert await core.service.shown("nonsense") is None

    run(test)


def test_settings_by_command(run: Any) -> None:
    async def test(core: Core) -> None:
        async def say(text: str, *, admin: bool = True) -> str:
            page = await core.service.page(text, place=CHANNEL, person="U1", admin=admin)
            assert isinstance(page, Page)
            return page.title

        assert "links is now on" in await say("settings links on")
        assert (await core.service.preferences(CHANNEL)).links
        assert "Only the people" in await say("settings links off", admin=False)
        assert "language is now de" in await say("settings me language de", admin=False)
        assert (await core.service.preferences(CHANNEL, "U1")).language == "de"
        assert "Nichts geändert" in await say("settings zone Mars/Olympus")
        assert "Nichts geändert" in await say("settings nonsense on")
        assert "jetzt nicht gesetzt" in await say("settings me language default", admin=False)
        listed = await core.service.page("settings", place=CHANNEL, person="U1")
        assert isinstance(listed, Page)
        assert "links: on" in "\n".join(listed.lines)

    run(test)


def test_one_person_is_answered_in_their_own_language(run: Any) -> None:
    async def test(core: Core) -> None:
        async def language(**more: Any) -> str:
            shown = await core.service.answer(CLAIM, place=CHANNEL, person="U1", markup="plain", **more)
            assert shown.reply is not None
            return shown.reply.language

        assert await language() == "en"
        assert await language(locale="de-DE") == "de"
        assert await language(locale="fr") == "en"
        await core.service.set_preference("person", CHANNEL, "language", "en", "U1")
        assert await language(locale="de-DE") == "en"

    run(test)


def test_nonsense_gives_help_with_one_line(run: Any) -> None:
    async def test(core: Core) -> None:
        page = await core.service.page("frobnicate <!channel>", place=CHANNEL, person="U1")
        assert isinstance(page, Page)
        assert "Not understood" in page.lines[0]

    run(test)


def test_a_person_and_a_workspace_are_forgotten(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", HOLDS, message="s1"))
        await core.service.forget("slack", "U1")
        record = await core.state.reply_to(CHANNEL, "s1")
        assert record is not None
        assert record.poster == ""
        await core.service.uninstalled("slack", "T1")
        assert await core.state.reply_to(CHANNEL, "s1") is None

    run(test)


@pytest.mark.parametrize(
    ("kind", "typed", "expected"),
    [("accelerator", "mi35", "MI355X"), ("model", "deep", "DeepSeek-R1"), ("round", "6", "v6.1")],
)
def test_names_are_suggested(run: Any, kind: Any, typed: str, expected: str) -> None:
    async def test(core: Core) -> None:
        found = await core.service.names(kind, typed)
        assert any(expected in label for label, _ in found)
        assert len(found) <= 25

    run(test)
