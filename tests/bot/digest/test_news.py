"""What is new since a mark: rounds, corrections, what waits; from stores that change between two digests."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.digest import Mark, News, Options, digest, news, since_round
from bot.telling.guidelines import footnote_faults, row_faults, text_faults
from knowledge import clock
from knowledge.row import Row
from knowledge.store import Store
from tests.knowledge.making import Box, made

V61, V70 = "2026-09-16", "2027-04-01"
DAY = date(2026, 12, 1)


def result(number: int, round: str, per: float, **changes: Any) -> Row:
    """A row of 8 GB300 on GPT-OSS-120B offline."""
    published = {"v6.0": "2026-04-01", "v6.1": V61, "v7.0": V70}[round]
    plain = {
        "model": "gpt-oss-120b", "accuracy_target": None, "used_model": None, "accelerators": 8,
        "value": per * 8, "per_accelerator": per, "published": published, "submitter": f"Sub{number}",
        "result_id": None, "system": f"Machine of Sub{number}",
    }  # fmt: skip
    return made(number, round=round, **{**plain, **changes})


ROWS = (
    result(1, "v6.0", 100.0),
    result(2, "v6.0", 90.0, availability="preview", accelerator="B300"),
    result(1, "v6.1", 120.0),
    result(2, "v6.1", 80.0, accelerator="B300"),
    result(3, "v6.1", 300.0, accelerator="VR200", availability="preview"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with clock.frozen(date(2026, 10, 1)):
        opened = Store.open(tmp_path / "k.db", package=Box(ROWS))
    with opened:
        yield opened


def changed(store: Store, day: date, rows: tuple[Row, ...]) -> Store:
    """The store after these rows came in on a day."""
    with clock.frozen(day):
        store.load(rows, source="test")
        return store.reopened()


def of_round(name: str) -> tuple[Row, ...]:
    return tuple(row for row in ROWS if row.round == name)


def test_the_first_digest_tells_the_newest_round(store: Store) -> None:
    found = news(store, None, DAY)
    assert found.rounds == ("v6.1",)
    (gain,) = [delta for delta in found.moved if delta.after.submitter == "Sub1"]
    assert gain.ratio == pytest.approx(1.2)
    assert [one.name for one in found.accelerators] == ["VR200"]
    assert [one.name for one in found.submitters] == ["Sub3"]
    assert [(one.outcome, round(one.ratio or 0, 3)) for one in found.previews] == [("below", 0.889)]
    assert found.corrected == ()


def test_nothing_is_told_twice(store: Store) -> None:
    first = news(store, None, DAY)
    again = news(store, Mark.loads(first.mark.dumps()), DAY + timedelta(days=7))
    assert again.rounds == again.moved == again.previews == again.corrected == ()
    assert digest(again, Options()) is None
    told = digest(again, Options(quiet="say"))
    assert told is not None
    assert not told.news
    assert told.page().lines == (f"Data version {store.version}.",)


def test_a_young_round_waits_two_weeks_and_is_then_new(store: Store) -> None:
    mark = news(store, None, DAY).mark
    later = changed(store, date(2027, 4, 1), (result(1, "v7.0", 150.0), result(4, "v7.0", 10.0)))
    young = news(later, mark, date(2027, 4, 14))
    assert young.rounds == ()
    assert young.waiting == (("v7.0", date(2027, 4, 15)),)
    assert digest(young, Options()) is None
    assert "inference/v7.0" not in young.mark.rounds
    ripe = news(later, young.mark, date(2027, 4, 15))
    assert ripe.rounds == ("v7.0",)
    assert ripe.waiting == ()
    assert [one.name for one in ripe.submitters] == ["Sub4"]
    assert news(later, mark, date(2027, 4, 2), early=True).rounds == ("v7.0",)


def test_a_round_whose_rules_nobody_read_makes_no_changes(store: Store) -> None:
    mark = news(store, None, DAY).mark
    later = changed(store, date(2027, 4, 1), (result(1, "v7.0", 150.0), result(4, "v7.0", 10.0)))
    found = news(later, mark, date(2027, 5, 1))
    assert found.unread == ("v7.0",)
    assert found.moved == found.bests == found.previews == ()
    told = digest(found, Options())
    assert told is not None
    assert any("rules of v7.0" in note for note in told.notes)


def test_a_correction_between_two_digests_is_told_once(store: Store) -> None:
    mark = news(store, None, DAY).mark
    better = dataclasses.replace(ROWS[2], value=1000.0, per_accelerator=125.0)
    later = changed(store, date(2026, 12, 3), (better, ROWS[3], ROWS[4]))
    found = news(later, mark, date(2026, 12, 7))
    ((correction, row),) = [(one.correction, one.row) for one in found.corrected]
    assert (correction.what, row.key) == ("changed", ROWS[2].key)
    told = digest(found, Options())
    assert told is not None
    assert told.title == "Corrections to results of MLPerf® Inference v6.1"
    (line,) = told.sections[0].items
    assert "result 960 tokens/s → 1,000 tokens/s" in line.text
    page = told.page()
    assert page.footnote is not None
    main = "\n".join([page.title, *page.lines])
    assert text_faults(f"{main}\n\n{page.footnote.text}") == []
    assert row_faults(main, row) == []
    assert footnote_faults(page.footnote.text, main, [row]) == []
    assert news(later, found.mark, date(2026, 12, 14)).corrected == ()


def test_a_withdrawn_and_a_late_row_are_corrections(store: Store) -> None:
    mark = news(store, None, DAY).mark
    late = result(9, "v6.1", 50.0)
    later = changed(store, date(2026, 12, 3), (*of_round("v6.1")[:2], late))
    found = news(later, mark, date(2026, 12, 7))
    assert sorted((one.correction.what, one.row.submitter) for one in found.corrected) == [
        ("added", "Sub9"),
        ("withdrawn", "Sub3"),
    ]
    told = digest(found, Options())
    assert told is not None
    texts = [item.text for item in told.sections[0].items]
    assert texts[0].startswith("Withdrawn: Sub3, 8 ")
    assert texts[1].startswith("Added later: Sub9, 8 ")


def test_what_only_spells_a_row_otherwise_is_no_correction(store: Store) -> None:
    mark = news(store, None, DAY).mark
    renamed = dataclasses.replace(ROWS[2], system="Another name", framework="newer")
    later = changed(store, date(2026, 12, 3), (renamed, ROWS[3], ROWS[4]))
    assert news(later, mark, date(2026, 12, 7)).corrected == ()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"availability": "rdi"}, "availability Available → RDI"),
        ({"accelerators_published": 9}, "published number of accelerators 16 → 9"),
        ({"division": "open"}, "division Closed → Open"),
    ],
)
def test_every_published_field_is_corrected_in_words(
    store: Store, changes: dict[str, Any], told: str
) -> None:
    mark = news(store, None, DAY).mark
    later = changed(store, date(2026, 12, 3), (dataclasses.replace(ROWS[2], **changes), *ROWS[3:]))
    found = digest(news(later, mark, date(2026, 12, 7)), Options())
    assert found is not None
    assert told in found.sections[0].items[0].text


def test_what_a_newer_program_reads_otherwise_is_no_correction(tmp_path: Path, store: Store) -> None:
    """Its packaged rows may be more or fewer, and our own reading of counts and units may change."""
    mark = news(store, None, DAY).mark
    rows = (
        dataclasses.replace(ROWS[2], accelerators=4, per_accelerator=240.0, unit="samples/s"),
        ROWS[3],
        result(9, "v6.1", 50.0),
    )
    with clock.frozen(date(2026, 12, 3)), Store.open(store.path, package=Box((*ROWS[:2], *rows))) as newer:
        assert newer.version != store.version
        assert news(newer, mark, date(2026, 12, 7)).corrected == ()


def test_a_sync_in_the_middle_of_a_digest_is_left_to_the_next(store: Store) -> None:
    """A digest reads the rows that it began with, and names their version."""
    mark = news(store, None, DAY).mark
    better = dataclasses.replace(ROWS[2], value=1000.0, per_accelerator=125.0)
    later = changed(store, date(2026, 12, 7), (better, ROWS[3], ROWS[4]))
    during = news(store, mark, date(2026, 12, 7))
    assert during.corrected == ()
    assert during.version == store.version != later.version
    told = digest(during, Options(quiet="say"))
    assert told is not None
    assert store.version in told.closing
    after = news(later, during.mark, date(2026, 12, 14))
    assert len(after.corrected) == 1
    assert after.version == later.version


def test_a_replica_that_fetched_later_tells_it_not_again(tmp_path: Path, store: Store) -> None:
    mark = news(store, None, DAY).mark
    better = dataclasses.replace(ROWS[2], value=1000.0, per_accelerator=125.0)
    rows = (better, ROWS[3], ROWS[4])
    told = news(changed(store, date(2026, 12, 5), rows), mark, date(2026, 12, 7))
    assert len(told.corrected) == 1
    with clock.frozen(date(2026, 12, 8)), Store.open(tmp_path / "b.db", package=Box(ROWS)) as replica:
        other = changed(replica, date(2026, 12, 9), rows)
    assert news(other, told.mark, date(2026, 12, 14)).corrected == ()


def test_corrections_since_a_round_are_those_after_its_publication(store: Store) -> None:
    better = dataclasses.replace(ROWS[2], value=1000.0, per_accelerator=125.0)
    later = changed(store, date(2026, 12, 3), (better, ROWS[3], ROWS[4]))
    for name in ("v6.0", "v6.1"):
        found = news(later, since_round(later.rows, later.rounds, name), date(2026, 12, 7))
        assert [one.row.key for one in found.corrected] == [ROWS[2].key]


def test_an_older_round_that_is_stored_late_is_no_news(store: Store) -> None:
    mark = news(store, None, DAY).mark
    old = dataclasses.replace(result(5, "v6.0", 70.0), key="v5.1/x", round="v5.1", published="2025-09-09")
    later = changed(store, date(2026, 12, 3), (old,))
    found = news(later, mark, date(2026, 12, 7))
    assert found.rounds == found.submitters == found.corrected == ()
    assert "inference/v5.1" in found.mark.rounds


def test_a_mark_is_text_and_a_wrong_text_is_none() -> None:
    mark = Mark("2-abc", ("inference/v6.1",), "2026-12-01T00:00:00+00:00", ("aa", "bb"))
    assert Mark.loads(mark.dumps()) == mark
    for text in (None, "", "{", "3", "[]", '{"version": 1}'):
        assert Mark.loads(text) is None


def test_the_news_since_a_round(store: Store) -> None:
    assert news(store, since_round(store.rows, store.rounds, "v6.0"), DAY).rounds == ("v6.1",)
    assert news(store, since_round(store.rows, store.rounds, "v5.1"), DAY).rounds == ("v6.0", "v6.1")
    with pytest.raises(KeyError):
        since_round(store.rows, store.rounds, "v9.9")


def counted(found: News, **options: Any) -> list[str]:
    told = digest(dataclasses.replace(found, claims={"frame": 3, "holds": 1, "x": 4}), Options(**options))
    return [line for section in told.sections for line in section.lines()] if told else []


def test_checked_claims_are_counted_only_where_a_channel_asked_for_it(store: Store) -> None:
    quiet = news(store, news(store, None, DAY).mark, DAY)
    assert counted(quiet) == []
    (line,) = counted(quiet, counting=True)
    assert line == "Claims checked here this week: 4 (true, but not like for like 3, holds 1)."
    assert text_faults(line) == []
    (line,) = counted(quiet, counting=True, language="de")
    assert line.startswith("Diese Woche hier geprüfte Behauptungen: 4 (")
