"""Multiples: 2.7x, 3.1×, four times, tenfold, doubled, 2,5-fach; and money, which is kind cost."""

from __future__ import annotations

from parsing.claim import Direction, Metric, Printed
from parsing.context import SCENARIOS
from parsing.frame import Frame
from parsing.spans.domain import domain, has_result_noun, named, unsaid
from parsing.spans.found import Found, Measure, Rejected
from parsing.spans.local import HARDWARE, MAKERS, clause, near, phrase_after, segment, whole
from parsing.spans.measures import qualifier
from parsing.things import counted_after

_METRICS: dict[str, Metric] = {
    "metric.cost": "cost",
    "metric.power_efficiency": "power_efficiency",
    "metric.latency": "latency",
    "metric.time_to_train": "time_to_train",
}
_OTHER_METRICS = frozenset((*_METRICS, "metric.per_cost"))
_COUNTED = (*HARDWARE, "noun.accelerator", "noun.node", "noun.cpu", "noun.rack", "noun.ones")


def multiple(frame: Frame, measure: Measure) -> Found | Rejected:
    """The claim that a multiple makes, or why it makes none."""
    reason = "count" if _count(frame, measure) else domain(frame, measure)
    if reason is None and unsaid(frame, measure):
        reason = "asked"
    if reason is None and not _evident(frame, measure):
        reason = "no_relation"
    if reason is not None:
        return Rejected(measure.start, measure.end, reason)
    return _found(frame, measure)


def _count(frame: Frame, measure: Measure) -> bool:
    """Nx directly before a product is a count ("8x MI355X"), unless its performance is meant."""
    whole = measure.value == int(measure.value) and measure.high is None
    if measure.word or not whole or frame.low(measure.end - 1) != "x":
        return False
    if counted_after(frame, measure.low):
        return True
    i = measure.end
    if _led_to(frame, measure):
        return False
    if (
        frame.low(measure.start - 1) == "("
        and frame.low(i) == ")"
        and frame.has(measure.start - 2, *HARDWARE)
    ):
        return True  # "B300 (8x)"
    if frame.has(i, *MAKERS):
        name = frame.names[i]
        i = name.end if name else i + 1
    if not frame.has(i, *_COUNTED):
        return False
    mention = frame.names[i] or frame.section_at(i, "noun.")
    end = mention.end if mention else i + 1
    measured = frame.has(end, "metric.throughput") and not frame.has(end, "unit.tokens")
    return not (frame.gap(end) == "'" or measured)


def _led_to(frame: Frame, measure: Measure) -> bool:
    """ "B200 at 3x H200", "L4 came in at over 3x T4": a chip comes to so many times another one."""
    _, start, _ = qualifier(frame, measure)
    before = min(start, measure.start) - 1
    mention = frame.at("figure.before", before)
    holds = frame.has(before, "thing.holds", "thing.with")  # "XE9680 with 8x H200"
    if mention is None or holds or not frame.has(measure.end, *HARDWARE):
        return False
    return frame.has(mention.start - 1, *HARDWARE)


def _evident(frame: Frame, measure: Measure) -> bool:
    """Whether a bare word or a number of times stands in a comparison at all ("three times a day")."""
    if not measure.word and (frame.low(measure.end - 1) == "x" or measure.value != int(measure.value)):
        return True
    a, b = segment(frame, measure.start, measure.end)
    low, high = frame.sentence(measure.start)
    if measure.value != int(measure.value):
        return has_result_noun(frame, low, high) or named(
            frame, low, high, (*HARDWARE, *MAKERS, "name.model")
        )
    end = phrase_after(frame, measure.end, min(high, measure.end + 8))
    if has_result_noun(frame, a, max(b, end)):
        return True
    comparing = ("compare.more", "compare.less", "baseline.of", "baseline.mark")
    if frame.within(measure.end, min(high, measure.end + 3), *comparing):
        return not measure.word or named(frame, low, high)
    _, start, _ = qualifier(frame, measure)
    if frame.within(measure.end, min(high, measure.end + 2), "change.up", "change.down"):
        return True
    if (
        measure.start == low
        and measure.word
        and has_result_noun(frame, low, high)
        and named(frame, low, high)
    ):
        return True  # "Quadrupled in two rounds: the throughput of …"
    if measure.word and frame.has(start - 1, "link.by"):
        return has_result_noun(frame, low, high) or named(frame, low, high)
    if frame.has(start - 1, "link.by", "record.first", "record.phrase") or frame.has(
        measure.start - 1, "sign.factor"
    ):
        return True
    if measure.word and frame.any("baseline.mark", low, high) and named(frame, low, high):
        scenarios = (f"scenario.{name}" for name in SCENARIOS)  # "gegenüber der H200 … offline das Dreifache"
        return any(near(frame, s, measure.start, measure.end, 3, 3) for s in scenarios) or near(
            frame, "name.accelerator", measure.start, measure.end, 3, 6
        )
    return near(frame, "name.accelerator", measure.start, measure.end, 3, 6)


def _found(frame: Frame, measure: Measure) -> Found:
    word, qa, qb = qualifier(frame, measure)
    _, b = segment(frame, measure.start, measure.end)
    end = whole(frame, min(phrase_after(frame, measure.end, b), measure.end + 8))
    found = Found("multiple", min(measure.start, qa), max(measure.end, end), measure.start, measure.end)
    found.value, found.value_max = measure.value, measure.value_max
    found.printed, found.printed_max = printed(measure)
    found.qualifier = word or "exact"
    if word:
        found.spans["qualifier"] = (qa, qb)
    found.metric = metric(frame, measure)
    found.direction = direction(frame, measure, found.metric)
    found.behind = frame.within(measure.end, measure.end + 4, "compare.less") and any(
        frame.has(i, "compare.less") and frame.has(i, "compare.speed")
        for i in range(measure.end, measure.end + 4)
    )
    found.per_accelerator = per_accelerator(frame, measure)
    _fraction(frame, measure, found)
    if found.metric == "cost":
        found.kind = "cost"
    elif _wins(frame, measure):
        found.kind, found.metric, found.direction = "count", "other", "higher"
    return found


def _fraction(frame: Frame, measure: Measure, found: Found) -> None:
    """ "A third less" is 0.67, "a third faster" 1.33, "cut by half" 0.5."""
    if not measure.word or measure.value >= 1 or found.value is None:
        return
    window = range(measure.end, measure.end + 2)
    less = frame.within(window.start, window.stop, "compare.less")
    more = any(frame.has(i, "compare.more") and frame.low(i) not in ("as", "so") for i in window)
    by = frame.has(found.start - 1, "link.by")
    raised = by and frame.any("change.up", max(0, found.start - 6), found.start)
    cut = by and frame.any("change.down", max(0, found.start - 12), found.start)
    if less or cut:
        found.value, found.direction = round(1 - found.value, 7), "lower"
    elif (more and not frame.within(window.start, window.stop, "baseline.of")) or raised:
        found.value, found.direction = round(1 + found.value, 7), "higher"


def _wins(frame: Frame, measure: Measure) -> bool:
    """ "9x" may count wins of others, not speed."""
    a, b = clause(frame, measure.start, measure.end)
    if frame.any("quantifier.others", a, b) and frame.any("record.win", a, b):
        return not has_result_noun(frame, measure.start, b)
    return frame.has(measure.start - 1, "record.first", "record.phrase") and frame.low(measure.end - 1) != "x"


def printed(measure: Measure) -> tuple[Printed, Printed | None]:
    """The number as the text prints it, and the upper end of a range."""
    step = None if measure.low.word else measure.low.step
    low = Printed(text=measure.low.text, value=measure.low.value.value, step=step or None)
    if measure.high is None:
        return low, None
    high = measure.high
    return low, Printed(
        text=high.text, value=high.value.value, step=(None if high.word else high.step) or None
    )


def metric(frame: Frame, measure: Measure) -> Metric:
    """What the comparison is about: a result noun of the segment, else throughput."""
    if frame.said(measure.start).isdisjoint(_OTHER_METRICS):
        return "throughput"
    a, b = segment(frame, measure.start, measure.end)
    b = max(b, phrase_after(frame, measure.end, b))
    for number in frame.counted(a, b):  # "87 % of the throughput for 60 % of its cost": each has its own noun
        if number.start >= measure.end and frame.has(number.end, "sign.percent", "sign.times"):
            b = min(b, number.start)
    if frame.any("metric.per_cost", *frame.sentence(measure.start)):
        return "cost"
    for label, name in _METRICS.items():
        if frame.any(label, a, b):
            return name
    return "throughput"


def direction(frame: Frame, measure: Measure, kind: Metric) -> Direction:
    """Lower where the words say slower, shorter, cut, or where it is a part of something."""
    a, b = segment(frame, measure.start, measure.end)
    if frame.within(measure.end, min(b, measure.end + 4), "compare.less"):
        return "lower"
    if kind in ("latency", "cost", "power_efficiency") and (
        frame.any("change.down", a, b) or frame.has(b, "change.down")
    ):
        return "lower"
    if measure.value < 1 and not frame.any("change.up", a, measure.start):
        return "lower"
    return "higher"


def per_accelerator(frame: Frame, measure: Measure) -> bool | None:
    """True where the sentence speaks per GPU; null where it does not say."""
    low, high = frame.sentence(measure.start)
    return True if frame.any("per.accelerator", low, high) or frame.any("per.single", low, high) else None
