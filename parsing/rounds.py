"""Rounds of a claim: one for both sides, or one on each ("from v5.1 to v6.0", "since v6.0")."""

from __future__ import annotations

from functools import lru_cache

from parsing.baselines import when_of
from parsing.binding import Item
from parsing.draft import Draft, Sentence
from parsing.spans.local import is_strong

_THEN = ("when.half_year", "when.ago", "when.previous", "when.year")
_PASSING = (
    "benchmark.ours",
    "suite.inference",
    "suite.training",
    "link.determiner",
    "baseline.preposition",
    "when.filler",
)


def bind_rounds(sentence: Sentence, drafts: list[Draft]) -> None:
    """Give each claim its round, or a round to each of its sides."""
    _then(sentence, drafts)
    distinct = list(dict.fromkeys(i.value for i in sentence.rounds))
    carried = sentence.context.rounds
    for draft in drafts:
        if draft.relative and draft.found.kind != "scaling" and _two(sentence, draft, distinct):
            continue
        here = [i for i in sentence.rounds if not _left_behind(sentence, draft, i.value)]
        if here:
            bound = sentence.bound(draft, here)
            if not bound and _at_the_end(sentence, here):
                bound = here[:1]
            draft.fields["round"] = bound[0].value if bound else None
            if bound:
                sentence.note(draft, "round", bound[0].start, bound[0].end)
        elif len(carried) == 1 and not (draft.found.kind == "absolute" and draft.subject.when):
            draft.fields["round"] = carried[0]
            draft.context.add("round")


def _at_the_end(sentence: Sentence, rounds: list[Item]) -> bool:
    """ "A does X; B does Y (MLPerf Inference v6.0)": a round in the last bracket is that of all."""
    if len(rounds) != 1:
        return False
    frame, item = sentence.frame, rounds[0]
    opened = next((i for i in range(item.start, sentence.low, -1) if frame.low(i) == "("), None)
    closed = next((i for i in range(item.end, sentence.high) if frame.low(i) == ")"), None)
    return opened is not None and closed is not None and sentence.high - closed <= 2


def _left_behind(sentence: Sentence, draft: Draft, name: str) -> bool:
    """A round that only the other side is of ("28 % more than in v6.0") is not that of the figure."""
    if draft.found.kind != "absolute" or len(sentence.context.rounds) != 1:
        return False
    relative = any(f.kind in ("multiple", "percent", "outperforms") for f in sentence.found)
    other = any(b.round == name for b in sentence.others) or name in sentence.starts
    return relative and name not in sentence.context.rounds and other


def _then(sentence: Sentence, drafts: list[Draft]) -> None:
    """ "half a year ago it was 2,907": the figure nearest to the words is of that time."""
    figures = [d for d in drafts if d.found.kind == "absolute"]
    frame, said = sentence.frame, sentence.frame.said(sentence.low)
    mentions = [m for label in _THEN if label in said for m in frame.find(label, sentence.low, sentence.high)]
    for mention in mentions if len(figures) > 1 or sentence.context.rounds else ():
        when = when_of(
            sentence.frame, max(sentence.low, mention.start - 3), min(sentence.high, mention.end + 1)
        )
        beside = any(
            b.when and b.thing and b.thing.end <= mention.start < b.thing.end + 9 for b in sentence.others
        )
        if not figures or when is None or beside:
            continue
        nearest = min(figures, key=lambda d: _distance(sentence, d, mention.start, mention.end))
        nearest.subject.when = when
        sentence.note(nearest, "subject.when", mention.start, mention.end)


def _distance(sentence: Sentence, draft: Draft, start: int, end: int) -> int:
    at, till = draft.span
    low, high = (till, start) if till <= start else (end, at)
    walls = sum(is_strong(sentence.frame, i) for i in range(low, high))
    return max(0, high - low) + 50 * walls


def _two(sentence: Sentence, draft: Draft, distinct: list[str]) -> bool:
    """Whether the rounds stand on two sides; then they are set there."""
    carried = [r for r in sentence.context.rounds if r not in distinct]
    if len(distinct) >= 2:
        older, newer = min(distinct, key=age), max(distinct, key=age)
        _set(sentence, draft, "subject", newer)
    elif len(distinct) == 1 and (
        distinct[0] in sentence.starts
        or draft.baseline.round == distinct[0]
        or _of_rival(sentence, draft, carried)
    ):
        older = distinct[0]
        if len(carried) == 1 and age(carried[0]) > age(older):
            draft.subject.round = carried[0]
            draft.context.add("subject.round")
    else:
        return False
    _set(sentence, draft, "baseline", older)
    return True


def _of_rival(sentence: Sentence, draft: Draft, carried: list[str]) -> bool:
    """ "Compared with B200 in v6.0, …" under a title of v6.1: the round is that of the other side."""
    item = sentence.rounds[0]
    if len(carried) != 1 or age(carried[0]) <= age(item.value):
        return False
    if len(sentence.others) != 1 or not (draft.baseline.accelerator or draft.baseline.system):
        return False
    between = range(sentence.others[0].end, item.start)
    return len(between) <= 2 and all(sentence.frame.has(i, *_PASSING) for i in between)


def _set(sentence: Sentence, draft: Draft, side: str, name: str) -> None:
    getattr(draft, side).round = name
    item = next(i for i in sentence.rounds if i.value == name)
    sentence.note(draft, f"{side}.round", item.start, item.end)


@lru_cache(256)
def age(name: str) -> tuple[int, ...]:
    """How late a round is: what rounds are sorted by."""
    return tuple(int(part) for part in name.lstrip("v").split(".") if part.isdigit())


def is_start(sentence: Sentence, name: str) -> bool:
    """Whether the round follows "since", "seit", "than in"."""
    frame = sentence.frame
    item = next(i for i in sentence.rounds if i.value == name)
    for i in range(item.start - 1, max(sentence.low, item.start - 6) - 1, -1):
        if frame.has(i, "when.since"):
            return True
        if not frame.has(i, *_PASSING):
            return False
    return False
