"""What a number speaks of when it speaks of no result: specifications, participation, rules, prices."""

from __future__ import annotations

from parsing.frame import Frame
from parsing.spans.found import Measure
from parsing.spans.local import near, phrase_after, segment

RESULT = (
    "metric.throughput",
    "metric.latency",
    "metric.time_to_train",
    "metric.cost",
    "metric.power_efficiency",
)
_SPEED = ("faster", "schneller", "quicker", "slower", "langsamer", "fast", "schnell")


def has_result_noun(frame: Frame, start: int, end: int) -> bool:
    return any(frame.any(label, start, end) for label in RESULT)


def domain(frame: Frame, measure: Measure) -> str | None:
    """The reason why a multiple or a percentage is about something else than a result, or null."""
    low, high = frame.sentence(measure.start)
    a, b = segment(frame, measure.start, measure.end)
    end = phrase_after(frame, measure.end, b)
    if _dimensions(frame, measure):
        return "dimensions"
    if _rule_compared(frame, measure, low, high):
        return "benchmark_rule"
    for reason, label in (("participation", "spec.participation"), ("spec", "spec.noun")):
        if frame.any(label, measure.end, end) and not _result_first(frame, label, measure.end, end):
            return reason
    if frame.any("spec.size", measure.end, min(end, measure.end + 2)) and not has_result_noun(
        frame, measure.end, end
    ):
        return "spec"
    if not has_result_noun(frame, a, end) and not any(frame.low(i) in _SPEED for i in range(a, end)):
        if frame.any("spec.noun", a, measure.start):
            return "spec"
        if frame.any("spec.participation", low, measure.start) and not frame.any(
            "name.accelerator", low, high
        ):
            return "participation"
    return _accuracy(frame, measure)


def _rule_compared(frame: Frame, measure: Measure, low: int, high: int) -> bool:
    """ "TTFT is 4.4x lower … in Llama 2 70B Interactive": limits of two benchmarks, no system named."""
    if measure.form != "x" or not frame.any("metric.latency", low, high):
        return False
    if any(
        frame.any(f"name.{kind}", low, high)
        for kind in ("accelerator", "system", "family", "submitter", "vendor")
    ):
        return False
    return frame.has(measure.end, "compare.less") and not frame.any("owner.us", low, high)


def _result_first(frame: Frame, label: str, start: int, end: int) -> bool:
    """Whether the noun right after the value is a result and the other one only follows it."""
    first = frame.find(label, start, end)[0]
    return has_result_noun(frame, start, first.start)


def _dimensions(frame: Frame, measure: Measure) -> bool:
    """ "1024x1024", "8x8": sizes, no multiples."""
    after = frame.number_at.get(measure.end)
    glued = after is not None and frame.gap(measure.end) == "" and frame.low(measure.end - 1) == "x"
    return glued and measure.value == int(measure.value)


def _accuracy(frame: Frame, measure: Measure) -> str | None:
    """An accuracy, a pruning depth, a spread: what the words right beside the value name."""
    low, high = frame.sentence(measure.start)
    before = max(
        [low, measure.start - 4, *(n.end + 1 for n in frame.numbers if low <= n.start < measure.start)]
    )
    if frame.any("spec.accuracy", measure.end, min(high, measure.end + 3)):
        return "accuracy"
    return (
        "accuracy" if before < measure.start and frame.any("spec.accuracy", before, measure.start) else None
    )


def is_rule(frame: Frame, measure: Measure) -> bool:
    """Whether a rate or a time is a limit that the benchmark sets, not a result."""
    if near(frame, "per.user", measure.start, measure.end, 0, 5):
        return True
    low, high = frame.sentence(measure.start)
    if not frame.any("spec.rule", low, high):
        return False
    return not any(
        frame.any(f"name.{kind}", low, high)
        for kind in ("accelerator", "system", "family", "submitter", "vendor")
    )
