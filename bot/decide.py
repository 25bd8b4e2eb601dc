"""Whether to answer, and why: one table of reasons, pure, with no clock and no store of its own.

`decide` looks at what happened before anything is read; `decide_article` at what a fetched
article came to. Each silence has a named reason, which `why` tells and the metrics count.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal
from zoneinfo import ZoneInfo

from bot.events import Event
from bot.preferences import Preferences
from bot.state.records import SentReply
from knowledge.reading import Verdict

# answer: read the text and reply. links: fetch the watched links, reply if that is worth it.
# update: read the edited message again. remove: take our reply away. ignore: say nothing.
Action = Literal["answer", "links", "update", "remove", "ignore"]

Reason = Literal[
    "asked",
    "reaction",
    "vendor_link",
    "edited",
    "deleted",
    "own_message",
    "automated",
    "preview_only",
    "not_posted",
    "not_member",
    "shared_channel",
    "already_answered",
    "too_many_requests",
    "reaction_off",
    "nothing_of_ours",
    "message_deleted",
    "links_off",
    "opted_out",
    "no_watched_link",
    "many_links",
    "old_message",
    "quiet_hours",
    "link_answered_lately",
    "misleading",
    "nothing_misleading",
    "no_claims",
    "not_about_results",
    "not_readable",
]

MOST_LINKS = 2  # a message with more links is a list, not a recommendation
AGAIN_AFTER = 30 * 60  # seconds before the same link may come up again in any thread of a channel
STALE = 6 * 3600  # seconds after which a reply that nobody asked for comes too late

# An article is worth an unasked reply only if one of its claims reads as one of these.
MISLEADING: frozenset[Verdict] = frozenset(
    ("contradicted", "frame", "best_case", "software", "not_reproduced")
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, and the reason as a code."""

    action: Action
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """All that a decision rests on.

    event and the preferences that hold for it; now: seconds since 1970. reply: ours to this very
    message. gone: it was deleted before its own event came. busy: the person asks too often.
    watched: how many links of the message are vendors'. links: how many it has in all. seen: each
    watched link was answered in this channel within `links_days`.
    """

    event: Event
    preferences: Preferences
    now: float
    reply: SentReply | None = None
    gone: bool = False
    busy: bool = False
    links: int = 0
    watched: int = 0
    seen: bool = False


Rule = tuple[Reason, Callable[[Context], bool]]


def _answered(c: Context) -> bool:
    return c.reply is not None and c.reply.status not in ("open", "silent")


# In their order; the first that holds is the reason for silence.
ALWAYS: tuple[Rule, ...] = (
    ("own_message", lambda c: c.event.own),
    ("automated", lambda c: c.event.automated and c.event.kind != "deletion"),
    ("preview_only", lambda c: c.event.preview),
    ("not_posted", lambda c: not c.event.posted),
    ("not_member", lambda c: not c.event.member),
    ("shared_channel", lambda c: c.event.place.shared and not c.preferences.shared_channels),
)
ASKED: tuple[Rule, ...] = (
    ("message_deleted", lambda c: c.gone),
    ("already_answered", _answered),
    ("too_many_requests", lambda c: c.busy),
)
REACTED: tuple[Rule, ...] = (("reaction_off", lambda c: not c.preferences.reaction), *ASKED)
UNASKED: tuple[Rule, ...] = (
    ("links_off", lambda c: not c.preferences.links),
    ("opted_out", lambda c: c.preferences.opted_out),
    ("no_watched_link", lambda c: c.watched == 0),
    ("many_links", lambda c: c.links > MOST_LINKS),
    ("message_deleted", lambda c: c.gone),
    ("already_answered", _answered),
    ("old_message", lambda c: c.event.at > 0 and c.now - c.event.at > STALE),
    ("quiet_hours", lambda c: quiet(c.preferences, c.now)),
    ("link_answered_lately", lambda c: c.seen),
)
GONE: tuple[Rule, ...] = (("nothing_of_ours", lambda c: c.reply is None),)


def decide(context: Context) -> Decision:
    """What to do about an event."""
    if reason := _first(ALWAYS, context):
        return Decision("ignore", reason)
    match context.event.kind:
        case "mention" | "direct":
            return _unless(ASKED, context, Decision("answer", "asked"))
        case "reaction":
            return _unless(REACTED, context, Decision("answer", "reaction"))
        case "message" | "links":
            return _unless(UNASKED, context, Decision("links", "vendor_link"))
        case "deletion":
            return _unless(GONE, context, Decision("remove", "deleted"))
        case "edit":
            if _answered(context):
                return Decision("update", "edited")
            return _unless(UNASKED, context, Decision("links", "vendor_link"))


def decide_article(verdicts: Sequence[Verdict], preferences: Preferences) -> Decision:
    """Whether what an article came to is worth a reply that nobody asked for."""
    if not verdicts:
        return Decision("ignore", "no_claims")
    if MISLEADING & set(verdicts):
        return Decision("links", "misleading")
    return Decision("links" if preferences.links_say_fine else "ignore", "nothing_misleading")


def quiet(preferences: Preferences, now: float) -> bool:
    """Whether the channel's quiet hours hold; they may run past midnight."""
    if preferences.quiet_hours is None:
        return False
    start, end = (dt.time.fromisoformat(part) for part in preferences.quiet_hours.split("-"))
    time = dt.datetime.fromtimestamp(now, ZoneInfo(preferences.zone)).time()
    return start <= time < end if start <= end else time >= start or time < end


def _first(rules: Sequence[Rule], context: Context) -> Reason | None:
    return next((reason for reason, holds in rules if holds(context)), None)


def _unless(rules: Sequence[Rule], context: Context, otherwise: Decision) -> Decision:
    reason = _first(rules, context)
    return Decision("ignore", reason) if reason else otherwise
