"""What moved between rounds on unchanged hardware: first on made rows, then on the published ones."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from knowledge.deltas import Delta, deltas, summaries
from knowledge.errors import KnowledgeError
from knowledge.names import Names
from knowledge.rounds import Rounds
from knowledge.row import Part, Row
from tests.knowledge.making import made
from tests.knowledge.packaged import packaged_rows

NAMES, ROUNDS = Names.load(), Rounds.load()


def result(round: str, per_accelerator: float, *, n: int = 1, count: int = 8, **changes: Any) -> Row:
    """A row of one system with this figure per accelerator."""
    value = per_accelerator * count
    plain = {
        "key": f"{round}/{n}/{count}/{per_accelerator}",
        "submitter": "Nebius",
        "model": "deepseek-r1",
        "accuracy_target": None,
        "accelerators": count,
        "value": value,
        "per_accelerator": per_accelerator,
        "published": {"v5.1": "2025-09-09", "v6.0": "2026-04-01", "v6.1": "2026-09-16"}[round],
    }
    return made(n, round=round, **{**plain, **changes})


def found(*rows: Row, since: str = "v5.1", **filters: Any) -> list[Delta]:
    return deltas(rows, NAMES, ROUNDS, since=since, **filters)


def steps(told: list[Delta]) -> list[tuple[str, str, float]]:
    return [(d.before.round, d.after.round, round(d.ratio, 4)) for d in told]


# --- which rows make a delta ----------------------------------------------------------------------


def test_a_submitters_best_row_is_set_against_its_best_row_before() -> None:
    rows = (
        result("v6.0", 90, n=1),
        result("v6.0", 100, n=2),
        result("v6.1", 150, n=3),
        result("v6.1", 80, n=4),
        result("v6.1", 500, n=5, submitter="Lambda"),
    )
    (delta,) = found(*rows)
    assert (delta.before, delta.after) == (rows[1], rows[2])
    assert delta.ratio == pytest.approx(1.5)
    assert delta.gain == pytest.approx(0.5)
    assert delta.per_accelerator
    assert not delta.near_scale
    assert delta.differences == ("round",)


@pytest.mark.parametrize(
    "changes",
    [
        {"submitter": "Lambda"},
        {"accelerator": "B300"},
        {"variant": "power cap 1000 W"},
        {"model": "llama2-70b"},
        {"accuracy_target": "99"},
        {"scenario": "server"},
        {"division": "open"},
        {"system_type": "edge"},
        {"watts": 900.0},
        {"suite": "training"},
        {"accelerator": None, "parts": (Part("GB300", 4), Part("H200", 4))},
    ],
)
def test_anything_else_that_differs_makes_no_delta(changes: dict[str, Any]) -> None:
    assert found(result("v6.0", 100), result("v6.1", 110, **changes), division=None) == []


def test_each_step_over_several_rounds_stands_by_itself() -> None:
    rows = (result("v5.1", 100), result("v6.0", 110), result("v6.1", 121))
    assert sorted(steps(found(*rows))) == [("v5.1", "v6.0", 1.1), ("v6.0", "v6.1", 1.1)]
    assert steps(found(rows[0], rows[2])) == [("v5.1", "v6.1", 1.21)]
    assert steps(found(*rows, since="v6.0")) == [("v6.0", "v6.1", 1.1)]
    assert steps(found(*rows, since="6.0", until="v6.1")) == [("v6.0", "v6.1", 1.1)]
    assert steps(found(*rows, until="v6.0")) == [("v5.1", "v6.0", 1.1)]


def test_a_near_size_is_listed_apart_and_only_where_no_equal_one_exists() -> None:
    told = found(
        result("v6.0", 100, count=64),
        result("v6.1", 110, count=72),
        result("v6.0", 100, count=8),
        result("v6.1", 101, count=8),
    )
    assert [(d.near_scale, d.before.accelerators, d.after.accelerators) for d in told] == [
        (False, 8, 8),
        (True, 64, 72),
    ]
    assert told[1].ratio == pytest.approx(1.1)
    assert told[1].differences == ("scale", "round")
    assert "near_scale" in told[1].caveats
    again = found(result("v6.0", 100, count=64), result("v6.1", 99, count=64), result("v6.1", 110, count=72))
    assert [d.after.accelerators for d in again] == [64]
    assert found(result("v6.0", 100, count=64), result("v6.1", 100, count=74)) == []


def test_latency_is_inverted() -> None:
    times = {"v6.0": 24.0, "v6.1": 18.0}
    rows = [
        made(
            1,
            round=name,
            model="wan-2.2-t2v-a14b",
            scenario="singlestream",
            accuracy_target=None,
            value=seconds,
            unit="s",
            lower_is_better=True,
            per_accelerator=None,
        )
        for name, seconds in times.items()
    ]
    (delta,) = found(*rows)
    assert delta.ratio == pytest.approx(24 / 18)
    assert not delta.per_accelerator
    assert "method" in delta.differences  # the statistic of these rows changed between the rounds
    assert "derived_metric" not in delta.caveats


def test_a_preview_that_became_available_is_told_with_both_categories() -> None:
    (delta,) = found(result("v6.0", 100, availability="preview"), result("v6.1", 99))
    assert delta.availability == ("preview", "available")
    assert delta.differences == ("round", "availability")
    assert "preview" in delta.caveats
    rows = [
        result("v6.0", 100, n=1, availability="preview"),
        result("v6.0", 80, n=2),
        result("v6.1", 90, n=3),
    ]
    assert [(d.availability, round(d.ratio, 3)) for d in found(*rows)] == [
        (("available", "available"), 1.125)
    ]


def test_open_results_need_the_same_model_underneath() -> None:
    one = result("v6.0", 100, division="open", used_model="kimi-k2")
    assert found(one, result("v6.1", 110, division="open", used_model="other"), division=None) == []
    (delta,) = found(one, result("v6.1", 110, division="open", used_model="kimi-k2"), division="open")
    assert "open_division" in delta.caveats
    assert found(one, result("v6.1", 110, division="open", used_model="kimi-k2")) == []


def test_software_of_both_sides_is_told() -> None:
    (delta,) = found(result("v6.0", 100), result("v6.1", 110, weights="fp8"))
    assert delta.software_changed
    assert "software" in delta.caveats
    (delta,) = found(result("v6.0", 100), result("v6.1", 110))
    assert not delta.software_changed


def test_benchmarks_that_do_not_compare_make_no_delta() -> None:
    assert found(result("v6.0", 100, model="gptj"), result("v6.1", 110, model="gptj")) == []


def test_a_round_younger_than_two_weeks_is_not_quoted() -> None:
    rows = (result("v6.0", 100), result("v6.1", 110))
    assert found(*rows, today=date(2026, 9, 29)) == []
    assert len(found(*rows, today=date(2026, 9, 30))) == 1
    assert len(found(*rows, today=date(2026, 9, 17), early=True)) == 1


def test_filters_take_any_spelling() -> None:
    rows = (result("v6.0", 100), result("v6.1", 104))
    assert found(*rows, models=["DeepSeek R1"], accelerators=["NVIDIA GB300"], submitters=["nebius"])
    assert found(*rows, accelerators=["Blackwell Ultra"])
    assert found(*rows, scenarios=["Server"]) == []
    assert found(*rows, models=["no such model"]) == []
    assert found(*rows, least=0.05) == []


def test_an_unknown_round_is_one_clear_line() -> None:
    with pytest.raises(KnowledgeError, match=r"'v9.9' is no published round"):
        found(result("v6.0", 1), since="v9.9")


def test_a_delta_is_written_with_both_rows() -> None:
    (delta,) = found(result("v6.0", 100), result("v6.1", 110))
    plain = delta.as_json()
    assert plain["ratio"] == pytest.approx(1.1)
    assert plain["before"]["round"] == "v6.0"
    assert plain["after"]["accelerators"] == 8


# --- the published rows ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def published() -> tuple[Row, ...]:
    """The rows that come with the program."""
    return packaged_rows()


def ratio(told: list[Delta], **wanted: Any) -> Delta:
    """The one delta whose rows both say what is wanted."""
    fitting = [d for d in told if all(getattr(d.after, k) == v for k, v in wanted.items())]
    assert len(fitting) == 1, [(d.before.key, d.after.key) for d in fitting]
    return fitting[0]


# submitter, accelerator, count, model, scenario: ratio as printed, and its last digit
LAST_ROUND = [
    ("AMD", "MI355X", 8, "gpt-oss-120b", "offline", 1.282, 0.0005),
    ("AMD", "MI355X", 8, "gpt-oss-120b", "server", 1.379, 0.0005),
    ("Intel", "Arc Pro B70", 4, "gpt-oss-120b", "offline", 1.273, 0.0005),
    ("Intel", "Arc Pro B70", 4, "gpt-oss-120b", "server", 1.363, 0.0005),
    ("NVIDIA", "GB300", 72, "deepseek-r1", "server", 1.491, 0.0005),
    ("NVIDIA", "GB300", 72, "deepseek-r1", "offline", 1.050, 0.0005),
    ("NVIDIA", "GB300", 72, "deepseek-r1", "interactive", 1.011, 0.0005),
]
ROUND_BEFORE = [
    ("NVIDIA", "GB300", 72, "deepseek-r1", "server", 1.913, 0.0005),
    ("NVIDIA", "GB300", 72, "deepseek-r1", "offline", 1.538, 0.0005),
    ("NVIDIA", "GB300", 72, "llama3.1-405b", "server", 1.521, 0.0005),
    ("NVIDIA", "GB300", 72, "llama3.1-405b", "offline", 1.212, 0.0005),
]


@pytest.mark.parametrize(
    ("since", "until", "case"),
    [("v6.0", None, case) for case in LAST_ROUND] + [("v5.1", "v6.0", case) for case in ROUND_BEFORE],
)
def test_published_deltas(
    published: tuple[Row, ...],
    since: str,
    until: str | None,
    case: tuple[str, str, int, str, str, float, float],
) -> None:
    submitter, accelerator, count, model, scenario, printed, step = case
    told = deltas(published, NAMES, ROUNDS, since=since, until=until, models=[model])
    delta = ratio(
        told, submitter=submitter, accelerator=accelerator, accelerators=count, scenario=scenario,
    )  # fmt: skip
    assert delta.ratio == pytest.approx(printed, abs=step)
    assert not delta.near_scale


def test_lambda_gains_of_the_last_round(published: tuple[Row, ...]) -> None:
    told = deltas(published, NAMES, ROUNDS, since="v6.0", submitters=["Lambda"], accelerators=["GB300"])
    assert {round(100 * d.gain, 2) for d in told if d.after.accelerators == 4} >= {8.79, 8.85}


def test_a_preview_of_the_last_round_is_flagged(published: tuple[Row, ...]) -> None:
    told = deltas(published, NAMES, ROUNDS, since="v6.0", submitters=["Intel"], models=["gpt-oss-120b"])
    assert {d.availability for d in told if d.after.accelerator == "Arc Pro B70"} == {
        ("preview", "available")
    }


def test_a_near_size_of_the_last_round_is_listed_apart(published: tuple[Row, ...]) -> None:
    told = deltas(published, NAMES, ROUNDS, since="v6.0", submitters=["CoreWeave"], accelerators=["GB200"])
    assert {(d.near_scale, d.before.accelerators, d.after.accelerators) for d in told} >= {(True, 64, 72)}
    assert not any(d.after.accelerators == 72 for d in told if not d.near_scale)


def test_what_holds_for_every_published_delta(published: tuple[Row, ...]) -> None:
    told = deltas(published, NAMES, ROUNDS, since="v4.1", division=None)
    assert len(told) > 300
    for delta in told:
        before, after = delta.before, delta.after
        assert before.published < after.published
        assert (before.submitter, before.accelerator, before.variant) == (
            after.submitter,
            after.accelerator,
            after.variant,
        )
        assert (before.model, before.scenario, before.accuracy_target) == (
            after.model,
            after.scenario,
            after.accuracy_target,
        )
        assert (before.division, before.system_type) == (after.division, after.system_type)
        assert (before.watts is None) == (after.watts is None)
        assert ("scale" in delta.differences) == (before.accelerators != after.accelerators)
        assert ("availability" in delta.differences) == (before.availability != after.availability)
        assert not set(delta.differences) & {"submitter", "division", "accelerator_variant", "model_variant"}
        assert delta.ratio > 0
    assert len({(d.before.key, d.after.key) for d in told}) == len(told)


# --- composites and rates -------------------------------------------------------------------------


def test_a_change_a_year_is_compounded_over_the_days_between() -> None:
    (delta,) = found(result("v6.0", 100), result("v6.1", 110))
    assert delta.annualised == pytest.approx(1.1 ** (365.25 / 168) - 1)
    assert "annualised" not in delta.as_json()
    assert delta.as_json(annualised=True)["annualised"] == pytest.approx(delta.annualised)


def test_a_composite_has_quartiles_and_how_many_fell() -> None:
    rows = [
        row
        for n, after in enumerate((90, 100, 110, 120, 150))
        for row in (
            result("v6.0", 100, n=n, submitter=f"Sub{n}"),
            result("v6.1", after, n=n, submitter=f"Sub{n}"),
        )
    ]
    near = [result("v6.0", 100, count=64), result("v6.1", 900, count=72)]
    (one,) = summaries(found(*rows, *near))
    assert (one.accelerator, one.model, one.n, one.fell) == ("GB300", "deepseek-r1", 5, 1)
    figures = (one.minimum, one.lower, one.median, one.upper, one.maximum)
    assert figures == pytest.approx((-0.1, 0.0, 0.1, 0.2, 0.5))
    (single,) = summaries(found(*rows[2:4]))
    assert (single.n, single.minimum, single.median, single.maximum) == (1, 0.0, 0.0, 0.0)


def test_power_runs_compare_with_power_runs_only() -> None:
    """Also where the run states energy for each stream, not watts."""
    energy = {"flags": ("energy_per_stream", "power_run")}
    assert found(result("v6.0", 100), result("v6.1", 110, **energy)) == []
    assert len(found(result("v6.0", 100, **energy), result("v6.1", 110, **energy))) == 1


def test_a_stored_round_that_nobody_listed_makes_no_delta() -> None:
    rows = (result("v6.1", 100), made(1, round="v7.0", model="deepseek-r1", accuracy_target=None,
            submitter="Nebius", accelerators=8, per_accelerator=200.0))  # fmt: skip
    extended = ROUNDS.extended(rows)
    assert extended.names()[-1] == "v7.0"
    assert extended.compare("deepseek-r1", "offline", "datacenter", "v6.1", "v7.0").code == "rules_unread"
    assert extended.compare("deepseek-r1", "offline", "datacenter", "v7.0", "v7.0").status == "same"
    assert deltas(rows, NAMES, extended, since="v6.1", today=date(2027, 12, 1)) == []


def test_the_published_composite_of_the_last_round(published: tuple[Row, ...]) -> None:
    told = deltas(published, NAMES, ROUNDS, since="v6.0", models=["gpt-oss-120b"], accelerators=["MI355X"])
    (one,) = summaries(told)
    assert (one.n, one.fell) == (8, 0)
    assert one.maximum == pytest.approx(0.444, abs=0.0005)
    assert one.minimum == pytest.approx(0.260, abs=0.0005)
