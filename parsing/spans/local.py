"""What stands around a value: its segment, the noun it belongs to, the words before and after."""

from __future__ import annotations

from collections.abc import Iterator

from parsing.frame import Frame, Number

HARDWARE = ("name.accelerator", "name.system", "name.family", "name.processor")
MAKERS = ("name.submitter", "name.vendor")
_REACH = 14
_CLAUSE = 60
_PHRASE = 9
_MOST_CHIPS = 10_000


def is_stop(frame: Frame, i: int) -> bool:
    """Whether a token is a sign that ends a phrase: comma, bracket, colon, dash, the end of a sentence."""
    return 0 <= i < len(frame.stops) and frame.stops[i] > 0


def is_strong(frame: Frame, i: int) -> bool:
    """Whether a token is a sign that ends a part of a sentence: a semicolon, a bar, the end."""
    return 0 <= i < len(frame.stops) and frame.stops[i] > 1


def wall(frame: Frame, low: int, high: int) -> bool:
    """Whether such a sign stands in `[low, high)`."""
    return 2 in frame.stops[low:high]


def segment(frame: Frame, start: int, end: int) -> tuple[int, int]:
    """The tokens around `[start, end)` up to the next comma, bracket, colon or "and", in its sentence."""
    low, high = frame.sentence(start)
    low, high = max(low, start - _REACH), min(high, end + _REACH)
    before, after = frame.walls.rfind(1, low, start), frame.walls.find(1, end, high)
    return low if before < 0 else before + 1, high if after < 0 else after


def clause(frame: Frame, start: int, end: int) -> tuple[int, int]:
    """The tokens around `[start, end)` up to the next semicolon or clause word, in its sentence."""
    low, high = frame.sentence(start)
    low, high = max(low, start - _CLAUSE), min(high, end + _CLAUSE)
    before, after = frame.seams.rfind(1, low, start), frame.seams.find(1, end, high)
    return low if before < 0 else before + 1, high if after < 0 else after


def phrase_after(frame: Frame, end: int, high: int) -> int:
    """Where the noun phrase after a value ends: at a sign, a preposition, a verb of the sentence."""
    high = min(high, end + _PHRASE)
    if is_stop(frame, end):
        return min(end, high)
    after = frame.turns.find(1, end + 1, high)
    return max(end, high) if after < 0 else after


def steps(frame: Frame, start: int, end: int, most: int) -> Iterator[int]:
    """The tokens from `start`, a name or a hyphenated compound counting as one step, at most `most` steps."""
    i, taken = start, 0
    while i < end and taken < most:
        yield i
        name = frame.names[i]
        i = name.end if name is not None else i + 1
        taken += 1


def past_bracket(frame: Frame, i: int) -> int:
    """Past a short bracket that opens at a token ("28 % (Offline) und …")."""
    if frame.low(i) != "(":
        return i
    close = next((j for j in range(i, min(len(frame.tokens), i + 8)) if frame.low(j) == ")"), None)
    return i if close is None else close + 1


def counts_chips(frame: Frame, number: Number) -> bool:
    """Whether a number counts chips: the noun follows, or the count before had it ("72 GPUs beat 94")."""
    if frame.has(number.end, "noun.accelerator"):
        return True
    low, high = frame.sentence(number.start)
    value, end = number.value.value, number.end
    if value != int(value) or not 0 < value <= _MOST_CHIPS:
        return False
    if end < high and not (is_stop(frame, end) or frame.has(end, "baseline.preposition")):
        return False
    return any(frame.has(n.end, "noun.accelerator") for n in frame.counted(low, number.start))


def whole(frame: Frame, end: int) -> int:
    """The end of a span, moved past a name that it would cut."""
    name = frame.names[end - 1] if 0 < end <= len(frame.names) else None
    return name.end if name is not None else end


def apart(frame: Frame, left: int, right: int) -> bool:
    """Whether a sign or an "and" stands between two tokens."""
    low, high = min(left, right), max(left, right)
    return any(is_stop(frame, i) or frame.has(i, "link.and", "link.clause") for i in range(low, high))


def near(frame: Frame, label: str, start: int, end: int, before: int, after: int) -> bool:
    """Whether a mention with this label lies within so many tokens, in the same sentence."""
    low, high = frame.sentence(start)
    return frame.any(label, max(low, start - before), min(high, end + after))
