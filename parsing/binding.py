"""Which mention belongs to which value: the one beside it, the list in its order, the last one said.

"2.90M tokens/s offline and 2.41M tokens/s server" binds each value to the scenario beside it,
"offline and server … 2 % and 4 %, respectively" binds by order, "one L40S does 1,207 (Server)
and 1,642 (Offline), one H100 …" binds each value to the chip named last before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, TypeVar

from parsing.frame import Frame
from parsing.spans.local import is_stop, wall

Span = tuple[int, int]
_TIGHT = 3
_JOINERS = ("link.determiner", "link.both", "baseline.preposition", "baseline.of", "owner.us")
_BESIDE = (
    "baseline.preposition",
    "link.determiner",
    "benchmark.ours",
    "suite.inference",
    "suite.training",
    "baseline.of",
    "grammar.object",
)


@dataclass(slots=True)
class Item:
    """Something at tokens `[start, end)` that a value can be bound to."""

    start: int
    end: int
    value: str


def joint(frame: Frame, left: int, right: int) -> str:
    """How the tokens `[left, right)` join two listed things: "and", "or", "," or "" for not at all."""
    if right - left > 6 or right <= left:
        return ""
    kind = ""
    for i in range(left, right):
        word = frame.low(i)
        if frame.has(i, "link.or"):
            kind = "or"
        elif frame.has(i, "link.and") or word in "/|&":
            if frame.low(i + 1) == ",":
                return ""  # "… and, on DLRM-v3, …" opens something new
            kind = kind or "and"
        elif word == ",":
            kind = kind or ","
        elif not frame.has(i, *_JOINERS):
            return ""
    return "and" if kind == "," and frame.within(left, right, "link.and") else kind


def coordinated(frame: Frame, left: int, right: int) -> bool:
    """Whether only "and", commas, slashes and articles stand in tokens `[left, right)`."""
    return joint(frame, left, right) != ""


class Placed(Protocol):
    """Whatever stands at tokens `[start, end)`."""

    start: int
    end: int


P = TypeVar("P", bound=Placed)


def groups(frame: Frame, items: Sequence[P]) -> list[list[P]]:
    """Items that a sentence lists together; a list held by commas alone is none."""
    found: list[list[P]] = []
    chain: list[P] = []
    joints: list[str] = []
    for item in items:
        how = joint(frame, chain[-1].end, item.start) if chain else ""
        if how:
            chain.append(item)
            joints.append(how)
            continue
        found.extend(_settle(chain, joints))
        chain, joints = [item], []
    found.extend(_settle(chain, joints))
    return found


def _settle(chain: list[P], joints: list[str]) -> list[list[P]]:
    if not chain:
        return []
    return [chain] if not joints or any(j != "," for j in joints) else [[item] for item in chain]


def alternative(frame: Frame, group: Sequence[Placed]) -> bool:
    """Whether a list says "or": neither of the two is meant in particular."""
    return any(frame.has(i, "link.or") for a, b in pairwise(group) for i in range(a.end, b.start))


def bind(frame: Frame, items: Sequence[P], values: Sequence[Span], *, ordered: bool = True) -> list[list[P]]:
    """For each value the items that belong to it (several where they hold together), in order."""
    grouped = groups(frame, items)
    if not grouped or not values:
        return [[] for _ in values]
    zipped = _in_order(frame, grouped, values) if ordered else None
    if zipped is not None:
        return zipped
    if len(grouped) == 1:
        return [grouped[0] if _reaches(frame, grouped[0], value, values) else [] for value in values]
    return [_choose(frame, grouped, value, values) for value in values]


def _in_order(frame: Frame, grouped: list[list[P]], values: Sequence[Span]) -> list[list[P]] | None:
    """Lists of the same length are read in their order, if the values are listed together too.

    One list may hold for several runs of values ("offline / server: 102 / 98 (A), 147 / 128 (B)").
    """
    if len(values) < 2:
        return None
    lists = [g for g in grouped if len(g) > 1]
    if not lists:
        return None
    low, high = frame.sentence(values[0][0])
    if len(lists) == 1 and len(lists[0]) == len(values) and frame.any("link.order", low, high):
        return [[item] for item in lists[0]]
    runs: list[list[Span]] = [[values[0]]]
    for left, right in pairwise(values):
        if coordinated(frame, left[1], right[0]):
            runs[-1].append(right)
        else:
            runs.append([right])
    lists = [g for g in lists if all(len(run) == len(g) for run in runs)]
    if len(lists) != 1 or (len(runs) > 1 and len(grouped) > 1):
        return None
    return [[item] for _ in runs for item in lists[0]]


def _walls(frame: Frame, a: Span, b: Span) -> bool:
    return wall(frame, a[1], b[0]) if a[1] <= b[0] else wall(frame, b[1], a[0])


def _reaches(frame: Frame, group: list[P], value: Span, values: Sequence[Span]) -> bool:
    """Whether the only mention of a sentence holds for a value: forward always, back only in its own part."""
    span = (group[0].start, group[-1].end)
    if span[0] > value[0] and _leads(frame, group, value, values):
        return False
    if len(values) == 1 or span[0] < value[0] or not _walls(frame, span, value):
        return True
    return all(v[0] <= value[0] or _walls(frame, span, v) for v in values)


def _choose(frame: Frame, grouped: list[list[P]], value: Span, values: Sequence[Span]) -> list[P]:
    """The group beside the value; else the last before it, or the next where the values come first."""
    before: list[list[P]] = []
    after: list[list[P]] = []
    for group in grouped:
        if group[-1].end <= value[0]:
            before.append(group)
        elif group[0].start >= value[1]:
            after.append(group)
        elif group[0].start >= value[0] and group[-1].end <= value[1]:
            return group
    if after and _beside(frame, value[1], after[0][0].start):
        return after[0]
    if before and _beside(frame, before[-1][-1].end, value[0]):
        return before[-1]
    if before and grouped[0][0].start < min(values)[0]:
        return before[-1]  # the sentence names the thing first, then its values
    following = min((v[0] for v in values if v[0] >= value[1]), default=value[1] + 10_000)
    after = [g for g in after if not _leads(frame, g, value, values)]
    for group in after:
        start = group[0].start
        if start < following and not _walls(frame, (start, start), value):
            return group
    for group in reversed(before):
        if not _owned(frame, group, value, values):
            return group
    return after[0] if after else []  # all that was said belongs to other values


def _owned(frame: Frame, group: list[P], value: Span, values: Sequence[Span]) -> bool:
    """Whether a group before a value belongs to another one: beside it, or with one in between."""
    between = any(group[-1].end <= v[0] and v[1] <= value[0] for v in values)
    return between or any(v[1] <= group[0].start and _beside(frame, v[1], group[0].start) for v in values)


def _leads(frame: Frame, group: list[P], value: Span, values: Sequence[Span]) -> bool:
    """Whether a group after a value is the head of the next one: "HPE 51.2k, Google B200 49.3k"."""
    if not is_stop(frame, value[1]):
        return False
    return any(v[0] >= group[-1].end and _beside(frame, group[-1].end, v[0]) for v in values)


def _beside(frame: Frame, left: int, right: int) -> bool:
    """Whether nothing but a preposition, an article or a bracket stands between."""
    if right - left > _TIGHT:
        return False
    for i in range(left, right):
        led = frame.has(i, *_BESIDE) and not frame.has(i, "link.and")
        if not led and frame.low(i) != "(":
            return False
    return True


def listed(frame: Frame, spans: Sequence[Span]) -> bool:
    """Whether spans stand in one list."""
    return all(coordinated(frame, a[1], b[0]) for a, b in pairwise(spans))


__all__ = ["Item", "Span", "alternative", "bind", "coordinated", "groups", "is_stop", "joint", "listed"]
