"""Records and places: highest ever, fastest, first place, top spot, swept; and sizes ("largest submission")."""

from __future__ import annotations

from collections.abc import Iterator

from parsing.claim import Metric
from parsing.frame import Frame
from parsing.lexicon import Mention
from parsing.spans.found import Found
from parsing.spans.local import is_stop, phrase_after, segment

_NUMBERED = frozenset("1")
_REACH = 6


def records(frame: Frame, low: int, high: int) -> list[Found]:
    """The record claims of one sentence, at most one a segment."""
    found: list[Found] = []
    for start, end, metric in sorted(_triggers(frame, low, high)):
        if _denied(frame, start, low) or any(_same_segment(frame, f, start, end) for f in found):
            continue
        found.append(_record(frame, start, end, metric, low, high))
    return found


def _same_segment(frame: Frame, found: Found, start: int, end: int) -> bool:
    a, b = segment(frame, found.at, found.till)
    return a <= start < b or found.start <= start < found.end


def _denied(frame: Frame, start: int, low: int) -> bool:
    if any(frame.has(i, "negation.word") for i in range(max(low, start - 3), start)):
        return True
    before = frame.low(start - 1)
    return before in (
        "old",
        "previous",
        "former",
        "alte",
        "alten",
        "bisherige",
        "bisherigen",
        "earlier",
        "last",
    ) or frame.has(low, "negation.question")


def _triggers(frame: Frame, low: int, high: int) -> Iterator[tuple[int, int, Metric | None]]:
    for mention in frame.find("record.phrase", low, high):
        if not _counted(frame, mention):
            yield mention.start, mention.end, None
    for mention in frame.find("record.place", low, high):
        if not _counted(frame, mention):
            yield mention.start, mention.end, None
    for mention in frame.find("record.superlative", low, high):
        end = _superlative(frame, mention, high)
        if end:
            yield mention.start, end, None
    for mention in frame.find("record.superlative_alone", low, high):
        end = _alone(frame, mention, low, high)
        if end:
            yield mention.start, end, None
    for mention in frame.find("record.size", low, high):
        end = _size(frame, mention, low, high)
        if end:
            yield mention.start, end, "other"
    for mention in frame.find("record.noun", low, high):
        near = range(max(low, mention.start - _REACH), min(high, mention.end + _REACH))
        if any(frame.has(i, "record.broken") for i in near) and not _counted(frame, mention):
            yield mention.start, mention.end, None


def _counted(frame: Frame, mention: Mention) -> bool:
    """ "Three new MLPerf records" is a count of records."""
    return any(i in frame.number_at for i in range(max(0, mention.start - 3), mention.start)) and frame.any(
        "record.win", mention.start, mention.end
    )


def _superlative(frame: Frame, mention: Mention, high: int) -> int:
    """The end of "highest … throughput", "fastest … system"; 0 where no result is meant."""
    fast = frame.low(mention.start).startswith(("fast", "schnell", "quick"))
    for i in range(mention.end, min(high, mention.end + _REACH)):
        if is_stop(frame, i) and frame.low(i) != "/":
            return 0
        if frame.has(i, "spec.noun", "spec.accuracy", "spec.participation"):
            return 0
        if any(label.startswith("metric.") for label in frame.labels[i]):
            if frame.low(mention.start) in ("largest", "biggest"):
                return 0
            return i + 1
        if fast and frame.has(i, "noun.accelerator", "noun.node", "noun.rack", "record.size_noun"):
            return i + 1
    if fast and frame.names[mention.end] is not None if mention.end < high else False:
        return mention.end + 1
    return 0


def _alone(frame: Frame, mention: Mention, low: int, high: int) -> int:
    """The end of "efficiency is highest", "put X first for throughput"; 0 where no result is meant."""
    word = frame.low(mention.start)
    copula = frame.low(mention.start - 1) in (
        "is",
        "are",
        "was",
        "were",
        "ranks",
        "ranked",
        "ist",
        "sind",
        "war",
        "liegt",
    )
    if frame.has(mention.start, "metric.power_efficiency"):
        return mention.end
    a, _ = segment(frame, mention.start, mention.end)
    if word == "first":
        put = any(
            frame.low(i) in ("put", "puts", "place", "places", "placed")
            for i in range(max(low, mention.start - 8), mention.start)
        )
        after = frame.low(mention.end) in ("for", "in", "on") and frame.any(
            "metric.throughput", mention.end, min(high, mention.end + 4)
        )
        return mention.end + 2 if after and (put or copula) else 0
    if copula and any(
        frame.any(f"metric.{m}", a, mention.start)
        for m in ("throughput", "latency", "power_efficiency", "time_to_train")
    ):
        return mention.end
    return mention.end if word == "am" and frame.any("metric.throughput", a, high) else 0


def _size(frame: Frame, mention: Mention, low: int, high: int) -> int:
    if (
        frame.low(mention.start - 1) in ("s", "our", "its", "below", "unterhalb")
        or frame.gap(mention.start - 1) == "'"
    ):
        return 0
    if any(
        frame.low(i) in ("below", "unterhalb", "under")
        for i in range(max(low, mention.start - 3), mention.start)
    ):
        return 0
    for i in range(mention.end, min(high, mention.end + 5)):
        if is_stop(frame, i):
            return 0
        if frame.has(i, "record.size_noun"):
            claimed = frame.any("record.ever", low, high) or frame.any("spec.participation", i, i + 1)
            return i + 1 if claimed else 0
    return 0


def _record(frame: Frame, start: int, end: int, metric: Metric | None, low: int, high: int) -> Found:
    a, b = segment(frame, start, end)
    quote_start = start - 1 if frame.has(start - 1, "link.determiner") and start > low else start
    found = Found("record", quote_start, max(end, min(phrase_after(frame, end, b), end + 6)), start, end)
    found.metric = metric or _metric(frame, a, b)
    found.direction = "higher"
    if found.metric in ("latency", "time_to_train") or frame.low(start) in (
        "lowest",
        "least",
        "shortest",
        "niedrigste",
        "kürzeste",
    ):
        found.direction = "lower"
    if frame.any("record.place", start, end):
        found.place = 1
        if any(frame.low(i) in ("#", "1") for i in range(start, end)):
            found.value, found.qualifier = 1.0, "exact"
    found.ever = frame.any("record.ever", low, high)
    found.per_accelerator = _basis(frame, a, b)
    _quantify(frame, found, low, high)
    return found


def _basis(frame: Frame, a: int, b: int) -> bool | None:
    if frame.any("per.accelerator", a, b):
        return True
    return (
        False
        if any(frame.low(i) in ("aggregate", "total", "cluster", "insgesamt") for i in range(a, b))
        else None
    )


def _metric(frame: Frame, a: int, b: int) -> Metric:
    for name in ("power_efficiency", "cost", "latency", "time_to_train"):
        if frame.any(f"metric.{name}", a, b):
            return name  # type: ignore[return-value]
    return "throughput"


def _quantify(frame: Frame, found: Found, low: int, high: int) -> None:
    if frame.any("quantifier.all", max(low, found.start - 3), min(high, found.end + 6)):
        found.quantifier = "all"
    elif frame.any("quantifier.overall", low, high):
        found.quantifier = "overall"
    elif frame.any("quantifier.some", max(low, found.start - 3), min(high, found.end + 3)) or frame.low(found.till - 1) in (
        "records", "rekorde", "rekorden", "spots", "places", "spitzenplätze",
    ):  # fmt: skip
        found.quantifier = "some"
    for i in range(low, high):
        if frame.low(i) in ("below", "unterhalb") and frame.any("record.size", i, min(high, i + 4)):
            found.below_largest = True
