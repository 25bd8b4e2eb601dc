"""The calendar of rounds and what compares across them."""

from __future__ import annotations

from datetime import date

import pytest

from knowledge.rounds import Round, Rounds

ROUNDS = Rounds.load()


def test_stored_rounds_have_their_dates() -> None:
    dates = {name: round_.published.isoformat() for name in ROUNDS.names() if (round_ := ROUNDS.get(name))}
    assert {k: dates[k] for k in ("v4.1", "v5.0", "v5.1", "v6.0", "v6.1")} == {
        "v4.1": "2024-08-28",
        "v5.0": "2025-04-02",
        "v5.1": "2025-09-09",
        "v6.0": "2026-04-01",
        "v6.1": "2026-09-16",
    }
    assert ROUNDS.retrieved("v6.1") == date(2026, 11, 30)
    assert ROUNDS.retrieved("v4.0") is None


def test_all_rounds_are_listed_in_order() -> None:
    assert ROUNDS.names()[0] == "v0.5"
    assert ROUNDS.names()[-1] == "v6.1"
    assert len(ROUNDS.names()) == 14
    assert ROUNDS.names("training")[0] == "v0.5"
    assert ROUNDS.names("training")[-1] == "v6.0"
    for suite in ("inference", "training"):
        days = [r.published for r in ROUNDS.all(suite)]
        assert days == sorted(days)


def test_a_name_belongs_to_a_suite() -> None:
    assert ROUNDS.get("6.1") == Round("v6.1", "inference", date(2026, 9, 16))
    assert ROUNDS.get("V5.1", "training") == Round("v5.1", "training", date(2025, 11, 12))
    assert ROUNDS.get("v6.1", "training") is None
    assert ROUNDS.get("v9.9") is None


@pytest.mark.parametrize(
    ("before", "name"),
    [
        (None, "v6.1"),
        (date(2026, 9, 16), "v6.1"),
        (date(2026, 9, 15), "v6.0"),
        (date(2019, 1, 1), None),
    ],
)
def test_newest(before: date | None, name: str | None) -> None:
    newest = ROUNDS.newest(before)
    assert (newest.name if newest else None) == name


@pytest.mark.parametrize(
    ("name", "previous"), [("v6.1", "v6.0"), ("v5.0", "v4.1"), ("v0.5", None), ("v9", None)]
)
def test_previous(name: str, previous: str | None) -> None:
    found = ROUNDS.previous(name)
    assert (found.name if found else None) == previous


@pytest.mark.parametrize(
    ("reference", "months", "name"),
    [
        ("v6.0", 6, "v5.1"),
        ("v6.1", 6, "v6.0"),
        ("v6.1", 12, "v5.1"),
        ("v6.1", 24, "v4.1"),
        ("v5.1", 12, "v4.1"),
        ("v6.1", 1, "v6.0"),
        (date(2026, 4, 2), 6, "v5.1"),
        (date(2026, 10, 31), 1, "v6.1"),
        (date(2024, 2, 29), 12, "v3.0"),
        ("v9.9", 6, None),
    ],
)
def test_ago(reference: str | date, months: int, name: str | None) -> None:
    found = ROUNDS.ago(reference, months)
    assert (found.name if found else None) == name


def test_results_are_quoted_after_two_weeks() -> None:
    assert ROUNDS.quotable("v6.1", date(2026, 9, 16)) == date(2026, 9, 30)
    assert ROUNDS.quotable("v6.1", date(2026, 9, 29)) == date(2026, 9, 30)
    assert ROUNDS.quotable("v6.1", date(2026, 9, 30)) is None
    assert ROUNDS.quotable(date(2027, 4, 1), date(2027, 4, 2)) == date(2027, 4, 15)
    assert ROUNDS.quotable("v9.9", date(2026, 9, 30)) is None


@pytest.mark.parametrize(
    ("model", "scenario", "kind", "a", "b", "status", "code"),
    [
        ("deepseek-r1", "server", "datacenter", "v6.1", "v6.1", "same", ""),
        ("deepseek-r1", "server", "datacenter", "v5.1", "v6.0", "official", ""),
        ("deepseek-r1", "server", "datacenter", "v6.0", "v5.1", "official", ""),
        ("deepseek-r1", "server", "datacenter", "v6.0", "v6.1", "ours", ""),
        ("deepseek-r1", "server", "datacenter", "v5.1", "v6.1", "ours", ""),
        ("deepseek-r1", "interactive", "datacenter", "v6.0", "v6.1", "ours", ""),
        ("deepseek-r1", "interactive", "datacenter", "v5.1", "v6.0", "no", "scenario_not_in_round"),
        ("llama2-70b", "offline", "datacenter", "v4.1", "v6.0", "official", ""),
        ("llama2-70b", "offline", "datacenter", "v4.1", "v6.1", "ours", ""),
        ("llama2-70b", "interactive", "datacenter", "v5.0", "v5.1", "official", ""),
        ("llama2-70b-interactive", "offline", "datacenter", "v5.0", "v5.1", "no", "not_in_round"),
        ("gpt-oss-120b", "offline", "datacenter", "v6.0", "v6.1", "ours", ""),
        ("gpt-oss-120b", "interactive", "datacenter", "v6.0", "v6.1", "note", "speculative_decoding"),
        ("qwen3-vl-235b-a22b", "server", "datacenter", "v6.0", "v6.1", "note", "harness"),
        ("qwen3-vl-235b-a22b", "interactive", "datacenter", "v6.0", "v6.1", "no", "scenario_not_in_round"),
        ("wan-2.2-t2v-a14b", "singlestream", "datacenter", "v6.0", "v6.1", "note", "statistic"),
        ("wan-2.2-t2v-a14b", "offline", "datacenter", "v6.0", "v6.1", "ours", ""),
        ("mixtral-8x7b", "offline", "datacenter", "v6.0", "v6.1", "no", "not_in_round"),
        ("retinanet", "offline", "datacenter", "v5.1", "v6.0", "no", "not_in_round"),
        ("stable-diffusion-xl", "offline", "datacenter", "v4.1", "v5.1", "official", ""),
        ("gpt-j", "server", "datacenter", "v4.1", "v5.0", "official", ""),
        ("bert-large", "offline", "datacenter", "v4.1", "v5.0", "no", "not_in_round"),
        ("bert-large", "offline", "edge", "v4.1", "v6.0", "official", ""),
        ("bert-large", "offline", "datacenter,edge", "v4.1", "v6.0", "official", ""),
        ("yolo11l", "singlestream", "edge", "v6.0", "v6.1", "ours", ""),
        ("deepseek-r1", "server", "datacenter", "v6.1", "v9.9", "no", "unknown_round"),
        ("titan-9t", "server", "datacenter", "v6.0", "v6.1", "no", "unknown_benchmark"),
    ],
)
def test_comparability(model: str, scenario: str, kind: str, a: str, b: str, status: str, code: str) -> None:
    found = ROUNDS.compare(model, scenario, kind, a, b)
    assert (found.status, found.code) == (status, code)
    assert found.comparable is (status != "no")
    assert bool(found.reason) is (status in ("note", "no"))


def test_a_changed_benchmark_begins_anew() -> None:
    found = ROUNDS.compare("resnet50", "", "", "v0.5", "v1.0", suite="training")
    assert (found.status, found.code) == ("no", "changed")


def test_benchmarks_of_a_round() -> None:
    assert ROUNDS.has("gpt-oss-120b", "v6.0")
    assert not ROUNDS.has("gpt-oss-120b", "v5.1")
    assert not ROUNDS.has("deepseek-r1", "v5.1", "interactive")
    assert not ROUNDS.has("retinanet", "v6.1", system_type="edge")
    assert ROUNDS.rounds_of("mixtral-8x7b") == ("v4.1", "v5.0", "v5.1", "v6.0")
    assert "qwen3.6-27b" in ROUNDS.models("v6.1")
    assert "llama2-70b-lora" in ROUNDS.models("v6.0", "training")
