"""Comparisons without a number: A beats B, is on par with B, stays behind B, posts more than B."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from parsing.claim import Direction, Metric
from parsing.frame import Frame
from parsing.lexicon import Mention
from parsing.spans.found import Found
from parsing.spans.local import HARDWARE, MAKERS, apart, clause, counts_chips, is_stop, segment
from parsing.spans.records import asked

_SIDES = (*HARDWARE, *MAKERS)
_NUMBERS = ("multiple", "percent", "cost", "count")
_PAST = ("baseline.previous", "round", "when.previous")
_COUNTABLE = ("noun.node", "noun.rack", "thing.before", "thing.way", "sign.times")
# the labels of the words that compare, of which a sentence needs one
_LEVEL = ("outperform.parity", "outperform.alike", "outperform.verdict")
_WORDS = tuple(f"outperform.{name}" for name in ("verb", "trail", "over", "dative", "dative_trail", "edge"))
_PLACES = ("outperform.behind", "outperform.front")
_COMPARATIVES = {"compare.more": "verb", "compare.less": "trail"}
_COMPARING = frozenset((*_LEVEL, *_WORDS, *_PLACES, *_COMPARATIVES))
# what denies a comparison before it, and what makes it a plan or a place
_DENIALS = ("negation.no", "negation.if", "negation.whether")
_PLANS = ("spec.rule", "spec.future")
_RANKS = ("record.place", "record.numbered", "record.second", "record.third")
_REACH, _VERB_REACH = 9, 10
_SHORT = 12
_BEFORE, _AFTER = 4, 10


@dataclass(frozen=True, slots=True)
class _Trigger:
    """Words that compare: `kind` is verb, trail, passive or parity, `metric` what, if not throughput."""

    mention: Mention
    kind: str
    metric: Metric = "throughput"

    @property
    def direction(self) -> Direction:
        """Which way the compared number goes: a trailing side and a shorter latency are "lower"."""
        return "lower" if self.behind != (self.metric == "latency") else "higher"

    @property
    def behind(self) -> bool:
        """Whether the subject is the worse side."""
        return self.kind in ("trail", "passive")


def outperforms(frame: Frame, low: int, high: int, taken: list[Found]) -> list[Found]:
    """The comparisons of one sentence in whose clause no number stands for them (`taken`)."""
    found: list[Found] = []
    if frame.said(low).isdisjoint(_COMPARING):
        return found
    for trigger in sorted(_triggers(frame, low, high, taken), key=lambda t: t.mention.start):
        mention = trigger.mention
        a, b = clause(frame, mention.start, mention.end)
        if any(a <= f.at < b and not _another(frame, f, trigger) for f in found):
            continue
        if _vetoed(frame, trigger, a, b) or _numbered(frame, trigger, a, b, taken):
            continue
        if _amount_unread(frame, trigger, b, taken):
            continue
        if asked(frame, mention.start, low, high):
            continue
        start, end = segment(frame, mention.start, mention.end)
        claim = Found("outperforms", max(a, start), min(b, end), mention.start, mention.end)
        claim.metric, claim.direction = trigger.metric, trigger.direction
        claim.behind = trigger.behind
        claim.qualifier = "about" if trigger.kind == "parity" else None
        found.append(claim)
    return found


def _another(frame: Frame, found: Found, trigger: _Trigger) -> bool:
    """Whether a clause compares twice: "beats B200 and trails B300", "beat it and matched it there"."""
    start = trigger.mention.start
    if not apart(frame, found.till, start):
        return False
    if (trigger.kind == "parity") != (found.qualifier == "about"):
        return True
    _, high = frame.sentence(start)
    first, second = _named(frame, found.till, high), _named(frame, trigger.mention.end, high)
    return None not in (first, second) and first != second


def _named(frame: Frame, start: int, high: int) -> str | None:
    """The chip or maker named next."""
    for i in range(start, min(high, start + _REACH)):
        name = frame.names[i]
        if name is not None and frame.has(i, *_SIDES):
            return name.name.canonical
    return None


def _numbered(frame: Frame, trigger: _Trigger, a: int, b: int, taken: list[Found]) -> bool:
    """Whether a number says how much ("beats B by 2.7x"): in the clause, for parity beside it."""
    beside = trigger.kind == "parity"
    return any(
        a <= f.at < b
        and f.kind in _NUMBERS
        and (not beside or not apart(frame, f.till, trigger.mention.start))
        for f in taken
    )


# --- words that compare --------------------------------------------------------------------------


def _triggers(frame: Frame, low: int, high: int, taken: list[Found]) -> Iterator[_Trigger]:
    said = frame.said(low)
    if not said.isdisjoint(_LEVEL):
        yield from _parity(frame, low, high)
    if not said.isdisjoint(_WORDS):
        yield from _verbs(frame, low, high)
    if not said.isdisjoint(_PLACES):
        yield from _positions(frame, low, high)
    if not said.isdisjoint(_COMPARATIVES):
        yield from _comparatives(frame, low, high, taken)


def _verbs(frame: Frame, low: int, high: int) -> Iterator[_Trigger]:
    """ "beats B", "is beaten by B", "over B", "ist der B überlegen", "has the edge over B"."""
    for kind in ("verb", "trail"):
        for mention in frame.find(f"outperform.{kind}", low, high):
            if _passive(frame, mention, low):
                yield _Trigger(mention, "passive")
            elif _object(frame, mention.end, high, past=not frame.has(mention.start, "outperform.place")):
                yield _Trigger(mention, kind)
    for mention in frame.find("outperform.over", low, high):
        noun = frame.has(mention.start - 1, "link.determiner")
        if not noun and _direct(frame, mention.end, high):
            yield _Trigger(mention, "verb")
    for label, kind in (("outperform.dative", "verb"), ("outperform.dative_trail", "passive")):
        for mention in frame.find(label, low, high):
            a, _ = clause(frame, mention.start, mention.end)
            if _sides(frame, a, mention.start) >= 2:
                yield _Trigger(mention, kind)
    for mention in frame.find("outperform.edge", low, high):
        if _edge_over(frame, mention):
            yield _Trigger(mention, "verb")


def _parity(frame: Frame, low: int, high: int) -> Iterator[_Trigger]:
    for mention in frame.find("outperform.parity", low, high):
        if _sides(frame, low, high) >= 2 or _scenario_next(frame, mention) or _summed_up(frame, low, high):
            yield _Trigger(mention, "parity")
    for mention in frame.find("outperform.alike", low, high):
        a, b = clause(frame, mention.start, mention.end)
        if _sides(frame, low, high) >= 2 and frame.any("metric.throughput", a, b):
            yield _Trigger(mention, "parity")
    for mention in frame.find("outperform.verdict", low, high):
        yield _Trigger(mention, "parity")


def _summed_up(frame: Frame, low: int, high: int) -> bool:
    """ "So per GPU: parity." in a short sentence that names nobody, after one that names two."""
    if not low or high - low > _SHORT or _sides(frame, low, high):
        return False
    before, _ = frame.sentence(low - 1)
    spoken = frame.any_of(("per.accelerator", "metric.throughput"), low, high)
    return spoken and _sides(frame, before, low) >= 2


def _positions(frame: Frame, low: int, high: int) -> Iterator[_Trigger]:
    """ "falls behind it", "liegt bei Whisper vor der H200", "leaves the A100 behind"."""
    for mention in frame.find("outperform.behind", low, high):
        if _stands(frame, mention, low, high):
            yield _Trigger(mention, "trail")
        elif frame.within(max(low, mention.start - 6), mention.start, "outperform.leave"):
            yield _Trigger(mention, "verb")
    for mention in frame.find("outperform.front", low, high):
        if _stands(frame, mention, low, high):
            yield _Trigger(mention, "verb")


def _stands(frame: Frame, mention: Mention, low: int, high: int) -> bool:
    """A verb of standing near "behind" or "vor", and an object after it."""
    beside = frame.has(mention.start - 1, "grammar.is")
    if not beside and not frame.within(
        max(low, mention.start - _VERB_REACH), min(high, mention.end + 6), "outperform.behind_verb"
    ):
        return False
    if frame.has(mention.end, "grammar.object") and not frame.has(mention.end, "link.determiner"):
        return True
    return _object(frame, mention.end, min(high, mention.end + 5), past=False)


def _comparatives(frame: Frame, low: int, high: int, taken: list[Found]) -> Iterator[_Trigger]:
    """ "posts higher numbers than B", "lower throughput than B", "16,427 per GPU, better than B"."""
    for label, kind in _COMPARATIVES.items():
        for mention in frame.find(label, low, high):
            if frame.has(mention.start - 1, "sign.times", "sign.percent", "value.multiple"):
                continue  # a number says how much
            metric = _than(frame, mention, kind, high)
            if metric is None and frame.has(mention.start, "compare.speed") and _compared(frame, mention):
                metric = "throughput"
            if metric is None and kind == "verb" and _set_beside(frame, mention, high, taken):
                metric = "throughput"
            if metric == "latency":
                yield _Trigger(mention, "verb" if kind == "trail" else "trail", metric)
            elif metric:
                yield _Trigger(mention, kind, metric)


def _than(frame: Frame, mention: Mention, kind: str, high: int) -> Metric | None:
    """What "higher … numbers in v6.1 than it did in v6.0" compares; null for no result."""
    for i in range(mention.end, min(high, mention.end + 12)):
        if frame.has(i, "compare.than"):
            if not _object(frame, i + 1, high, past=True):
                return None
            if frame.within(mention.start, i, "metric.latency"):
                return "latency"
            if _measured_before(frame, mention, "metric.latency"):
                return "latency"
            measured = frame.within(mention.start, i, "metric.throughput")
            speed = kind == "verb" and frame.has(mention.start, "compare.speed")
            return "throughput" if measured or speed or _measured_before(frame, mention) else None
        if is_stop(frame, i):
            return None
    return None


def _measured_before(frame: Frame, mention: Mention, label: str = "metric.throughput") -> bool:
    """ "Throughput of the B70 is higher than …"."""
    a, _ = segment(frame, mention.start, mention.end)
    return frame.has(mention.start - 1, "grammar.is") and frame.any(label, a, mention.start)


def _compared(frame: Frame, mention: Mention) -> bool:
    """ "Im Vergleich zur B200 ist die MI355X schneller": the other side stands apart."""
    a, b = clause(frame, mention.start, mention.end)
    marks = frame.find("outperform.compared", a, b)
    return _sides(frame, a, b) >= 2 and any(_object(frame, m.end, b, past=False) for m in marks)


def _set_beside(frame: Frame, mention: Mention, high: int, taken: list[Found]) -> bool:
    """ "16,427 per GPU – slightly better than NVIDIA's own rack": a figure, then at once who has less."""
    low, _ = frame.sentence(mention.start)
    figure = any(f.kind == "absolute" and low <= f.at < mention.start for f in taken)
    return figure and frame.has(mention.end, "compare.than") and _direct(frame, mention.end + 1, high)


def _passive(frame: Frame, mention: Mention, low: int) -> bool:
    """ "wird von der B200 übertroffen": the one after "von" is the better one."""
    if not frame.has(mention.start, "outperform.participle"):
        return False
    before = range(max(low, mention.start - 6), mention.start)
    by = any(frame.has(i, "thing.by") and _object(frame, i + 1, mention.start, past=False) for i in before)
    return by and frame.within(max(low, mention.start - 16), mention.start, "outperform.passive")


def _edge_over(frame: Frame, mention: Mention) -> bool:
    """ "has the edge over B200", "gegenüber der B200 die Nase vorn", "against B200, A does better"."""
    a, b = clause(frame, mention.start, mention.end)
    return any(_object(frame, m.end, b, past=False) for m in frame.find("baseline.mark", a, b))


# --- sides ---------------------------------------------------------------------------------------


def _scenario_next(frame: Frame, mention: Mention) -> bool:
    window = range(mention.end, min(mention.end + 3, len(frame.labels)))
    return any(label.startswith("scenario.") for i in window for label in frame.labels[i])


def _sides(frame: Frame, low: int, high: int) -> int:
    names = {m.name.canonical for label in _SIDES for m in frame.find(label, low, high)}
    return len(names) + frame.any("baseline.previous", low, high)


def _object(frame: Frame, start: int, high: int, *, past: bool) -> bool:
    """Whether a thing to compare with follows; with `past` also a round or a predecessor."""
    labels = (*_SIDES, "name.unknown", *(_PAST if past else ()))
    if frame.has(start, "grammar.object") and not frame.has(start, "link.determiner"):
        return True  # "falls behind it"
    for i in range(start, min(high, start + _REACH)):
        if is_stop(frame, i) and frame.low(i) != "(":
            return False
        if frame.has(i, *labels):
            return True
        number = frame.number_at.get(i)
        if number is not None and counts_chips(frame, number):
            return True
        if number is not None and not frame.has(number.end, *labels, *_COUNTABLE):
            return False  # "exceeds 2 million tokens/s on B200" has no other side
    return False


def _direct(frame: Frame, start: int, high: int) -> bool:
    """Whether a chip or a maker follows at once, an article or a count before it."""
    for i in range(start, min(high, start + 4)):
        if frame.has(i, *_SIDES):
            return True
        if i not in frame.number_at and not frame.has(i, "link.determiner", "thing.before", "thing.link"):
            return False
    return False


# --- no comparison of results --------------------------------------------------------------------


def _vetoed(frame: Frame, trigger: _Trigger, a: int, b: int) -> bool:
    """Whether a clause speaks of hardware, participation, rules, plans, money, or denies."""
    mention = trigger.mention
    start, end = segment(frame, mention.start, mention.end)
    if frame.has(mention.start, "record.phrase"):
        return True  # "outperforms the field"
    if frame.any("spec.noun", start, end) or frame.any("outperform.elsewhere", start, end):
        return True
    plans = () if trigger.kind == "passive" else _PLANS  # "wird übertroffen" is no plan
    if frame.any_of(plans, a, b) or _participation(frame, a, b):
        return True
    if trigger.kind == "parity" and frame.any("spec.accuracy", start, end):
        return True
    universal = ("quantifier.all", "quantifier.others", "record.everyone")  # "beats all others" is a record
    if frame.any_of(universal, mention.end, min(b, mention.end + 3)):
        return True
    denials = _DENIALS if trigger.kind == "parity" else (*_DENIALS, "negation.never")
    if frame.any_of(denials, a, mention.start):
        return True
    if frame.any_of(_RANKS, start, end):
        return True  # "second place behind B" is a place
    return frame.within(max(a, mention.start - 4), mention.start, "negation.word") or _denied_after(
        frame, mention, b
    )


def _amount_unread(frame: Frame, trigger: _Trigger, b: int, taken: list[Found]) -> bool:
    """Whether an amount that was not read stands with the comparison: "a hundred times faster", "1e999x".

    Without its number such a sentence says something else, and would be found true.
    """
    mention = trigger.mention
    read = {i for f in taken for i in range(f.at, f.till)}
    if any(mention.end < f.at < b and _given_as_lead(frame, f.at - 1) for f in taken if f.kind == "absolute"):
        return True
    before = range(max(frame.sentence(mention.start)[0], mention.start - _BEFORE), mention.start)
    if any(_amount(frame, i) for i in before if i not in read):
        return True
    if any(_plain_number(frame, i) for i in before[-2:] if i not in read):
        return True
    return any(_amount(frame, i) for i in range(mention.end, min(b, mention.end + _AFTER)) if i not in read)


def _given_as_lead(frame: Frame, i: int) -> bool:
    """The word before an amount by which one side is ahead: "by 5 million tokens/s"."""
    return any(label.endswith(".by") for label in frame.labels[i])


def _amount(frame: Frame, i: int) -> bool:
    """A word or sign that only a number goes with: per cent, times (not that of a count), hundred."""
    if frame.names[i] is not None:
        return False
    if frame.has(i, "sign.times"):
        return i + 1 >= len(frame.tokens) or frame.names[i + 1] is None
    return frame.has(i, "sign.percent", "sign.factor", "value.magnitude", "outperform.amount")


def _plain_number(frame: Frame, i: int) -> bool:
    """A number that neither is a name's nor counts things."""
    number = frame.number_at.get(i)
    if number is None:
        return frame.tokens[i].kind == "number" and frame.names[i] is None and not frame.has(i, "round")
    if number.word and number.value.value == 1 and frame.has(i, "link.determiner"):
        return False  # "eine höhere Leistung"
    after = number.end
    counted = frame.has(after, *_SIDES, *_COUNTABLE, "noun.accelerator") or counts_chips(frame, number)
    return not counted and number.end == i + 1


def _participation(frame: Frame, a: int, b: int) -> bool:
    """ "submitted more results than": counted entries; "better results than" is no such count."""
    for mention in frame.find("spec.participation", a, b):
        compared = frame.any("compare.than", mention.start, mention.end)
        counted = frame.has(mention.start - 1, "outperform.counted")
        if "spec.single" not in mention.labels and (counted or not compared):
            return True
    return False


def _denied_after(frame: Frame, mention: Mention, b: int) -> bool:
    """ "A schlägt B nicht": the denial ends the clause."""
    last = b - 1 if b > mention.end and is_stop(frame, b - 1) else b
    return frame.within(max(mention.end, last - 1), last + 1, "negation.word")
