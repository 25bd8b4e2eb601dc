"""How many: counts that stand apart from a name, from–to pairs of scaling, nodes of so many each."""

from __future__ import annotations

from itertools import pairwise

from parsing.binding import Item
from parsing.draft import Draft, Sentence
from parsing.frame import Frame, Number
from parsing.spans.local import is_stop, segment

_MOST = 512
_FIGURE = 1000
_MOST_EVER = 100_000


def bind_counts(sentence: Sentence, drafts: list[Draft]) -> None:
    """ "on 5,000 GPUs", "at 72 GPUs each", "11 nodes", "from 8 to 512 MI355X"."""
    chips, nodes = _counts(sentence)
    for draft in drafts:
        if draft.found.kind == "scaling":
            _scaled(sentence, draft, chips, nodes)
        else:
            _counted(sentence, draft, "accelerators", chips)
            _counted(sentence, draft, "nodes", nodes)


def is_node(frame: Frame, i: int) -> bool:
    return frame.has(i, "thing.node", "thing.server")


def _whole(number: Number) -> int:
    """The number as a count; 0 where it is none."""
    value = number.value.value
    return int(value) if value >= 1 and value == int(value) else 0


def _counts(sentence: Sentence) -> tuple[list[Item], list[Item]]:
    """The counts of accelerators and of nodes that no name took."""
    frame = sentence.frame
    taken = {n.start for t in sentence.named for n in t.counted}
    chips: list[Item] = []
    nodes: list[Item] = []
    for number in frame.counted(sentence.low, sentence.high):
        count = _whole(number)
        if number.start in taken or not count or is_figure(sentence, number):
            continue
        if is_node(frame, number.end):
            nodes.append(Item(number.start, number.end + 1, str(count)))
            each = _in_each(frame, number.end + 1)
            if each is not None:
                chips.append(Item(number.start, each.end, str(count * _whole(each))))
                taken.add(each.start)
        elif _of_chips(frame, number):
            chips.append(Item(number.start, number.end + 1, str(count)))
        elif (chips or nodes) and _elliptic(sentence, number):
            last = max((*chips, *nodes), key=lambda item: item.start)
            (chips if last in chips else nodes).append(Item(number.start, number.end, str(count)))
        elif _led_by(frame, number.start) and _ends_phrase(frame, number.end) and count <= _MOST:
            chips.append(Item(number.start, number.end, str(count)))
    chips += [*_lone(sentence), *_as_many(sentence, chips)]
    chips.sort(key=lambda item: item.start)
    return chips, nodes


def is_figure(sentence: Sentence, number: Number) -> bool:
    """Whether a number is a result ("from 8,324 to 16,703 tokens/s", "8,850 server"), no count of things."""
    if any(f.at <= number.start < f.till for f in sentence.found if f.kind == "absolute"):
        return True
    if number.value.value > _MOST_EVER:
        return True
    return is_node(sentence.frame, number.end) and number.value.value >= _FIGURE


def _led_by(frame: Frame, i: int) -> bool:
    """ "18,800 with eight", "50,454 for eight": what leads to a count whose noun was said before."""
    figure = i - 2 in frame.number_at or frame.section_at(i - 2, "unit.") is not None
    return frame.has(i - 1, "thing.with") and figure


def _ends_phrase(frame: Frame, i: int) -> bool:
    return i >= len(frame.tokens) or is_stop(frame, i) or frame.has(i, "link.and", "link.clause")


def _lone(sentence: Sentence) -> list[Item]:
    """ "a lone card", "one of them": one, and no name took it."""
    frame = sentence.frame
    if "thing.one" not in frame.said(sentence.low):
        return []
    named = {i for t in sentence.named for i in range(t.start - 2, t.end + 1)}
    return [
        Item(i, i + 2, "1")
        for i in range(sentence.low, sentence.high - 1)
        if frame.has(i, "thing.one")
        and i not in frame.number_at
        and frame.has(i + 1, "noun.accelerator", "thing.them")
        and i not in named
        and not frame.has(i - 1, "negation.no")
    ]


def _as_many(sentence: Sentence, chips: list[Item]) -> list[Item]:
    """ "with as many", "mit ebenso vielen": the count said last holds again."""
    mentions = sentence.frame.find("thing.as_many", sentence.low, sentence.high)
    if not mentions:
        return []
    said = [Item(n.start, n.end, str(_whole(n))) for t in sentence.named for n in t.counted if _whole(n)]
    said = sorted([*said, *chips], key=lambda item: item.start)
    found = []
    for mention in mentions:
        before = [item for item in said if item.start < mention.start]
        if before and sentence.frame.has(mention.start - 1, "thing.holds", "thing.with"):
            found.append(Item(mention.start, mention.end, before[-1].value))
    return found


def _elliptic(sentence: Sentence, number: Number) -> bool:
    """ "with 2,048 GPUs … in 20.8 minutes, with 4,096 in 11.9": the noun was said before."""
    frame = sentence.frame
    if any(f.start <= number.start < f.end for f in sentence.found) or frame.section_at(number.end, "unit."):
        return False
    after = frame.has(number.end, "baseline.preposition", "grammar.gives")
    return after and (frame.has(number.start - 1, "baseline.preposition") or is_stop(frame, number.start - 1))


def _of_chips(frame: Frame, number: Number) -> bool:
    if frame.has(number.end, "noun.accelerator", "thing.them"):
        return True
    if frame.low(number.start - 1) == "=" and frame.has(number.start - 2, "thing.amount"):
        return True  # "n=72 each"
    return frame.has(number.end, "thing.way") and frame.gap(number.end) == "-"


def _in_each(frame: Frame, i: int) -> Number | None:
    """ "72 nodes of 4 units each", "neun Servern zu je acht": how many in each."""
    for j in range(i + 1, i + 4):
        number = frame.number_at.get(j)
        if number is not None:
            return number if all(frame.has(k, "thing.in_each") for k in range(i, j)) else None
    return None


def _beside(sentence: Sentence, draft: Draft, items: list[Item]) -> list[Item]:
    """ "18,800 with eight", "…, a lone card makes 3,900": a figure's own count, whatever was said before."""
    if draft.found.kind != "absolute":
        return []
    frame, (at, till) = sentence.frame, draft.span
    after = [
        i
        for i in items
        if till < i.start <= till + 2 and all(frame.has(j, "thing.with") for j in range(till, i.start))
    ]
    if after:
        return after
    a, b = segment(frame, at, till)
    if any(a <= n.start < b for t in sentence.named for n in t.counted):
        return []
    return [i for i in items if a <= i.start and i.end <= at][-1:]


def _counted(sentence: Sentence, draft: Draft, name: str, items: list[Item]) -> None:
    if not items:
        return
    said = getattr(draft.subject, name) is not None and f"subject.{name}" not in draft.context
    own = [i for i in items if not any(b.start <= i.start < b.end for b in sentence.others)]
    beside = _beside(sentence, draft, own)
    if beside and int(beside[0].value) > 1 and name == "accelerators" and beside[0].start > draft.found.at:
        draft.found.per_accelerator = False
    bound = beside or ([] if said else sentence.bound(draft, own))
    if not bound:
        return
    item, frame = bound[0], sentence.frame
    setattr(draft.subject, name, int(item.value))
    sentence.note(draft, f"subject.{name}", item.start, item.end)
    if draft.relative and frame.within(
        max(sentence.low, item.start - 5), min(sentence.high, item.end + 2), "link.both"
    ):
        setattr(draft.baseline, name, int(item.value))
        sentence.note(draft, f"baseline.{name}", item.start, item.end)


def _scaled(sentence: Sentence, draft: Draft, chips: list[Item], nodes: list[Item]) -> None:
    """Scaling goes from the smaller count (baseline) to the larger one (subject)."""
    frame = sentence.frame
    if _from_to(sentence, draft):
        return
    several = sum(f.kind == "scaling" for f in sentence.found) > 1
    for name, items in (("accelerators", chips), ("nodes", nodes)):
        if items and getattr(draft.subject, name) is None:
            bound = (sentence.bound(draft, items) if several else []) or items
            largest = max(bound, key=lambda item: int(item.value))
            setattr(draft.subject, name, int(largest.value))
            sentence.note(draft, f"subject.{name}", largest.start, largest.end)
    for i in range(sentence.low, sentence.high):
        if frame.has(i, "thing.one") and is_node(frame, i + 1):
            draft.baseline.nodes = 1
            sentence.note(draft, "baseline.nodes", i, i + 2)


def _from_to(sentence: Sentence, draft: Draft) -> bool:
    frame = sentence.frame
    every = frame.counted(sentence.low, sentence.high)
    numbers = [n for n in every if _whole(n) and not is_figure(sentence, n)]
    for first, second in pairwise(numbers):
        between = range(first.end, second.start)
        joined = any(frame.has(i, "when.to", "sign.to", "when.up") or frame.low(i) == "→" for i in between)
        if joined and len(between) <= 5 and _whole(first) < _whole(second):
            name = "nodes" if is_node(frame, second.end) or is_node(frame, first.end) else "accelerators"
            setattr(draft.subject, name, _whole(second))
            setattr(draft.baseline, name, _whole(first))
            sentence.note(draft, f"subject.{name}", second.start, second.end)
            sentence.note(draft, f"baseline.{name}", first.start, first.end)
            return True
    return False
