"""What is remembered, in SQLite and in PostgreSQL alike."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from bot.events import Place
from bot.state import State
from bot.state.records import Content, Retention, Subscription
from bot.state.upkeep import DAY
from tests.bot.state.conftest import Clock, Opened

CHANNEL = Place("slack", "T1", "C1", thread="100.1")
OTHER = Place("slack", "T1", "C2")
ELSEWHERE = Place("slack", "T2", "C1")
SAID = Content(
    "de", claims="[claims]", article="2026-10-01", links=("h1",), verdicts={"frame": 2}, receipt="rows"
)


def during(opened: Opened, story: Callable[[State], Awaitable[None]]) -> None:
    """Run a story on an opened state."""

    async def run() -> None:
        async with opened() as state:
            await story(state)

    asyncio.run(run())


def test_layers_of_settings(opened: Opened) -> None:
    async def story(state: State) -> None:
        assert await state.layers(CHANNEL, "U1") == [{}, {}, {}]
        await state.set("workspace", CHANNEL, "language", "de", "U9")
        await state.set("workspace", CHANNEL, "hosts_added", ["blog.example.com"], "U9")
        await state.set("channel", CHANNEL, "links", True, "U9")
        await state.set("person", CHANNEL, "opted_out", True, "U1")
        everything = [
            {"language": "de", "hosts_added": ["blog.example.com"]},
            {"links": True},
            {"opted_out": True},
        ]
        assert await state.layers(CHANNEL, "U1") == everything
        assert await state.layers(CHANNEL, "U2") == [everything[0], everything[1], {}]
        assert await state.layers(OTHER, "U1") == [everything[0], {}, everything[2]]
        assert await state.layers(ELSEWHERE, "U1") == [{}, {}, {}]
        await state.set("channel", CHANNEL, "links", None, "U9")
        assert (await state.layers(CHANNEL))[1] == {}

    during(opened, story)


def test_changes_tell_who_but_not_what_people_set_for_themselves(opened: Opened, clock: Clock) -> None:
    async def story(state: State) -> None:
        await state.set("channel", CHANNEL, "links", True, "U9")
        await state.set("person", CHANNEL, "opted_out", True, "U1")
        clock.now += 5
        await state.set("channel", CHANNEL, "links", None, "U8")
        changes = await state.changes("slack", "T1")
        assert [(one.scope_id, one.name, one.value, one.by) for one in changes] == [
            ("C1", "links", None, "U8"),
            ("C1", "links", "true", "U9"),
        ]
        assert changes[0].at == clock.now
        assert await state.changes("slack", "T2") == []

    during(opened, story)


def test_one_account_is_one_person_on_discord(opened: Opened) -> None:
    async def story(state: State) -> None:
        one, two = Place("discord", "G1", "C1"), Place("discord", "G2", "C5")
        await state.set("person", one, "opted_out", True, "U1")
        assert (await state.layers(two, "U1"))[2] == {"opted_out": True}
        await state.forget_workspace("discord", "G1")
        assert (await state.layers(two, "U1"))[2] == {"opted_out": True}

    during(opened, story)


def test_one_of_many_claims_owns_the_reply(opened: Opened) -> None:
    async def story(state: State) -> None:
        works = [f"E{n}" for n in range(8)]
        found = await asyncio.gather(
            *(state.claim(CHANNEL, "1.1", "answer", work=work, poster="U1") for work in works)
        )
        assert len({record.id for record, _ in found}) == 1
        owners = [work for work, (_, mine) in zip(works, found, strict=True) if mine]
        assert owners == [found[0][0].work]
        again, mine = await state.claim(CHANNEL, "1.1", "links", work="E99", poster="U1")
        assert (again.id, again.kind, mine) == (found[0][0].id, "answer", False)
        back, mine = await state.claim(CHANNEL, "1.1", "answer", work=owners[0], poster="U1")
        assert (back.id, mine) == (found[0][0].id, True)
        digest, mine = await state.claim(CHANNEL, "1.1", "digest", work="D1", poster="")
        assert mine
        assert digest.id != back.id

    during(opened, story)


def test_a_reply_from_claim_to_removal(opened: Opened) -> None:
    async def story(state: State) -> None:
        record, _ = await state.claim(CHANNEL, "1.1", "answer", work="E1", poster="U1")
        assert (record.status, record.message, record.content) == ("open", None, None)
        assert record.place == CHANNEL
        await state.mark(record.id, "posting", content=SAID)
        await state.mark(record.id, "posted", message="9.9")
        kept = await state.reply(record.id)
        assert kept == replace(record, status="posted", message="9.9", content=SAID)
        assert await state.reply_to(CHANNEL, "1.1") == kept
        assert await state.reply_at(CHANNEL, "9.9") == kept
        assert await state.reply_at(OTHER, "9.9") is None
        assert await state.replies_in_thread(CHANNEL) == [kept]
        assert await state.replies_in_thread(OTHER) == []
        assert await state.recent(CHANNEL, "U1") == [kept]
        assert await state.recent(CHANNEL) == [kept]
        assert await state.verdict_counts(CHANNEL, 0) == {"frame": 2}
        assert await state.verdict_counts(CHANNEL, record.created + 1) == {}
        await state.mark(record.id, "removed")
        assert await state.replies_in_thread(CHANNEL) == []
        assert await state.verdict_counts(CHANNEL, 0) == {}
        assert await state.reply("unknown") is None

    during(opened, story)


def test_what_one_person_saw_is_no_reply_of_the_channel(opened: Opened) -> None:
    async def story(state: State) -> None:
        record = await state.private(CHANNEL, "U1", SAID)
        assert (record.kind, record.status, record.content) == ("private", "posted", SAID)
        assert await state.reply(record.id) == record
        assert await state.recent(CHANNEL) == []
        assert await state.recent(CHANNEL, "U1") == [record]
        assert await state.recent(CHANNEL, "U2") == []

    during(opened, story)


def test_the_last_word_of_feedback_counts(opened: Opened) -> None:
    async def story(state: State) -> None:
        record = await state.private(CHANNEL, "U1", SAID)
        assert await state.feedback(record.id, "U2", True)
        assert await state.feedback(record.id, "U2", False)
        assert not await state.feedback("unknown", "U2", True)

    during(opened, story)


def test_a_link_is_taken_once(opened: Opened, clock: Clock) -> None:
    async def story(state: State) -> None:
        since = clock.now - 30 * DAY
        asked = await asyncio.gather(
            *(state.take_link(CHANNEL, "https://a.example/x", since) for _ in range(6))
        )
        assert sorted(asked) == [False] * 5 + [True]
        assert await state.link_seen(CHANNEL, "https://a.example/x", since)
        assert not await state.link_seen(OTHER, "https://a.example/x", since)
        assert await state.take_link(OTHER, "https://a.example/x", since)
        clock.now += 31 * DAY
        since = clock.now - 30 * DAY
        assert not await state.link_seen(CHANNEL, "https://a.example/x", since)
        assert await state.take_link(CHANNEL, "https://a.example/x", since)
        await state.saw_link(CHANNEL, "https://a.example/y")
        assert not await state.take_link(CHANNEL, "https://a.example/y", since)

    during(opened, story)


def test_the_last_decision_of_a_channel(opened: Opened) -> None:
    async def story(state: State) -> None:
        assert await state.last_decision(CHANNEL) is None
        await state.decided(CHANNEL, "answer", "asked")
        await state.decided(CHANNEL, "ignore", "quiet_hours")
        found = await state.last_decision(CHANNEL)
        assert found is not None
        assert (found.action, found.reason) == ("ignore", "quiet_hours")

    during(opened, story)


def test_subscriptions_and_digests(opened: Opened, clock: Clock) -> None:
    async def story(state: State) -> None:
        channel = replace(CHANNEL, thread=None)
        await state.subscribe(channel, {"weekday": 1}, "U1")
        await state.subscribe(channel, {"weekday": 2}, "U2")
        await state.subscribe(ELSEWHERE, {}, "U3")
        wanted = Subscription(channel, {"weekday": 2}, "U2", clock.now)
        assert await state.subscriptions("slack", "T1") == [wanted]
        assert len(await state.subscriptions()) == 2
        assert await state.subscriptions("discord") == []
        assert await state.unsubscribe(ELSEWHERE)
        assert not await state.unsubscribe(ELSEWHERE)
        assert await state.digest_mark(channel) is None
        told = await asyncio.gather(*(state.set_digest_mark(channel, "v1", "2026-W48") for _ in range(4)))
        assert sorted(told) == [False] * 3 + [True]
        clock.now += 7 * DAY
        assert await state.set_digest_mark(channel, "v2", "2026-W49")
        assert await state.digest_mark(channel) == "v2"
        assert await state.digest_told(channel, "2026-W48")
        assert not await state.digest_told(channel, "2026-W50")

    during(opened, story)


def test_fetched_articles_and_versions(opened: Opened, clock: Clock) -> None:
    async def story(state: State) -> None:
        assert await state.cached("https://a.example") is None
        await state.keep("https://a.example", "<p>1</p>")
        await state.keep("https://a.example", "<p>2</p>")
        assert await state.cached("https://a.example") == "<p>2</p>"
        assert await state.cached("https://a.example", since=clock.now + 1) is None
        assert await state.syncs() == []
        await state.synced("v1", "abc", "packaged")
        await state.synced("v2", "def", "sync")
        assert [sync.version for sync in await state.syncs(limit=5)] == ["v2", "v1"]

    during(opened, story)


def test_purge_by_age(opened: Opened, clock: Clock) -> None:
    async def story(state: State) -> None:
        old, _ = await state.claim(CHANNEL, "1.1", "answer", work="E1", poster="U1")
        await state.mark(old.id, "posted", message="9", content=SAID)
        await state.feedback(old.id, "U2", True)
        await state.keep("a", "b")
        await state.set_digest_mark(CHANNEL, "v1", "2026-W01")
        clock.now += 31 * DAY
        gone = await state.purge(Retention())
        assert {name: count for name, count in gone.items() if count} == {"fields": 1, "cache": 1}
        found = await state.reply(old.id)
        assert found is not None
        assert found.content == Content("de", verdicts={"frame": 2})
        clock.now += 60 * DAY
        assert (await state.purge(Retention()))["replies"] == 1
        assert await state.reply(old.id) is None
        clock.now += 400 * DAY
        assert (await state.purge(Retention()))["digests"] == 0
        assert await state.digest_mark(CHANNEL) == "v1"
        assert sum((await state.purge(Retention())).values()) == 0

    during(opened, story)


def test_retention_is_a_setting(opened: Opened, clock: Clock) -> None:
    async def story(state: State) -> None:
        record = await state.private(CHANNEL, "U1", SAID)
        clock.now += 2 * DAY
        await state.purge(Retention(replies=3))
        assert await state.reply(record.id) is not None
        await state.purge(Retention(replies=1))
        assert await state.reply(record.id) is None

    during(opened, story)


async def _rows(state: State) -> dict[str, list[Any]]:
    from bot.state.tables import metadata

    async with state.engine.connect() as connection:
        return {
            table.name: [tuple(row) for row in await connection.execute(table.select())]
            for table in metadata.sorted_tables
        }


async def _fill(state: State, place: Place, person: str) -> None:
    await state.set("person", place, "opted_out", True, person)
    await state.set("channel", place, "links", True, person)
    record, _ = await state.claim(place, "1.1", "answer", work=f"E{place.workspace}", poster=person)
    await state.mark(record.id, "posted", message="9", content=SAID)
    await state.feedback(record.id, person, True)
    await state.private(place, person, SAID)
    await state.saw_link(place, "https://a.example")
    await state.decided(place, "answer", "asked")
    await state.subscribe(place, {}, person)
    await state.set_digest_mark(place, "v1", "2026-W01")


def test_a_person_is_forgotten(opened: Opened) -> None:
    async def story(state: State) -> None:
        await _fill(state, CHANNEL, "U-gone")
        await _fill(state, ELSEWHERE, "U-stays")
        assert await state.forget_person("discord", "U-gone") == 0
        assert await state.forget_person("slack", "U-gone") > 0
        left = str(await _rows(state))
        assert "U-gone" not in left
        assert "U-stays" in left
        assert (await state.recent(CHANNEL))[0].poster == ""

    during(opened, story)


def test_a_workspace_is_forgotten(opened: Opened) -> None:
    async def story(state: State) -> None:
        await _fill(state, ELSEWHERE, "U2")
        before = await _rows(state)
        await _fill(state, CHANNEL, "U1")
        assert await state.forget_workspace("slack", "T1") > 0
        assert await _rows(state) == before

    during(opened, story)
