"""What a round brought: accelerators, submitters, sizes, best figures, spreads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knowledge.arrivals import largest, new_accelerators, new_bests, new_submitters, spreads
from knowledge.names import Names
from knowledge.rounds import Rounds
from knowledge.row import Part, Row
from tests.knowledge.packaged import packaged_rows
from tests.knowledge.test_deltas import result

NAMES, ROUNDS = Names.load(), Rounds.load()


def of(name: str) -> tuple[list[Row], list[Row]]:
    """The Closed rows before a round, and of it."""
    rows = [row for row in packaged_rows() if row.division == "closed"]
    day = next(row.published for row in rows if row.round == name)
    return [row for row in rows if row.published < day], [row for row in rows if row.round == name]


def test_an_accelerator_is_new_also_as_a_part() -> None:
    old = [result("v6.0", 1)]
    parts = (Part("H200", 4), Part("GB300", 4))
    mixed = replace(result("v6.1", 1, accelerator=None, parts=parts), per_accelerator=None)
    (one,) = new_accelerators(old, [result("v6.1", 2), mixed])
    assert (one.name, one.rows) == ("H200", (mixed,))


def test_its_largest_system_comes_first() -> None:
    small, large = (result("v6.1", 1, accelerator="VR200", count=n) for n in (8, 72))
    (one,) = new_accelerators([result("v6.0", 1)], [small, large])
    assert one.rows == (large, small)


def test_a_joint_submitter_is_new_only_with_somebody_new() -> None:
    old = [result("v6.0", 1, submitter="Dell"), result("v6.0", 1, submitter="AMD")]
    new = [result("v6.1", 1, submitter=name) for name in ("Dell_AMD", "Dell_MangoBoost", "AMD")]
    assert [one.name for one in new_submitters(old, new, NAMES)] == ["Dell_MangoBoost"]


def test_a_size_is_news_only_above_all_before() -> None:
    old = [result("v6.0", 1, count=72), result("v6.0", 1, count=94, accelerator="MI355X")]
    new = [result("v6.1", 1, count=n) for n in (64, 72, 90)] + [
        result("v6.1", 1, count=500, accelerator="X1")
    ]
    (one,) = largest(old, new)
    assert (one.row.accelerators, one.former.accelerators, one.overall) == (90, 72, False)
    (one,) = largest(old, [result("v6.1", 1, count=512, accelerator="MI355X")])
    assert one.overall


def test_a_best_figure_is_one_at_its_size() -> None:
    old = [result("v6.0", 100), result("v6.0", 300, count=72, accelerator="B300")]
    (one,) = new_bests(old, [result("v6.1", 110), result("v6.1", 290, count=72)], ROUNDS)
    assert (one.row.accelerators, round(one.ratio, 3)) == (8, 1.1)
    assert new_bests(old, [result("v6.1", 100)], ROUNDS) == ()  # level is no record
    assert new_bests(old, [result("v6.1", 500, count=16)], ROUNDS) == ()  # nobody was there before
    assert new_bests(old, [result("v6.1", 500, availability="rdi")], ROUNDS) == ()
    assert new_bests(old, [result("v6.1", 500, watts=100.0)], ROUNDS) == ()


def test_a_best_figure_needs_equal_rules() -> None:
    old = [result("v6.0", 100, model="gpt-oss-120b", scenario="interactive")]
    new = [result("v6.1", 200, model="gpt-oss-120b", scenario="interactive")]
    assert ROUNDS.compare("gpt-oss-120b", "interactive", "datacenter", "v6.0", "v6.1").status == "note"
    assert new_bests(old, new, ROUNDS) == ()


def test_a_spread_is_over_submitters_of_one_system() -> None:
    rows = [
        result("v6.1", 100, submitter="A"),
        result("v6.1", 90, submitter="A", n=2),
        result("v6.1", 150, submitter="B"),
        result("v6.1", 120, submitter="C"),
        result("v6.1", 500, submitter="D", availability="preview"),
        result("v6.1", 500, submitter="E", count=16),
    ]
    (one,) = spreads(rows)
    assert [row.submitter for row in one.rows] == ["B", "C", "A"]
    assert one.ratio == pytest.approx(1.5)


def test_latencies_that_are_not_measured_alike_are_no_spread() -> None:
    how = {"lower_is_better": True, "unit": "s", "scenario": "singlestream"}
    rows = [
        replace(result("v6.1", 1, submitter=name, flags=(flag,), **how), per_accelerator=None)
        for name, flag in (("A", "latency_mean"), ("B", "latency_p90"))
    ]
    assert spreads(rows) == ()


def test_what_the_newest_round_brought() -> None:
    old, new = of("v6.1")
    assert {one.name for one in new_accelerators(old, new)} == {
        "VR200", "MI350P", "GB10", "Radeon 8060S", "Jetson AGX Thor",
    }  # fmt: skip
    assert {one.name for one in new_submitters(old, new, NAMES)} == {
        "Crusoe", "Inventec", "VibeHPC", "TTA", "Wiwynn", "Atlas_Inference", "Naeem Khoshnevis",
    }  # fmt: skip
    first = largest(old, new)[0]
    assert (first.row.submitter, first.row.accelerators, first.former.accelerators) == ("Crusoe", 512, 94)
    assert first.overall
    rack = next(one for one in new_bests(old, new, ROUNDS) if one.row.model == "gpt-oss-120b"
                and (one.row.scenario, one.row.accelerators) == ("offline", 72))  # fmt: skip
    assert (rack.row.submitter, rack.former.submitter) == ("CoreWeave", "Nebius")
    assert rack.row.per_accelerator == pytest.approx(16635, abs=1)
