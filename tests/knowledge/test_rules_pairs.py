"""The design's rules about pairs, groups, names and rounds, one by one, on the packaged rows.

The figures in the expectations are divisions of published values, written out.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests.knowledge.asking import ask, claim, notes_of, rows_of, the_judge

OSS: dict[str, Any] = {"model": "gpt-oss-120b", "scenario": "offline", "round": "v6.1"}
R1: dict[str, Any] = {"model": "deepseek-r1", "scenario": "offline"}
LLAMA: dict[str, Any] = {"model": "llama2-70b"}
GB300 = {"accelerator": "GB300"}
MI355X = {"accelerator": "MI355X"}
UP = {"direction": "higher"}


def test_rule_1_a_stated_difference_that_points_the_other_way_per_accelerator_is_a_frame() -> None:
    reading = ask(
        "outperforms",
        subject={"submitter": "Crusoe", **MI355X, "accelerators": 512},
        baseline={**GB300, "accelerators": 72},
        round="v6.1",
        **R1,
        **UP,
    )
    assert (reading.verdict, reading.differences) == ("frame", ("scale",))
    assert reading.recomputed == pytest.approx(2901950 / 689961, rel=1e-6)
    assert reading.per_accelerator == pytest.approx((2901950 / 512) / (689961 / 72), rel=1e-6)


def test_rule_3_the_single_submitter_is_compared_with_its_own_row() -> None:
    reading = ask(
        "multiple",
        1.16,
        subject=MI355X,
        baseline={"accelerator": "B200"},
        scenario="interactive",
        round="v6.0",
        **LLAMA,
        **UP,
    )
    assert reading.verdict == "holds"
    assert [g.ratio for g in reading.like_for_like] == [pytest.approx(70954.1 / 61300.4, rel=1e-6)]
    assert reading.like_for_like[0].pairs == 6


def test_rules_4_and_34_up_to_means_the_largest_group_and_a_smaller_group_reproduces_it_too() -> None:
    largest = ask("multiple", 1.15, qualifier="up_to", subject=GB300, baseline=MI355X, **OSS, **UP)
    assert (largest.verdict, largest.recomputed) == ("holds", pytest.approx(1.15179, rel=1e-4))
    smaller = ask("multiple", 1.09, qualifier="up_to", subject=GB300, baseline=MI355X, **OSS, **UP)
    assert smaller.verdict == "holds"
    assert smaller.recomputed == pytest.approx(132236 / 121818, rel=1e-6)
    assert smaller.range is not None
    assert smaller.range.max == pytest.approx(1.15179, rel=1e-4)
    assert ask("multiple", 1.3, qualifier="up_to", subject=GB300, baseline=MI355X, **OSS, **UP).verdict == (
        "contradicted"
    )


@pytest.mark.parametrize(
    ("shown", "verdict"), [(15, "holds"), (15.2, "holds"), (16, "contradicted"), (12, "contradicted")]
)
def test_rule_5_the_tolerance_is_on_the_printed_percentage(shown: float, verdict: str) -> None:
    reading = ask(
        "percent",
        1 + shown / 100,
        shown,
        subject={**GB300, "accelerators": 72},
        baseline={**MI355X, "accelerators": 72},
        **OSS,
        **UP,
    )
    assert reading.verdict == verdict  # 16,634.86 / 14,443.06: + 15.18 %


def test_rule_7_the_newest_round_before_the_article_is_assumed_and_said() -> None:
    asked = claim(
        "multiple",
        1.26,
        subject=MI355X,
        baseline={"accelerator": "MI300X"},
        scenario="offline",
        **LLAMA,
        **UP,
    )
    with_date = the_judge().reading(asked, article=date(2026, 4, 20))
    assert with_date.rows[0].round == "v6.0"
    assert the_judge().reading(asked, article=date(2025, 9, 20)).rows[0].round == "v5.1"


def test_rule_7_a_text_whose_own_figure_is_of_an_older_round_is_about_that_round() -> None:
    figure = claim("absolute", 103182, unit="tokens/s", subject={"submitter": "MangoBoost"}, **LLAMA)
    beats = claim(
        "outperforms",
        subject={"submitter": "MangoBoost", "accelerator": "MI300X"},
        baseline={"vendor": "NVIDIA"},
        **LLAMA,
        **UP,
    )
    first, second = the_judge().readings([figure, beats])
    assert first.verdict == "holds"
    assert (second.verdict, second.differences, second.rows[0].round) == ("frame", ("scale",), "v5.0")


def test_rules_8_and_24_a_makers_name_may_be_the_submitter_or_the_chips() -> None:
    own = ask("absolute", 1039900, unit="tokens/s", subject={"vendor": "AMD", **MI355X}, **OSS)
    assert (own.verdict, own.rows[0].submitter) == ("holds", "AMD")
    chips = ask("absolute", 1197710, unit="tokens/s", subject={"vendor": "NVIDIA", **GB300}, **OSS)
    assert (chips.verdict, chips.rows[0].submitter) == ("frame", "CoreWeave")
    assert chips.differences == ("submitter",)
    lead = ask(
        "percent",
        1.15,
        15,
        subject={"vendor": "NVIDIA", **GB300},
        baseline={"vendor": "AMD", **MI355X},
        **OSS,
        **UP,
    )
    assert (lead.verdict, lead.rows[0].submitter) == ("holds", "CoreWeave")


def test_rule_9_nvl_alone_is_a_form_and_nvl_with_a_number_a_size() -> None:
    form = ask(
        "multiple",
        1.72,
        subject={"accelerator": "H200 NVL"},
        baseline={"accelerator": "H100 NVL"},
        scenario="offline",
        round="v5.0",
        **LLAMA,
        **UP,
    )
    assert (form.verdict, form.recomputed) == ("holds", pytest.approx(31149.9 / 18084.9, rel=1e-6))
    rack = {"accelerator": "GB300", "system": "GB300 NVL72"}
    full = ask("absolute", 689961, unit="tokens/s", subject=rack, round="v6.1", **R1)
    assert (full.verdict, full.caveats) == ("holds", ())
    part = ask("absolute", 9628.96, unit="tokens/s", per_accelerator=True, subject=rack, round="v6.1", **R1)
    assert (part.verdict, part.rows[0].accelerators) == ("holds", 8)
    assert "rack_slice" in part.caveats


def test_rule_10_same_hardware_is_no_platform_name() -> None:
    reading = ask(
        "percent",
        1.0879,
        8.79,
        same_hardware=True,
        subject={"submitter": "Lambda"},
        baseline={"round": "v6.0"},
        model="gpt-oss-120b",
        scenario="offline",
        **UP,
    )
    assert reading.verdict == "software"
    assert len({row.platform for row in reading.rows}) == 2


def test_rule_11_a_covered_scenario_that_gains_less_makes_it_a_best_case() -> None:
    rack = {"submitter": "NVIDIA", "accelerator": "GB300", "accelerators": 72}
    said = {"subject": {**rack, "round": "v6.1"}, "baseline": {**rack, "round": "v6.0"}, **UP}
    assert ask("percent", 1.49, 49, model="deepseek-r1", **said).verdict == "best_case"
    one = ask("percent", 1.49, 49, model="deepseek-r1", scenario="server", **said)
    assert (one.verdict, one.recomputed) == ("software", pytest.approx(596944 / 400437, rel=1e-6))
    assert {"software", "comparability_ours"} <= set(one.caveats)


def test_rules_12_and_22_the_slowest_rival_is_a_best_case_and_no_figure_where_the_rows_differ_too() -> None:
    eight = {"subject": {**GB300, "accelerators": 8}, "baseline": {**MI355X, "accelerators": 8}}
    slowest = ask("multiple", 1.147, **eight, **OSS, **UP)
    assert (slowest.verdict, slowest.rule) == ("best_case", "12")
    assert slowest.recomputed == pytest.approx(132236 / 115294, rel=1e-6)
    # Oracle's rack, not the best one, against Crusoe's cluster: (1,097,620 / 72) / (5,749,440 / 512) = 1.3576
    assert ask("multiple", 1.358, subject=GB300, baseline=MI355X, **OSS, **UP).verdict == "contradicted"


def test_rule_13_near_counts_are_shown_and_marked() -> None:
    reading = ask(
        "percent",
        1.198,
        19.8,
        per_accelerator=True,
        subject={"submitter": "CoreWeave", "accelerator": "GB200", "round": "v6.1"},
        baseline={"accelerator": "GB200", "round": "v6.0"},
        model="deepseek-r1",
        scenario="server",
        **UP,
    )
    assert (reading.verdict, set(reading.differences)) == ("frame", {"scale", "round"})
    assert "near_scale" in reading.caveats
    assert [g.accelerators for g in reading.others] == [(72, 64)]


def test_rules_15_and_43_a_special_variant_that_alone_gives_the_number_is_a_best_case() -> None:
    reading = ask(
        "multiple",
        1.38,
        subject={"accelerator": "H200", "accelerators": 8},
        baseline={"accelerator": "H100", "accelerators": 8},
        scenario="server",
        round="v4.1",
        **LLAMA,
        **UP,
    )
    assert (reading.verdict, reading.rule) == ("best_case", "43")
    assert reading.recomputed == pytest.approx(32789.7 / 23699.7, rel=1e-6)
    assert "CTS" in (reading.rows[0].variant or "")


def test_rule_16_a_power_run_pairs_with_no_performance_run() -> None:
    reading = ask(
        "multiple",
        2.96,
        subject={"accelerator": "B200", "accelerators": 8},
        baseline={"accelerator": "MI325X", "accelerators": 8},
        scenario="offline",
        round="v5.1",
        **LLAMA,
        **UP,
    )
    assert reading.verdict == "holds"
    assert rows_of(reading)[0][1] == "Dell"  # 102,131; Lenovo's 102,909 is a power run
    assert reading.recomputed == pytest.approx(102131 / 34555, rel=1e-6)


def test_rule_17_processors_compare_by_socket_and_times_by_system() -> None:
    xeon = {"submitter": "Intel", "system": "Xeon 6980P"}
    gain = ask(
        "multiple",
        1.56,
        subject={**xeon, "round": "v6.1"},
        baseline={**xeon, "round": "v6.0"},
        model="llama3.1-8b",
        scenario="offline",
        **UP,
    )
    assert (gain.verdict, gain.recomputed) == ("software", pytest.approx(1916.74 / 1229.56, rel=1e-6))
    assert "cpu_only" in gain.caveats
    other = ask(
        "multiple",
        2.29,
        subject={"system": "Xeon 6980P"},
        baseline={"system": "Xeon 6972P"},
        model="llama3.1-8b",
        scenario="offline",
        round="v6.1",
        **UP,
    )
    assert other.verdict == "contradicted"
    assert "submitter" not in other.differences
    video = ask(
        "multiple",
        1.11,
        metric="latency",
        subject=MI355X,
        baseline={"accelerator": "B300"},
        model="wan-2.2-t2v-a14b",
        scenario="singlestream",
        round="v6.1",
        **UP,
    )
    assert (video.verdict, video.basis, video.per_accelerator) == ("holds", "system", None)
    assert video.recomputed == pytest.approx(17.97718330692361 / 16.124484197, rel=1e-6)


def test_rule_21_two_named_submitters_are_what_is_compared() -> None:
    reading = ask(
        "percent",
        1.065,
        6.5,
        subject={"submitter": "CoreWeave", **GB300, "accelerators": 72},
        baseline={"submitter": "NVIDIA", **GB300, "accelerators": 72},
        **OSS,
        **UP,
    )
    assert (reading.verdict, reading.differences) == ("holds", ())
    assert reading.recomputed == pytest.approx(1197710 / 1124500, rel=1e-6)


def test_rule_23_a_changed_statistic_is_a_difference() -> None:
    b300 = {"submitter": "NVIDIA", "accelerator": "B300"}
    reading = ask(
        "percent",
        1.32,
        32,
        metric="latency",
        subject={**b300, "round": "v6.1"},
        baseline={**b300, "round": "v6.0"},
        model="wan-2.2-t2v-a14b",
        scenario="singlestream",
        **UP,
    )
    assert (reading.verdict, reading.differences) == ("frame", ("round", "method"))
    assert reading.recomputed == pytest.approx(23.778912625 / 17.97718330692361, rel=1e-6)


def test_rule_29_a_number_between_makers_depends_even_with_a_round() -> None:
    makers = {"subject": {"vendor": "NVIDIA"}, "baseline": {"vendor": "AMD"}}
    reading = ask("percent", 1.3, 30, round="v6.1", **makers, **UP)
    assert (reading.verdict, [m.field for m in reading.missing]) == ("depends", ["model", "scenario"])


@pytest.mark.parametrize("missing", ["model and scenario and round", "baseline"])
def test_rules_29_and_44_what_is_left_out_is_named(missing: str) -> None:
    if missing == "baseline":
        reading = ask("multiple", 2.8, subject=GB300, **R1, **UP)
        assert [m.field for m in reading.missing] == ["baseline.accelerator"]
    else:
        reading = ask("multiple", 1.67, subject=GB300, baseline=MI355X, **UP)
        assert [m.field for m in reading.missing] == ["model", "scenario", "round"]
        assert "gpt-oss-120b" in reading.missing[0].choices
    assert reading.verdict == "depends"


def test_rule_30_a_claim_that_names_its_rows_is_contradicted_and_an_open_one_not_reproduced() -> None:
    assert ask("multiple", 2, step=0, subject=GB300, baseline=MI355X, **OSS, **UP).verdict == "contradicted"
    loose = ask("multiple", 7.3, subject=GB300, baseline=MI355X, round="v6.1", **UP)
    assert loose.verdict == "not_reproduced"


def test_rule_37_another_board_of_the_same_gpu_stands_in_only_where_the_board_has_no_row() -> None:
    b60 = {"submitter": "Intel", "accelerator": "Arc Pro B60"}
    reading = ask(
        "multiple",
        1.18,
        qualifier="up_to",
        subject={**b60, "round": "v6.0"},
        baseline={**b60, "round": "v5.1"},
        **UP,
    )
    assert (reading.verdict, reading.differences) == ("frame", ("round", "accelerator_variant"))
    assert reading.recomputed == pytest.approx(6293.89 / 5348.45, rel=1e-6)
    assert {row.accelerator for row in reading.rows} == {"Arc Pro B60 Dual"}
    figure = ask(
        "absolute",
        5348.45,
        unit="tokens/s",
        subject=b60,
        model="llama3.1-8b",
        scenario="server",
        round="v5.1",
    )
    assert (figure.verdict, figure.differences) == ("frame", ("accelerator_variant",))
    own = ask(
        "absolute",
        6293.89,
        unit="tokens/s",
        subject=b60,
        model="llama3.1-8b",
        scenario="server",
        round="v6.0",
    )
    assert own.verdict == "contradicted"


@pytest.mark.parametrize(
    ("late", "when", "stored"),
    [("v5.1", "12 months", "v4.1"), ("v6.1", "6 months", "v6.0"), ("v4.1", "6 months", None)],
)
def test_rule_39_time_words_find_their_round_stored_or_not(late: str, when: str, stored: str | None) -> None:
    reading = ask(
        "multiple", 40, subject={"accelerator": "H200", "round": late}, baseline={"when": when}, **LLAMA, **UP
    )
    if stored is None:
        assert reading.verdict == "no_rows"
        assert [m.value for m in reading.missing] == ["v4.0"]
    else:
        assert [row.round for row in reading.rows] in ([late, stored], [])


def test_rule_41_an_older_round_that_gives_the_number_is_found_and_said() -> None:
    reading = ask("percent", 1.452, 45.2, subject=GB300, baseline={"accelerator": "GB200"}, **R1, **UP)
    assert (reading.verdict, reading.rows[0].round) == ("holds", "v5.1")
    assert reading.recomputed == pytest.approx(420659 / 289712, rel=1e-6)
    assert notes_of(reading)["older_round"] == {"round": "v5.1"}


def test_rule_43_a_rival_named_only_as_a_vendor_must_lose_at_every_size() -> None:
    said = {"subject": {**GB300, "accelerators": 72}, "per_accelerator": True, **OSS, **UP}
    assert ask("percent", 1.15, 15, baseline=MI355X, **said).verdict == "holds"
    reading = ask("percent", 1.15, 15, baseline={"vendor": "AMD"}, **said)
    assert (reading.verdict, reading.rule) == ("best_case", "43")  # AMD's eight: 15,227.25 each, 9 % behind


def test_rule_46_a_multiple_is_tested_on_the_rows_whose_figures_the_sentence_prints() -> None:
    said = {"per_accelerator": True, **OSS, **UP}
    pair = {"subject": {**GB300, "value": 16635}, "baseline": {**MI355X, "value": 11229}}
    assert ask("multiple", 1.48, **pair, **said).differences == ("scale",)
    reading = ask("multiple", 1.15, **pair, **said)
    assert (reading.verdict, reading.rule) == ("frame", "46")


def test_rule_48_a_covered_scenario_that_gains_less_than_half_breaks_a_small_percentage() -> None:
    amd = {"submitter": "AMD", "accelerator": "MI325X"}
    said = {"subject": {**amd, "round": "v5.1"}, "baseline": {**amd, "round": "v5.0"}, **LLAMA, **UP}
    both = ask("percent", 1.04, 4, **said)
    assert (both.verdict, both.rule) == ("best_case", "48")  # server + 4.24 %, offline + 1.85 %
    assert ask("percent", 1.04, 4, scenario="server", **said).verdict == "software"


def test_rule_49_a_comparison_without_a_number_covers_every_group() -> None:
    eight = {"subject": {**MI355X, "accelerators": 8}, "baseline": {"accelerator": "B300", "accelerators": 8}}
    said = {"model": "gpt-oss-120b", "round": "v6.1", **UP, **eight}
    assert ask("outperforms", scenario="offline", **said).verdict == "holds"  # 121,818 against 114,569
    assert ask("outperforms", scenario="server", **said).verdict == "contradicted"  # 113,241 against 113,685
    assert ask("outperforms", **said).verdict == "best_case"
    nearest = ask(
        "outperforms",
        scenario="offline",
        subject=GB300,
        baseline=MI355X,
        model="gpt-oss-120b",
        round="v6.1",
        **UP,
    )
    assert nearest.recomputed == pytest.approx(132236 / 121818, rel=1e-6)


def test_rule_51_across_rounds_only_the_round_may_differ() -> None:
    rack = {"submitter": "NVIDIA", **GB300, "accelerators": 72}
    reading = ask(
        "multiple",
        1.91,
        subject={**rack, "round": "v6.0"},
        baseline={**rack, "round": "v5.1"},
        model="deepseek-r1",
        scenario="server",
        **UP,
    )
    assert reading.like_for_like[0].round == ("v5.1", "v6.0")
    assert reading.like_for_like[0].ratio == pytest.approx(400437 / 209328, rel=1e-6)
