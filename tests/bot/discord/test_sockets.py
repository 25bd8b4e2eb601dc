"""The real client before a loopback Discord: mentions, buttons, failures of the network, restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import discord
import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.discord.checks import examine
from bot.discord.edge import connect
from bot.errors import UserError
from tests.bot.discord.staging import CLAIM, LINK, WORD, Stage, connected, core, settings, stage
from tests.fakes.discord import Discord

Scene = Callable[[Stage], Awaitable[None]]


@pytest.fixture(autouse=True)
def _own_api(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the edge points elsewhere is put back."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)


def play(folder: Path, scene: Scene, **options: Any) -> None:
    """One scene on a fresh stage."""

    async def whole() -> None:
        async with stage(folder, **options) as made, asyncio.timeout(25):
            await scene(made)

    asyncio.run(whole())


def test_a_mention_is_answered_in_a_thread_of_its_message(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        said = await s.bob.mentions(s.general, CLAIM)
        (post,) = await s.posts()
        assert post.content.startswith(WORD)
        assert post.channel == said.id
        assert s.discord.channels[said.id].name == "True, but not like for like"
        assert post.raw["allowed_mentions"]["parse"] == []
        assert post.raw["enforce_nonce"] is True
        assert len(post.nonce or "") == 25
        # A follow-up in that thread changes one thing.
        await s.bob.mentions(s.discord.channels[said.id], "and server?")
        second = (await s.posts(2))[1]
        assert "server" in str(second.embeds)
        assert second.channel == said.id

    play(tmp_path, scene)


def test_without_threads_the_reply_is_a_plain_one_and_still_has_follow_ups(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        said = await s.bob.mentions(s.general, CLAIM)
        (post,) = await s.posts()
        assert (post.channel, post.reference) == (s.general.id, said)
        assert post.raw["allowed_mentions"]["replied_user"] is False
        await s.bob.says(s.general, "and server?", reply_to=post)
        second = (await s.posts(2))[1]
        assert second.channel == s.general.id
        assert "server" in str(second.embeds)

    play(tmp_path, scene, denied=("create_public_threads",))


def test_a_bare_mention_reads_the_message_that_it_replies_to(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        claim = await s.ann.says(s.general, CLAIM)
        await s.bob.mentions(s.general, "", reply_to=claim)
        (post,) = await s.posts()
        assert post.content.startswith(WORD)

    play(tmp_path, scene, content=True)


def test_a_direct_message_is_answered_without_any_intent(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        await s.bob.says(s.discord.direct(s.bob), CLAIM)
        (post,) = await s.posts()
        assert post.content.startswith(WORD)
        assert s.discord.direct(s.bob).id == post.channel

    play(tmp_path, scene)


def test_edits_and_deletions_are_followed_and_previews_are_not(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        said = await s.bob.mentions(s.general, CLAIM)
        (post,) = await s.posts()
        await s.discord.previews(said)
        await s.bob.edits(said, f"<@{s.discord.me.id}> {CLAIM.replace('48', '15')}")
        await s.discord.until(lambda: post.edited)
        await s.core.done()
        assert "15 %" in post.content
        assert len(s.discord.posts()) == 1
        await s.bob.deletes(said)
        await s.discord.until(lambda: not s.discord.posts())

    play(tmp_path, scene)


def test_links_are_answered_quietly_where_the_intent_allows(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        place = (await s.core.service.take(probe(s))) and None
        assert place is None
        await s.core.state.set("workspace", place_of(s), "links", True, s.ann.id)
        await s.bob.says(s.general, f"look {LINK} now")
        (post,) = await s.posts()
        assert post.flags & 1 << 12

    play(tmp_path, scene, content=True)


def test_without_the_intent_talk_is_never_seen(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        await s.core.state.set("workspace", place_of(s), "links", True, s.ann.id)
        await s.bob.says(s.general, f"look {LINK} now")
        await s.bob.mentions(s.general, CLAIM)
        posts = await s.posts()
        assert [post.content.startswith(WORD) for post in posts] == [True]
        assert s.taken == 1

    play(tmp_path, scene)


def place_of(s: Stage) -> Any:
    """The channel as the core knows it."""
    from bot.discord.translate import place

    return place(int(s.guild.id), int(s.general.id))


def probe(s: Stage) -> Any:
    """An event that is ignored, so that the place is known."""
    from bot.events import Event

    return Event(id="probe", kind="message", place=place_of(s), message="1", author="1")


# -- failures


@pytest.mark.parametrize(
    "how",
    [{"retry_after": 0.2}, {"status": 502}, {"lose": "answer"}],
    ids=["429", "502", "lost answer"],
)
def test_one_post_whatever_happens_to_the_request(tmp_path: Path, how: dict[str, Any]) -> None:
    async def scene(s: Stage) -> None:
        failure = s.discord.fail("POST", "/messages", **how)
        await s.bob.mentions(s.general, CLAIM)
        await s.posts()
        await s.discord.until(lambda: failure.times == 0)
        tries = [
            path for method, path in s.discord.requests if method == "POST" and path.endswith("/messages")
        ]
        assert len(tries) == (1 if "lose" in how else 2)
        assert len(s.discord.posts()) == 1
        await s.core.done()
        (record,) = await s.core.state.recent(place_of(s), s.bob.id)
        assert record.status == "posted"

    play(tmp_path, scene, denied=("create_public_threads",))


def test_a_repeated_post_with_the_same_key_is_one_message(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        from bot.page import Page
        from bot.ports import Post

        port = await s.edge.port(s.guild.id)
        post = Post("key-of-the-digest", place_of(s), Page("en", "Digest", ("a",)), quiet=True)
        first, second = await port.post(post), await port.post(post)
        assert first == second
        assert await port.find(post) == first
        assert await port.find(Post("another-key", place_of(s), post.reply)) is None
        assert len(s.discord.posts()) == 1

    play(tmp_path, scene)


def test_a_lost_connection_is_resumed_and_nothing_is_missed(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        await s.discord.gateway.drop()
        await s.bob.mentions(s.general, CLAIM)
        (post,) = await s.posts()
        assert post.content.startswith(WORD)
        assert (s.discord.gateway.identified, s.discord.gateway.resumed) == (1, 1)
        await s.discord.gateway.ask_to_reconnect()
        await s.discord.until(lambda: s.discord.gateway.resumed == 2)

    play(tmp_path, scene)


def test_an_event_that_the_core_could_not_store_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.discord.edge.TAKE_AGAIN", (0.01, 0.01))

    async def scene(s: Stage) -> None:
        take = s.core.service.take
        failed: list[Any] = []

        async def failing(event: Any) -> Any:
            if len(failed) < 2:
                failed.append(event)
                raise OSError("disk full")
            return await take(event)

        s.core.service.take = failing  # type: ignore[method-assign]
        await s.bob.mentions(s.general, CLAIM)
        assert len(await s.posts()) == 1
        assert len(failed) == 2

    play(tmp_path, scene)


@pytest.mark.parametrize(
    ("content", "token", "line"),
    [(True, None, "4014"), (False, "wrong.token", "SMALLPRINT_DISCORD_TOKEN")],
)
def test_what_discord_refuses_is_one_clear_line(
    tmp_path: Path, content: bool, token: str | None, line: str
) -> None:
    async def whole() -> None:
        async def port(workspace: str) -> Any:
            raise AssertionError

        async with Discord() as fake, core(tmp_path, port) as found:
            edge = await connect(found.service, found.state, settings(fake, content=content, token=token))
            problems, remarks = await examine(settings(fake, content=content, token=token))
            assert line.split("_")[-1] in " ".join(problems)
            assert not remarks
            with pytest.raises(UserError, match=line):
                await edge.start()
            await edge.stop()

    asyncio.run(whole())


def test_a_failing_permission_is_refused_without_a_retry(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        await s.bob.mentions(s.general, CLAIM)
        await s.quiet(1)
        assert not s.discord.posts()
        tries = [
            path for method, path in s.discord.requests if method == "POST" and path.endswith("/messages")
        ]
        assert len(tries) == 1

    play(tmp_path, scene, denied=("send_messages", "create_public_threads"))


# -- commands and interactions over the wire


def test_commands_are_sent_once_and_again_only_when_they_changed(tmp_path: Path) -> None:
    async def whole() -> None:
        async with Discord() as fake:
            fake.channel(fake.guild("Acme", fake.user("ann")), "general")
            async with connected(tmp_path, fake):
                assert fake.puts == 1
            async with connected(tmp_path, fake):
                assert fake.puts == 1
            fake.commands[0]["options"][0]["description_localizations"]["de"] = "anders"
            async with connected(tmp_path, fake):
                assert fake.puts == 2

    asyncio.run(whole())


def test_commands_have_german_names_and_may_be_installed_by_people(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        group, menu = s.discord.commands
        assert (menu["type"], menu["name_localizations"]["de"]) == (3, "Behauptungen prüfen")
        for command in s.discord.commands:
            assert sorted(command["contexts"]) == [0, 1, 2]
            assert sorted(command["integration_types"]) == [0, 1]
        rank = next(one for one in group["options"] if one["name"] == "rank")
        assert set(rank["name_localizations"]) == {"de", "en-US", "en-GB"}
        assert rank["name_localizations"]["de"] == "rangliste"
        assert [one["name_localizations"]["de"] for one in rank["options"]][:2] == ["modell", "szenario"]
        assert sum(size_of(command) for command in s.discord.commands) <= 8000

    play(tmp_path, scene)


def size_of(command: dict[str, Any]) -> int:
    """A command's characters as Discord counts them: the longest name and description of each part."""
    total = 0
    for key in ("name", "description"):
        words = [str(command.get(key) or ""), *(command.get(f"{key}_localizations") or {}).values()]
        total += max(map(len, words))
    total += sum(len(str(choice["value"])) for choice in command.get("choices") or [])
    return total + sum(size_of(option) for option in command.get("options") or [])


def test_a_german_reader_gets_german_pages_and_a_guilds_default_holds_else(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        asked = await s.bob.runs("help")
        (help_,) = await s.discord.answered(asked)
        assert "rangliste MODELL SZENARIO" in help_.text
        assert help_.ephemeral
        asked = await s.ann.runs("help")
        (help_,) = await s.discord.answered(asked)
        assert "rank MODEL SCENARIO" in help_.text
        # A message carries no locale of its reader: the guild's holds.
        await s.ann.mentions(s.general, "help")
        (post,) = await s.posts()
        assert post.embeds

    play(tmp_path, scene, locale="de")


def test_buttons_of_an_earlier_run_work(tmp_path: Path) -> None:
    async def whole() -> None:
        async with Discord() as fake, asyncio.timeout(25):
            ann = fake.user("ann", admin=True)
            general = fake.channel(fake.guild("Acme", ann), "general")
            async with connected(tmp_path, fake) as (found, _):
                await ann.mentions(general, CLAIM)
                await fake.until(fake.posts)
                await found.done()
            (post,) = fake.posts()
            async with connected(tmp_path, fake) as (found, _):
                (details,) = await fake.answered(await ann.presses(post, "details"))
                assert "**" in details.content
                await fake.answered(await ann.presses(post, "helpful"))
                await found.state.purge(retention_of_nothing())
                (expired,) = await fake.answered(await ann.presses(post, "why"))
                assert "expired" in expired.content or "not kept" in expired.content

    asyncio.run(whole())


def retention_of_nothing() -> Any:
    """Fields are forgotten at once, rows later."""
    from bot.state.records import Retention

    return Retention(fields=-1)


def test_a_chart_is_sent_as_a_file_with_alt_text(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        await s.bob.mentions(s.general, CLAIM)
        (post,) = await s.posts()
        (sent,) = await s.discord.answered(await s.bob.presses(post, "chart"))
        ((name, data),) = sent.files
        assert name == "smallprint.png"
        assert data.startswith(b"\x89PNG")
        assert "16,635" in sent.attachments[0]["description"]

    play(tmp_path, scene)


def test_forms_that_were_open_over_a_restart_are_taken(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        data = {
            "custom_id": "v1:form:links:channel",
            "components": [
                {
                    "type": 18,
                    "id": 1,
                    "component": {"type": 3, "id": 2, "custom_id": "links", "values": ["on"]},
                },
                {
                    "type": 18,
                    "id": 3,
                    "component": {"type": 4, "id": 4, "custom_id": "links_days", "value": "7"},
                },
            ],
        }
        (said,) = await s.discord.answered(await s.discord.interact(s.ann, s.general, 5, data))
        assert said.content == "Saved."
        found = await s.core.service.preferences(place_of(s))
        assert (found.links, found.links_days) == (True, 7)
        (said,) = await s.discord.answered(await s.discord.interact(s.bob, s.general, 5, data))
        assert said.content.startswith("Das können nur")

    play(tmp_path, scene)


def test_the_library_is_kept_from_pinging(tmp_path: Path) -> None:
    async def scene(s: Stage) -> None:
        mentions = s.edge.bot.allowed_mentions
        assert mentions is not None
        assert mentions.to_dict() == discord.AllowedMentions.none().to_dict()

    play(tmp_path, scene)
