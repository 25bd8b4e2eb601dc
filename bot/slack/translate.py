"""Slack's events as the core's: pure functions, one for each kind, without Slack's library.

What Slack says of an event goes into the flags of `Event`, on which bot/decide.py rests; an event
that the core has no word for (somebody joined) is None. Shapes: docs.slack.dev/reference/events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.events import Event, Place

Body = Mapping[str, Any]

SLACKBOT = "USLACKBOT"
# Subtypes of messages that a person wrote; every other one (channel_join, bot_message …) is none.
WRITTEN = frozenset((None, "file_share", "thread_broadcast", "me_message"))
AUTOMATIC = frozenset(("bot_message",))
# 🔎 and 🔍, as Slack calls them.
LOOK = frozenset(("mag", "mag_right"))


@dataclass(frozen=True, slots=True)
class Me:
    """Our own user and bot in a workspace. scan: read every message for links, not only what is asked."""

    user: str
    bot: str = ""
    scan: bool = False

    def wrote(self, message: Mapping[str, Any]) -> bool:
        """Whether a message is ours."""
        return bool(self.user and message.get("user") == self.user) or bool(
            self.bot and message.get("bot_id") == self.bot
        )


def event(body: Body, me: Me) -> Event | None:
    """The Event of an Events API envelope, None where there is nothing in it for the core."""
    inner = body.get("event")
    if not isinstance(inner, Mapping):
        return None
    made = _KINDS.get(str(inner.get("type")))
    return made(body, inner, me) if made else None


def workspace(body: Body) -> str:
    """Which installation an event belongs to: the organisation's ID where it installed us as a whole."""
    seen = (body.get("authorizations") or [{}])[0]
    enterprise = seen.get("enterprise_id") or body.get("enterprise_id")
    if seen.get("is_enterprise_install") and enterprise:
        return str(enterprise)
    return str(seen.get("team_id") or body.get("context_team_id") or body.get("team_id") or "")


def place(body: Body, channel: str, thread: str | None = None, kind: str | None = None) -> Place:
    """Where an event happens. `kind`: Slack's channel_type, where it says one."""
    return Place(
        platform="slack",
        workspace=workspace(body),
        channel=channel,
        thread=thread or None,
        direct=kind == "im" or (kind is None and channel.startswith("D")),
        shared=bool(body.get("is_ext_shared_channel")),
    )


def identifier(body: Body) -> str:
    """The ID of an event: Slack's own, the same for every redelivery."""
    return f"slack:{body.get('event_id', '')}"


def at(ts: str | None) -> float:
    """A message's time, which Slack has in its ID; 0 where it is none."""
    try:
        return float(ts or 0)
    except ValueError:
        return 0.0


def automated(message: Mapping[str, Any]) -> bool:
    """Whether an app, a workflow or Slack itself wrote a message."""
    return bool(
        message.get("bot_id")
        or message.get("bot_profile")
        or message.get("user") in (SLACKBOT, None)
        or message.get("subtype") in AUTOMATIC
    )


def mention(body: Body, inner: Mapping[str, Any], me: Me) -> Event | None:
    """app_mention: somebody asks in a channel. `about` is the thread's parent."""
    if inner.get("subtype") not in WRITTEN | AUTOMATIC:
        return None
    return _said(body, inner, me, "mention")


def message(body: Body, inner: Mapping[str, Any], me: Me) -> Event | None:
    """Any message: new, changed or deleted."""
    match inner.get("subtype"):
        case "message_changed":
            return changed(body, inner, me)
        case "message_deleted":
            return deleted(body, inner, me)
        case subtype if subtype not in WRITTEN | AUTOMATIC or inner.get("hidden"):
            return None
    if inner.get("channel_type") == "im":
        return _said(body, inner, me, "direct")
    if f"<@{me.user}>" in str(inner.get("text") or "") or f"<@{me.user}|" in str(inner.get("text") or ""):
        return None  # it comes as app_mention too, and that is the one that is answered
    return _said(body, inner, me, "message") if me.scan else None


def _said(body: Body, inner: Mapping[str, Any], me: Me, kind: Any) -> Event | None:
    ts, thread = str(inner.get("ts") or ""), inner.get("thread_ts")
    if not ts or not inner.get("channel"):
        return None
    return Event(
        id=identifier(body),
        kind=kind,
        place=place(body, str(inner["channel"]), thread, inner.get("channel_type")),
        message=ts,
        author=str(inner.get("user") or ""),
        text=str(inner.get("text") or ""),
        about=str(thread) if thread and thread != ts else None,
        own=me.wrote(inner),
        automated=automated(inner),
        at=at(ts),
    )


def changed(body: Body, inner: Mapping[str, Any], me: Me) -> Event | None:
    """message_changed: an edit; or a link preview that arrived; or a thread's parent that was deleted."""
    now, before = inner.get("message") or {}, inner.get("previous_message") or {}
    if now.get("subtype") == "tombstone":
        return deleted(body, {**inner, "deleted_ts": now.get("ts")}, me)
    if not now.get("ts") or not inner.get("channel"):
        return None
    return Event(
        id=identifier(body),
        kind="edit",
        place=place(body, str(inner["channel"]), now.get("thread_ts"), inner.get("channel_type")),
        message=str(now["ts"]),
        author=str(now.get("user") or ""),
        text=str(now.get("text") or ""),
        own=me.wrote(now),
        automated=automated(now),
        # A preview, a reaction or a first reply changes all kinds of fields; an edit changes the text.
        preview=now.get("text") == before.get("text"),
        at=at(now["ts"]),
    )


def deleted(body: Body, inner: Mapping[str, Any], me: Me) -> Event | None:
    """message_deleted: a message is gone."""
    before = inner.get("previous_message") or {}
    ts = inner.get("deleted_ts") or before.get("ts")
    if not ts or not inner.get("channel"):
        return None
    return Event(
        id=identifier(body),
        kind="deletion",
        place=place(body, str(inner["channel"]), before.get("thread_ts"), inner.get("channel_type")),
        message=str(ts),
        author=str(before.get("user") or ""),
        own=me.wrote(before),
        at=at(str(ts)),
    )


def links(body: Body, inner: Mapping[str, Any], me: Me) -> Event | None:
    """link_shared: a message holds links of our domains. Its text is not told."""
    channel, ts = str(inner.get("channel") or ""), str(inner.get("message_ts") or "")
    if not ts or channel.startswith("D"):
        return None  # in a direct conversation the message itself arrives
    urls = [str(one.get("url") or "") for one in inner.get("links") or ()]
    posted = inner.get("source") == "conversations_history" and channel != "COMPOSER"
    return Event(
        id=identifier(body),
        kind="links",
        place=place(body, channel, inner.get("thread_ts"), None),
        message=ts,
        author=str(inner.get("user") or ""),
        links=tuple(url for url in urls if url),
        own=inner.get("user") == me.user,
        automated=inner.get("user") == SLACKBOT,
        member=bool(inner.get("is_bot_user_member")),
        posted=posted,
        at=at(ts) if posted else 0.0,
    )


def reaction(body: Body, inner: Mapping[str, Any], me: Me) -> Event | None:
    """reaction_added: somebody put 🔎 on a message."""
    item = inner.get("item") or {}
    if inner.get("reaction") not in LOOK or item.get("type") != "message" or not item.get("ts"):
        return None
    author = str(inner.get("item_user") or "")
    return Event(
        id=identifier(body),
        kind="reaction",
        place=place(body, str(item.get("channel") or "")),
        message=str(item["ts"]),
        about=str(item["ts"]),
        author=author,
        actor=str(inner.get("user") or ""),
        own=author == me.user,
        automated=author == SLACKBOT or inner.get("user") == me.user,
        at=at(str(item["ts"])),
    )


_KINDS: dict[str, Callable[[Body, Mapping[str, Any], Me], Event | None]] = {
    "app_mention": mention,
    "message": message,
    "link_shared": links,
    "reaction_added": reaction,
}
