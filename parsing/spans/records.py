"""Records and places: highest ever, fastest, first place, swept; and sizes ("largest submission")."""

from __future__ import annotations

from parsing.claim import Metric
from parsing.frame import Frame
from parsing.spans.found import Found
from parsing.spans.leads import CLAIMING, Trigger, is_best, leads
from parsing.spans.local import is_stop, phrase_after, segment, whole

_WORDS_BEFORE = 6
_PLACES = (("record.place", 1), ("record.numbered", 1), ("record.second", 2), ("record.third", 3))


def records(frame: Frame, low: int, high: int) -> list[Found]:
    """The record claims of one sentence, at most one a segment."""
    found: list[Found] = []
    if frame.said(low).isdisjoint(CLAIMING):
        return found
    for start, end, metric in sorted(set(leads(frame, low, high)), key=_earliest_longest):
        if _denied(frame, start, end, low, high) or _counted_times(frame, end):
            continue
        if not any(_same_segment(frame, f, start) for f in found):
            found.append(_record(frame, start, end, metric, low, high))
    return found


def _earliest_longest(trigger: Trigger) -> tuple[int, int]:
    return trigger[0], -trigger[1]


def _same_segment(frame: Frame, found: Found, start: int) -> bool:
    a, b = segment(frame, found.at, found.till)
    return a <= start < b or found.start <= start < found.end


def _counted_times(frame: Frame, end: int) -> bool:
    """ "ranks first 14 times" is a count."""
    number = frame.number_at.get(end)
    return number is not None and frame.has(number.end, "sign.times")


def _denied(frame: Frame, start: int, end: int, low: int, high: int) -> bool:
    """Whether the record is denied, asked for, hoped for, an old one, or the one that was beaten."""
    if frame.within(max(low, start - 3), start, "negation.word"):
        return True
    if _breaks(frame, start, end, low):
        return asked(frame, start, low, high) or _hoped_for(frame, start, end, low)
    if frame.has(start - 1, "record.old", "record.own") or (
        frame.has(start, "record.old") and not is_best(frame, start)
    ):
        return True
    return (
        _is_other_side(frame, start, low)
        or _hoped_for(frame, start, end, low)
        or _advised(frame, start, low)
        or asked(frame, start, low, high)
        or frame.any("record.elsewhere", *segment(frame, start, end))
    )


def _breaks(frame: Frame, start: int, end: int, low: int) -> bool:
    """ "shattered the previous record" claims a new one, unless a number says by how much."""
    if not frame.any("record.noun", start, end):
        return False
    _, b = segment(frame, start, end)
    numbered = any(
        frame.has(frame.number_at[i].end, "sign.percent", "sign.times")
        for i in range(end, b)
        if i in frame.number_at
    )
    if frame.within(max(low, start - 3), start, "owner.us", "owner.its"):
        return False  # "we broke our own record"
    return not numbered and frame.within(max(low, start - 4), start, "record.breaking")


def _is_other_side(frame: Frame, start: int, low: int) -> bool:
    """ "behind the fastest B300 system", "97 % of the best score", "one of the best": not the one meant."""
    before = start - 1
    while before > low and frame.has(before, "link.determiner", "record.filler"):
        before -= 1
    if frame.has(start - 1, "record.among") or frame.has(before, "record.among"):
        return True
    if before == start - 1 and not frame.has(before, "baseline.mark"):
        return False
    if frame.has(before, "compare.than"):
        return frame.within(max(low, before - 8), before, "compare.more", "compare.less")
    if frame.has(before, "baseline.of", "baseline.to"):
        return frame.has(before - 1, "sign.percent", "sign.times")
    return frame.has(
        before, "outperform.verb", "outperform.behind", "outperform.trail", "baseline.verb", "baseline.mark"
    )


def _hoped_for(frame: Frame, start: int, end: int, low: int) -> bool:
    """ "hopes to set a record", "soll Rekorde brechen", "records are there to be broken"."""
    if frame.has(low, "negation.if"):
        return True
    i = start - 1
    for _ in range(_WORDS_BEFORE):
        if i < low or is_stop(frame, i) or frame.has(i, "link.clause"):
            break
        if frame.has(i, "record.intent"):
            return True
        name = frame.names[i]
        i = (name.start if name is not None else i) - 1
    return frame.within(start, end + 4, "record.intent_after")


def _advised(frame: Frame, start: int, low: int) -> bool:
    """ "for best performance, set …", "to get the highest throughput": advice, no result."""
    before = start - 1
    while before > low and frame.has(before, "link.determiner"):
        before -= 1
    return is_best(frame, start) and frame.has(before, "record.advice")


def asked(frame: Frame, start: int, low: int, high: int) -> bool:
    """ "Who is fastest?", "Did GB300 beat MI355X?": a question, unless it quotes a statement."""
    if frame.low(high - 1) != "?":
        return False
    if frame.has(high, "negation.word", "negation.answer"):
        return True  # "… beat every B300? Not quite."
    first = next((i for i in range(start, low, -1) if "\n" in frame.gap(i) or frame.low(i - 1) == ":"), low)
    return frame.has(first, "negation.question", "negation.ask") and not frame.has(first, "negation.quoting")


def _record(frame: Frame, start: int, end: int, metric: Metric | None, low: int, high: int) -> Found:
    a, b = segment(frame, start, end)
    quote_start = start - 1 if frame.has(start - 1, "link.determiner") and start > low else start
    quote_end = whole(frame, max(end, min(phrase_after(frame, end, b), end + 6)))
    found = Found("record", quote_start, quote_end, start, end)
    found.metric = metric or _metric(frame, a, b)
    lower = found.metric in ("latency", "time_to_train") or frame.has(start, "rank.low")
    found.direction = "lower" if lower else "higher"
    _place(frame, found, start, end)
    found.ever = frame.any("record.ever", low, high)
    if frame.any("per.accelerator", a, b):
        found.per_accelerator = True
    elif frame.any("record.total", a, b):
        found.per_accelerator = False
    _quantify(frame, found, low, high)
    return found


def _place(frame: Frame, found: Found, start: int, end: int) -> None:
    """The place that is said, and its number where one is printed ("#1", "Platz zwei")."""
    place = next((place for label, place in _PLACES if frame.any(label, start, end)), None)
    if place is None:
        return
    found.place = place
    printed = any(i in frame.number_at and frame.number_at[i].value.value == place for i in range(start, end))
    if printed or frame.any("record.numbered", start, end):
        found.value, found.qualifier = float(place), "exact"


def _metric(frame: Frame, a: int, b: int) -> Metric:
    names: tuple[Metric, ...] = ("power_efficiency", "cost", "latency", "time_to_train")
    return next((name for name in names if frame.any(f"metric.{name}", a, b)), "throughput")


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
