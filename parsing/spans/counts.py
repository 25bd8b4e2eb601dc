"""Counts: 291 wins, three new records; 72 GPUs that beat 94 are found where sides are bound."""

from __future__ import annotations

from parsing.frame import Frame, Number
from parsing.spans.found import Found, Measure
from parsing.spans.local import is_stop
from parsing.spans.measures import qualifier
from parsing.spans.multiples import printed


def won(frame: Frame, number: Number) -> Found | None:
    """A number of wins or records ("16 Weltleistungsrekorde", "291 MLPerf wins")."""
    if "record.win" not in frame.said(number.start):
        return None
    low, high = frame.sentence(number.start)
    if number.start > low and (frame.gap(number.start) == "" or frame.low(number.start - 1) == "#"):
        return None
    if frame.has(number.start, "record.win"):
        return None  # "number one results"
    for i in range(number.end, min(high, number.end + 5)):
        if is_stop(frame, i) or i in frame.number_at:
            return None
        win = frame.at("record.win", i)
        if win is not None:
            return _count(frame, number, win.end)
        if frame.has(i, "baseline.preposition", "metric.throughput", "noun.accelerator"):
            return None
    return None


def _count(frame: Frame, number: Number, end: int) -> Found:
    measure = Measure(number.start, number.end, "plain", number, word=number.word)
    word, qa, qb = qualifier(frame, measure)
    if frame.within(qa, qb, "record.broken"):
        word, qa = None, number.start  # "broke six records" is no "over six"
    found = Found("count", min(number.start, qa), end, number.start, end)
    found.value = number.value.value
    found.printed, _ = printed(measure)
    found.qualifier = word or "exact"
    found.direction, found.metric = "higher", "other"
    if word:
        found.spans["qualifier"] = (qa, qb)
    return found
