"""Our own schema: what is written reads back, the packaged rows are whole, every flag is explained."""

from __future__ import annotations

import dataclasses
import random
import tomllib
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge import rows_csv
from knowledge.errors import SourceError
from knowledge.names import Names
from knowledge.rounds import Rounds
from knowledge.row import Part, Row
from knowledge.sources import load
from knowledge.sources.build import corrections, matches

ROWS = tuple(rows_csv.packaged())
KNOWLEDGE = Path(rows_csv.__file__).parent


def test_packaged_rows_by_round() -> None:
    assert Counter(row.round for row in ROWS) == {
        "v4.1": 937,
        "v5.0": 859,
        "v5.1": 1448,
        "v6.0": 520,
        "v6.1": 492,
    }
    assert len({row.key for row in ROWS}) == len(ROWS)


def test_every_row_holds_together() -> None:
    names, rounds = Names.load(), Rounds.load()
    for row in ROWS:
        assert row.value > 0
        assert float(row.value_text.replace(",", "")) == row.value
        assert row.lower_is_better is (row.unit in ("ms", "s"))
        assert (row.accelerator is None) or row.accelerators > 0, row.key
        if row.per_accelerator is not None:
            assert row.per_accelerator == row.value / row.accelerators
        assert (row.per_accelerator is None) is (row.lower_is_better or row.accelerator is None), row.key
        assert row.key.startswith(f"{row.round}/")
        published = rounds.get(row.round)
        assert published is not None
        assert row.published == published.published.isoformat()
        assert rounds.retrieved(row.round) == date.fromisoformat(row.retrieved)
        # a row may be of the open division of a benchmark that ended, else the calendar knows it
        assert row.division == "open" or rounds.has(row.model, row.round, row.scenario, row.system_type), (
            row.key
        )
        assert names.submitter(row.submitter) == row.submitter
        assert names.model(row.model).model == row.model
    assert names.unlisted(ROWS) == ()


def test_every_flag_is_explained_and_every_explained_flag_is_used() -> None:
    explained = tomllib.loads((KNOWLEDGE / "flags.toml").read_text(encoding="utf-8"))
    assert {flag for row in ROWS for flag in row.flags} == set(explained)
    assert all(entry["text"].endswith(".") for entry in explained.values())


def test_every_listed_correction_meets_a_row() -> None:
    rules = corrections()
    for entry in (*rules["atypical"], *rules["latency"]):
        assert any(matches(row, entry["where"]) for row in ROWS), entry
    assert all(entry["why"] for entry in rules["atypical"])


def test_bytes_do_not_depend_on_order() -> None:
    rows = list(ROWS)
    random.Random(7).shuffle(rows)
    assert rows_csv.dumps(rows) == rows_csv.dumps(ROWS)


def test_written_rows_read_back_and_load_again(tmp_path: Path) -> None:
    rows = tuple(row for row in ROWS if row.round == "v6.1")
    path = tmp_path / "ours.csv"
    rows_csv.write(rows, path)
    assert rows_csv.read(path) == rows
    assert load(path).rows == rows
    with pytest.raises(SourceError, match=r"the files hold v6\.1/.* twice"):
        load([path, path])


texts = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\0"), min_size=1)


@given(
    system=texts,
    value=st.floats(min_value=1e-9, max_value=1e12),
    fine=st.none() | st.floats(min_value=1e-9, max_value=1e12),
    parts=st.lists(st.tuples(st.sampled_from(["H200", "MI350X", "Arc Pro B60"]), st.integers(0, 512))),
    flags=st.lists(st.sampled_from(["atypical", "power_run"]), unique=True),
    nodes=st.integers(0, 10_000),
)
def test_any_row_reads_back(
    system: str,
    value: float,
    fine: float | None,
    parts: list[tuple[str, int]],
    flags: list[str],
    nodes: int,
) -> None:
    row = dataclasses.replace(
        ROWS[0],
        system=system,
        value=value,
        value_fine=fine,
        parts=tuple(Part(*part) for part in parts),
        flags=tuple(flags),
        nodes=nodes,
        watts=None,
        inferred=True,
    )
    assert tuple(rows_csv.loads("made.csv", rows_csv.dumps([row]))) == (row,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("key,suite", "id,suite", 1), r"ours\.csv: the head line is not that"),
        (lambda text: text.rsplit(",", 1)[0], r"ours\.csv: line 3: not one of our own rows"),
        (lambda text: text.replace(",closed,", ",closed", 1), r"ours\.csv: line 2: not one of our own rows"),
        (lambda text: "", r"ours\.csv: the head line is not that"),
    ],
)
def test_a_damaged_file_of_ours(change: object, message: str, tmp_path: Path) -> None:
    assert callable(change)
    path = tmp_path / "ours.csv"
    path.write_text(change(rows_csv.dumps(ROWS[:2])), encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        rows_csv.read(path)


def test_a_missing_file_of_ours(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"gone\.csv: cannot be read"):
        rows_csv.read(tmp_path / "gone.csv")


def test_fields_are_the_columns() -> None:
    assert tuple(field.name for field in dataclasses.fields(Row)) == rows_csv.COLUMNS


def test_the_notice_names_source_and_dates_of_every_round() -> None:
    notice = (KNOWLEDGE.parent / "NOTICE").read_text(encoding="utf-8")
    rounds = Rounds.load()
    for name in dict.fromkeys(row.round for row in ROWS):
        line = next(line for line in notice.splitlines() if line.startswith(f"MLPerf® Inference {name} "))
        published, retrieved = rounds.get(name), rounds.retrieved(name)
        assert published is not None
        assert retrieved is not None
        for day in (published.published, retrieved):
            assert f"{day.day} {day:%B %Y}" in line
