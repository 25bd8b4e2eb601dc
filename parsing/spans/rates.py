"""Absolute figures: tokens per second, images per second, minutes to train, seconds a request."""

from __future__ import annotations

from parsing.frame import Frame
from parsing.spans.domain import is_rule
from parsing.spans.found import Found, Measure, Rejected
from parsing.spans.local import near, segment
from parsing.spans.measures import qualifier
from parsing.spans.multiples import printed

COUNTED = ("tokens", "samples", "queries")


def rate(frame: Frame, measure: Measure, training: bool) -> Found | Rejected:
    """The claim of a number with a unit, or why it makes none."""
    unit = measure.unit or ""
    if unit in COUNTED:
        if frame.has(measure.end, "metric.power_efficiency"):
            return Rejected(measure.start, measure.end, "no_rate")  # "5.2 tokens per watt"
        unit = _shared_unit(frame, measure, unit)
        if not unit:
            return Rejected(measure.start, measure.end, "no_rate")
    reason = _veto(frame, measure, training)
    if reason:
        return Rejected(measure.start, measure.end, reason)
    found = absolute(frame, measure, unit)
    if measure.unit != unit:
        found.context.add("unit")
    return found


def _veto(frame: Frame, measure: Measure, training: bool) -> str | None:
    trained = training and measure.unit in ("minutes", "hours")  # "trained to target in 2.02 minutes"
    if is_rule(frame, measure) and not trained:
        return "benchmark_rule"
    if near(frame, "spec.price", measure.start, measure.end, 2, 2):
        return "price"
    if measure.form != "time":
        return None
    if near(frame, "spec.page", measure.start, measure.end, 1, 3) or near(
        frame, "when.ago", measure.start, measure.end, 0, 2
    ):
        return "page_furniture"
    a, b = segment(frame, measure.start, measure.end)
    if frame.any("spec.accuracy", a, b):
        return "variation"
    if measure.unit in ("minutes", "hours"):
        return None if training else "time_of_what"
    return None if _latency(frame, measure) or training else "time_of_what"


def _latency(frame: Frame, measure: Measure) -> bool:
    low, high = frame.sentence(measure.start)
    streams = ("scenario.singlestream", "scenario.multistream")
    if frame.any_of(("metric.latency", "per.item", *streams), low, high):
        return True
    before, _ = frame.sentence(low - 1) if low else (low, low)
    return frame.any_of(streams, before, low)


def _shared_unit(frame: Frame, measure: Measure, counted: str) -> str:
    """The rate of another figure nearby where this one says only "tokens"."""
    label = f"unit.{counted}/s"
    low, high = frame.sentence(measure.start)
    if frame.any(label, low, high) or frame.any(label, max(0, low - 60), low):
        return f"{counted}/s"
    return ""


def absolute(frame: Frame, measure: Measure, unit: str) -> Found:
    word, qa, qb = qualifier(frame, measure)
    end = measure.end
    mention = frame.at("per.accelerator", end) or frame.at("per.item", end)
    if mention is not None and mention.start == end:
        end = mention.end
    found = Found("absolute", min(measure.start, qa), end, measure.start, end)
    found.value, found.value_max = measure.value, measure.value_max
    found.printed, found.printed_max = printed(measure)
    found.unit = unit
    found.qualifier = word or "exact"
    if word:
        found.spans["qualifier"] = (qa, qb)
    found.first_to = _first_to(frame, found)
    if unit in ("minutes", "hours"):
        found.metric, found.direction = "time_to_train", "lower"
    elif unit in ("s", "ms", "µs"):
        found.metric, found.direction = "latency", "lower"
    else:
        found.metric, found.direction = "throughput", "higher"
    return found


def glued(frame: Frame, i: int) -> bool:
    """Whether a number hangs on what stands before it, as in a name."""
    return frame.gap(i) == "-" or (frame.gap(i) == "" and i > 0 and frame.tokens[i - 1].kind != "sign")


def _first_to(frame: Frame, found: Found) -> bool:
    """ "the first system to pass one million tokens per second"."""
    low, _ = frame.sentence(found.start)
    before = max(low, found.start - 9)
    if not frame.within(before, found.start, "record.first", "record.first_to"):
        return False
    return found.qualifier in ("over", "at_least") or frame.any("record.first_to", before, found.start)
