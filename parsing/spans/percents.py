"""Percentages and their relation: 45 % more, 60 % lower, 92 % of, +28 %, efficiency of 95 %."""

from __future__ import annotations

from dataclasses import dataclass

from parsing.claim import Direction, Printed
from parsing.frame import Frame
from parsing.spans.domain import domain, has_result_noun
from parsing.spans.found import Found, Measure, Rejected
from parsing.spans.local import clause, is_stop, near, phrase_after, segment, steps
from parsing.spans.measures import qualifier
from parsing.spans.multiples import metric, per_accelerator, printed

_ABOVE = frozenset(["vor", "above", "ahead", "clear", "beyond", "über", "over"])
_BELOW = frozenset(["behind", "below", "under", "hinter", "unter"])
_RIVALS = ("name.accelerator", "name.system", "name.family", "name.processor")


@dataclass(slots=True)
class Relation:
    """How a percentage compares: "gain" 1 + v, "loss" 1 − v, "of" v, "scaling" v, "within" 1 + v."""

    kind: str
    end: int


def percent(
    frame: Frame, measure: Measure, previous: Relation | None, until: int
) -> tuple[Found | Rejected, Relation | None]:
    """The claim of a percentage, and its relation.

    `previous` is the relation of the one before it in a list, `until` where its list ends
    ("62 % and 64 %, respectively").
    """
    if _tolerance(frame, measure):
        return Rejected(measure.start, measure.end, "tolerance"), previous
    relation = scaling(frame, measure)
    reason = None if relation else domain(frame, measure)
    if reason is None and relation is None:
        relation = _relation(frame, measure, until) or previous or _ratio(frame, measure)
    if relation is None:
        return Rejected(measure.start, measure.end, reason or "no_relation"), None
    return _found(frame, measure, relation), relation


def _tolerance(frame: Frame, measure: Measure) -> bool:
    """ "+/- 5 %" says how exact another number is."""
    before = frame.low(measure.start - 1)
    if before == "±":
        return True
    return before in "+-/" and frame.low(measure.start - 2) in ("/", "+", "-")


def scaling(frame: Frame, measure: Measure) -> Relation | None:
    """ "95 % scaling efficiency", "efficiency stayed at 98 %", "scales at 99 %", "90 % of ideal"."""
    a, b = segment(frame, measure.start, measure.end)
    low, high = frame.sentence(measure.start)
    if frame.any("metric.power_efficiency", a, b) or frame.any("metric.cost", a, b):
        return None
    if frame.any("scaling.ideal", measure.end, min(high, measure.end + 5)):
        return Relation("scaling", measure.end)
    if any(
        frame.has(i, "change.up", "change.down", "compare.more", "compare.less")
        for i in range(measure.end, min(b, measure.end + 3))
    ):
        return None
    if any(frame.any(f"scaling.{label}", a, b) for label in ("noun", "efficiency", "near_linear", "linear")):
        return Relation("scaling", measure.end)
    words = ("noun", "efficiency", "near_linear", "linear")
    if any(frame.any(f"scaling.{label}", low, high) for label in words) and not frame.any("change.up", a, b):
        return Relation("scaling", measure.end)
    return None


def _relation(frame: Frame, measure: Measure, until: int) -> Relation | None:
    """The relation that the words next to the percentage give."""
    before, after = frame.low(measure.start - 1), frame.low(measure.end)
    if before == "+":
        return Relation("gain", measure.end)
    if before == "-" and frame.gap(measure.start) == "":
        return Relation("loss", measure.end)
    if before in ("within", "innerhalb") or frame.has(measure.start - 1, "qualifier.within"):
        return Relation("within", measure.end)
    if after == "off":
        return Relation("loss", measure.end + 1)
    if (frame.has(measure.end, "baseline.of") or after == "as") and _rival_follows(frame, measure.end):
        return Relation("of", measure.end + 1)
    return _forward(frame, until) or _backward(frame, measure) or _by_mark(frame, measure)


def _forward(frame: Frame, until: int) -> Relation | None:
    """The first word of gain or loss after the value, within its noun phrase ("a 45 % performance gain")."""
    _, high = frame.sentence(until - 1)
    start = until
    while start < high and (
        (frame.low(start) == "," and frame.has(start + 1, "link.order")) or frame.has(start, "link.order")
    ):
        start += 1
        start += frame.low(start) == ","
    for i in steps(frame, start, min(high, start + 12), 5):
        if is_stop(frame, i) or frame.has(i, "link.clause"):
            return None
        kind = _word_relation(frame, i) or _mark(frame, i)
        if kind:
            return Relation(kind, i + 1)
        if frame.has(i, "link.and") and frame.low(i) != "/":
            return None
    return None


def _backward(frame: Frame, measure: Measure) -> Relation | None:
    """The nearest verb of gain or loss before the value ("improved by 19.8 %", "the lead is just 12 %")."""
    a, _ = clause(frame, measure.start, measure.end)
    far = 24 if frame.has(measure.start - 1, "link.by", "qualifier.about", "qualifier.up_to") else 12
    for i in range(measure.start - 1, max(a, measure.start - far) - 1, -1):
        if frame.low(i) in (",", "(") and i < measure.start - 6:
            return None
        kind = _word_relation(frame, i, before=True)
        if kind:
            return Relation(kind, measure.end)
    return None


def _mark(frame: Frame, i: int) -> str | None:
    """ "48 % vor MI355X", "29 % above that of", "8 % behind"."""
    if frame.low(i) in _ABOVE:
        return "gain"
    return "loss" if frame.low(i) in _BELOW else None


def _by_mark(frame: Frame, measure: Measure) -> Relation | None:
    """ "12 % for GH200" in a sentence that spoke of a lead."""
    low, high = frame.sentence(measure.start)
    if frame.any("change.up", low, measure.start) and frame.any("baseline.mark", low, high):
        return Relation("gain", measure.end)
    return None


def _word_relation(frame: Frame, i: int, before: bool = False) -> str | None:
    if frame.has(i, "compare.less", "change.down"):
        return None if before and frame.has(i, "compare.less") else "loss"
    if frame.has(i, "change.up"):
        return "gain"
    if frame.has(i, "compare.more") and not before:
        return "gain"
    if before and frame.has(i, "outperform.verb", "baseline.verb"):
        return "gain"
    return None


def _rival_follows(frame: Frame, i: int) -> bool:
    """Whether "of" leads to another thing measured ("of B200", "of what the H100 gives", "of bare metal")."""
    low, high = frame.sentence(i)
    end = min(high, i + 9)
    if any(frame.any(label, i, end) for label in _RIVALS) or has_result_noun(frame, i, end):
        return True
    return frame.low(i + 1) in ("what", "bare", "native", "that", "its", "the")


def _ratio(frame: Frame, measure: Measure) -> Relation | None:
    """A bare percentage bound to a scenario in a comparison of two things ("Server at 97 %")."""
    if measure.value < 40:
        return None
    low, high = frame.sentence(measure.start)
    if not frame.any("baseline.mark", low, high) or not any(frame.any(label, low, high) for label in _RIVALS):
        return None
    scenario = any(
        near(frame, f"scenario.{s}", measure.start, measure.end, 3, 3)
        for s in ("offline", "server", "interactive", "singlestream", "multistream")
    )
    return Relation("of", measure.end) if scenario else None


def _value(relation: Relation, value: float) -> float:
    if relation.kind in ("gain", "within"):
        return round(1 + value / 100, 10)
    if relation.kind == "loss":
        return round(1 - value / 100, 10)
    return round(value / 100, 10)


def _found(frame: Frame, measure: Measure, relation: Relation) -> Found:
    word, qa, qb = qualifier(frame, measure)
    a, b = segment(frame, measure.start, measure.end)
    end = min(phrase_after(frame, max(measure.end, relation.end), b), measure.end + 8)
    found = Found("percent", min(measure.start, qa), max(measure.end, end), measure.start, measure.end)
    values = [_value(relation, v) for v in (measure.value, measure.value_max) if v is not None]
    found.value = min(values)
    found.value_max = max(values) if len(values) == 2 else None
    found.printed = printed(measure)
    if measure.high is not None:
        found.printed_max = Printed(
            text=measure.high.text, value=measure.high.value.value, step=measure.high.step
        )
    found.qualifier = word or "exact"
    if word:
        found.spans["qualifier"] = (qa, qb)
    found.metric = metric(frame, measure)
    found.direction = _direction(found, relation)
    found.per_accelerator = per_accelerator(frame, measure)
    if relation.kind == "scaling":
        found.kind, found.metric, found.direction = "scaling", "scaling_efficiency", "higher"
    elif found.metric == "cost":
        found.kind = "cost"
    elif relation.kind == "within":
        found.qualifier = "about"
    return found


def _direction(found: Found, relation: Relation) -> Direction | None:
    if relation.kind == "within":
        return None
    if relation.kind == "gain":
        return "higher"
    if relation.kind == "loss":
        return "lower"
    return "lower" if (found.value_max or found.value or 0) <= 1 else "higher"
