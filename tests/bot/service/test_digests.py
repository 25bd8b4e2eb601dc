"""The digest by subscription: once a channel and week, quiet weeks passed over, late ones skipped."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from bot import answer
from bot.digest.mark import since_round
from bot.page import Page
from bot.service.digests import options_of, weekdays
from tests.bot.service.conftest import CHANNEL, CLAIM, Core

MONDAY = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)  # 09:00 in Berlin


async def subscribe(core: Core, text: str = "monday 09:00 Europe/Berlin") -> Page:
    page = await core.service.page(f"subscribe {text}", place=CHANNEL, person="U1", admin=True)
    assert isinstance(page, Page)
    return page


async def told_until(core: Core, round_name: str) -> None:
    """The channel knows everything up to a round."""
    store = answer.desk().store
    mark = since_round(store.rows, store.rounds, round_name).dumps()
    await core.state.set_digest_mark(CHANNEL, mark, "2026-W10")


def test_a_digest_is_posted_once_a_week(run: Any) -> None:
    async def test(core: Core) -> None:
        core.state._clock = lambda: datetime(2026, 12, 1, tzinfo=UTC).timestamp()
        await subscribe(core)
        await told_until(core, "v6.0")
        digests = core.service._digests
        await asyncio.gather(*(digests.tick(MONDAY) for _ in range(3)))
        await core.done()
        await digests.tick(MONDAY.replace(minute=1))
        await core.done()
        (page,) = core.said
        assert isinstance(page, Page)
        assert "v6.1" in page.title
        assert len(page.lines) <= 10
        record = (await core.state.recent(CHANNEL))[0]
        shown = await core.service.shown(record.id)
        assert shown is not None
        assert shown.page is not None
        assert len(shown.page.lines) > len(page.lines)

    run(test)


def test_a_quiet_week_is_passed_over_and_a_missed_one_skipped(run: Any) -> None:
    async def test(core: Core) -> None:
        core.state._clock = lambda: datetime(2026, 12, 1, tzinfo=UTC).timestamp()
        await subscribe(core)
        await told_until(core, "v6.1")
        digests = core.service._digests
        await digests.tick(MONDAY)
        await core.done()
        assert not core.said
        assert await core.state.digest_told(CHANNEL, "2026-W50")
        await digests.tick(datetime(2026, 12, 16, 8, 0, tzinfo=UTC))
        await core.done()
        assert not core.said

    run(test)


def test_verdicts_are_counted_only_where_the_channel_opted_in(run: Any) -> None:
    async def test(core: Core) -> None:
        await core.take(core.event("mention", CLAIM))
        await subscribe(core)
        page = await core.service.page("digest", place=CHANNEL, person="U1")
        assert isinstance(page, Page)
        assert not any("checked" in line for line in page.lines)

    run(test)


def test_a_subscription_says_what_it_did_not_understand(run: Any) -> None:
    async def test(core: Core) -> None:
        assert "Not known" not in " ".join((await subscribe(core)).lines)
        told = " ".join((await subscribe(core, "monday Mars/Base B2OO")).lines)
        assert "“Mars/Base” and “B2OO”" in told
        assert "Etc/UTC" in told

    run(test)


def test_a_digest_that_fails_does_not_keep_the_rest_of_the_minute(run: Any) -> None:
    async def test(core: Core) -> None:
        upkeep, purged = core.service._upkeep, []

        async def broken(minute: datetime) -> None:
            raise ValueError

        async def purge() -> None:
            purged.append(True)

        upkeep._digests.tick, upkeep.purge = broken, purge  # type: ignore[method-assign]
        await upkeep.tick(MONDAY.replace(minute=17))
        assert purged

    run(test)


def test_only_admins_subscribe_and_anybody_looks(run: Any) -> None:
    async def test(core: Core) -> None:
        page = await core.service.page("subscribe", place=CHANNEL, person="U1")
        assert isinstance(page, Page)
        assert "Only the people" in page.title
        assert "Posted here on Monday at 09:00" in " ".join((await subscribe(core)).lines)
        page = await core.service.page("digest", place=CHANNEL, person="U2")
        assert isinstance(page, Page)
        assert any("Monday" in line for line in page.lines)
        gone = await core.service.page("unsubscribe", place=CHANNEL, person="U1", admin=True)
        assert isinstance(gone, Page)
        assert "off" in gone.title
        assert not await core.state.subscriptions()

    run(test)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {"weekday": 0, "hour": 9, "zone": "Etc/UTC"}),
        (
            "friday 17:30 America/New_York",
            {"weekday": 4, "hour": 17, "minute": 30, "zone": "America/New_York"},
        ),
        (
            "mittwoch 8:15 UTC 5 % B200",
            {"weekday": 2, "hour": 8, "minute": 15, "least": 5.0, "accelerators": ("B200",)},
        ),
        ("csv deepseek-r1 server", {"csv": True, "scenarios": ("server",)}),
        ("Mars/Olympus", {"zone": "Etc/UTC"}),
    ],
)
def test_options_in_free_words(text: str, expected: dict[str, object]) -> None:
    found = options_of(text, "en")
    assert {name: getattr(found, name) for name in expected} == expected


def test_days_of_the_week_in_every_language() -> None:
    assert weekdays()["sonntag"] == weekdays()["sunday"] == 6
