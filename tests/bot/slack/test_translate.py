"""Slack's events as the core's: each ignore rule of Slack's is a flag that bot/decide.py knows, or None."""

from __future__ import annotations

from typing import Any

import pytest

from bot.decide import Context, decide
from bot.events import Event, Place
from bot.preferences import Preferences
from bot.slack.translate import Me, event, workspace

ME = Me("UBOT", "BBOT")
SCAN = Me("UBOT", "BBOT", scan=True)
TS, ROOT = "1700000000.000100", "1690000000.000200"


def body(inner: dict[str, Any], **other: Any) -> dict[str, Any]:
    """An Events API envelope."""
    return {
        "type": "event_callback",
        "team_id": "T1",
        "event_id": "Ev1",
        "event": inner,
        "authorizations": [{"team_id": "T1", "enterprise_id": None, "user_id": "UBOT", "is_bot": True}],
        **other,
    }


def said(**other: Any) -> dict[str, Any]:
    """A message of a person in a channel."""
    return {
        "type": "message",
        "channel": "C1",
        "channel_type": "channel",
        "user": "U1",
        "text": "3.7x",
        "ts": TS,
        **other,
    }


def mentioned(**other: Any) -> dict[str, Any]:
    """A mention in a channel."""
    return {"type": "app_mention", "channel": "C1", "user": "U1", "text": "<@UBOT> 3.7x", "ts": TS, **other}


def shared(**other: Any) -> dict[str, Any]:
    """Links in a message."""
    return {
        "type": "link_shared",
        "channel": "C1",
        "user": "U1",
        "message_ts": TS,
        "links": [{"url": "https://nvidia.com/a", "domain": "nvidia.com"}],
        "source": "conversations_history",
        "is_bot_user_member": True,
        **other,
    }


def edited(now: dict[str, Any], before: dict[str, Any], **other: Any) -> dict[str, Any]:
    """A message that changed."""
    whole = {"user": "U1", "ts": TS, "type": "message"}
    return {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "channel": "C1",
        "channel_type": "channel",
        "ts": "1700000009.000100",
        "message": {**whole, **now},
        "previous_message": {**whole, **before},
        **other,
    }


def removed(**other: Any) -> dict[str, Any]:
    """A message that was deleted."""
    return {
        "type": "message",
        "subtype": "message_deleted",
        "hidden": True,
        "channel": "C1",
        "channel_type": "channel",
        "deleted_ts": TS,
        "previous_message": {"user": "U1", "ts": TS},
        **other,
    }


def reacted(**other: Any) -> dict[str, Any]:
    """A reaction to a message."""
    return {
        "type": "reaction_added",
        "user": "U2",
        "item_user": "U1",
        "reaction": "mag",
        "item": {"type": "message", "channel": "C1", "ts": TS},
        **other,
    }


# What the core sees of an event: the fields that matter, or None where it is told nothing.
CASES: dict[str, tuple[dict[str, Any], Me, dict[str, Any] | None]] = {
    "mention": (mentioned(), ME, {"kind": "mention", "author": "U1", "text": "<@UBOT> 3.7x", "about": None}),
    "mention in a thread": (
        mentioned(thread_ts=ROOT),
        ME,
        {"kind": "mention", "about": ROOT, "place": Place("slack", "T1", "C1", ROOT)},
    ),
    "mention at a thread's root": (mentioned(thread_ts=TS), ME, {"about": None}),
    "mention by a bot": (mentioned(bot_id="B9"), ME, {"automated": True}),
    "mention by a bot with a profile": (mentioned(bot_profile={"id": "B9"}), ME, {"automated": True}),
    "mention by ourselves": (mentioned(user="UBOT"), ME, {"own": True}),
    "mention in a message of an unknown kind": (mentioned(subtype="reminder_add"), ME, None),
    "direct": (said(channel="D1", channel_type="im"), ME, {"kind": "direct", "text": "3.7x"}),
    "direct, with a file": (
        said(channel="D1", channel_type="im", subtype="file_share"),
        ME,
        {"kind": "direct"},
    ),
    "direct by Slackbot": (said(channel="D1", channel_type="im", user="USLACKBOT"), ME, {"automated": True}),
    "direct by ourselves": (said(channel="D1", channel_type="im", bot_id="BBOT"), ME, {"own": True}),
    "message that nobody asked about": (said(), ME, None),
    "message, scanned": (said(), SCAN, {"kind": "message", "text": "3.7x", "at": float(TS)}),
    "message with a mention, scanned": (said(text="<@UBOT> 3.7x"), SCAN, None),
    "message with a named mention, scanned": (said(text="hey <@UBOT|smallprint>"), SCAN, None),
    "message also sent to the channel": (
        said(subtype="thread_broadcast", thread_ts=ROOT),
        SCAN,
        {"kind": "message"},
    ),
    "message of a bot": (said(subtype="bot_message", bot_id="B9", user=None), SCAN, {"automated": True}),
    "message of an app with a user": (said(bot_id="B9", user="U9"), SCAN, {"automated": True}),
    "message of Slackbot": (said(user="USLACKBOT"), SCAN, {"automated": True}),
    "our own message by user": (said(user="UBOT"), SCAN, {"own": True}),
    "our own message by bot": (said(user=None, bot_id="BBOT"), SCAN, {"own": True}),
    "somebody joined": (said(subtype="channel_join"), SCAN, None),
    "a topic changed": (said(subtype="channel_topic"), SCAN, None),
    "hidden": (said(hidden=True), SCAN, None),
    "message without an ID": (said(ts=None), SCAN, None),
    "edit": (
        edited({"text": "2.7x"}, {"text": "3.7x"}),
        ME,
        {"kind": "edit", "message": TS, "text": "2.7x", "preview": False},
    ),
    "edit in a thread": (
        edited({"text": "2.7x", "thread_ts": ROOT}, {"text": "3.7x"}),
        ME,
        {"place": Place("slack", "T1", "C1", ROOT)},
    ),
    "a preview arrived": (
        edited({"text": "x", "attachments": [{"from_url": "https://a.example"}]}, {"text": "x"}),
        ME,
        {"kind": "edit", "preview": True},
    ),
    "our own message was edited": (
        edited({"text": "a", "user": "UBOT"}, {"text": "b"}),
        ME,
        {"own": True},
    ),
    "an app's message was edited": (
        edited({"text": "a", "bot_id": "B9"}, {"text": "b"}),
        ME,
        {"automated": True},
    ),
    "a thread's root was deleted": (
        edited({"subtype": "tombstone", "user": "USLACKBOT", "text": "deleted"}, {"text": "x"}),
        ME,
        {"kind": "deletion", "message": TS, "author": "U1"},
    ),
    "deletion": (removed(), ME, {"kind": "deletion", "message": TS, "author": "U1", "own": False}),
    "our own message was deleted": (
        removed(previous_message={"user": "UBOT", "ts": TS}),
        ME,
        {"own": True},
    ),
    "links": (
        shared(),
        ME,
        {"kind": "links", "message": TS, "links": ("https://nvidia.com/a",), "member": True, "posted": True},
    ),
    "links in a thread": (shared(thread_ts=ROOT), ME, {"place": Place("slack", "T1", "C1", ROOT)}),
    "links in somebody's composer": (
        shared(source="composer", channel="COMPOSER", message_ts="U1-1-x"),
        ME,
        {"posted": False, "at": 0.0},
    ),
    "links in a channel without us": (shared(is_bot_user_member=False), ME, {"member": False}),
    "links in a direct conversation": (shared(channel="D1"), ME, None),
    "links of our own": (shared(user="UBOT"), ME, {"own": True}),
    "reaction": (
        reacted(),
        ME,
        {"kind": "reaction", "message": TS, "about": TS, "author": "U1", "actor": "U2"},
    ),
    "reaction with the other glass": (reacted(reaction="mag_right"), ME, {"kind": "reaction"}),
    "another reaction": (reacted(reaction="tada"), ME, None),
    "reaction to a file": (reacted(item={"type": "file", "file": "F1"}), ME, None),
    "reaction to our own message": (reacted(item_user="UBOT"), ME, {"own": True}),
    "our own reaction": (reacted(user="UBOT"), ME, {"automated": True}),
    "an event of another kind": ({"type": "member_joined_channel", "channel": "C1"}, ME, None),
}


@pytest.mark.parametrize("name", CASES)
def test_an_event_is_told_as_the_core_knows_it(name: str) -> None:
    inner, me, expected = CASES[name]
    found = event(body(inner), me)
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert {key: getattr(found, key) for key in expected} == expected
    assert found.id == "slack:Ev1"
    assert Event.unpacked(found.packed()) == found


SILENT = {
    "mention by a bot": "automated",
    "mention by ourselves": "own_message",
    "message of a bot": "automated",
    "message of Slackbot": "automated",
    "our own message by bot": "own_message",
    "a preview arrived": "preview_only",
    "our own message was edited": "own_message",
    "our own message was deleted": "own_message",
    "links in somebody's composer": "not_posted",
    "links in a channel without us": "not_member",
    "links of our own": "own_message",
    "reaction to our own message": "own_message",
    "our own reaction": "automated",
}


@pytest.mark.parametrize(("name", "reason"), SILENT.items())
def test_what_slack_sends_beside_people_s_messages_is_never_answered(name: str, reason: str) -> None:
    inner, me, _ = CASES[name]
    found = event(body(inner), me)
    assert found is not None
    everything = Preferences(links=True, reaction=True, shared_channels=True)
    decision = decide(Context(event=found, preferences=everything, now=found.at, links=1, watched=1))
    assert (decision.action, decision.reason) == ("ignore", reason)


@pytest.mark.parametrize(
    ("inner", "me"), [(mentioned(), ME), (said(), SCAN), (shared(), ME), (reacted(), ME), (removed(), ME)]
)
def test_a_channel_that_another_organisation_shares_is_marked(inner: dict[str, Any], me: Me) -> None:
    found = event(body(inner, is_ext_shared_channel=True), me)
    assert found is not None
    assert found.place.shared


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({}, "T1"),
        ({"authorizations": []}, "T1"),
        # A shared channel: the event comes from another team, we are installed in ours.
        ({"team_id": "T9", "authorizations": [{"team_id": "T1", "is_enterprise_install": False}]}, "T1"),
        # Installed in one workspace of an organisation, and in the whole organisation.
        (
            {"authorizations": [{"team_id": "T1", "enterprise_id": "E1", "is_enterprise_install": False}]},
            "T1",
        ),
        ({"authorizations": [{"team_id": None, "enterprise_id": "E1", "is_enterprise_install": True}]}, "E1"),
        ({"enterprise_id": "E1", "authorizations": [{"is_enterprise_install": True}]}, "E1"),
    ],
)
def test_an_event_belongs_to_the_installation_that_it_was_sent_to(
    other: dict[str, Any], expected: str
) -> None:
    assert workspace(body(mentioned(), **other)) == expected


@pytest.mark.parametrize("strange", [{}, {"event": None}, {"event": {}}, {"event": {"type": "message"}}])
def test_an_envelope_without_an_event_is_nothing(strange: dict[str, Any]) -> None:
    assert event(strange, SCAN) is None
