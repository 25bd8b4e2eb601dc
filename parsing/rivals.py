"""The field of rivals that a record names: "best 4-GPU score", "first among all 72-GPU GB300 systems"."""

from __future__ import annotations

from parsing.draft import Draft, Half, Sentence
from parsing.frame import Frame
from parsing.spans.leads import is_best
from parsing.spans.local import HARDWARE, is_stop
from parsing.things import Thing

_FAR = 14
_REACH = 10
_IN_PHRASE = (
    *HARDWARE,
    "name.vendor",
    "name.model",
    "noun.accelerator",
    "noun.node",
    "noun.rack",
    "metric.throughput",
    "record.field",
    "record.size_noun",
    "thing.before",
    "thing.node",
)

Span = tuple[int, int]


def rivals(sentence: Sentence, draft: Draft) -> tuple[Half, list[Thing]]:
    """The field that a record is first in, and the things that name it; empty where all are meant."""
    field, named = Half(), list[Thing]()
    if draft.found.kind != "record":
        return field, named
    for start, end in _spans(sentence, draft):
        for thing in sentence.named:
            if thing.hardware and start <= thing.start < end and thing.accelerators:
                field.accelerator = field.accelerator or " | ".join(thing.accelerators)
                field.accelerators = field.accelerators or thing.count
                named.append(thing)
                sentence.note(draft, "baseline.accelerator", thing.start, thing.end)
        field.accelerators = field.accelerators or _size(sentence.frame, start, end)
    return field, named


def _spans(sentence: Sentence, draft: Draft) -> list[Span]:
    """Where the field is said: in the superlative's own phrase, after "among", "of all", "ahead of all"."""
    frame, (at, till) = sentence.frame, draft.span
    spans = []
    if is_best(frame, at):
        end = till
        while end < sentence.high and (frame.has(end, *_IN_PHRASE) or end in frame.number_at):
            end += 1
        spans.append((at, end))
    marks = [m for m in frame.find("rivals.mark", sentence.low, sentence.high) if _close(m.start, at, till)]
    spans += [(m.end, _until(frame, m.end, sentence.high)) for m in marks]
    return spans


def _close(mark: int, at: int, till: int) -> bool:
    return at - _FAR <= mark <= till + _FAR


def _until(frame: Frame, start: int, high: int) -> int:
    """The end of the phrase that names the field."""
    end = start
    while end < min(high, start + _REACH) and not is_stop(frame, end):
        leads_on = frame.has(end, "baseline.preposition") and not frame.has(end, "thing.holds")
        # "that has eight H100" goes on
        has = frame.has(end, "grammar.is") and not frame.has(end - 1, "relative.that")
        if leads_on or has or frame.has(end, "link.clause"):
            break
        end += 1
    return end


def _size(frame: Frame, start: int, end: int) -> int | None:
    """ "8-GPU systems": how many accelerators each of them has."""
    for i in range(start, end):
        number = frame.number_at.get(i)
        if number is not None and frame.has(number.end, "noun.accelerator", "rivals.sized"):
            value = number.value.value
            return int(value) if value == int(value) and value >= 1 else None
    return None
