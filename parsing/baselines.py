"""The other side of a comparison: what stands after "than", "over", "of", "als", after a verb of winning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from parsing.binding import joint
from parsing.frame import Frame
from parsing.lexicon import Mention
from parsing.spans.found import Found
from parsing.spans.local import HARDWARE, counts_chips, is_stop, is_strong
from parsing.things import Thing, merge

_REACH = 12
_THAN = 5
_DATED = 7
_LED = 5
_MARKS = frozenset(
    (
        *("baseline.mark", "baseline.verb", "baseline.previous"),
        *(f"outperform.{name}" for name in ("verb", "over", "front", "behind", "trail", "parity")),
    )
)
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
    """All that a sentence sets its claims against, in order."""
    if not any(f.kind in RELATIVE for f in found):
        return []
    qualified = {i for f in found for i in range(*f.spans.get("qualifier", (0, 0)))}
    result: list[Baseline] = []
    for i, end in sorted(
        {*_marks(frame, low, high, found, qualified), *_times(named, frame, found)}, key=_by_end
    ):
        baseline = _after(frame, i, end, high, named, found)
        if baseline is not None and not _known(baseline, result):
            result.append(baseline)
    for thing in _inverted(frame, named, high, found):
        if not any(b.thing is thing for b in result):
            result.append(Baseline(thing.start, thing.end, thing=thing))
    if not result:
        result.extend(Baseline(t.start, t.end, thing=t) for t in _level(frame, named, found))
    return sorted(result, key=lambda b: b.start)


def _level(frame: Frame, named: list[Thing], found: list[Found]) -> Iterator[Thing]:
    """The second of two that are level: "MI355X and B200 are neck and neck"."""
    for f in found:
        if f.kind != "outperforms" or f.qualifier != "about":
            continue
        alike = [(a, b) for a, b in pairwise(named) if a.hardware == b.hardware]
        pairs = [(a, b) for a, b in alike if joint(frame, a.end, b.start) == "and"]
        before = [b for _, b in pairs if b.end <= f.at]
        after = [b for a, b in pairs if a.start >= f.till]
        yield from before[-1:] or after[:1]


def _known(baseline: Baseline, result: list[Baseline]) -> bool:
    return baseline.thing is not None and any(b.thing is baseline.thing for b in result)


def _marks(
    frame: Frame, low: int, high: int, found: list[Found], qualified: set[int]
) -> list[tuple[int, int]]:
    marks = {
        (m.start, m.end)
        for label in _MARKS & frame.said(low)
        for m in frame.find(label, low, high)
        if m.start not in qualified
    }
    marks |= {(m.start, m.end) for m in frame.find("baseline.of", low, high) if _of(frame, m.start, found)}
    marks |= {(m.start, m.end) for m in frame.find("baseline.on", low, high) if _on(frame, m.start, found)}
    return sorted(marks, key=_by_end)


def _by_end(mark: tuple[int, int]) -> tuple[int, int]:
    return mark[1], mark[0]


def _on(frame: Frame, i: int, found: list[Found]) -> bool:
    """ "improves about 1.9x on 5th Gen Xeon", "der Vorsprung der B300 auf die B200"."""
    ahead = i + 1 + frame.has(i + 1, "link.determiner")
    if not frame.has(ahead, *HARDWARE):
        return False
    if frame.within(max(0, i - 6), i, "change.lead"):
        return True
    improved = any(f.till == i and frame.within(max(0, f.start - 3), f.start, "change.up") for f in found)
    return improved and frame.any("name.processor", 0, i)


def _times(named: list[Thing], frame: Frame, found: list[Found]) -> Iterator[tuple[int, int]]:
    """ "four times an H100", "5.6x L40S": the other side follows the value at once."""
    for f in found:
        if f.kind in ("multiple", "cost"):
            after = f.till + frame.has(f.till, "link.determiner")
            if any(after in (t.start, *(n.start for n in t.counted)) and t.hardware for t in named):
                yield f.till, f.till


def _of(frame: Frame, i: int, found: list[Found]) -> bool:
    """Whether "of" or "as" leads to the other side: right after a value, or after its result noun."""
    if frame.has(i + 1, "owner.its") and _measured(frame, i + 2):
        return False  # "60 % of its cost"
    if frame.has(i - 1, "baseline.out") or (frame.has(i, "baseline.what") and frame.has(i - 1, "grammar.is")):
        return False
    if frame.has(i, "baseline.to"):
        return frame.has(i - 1, "baseline.like")
    if frame.has(i, "baseline.as"):
        return frame.has(i - 2, "compare.more", "baseline.as") or frame.has(i - 1, "compare.more")
    for f in found:
        if f.till <= i <= f.till + 9 and f.kind in RELATIVE:
            between = range(f.till, i)
            turned = frame.has(f.till, "grammar.is") and frame.has(f.till + 1, "baseline.what")
            if turned and i > f.till + 1:
                return True  # "97 percent is what A manages of B"
            named = frame.within(between.start, between.stop, *HARDWARE) and not frame.has(i, "baseline.what")
            if not named and not any(is_stop(frame, j) for j in between):
                return (
                    i == f.till or any(_measured(frame, j) for j in between) or frame.has(i, "baseline.what")
                )
    return False


def _measured(frame: Frame, i: int) -> bool:
    if frame.has(i, "noun.accelerator", "compare.more"):
        return True
    return i < len(frame.labels) and any(x.startswith(("metric.", "unit.")) for x in frame.labels[i])


def _after(
    frame: Frame, mark: int, start: int, high: int, named: list[Thing], found: list[Found]
) -> Baseline | None:
    end = _limit(frame, mark, start, high, found)
    previous = frame.has(mark, "baseline.previous")
    if previous:
        end = min(end, start + 4)
    inside = [t for t in named if start <= t.start < end and not _own(frame, t)]
    thing = inside[0] if inside else None
    if len(inside) > 1 and _with(frame, inside[0], inside[1], named):
        merge(inside[0], inside[1])
        named.remove(inside[1])
        inside.pop(1)
    second = frame.has(mark, "outperform.verb") and not frame.has(start - 1, "compare.than")
    if len(inside) > 1 and second and not any(t.end <= mark for t in named):
        thing = inside[1]  # the verb comes second: "Bei Llama 2 70B schlägt A das B"
    elif inside and second and not any(t.end <= mark and t.hardware for t in named):
        thing = _object(frame, start, inside[0], named) or thing
    if thing is not None:
        before = frame.find("baseline.previous", start, thing.start)
        since = before[-1].end if before else start
        if (before or previous) and not _apposed(frame, since, thing.start):
            return None  # "faster than its predecessor is what the L40S turns out to be"
    if thing is not None and frame.any("when.period", start, thing.start):
        return None  # "over the last two rounds Lenovo …"
    if thing is not None:
        closing = _closing(frame, thing, named)
        said = frame.find("round", start, thing.start)  # "of the v5.1 figure of HPE"
        then = _dated(frame, closing, high)
        return Baseline(mark, closing, thing=thing, round=_named_round(said), when=then)
    if previous:
        return None
    rounds = frame.find("round", start, min(end, start + 7))
    if rounds:
        return Baseline(
            mark, rounds[0].end, round=_named_round(rounds), count=_count(frame, start, rounds[0].start)
        )
    when = when_of(frame, start, min(high, start + 8))
    count = _count(frame, start, end)
    return (
        Baseline(mark, max(start + 2, end if count else 0), when=when, count=count) if when or count else None
    )


def _object(frame: Frame, start: int, subject: Thing, named: list[Thing]) -> Thing | None:
    """ "lässt ein GH200 (Quanta) mit 2.804 Tokens/s die H200 hinter sich": past the verb's own subject."""
    _, high = frame.sentence(start)
    after = [t for t in named if subject.end < t.start < high and t.hardware and t.key != subject.key]
    return after[0] if after and subject.hardware and _split_verb(frame, start - 1) else None


def _split_verb(frame: Frame, i: int) -> bool:
    """Whether a verb has its second half far off ("lässt … hinter sich")."""
    return any(m.start == i and any(x.startswith("head:") for x in m.labels) for m in frame.cover[i])


def _with(frame: Frame, maker: Thing, chip: Thing, named: list[Thing]) -> bool:
    """ "what Nebius shows for eight B200", "Lenovo with eight H200": whose, and on which chips."""
    if maker.hardware or not maker.submitter or not chip.hardware or chip.submitter:
        return False
    start = min([chip.start, *(n.start for n in chip.counted if n.start >= maker.end)])
    between = range(maker.end, start)
    if len(between) == 1 and not any(t.hardware for t in named if t is not chip):
        return False  # "A is 5 % clear of B on eight B300": both are on them
    if not 0 < len(between) <= _LED or any(is_stop(frame, i) or frame.has(i, "link.and") for i in between):
        return False
    return frame.has(start - 1, "thing.with", "thing.holds", "thing.by") or frame.has(start - 2, "thing.with")


def _apposed(frame: Frame, start: int, end: int) -> bool:
    """ "its predecessor, the Arc Pro B60": nothing but signs and articles in between."""
    return all(
        is_stop(frame, i) or frame.has(i, "link.determiner") or i in frame.number_at
        for i in range(start, end)
    )


def _named_round(mentions: list[Mention]) -> str | None:
    return next((x[6:] for m in mentions for x in m.labels if x.startswith("round.")), None)


def _dated(frame: Frame, start: int, high: int) -> str | None:
    """When the other side was measured, where it says so at once: "our TPU v5e result one round ago"."""
    end = min(high, start + _DATED)
    for i in range(start, end):
        if is_strong(frame, i) or frame.low(i) in (",", ":"):
            end = i
            break
    ago = frame.any_of(("when.ago", "when.previous", "when.half_year"), start, end)
    return when_of(frame, start, end) if ago else None


def _own(frame: Frame, thing: Thing) -> bool:
    """ "Nebius overtakes, with its B300, the GB200 of Azure": what the subject does it with."""
    before = thing.counted[0].start if thing.counted and thing.counted[0].start < thing.start else thing.start
    with_its = frame.has(before - 1, "owner.its") and frame.has(before - 2, "thing.holds")
    return with_its and not frame.has(before - 2, "outperform.parity")


def _closing(frame: Frame, thing: Thing, named: list[Thing]) -> int:
    """The end of the other side's words, its explanation in brackets with it ("GB200 (Blackwell)")."""
    if frame.low(thing.end) != "(":
        return thing.end
    return next((t.end for t in named if t is not thing and 0 < t.start - thing.end <= 2), thing.end)


def _count(frame: Frame, start: int, end: int) -> int | None:
    for i in range(start, end):
        number = frame.number_at.get(i)
        if number is not None and counts_chips(frame, number):
            return int(number.value.value)
    return None


def _limit(frame: Frame, mark: int, start: int, high: int, found: list[Found]) -> int:
    """How far the words of the other side may reach."""
    values = {f.at for f in found if f.kind in ("multiple", "percent", "cost", "scaling", "count")}
    end = min(high, start + _REACH)
    of = frame.has(mark, "baseline.of")
    for i in range(start, end):
        if is_strong(frame, i) or (
            is_stop(frame, i) and frame.low(i) in (",", ":", "—", ")", "(") and i > start
        ):
            return i
        if of and i > start and _ends_of(frame, i):
            return i
        if i in values or (i > start + 3 and frame.has(i, "baseline.mark", "link.clause")):
            return i
    return end


def _ends_of(frame: Frame, i: int) -> bool:
    """What ends a phrase after "of": a verb, a preposition that leads elsewhere."""
    if frame.has(i, "grammar.is"):
        return True
    return frame.has(i, "baseline.preposition") and not frame.has(i, "baseline.of", "thing.holds")


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


def _inverted(frame: Frame, named: list[Thing], high: int, found: list[Found]) -> Iterator[Thing]:
    """The other side before its verb: "H100 it outdoes by", "On MI325X … was lower", "H200 to GB300"."""
    said = frame.said(high - 1)
    rules = [rule for rule, needed in _INVERTED if not needed or not said.isdisjoint(needed)]
    for at, thing in enumerate(named) if rules else ():
        place = _Place(frame, high, found, named, at)
        if thing.hardware and any(rule(place, thing) for rule in rules):
            yield thing


@dataclass(slots=True)
class _Place:
    """Where a thing stands: in a sentence that ends at `high`, at an index of the things named there."""

    frame: Frame
    high: int
    found: list[Found]
    named: list[Thing]
    at: int


def _fronted(place: _Place, thing: Thing) -> bool:
    frame = place.frame
    return frame.has(thing.end, "grammar.pronoun") and frame.has(
        thing.end + 1, "outperform.verb", "baseline.verb"
    )


def _lower(place: _Place, thing: Thing) -> bool:
    frame, window = place.frame, range(thing.end, min(place.high - 1, thing.end + 6))
    return any(
        frame.has(i, "grammar.is")
        and frame.has(i + 1, "compare.less")
        and not _than_another(place, thing, i + 2)  # "A has lower latency than B": A has it
        for i in window
    )


def _than_another(place: _Place, thing: Thing, start: int) -> bool:
    """Whether "than" and another thing follow."""
    frame = place.frame
    end = min(place.high, start + _THAN)
    than = next((i for i in range(start, end) if frame.has(i, "compare.than")), None)
    return than is not None and any(
        than < t.start <= than + _THAN and t.hardware and t is not thing for t in place.named
    )


def _upgraded(place: _Place, thing: Thing) -> bool:
    frame = place.frame
    after = place.named[place.at + 1] if place.at + 1 < len(place.named) else None
    if after is None or not after.hardware or after.key == thing.key:
        return False
    start = min([after.start, *(n.start for n in after.counted if n.start >= thing.end)])
    if start - thing.end != 1:
        return False
    if frame.has(thing.end, "when.by"):
        return frame.within(max(0, thing.start - 3), thing.start, "when.replace")
    return frame.has(thing.end, "when.to") or frame.low(thing.end) == "→"


def _left_behind(place: _Place, thing: Thing) -> bool:
    frame = place.frame
    if not frame.has(thing.end, "outperform.behind"):
        return False
    return frame.within(max(0, thing.start - 3), thing.start, "outperform.leave")


def _predecessor(place: _Place, thing: Thing) -> bool:
    """ "TPU v5e, the predecessor, offers", "Arc Pro B60, the generation before"."""
    frame, high = place.frame, place.high
    if frame.low(thing.end) not in (",", "("):
        return False
    return frame.any("baseline.previous", thing.end, min(high, thing.end + 5))


def _beaten(place: _Place, thing: Thing) -> bool:
    """ "the record of A is beaten by 27 %": A is the one that is beaten."""
    frame = place.frame
    for f in place.found:
        if f.kind in ("multiple", "percent") and thing.end < f.at <= min(place.high, thing.end + 8):
            verb = f.start - 2
            passive = frame.has(verb, "baseline.verb") and frame.has(verb - 1, "grammar.is")
            if frame.has(f.start - 1, "link.by") and passive:
                return True
    return False


def _listed(place: _Place, thing: Thing) -> bool:
    """ "surpasses B300 by 6 %, and its MI350X sister by 31 %": the second one that is beaten."""
    frame = place.frame
    own = [f for f in place.found if f.kind in ("percent", "multiple")]
    second = [f for f in own if thing.end < f.at <= thing.end + 3 and frame.has(f.start - 1, "link.by")]
    first = [f for f in own if f.till <= thing.start and frame.has(f.start - 1, "link.by")]
    if not (first and second):
        return False
    low, high = first[-1].till, thing.start
    if high - low > _LED or not frame.within(low, high, "link.and"):
        return False
    verb = first[-1].at
    return frame.within(verb - _REACH, verb, "outperform.verb", "baseline.verb", "qualifier.over")


def _by_whom(place: _Place, thing: Thing) -> bool:
    """ "wird von der B200 übertroffen": B200 is the other side."""
    frame, high = place.frame, place.high
    by = thing.start - 1 - frame.has(thing.start - 1, "link.determiner")
    return frame.has(by, "thing.by") and any(
        f.kind == "outperforms" and f.behind and thing.end <= f.at < min(high, thing.end + 4)
        for f in place.found
    )


def _dative(place: _Place, thing: Thing) -> bool:
    """ "ist der MI355X überlegen": the one right before is the other side."""
    ends = range(thing.end, min(place.high, thing.end + 3))
    return any(
        f.kind == "outperforms" and f.at in ends and place.frame.has(f.at, *_DATIVE) for f in place.found
    )


def _between(place: _Place, thing: Thing) -> bool:
    """ "the gap between A and B is 48 %": B is the other side."""
    frame, before = place.frame, place.named[place.at - 1] if place.at else None
    if before is None or not before.hardware or thing.start - before.end > 2:
        return False
    return frame.has(before.start - 1, "sign.between") and frame.has(before.end, "link.and")


# each way round, with the labels of which a sentence has at least one where it is used (a sign has none)
_DATIVE = ("outperform.dative", "outperform.dative_trail")
_INVERTED: tuple[tuple[Callable[[_Place, Thing], bool], tuple[str, ...]], ...] = (
    (_fronted, ("grammar.pronoun",)),
    (_lower, ("compare.less",)),
    (_upgraded, ()),
    (_left_behind, ("outperform.behind",)),
    (_predecessor, ("baseline.previous",)),
    (_beaten, ("link.by",)),
    (_by_whom, ("thing.by",)),
    (_dative, _DATIVE),
    (_between, ("sign.between",)),
    (_listed, ("link.by",)),
)
