"""What became of Preview results: on made rows, and against the list that was checked by hand."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from knowledge.preview import FollowUp, followups
from knowledge.rounds import Rounds
from knowledge.row import Row
from tests.knowledge.packaged import packaged_rows
from tests.knowledge.test_deltas import result

ROUNDS = Rounds.load()
DAY = date(2026, 12, 1)


def found(*rows: Row, day: date = DAY, **how: Any) -> list[tuple[str, float | None]]:
    told = followups(rows, ROUNDS, today=day, **how)
    return [(one.outcome, round(one.ratio, 3) if one.ratio else None) for one in told]


PREVIEW = result("v6.0", 100, availability="preview")


def test_98_percent_is_enough() -> None:
    assert found(PREVIEW, result("v6.1", 98)) == [("met", 0.98)]
    assert found(PREVIEW, result("v6.1", 97.9)) == [("below", 0.979)]
    assert found(PREVIEW, result("v6.1", 120)) == [("met", 1.2)]


@pytest.mark.parametrize(
    "changes",
    [
        {"availability": "preview"},
        {"availability": "rdi"},
        {"submitter": "Lambda"},
        {"accelerator": "B300"},
        {"variant": "power cap 1000 W"},
        {"count": 4},
        {"model": "llama2-70b"},
        {"scenario": "server"},
        {"division": "open"},
        {"watts": 900.0},
    ],
)
def test_anything_else_is_no_later_row(changes: dict[str, Any]) -> None:
    rows = (PREVIEW, result("v6.1", 120, **changes))
    (one,) = [one for one in followups(rows, ROUNDS, today=DAY) if one.preview is PREVIEW]
    assert (one.outcome, one.later) == ("missing", None)


def test_the_first_later_round_counts_and_its_best_row() -> None:
    old = result("v5.1", 100, availability="preview")
    assert found(old, result("v6.0", 90), result("v6.0", 95, n=2), result("v6.1", 200)) == [("below", 0.95)]
    assert found(old, result("v6.1", 200)) == [("met", 2.0)]  # a round without it lies between


def test_without_a_later_round_it_waits() -> None:
    assert found(PREVIEW) == [("waiting", None)]
    later = result("v6.1", 120)
    assert found(PREVIEW, later, day=date(2026, 9, 29)) == [("waiting", None)]
    assert found(PREVIEW, later, day=date(2026, 9, 30)) == [("met", 1.2)]
    assert found(PREVIEW, later, day=date(2026, 9, 29), early=True) == [("met", 1.2)]


def test_another_accuracy_target_stands_in_only_where_the_same_is_gone() -> None:
    old = result("v6.0", 100, availability="preview", model="llama2-70b", accuracy_target="99")
    strict = result("v6.1", 99, model="llama2-70b", accuracy_target="99.9")
    (one,) = followups([old, strict], ROUNDS, today=DAY)
    assert (one.outcome, one.target_differs) == ("met", True)
    same = result("v6.1", 90, model="llama2-70b", accuracy_target="99")
    (one,) = followups([old, strict, same], ROUNDS, today=DAY)
    assert (one.outcome, one.target_differs) == ("below", False)


def test_a_retired_benchmark_is_told_apart() -> None:
    old = result("v5.1", 100, availability="preview", model="retinanet")
    other = result("v6.0", 1, model="llama2-70b")
    assert found(old, other) == [("retired", None)]


def test_as_json_has_both_rows() -> None:
    (one,) = followups([PREVIEW, result("v6.1", 120)], ROUNDS, today=DAY)
    plain = one.as_json()
    assert (plain["outcome"], plain["preview"]["round"], plain["later"]["round"]) == ("met", "v6.0", "v6.1")


# --- the published rows ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def published() -> tuple[FollowUp, ...]:
    return followups(packaged_rows(), ROUNDS, today=DAY)


# preview's ID, model, accuracy target, scenario: ratio as checked by hand, and the round it came back in
CHECKED = [
    ("4.1-0070", "llama2-70b", "99.9", "offline", 1.153, "v5.1"),
    ("4.1-0070", "llama2-70b", "99", "server", 1.117, "v5.1"),
    ("4.1-0071", "stable-diffusion-xl", None, "offline", 1.118, "v5.0"),
    ("4.1-0071", "stable-diffusion-xl", None, "server", 1.222, "v5.0"),
    ("4.1-0074", "llama2-70b", "99", "offline", 1.089, "v5.0"),
    ("4.1-0072", "dlrm-v2", "99", "offline", 0.988, "v5.0"),
    ("4.1-0072", "dlrm-v2", "99.9", "offline", 0.969, "v5.0"),
    ("4.1-0072", "dlrm-v2", "99.9", "server", 0.9815, "v5.0"),
    ("4.1-0073", "gpt-j", "99", "server", 1.219, "v5.0"),
    ("4.1-0073", "resnet50", None, "offline", 0.998, "v5.0"),
    ("4.1-0073", "retinanet", None, "offline", 0.956, "v5.0"),
    ("4.1-0073", "retinanet", None, "server", 0.975, "v5.0"),
    ("5.0-0078", "llama2-70b", "99", "offline", 0.808, "v5.1"),
    ("5.0-0078", "llama3.1-405b", None, "server", 1.471, "v5.1"),
    ("5.1-0097", "deepseek-r1", None, "server", 1.978, "v6.0"),
    ("6.0-0101", "gpt-oss-120b", None, "offline", 1.273, "v6.1"),
    ("6.0-0101", "gpt-oss-120b", None, "server", 1.363, "v6.1"),
    ("6.0-0101", "llama2-70b", "99", "server", 1.028, "v6.1"),
    ("6.0-0101", "whisper", None, "offline", 0.990, "v6.1"),
]


@pytest.mark.parametrize("case", CHECKED)
def test_published_follow_ups(published: tuple[FollowUp, ...], case: tuple[Any, ...]) -> None:
    result_id, model, target, scenario, ratio, back = case
    (one,) = [
        one
        for one in published
        if (one.preview.result_id, one.preview.model, one.preview.accuracy_target, one.preview.scenario)
        == (result_id, model, target, scenario)
    ]
    assert one.later is not None
    assert one.ratio == pytest.approx(ratio, abs=0.0006)
    assert one.later.round == back
    assert one.outcome == ("met" if ratio >= 0.98 else "below")


def test_published_previews_by_outcome(published: tuple[FollowUp, ...]) -> None:
    by_outcome = {
        outcome: {one.preview.submitter for one in published if one.outcome == outcome}
        for outcome in ("below", "missing", "retired", "waiting")
    }
    assert by_outcome == {
        "below": {"HPE", "Intel", "Google"},
        "missing": {"UntetherAI"},
        "retired": {"Intel"},
        "waiting": {"NVIDIA", "Nebius"},
    }
    assert len([one for one in published if one.outcome == "missing"]) == 10
