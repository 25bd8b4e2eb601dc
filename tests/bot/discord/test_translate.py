"""Discord's messages as the core's events, as a table: what each comes to, and what is decided on it."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest

from bot.decide import Context, decide
from bot.discord import translate
from bot.discord.translate import Me
from bot.events import Event, Place
from bot.preferences import Preferences

US, THEM, GUILD, CHANNEL, THREAD, MESSAGE, OURS = 1, 2, 30, 40, 41, 500 << 22, 600 << 22
ME, SEEING = Me(US), Me(US, content=True)
EDITED = "2026-11-30T10:00:00.123000+00:00"


@pytest.fixture(scope="module")
def client() -> discord.Client:
    """A client that never connects: it only makes messages of payloads."""

    async def made() -> discord.Client:
        return discord.Client(intents=discord.Intents.none())

    found = asyncio.run(made())
    guild = discord.Guild(
        data={"id": GUILD, "name": "Acme", "preferred_locale": "de", "roles": [], "emojis": []},  # type: ignore[typeddict-item]
        state=found._connection,
    )
    found._connection._add_guild(guild)
    return found


def person(number: int, *, bot: bool = False) -> dict[str, Any]:
    """A user."""
    return {"id": str(number), "username": "x", "discriminator": "0", "avatar": None, "bot": bot}


def payload(**other: Any) -> dict[str, Any]:
    """A message of a person in a guild's channel."""
    return {
        "id": str(MESSAGE),
        "channel_id": str(CHANNEL),
        "guild_id": str(GUILD),
        "author": person(THEM),
        "content": "3.7x",
        "timestamp": "2026-11-30T09:00:00+00:00",
        "edited_timestamp": None,
        "mentions": [],
        "mention_roles": [],
        "mention_everyone": False,
        "attachments": [],
        "embeds": [],
        "components": [],
        "pinned": False,
        "tts": False,
        "type": 0,
        **other,
    }


def message(client: discord.Client, **other: Any) -> discord.Message:
    """A message as the library makes it."""
    data = payload(**other)
    guild = int(data["guild_id"]) if data.get("guild_id") else None
    channel = client.get_partial_messageable(int(data["channel_id"]), guild_id=guild)
    found = discord.Message(state=client._connection, channel=channel, data=data)  # type: ignore[arg-type]
    if guild is not None:
        found.guild = client.get_guild(guild)
    return found


def reply_to(author: int, **other: Any) -> dict[str, Any]:
    """What makes a message a reply to another one."""
    target = payload(id=str(OURS), author=person(author, bot=author == US), **other)
    return {
        "type": 19,
        "message_reference": {"message_id": str(OURS), "channel_id": str(CHANNEL)},
        "referenced_message": target,
    }


MENTIONED = {"mentions": [person(US, bot=True)], "content": f"<@{US}> 3.7x"}
PINGED = {"mentions": [person(US, bot=True)]}
DIRECT = {"guild_id": None}

# name, what differs from a plain message, who we are, kind (None: no event), fields of the event
WRITTEN: list[tuple[str, dict[str, Any], Me, str | None, dict[str, Any]]] = [
    ("a mention", MENTIONED, ME, "mention", {"text": f"<@{US}> 3.7x", "locale": "de"}),
    ("a direct message", DIRECT, ME, "direct", {"place": Place("discord", "", "40", direct=True)}),
    ("talk among others, unseen", {"content": ""}, ME, None, {}),
    ("talk among others, seen", {}, SEEING, "message", {"text": "3.7x"}),
    ("a picture without a word", {"content": ""}, SEEING, None, {}),
    ("a mention of somebody else", {"mentions": [person(9)]}, ME, None, {}),
    ("a mention of all", {"mention_everyone": True}, ME, None, {}),
    ("a mention under another's message", MENTIONED | reply_to(9), ME, "mention", {"about": str(OURS)}),
    ("a reply to ours", PINGED | reply_to(US), ME, "mention", {"about": f"{CHANNEL}-{OURS}", "text": "3.7x"}),
    ("a bot", MENTIONED | {"author": person(7, bot=True)}, ME, "mention", {"automated": True}),
    ("a webhook", MENTIONED | {"webhook_id": "8"}, ME, "mention", {"automated": True}),
    ("a notice of Discord's", MENTIONED | {"type": 6}, ME, "mention", {"automated": True}),
    ("our own", DIRECT | {"author": person(US, bot=True)}, ME, "direct", {"own": True}),
]


@pytest.mark.parametrize(
    ("name", "other", "me", "kind", "fields"), WRITTEN, ids=[case[0] for case in WRITTEN]
)
def test_new_messages(
    client: discord.Client, name: str, other: dict[str, Any], me: Me, kind: str | None, fields: dict[str, Any]
) -> None:
    found = translate.written(message(client, **other), me)
    if kind is None:
        assert found is None
        return
    assert found is not None
    assert (found.kind, found.id, found.message) == (kind, f"discord-{MESSAGE}", str(MESSAGE))
    assert {key: getattr(found, key) for key in fields} == fields


def decision(event: Event) -> str:
    """Why the core would speak or be silent."""
    return decide(Context(event=event, preferences=Preferences(links=True), now=event.at)).reason


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (MENTIONED, "asked"),
        (MENTIONED | {"author": person(7, bot=True)}, "automated"),
        (DIRECT | {"author": person(US, bot=True)}, "own_message"),
    ],
)
def test_what_the_core_decides(client: discord.Client, other: dict[str, Any], reason: str) -> None:
    found = translate.written(message(client, **other), ME)
    assert found is not None
    assert decision(found) == reason


def test_a_guild_that_was_not_told_of_yet_is_no_direct_talk(client: discord.Client) -> None:
    early = message(client, **MENTIONED)
    early.guild = None
    found = translate.written(early, ME)
    assert found is not None
    assert (found.kind, found.place) == ("mention", Place("discord", "30", "40"))


def test_a_thread_is_known_by_its_parent(client: discord.Client) -> None:
    found = translate.written(message(client, channel_id=str(THREAD), **MENTIONED), ME, parent=CHANNEL)
    assert found is not None
    assert found.place == Place("discord", "30", "40", thread="41")


def test_a_bare_mention_under_ours_points_at_nothing_to_read(client: discord.Client) -> None:
    found = translate.written(message(client, **PINGED | {"content": f"<@{US}>"}, **reply_to(US)), ME)
    assert found is not None
    assert found.about is None


# name, what differs, who we are, what of the event
CHANGED: list[tuple[str, dict[str, Any], Me, dict[str, Any] | None]] = [
    ("an edited mention", MENTIONED | {"edited_timestamp": EDITED}, ME, {"preview": False}),
    ("an embed that arrived", MENTIONED | {"embeds": [{"type": "link"}]}, ME, {"preview": True}),
    ("an edit that we do not see", {"content": "", "edited_timestamp": EDITED}, ME, None),
    ("an edit that we see", {"edited_timestamp": EDITED}, SEEING, {"text": "3.7x"}),
    ("an edit of ours", {"author": person(US, bot=True), "edited_timestamp": EDITED}, ME, {"own": True}),
    ("an edited direct message", DIRECT | {"edited_timestamp": EDITED}, ME, {"text": "3.7x"}),
]


@pytest.mark.parametrize(("name", "other", "me", "fields"), CHANGED, ids=[case[0] for case in CHANGED])
def test_changed_messages(
    client: discord.Client, name: str, other: dict[str, Any], me: Me, fields: dict[str, Any] | None
) -> None:
    found = translate.edited(message(client, **other), me)
    if fields is None:
        assert found is None
        return
    assert found is not None
    assert found.kind == "edit"
    assert {key: getattr(found, key) for key in fields} == fields


def test_an_edit_that_comes_twice_is_one_and_two_edits_are_two(client: discord.Client) -> None:
    ids = {
        stamp: getattr(translate.edited(message(client, **MENTIONED, edited_timestamp=stamp), ME), "id", None)
        for stamp in (EDITED, EDITED.replace(".123", ".124"), EDITED)
    }
    assert len(set(ids.values())) == 2
    assert ids[EDITED] == f"discord-{MESSAGE}-1796032800123"


def test_deletions_and_reactions() -> None:
    gone = translate.deleted(MESSAGE, GUILD, THREAD, CHANNEL)
    assert (gone.id, gone.kind, gone.place.thread) == (f"discord-{MESSAGE}-deleted", "deletion", "41")
    assert translate.deleted(MESSAGE, None, CHANNEL).place.direct


@pytest.mark.parametrize(("emoji", "taken"), [("🔎", True), ("🔍", True), ("👍", False)])
def test_our_sign_on_a_message(emoji: str, taken: bool) -> None:
    data: Any = {
        "user_id": str(THEM),
        "message_id": str(MESSAGE),
        "message_author_id": "9",
        "channel_id": str(CHANNEL),
        "guild_id": str(GUILD),
        "type": 0,
    }
    sign = discord.PartialEmoji(name=emoji)
    found = translate.reacted(discord.RawReactionActionEvent(data, sign, "REACTION_ADD"))
    assert (found is not None) is taken
    if found is not None:
        assert (found.actor, found.author, found.about) == (str(THEM), "9", str(MESSAGE))
