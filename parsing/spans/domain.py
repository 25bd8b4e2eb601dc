"""What a number speaks of when it speaks of no result: specifications, participation, rules, prices."""

from __future__ import annotations

from parsing.frame import Frame
from parsing.spans.found import Measure
from parsing.spans.local import HARDWARE, MAKERS, is_stop, near, phrase_after, segment
from parsing.terms import labelled

RESULT = (
    "metric.throughput",
    "metric.latency",
    "metric.time_to_train",
    "metric.cost",
    "metric.power_efficiency",
)
# a sentence with none of these speaks of nothing but results
_ELSEWHERE = labelled("spec.") | {"compare.amount", "anaphor.that_of"}
_ANAPHOR = 14
_FRAGMENT = 6
_OPENING = 6


def has_result_noun(frame: Frame, start: int, end: int) -> bool:
    """Whether a noun that names a result (throughput, latency, cost …) stands in `[start, end)`."""
    return frame.any_of(RESULT, start, end)


def named(frame: Frame, low: int, high: int, labels: tuple[str, ...] = (*HARDWARE, *MAKERS)) -> bool:
    """Whether a chip, a system or a maker is named in `[low, high)`."""
    return frame.any_of(labels, low, high)


def domain(frame: Frame, measure: Measure) -> str | None:
    """The reason why a multiple or a percentage is about something else than a result, or null."""
    low, high = frame.sentence(measure.start)
    if _dimensions(frame, measure):
        return "dimensions"
    if _rule_compared(frame, measure, low, high):
        return "benchmark_rule"
    if frame.said(low).isdisjoint(_ELSEWHERE):
        return "count" if _part_of_chips(frame, measure) else None
    a, b = segment(frame, measure.start, measure.end)
    end = phrase_after(frame, measure.end, b)
    return (
        _price(frame, measure, a, b)
        or _named_after(frame, measure.end, end)
        or _named_before(frame, measure, a, end)
        or _same_as(frame, measure, low, high)
        or _accuracy(frame, measure)
    )


def _price(frame: Frame, measure: Measure, a: int, b: int) -> str | None:
    """Money, and the course of a share."""
    low, high = frame.sentence(measure.start)
    priced = frame.any("spec.price", a, min(high, b + 3)) and not frame.any("metric.per_cost", a, high)
    off = frame.has(measure.end, "compare.off") and frame.any("spec.price", low, high)
    return "price" if priced or off or frame.any("spec.stock", low, high) else None


def unsaid(frame: Frame, measure: Measure) -> bool:
    """Whether a number is only asked for ("By 2x?") or denied ("not 2x", "false is that …", "…? Nein.")."""
    low, high = frame.sentence(measure.start)
    if frame.has(measure.start - 1, "negation.word") and not frame.has(measure.start - 1, "negation.but"):
        return True
    if frame.within(low, min(high, low + _OPENING), "negation.false"):
        return True
    if frame.low(high - 1) != "?":
        return False
    if frame.has(high, "negation.word", "negation.answer"):
        return True
    return high - low <= _FRAGMENT and frame.has(low, "link.by") and not named(frame, low, high)


def _named_after(frame: Frame, start: int, end: int) -> str | None:
    """What the noun after the value names: "2.5x as many submissions", "1.5x HBM capacity", "34x larger"."""
    # "12 % on our B200 nodes" counts no nodes, "2.5x as many nodes" does
    apart = frame.has(start, "baseline.preposition") and not frame.has(start, "compare.more", "baseline.as")
    kinds = (("participation", "spec.participation"), ("participation", "spec.amount"), ("spec", "spec.noun"))
    for reason, label in kinds:
        found = [m for m in frame.find(label, start, end) if "spec.single" not in m.labels]
        # "costs customers nothing", "2.5x the tokens per watt"
        found = [m for m in found if not frame.has(m.start, "metric.none", "metric.power_efficiency")]
        if (
            found
            and not (apart and reason == "participation")
            and not has_result_noun(frame, start, found[0].start)
        ):
            return reason
    for i in range(start, end):
        if frame.has(i, "noun.accelerator", "noun.node") and frame.has(i - 1, "compare.amount"):
            return "count"  # "twice as many GPUs"
    size = frame.any("spec.size", start, min(end, start + 2))
    return "spec" if size and not has_result_noun(frame, start, end) else None


def _named_before(frame: Frame, measure: Measure, a: int, end: int) -> str | None:
    """What the words before name, where no result noun stands nearer: "HBM capacity is 1.5x higher"."""
    if has_result_noun(frame, a, end) or frame.within(a, end, "compare.speed"):
        return None
    low, high = frame.sentence(measure.start)
    if frame.any("spec.noun", a, measure.start):
        return "spec"
    many = (m for m in frame.find("spec.participation", low, measure.start) if "spec.single" not in m.labels)
    if any(many) and not named(frame, low, high, HARDWARE):
        return "participation"
    return None


def _same_as(frame: Frame, measure: Measure, low: int, high: int) -> str | None:
    """ "288 GB, 1.6x that of the MI300X", "5.8x as many as Llama 2 70B": the noun was said before."""
    start = max(low, measure.start - _ANAPHOR)
    if _part_of_chips(frame, measure):
        return "count"
    if _part_of_chip(frame, low, high):
        return "spec"
    more = frame.has(measure.end, "compare.more", "compare.less") and frame.has(
        measure.end + 1, "compare.than"
    )
    if more and not has_result_noun(frame, low, high) and not frame.any("name.model", low, high):
        return "spec" if frame.any("spec.noun", start, measure.start) else None
    if not frame.any("anaphor.that_of", measure.end, min(high, measure.end + 4)):
        return None
    spec = max((m.start for m in frame.find("spec.noun", start, measure.start)), default=-1)
    result = max((m.end for x in RESULT for m in frame.find(x, start, measure.start)), default=-1)
    if spec >= 0 and spec >= result:
        return "spec"
    models = frame.any("name.model", measure.end, min(high, measure.end + 5))
    return "spec" if models and not named(frame, measure.end, high, HARDWARE) else None


def _part_of_chips(frame: Frame, measure: Measure) -> bool:
    """ "with half the chips", "half of them": how many, not how fast."""
    if measure.word and measure.value < 1 and frame.has(measure.end, "thing.them"):
        return True
    noun = measure.end + 1
    fraction = measure.word and measure.value < 1 and frame.has(measure.end, "link.determiner")
    counted = frame.has(noun, "noun.accelerator", "noun.node", "noun.rack")
    return fraction and counted and not has_result_noun(frame, noun + 1, noun + 2)


def _part_of_chip(frame: Frame, low: int, high: int) -> bool:
    """ "tensor cores have twice the throughput": a part of a chip, and no benchmark, model or round named."""
    parts = [m for m in frame.find("spec.part", low, high) if not frame.has(m.end, "noun.accelerator")]
    tied = ("name.model", "round", "benchmark.ours", "name.submitter")
    return bool(parts) and not named(frame, low, high, tied)


def _rule_compared(frame: Frame, measure: Measure, low: int, high: int) -> bool:
    """ "TTFT is 4.4x lower … in Llama 2 70B Interactive": limits of two benchmarks, no system named."""
    if not frame.any("metric.latency", low, high) or named(frame, low, high):
        return False
    if frame.any("spec.limit", low, high) and not frame.any("owner.us", low, high):
        return True
    if measure.form != "x":
        return False
    return frame.has(measure.end, "compare.less") and not frame.any("owner.us", low, high)


def _dimensions(frame: Frame, measure: Measure) -> bool:
    """ "1024x1024", "8x8": sizes, no multiples."""
    after = frame.number_at.get(measure.end)
    if after is None or frame.low(measure.end - 1) != "x" or measure.value != int(measure.value):
        return False
    glued = frame.gap(measure.end) == ""
    return glued or (frame.gap(measure.end) == " " and frame.gap(measure.end - 1) == " ")  # "2 × 6.4 TB"


def _accuracy(frame: Frame, measure: Measure) -> str | None:
    """An accuracy, a pruning depth, a spread: what the words right beside the value name."""
    low, high = frame.sentence(measure.start)
    last = max((n.end + 1 for n in frame.counted(low, measure.start)), default=low)
    before = max(low, measure.start - 4, last)
    reach = next(
        (
            i
            for i in range(measure.end, min(high, measure.end + 3))
            if is_stop(frame, i) and frame.low(i) != "("
        ),
        measure.end + 3,
    )
    after = frame.any("spec.accuracy", measure.end, min(high, reach))
    return "accuracy" if after or frame.any("spec.accuracy", before, measure.start) else None


def is_rule(frame: Frame, measure: Measure) -> bool:
    """Whether a rate or a time is a limit that the benchmark sets, not a result."""
    if near(frame, "per.user", measure.start, measure.end, 0, 5):
        return True
    low, high = frame.sentence(measure.start)
    return frame.any("spec.rule", low, high) and not named(frame, low, high)
