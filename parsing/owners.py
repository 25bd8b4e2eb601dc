"""Whose a figure or the other side is, where other words than its place in the sentence say so."""

from __future__ import annotations

from parsing.draft import Draft, Sentence
from parsing.frame import Frame
from parsing.spans.local import is_stop, is_strong
from parsing.things import Thing

_CLAUSE = 9


def entered(frame: Frame, thing: Thing) -> bool:
    """Whether a chip maker stands here as one who entered a result: "NVIDIA's own", "Nvidia (253.506)"."""
    if thing.hardware or thing.submitter or not (thing.said and thing.vendor):
        return False
    after = thing.end + (frame.gap(thing.end) == "'")
    if frame.has(after, "maker.own", "maker.follows"):
        return True
    number = frame.number_at.get(after + 1) if frame.low(after) == "(" else None
    return number is not None and frame.low(number.end) == ")" and number.value.value >= 100


def is_source(frame: Frame, thing: Thing) -> bool:
    """ "Giga Computing's chart", "the AMD blog": where a text was found, not whose result it is."""
    if thing.hardware:
        return False
    after = thing.end + (frame.low(thing.end) == "s" and frame.gap(thing.end) in ("'", "’"))
    return frame.has(after, "speaker.source")


def said_after(frame: Frame, draft: Draft, things: list[Thing]) -> list[Thing]:
    """ "the 82,749 tokens/sec that Juniper had reached on 32 H100s": what the clause after a figure names."""
    start = draft.found.till
    if draft.found.kind != "absolute" or not frame.has(start, "relative.that"):
        return []
    _, high = frame.sentence(start)
    end = next((i for i in range(start, high) if is_stop(frame, i)), high)
    return [t for t in things if start < t.start < min(end, start + _CLAUSE)][:1]


def another_clause(sentence: Sentence, draft: Draft, chosen: Thing, makers: list[Thing]) -> bool:
    """Whether a figure is of a maker named after the hardware: "…; NVIDIA followed at 1,460"."""
    frame, at = sentence.frame, draft.found.at
    for maker in makers:
        if not chosen.end <= maker.start < at or maker.submitter is None:
            continue
        wall = any(is_strong(frame, i) for i in range(chosen.end, maker.start))
        beside = range(maker.end, at)
        own = len(beside) <= 3 and all(
            frame.low(i) in ("(", "s") or frame.has(i, "maker.own", "maker.follows") for i in beside
        )
        if wall or (own and draft.found.kind == "absolute" and maker.submitter != chosen.submitter):
            return True
    return False


def is_host(frame: Frame, thing: Thing) -> bool:
    """ "four cards in one Xeon 6 workstation": the processor is where the cards sit, not what is measured."""
    if not thing.processor or not frame.has(thing.end, "noun.node", "record.machine"):
        return False
    return frame.within(max(0, thing.start - 3), thing.start, "thing.inside")


def own_rival(sentence: Sentence, draft: Draft, thing: Thing) -> bool:
    """ "27 % more than its own GB200 rack", "our TPU v5e result": the other side has the same owner."""
    start = min([thing.start, *(n.start for n in thing.counted)])
    return sentence.frame.within(max(0, start - 2), start, "owner.its", "owner.us")
