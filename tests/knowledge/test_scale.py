"""Many more rows: the same answers, and work that does not grow with what does not matter.

Work is counted in function calls, which are the same on every machine; time is for the benchmarks.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from knowledge.deltas import deltas
from knowledge.judge import Judge
from knowledge.names import Names
from knowledge.reading import Reading
from knowledge.rounds import Rounds
from knowledge.row import Row
from knowledge.store import Store
from knowledge.table import Table
from parsing.claim import Claim, Printed, Side
from tests.knowledge.making import Box
from tests.knowledge.packaged import packaged_rows

COPIES = 6
TODAY = date(2026, 11, 30)
NAMES, ROUNDS = Names.load(), Rounds.load()


def claim(**fields: Any) -> Claim:
    return Claim(quote="a claim", span=(0, 7), **fields)


def exactly(text: str, value: float, step: float) -> dict[str, Any]:
    return {"printed": Printed(text=text, value=value, step=step), "qualifier": "exact"}


CLAIMS = {
    "same hardware": claim(
        kind="multiple", value=1.91, **exactly("1.91", 1.91, 0.01), direction="higher", metric="throughput",
        subject=Side(accelerator="GB300", submitter="NVIDIA", round="v6.0"),
        baseline=Side(accelerator="GB300", submitter="NVIDIA", round="v5.1"),
        model="deepseek-r1", scenario="server",
    ),
    "two chips": claim(
        kind="percent", value=1.48, **exactly("48", 48, 1), direction="higher", per_accelerator=True,
        subject=Side(accelerator="GB300"), baseline=Side(accelerator="MI355X"),
        model="gpt-oss-120b", scenario="offline", round="v6.1",
    ),
    "absolute": claim(
        kind="absolute", value=5_750_000, **exactly("5.75", 5.75, 0.01), unit="tokens/s",
        subject=Side(submitter="Crusoe", accelerator="MI355X", accelerators=512),
        model="gpt-oss-120b", scenario="offline", round="v6.1",
    ),
    "record": claim(
        kind="record", place=1, direction="higher", metric="throughput",
        subject=Side(accelerator="GB300"), model="deepseek-r1", scenario="server",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def rows() -> tuple[Row, ...]:
    """The published rows."""
    return packaged_rows()


def copies(rows: Sequence[Row], field: str, number: int = COPIES) -> list[Row]:
    """The rows, and copies of them under other names of this field."""
    others = [
        replace(row, key=f"{row.key}#{n}", **{field: f"{getattr(row, field)} Copy{n}"})
        for n in range(1, number)
        for row in rows
    ]
    return [*rows, *others]


def judge_of(rows: Sequence[Row]) -> Judge:
    return Judge(Table(rows, NAMES.extended(rows), ROUNDS))


def counted(judge: Judge, asked: Claim) -> tuple[Reading, int]:
    """A second reading of a claim, and how many calls it took."""
    judge.reading(asked, today=TODAY)
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        reading = judge.reading(asked, today=TODAY)
    finally:
        sys.setprofile(before)
    return reading, calls


@pytest.fixture(scope="module")
def real(rows: tuple[Row, ...]) -> Judge:
    """A judge over the published rows."""
    return judge_of(rows)


@pytest.fixture(scope="module")
def other_models(rows: tuple[Row, ...]) -> Judge:
    """A judge over copies under other model names."""
    return judge_of(copies(rows, "model"))


@pytest.fixture(scope="module")
def other_submitters(rows: tuple[Row, ...]) -> Judge:
    """A judge over copies under other submitter names."""
    return judge_of(copies(rows, "submitter"))


@pytest.mark.parametrize("kind", CLAIMS)
def test_other_models_change_neither_the_reading_nor_its_work(
    real: Judge, other_models: Judge, kind: str
) -> None:
    reading, calls = counted(real, CLAIMS[kind])
    among_many, more_calls = counted(other_models, CLAIMS[kind])
    assert reading.verdict not in ("no_rows", "depends")
    assert among_many == reading
    assert more_calls <= 1.1 * calls


@pytest.mark.parametrize("kind", CLAIMS)
def test_other_submitters_with_the_same_results_change_no_verdict(
    real: Judge, other_submitters: Judge, kind: str
) -> None:
    reading, calls = counted(real, CLAIMS[kind])
    among_many, more_calls = counted(other_submitters, CLAIMS[kind])
    assert among_many.verdict == reading.verdict
    assert among_many.recomputed == reading.recomputed
    assert [group.ratio for group in among_many.like_for_like] == [g.ratio for g in reading.like_for_like]
    assert more_calls <= COPIES * calls


def test_deltas_of_each_submitter_stand_by_themselves(rows: tuple[Row, ...]) -> None:
    once = deltas(rows, NAMES, ROUNDS, since="v6.0", today=TODAY)
    many = deltas(copies(rows, "submitter"), NAMES, ROUNDS, since="v6.0", today=TODAY)
    assert len(many) == COPIES * len(once)
    assert sorted(d.ratio for d in many) == sorted(d.ratio for d in once for _ in range(COPIES))


def test_the_store_holds_many_rows(rows: tuple[Row, ...], tmp_path: Path) -> None:
    many = copies(rows, "submitter", 3)
    path = tmp_path / "knowledge.db"
    version = Store.open(path, package=Box(tuple(many))).version
    with Store.open(path, package=Box(tuple(many))) as store:
        assert store.version == version
        assert set(store.rows) == set(many)
        assert {row.submitter for row in store.search("Nebius copy2", limit=5)} == {"Nebius Copy2"}
