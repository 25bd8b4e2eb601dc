"""Steps from an old figure to a new one: "from 100,437 to 108,124", "5,396 → 5,401", "jumped from A to B"."""

from __future__ import annotations

from itertools import pairwise

from parsing.draft import Draft, Half, Sentence, half
from parsing.frame import Frame
from parsing.rounds import age
from parsing.things import Thing

_REACH = 4


def steps(sentence: Sentence, drafts: list[Draft]) -> list[tuple[Draft, Draft]]:
    """The pairs of figures of which the first is the old one and the second the new one."""
    figures = [d for d in drafts if d.found.kind == "absolute"]
    return [(a, b) for a, b in pairwise(figures) if _leads_to(sentence.frame, a.found.till, b.found.at)]


def _leads_to(frame: Frame, left: int, right: int) -> bool:
    between = range(left, right)
    if not 0 < len(between) <= _REACH:
        return False
    to = any(frame.has(i, "when.to", "sign.to") or frame.low(i) == "→" for i in between)
    return to and not frame.within(left, right, "baseline.mark")


def bind_steps(sentence: Sentence, drafts: list[Draft]) -> None:
    """Give the old figure of a step the older round and the thing left behind, the new one the others."""
    pairs = steps(sentence, drafts)
    if not pairs:
        return
    rounds = _rounds(sentence, drafts)
    named = _from_to(sentence)
    for old, new in pairs:
        if rounds is not None:
            _round(sentence, old, rounds[0])
            _round(sentence, new, rounds[1])
        if named is not None:
            _thing(sentence, old, named[0])
            _thing(sentence, new, named[1])


def _rounds(sentence: Sentence, drafts: list[Draft]) -> tuple[str, str] | None:
    """The older and the newer round of the sentence, as its comparisons have them or as it names two."""
    for draft in drafts:
        if draft.relative and draft.subject.round and draft.baseline.round:
            return draft.baseline.round, draft.subject.round
    said = sorted({i.value for i in sentence.rounds}, key=age)
    return (said[0], said[1]) if len(said) == 2 else None


def _round(sentence: Sentence, draft: Draft, name: str | None) -> None:
    draft.fields["round"] = name
    item = next((i for i in sentence.rounds if i.value == name), None)
    if item is not None:
        sentence.note(draft, "round", item.start, item.end)
    else:
        draft.context.add("round")


def _from_to(sentence: Sentence) -> tuple[Thing, Thing] | None:
    """Two chips of which the sentence moves from the first to the second."""
    other = {id(b.thing) for b in sentence.others if b.thing is not None}
    for left, right in pairwise([t for t in sentence.named if t.hardware]):
        start = min([right.start, *(n.start for n in right.counted if n.start >= left.end)])
        first = min([left.start, *(n.start for n in left.counted)])
        moved = id(left) in other or sentence.frame.has(first - 1, "when.from")
        if start - left.end == 1 and sentence.frame.has(left.end, "when.to") and moved:
            return left, right
    return None


def _thing(sentence: Sentence, draft: Draft, thing: Thing) -> None:
    said: Half = half(thing)
    for name in ("accelerator", "system", "vendor", "accelerators", "nodes"):
        value = getattr(said, name)
        setattr(draft.subject, name, value)
        if value is not None:
            sentence.note(draft, f"subject.{name}", thing.start, thing.end)
