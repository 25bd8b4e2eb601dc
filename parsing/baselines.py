"""The other side of a comparison: what stands after "than", "over", "of", "als", after a verb of winning."""

from __future__ import annotations

from dataclasses import dataclass

from parsing.frame import Frame
from parsing.spans.found import Found
from parsing.spans.local import is_stop, is_strong
from parsing.things import Thing

_REACH = 12
RELATIVE = ("multiple", "percent", "cost", "outperforms", "count", "scaling")


@dataclass(slots=True)
class Baseline:
    """The other side: tokens `[start, end)`, the thing, the round or the time that it names."""

    start: int
    end: int
    thing: Thing | None = None
    round: str | None = None
    when: str | None = None
    count: int | None = None


def baselines(frame: Frame, low: int, high: int, named: list[Thing], found: list[Found]) -> list[Baseline]:
    """All that a sentence sets its claims against."""
    qualified = {i for f in found for i in range(*f.spans.get("qualifier", (0, 0)))}
    result: list[Baseline] = []
    for i, end in _marks(frame, low, high, found, qualified):
        baseline = _after(frame, i, end, high, named, found)
        if baseline is not None and not any(
            baseline.thing is not None and b.thing is baseline.thing for b in result
        ):
            result.append(baseline)
    result.extend(_inverted(frame, named, high, result))
    return sorted(result, key=lambda b: b.start)


def _marks(
    frame: Frame, low: int, high: int, found: list[Found], qualified: set[int]
) -> list[tuple[int, int]]:
    marks: list[tuple[int, int]] = []
    for label in (
        "baseline.mark",
        "baseline.verb",
        "outperform.verb",
        "outperform.trail",
        "outperform.parity",
    ):
        for mention in frame.find(label, low, high):
            if mention.start not in qualified:
                marks.append((mention.start, mention.end))
    for mention in frame.find("baseline.of", low, high):
        if _of(frame, mention.start, low, found):
            marks.append((mention.start, mention.end))
    return sorted(set(marks), key=lambda m: (m[1], m[0]))


def _of(frame: Frame, i: int, low: int, found: list[Found]) -> bool:
    """Whether "of" or "as" leads to the other side: right after a value, or after its result noun."""
    word = frame.low(i)
    if word in ("to", "zu"):
        return frame.low(i - 1) in ("parity", "equal", "close", "similar", "comparable", "next", "superior")
    if word == "as":
        return (
            frame.has(i - 2, "compare.more") or frame.low(i - 2) == "as" or frame.has(i - 1, "compare.more")
        )
    for f in found:
        if f.till <= i <= f.till + 9 and f.kind in RELATIVE:
            between = range(f.till, i)
            if not any(is_stop(frame, j) for j in between):
                return i == f.till or any(_measured(frame, j) for j in between) or word in ("what", "that")
    return False


def _measured(frame: Frame, i: int) -> bool:
    return any(label.startswith("metric.") for label in frame.labels[i]) or frame.has(
        i, "noun.accelerator", "compare.more"
    )


def _after(
    frame: Frame, mark: int, start: int, high: int, named: list[Thing], found: list[Found]
) -> Baseline | None:
    end = _limit(frame, mark, start, high, found)
    thing = next((t for t in named if start <= t.start < end), None)
    if thing is not None:
        return _with_thing(frame, mark, thing, high, named)
    rounds = frame.find("round", start, min(end, start + 6))
    if rounds:
        label = next(x for x in rounds[0].labels if x.startswith("round."))
        return Baseline(mark, rounds[0].end, round=label[6:], count=_count(frame, start, rounds[0].start))
    when = when_of(frame, mark, min(high, start + 8))
    return Baseline(mark, start + 2, when=when) if when else None


def _count(frame: Frame, start: int, end: int) -> int | None:
    for i in range(start, end):
        number = frame.number_at.get(i)
        if number is not None and frame.has(number.end, "noun.accelerator"):
            return int(number.value.value)
    return None


def _with_thing(frame: Frame, mark: int, thing: Thing, high: int, named: list[Thing]) -> Baseline:
    baseline = Baseline(mark, thing.end, thing=thing)
    for other in named:
        if other is not thing and 0 <= other.start - thing.end <= 3 and frame.low(thing.end) == "(":
            baseline.end = other.end
    return baseline


def _limit(frame: Frame, mark: int, start: int, high: int, found: list[Found]) -> int:
    """How far the words of the other side may reach."""
    values = {f.at for f in found if f.kind not in ("record", "outperforms")}
    for i in range(start, min(high, start + _REACH)):
        if is_strong(frame, i) or (is_stop(frame, i) and frame.low(i) in ",:—)" and i > start):
            return i
        if i in values:
            return i
        if i > start + 3 and frame.has(i, "baseline.mark", "link.clause"):
            return i
    return min(high, start + _REACH)


def when_of(frame: Frame, low: int, high: int) -> str | None:
    """A relative round: "previous", or months back ("6 months")."""
    if frame.any("when.previous", low, high):
        return "previous"
    if frame.any("when.half_year", low, high):
        return "6 months"
    for i in range(low, high):
        number = frame.number_at.get(i)
        if number is not None and frame.has(number.end, "when.unit_months"):
            return f"{int(number.value.value)} months"
        if number is not None and frame.has(number.end, "when.unit_years"):
            return f"{int(number.value.value) * 12} months"
    return "12 months" if frame.any("when.year", low, high) else None


def _inverted(frame: Frame, named: list[Thing], high: int, known: list[Baseline]) -> list[Baseline]:
    """The other side before its verb: "H100 it outdoes by", "On MI325X … was lower", "H200 to GB300"."""
    result = []
    taken = {id(b.thing) for b in known}
    for at, thing in enumerate(named):
        after = named[at + 1] if at + 1 < len(named) else None
        if not thing.hardware or id(thing) in taken:
            continue
        i = thing.end
        fronted = frame.low(i) in ("it", "they", "he") and frame.has(
            i + 1, "outperform.verb", "baseline.verb"
        )
        lower = any(
            frame.low(j) in ("was", "were", "war", "waren") and frame.has(j + 1, "compare.less")
            for j in range(i, min(high - 1, i + 6))
        )
        upgrade = (
            after is not None
            and after.hardware
            and after.key != thing.key
            and after.start - i == 1
            and frame.low(i) in ("to", "→", "auf", "zu")
        )
        behind = frame.low(i) == "behind" and any(
            frame.has(j, "outperform.leave") for j in range(max(0, thing.start - 3), thing.start)
        )
        if fronted or lower or upgrade or behind:
            result.append(Baseline(thing.start, thing.end, thing=thing))
    return result
