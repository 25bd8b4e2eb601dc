"""The design's rules about values, absolutes, parity, scaling, cost and power, on the packaged rows."""

from __future__ import annotations

from typing import Any

import pytest

from knowledge.reading import Reading
from knowledge.tolerance import tolerance, within
from tests.knowledge.asking import ask, claim, notes_of, the_judge

OSS: dict[str, Any] = {"model": "gpt-oss-120b", "scenario": "offline", "round": "v6.1"}
LLAMA: dict[str, Any] = {"model": "llama2-70b"}
RATE: dict[str, Any] = {"unit": "tokens/s", "metric": "throughput", "direction": "higher"}
UP: dict[str, Any] = {"direction": "higher"}
OVER_A_MILLION: dict[str, Any] = {
    "value": 1_000_000,
    "qualifier": "over",
    "subject": {"vendor": "AMD"},
    "round": "v6.0",
}


@pytest.mark.parametrize(
    ("value", "step", "qualifier", "takes", "leaves"),
    [
        (2.77, 0.01, "exact", (2.766, 2.775, 2.779), (2.764, 2.781)),
        (3, 1, "exact", (2.51, 3.49), (2.49, 3.51)),
        (30, 1, "up_to", (29.6, 30.9), (29.4, 31.1)),
        (2, None, "exact", (1.81, 2.19), (1.79, 2.21)),
        (1.5, 0.1, "over", (1.5, 1.72), (1.49, 1.73)),
        (1.5, 0.1, "at_least", (1.5, 9.0), (1.49,)),
        (1.5, 0.1, "nearly", (1.36, 1.54), (1.34, 1.56)),
        (1.5, 0.1, "about", (1.43, 1.59), (1.42, 1.61)),
        (40.0, 1, "about", (38.1, 41.9), (37.9, 42.1)),
    ],
)
def test_tolerance_follows_the_printed_digits(
    value: float, step: float | None, qualifier: str, takes: tuple[float, ...], leaves: tuple[float, ...]
) -> None:
    accepted = tolerance(claim("multiple", value, step=0 if step is None else step, qualifier=qualifier))
    assert all(accepted.fit(x) for x in takes)
    assert not any(accepted.fit(x) for x in leaves)


@pytest.mark.parametrize(
    ("fields", "takes", "leaves"),
    [
        (
            {"kind": "absolute", "value": 20, "qualifier": "over", "metric": "latency"},
            (19.9, 17.5),
            (20.1, 17.0),
        ),
        (
            {"kind": "absolute", "value": 20, "qualifier": "at_least", "metric": "latency"},
            (19.9, 1.0),
            (20.1,),
        ),
        ({"kind": "multiple", "value": 0.5, "qualifier": "over", "metric": "latency"}, (0.49,), (0.51, 0.4)),
    ],
)
def test_under_a_time_points_downwards(
    fields: dict[str, Any], takes: tuple[float, ...], leaves: tuple[float, ...]
) -> None:
    accepted = tolerance(claim(fields.pop("kind"), fields.pop("value"), direction="lower", **fields))
    assert all(accepted.fit(x) for x in takes)
    assert not any(accepted.fit(x) for x in leaves)


def mi355x(value: float, **fields: Any) -> Reading:
    said = {"accelerator": "MI355X", **fields.pop("subject", {})}
    return ask("absolute", value, subject=said, **{**RATE, **OSS, **fields})


def test_rule_6_and_33_the_nearest_row_is_named_and_holds_only_with_about() -> None:
    exact = mi355x(1_039_900, step=100)
    assert (exact.verdict, exact.recomputed) == ("holds", 1039900)
    near = mi355x(1_041_000, step=1000, subject={"submitter": "AMD"})
    assert (near.verdict, near.rule, near.recomputed) == ("contradicted", "33", 1039900)
    assert mi355x(1_041_000, step=1000, qualifier="about", subject={"submitter": "AMD"}).verdict == "holds"


def test_rule_25_an_open_row_answers_only_where_closed_has_none_and_is_a_difference() -> None:
    said = {"submitter": "AMD", "accelerator": "MI355X"}
    open_row = {"model": "llama3.1-405b", "scenario": "interactive", "round": "v6.0", **RATE}
    unsaid = ask("absolute", 793.994, subject=said, **open_row)
    assert (unsaid.verdict, unsaid.differences) == ("frame", ("division",))
    assert "open_division" in unsaid.caveats
    assert ask("absolute", 793.994, subject=said, division="open", **open_row).verdict == "holds"
    hpe = ask(
        "absolute",
        7889,
        per_accelerator=True,
        subject={"submitter": "HPE", "accelerator": "GB200"},
        **{**RATE, **OSS, "model": "deepseek-r1"},
    )
    assert (hpe.verdict, hpe.differences) == ("frame", ("division",))
    assert (hpe.rows[1].division, hpe.rows[1].submitter) == ("closed", "Azure")


def test_rule_27_one_accelerator_with_the_figure_of_eight_differs_in_scale() -> None:
    one = mi355x(121_818, subject={"accelerators": 1})
    assert (one.verdict, one.differences, one.rows[0].accelerators) == ("frame", ("scale",), 8)
    other_scenario = mi355x(121_818, scenario="server")
    assert (other_scenario.verdict, other_scenario.rows[0].scenario) == ("contradicted", "offline")
    other_count = mi355x(121_818, subject={"accelerators": 16})
    assert (other_count.verdict, other_count.rows[0].accelerators) == ("contradicted", 8)
    other_submitter = mi355x(121_818, subject={"submitter": "Dell"})
    assert (other_submitter.verdict, other_submitter.rows[0].submitter) == ("contradicted", "AMD")


def test_rule_27_queries_and_samples_stand_for_each_other() -> None:
    reading = ask(
        "absolute",
        10891.1,
        unit="queries/s",
        subject={"submitter": "AMD", "accelerator": "MI350X"},
        model="dlrm-v3",
        scenario="offline",
        round="v6.1",
    )
    assert reading.verdict == "holds"
    assert "unit_differs" in reading.caveats


def test_rule_34_up_to_below_the_largest_figure_tells_the_largest() -> None:
    reading = mi355x(117_000, step=1000, qualifier="up_to", subject={"accelerators": 8})
    assert reading.verdict == "holds"
    assert notes_of(reading)["maximum"] == {"value": 121818}


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({"value": 2_500_000, "step": 100_000}, "depends"),  # no system and no benchmark
        ({"value": 1_000_000, "step": 0, "qualifier": "over"}, "depends"),
        ({"value": 5_749_440, "step": 1}, "holds"),  # seven digits name their row
        ({**OVER_A_MILLION, "scenario": "offline"}, "depends"),
        ({**OVER_A_MILLION, "scenario": "server"}, "holds"),
    ],
)
def test_rule_47_a_figure_that_fits_rows_of_several_benchmarks_depends(
    fields: dict[str, Any], verdict: str
) -> None:
    reading = ask("absolute", fields.pop("value"), **{**RATE, **fields})
    assert reading.verdict == verdict
    assert bool(reading.missing) == (verdict == "depends")


def test_rule_32_level_is_five_percent_and_ten_percent_lower_is_a_best_case() -> None:
    level = {"qualifier": "about", "subject": {"accelerator": "MI355X"}, "round": "v6.0"}
    b200 = {"accelerator": "B200"}
    reading = ask("outperforms", baseline=b200, scenario="offline", **LLAMA, **level)
    assert (reading.verdict, reading.rule) == ("holds", "32")  # 103,480 against 104,572
    assert ask(
        "outperforms", baseline={"accelerator": "B300"}, scenario="offline", **LLAMA, **level
    ).verdict == ("contradicted")  # 0.916


@pytest.mark.parametrize(("percent", "verdict"), [(5, "holds"), (2, "contradicted"), (3, "holds")])
def test_rule_42_within_n_percent_covers_half_a_step(percent: int, verdict: str) -> None:
    reading = ask(
        "percent",
        1 + percent / 100,
        percent,
        qualifier="about",
        subject={"accelerator": "MI355X"},
        baseline={"accelerator": "B200"},
        scenario="server",
        round="v6.0",
        **LLAMA,
    )
    assert (reading.verdict, reading.rule) == (verdict, "42")
    assert reading.recomputed == pytest.approx(100282 / 103627, rel=1e-6)  # 3.2 % behind


def test_rule_42_within_is_no_gain_of_about_half() -> None:
    assert within(claim("percent", 1.48, 48, qualifier="about")) is None
    assert within(claim("percent", 1.05, 5, qualifier="about", direction="higher")) is None
    assert within(claim("percent", 1.05, 5, qualifier="about")) == pytest.approx(0.055)


def test_rule_42_first_to_pass_a_mark() -> None:
    mark = {"first_to": True, "value": 1_000_000, "step": 1_000_000, **RATE, **LLAMA}
    value = mark.pop("value")
    # v6.0: AMD and NVIDIA passed it offline in the same round, as server only AMD did
    assert (
        ask("absolute", value, subject={"vendor": "AMD"}, scenario="offline", **mark).verdict
        == "contradicted"
    )
    assert ask("absolute", value, subject={"vendor": "AMD"}, scenario="server", **mark).verdict == "holds"
    late = ask("absolute", value, subject={"submitter": "CoreWeave"}, scenario="offline", **mark)
    assert (late.verdict, late.rows[1].round) == ("contradicted", "v6.0")
    never = ask("absolute", value, subject={"submitter": "Dell"}, scenario="offline", **mark)
    assert never.verdict == "contradicted"


def test_rule_35_accuracy_target_99_answers_where_99_9_does_not() -> None:
    said = {"subject": {"accelerator": "H200"}, "baseline": {"accelerator": "GH200"}, "model": "dlrm-v2"}
    reading = ask(
        "absolute",
        654489,
        unit="samples/s",
        subject={"submitter": "HPE", "accelerator": "H200"},
        model="dlrm-v2",
        scenario="offline",
        round="v5.0",
    )
    assert (reading.verdict, reading.rows[0].accuracy_target) == ("holds", "99")
    pair = ask("multiple", 1.3, scenario="offline", round="v5.0", **said, **UP)
    assert {row.accuracy_target for row in pair.rows} == {"99.9"}


def test_rule_38_a_percentage_of_latency_follows_its_words() -> None:
    said = {
        "metric": "latency",
        "subject": {"accelerator": "MI355X"},
        "baseline": {"accelerator": "B300"},
        "model": "wan-2.2-t2v-a14b",
        "scenario": "singlestream",
        "round": "v6.1",
    }
    faster = ask("percent", 1.115, 11.5, direction="higher", **said)
    assert (faster.verdict, faster.recomputed) == ("holds", pytest.approx(17.97718330692361 / 16.124484197))
    lower = ask("percent", 0.897, 10.3, direction="lower", **said)
    assert (lower.verdict, lower.recomputed) == ("holds", pytest.approx(16.124484197 / 17.97718330692361))
    assert ask("percent", 0.8, 20, direction="lower", **said).verdict == "contradicted"
    against_h200 = {
        **said,
        "baseline": {"accelerator": "H200"},
        "subject": {"accelerator": "B200"},
        "round": "v6.0",
    }
    half = ask("multiple", 0.44, direction="lower", **against_h200)
    assert (half.verdict, half.recomputed) == ("holds", pytest.approx(25.458383354 / 57.401991155))


def test_rule_37_a_mixed_system_scales_from_the_sum_of_its_parts() -> None:
    reading = ask(
        "scaling",
        0.94,
        94,
        subject={"submitter": "MangoBoost", "accelerator": "MI300X | MI325X"},
        baseline={"nodes": 1},
        round="v5.1",
        **LLAMA,
    )
    assert reading.verdict == "holds"
    assert 153076 / (4 * 24860.5 + 2 * 31671.9) in [pytest.approx(g.ratio) for g in reading.like_for_like]


def test_rule_18_scaling_starts_at_the_largest_smaller_size_unless_the_start_is_said() -> None:
    said = {
        "subject": {"submitter": "NVIDIA", "accelerator": "GB300", "accelerators": 288},
        "round": "v6.1",
        "model": "deepseek-r1",
        "scenario": "offline",
    }
    reading = ask("scaling", 0.99, 99, **said)
    assert (reading.verdict, reading.rows[1].accelerators) == ("holds", 72)
    assert reading.recomputed == pytest.approx((2705130 / 288) / (679740 / 72), rel=1e-6)
    named = ask("scaling", 0.99, 99, baseline={"accelerators": 8}, **said)
    assert (named.verdict, named.rows[1].accelerators) == ("holds", 8)
    assert named.recomputed == pytest.approx((2705130 / 288) / (75918.2 / 8), rel=1e-6)


def test_rule_41_scaling_looks_in_older_rounds_too() -> None:
    reading = ask(
        "scaling",
        0.98,
        98,
        subject={"submitter": "AMD", "accelerator": "MI355X"},
        scenario="interactive",
        **LLAMA,
    )
    assert (reading.verdict, reading.rows[0].round) == ("holds", "v6.0")
    assert reading.recomputed == pytest.approx((785522 / 87) / (73608.2 / 8), rel=1e-6)


def test_rule_20_a_cost_follows_from_the_ratio_at_constant_price() -> None:
    rack = {"submitter": "NVIDIA", "accelerator": "GB300", "accelerators": 72}
    said = {"model": "deepseek-r1", "scenario": "server"}
    sides = {"subject": {**rack, "round": "v6.0"}, "baseline": {**rack, "round": "v5.1"}}
    cost = claim("cost", 0.4, 60, qualifier="over", direction="lower", metric="cost", **sides, **said)
    alone = the_judge().reading(cost)
    assert alone.verdict == "not_measured"
    assert [d.value for d in alone.derived] == [pytest.approx(209328 / 400437, rel=1e-6)]
    _, beside = the_judge().readings([claim("multiple", 2.77, **sides, **said), cost])
    assert [d.value for d in beside.derived] == [pytest.approx(209328 / 400437), pytest.approx(1 / 2.77)]
    nameless = ask("cost", 0.4, 60, direction="lower", metric="cost", same_hardware=True)
    assert (nameless.verdict, nameless.derived) == ("not_measured", ())


def test_rule_28_results_per_watt_need_two_power_runs() -> None:
    said = {"metric": "power_efficiency", "model": "resnet50", "scenario": "offline", "round": "v4.1"}
    sides = {"subject": {"submitter": "UntetherAI"}, "baseline": {"accelerator": "H200"}}
    expected = (334462 / 1021.358974359) / (556234 / 4954.0315467075)
    reading = ask("multiple", 2.9, **sides, **said, **UP)
    assert (reading.verdict, reading.differences) == ("frame", ("scale",))
    assert (reading.basis, reading.recomputed) == ("system", pytest.approx(expected, rel=1e-6))
    assert ask("multiple", 6, **sides, **said, **UP).verdict == "contradicted"
    none = ask(
        "multiple",
        3,
        metric="power_efficiency",
        subject={"accelerator": "GB300"},
        baseline={"accelerator": "MI355X"},
        **OSS,
    )
    assert (none.verdict, none.caveats) == ("not_measured", ("power_not_measured",))
    power_run = ask(
        "absolute",
        102909,
        subject={"submitter": "Lenovo", "accelerator": "B200"},
        scenario="offline",
        round="v5.1",
        **RATE,
        **LLAMA,
    )
    assert power_run.verdict == "holds"


def test_rule_50_a_number_is_tried_by_system_and_per_accelerator() -> None:
    said = {
        "subject": {"accelerator": "GB200", "accelerators": 72},
        "baseline": {"accelerator": "H200", "accelerators": 8},
        "model": "llama3.1-405b",
        "scenario": "server",
        "round": "v5.0",
    }
    by_system = ask("multiple", 30, **said, **UP)
    assert (by_system.verdict, by_system.basis) == ("frame", "system")
    each = ask("multiple", 3.37, **said, **UP)
    assert (each.verdict, each.basis) == ("frame", "per_accelerator")
    assert each.recomputed == pytest.approx(by_system.per_accelerator, rel=1e-9)


def test_what_the_rows_do_not_measure() -> None:
    assert ask("count", 291, subject={"vendor": "NVIDIA"}).verdict == "not_measured"
    assert ask("absolute", 20, unit="ms", metric="latency", model="llama2-70b").verdict == "not_measured"
    assert ask("absolute", 23545.5, verified=False, **RATE, **LLAMA).verdict == "not_measured"


def test_rule_39_an_absolute_of_half_a_year_ago_is_looked_up_in_its_round() -> None:
    said = {**RATE, "model": "deepseek-r1", "scenario": "server", "round": "v6.0"}
    rack = {"accelerator": "GB300", "system": "GB300 NVL72"}
    then = ask("absolute", 2907, per_accelerator=True, subject={**rack, "when": "6 months"}, **said)
    assert (then.verdict, then.rows[0].round) == ("holds", "v5.1")
    assert ask("absolute", 2907, per_accelerator=True, subject=rack, **said).verdict == "contradicted"


def test_rule_39_a_claim_beside_training_results_is_about_training() -> None:
    minutes = claim(
        "absolute", 2.02, unit="minutes", metric="time_to_train", subject={"submitter": "CoreWeave"}
    )
    linear = claim("scaling", qualifier="nearly", subject={"submitter": "CoreWeave"})
    _, reading = the_judge().readings([minutes, linear])
    assert (reading.verdict, reading.missing[0].what) == ("no_rows", "suite")
    assert the_judge().reading(linear).verdict != "no_rows"
