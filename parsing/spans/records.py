"""Records and places: highest ever, fastest, first place, swept; and sizes ("largest submission")."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from parsing.claim import Metric
from parsing.frame import Frame
from parsing.lexicon import Mention
from parsing.spans.found import Found
from parsing.spans.local import HARDWARE, MAKERS, is_stop, phrase_after, segment, steps, whole

_REACH = 6
_WIN_REACH = 9
_MEASURED = ("throughput", "latency", "power_efficiency", "time_to_train", "cost")
_OF_SPEED = (*HARDWARE, *MAKERS, "noun.accelerator", "noun.node", "noun.rack", "record.size_noun")
_OTHERWISE = ("spec.noun", "spec.accuracy", "spec.participation", "link.clause")

Trigger = tuple[int, int, Metric | None]


def records(frame: Frame, low: int, high: int) -> list[Found]:
    """The record claims of one sentence, at most one a segment."""
    found: list[Found] = []
    for start, end, metric in sorted(set(_triggers(frame, low, high)), key=lambda t: (t[0], -t[1])):
        if (
            _denied(frame, start, low, high)
            or _counted_times(frame, end)
            or any(_same_segment(frame, f, start) for f in found)
        ):
            continue
        found.append(_record(frame, start, end, metric, low, high))
    return found


def _same_segment(frame: Frame, found: Found, start: int) -> bool:
    a, b = segment(frame, found.at, found.till)
    return a <= start < b or found.start <= start < found.end


def _counted_times(frame: Frame, end: int) -> bool:
    """ "ranks first 14 times" is a count."""
    number = frame.number_at.get(end)
    return number is not None and frame.has(number.end, "sign.times")


def _denied(frame: Frame, start: int, low: int, high: int) -> bool:
    """Whether the record is denied, asked for, an old one, or the one that was beaten."""
    if any(frame.has(i, "negation.word") for i in range(max(low, start - 3), start)):
        return True
    if frame.has(start - 1, "record.old") or (frame.has(start, "record.old") and not _best(frame, start)):
        return True
    if frame.has(start - 1, "link.determiner") and frame.has(start - 2, "outperform.verb", "baseline.verb"):
        return True
    return frame.has(low, "negation.question") and frame.low(high - 1) == "?"


def _best(frame: Frame, i: int) -> bool:
    return frame.has(i, "record.superlative", "record.superlative_alone")


def _triggers(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    for label in ("record.phrase", "record.place"):
        for mention in frame.find(label, low, high):
            if not _counted(frame, mention):
                yield mention.start, mention.end, None
    for mention in frame.find("record.noun", low, high):
        around = range(max(low, mention.start - _REACH), min(high, mention.end + _REACH))
        if any(frame.has(i, "record.broken") for i in around) and not _counted(frame, mention):
            yield mention.start, mention.end, None
    for label, end_of, metric in _SUPERLATIVES:
        for mention in frame.find(label, low, high):
            end = end_of(frame, mention, low, high)
            if end:
                yield mention.start, end, metric
    yield from _wins(frame, low, high)
    yield from _unbeaten(frame, low, high)


def _wins(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "wins every offline row", "gewinnt bei Llama 2 70B jede Zeile", "leads in all benchmarks"."""
    for mention in frame.find("record.win_verb", low, high):
        universal = False
        for i in steps(frame, mention.end, min(high, mention.end + 2 * _WIN_REACH), _WIN_REACH):
            if is_stop(frame, i):
                break
            universal = universal or frame.has(i, "quantifier.all")
            if universal and frame.has(i, "record.test"):
                yield mention.start, i + 1, None
                break


def _unbeaten(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "no chip is faster than GB300", "kein System ist schneller als …"."""
    for mention in frame.find("negation.no", low, high):
        for i in range(mention.end, min(high, mention.end + 7)):
            if is_stop(frame, i):
                break
            if frame.has(i, "compare.more") and frame.any("compare.than", i + 1, min(high, i + 6)):
                yield mention.start, i + 1, None
                break


def _counted(frame: Frame, mention: Mention) -> bool:
    """ "Three new MLPerf records" is a count of records."""
    if not frame.any("record.win", mention.start, mention.end):
        return False
    before = range(max(0, mention.start - 3), mention.start + 1)
    return any(i in frame.number_at and frame.low(i - 1) != "#" for i in before)


def _superlative(frame: Frame, mention: Mention, low: int, high: int) -> int:
    """The end of "highest … throughput", "fastest … system"; 0 where no result is meant."""
    fast = frame.has(mention.start, "rank.fast")
    for i in steps(frame, mention.end, min(high, mention.end + 3 * _REACH), _REACH):
        if (is_stop(frame, i) and frame.low(i) != "/") or frame.has(i, *_OTHERWISE):
            return 0
        if any(frame.has(i, f"metric.{name}") for name in _MEASURED) or (fast and frame.has(i, *_OF_SPEED)):
            return i + 1
        joining = frame.has(i, "baseline.preposition", "baseline.of") and not frame.has(i, "link.determiner")
        if joining and not frame.has(i + 1, "benchmark.ours", "round"):
            return i if fast and frame.has(i, "baseline.of") else 0
    return 0


def _alone(frame: Frame, mention: Mention, low: int, high: int) -> int:
    """The end of "efficiency is highest", "put X first for throughput"; 0 where no result is meant."""
    if frame.has(mention.start, "metric.power_efficiency"):
        return mention.end
    a, _ = segment(frame, mention.start, mention.end)
    copula = frame.has(mention.start - 1, "grammar.is")
    if frame.has(mention.start, "record.first"):
        put = any(frame.has(i, "record.put") for i in range(max(low, mention.start - 8), mention.start))
        said = frame.has(mention.end, "record.put_to") and _measured(
            frame, mention.end, min(high, mention.end + 4)
        )
        return mention.end + 2 if said and (put or copula) else 0
    if mention.end - mention.start > 1:  # "am schnellsten"
        return mention.end if _measured(frame, a, high) else 0
    return mention.end if copula and _measured(frame, a, mention.start) else 0


def _measured(frame: Frame, start: int, end: int) -> bool:
    return any(frame.any(f"metric.{name}", start, end) for name in _MEASURED)


def _size(frame: Frame, mention: Mention, low: int, high: int) -> int:
    """The end of "the largest submission"; 0 where it is a maker's own largest or a bound."""
    if frame.has(mention.start - 1, "owner.us", "owner.its") or frame.gap(mention.start - 1) == "'":
        return 0
    if any(frame.has(i, "record.below") for i in range(max(low, mention.start - 3), mention.start)):
        return 0
    for i in steps(frame, mention.end, min(high, mention.end + 10), 5):
        if is_stop(frame, i):
            return 0
        if frame.has(i, "record.size_noun"):
            claimed = frame.any("record.ever", low, high) or frame.any("spec.participation", i, i + 1)
            return i + 1 if claimed else 0
    return 0


_SUPERLATIVES: tuple[tuple[str, Callable[[Frame, Mention, int, int], int], Metric | None], ...] = (
    ("record.superlative", _superlative, None),
    ("record.superlative_alone", _alone, None),
    ("record.size", _size, "other"),
)


def _record(frame: Frame, start: int, end: int, metric: Metric | None, low: int, high: int) -> Found:
    a, b = segment(frame, start, end)
    quote_start = start - 1 if frame.has(start - 1, "link.determiner") and start > low else start
    found = Found(
        "record", quote_start, whole(frame, max(end, min(phrase_after(frame, end, b), end + 6))), start, end
    )
    found.metric = metric or _metric(frame, a, b)
    lower = found.metric in ("latency", "time_to_train") or frame.has(start, "rank.low")
    found.direction = "lower" if lower else "higher"
    if frame.any("record.place", start, end):
        found.place = 1
        if any(i in frame.number_at and frame.number_at[i].value.value == 1 for i in range(start, end)):
            found.value, found.qualifier = 1.0, "exact"
    found.ever = frame.any("record.ever", low, high)
    if frame.any("per.accelerator", a, b):
        found.per_accelerator = True
    elif frame.any("record.total", a, b):
        found.per_accelerator = False
    _quantify(frame, found, low, high)
    return found


def _metric(frame: Frame, a: int, b: int) -> Metric:
    for name in ("power_efficiency", "cost", "latency", "time_to_train"):
        if frame.any(f"metric.{name}", a, b):
            return name
    return "throughput"


def _quantify(frame: Frame, found: Found, low: int, high: int) -> None:
    around = max(low, found.start - 3), min(high, found.end + 6)
    if frame.any("quantifier.all", *around):
        found.quantifier = "all"
    elif frame.any("quantifier.overall", low, high):
        found.quantifier = "overall"
    elif frame.any("quantifier.some", around[0], min(high, found.end + 3)) or frame.has(
        found.till - 1, "record.plural"
    ):
        found.quantifier = "some"
    for mention in frame.find("record.below", low, high):
        if frame.any("record.size", mention.end, min(high, mention.end + 4)):
            found.below_largest = True
