"""Multiples: 2.7x, 3.1×, four times, tenfold, doubled, 2,5-fach; and money, which is kind cost."""

from __future__ import annotations

from parsing.claim import Direction, Metric, Printed
from parsing.frame import Frame
from parsing.spans.domain import domain, has_result_noun
from parsing.spans.found import Found, Measure, Rejected
from parsing.spans.local import clause, near, phrase_after, segment
from parsing.spans.measures import qualifier

_CHIPS = (
    "name.accelerator",
    "name.system",
    "name.family",
    "name.processor",
    "noun.accelerator",
    "noun.node",
    "noun.cpu",
    "noun.rack",
)


def multiple(frame: Frame, measure: Measure) -> Found | Rejected:
    """The claim that a multiple makes, or why it makes none."""
    reason = _count(frame, measure) or domain(frame, measure)
    if reason is None and not _evident(frame, measure):
        reason = "no_relation"
    if reason is not None:
        return Rejected(measure.start, measure.end, reason)
    return _found(frame, measure)


def _count(frame: Frame, measure: Measure) -> str | None:
    """Nx directly before a product is a count ("8x MI355X"), unless its performance is meant."""
    if measure.word or measure.high is not None or frame.low(measure.end - 1) != "x":
        return None
    if measure.value != int(measure.value):
        return None
    i = measure.end
    if frame.has(i, "name.vendor", "name.submitter"):
        name = frame.names[i]
        i = name.end if name else i + 1
    if not frame.has(i, *_CHIPS):
        return None
    mention = frame.names[i] or frame.section_at(i, "noun.")
    end = mention.end if mention else i + 1
    possessive = frame.gap(end) == "'" or (
        frame.has(end, "metric.throughput") and not frame.has(end, "unit.tokens")
    )
    return None if possessive else "count"


def _evident(frame: Frame, measure: Measure) -> bool:
    """Whether a bare word or count of times stands in a comparison at all."""
    plain = frame.low(measure.end - 1) == "x" and not measure.word
    if plain or measure.value != int(measure.value):
        return True
    a, b = segment(frame, measure.start, measure.end)
    low, high = frame.sentence(measure.start)
    end = phrase_after(frame, measure.end, min(high, measure.end + 8))
    if has_result_noun(frame, a, max(b, end)):
        return True
    window = range(measure.end, min(high, measure.end + 3))
    if any(frame.has(i, "compare.more", "compare.less", "baseline.of", "baseline.mark") for i in window):
        return (
            not measure.word
            or measure.value < 1
            or frame.any("name.accelerator", low, high)
            or _compared(frame, measure)
        )
    _, start, _ = qualifier(frame, measure)
    if frame.has(start - 1, "link.by"):
        return True
    return frame.has(measure.start - 1, "sign.factor") or near(
        frame, "name.accelerator", measure.start, measure.end, 3, 6
    )


def _compared(frame: Frame, measure: Measure) -> bool:
    low, high = frame.sentence(measure.start)
    return any(
        frame.any(f"name.{kind}", low, high)
        for kind in ("system", "family", "processor", "vendor", "submitter")
    )


def _found(frame: Frame, measure: Measure) -> Found:
    word, qa, qb = qualifier(frame, measure)
    start = min(measure.start, qa)
    a, b = segment(frame, measure.start, measure.end)
    end = phrase_after(frame, measure.end, b)
    found = Found("multiple", start, max(measure.end, min(end, measure.end + 8)), measure.start, measure.end)
    found.value, found.value_max = measure.value, measure.value_max
    found.printed = printed(measure)
    if measure.high is not None:
        found.printed_max = Printed(
            text=measure.high.text, value=measure.high.value.value, step=measure.high.step
        )
    found.qualifier = word or "exact"
    if word:
        found.spans["qualifier"] = (qa, qb)
    found.metric = metric(frame, measure)
    found.direction = direction(frame, measure, found.metric)
    found.per_accelerator = per_accelerator(frame, measure)
    if found.metric == "cost":
        found.kind = "cost"
    elif _wins(frame, measure):
        found.kind, found.metric, found.direction = "count", "other", "higher"
    return found


def _wins(frame: Frame, measure: Measure) -> bool:
    """ "9x" may count wins of others, not speed."""
    a, b = clause(frame, measure.start, measure.end)
    return frame.any("record.win", a, b) and not has_result_noun(frame, measure.start, b)


def printed(measure: Measure) -> Printed:
    step = None if measure.low.word else measure.low.step
    return Printed(text=measure.low.text, value=measure.low.value.value, step=step or None)


def metric(frame: Frame, measure: Measure) -> Metric:
    """What the comparison is about: the nearest result noun of the segment, else throughput."""
    a, b = segment(frame, measure.start, measure.end)
    b = max(b, phrase_after(frame, measure.end, b))
    for name in ("cost", "power_efficiency", "latency", "time_to_train"):
        if frame.any(f"metric.{name}", a, b):
            return name  # type: ignore[return-value]
    return "throughput"


def direction(frame: Frame, measure: Measure, kind: Metric) -> Direction:
    """Lower where the words say slower, shorter, cut, or half of something."""
    a, b = segment(frame, measure.start, measure.end)
    end = min(b, measure.end + 4)
    if any(frame.has(i, "compare.more") for i in range(measure.end, end)):
        return "higher"
    if any(frame.has(i, "compare.less") for i in range(measure.end, end)):
        return "lower"
    if kind in ("latency", "cost") and frame.any("change.down", a, b):
        return "lower"
    if measure.value < 1 and not frame.any("change.up", a, b):
        return "lower"
    return "higher"


def per_accelerator(frame: Frame, measure: Measure) -> bool | None:
    """True where the clause speaks per GPU or of one GPU; null where it does not say."""
    low, high = frame.sentence(measure.start)
    return True if frame.any("per.accelerator", low, high) else None
