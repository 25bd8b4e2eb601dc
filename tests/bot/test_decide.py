"""Every reason to speak or to be silent, a line each."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any, get_args

import pytest

from bot.decide import AGAIN_AFTER, STALE, Context, Decision, Reason, decide, decide_article, quiet
from bot.events import Event, Kind, Place
from bot.preferences import Preferences
from bot.state.records import SentReply, Status

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC).timestamp()
PLACE = Place("slack", "T1", "C1")
AUTO = {"links": True}
LINKED = {"links": 1, "watched": 1}


def event(kind: Kind, **more: Any) -> Event:
    return Event(id="E1", kind=kind, place=PLACE, message="1.0", author="U1", at=NOW, **more)


def reply(status: Status = "posted") -> SentReply:
    return SentReply("r1", "answer", "w1", PLACE, "1.0", "U1", status, "2.0", None, NOW)


def context(found: Event, preferences: dict[str, Any] | None = None, **facts: Any) -> Context:
    return Context(event=found, preferences=Preferences(**(preferences or {})), now=NOW, **facts)


SHARED = replace(PLACE, shared=True)

CASES: list[tuple[str, Context, str, Reason]] = [
    ("a mention is answered", context(event("mention")), "answer", "asked"),
    ("so is a direct message", context(event("direct")), "answer", "asked"),
    ("our own message is left alone", context(event("mention", own=True)), "ignore", "own_message"),
    ("a bot is left alone", context(event("mention", automated=True)), "ignore", "automated"),
    ("a preview that arrives is no edit", context(event("edit", preview=True)), "ignore", "preview_only"),
    (
        "a link in somebody's composer is not posted",
        context(event("links", posted=False), AUTO, **LINKED),
        "ignore",
        "not_posted",
    ),
    (
        "a channel we are not in",
        context(event("links", member=False), AUTO, **LINKED),
        "ignore",
        "not_member",
    ),
    (
        "a channel shared with others is off",
        context(replace(event("mention"), place=SHARED)),
        "ignore",
        "shared_channel",
    ),
    (
        "… until an admin turns it on",
        context(replace(event("mention"), place=SHARED), {"shared_channels": True}),
        "answer",
        "asked",
    ),
    (
        "one message is answered once",
        context(event("mention"), reply=reply()),
        "ignore",
        "already_answered",
    ),
    (
        "… also when its reply is lost",
        context(event("mention"), reply=reply("lost")),
        "ignore",
        "already_answered",
    ),
    (
        "… and when it was removed",
        context(event("mention"), reply=reply("removed")),
        "ignore",
        "already_answered",
    ),
    (
        "a reply that was only begun is finished",
        context(event("mention"), reply=reply("open")),
        "answer",
        "asked",
    ),
    ("who asks too often waits", context(event("mention"), busy=True), "ignore", "too_many_requests"),
    ("a message that is gone", context(event("mention"), gone=True), "ignore", "message_deleted"),
    ("reactions are off by default", context(event("reaction")), "ignore", "reaction_off"),
    ("… and read when on", context(event("reaction"), {"reaction": True}), "answer", "reaction"),
    ("links are off by default", context(event("message"), None, **LINKED), "ignore", "links_off"),
    ("a vendor's link is checked", context(event("message"), AUTO, **LINKED), "links", "vendor_link"),
    ("… also by notice", context(event("links"), AUTO, **LINKED), "links", "vendor_link"),
    (
        "who opted out is left alone",
        context(event("message"), {**AUTO, "opted_out": True}, **LINKED),
        "ignore",
        "opted_out",
    ),
    ("no vendor's link", context(event("message"), AUTO, links=1), "ignore", "no_watched_link"),
    ("two links are fine", context(event("message"), AUTO, links=2, watched=2), "links", "vendor_link"),
    ("three are a list", context(event("message"), AUTO, links=3, watched=1), "ignore", "many_links"),
    (
        "a link that was answered lately",
        context(event("message"), AUTO, seen=True, **LINKED),
        "ignore",
        "link_answered_lately",
    ),
    (
        "an old message",
        context(replace(event("message"), at=NOW - STALE - 1), AUTO, **LINKED),
        "ignore",
        "old_message",
    ),
    (
        "quiet hours",
        context(event("message"), {**AUTO, "quiet_hours": "11:30-12:30"}, **LINKED),
        "ignore",
        "quiet_hours",
    ),
    (
        "quiet hours do not hold for who asks",
        context(event("mention"), {"quiet_hours": "11:30-12:30"}),
        "answer",
        "asked",
    ),
    ("a deletion takes our reply with it", context(event("deletion"), reply=reply()), "remove", "deleted"),
    (
        "a deletion has no author to be judged by",
        context(event("deletion", automated=True), reply=reply()),
        "remove",
        "deleted",
    ),
    ("a deletion elsewhere", context(event("deletion")), "ignore", "nothing_of_ours"),
    ("an edit is read again", context(event("edit"), reply=reply()), "update", "edited"),
    ("an edit that brings a link", context(event("edit"), AUTO, **LINKED), "links", "vendor_link"),
    ("an edit that brings none", context(event("edit"), AUTO), "ignore", "no_watched_link"),
    (
        "an edit of what we kept silent about",
        context(event("edit"), AUTO, reply=reply("silent"), **LINKED),
        "links",
        "vendor_link",
    ),
]


@pytest.mark.parametrize(("told", "found", "action", "reason"), CASES, ids=[case[0] for case in CASES])
def test_decision(told: str, found: Context, action: str, reason: Reason) -> None:
    assert decide(found) == Decision(action, reason)  # type: ignore[arg-type]


ARTICLES: list[tuple[list[str], bool, str, Reason]] = [
    ([], True, "ignore", "no_claims"),
    (["holds", "holds"], False, "ignore", "nothing_misleading"),
    (["holds", "depends", "no_rows", "not_measured"], False, "ignore", "nothing_misleading"),
    (["holds", "depends"], True, "links", "nothing_misleading"),
    *(
        (["holds", verdict], False, "links", "misleading")
        for verdict in ("contradicted", "frame", "best_case", "software", "not_reproduced")
    ),
]


@pytest.mark.parametrize(("verdicts", "say", "action", "reason"), ARTICLES)
def test_article(verdicts: list[Any], say: bool, action: str, reason: Reason) -> None:
    assert decide_article(verdicts, Preferences(links_say_fine=say)) == Decision(action, reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hours", "zone", "expected"),
    [
        ("11:59-12:01", "Etc/UTC", True),
        ("12:00-12:01", "Etc/UTC", True),
        ("11:00-12:00", "Etc/UTC", False),
        ("19:00-07:30", "Etc/UTC", False),
        ("19:00-07:30", "Asia/Tokyo", True),
        ("06:00-07:00", "America/New_York", False),
        ("07:00-07:30", "America/New_York", True),
    ],
)
def test_quiet_hours(hours: str, zone: str, expected: bool) -> None:
    assert quiet(Preferences(quiet_hours=hours, zone=zone), NOW) is expected


def test_every_reason_of_an_event_is_in_the_table() -> None:
    of_articles = {"misleading", "nothing_misleading", "no_claims", "not_about_results", "not_readable"}
    assert {case[3] for case in CASES} == set(get_args(Reason)) - of_articles
    assert AGAIN_AFTER < STALE
