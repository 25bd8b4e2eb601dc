"""Percentages and their relation: 45 % more, 60 % lower, 92 % of, +28 %, efficiency of 95 %."""

from __future__ import annotations

from dataclasses import dataclass

from parsing.claim import Direction
from parsing.frame import Frame
from parsing.spans.domain import domain, has_result_noun, named, unsaid
from parsing.spans.found import Found, Measure, Rejected
from parsing.spans.local import HARDWARE, clause, is_stop, near, past_bracket, phrase_after, segment, whole
from parsing.spans.measures import qualifier
from parsing.spans.multiples import metric, per_accelerator, printed

_SCENARIOS = ("offline", "server", "interactive", "singlestream", "multistream")
_SCALING = ("scaling.noun", "scaling.efficiency", "scaling.near_linear", "scaling.linear")
_SCALED = frozenset((*_SCALING, "scaling.ideal"))
_LEAST_RATIO = 40
_FAR = 9


@dataclass(slots=True)
class Relation:
    """How a percentage compares: gain, longer and within are 1 + v, loss is 1 − v, of and scaling are v."""

    kind: str
    end: int
    behind: bool = False


def percent(
    frame: Frame, measure: Measure, previous: Relation | None, until: int
) -> tuple[Found | Rejected, Relation | None]:
    """The claim of a percentage, and its relation.

    `previous` is the relation of the one before it in a list, `until` where its list ends
    ("62 % and 64 %, respectively").
    """
    if _tolerance(frame, measure):
        return Rejected(measure.start, measure.end, "tolerance"), previous
    if unsaid(frame, measure):
        return Rejected(measure.start, measure.end, "asked"), None
    relation = _scaling(frame, measure)
    reason = None if relation else domain(frame, measure)
    if reason is None and relation is None:
        relation = _relation(frame, measure, until) or previous or _ratio(frame, measure)
    if relation is None:
        return Rejected(measure.start, measure.end, reason or "no_relation"), None
    return _found(frame, measure, relation), relation


def _tolerance(frame: Frame, measure: Measure) -> bool:
    """ "+/- 5 %" says how exact another number is."""
    signs = "".join(frame.low(i) for i in range(measure.start - 3, measure.start))
    return signs.endswith(("±", "+/-", "+-"))


def _scaling(frame: Frame, measure: Measure) -> Relation | None:
    """ "95 % scaling efficiency", "efficiency stayed at 98 %", "scales at 99 %", "90 % of ideal"."""
    if frame.said(measure.start).isdisjoint(_SCALED):
        return None
    a, b = segment(frame, measure.start, measure.end)
    _, high = frame.sentence(measure.start)
    if frame.any("metric.power_efficiency", a, b) or frame.any("metric.cost", a, b):
        return None
    relation = Relation("scaling", measure.end)
    if frame.any("scaling.ideal", measure.end, min(high, measure.end + 5)):
        return relation
    comparing = ("change.up", "change.down", "compare.more", "compare.less")
    if frame.within(measure.end, min(b, measure.end + 3), *comparing):
        return None
    if frame.any_of(_SCALING, a, b):
        return relation
    said = frame.any_of(_SCALING, *clause(frame, measure.start, measure.end))
    return relation if said and not frame.any("change.up", a, b) else None


def _relation(frame: Frame, measure: Measure, until: int) -> Relation | None:
    """The relation that the words next to the percentage give."""
    before = frame.low(measure.start - 1)
    if before == "+":
        return Relation("gain", measure.end)
    if before == "-" and frame.gap(measure.start) == "":
        return Relation("loss", measure.end)
    if frame.has(measure.start - 1, "compare.within"):
        return Relation("within", measure.end)
    if frame.has(measure.end, "compare.longer"):
        return Relation("longer", measure.end + 1, True)
    if frame.has(measure.end, "compare.off"):
        return Relation("loss", measure.end + 1)
    if frame.has(measure.end, "baseline.of") and _rival_follows(frame, measure.end):
        return Relation("of", measure.end + 1)
    if frame.has(measure.start - 1, "compare.extra"):
        return Relation("gain", measure.end)
    if frame.has(measure.end, "grammar.is") and frame.has(measure.end + 1, "baseline.what"):
        return Relation("of", measure.end + 2)  # "97 percent is what A manages of B"
    return (
        _forward(frame, _out_of_bracket(frame, measure, until))
        or _backward(frame, measure)
        or _verb_last(frame, measure)
        or _by_listed(frame, measure)
        or _lead(frame, measure)
    )


def _forward(frame: Frame, until: int) -> Relation | None:
    """The first word of gain or loss after the value, in its noun phrase ("a 45 % performance gain")."""
    _, high = frame.sentence(until - 1)
    i, taken = _past(frame, until, high), 0
    while i < high and taken < 5:
        if is_stop(frame, i) or frame.has(i, "link.clause"):
            return None
        kind = _word(frame, i)
        if kind == "loss" and _left(frame, until, i):
            return Relation("gain", i + 1)
        if kind:
            return Relation(kind, i + 1, _behind(frame, i))
        if frame.has(i, "link.and") and frame.low(i) != "/":
            return None
        name = frame.names[i]
        i = _past(frame, name.end if name is not None else i + 1, high)
        taken += 1
    return None


def _left(frame: Frame, until: int, i: int) -> bool:
    """ "leave four racks 7 % behind": the one that leaves is ahead."""
    if not frame.has(i, "outperform.behind"):
        return False
    a, _ = clause(frame, until - 1, until)
    return frame.within(max(a, until - _FAR), until, "outperform.leave")


def _out_of_bracket(frame: Frame, measure: Measure, until: int) -> int:
    """Past the bracket around a percentage: "a hair (1.8 %) above B"."""
    _, start, _ = qualifier(frame, measure)
    enclosed = frame.low(min(start, measure.start) - 1) == "(" and frame.low(until) == ")"
    return until + 1 if enclosed and frame.has(until + 1, "compare.above", "compare.below") else until


def _past(frame: Frame, i: int, high: int) -> int:
    """Past "respectively" and past a bracket ("27 % (Offline) more")."""
    while i < high:
        after = past_bracket(frame, i)
        if after == i and (
            frame.has(i, "link.order") or (frame.low(i) == "," and frame.has(i + 1, "link.order"))
        ):
            after = i + 1
            after += frame.low(after) == ","
        if after == i:
            break
        i = after
    return i


def _backward(frame: Frame, measure: Measure) -> Relation | None:
    """The nearest word of gain or loss before the value ("improved by 19.8 %", "the lead is just 12 %")."""
    a, _ = clause(frame, measure.start, measure.end)
    _, start, _ = qualifier(frame, measure)
    far = 24 if frame.has(start - 1, "link.by") else 12
    first = max(a, measure.start - far)
    if frame.within(max(a, measure.start - 16), measure.start, "change.lead"):
        return Relation("gain", measure.end)
    for i in range(measure.start - 1, first - 1, -1):
        if is_stop(frame, i) and i < measure.start - 6:
            return None
        kind = "gain" if _passive(frame, i, start) else _word(frame, i, before=True)
        if kind:
            return Relation(kind, measure.end, kind == "loss" and _behind(frame, i))
    return None


def _passive(frame: Frame, i: int, start: int) -> bool:
    """ "the record is beaten by 27 %": the "by" of the verb is that of the value."""
    mention = frame.at("outperform.trail", i)
    return mention is not None and mention.end == start and frame.has(start - 1, "link.by")


def _verb_last(frame: Frame, measure: Measure) -> Relation | None:
    """ "um 36 % (Server) und 27 % (Offline) gesteigert": the verb closes the clause."""
    _, b = clause(frame, measure.start, measure.end)
    _, start, _ = qualifier(frame, measure)
    if not frame.has(start - 1, "link.by"):
        return None
    if frame.has(measure.end, "outperform.verb"):
        return Relation("gain", measure.end)  # "Um 35 % übertrifft A das B"
    for i in range(measure.end, min(b, measure.end + 18)):
        if frame.has(i, "change.down"):
            return Relation("loss", measure.end)
        if frame.has(i, "change.up"):
            return Relation("gain", measure.end)
    return None


def _lead(frame: Frame, measure: Measure) -> Relation | None:
    """ "12 % for GH200", "in server mode 31 %" in a sentence that spoke of a lead."""
    low, high = frame.sentence(measure.start)
    if frame.any("change.lead", low, measure.start):
        return Relation("gain", measure.end)
    spoken = frame.any("change.up", low, measure.start) and frame.any("baseline.mark", low, high)
    return Relation("gain", measure.end) if spoken else None


def _behind(frame: Frame, i: int) -> bool:
    """Whether a word makes the subject the worse side: behind, trails, slower."""
    slower = frame.has(i, "compare.less") and frame.has(i, "compare.speed")
    return slower or frame.has(i, "compare.below", "outperform.trail")


def _word(frame: Frame, i: int, before: bool = False) -> str | None:
    """The relation that one word gives, before or after the value."""
    if not before:
        if frame.has(i, "compare.above"):
            return "gain"
        if frame.has(i, "compare.below"):
            return "loss"
    if frame.has(i, "outperform.trail"):
        return "loss"
    if frame.has(i, "change.down") or (not before and frame.has(i, "compare.less")):
        return "loss"
    if frame.has(i, "change.up") or (not before and frame.has(i, "compare.more")):
        return "gain"
    return "gain" if before and frame.has(i, "outperform.verb", "baseline.verb") else None


def _by_listed(frame: Frame, measure: Measure) -> Relation | None:
    """ "Everything is faster: Llama 3.1 8B by 14 %, Whisper by 9 %": the comparison was said before."""
    low, _ = frame.sentence(measure.start)
    _, start, _ = qualifier(frame, measure)
    if not frame.has(start - 1, "link.by"):
        return None
    for i in range(start - 1, low - 1, -1):
        if frame.has(i, "compare.less", "change.down"):
            return Relation("loss", measure.end)
        if frame.has(i, "compare.more", "change.up", "outperform.verb", "baseline.verb", "qualifier.over"):
            return Relation("gain", measure.end)
    return None


def elliptic(frame: Frame, measure: Measure) -> bool:
    """ "H200 became 14 % faster, and the H100 9 %": only a name stands beside the value."""
    beside = (*HARDWARE, "name.model", *(f"scenario.{s}" for s in _SCENARIOS))
    after = measure.end + frame.has(measure.end, "baseline.preposition")  # "and 94 % in Server"
    return frame.has(measure.start - 1, *beside) or frame.has(after, *beside)


def _rival_follows(frame: Frame, i: int) -> bool:
    """Whether "of" leads to another thing measured ("of B200", "of what the H100 gives", "of bare metal")."""
    _, high = frame.sentence(i)
    end = min(high, i + 9)
    return (
        named(frame, i, end, HARDWARE) or has_result_noun(frame, i, end) or frame.has(i + 1, "compare.native")
    )


def _ratio(frame: Frame, measure: Measure) -> Relation | None:
    """A bare percentage bound to a scenario in a comparison of two things ("Server at 97 %")."""
    low, high = frame.sentence(measure.start)
    if measure.value < _LEAST_RATIO:
        return None
    before = frame.sentence(low - 1) if low else (0, 0)
    if not any(
        frame.any("baseline.mark", a, b) and named(frame, a, b, HARDWARE) for a, b in ((low, high), before)
    ):
        return None
    bound = any(near(frame, f"scenario.{s}", measure.start, measure.end, 3, 3) for s in _SCENARIOS)
    return Relation("of", measure.end) if bound else None


def _value(relation: Relation, value: float) -> float:
    if relation.kind in ("gain", "within", "longer"):
        return round(1 + value / 100, 10)
    if relation.kind == "loss":
        return round(1 - value / 100, 10)
    return round(value / 100, 10)


def _found(frame: Frame, measure: Measure, relation: Relation) -> Found:
    word, qa, qb = qualifier(frame, measure)
    _, b = segment(frame, measure.start, measure.end)
    end = whole(frame, min(phrase_after(frame, max(measure.end, relation.end), b), measure.end + 8))
    found = Found("percent", min(measure.start, qa), max(measure.end, end), measure.start, measure.end)
    values = sorted(_value(relation, v) for v in (measure.value, measure.value_max) if v is not None)
    found.value, found.value_max = values[0], values[1] if len(values) == 2 else None
    found.printed, found.printed_max = printed(measure)
    found.qualifier = word or "exact"
    if word:
        found.spans["qualifier"] = (qa, qb)
    found.metric = metric(frame, measure)
    found.direction = _direction(found, relation)
    found.behind = relation.behind
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
    if relation.kind in ("loss", "longer"):
        return "lower"
    return "lower" if (found.value_max or found.value or 0) <= 1 else "higher"


__all__ = ["Relation", "elliptic", "percent"]
