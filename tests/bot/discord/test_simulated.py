"""The bot in a simulated Discord: mentions, commands, menus, buttons, forms, threads, edits, restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bot.discord.translate import place
from bot.events import Place
from bot.page import Page
from bot.ports import CannotLookError, Post, RefusedError
from bot.state.records import Retention
from tests.bot.discord.simulated import Stage, labels, said, stage, text
from tests.bot.discord.staging import CLAIM, LINK, OPEN_CLAIM, WORD

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def play(folder: Path, scene: Callable[[Stage], Awaitable[None]], **how: Any) -> None:
    """Play a scene on a stage of its own."""

    async def whole() -> None:
        async with stage(folder, **how) as made:
            await scene(made)

    asyncio.run(whole())


def here(on: Stage) -> Place:
    """The channel of the stage as the core knows it."""
    return place(on.guild.id, on.channel.id)


# -- messages


def test_a_mention_is_answered_in_a_thread_without_a_ping(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        asked = await on.asks(CLAIM)
        [ours] = on.ours()
        assert text(ours).startswith(WORD)
        assert [thread.id for thread in on.channel.threads] == [asked.id]
        assert ours.channel.id == asked.id
        assert labels(ours) == [
            "Details",
            "Chart",
            "Fair version",
            "Why this word?",
            "Helpful",
            "Not helpful",
            "Remove",
        ]
        assert not ours.mentions
        assert not ours.flags.suppress_notifications

    play(tmp_path, scene)


def test_in_a_thread_the_answer_stays_there(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.asks(OPEN_CLAIM)
        [thread] = on.channel.threads
        await on.bob.send(thread, f"{on.me.mention} gpt-oss offline?")
        await on.quiet()
        assert len(on.ours(thread)) == 2
        assert len(on.channel.threads) == 1

    play(tmp_path, scene)


def test_without_the_right_to_start_threads_the_answer_is_a_plain_reply(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        asked = await on.asks(CLAIM)
        [ours] = on.ours(on.channel)
        assert ours.reference is not None
        assert ours.reference.message_id == asked.id
        told = said(await on.ann.slash(on.channel, "smallprint why"))
        assert "lack these permissions: Create Public Threads" in told
        assert "lack these permissions" not in said(await on.bob.slash(on.channel, "smallprint why"))

    play(tmp_path, scene, denied=("create_public_threads",))


def test_where_embeds_are_taken_away_the_answer_is_text(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.asks(CLAIM)
        [ours] = on.ours()
        assert not ours.embeds
        assert ours.content.startswith(WORD)
        assert "trademarks of MLCommons Association" in ours.content

    play(tmp_path, scene, denied=("embed_links",))


def test_where_we_may_not_write_nothing_is_said_and_the_reason_is_told(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.asks(CLAIM)
        assert not on.ours()
        told = said(await on.ann.slash(on.channel, "smallprint why"))
        assert "Send Messages" in told

    play(tmp_path, scene, denied=("send_messages", "create_public_threads"))


def test_a_bare_mention_reads_what_it_replies_to(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        claim = await on.ann.send(on.channel, CLAIM)
        await on.bob.send(on.channel, on.me.mention, reply_to=claim)
        await on.quiet()
        [ours] = on.ours()
        assert ours.content.startswith(WORD)

    play(tmp_path, scene, content=True)


def test_a_direct_message_needs_no_mention(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.bob.send_dm(CLAIM)
        await on.quiet()
        private = on.env.backend.channels
        talk = [one for one in private.values() if one.guild_id is None]
        [message] = [m for m in on.env.backend.messages[talk[0].id].values() if m.author_id == on.me.id]
        assert message.content.startswith(WORD)

    play(tmp_path, scene)


def test_an_edit_changes_the_answer_and_a_deletion_takes_it_away(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        asked = await on.asks(CLAIM)
        before = on.ours()[0].content
        await on.bob.edit(asked, f"{on.me.mention} {CLAIM.replace('48 %', '480 %')}")
        await on.quiet()
        [ours] = on.ours()
        assert ours.content != before
        assert "480" in ours.content
        await on.bob.delete(asked)
        await on.quiet()
        assert not on.ours()

    play(tmp_path, scene, denied=("create_public_threads",))


def test_a_link_is_answered_quietly_only_where_that_is_on(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.bob.send(on.channel, f"see {LINK}")
        await on.quiet()
        assert not on.ours()
        await on.core.service.set_preference("channel", here(on), "links", True, "1")
        await on.bob.send(on.channel, f"see {LINK}")
        await on.quiet()
        [ours] = on.ours()
        assert ours.flags.suppress_notifications

    play(tmp_path, scene, content=True)


def test_talk_among_others_is_none_of_our_business(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.core.service.set_preference("channel", here(on), "links", True, "1")
        await on.bob.send(on.channel, f"see {LINK}")
        await on.bob.send(on.channel, CLAIM)
        await on.quiet()
        assert not on.ours()
        assert await on.core.service.decision(here(on)) is None

    play(tmp_path, scene)


# -- commands

COMMANDS = [
    ("check", {"text": CLAIM}, WORD),
    ("rank", {"model": "gpt-oss-120b", "scenario": "offline"}, "GPT-OSS-120B"),
    ("rank", {"model": "gpt-oss-120b", "scenario": "offline", "round": "v6.1"}, "GPT-OSS-120B"),
    ("compare", {"first": "GB300", "second": "MI355X", "model": "gpt-oss-120b"}, "like-for-like"),
    ("deltas", {"round": "v6.0", "accelerator": "B200"}, "v6.0"),
    ("digest", {}, "No digest is posted here"),
    ("settings", {}, "Settings that hold here"),
    ("why", {}, "Only the people who look after"),
    ("help", {}, "rank MODEL SCENARIO"),
    ("privacy", {}, "No message text is stored"),
    ("forget-me", {}, "Everything that is kept under your name"),
]


def test_every_command_is_answered_to_its_person_alone(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        offered = {name.split()[1] for name in on.bob.available_commands(on.channel) if " " in name}
        assert {name for name, _, _ in COMMANDS} <= offered
        for name, options, wanted in COMMANDS:
            result = await on.bob.slash(on.channel, f"smallprint {name}", **options)
            assert result.ephemeral
            assert wanted in said(result), name
        assert not on.ours()

    play(tmp_path, scene)


def test_nonsense_gets_help(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        result = await on.bob.slash(on.channel, "smallprint rank", model="@everyone", scenario="offline")
        assert "@everyone" not in said(result)
        assert "Name a model and a scenario" in said(result)

    play(tmp_path, scene)


def test_names_are_suggested_while_one_types(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        found = await on.bob.autocomplete(on.channel, "smallprint compare", "first", "gb3")
        assert found[0]["name"].startswith("GB3")
        assert len(await on.bob.autocomplete(on.channel, "smallprint rank", "model", "")) <= 25
        rounds = await on.bob.autocomplete(on.channel, "smallprint deltas", "round", "v6")
        assert rounds[0]["value"] == "v6.1"

    play(tmp_path, scene)


def test_a_person_alone_is_offered_the_commands_too(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        bob = on.env.backend.users[on.bob.id]
        handle = next(one for one in [on.bob.user] if one.id == bob.id)
        await on.bob.send_dm("help")
        result = await handle.slash("smallprint help")
        assert "rank MODEL SCENARIO" in said(result)

    play(tmp_path, scene)


def test_check_claims_reads_any_message_without_the_intent(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        message = await on.ann.send(on.channel, CLAIM)
        result = await on.bob.context_menu(on.channel, "Check claims", message)
        assert result.ephemeral
        assert said(result).startswith(WORD)
        assert result.response is not None
        assert "Share in channel" in labels(result.response)
        shared = await on.bob.click(result.response, label="Share in channel")
        await on.quiet()
        assert "Shared in the channel." in said(shared)
        [ours] = on.ours()
        assert ours.content.startswith(WORD)

    play(tmp_path, scene)


def test_check_claims_says_what_it_cannot_read(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        message = await on.ann.send(on.channel, "", attachments=[("a.png", b"x")])
        result = await on.bob.context_menu(on.channel, "Check claims", message)
        assert "no text that I may read" in said(result)

    play(tmp_path, scene)


def test_check_claims_reads_what_a_message_forwards_or_links_to(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        forwarded = await on.ann.forward(await on.ann.send(on.channel, CLAIM), on.channel)
        linked = await on.ann.send(on.channel, LINK)
        for message in (forwarded, linked):
            assert said(await on.bob.context_menu(on.channel, "Check claims", message)).startswith(WORD)

    play(tmp_path, scene)


def test_a_digest_is_subscribed_posted_quietly_and_opens_in_full(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        refused = said(await on.bob.slash(on.channel, "smallprint digest", options="monday 09:00"))
        assert "Only the people who look after" in refused
        asked = await on.ann.slash(on.channel, "smallprint digest", options="monday 09:00 Europe/Berlin")
        assert "Posted here on Monday at 09:00 (Europe/Berlin)" in said(asked)
        payload = {"place": asdict(here(on)), "period": "2026-W49"}
        await on.core.jobs.submit("digest", "digest-1", payload, lane="digest")
        await on.quiet()
        [ours] = on.ours()
        assert ours.flags.suppress_notifications
        assert labels(ours) == ["All", "Remove"]
        assert len(said(await on.bob.click(ours, label="All"))) > len(text(ours))
        await on.core.jobs.submit("digest", "digest-2", payload, lane="digest")
        await on.quiet()
        assert len(on.ours()) == 1
        off = said(await on.ann.slash(on.channel, "smallprint digest", options="off"))
        assert "The weekly digest is off here." in off

    play(tmp_path, scene)


# -- buttons and menus


def test_buttons_open_what_they_say(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.asks(CLAIM)
        [ours] = on.ours()
        for label, wanted in (
            ("Details", "Receipt"),
            ("Fair version", "MLPerf®"),
            ("Why this word?", WORD.strip("*:")),
            ("Helpful", "Thank you"),
            ("Not helpful", "Thank you"),
        ):
            result = await on.ann.click(ours, label=label)
            assert result.ephemeral
            assert wanted in said(result), label
        chart = await on.ann.click(ours, label="Chart")
        shown = [one for one in (chart.response, *chart.followups) if one is not None]
        [picture] = [file for one in shown for file in one.attachments]
        assert picture.filename.endswith(".png")
        assert picture.description

    play(tmp_path, scene)


def test_a_menu_fills_in_what_the_claim_leaves_out(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.asks(OPEN_CLAIM)
        [ours] = on.ours()
        assert labels(ours)[0].startswith("Choose model")
        stored = on.env.backend.get_message(ours.channel.id, ours.id)
        menu = stored.components[0]["components"][0]
        await on.ann.select(ours, [menu["options"][0]["value"]], custom_id=menu["custom_id"])
        await on.quiet()
        [after] = on.ours()
        assert after.id == ours.id
        assert text(after) != text(ours)

    play(tmp_path, scene)


def test_a_menu_of_a_private_answer_changes_that(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        result = await on.bob.slash(on.channel, "smallprint check", text=OPEN_CLAIM)
        shown = result.response
        assert shown is not None
        menu = shown.components[0]["components"][0]
        before = said(result)
        await on.bob.select(shown, [menu["options"][0]["value"]], custom_id=menu["custom_id"])
        assert said(result) != before

    play(tmp_path, scene)


def test_who_may_remove_an_answer(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        carl = on.guild.add_member(on.env.create_user("carl"))
        await on.asks(CLAIM)
        [ours] = on.ours()
        refused = said(await carl.click(ours, label="Remove"))
        assert refused.startswith("Only the person whose message this answers")
        assert on.ours()
        await on.bob.click(ours, label="Remove")
        assert not on.ours()
        await on.asks(CLAIM)
        await on.ann.click(on.ours()[0], label="Remove")
        assert not on.ours()

    play(tmp_path, scene)


def test_buttons_work_after_a_restart_and_say_when_a_reading_expired(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.asks(CLAIM)
        [ours] = on.ours()
        await on.restart()
        assert said(await on.ann.click(ours, label="Why this word?"))
        await on.core.state.purge(Retention(fields=-1))
        expired = await on.ann.click(ours, label="Details")
        assert "This reading has expired" in said(expired)
        shown = next(one for one in (expired.response, *expired.followups) if one and one.components)
        again = await on.ann.click(shown, label="Read again")
        assert said(again).startswith(WORD)

    play(tmp_path, scene)


def test_a_button_of_no_version_gets_a_word(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.asks(CLAIM)
        [ours] = on.ours()
        stored = on.env.backend.get_message(ours.channel.id, ours.id)
        stored.components[0]["components"][0]["custom_id"] = "v0.details.x"
        stored.components[0]["components"][1]["custom_id"] = "v1:juggle:x"
        for label in ("Details", "Chart"):
            assert "not kept any more" in said(await on.ann.click(ours, label=label))

    play(tmp_path, scene)


def test_forgetting_asks_first(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.core.service.set_preference("person", here(on), "opted_out", True, str(on.bob.id))
        asked = (await on.bob.slash(on.channel, "smallprint forget-me")).response
        assert asked is not None
        assert (await on.core.service.preferences(here(on), str(on.bob.id))).opted_out
        await on.bob.click(asked, label="Forget me")
        assert not (await on.core.service.preferences(here(on), str(on.bob.id))).opted_out

    play(tmp_path, scene)


# -- settings


def test_a_form_sets_what_holds_for_the_channel(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        form = await on.ann.slash(on.channel, "smallprint settings", topic="links", scope="channel")
        assert form.modal is not None
        assert len(form.modal["title"]) <= 45
        result = await on.ann.submit_modal(form, {"links": ["on"], "links_days": "7"})
        assert "Saved." in said(result)
        found = await on.core.service.preferences(here(on))
        assert (found.links, found.links_days) == (True, 7)
        form = await on.ann.slash(on.channel, "smallprint settings", topic="links", scope="channel")
        wrong = await on.ann.submit_modal(form, {"links_days": "many"})
        assert "a whole number" in said(wrong)

    play(tmp_path, scene)


def test_forms_of_all_topics_and_scopes_are_valid(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        for topic in ("answers", "links", "times", "hosts"):
            for scope in ("person", "channel", "workspace"):
                result = await on.ann.slash(on.channel, "smallprint settings", topic=topic, scope=scope)
                assert result.modal is not None or said(result)

    play(tmp_path, scene)


def test_only_who_may_manage_the_channel_sets_what_holds_for_all(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        refused = await on.bob.slash(on.channel, "smallprint settings", topic="links", scope="channel")
        assert refused.modal is None
        assert "Only the people who look after" in said(refused)
        own = await on.bob.slash(on.channel, "smallprint settings", topic="answers", scope="person")
        await on.bob.submit_modal(own, {"language": ["de"], "opted_out": ["on"]})
        found = await on.core.service.preferences(here(on), str(on.bob.id))
        assert (found.language, found.opted_out) == ("de", True)
        german = said(await on.bob.slash(on.channel, "smallprint check", text=CLAIM))
        assert "Stimmt, aber nicht Gleiches mit Gleichem" in german

    play(tmp_path, scene)


# -- the rest


def test_a_server_that_removes_us_leaves_nothing_behind(tmp_path: Path) -> None:
    async def scene(on: Stage) -> None:
        await on.core.service.set_preference("channel", here(on), "links", True, "1")
        on.env.backend.emit("GUILD_DELETE", {"id": str(on.guild.id)})
        await on.quiet()
        assert not (await on.core.service.preferences(here(on))).links

    play(tmp_path, scene)


def test_a_failure_inside_is_a_line_for_the_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(on: Stage) -> None:
        async def broken(*_: object, **__: object) -> None:
            raise OSError("disk full")

        async def refused(*_: object, **__: object) -> None:
            raise RefusedError("50013")

        monkeypatch.setattr(on.core.service, "page", broken)
        monkeypatch.setattr(on.core.service, "names", broken)
        monkeypatch.setattr(on.core.service, "choose", refused)
        assert "did not work just now" in said(await on.bob.slash(on.channel, "smallprint help"))
        assert await on.bob.autocomplete(on.channel, "smallprint rank", "model", "gpt") == []
        await on.asks(OPEN_CLAIM)
        [ours] = on.ours()
        menu = on.env.backend.get_message(ours.channel.id, ours.id).components[0]["components"][0]
        value = menu["options"][0]["value"]
        result = await on.bob.select(ours, [value], custom_id=menu["custom_id"])
        assert "Discord refused that (50013)." in said(result)

    play(tmp_path, scene)


def test_a_post_that_may_stand_behind_many_messages_is_not_declared_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.discord.port.LOOK_BACK", 3)

    async def scene(on: Stage) -> None:
        asked = await on.asks(CLAIM)
        [ours] = on.ours()
        [record] = await on.core.service.recent(here(on), str(on.bob.id))
        port = await on.edge.port(str(on.guild.id))
        found = Post(record.id, here(on), Page("en", "a"), source=str(asked.id))
        assert await port.find(found) == record.message
        assert str(ours.id) in (record.message or "")
        other = Post("another", here(on), Page("en", "a"), source=str(asked.id))
        assert await port.find(other) is None
        for _ in range(3):
            await on.bob.send(on.channel, "talk")
        with pytest.raises(CannotLookError):
            await port.find(other)

    play(tmp_path, scene, denied=("create_public_threads",))
