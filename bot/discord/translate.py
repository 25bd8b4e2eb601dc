"""Discord's messages as the core's events: pure, a table of cases in the tests.

A message's event ID is its own ID, so that a message which the gateway sends twice (after a resume) is
taken once; an edit's has the time of the edit in it, which an embed that arrives does not change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import discord

from bot.events import Event, Kind, Place

# Written by people; every other type is a notice of Discord's own (joins, pins, threads, boosts).
WRITTEN = frozenset((discord.MessageType.default, discord.MessageType.reply))
MENTION = re.compile(r"<@!?\d{1,20}>")
BETWEEN = "-"  # of channel and message in the ID of a message of ours
LOOKING_GLASS = "\N{RIGHT-POINTING MAGNIFYING GLASS}"
LOOKING_GLASSES = frozenset((LOOKING_GLASS, "\N{LEFT-POINTING MAGNIFYING GLASS}"))


@dataclass(frozen=True, slots=True)
class Me:
    """Who we are, and whether we see what people write to each other."""

    id: int
    content: bool = False


def place(guild: int | None, channel: int, parent: int | None = None) -> Place:
    """Where something stands. parent: the channel of a thread, so that a thread inherits its settings."""
    if parent is not None:
        return Place("discord", str(guild or ""), str(parent), thread=str(channel))
    return Place("discord", str(guild or ""), str(channel), direct=guild is None)


def own_id(channel: int, message: int) -> str:
    """The ID of a message of ours as the core keeps it: with its channel, since a thread is one too."""
    return f"{channel}{BETWEEN}{message}"


def written(message: discord.Message, me: Me, parent: int | None = None) -> Event | None:
    """A new message as an event; None for what nobody could want an answer to."""
    kind = _kind(message, me)
    if kind is None:
        return None
    return _event(message, me, parent, kind, f"discord-{message.id}", about=_about(message, me))


def edited(message: discord.Message, me: Me, parent: int | None = None) -> Event | None:
    """A changed message as an event; an embed that arrived is marked as a preview."""
    if message.author.id != me.id and not _visible(message, me):
        return None
    stamp = int(message.edited_at.timestamp() * 1000) if message.edited_at else 0
    return _event(
        message,
        me,
        parent,
        "edit",
        f"discord-{message.id}-{stamp}",
        about=_about(message, me),
        preview=not stamp,
    )


def deleted(message: int, guild: int | None, channel: int, parent: int | None = None) -> Event:
    """A message that is gone; Discord does not say who wrote it."""
    return Event(
        id=f"discord-{message}-deleted",
        kind="deletion",
        place=place(guild, channel, parent),
        message=str(message),
        author="",
    )


def reacted(payload: discord.RawReactionActionEvent, parent: int | None = None) -> Event | None:
    """Our sign on a message; None for every other sign."""
    if payload.emoji.name not in LOOKING_GLASSES or payload.emoji.id is not None:
        return None
    at = place(payload.guild_id, payload.channel_id, parent)
    return Event(
        id=f"discord-{payload.message_id}-reaction",
        kind="reaction",
        place=at,
        message=str(payload.message_id),
        author=str(payload.message_author_id or ""),
        actor=str(payload.user_id),
        about=str(payload.message_id),
        automated=bool(payload.member and payload.member.bot),
    )


def _kind(message: discord.Message, me: Me) -> Kind | None:
    if guild_of(message) is None:
        return "direct"
    if any(user.id == me.id for user in message.mentions):
        return "mention"
    return "message" if me.content and message.content else None


def _visible(message: discord.Message, me: Me) -> bool:
    """Whether Discord shows us what the message says: without the intent only what is meant for us."""
    return me.content or guild_of(message) is None or any(user.id == me.id for user in message.mentions)


def _event(
    message: discord.Message,
    me: Me,
    parent: int | None,
    kind: Kind,
    event_id: str,
    *,
    about: str | None = None,
    preview: bool = False,
) -> Event:
    at = place(guild_of(message), message.channel.id, parent)
    locale = getattr(message.guild, "preferred_locale", None)
    return Event(
        id=event_id,
        kind=kind,
        place=at,
        message=str(message.id),
        author=str(message.author.id),
        text=message.content,
        about=about,
        own=message.author.id == me.id,
        automated=_automated(message),
        preview=preview,
        locale=str(locale) if locale else None,
        at=message.created_at.timestamp(),
    )


def guild_of(message: discord.Message) -> int | None:
    """The guild's ID; the channel knows it while the gateway has not told of the guild yet."""
    if message.guild is not None:
        return message.guild.id
    return getattr(message.channel, "guild_id", None)


def _automated(message: discord.Message) -> bool:
    return message.author.bot or message.webhook_id is not None or message.type not in WRITTEN


def _about(message: discord.Message, me: Me) -> str | None:
    """The message that this one replies to; ours by the core's ID, where something is said to it."""
    if message.type is not discord.MessageType.reply or message.reference is None:
        return None
    target = message.reference.resolved
    if isinstance(target, discord.Message) and target.author.id == me.id:
        return own_id(target.channel.id, target.id) if MENTION.sub("", message.content).strip() else None
    return str(message.reference.message_id) if message.reference.message_id else None
