"""Readings of hand-made claims on the packaged rows: the judge by itself, without the reader."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from knowledge.judge import Judge
from knowledge.reading import Reading
from parsing.claim import Claim
from tests.knowledge.asking import claim, rows_of, the_judge

GB300 = {"accelerator": "GB300"}
RACK = {"accelerator": "GB300", "system": "GB300 NVL72"}
MI355X = {"accelerator": "MI355X"}
RUBIN = {"accelerator": "Vera Rubin", "system": "Vera Rubin NVL72"}


@pytest.fixture(scope="session")
def judge() -> Judge:
    return the_judge()


def ratios(reading: Reading) -> list[float]:
    return sorted(round(group.ratio, 4) for group in reading.like_for_like)


def test_a_famous_multiple_compares_72_accelerators_of_one_submitter_with_8_of_another(judge: Judge) -> None:
    reading = judge.reading(
        claim(
            "multiple",
            2.77,
            per_accelerator=True,
            subject={**RACK, "round": "v6.0", "value": 8064},
            baseline={**RACK, "round": "v5.1", "value": 2907},
            model="deepseek-r1",
            scenario="server",
        )
    )
    assert reading.verdict == "frame"
    assert reading.basis == "per_accelerator"
    assert reading.recomputed == pytest.approx(2.7736, rel=1e-4)
    assert reading.differences == ("scale", "round", "submitter")
    assert rows_of(reading) == [
        ("v6.0", "Nebius", 8, "server", 64510.0),
        ("v5.1", "NVIDIA", 72, "server", 209328.0),
    ]
    assert 1.913 in [round(group.ratio, 3) for group in reading.like_for_like]
    assert "rack_slice" in reading.caveats


def test_a_lead_of_48_percent_is_15_at_equal_scale(judge: Judge) -> None:
    reading = judge.reading(
        claim(
            "percent",
            1.48,
            48,
            qualifier="about",
            direction="higher",
            per_accelerator=True,
            subject=GB300,
            baseline=MI355X,
            model="gpt-oss-120b",
            scenario="offline",
            round="v6.1",
        )
    )
    assert (reading.verdict, reading.differences) == ("frame", ("scale",))
    assert reading.recomputed == pytest.approx(1.4814, rel=1e-4)
    assert {group.accelerators: round(group.ratio, 4) for group in reading.like_for_like} == {
        72: 1.1518,
        8: 1.0855,
    }
    assert reading.range is not None
    assert (reading.range.n, round(reading.range.min, 4), round(reading.range.max, 4)) == (2, 1.0855, 1.1518)


def test_the_best_of_six_preview_pairs(judge: Judge) -> None:
    reading = judge.reading(
        claim("multiple", 3.7, qualifier="up_to", subject=RUBIN, baseline=RACK, round="v6.1")
    )
    assert (reading.verdict, reading.differences, reading.like_for_like) == ("frame", ("availability",), ())
    assert reading.recomputed == pytest.approx(3.7407, rel=1e-4)
    assert reading.range is not None
    assert (reading.range.n, round(reading.range.min, 4)) == (6, 1.7409)


def cases() -> Iterator[Any]:
    """(what, claim, verdict, recomputed, differences)."""
    deepseek = {"model": "deepseek-r1"}
    oss = {"model": "gpt-oss-120b"}
    yield pytest.param(
        claim(
            "multiple",
            1.68,
            per_accelerator=True,
            subject={**GB300, "round": "v6.0"},
            baseline={**GB300, "round": "v5.1"},
            scenario="offline",
            **deepseek,
        ),
        "frame",
        1.6809,
        {"round", "scale", "submitter"},
        id="cross-round without a submitter",
    )
    yield pytest.param(
        claim(
            "multiple",
            1.52,
            same_hardware=True,
            subject={**RACK, "vendor": "NVIDIA", "round": "v6.0"},
            baseline={**RACK, "round": "v5.1"},
            model="llama3.1-405b",
            scenario="server",
        ),
        "software",
        1.5208,
        {"round"},
        id="same rack, newer round",
    )
    yield pytest.param(
        claim(
            "multiple",
            1.52,
            same_hardware=True,
            subject={**RACK, "vendor": "NVIDIA", "round": "v6.0"},
            baseline={**RACK, "round": "v5.1"},
            model="llama3.1-405b",
        ),
        "best_case",
        1.5208,
        {"round"},
        id="scenario unsaid: offline gains less",
    )
    yield pytest.param(
        claim(
            "multiple",
            1.67,
            per_accelerator=True,
            subject={**GB300, "value": 9441},
            baseline={**MI355X, "value": 5668},
            scenario="offline",
            **deepseek,
        ),
        "frame",
        1.6657,
        {"scale"},
        id="no equal scale exists",
    )
    yield pytest.param(
        claim("multiple", 2.5, qualifier="up_to", subject=RUBIN, baseline=RACK, **deepseek),
        "frame",
        2.5749,
        {"availability"},
        id="truncated maximum",
    )
    yield pytest.param(
        claim(
            "percent",
            1.0885,
            8.85,
            same_hardware=True,
            subject={"submitter": "Lambda"},
            baseline={"round": "v6.0"},
            scenario="server",
            **oss,
        ),
        "software",
        1.0885,
        {"round"},
        id="a submitter spelled otherwise a round before",
    )
    yield pytest.param(
        claim(
            "percent",
            1.28,
            28,
            subject={**MI355X, "accelerators": 8, "round": "v6.1"},
            baseline={**MI355X, "accelerators": 8, "round": "v6.0"},
            scenario="offline",
            **oss,
        ),
        "software",
        1.2822,
        {"round"},
        id="eight accelerators, no submitter",
    )
    yield pytest.param(
        claim(
            "percent",
            1.36,
            36,
            same_hardware=True,
            subject={"vendor": "Intel", "accelerator": "Arc Pro B70", "accelerators": 4, "round": "v6.1"},
            baseline={"accelerator": "Arc Pro B70", "round": "v6.0"},
            scenario="server",
        ),
        "frame",
        1.3627,
        {"availability", "round"},
        id="Preview against Available on the same cards",
    )
    yield pytest.param(
        claim(
            "percent",
            1.198,
            19.8,
            per_accelerator=True,
            subject={
                "submitter": "CoreWeave",
                "accelerator": "GB200",
                "system": "GB200 NVL72",
                "round": "v6.1",
            },
            baseline={"accelerator": "GB200", "system": "GB200 NVL72", "round": "v6.0"},
            scenario="server",
            **deepseek,
        ),
        "frame",
        1.1977,
        {"round", "scale"},
        id="64 against 72",
    )
    yield pytest.param(
        claim(
            "multiple",
            30,
            qualifier="up_to",
            subject={"accelerator": "GB200", "system": "GB200 NVL72"},
            baseline={"accelerator": "H200", "system": "H200 NVL8", "accelerators": 8},
            model="llama3.1-405b",
            scenario="server",
            round="v5.0",
        ),
        "frame",
        30.3741,
        {"scale"},
        id="by system total",
    )
    yield pytest.param(
        claim(
            "scaling",
            0.95,
            95,
            subject={**MI355X, "vendor": "AMD", "accelerators": 72},
            baseline={**MI355X, "accelerators": 8},
            scenario="offline",
            round="v6.1",
            **oss,
        ),
        "holds",
        0.9485,
        {"scale"},
        id="scaling from 8 to 72",
    )
    yield pytest.param(
        claim(
            "scaling",
            0.99,
            99,
            subject={**GB300, "vendor": "NVIDIA", "accelerators": 288},
            round="v6.1",
            **deepseek,
        ),
        "best_case",
        0.9949,
        {"scale"},
        id="scaling holds offline, not as server",
    )
    yield pytest.param(
        claim(
            "count",
            subject={"vendor": "AMD", "accelerators": 72, "round": "v6.1"},
            baseline={"vendor": "AMD", "accelerators": 94, "round": "v6.0"},
            **oss,
        ),
        "holds",
        1.0086,
        {"round", "scale"},
        id="72 beat 94 by total",
    )
    yield pytest.param(
        claim(
            "multiple",
            2,
            step=0,
            same_hardware=True,
            subject={"vendor": "Intel", "accelerator": "Arc Pro B70", "accelerators": 4},
            baseline={"accelerator": "Arc Pro B70", "accelerators": 4},
            round="v6.1",
            **oss,
        ),
        "not_reproduced",
        None,
        None,
        id="doubled, but no pair doubles",
    )
    yield pytest.param(
        claim(
            "percent",
            1.28,
            28,
            qualifier="about",
            subject={"accelerator": "Blackwell Ultra"},
            baseline={"accelerator": "Blackwell"},
        ),
        "depends",
        None,
        set(),
        id="benchmark, scenario and round unsaid",
    )
    yield pytest.param(
        claim("multiple", 12, subject={"accelerator": "QuantumX9"}, baseline=GB300, **oss),
        "no_rows",
        None,
        set(),
        id="a chip that nobody submitted",
    )
    yield pytest.param(
        claim(
            "percent",
            1.12,
            12,
            subject={"accelerator": "H100"},
            baseline={"accelerator": "A100"},
            model="gpt-j",
            round="v3.1",
        ),
        "no_rows",
        None,
        set(),
        id="a round that is not stored",
    )
    yield pytest.param(
        claim("cost", 0.4, 60, qualifier="over", direction="lower", metric="cost", same_hardware=True),
        "not_measured",
        None,
        set(),
        id="a cost",
    )
    yield pytest.param(
        claim("multiple", 4, subject=GB300, baseline=MI355X, mlperf=False),
        "not_measured",
        None,
        set(),
        id="another benchmark",
    )


@pytest.mark.parametrize(("asked", "verdict", "recomputed", "differences"), list(cases()))
def test_verdicts(
    judge: Judge, asked: Claim, verdict: str, recomputed: float | None, differences: set[str] | None
) -> None:
    reading = judge.reading(asked)
    assert reading.verdict == verdict, reading.why
    if recomputed is not None:
        assert reading.recomputed == pytest.approx(recomputed, rel=1e-3)
    if differences is not None:
        assert set(reading.differences) == differences


def test_a_count_that_was_corrected_says_so(judge: Judge) -> None:
    reading = judge.reading(
        claim(
            "count",
            subject={"vendor": "AMD", "accelerators": 72, "round": "v6.1"},
            baseline={"vendor": "AMD", "accelerators": 94, "round": "v6.0"},
            model="gpt-oss-120b",
        )
    )
    assert "count_corrected" in reading.caveats


def crusoe(value: float | None = None, kind: str = "absolute", **fields: Any) -> Claim:
    said = {"submitter": "Crusoe", "accelerator": "MI355X", "accelerators": 512}
    return claim(kind, value, subject=said, scenario="offline", **fields)


def test_an_absolute_holds_and_tells_its_places(judge: Judge) -> None:
    reading = judge.reading(
        crusoe(
            5_750_000, step=10_000, unit="tokens/s", model="gpt-oss-120b", round="v6.1", per_accelerator=False
        )
    )
    assert reading.verdict == "holds"
    assert rows_of(reading) == [("v6.1", "Crusoe", 512, "offline", 5749440.0)]
    assert reading.rank is not None
    assert reading.rank.system_all is not None
    assert reading.rank.per_accelerator_all is not None
    assert (reading.rank.system_all.place, reading.rank.system_all.of) == (1, 54)
    assert (reading.rank.per_accelerator_all.place, reading.rank.per_accelerator_all.of) == (43, 52)


def test_a_cluster_record_hides_the_place_per_accelerator(judge: Judge) -> None:
    reading = judge.reading(crusoe(kind="record", ever=True, direction="higher", model="gpt-oss-120b"))
    assert (reading.verdict, reading.differences) == ("frame", ("scale",))
    assert reading.rank is not None
    assert reading.rank.system_all is not None
    assert reading.rank.per_accelerator_all is not None
    assert (reading.rank.system_all.place, reading.rank.system_all.of) == (1, 82)
    assert (reading.rank.per_accelerator_all.place, reading.rank.per_accelerator_all.of) == (62, 80)


def test_every_row_is_contradicted_by_one_size(judge: Judge) -> None:
    reading = judge.reading(
        claim(
            "record",
            quantifier="all",
            below_largest=True,
            subject={"vendor": "NVIDIA"},
            model="gpt-oss-120b",
            scenario="offline",
            round="v6.1",
        )
    )
    assert reading.verdict == "contradicted"
    assert (reading.rows[0].submitter, reading.rows[0].accelerators) == ("MangoBoost", 16)


def test_scaling_without_a_start_names_what_is_missing(judge: Judge) -> None:
    reading = judge.reading(
        claim(
            "scaling",
            0.9,
            90,
            qualifier="over",
            subject={"submitter": "Crusoe", "accelerator": "MI355X", "accelerators": 512},
            baseline={"accelerator": "MI355X", "accelerators": 8},
        )
    )
    assert reading.verdict == "no_rows"
    assert reading.missing[0].value is not None
    assert "Crusoe" in reading.missing[0].value
    assert 0.7375 in [round(d.value, 4) for d in reading.derived]


def test_a_young_round_is_not_quoted_for_two_weeks(judge: Judge) -> None:
    asked = crusoe(5_750_000, step=10_000, unit="tokens/s", model="gpt-oss-120b", round="v6.1")
    young = judge.reading(asked, today=date(2026, 9, 20))
    assert (young.verdict, young.missing[0].what, young.missing[0].assumption) == (
        "no_rows",
        "embargo",
        "2026-09-30",
    )
    assert judge.reading(asked, today=date(2026, 9, 30)).verdict == "holds"


def test_the_same_question_gives_the_same_answer(judge: Judge) -> None:
    asked = claim("multiple", 3.7, qualifier="up_to", subject=RUBIN, baseline=RACK, round="v6.1")
    assert judge.reading(asked) == judge.reading(asked)
