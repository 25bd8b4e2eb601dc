"""Which mention belongs to which value: the nearest in the same clause, lists in their order.

"2.90M tokens/s offline and 2.41M tokens/s server" binds each value to the scenario beside it,
"offline and server … 2 % and 4 %, respectively" binds them by order, and one mention alone
holds for every value of its sentence unless a semicolon keeps it to its own part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from parsing.frame import Frame
from parsing.spans.local import is_stop, is_strong

FAR = 1000.0
_COSTS = {";": 40.0, "|": 40.0, ",": 3.0, ":": 3.0, "—": 5.0, "(": 1.0, ")": 1.0, "/": 4.0, "→": 1.0}


@dataclass(slots=True)
class Item:
    """Something at tokens `[start, end)` that a value can be bound to."""

    start: int
    end: int
    value: str


Span = tuple[int, int]


def coordinated(frame: Frame, left: int, right: int) -> bool:
    """Whether only "and", commas, slashes and articles stand in tokens `[left, right)`."""
    if right - left > 5 or right < left:
        return False
    joined = False
    for i in range(left, right):
        if frame.has(i, "link.and") or frame.low(i) in (",", "/", "|"):
            joined = True
        elif not frame.has(i, "link.determiner", "link.both", "baseline.preposition", "baseline.of"):
            return False
    return joined


def groups(frame: Frame, items: Sequence[Item]) -> list[list[Item]]:
    """Items that a sentence lists together."""
    found: list[list[Item]] = []
    for item in items:
        if found and coordinated(frame, found[-1][-1].end, item.start):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def cost(frame: Frame, a: Span, b: Span, values: Sequence[Span]) -> float:
    """How far apart two spans are: tokens, and what stands between them."""
    low, high = (a[1], b[0]) if a[1] <= b[0] else (b[1], a[0])
    if low >= high:
        return 0.0
    total = float(high - low)
    for i in range(low, high):
        if frame.tokens[i].kind == "sign":
            total += _COSTS.get(frame.low(i), 0.0)
        elif frame.has(i, "link.clause"):
            total += 12.0
        elif frame.has(i, "link.and"):
            total += 4.0
    for start, end in values:
        if start >= low and end <= high and (start, end) not in (a, b):
            total += 15.0
    return total


def bind(
    frame: Frame, items: Sequence[Item], values: Sequence[Span], *, ordered: bool = True
) -> list[list[Item]]:
    """For each value the items that belong to it (several where they hold together), in order."""
    grouped = groups(frame, items)
    if not grouped:
        return [[] for _ in values]
    zipped = _in_order(frame, grouped, values) if ordered else None
    if zipped is not None:
        return zipped
    if len(grouped) == 1:
        return [grouped[0] if _reaches(frame, grouped[0], value, values) else [] for value in values]
    return [_nearest(frame, grouped, value, values) for value in values]


def _in_order(frame: Frame, grouped: list[list[Item]], values: Sequence[Span]) -> list[list[Item]] | None:
    """Lists of the same length are read in their order, if the values are listed together too."""
    lists = [g for g in grouped if len(g) > 1]
    if len(lists) != 1 or len(lists[0]) != len(values) or len(values) < 2:
        return None
    together = all(
        coordinated(frame, left[1], right[0]) for left, right in zip(values, values[1:], strict=False)
    )
    low, high = frame.sentence(values[0][0])
    if together or frame.any("link.order", low, high):
        return [[item] for item in lists[0]]
    return None


def _reaches(frame: Frame, group: list[Item], value: Span, values: Sequence[Span]) -> bool:
    """Whether the only mention of a sentence holds for a value: not across a semicolon that closes its part."""
    if len(values) == 1:
        return True
    span = (group[0].start, group[-1].end)
    low, high = (span[1], value[0]) if span[1] <= value[0] else (value[1], span[0])
    walls = [i for i in range(low, high) if is_strong(frame, i)]
    if not walls:
        return True
    if span[0] > value[0]:
        return False
    return not any(span[0] > v[0] and v[1] <= walls[0] for v in values)


def _nearest(frame: Frame, grouped: list[list[Item]], value: Span, values: Sequence[Span]) -> list[Item]:
    best, least = grouped[0], FAR
    for group in grouped:
        price = cost(frame, (group[0].start, group[-1].end), value, values)
        if price < least:
            best, least = group, price
    return best


def topic(frame: Frame, items: Sequence[Item], low: int, first: int) -> list[Item]:
    """The items that a sentence opens with, before its first value."""
    return [item for item in items if low <= item.start < first]


def walk(frame: Frame, start: int, stop: Callable[[int], bool], high: int) -> int:
    """The first token from `start` at which `stop` holds, or `high`."""
    i = start
    while i < high and not stop(i):
        i += 1
    return i


__all__ = ["Item", "Span", "bind", "coordinated", "cost", "groups", "is_stop", "topic", "walk"]
