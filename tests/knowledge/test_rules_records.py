"""The design's rules about records, universals and places, on the packaged rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from knowledge.judge import Judge
from knowledge.table import Table
from tests.knowledge.asking import ask, claim, notes_of, the_judge
from tests.knowledge.packaged import packaged_rows

TOP: dict[str, Any] = {"direction": "higher", "metric": "throughput"}
R1: dict[str, Any] = {"model": "deepseek-r1", "scenario": "offline", "round": "v6.1", **TOP}
OSS: dict[str, Any] = {"model": "gpt-oss-120b", "scenario": "offline", "round": "v6.1", **TOP}


def test_rule_19_preview_rows_count_unless_the_text_says_available() -> None:
    chip = {"subject": {"accelerator": "GB300"}, "per_accelerator": True, **R1}
    every = ask("record", **chip)
    assert (every.verdict, every.rows[1].accelerator) == ("contradicted", "VR200")
    assert "preview" not in every.caveats
    assert ask("record", availability="available", **chip).verdict == "holds"
    rubin = ask("record", subject={"accelerator": "VR200"}, per_accelerator=True, **R1)
    assert rubin.verdict == "holds"
    assert "preview" in rubin.caveats


def test_rule_19_first_by_total_needs_the_first_place_per_accelerator_at_its_own_scale() -> None:
    cluster = ask(
        "record", subject={"submitter": "Crusoe", "accelerator": "MI355X", "accelerators": 512}, **R1
    )
    assert (cluster.verdict, cluster.differences) == ("frame", ("scale",))
    assert cluster.rank is not None
    assert cluster.rank.system_all is not None
    assert cluster.rank.system_all.place == 1
    rack = {"submitter": "CoreWeave", "accelerator": "GB300", "accelerators": 72}
    assert ask("record", subject=rack, baseline={"accelerators": 72}, **OSS).verdict == "holds"
    assert ask("record", subject=rack, **OSS).verdict == "contradicted"  # Crusoe's 512 have more in total


def test_rule_26_a_chip_is_judged_per_accelerator_and_a_system_by_its_total() -> None:
    chip = ask("record", subject={"accelerator": "GB300"}, **OSS)
    assert (chip.verdict, chip.basis) == ("holds", "per_accelerator")
    assert chip.recomputed == pytest.approx(1197710 / 72)
    system = ask("record", subject={"accelerator": "GB300", "system": "GB300 NVL72"}, **OSS)
    assert (system.verdict, system.basis) == ("contradicted", "system")


def test_rule_26_the_others_that_the_text_names_are_the_field() -> None:
    azure = {"submitter": "Azure", "accelerator": "GB200", "accelerators": 72}
    assert ask("record", subject=azure, per_accelerator=True, **R1).verdict == "contradicted"
    among = ask("record", subject=azure, baseline={"accelerator": "GB200"}, per_accelerator=True, **R1)
    assert (among.verdict, among.recomputed) == ("holds", pytest.approx(542075 / 72))


@pytest.mark.parametrize(
    ("submitter", "place", "verdict"),
    [
        ("AMD", 1, "contradicted"),
        ("Nebius", 2, "contradicted"),
        ("CoreWeave", 2, "holds"),
        ("Crusoe", 2, "contradicted"),
    ],
)
def test_a_place_is_the_stated_one(submitter: str, place: int, verdict: str) -> None:
    reading = ask("record", place=place, per_accelerator=False, subject={"submitter": submitter}, **OSS)
    assert reading.verdict in (verdict, "frame" if verdict == "holds" else verdict)


def test_mixed_systems_have_a_place_by_total_only() -> None:
    said = {"model": "llama2-70b", "scenario": "offline", "round": "v5.1", **TOP}
    each = ask("record", subject={"submitter": "MangoBoost"}, per_accelerator=True, **said)
    assert each.verdict == "contradicted"
    assert each.recomputed == pytest.approx(34454.4 / 8)


def test_rule_36_a_record_ends_at_the_articles_date_and_a_later_row_is_told() -> None:
    asked = claim(
        "record",
        ever=True,
        subject={"vendor": "AMD", "accelerator": "MI355X", "accelerators": 87},
        model="llama2-70b",
        scenario="offline",
        **TOP,
    )
    later = the_judge().reading(asked, article=date(2026, 4, 20))
    assert later.verdict == "contradicted"  # NVIDIA's rack of the same round has 1,126,850
    rack = claim(
        "record",
        ever=True,
        subject={"submitter": "NVIDIA", "accelerator": "GB300", "accelerators": 72},
        model="llama2-70b",
        scenario="offline",
        **TOP,
    )
    then = the_judge().reading(rack, article=date(2026, 4, 20))
    assert then.verdict in ("holds", "frame")
    assert notes_of(then)["beaten_later"]["submitter"] == "CoreWeave"
    assert notes_of(then)["beaten_later"]["value"] == 1136100
    assert the_judge().reading(rack).verdict == "contradicted"


def test_rule_36_the_texts_own_figure_ends_a_record_too() -> None:
    figure = claim(
        "absolute", 2494310, unit="tokens/s", subject={"accelerator": "GB300"}, model="deepseek-r1"
    )
    largest = claim(
        "record", metric="other", direction="higher", subject={"accelerator": "GB300", "accelerators": 288}
    )
    assert the_judge().reading(largest).verdict == "contradicted"  # 512 in v6.1
    _, then = the_judge().readings([figure, largest])
    assert then.verdict == "holds"
    assert notes_of(then)["beaten_later"]["accelerators"] == 512


def test_an_equal_figure_of_another_shares_the_place_and_is_named() -> None:
    rows = list(packaged_rows())
    best = max(
        (r for r in rows if (r.round, r.model, r.scenario) == ("v6.1", "deepseek-r1", "offline")),
        key=lambda r: r.value,
    )
    rows.append(replace(best, key="twin", submitter="Dell", system="twin", platform="twin"))
    judge = Judge(Table(rows, the_judge().table.names, the_judge().table.calendar))
    reading = judge.reading(claim("record", per_accelerator=False, subject={"submitter": "Crusoe"}, **R1))
    assert dict(reading.notes)["record_tied"] == {"submitters": ("Dell",)}


def test_rule_31_universals_and_vague_plurals() -> None:
    every = {"subject": {"accelerator": "GB300"}, "baseline": {"accelerator": "MI355X"}, **OSS}
    assert ask("outperforms", quantifier="all", **every).verdict == "holds"  # 4.1 of 8 and of 72
    eight = {
        "subject": {"accelerator": "MI355X"},
        "baseline": {"accelerator": "B300"},
        "round": "v6.1",
        **TOP,
    }
    assert ask("outperforms", quantifier="all", model="gpt-oss-120b", **eight).verdict == "contradicted"
    assert ask("outperforms", quantifier="overall", model="gpt-oss-120b", **eight).verdict == "best_case"
    assert ask("record", quantifier="some", subject={"vendor": "NVIDIA"}, **TOP).verdict == "depends"


def test_rule_45_a_record_without_a_benchmark_is_tested_on_each() -> None:
    mixed = ask("record", subject={"accelerator": "GB300"}, round="v6.1", availability="available", **TOP)
    assert mixed.verdict == "depends"
    assert "gpt-oss-120b" in mixed.missing[0].choices
    none = ask("record", subject={"accelerator": "MI325X"}, round="v6.0", **TOP)
    assert none.verdict == "contradicted"


@pytest.mark.parametrize("number", range(3))
def test_the_same_places_from_any_order_of_rows(number: int) -> None:
    rows = packaged_rows()
    turned = rows[number * 997 :] + rows[: number * 997]
    judge = Judge(Table(turned, the_judge().table.names, the_judge().table.calendar))
    asked = claim("record", subject={"submitter": "Crusoe", "accelerator": "MI355X"}, **OSS)
    assert judge.reading(asked).rank == the_judge().reading(asked).rank
