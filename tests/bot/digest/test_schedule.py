"""When a digest is due: time travel over clock changes, week 53, restarts, long absences, clock jumps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.digest import Options, Subscription, due, parsed
from bot.digest.schedule import GRACE, period
from bot.events import Place

PLACE = Place("slack", "T1", "C1")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def subscription(since: datetime = LONG_AGO, place: Place = PLACE, **options: Any) -> Subscription:
    return Subscription(place, Options(**options), since)


def at(text: str, zone: str = "Etc/UTC") -> datetime:
    """A local time as an instant."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def posts(
    one: Subscription, start: datetime, end: datetime, step: timedelta = timedelta(minutes=1)
) -> list[tuple[str, str]]:
    """Run the schedule from start to end and post what is due: (period, local time of the post)."""
    log: dict[Place, str] = {}
    told = []
    now = start
    while now < end:
        for found in due(now, [one], log):
            log[one.place] = found.period
            local = now.astimezone(ZoneInfo(one.options.zone))
            told.append((found.period, local.strftime("%a %Y-%m-%d %H:%M")))
        now += step
    return told


@pytest.mark.parametrize(
    ("zone", "start", "expected"),
    [
        # spring and autumn of 2027 in Berlin: 28 March and 31 October
        ("Europe/Berlin", "2027-03-20", ["Mon 2027-03-22 09:00", "Mon 2027-03-29 09:00"]),
        ("Europe/Berlin", "2027-10-23", ["Mon 2027-10-25 09:00", "Mon 2027-11-01 09:00"]),
        # and in New York: 14 March and 7 November
        ("America/New_York", "2027-03-06", ["Mon 2027-03-08 09:00", "Mon 2027-03-15 09:00"]),
        ("America/New_York", "2027-10-30", ["Mon 2027-11-01 09:00", "Mon 2027-11-08 09:00"]),
    ],
)
def test_nine_o_clock_stays_nine_o_clock(zone: str, start: str, expected: list[str]) -> None:
    first = at(start, zone)
    told = posts(subscription(zone=zone), first, first + timedelta(days=13), timedelta(minutes=5))
    assert [when for _, when in told] == expected


def test_a_time_that_the_clocks_skip_or_repeat_is_told_once() -> None:
    options = {"zone": "Europe/Berlin", "weekday": 6, "hour": 2, "minute": 30}
    spring = posts(subscription(**options), at("2027-03-27"), at("2027-03-30"))
    assert [when for _, when in spring] == ["Sun 2027-03-28 03:30"]
    autumn = posts(subscription(**options), at("2027-10-30"), at("2027-11-02"))
    assert [when for _, when in autumn] == ["Sun 2027-10-31 02:30"]


def test_week_53_is_a_week_like_the_others() -> None:
    told = posts(
        subscription(zone="Europe/Berlin"), at("2026-12-19"), at("2027-01-12"), timedelta(minutes=15)
    )
    assert told == [
        ("2026-W52", "Mon 2026-12-21 09:00"),
        ("2026-W53", "Mon 2026-12-28 09:00"),
        ("2027-W01", "Mon 2027-01-04 09:00"),
        ("2027-W02", "Mon 2027-01-11 09:00"),
    ]
    assert period(at("2027-01-03T23:59")) == "2026-W53"


def test_a_restart_at_the_minute_of_posting_posts_once() -> None:
    one, moment = subscription(), at("2026-12-07T09:00:30")
    assert not due(at("2026-12-07T08:59:59"), [one], {})
    (first,) = due(moment, [one], {})
    assert (first.period, first.at) == ("2026-W50", at("2026-12-07T09:00"))
    log = {PLACE: first.period}  # noted before it died; the same minute comes again
    assert not due(moment, [one], log)
    assert due(moment + timedelta(minutes=3), [one], {})  # died before it noted anything
    assert not due(moment + timedelta(days=1), [one], log)


def test_a_bot_that_was_off_for_three_weeks_makes_nothing_up() -> None:
    one, log = subscription(), {PLACE: "2026-W46"}
    assert not due(at("2026-12-02T10:00"), [one], log)  # a Wednesday
    (found,) = due(at("2026-12-07T09:00"), [one], log)
    assert found.period == "2026-W50"


def test_a_late_start_on_the_day_itself_still_posts() -> None:
    one, day = subscription(), at("2026-12-07T09:00")
    assert due(day + GRACE, [one], {})
    assert not due(day + GRACE + timedelta(seconds=1), [one], {})


def test_the_clock_may_jump_without_a_second_post() -> None:
    one = subscription()
    log = {PLACE: "2026-W50"}
    for jump in ("2026-12-07T09:00", "2026-11-30T09:00", "2020-01-06T09:00", "2026-12-13T23:59"):
        assert not due(at(jump), [one], log)
    (found,) = due(at("2026-12-14T09:05"), [one], log)
    assert found.period == "2026-W51"


def test_subscribing_anew_replays_nothing() -> None:
    one = subscription(since=at("2026-12-07T09:00:01"))
    assert not due(at("2026-12-07T09:05"), [one], {})
    assert due(at("2026-12-14T09:00"), [one], {})
    assert due(at("2026-12-07T09:00"), [subscription(since=at("2026-12-07T09:00"))], {})


def test_another_day_or_zone_makes_no_second_post_of_the_week() -> None:
    log = {PLACE: "2026-W50"}
    moved = subscription(weekday=3)
    assert not due(at("2026-12-10T09:00"), [moved], log)
    assert due(at("2026-12-17T09:00"), [moved], log)
    west = subscription(zone="Pacific/Honolulu")
    assert not due(at("2026-12-07T19:00"), [west], log)


def test_each_channel_is_told_on_its_own() -> None:
    other = Place("discord", "G1", "C1")
    some = [subscription(), subscription(place=other, zone="Asia/Tokyo")]
    assert [one.subscription.place for one in due(at("2026-12-07T00:00"), some, {})] == [other]
    assert [one.subscription.place for one in due(at("2026-12-07T09:00"), some, {other: "2026-W50"})] == [
        PLACE
    ]


def test_now_may_be_given_in_any_zone() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    local = datetime(2026, 10, 26, 9, 0, tzinfo=berlin)
    (found,) = due(local, [subscription(zone="Europe/Berlin", since=local)], {})
    assert found.at == datetime(2026, 10, 26, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "zone", ["Mars/Olympus", "", "/etc/localtime", "../../etc/passwd", "Europe", "a" * 999]
)
def test_a_wrong_zone_is_one_clear_line(zone: str) -> None:
    with pytest.raises(ValueError, match="is no time zone"):
        Options(zone=zone)


def test_stored_options_that_are_no_longer_allowed_are_left_out() -> None:
    found = parsed({"zone": "Mars/Olympus", "hour": 31, "models": ["DeepSeek R1"], "old": 1, "least": "7"})
    assert (found.zone, found.hour, found.models, found.least) == ("Etc/UTC", 9, ("DeepSeek R1",), 7.0)
    assert parsed(found.model_dump(mode="json")) == found
