"""Why a number was not read as a claim: every number of a text is in a claim, or told with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parsing.claim import Claim
from parsing.frame import Frame
from parsing.spans.found import Rejected
from parsing.spans.local import HARDWARE, MAKERS

Span = tuple[int, int]

# All reason codes. Those of the last line are found here, the others where the kinds are read.
REASONS = frozenset(
    (
        *("accuracy", "asked", "benchmark_rule", "count", "dimensions", "no_rate", "no_relation", "no_unit"),
        *("page_furniture", "participation", "price", "spec", "time_of_what", "tolerance", "variation"),
        *("counted", "date", "name", "no_claim", "result_id", "round", "table", "unreadable", "word"),
    )
)
_COUNTED = ("noun.accelerator", "noun.node", "noun.rack", "noun.cpu", *HARDWARE)


@dataclass(frozen=True, slots=True)
class Unread:
    """A number that was not read as a claim: its words, `[start, end)`, and a reason code."""

    text: str
    span: Span
    reason: str


def unread(
    frame: Frame, claims: Sequence[Claim], rejected: Sequence[Rejected], closed: Sequence[Span]
) -> tuple[Unread, ...]:
    """Every number outside the claims' quotes, and those inside that were looked at and refused.

    `closed` are the token spans of tables. In the order of the text; names and rounds as a whole.
    """
    told = {(r.start, r.end): _finer(frame, r) for r in rejected}
    taken = bytearray(len(frame.tokens))
    for start, end in [*told, *_quoted(frame, claims)]:
        taken[start:end] = b"\x01" * (end - start)
    for i, token in enumerate(frame.tokens):
        if token.kind == "number" and not taken[i]:
            start, end, reason = _left_over(frame, i, closed)
            told.setdefault((start, end), reason)
            taken[start:end] = b"\x01" * (end - start)
    return tuple(_made(frame, *span, reason) for span, reason in sorted(told.items()))


def _made(frame: Frame, start: int, end: int, reason: str) -> Unread:
    span = frame.chars(start, end)
    return Unread(frame.text[span[0] : span[1]], span, reason)


def _quoted(frame: Frame, claims: Sequence[Claim]) -> Iterator[Span]:
    """The tokens of the claims' quotes; what a table says once for many stands in no quote."""
    at = 0
    for claim in sorted(claims, key=lambda c: c.span):
        while at < len(frame.tokens) and frame.tokens[at].start < claim.span[0]:
            at += 1
        end = at
        while end < len(frame.tokens) and frame.tokens[end].end <= claim.span[1]:
            end += 1
        yield at, end


def _finer(frame: Frame, rejected: Rejected) -> str:
    """A number without a unit may still be a count of chips or a part of a date."""
    if rejected.reason != "no_unit":
        return rejected.reason
    after = rejected.end + frame.has(rejected.end, *MAKERS)
    if frame.has(after, *_COUNTED) or (frame.low(rejected.end) == "x" and frame.has(after + 1, *_COUNTED)):
        return "counted"
    return "date" if frame.within(rejected.start - 2, rejected.end + 2, "date.month") else "no_unit"


def _left_over(frame: Frame, i: int, closed: Sequence[Span]) -> tuple[int, int, str]:
    """A number that nobody looked at: its tokens, the whole name with it, and why."""
    name = frame.names[i]
    if name is not None:
        return name.start, name.end, "name"
    for label, reason in (("round", "round"), ("id.result", "result_id")):
        mention = frame.at(label, i)
        if mention is not None:
            return mention.start, mention.end, reason
    if any(start <= i < end for start, end in closed):
        return i, i + 1, "table"
    number = frame.number_at.get(i)
    if number is not None:
        return number.start, number.end, "no_claim"
    glued = i > 0 and frame.gap(i) == "" and frame.tokens[i - 1].kind == "word"
    return (i - 1, i + 1, "word") if glued else (i, i + 1, "unreadable")
