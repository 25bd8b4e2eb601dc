"""When a digest is due: a pure function of the time, the subscriptions and what was posted.

A period is a week of a channel's own calendar, named as ISO 8601 does ("2026-W53"). A channel gets at
most one post a period; one that was missed by more than `GRACE` is skipped and never made up for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.digest.options import Options
from bot.events import Place

GRACE = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Subscription:
    """A channel that gets the digest. since: when it was subscribed or last changed (aware)."""

    place: Place
    options: Options
    since: datetime


@dataclass(frozen=True, slots=True)
class Due:
    """A digest that is to be posted now. period: its week ("2026-W49"); at: the time set for it, in UTC."""

    subscription: Subscription
    period: str
    at: datetime


def due(now: datetime, subscriptions: Iterable[Subscription], log: Mapping[Place, str]) -> list[Due]:
    """The digests that are to be posted at `now` (aware).

    log: the newest period of each channel that was posted or passed over. Whoever posts one first
    notes its period there, under a condition that lets only one replica through.
    """
    moment = now.astimezone(UTC)
    found = []
    for one in subscriptions:
        local = latest(moment, one.options)
        week, at = period(local), local.astimezone(UTC)
        if one.since.astimezone(UTC) <= at and moment - at <= GRACE and log.get(one.place, "") < week:
            found.append(Due(one, week, at))
    return found


def latest(now: datetime, options: Options) -> datetime:
    """The last time set for the digest up to `now`, in the channel's zone.

    A time that the clocks skip in spring counts by the offset before the change, one that comes
    twice in autumn by its first occurrence.
    """
    zone = ZoneInfo(options.zone)
    today = now.astimezone(zone).date()
    day = today - timedelta(days=(today.weekday() - options.weekday) % 7)
    clock = time(options.hour, options.minute)
    at = datetime.combine(day, clock, zone)
    if at.timestamp() > now.timestamp():
        at = datetime.combine(day - timedelta(days=7), clock, zone)
    return at


def period(at: datetime) -> str:
    """The week that a local time belongs to, as ISO 8601 names it: "2026-W53"."""
    year, week, _ = at.isocalendar()
    return f"{year:04d}-W{week:02d}"
