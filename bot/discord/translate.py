"""Discord's messages as the core's events: pure, a table of cases in the tests.

A message's event ID is its own ID, so that a message which the gateway sends twice (after a resume) is
taken once; an edit's has the time of the edit in it, which an embed that arrives does not change.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.events import Event, Kind, Place

# Written by people; every other type is a notice of Discord's own (joins, pins, threads, boosts).
WRITTEN = frozenset((discord.MessageType.default, discord.MessageType.reply))
LOOKING_GLASS = "\N{RIGHT-POINTING MAGNIFYING GLASS}"
LOOKING_GLASSES = frozenset((LOOKING_GLASS, "\N{LEFT-POINTING MAGNIFYING GLASS}"))


@dataclass(frozen=True, slots=True)
class Me:
    """Who we are, and whether we see what people write to each other."""

    id: int
    content: bool = False


def place(guild: int | None, channel: int, parent: int | None = None, anchor: int | None = None) -> Place:
    """Where something stands. parent: the channel of a thread, so that a thread inherits its settings.

    anchor: the message that a thread could start from; a reply in a plain channel belongs to it.
    """
    if parent is not None:
        return Place("discord", str(guild or ""), str(parent), thread=str(channel))
    return Place(
        "discord",
        str(guild or ""),
        str(channel),
        thread=str(anchor) if anchor else None,
        direct=guild is None,
    )


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
    if message.guild is None:
        return "direct"
    if any(user.id == me.id for user in message.mentions):
        return "mention"
    return "message" if me.content and message.content else None


def _visible(message: discord.Message, me: Me) -> bool:
    """Whether Discord shows us what the message says: without the intent only what is meant for us."""
    return me.content or message.guild is None or any(user.id == me.id for user in message.mentions)


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
    guild = message.guild
    at = place(guild.id if guild else None, message.channel.id, parent, _anchor(message, me))
    locale = getattr(guild, "preferred_locale", None)
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


def _automated(message: discord.Message) -> bool:
    return message.author.bot or message.webhook_id is not None or message.type not in WRITTEN


def _referenced(message: discord.Message) -> discord.Message | None:
    found = message.reference.resolved if message.reference else None
    return found if isinstance(found, discord.Message) else None


def _about(message: discord.Message, me: Me) -> str | None:
    """The message that this one replies to, but for our own: those hold nothing to be read."""
    if message.type is not discord.MessageType.reply or message.reference is None:
        return None
    target = _referenced(message)
    if target is not None and target.author.id == me.id:
        return None
    return str(message.reference.message_id) if message.reference.message_id else None


def _anchor(message: discord.Message, me: Me) -> int | None:
    """The message that our reply answered, where somebody replies to it: that is their thread."""
    target = _referenced(message)
    if target is None or target.author.id != me.id or target.reference is None:
        return None
    return target.reference.message_id
