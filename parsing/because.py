"""The words behind the fields that a claim's own reading did not note, for those who ask why."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from parsing.claim import Claim, Side
from parsing.frame import Frame
from parsing.lexicon import Mention

_SIDES = ("subject", "baseline")
_TURNS = ("compare.more", "compare.less", "change.up", "change.down", "outperform.verb", "outperform.trail")
# fields that the words of the claim itself give, where no single word does
_OWN = ("kind", "value", "value_max", "qualifier", "direction", "metric", "unit", "place")
_LABELS: dict[str, tuple[str, ...]] = {
    "direction": (*_TURNS, "record.superlative", "record.superlative_alone", "outperform.parity"),
    "per_accelerator": ("per.accelerator", "per.single", "per.system"),
    "same_hardware": ("same.hardware", "same.word"),
    "ever": ("record.ever",),
    "first_to": ("record.first_to", "record.first"),
    "below_largest": ("record.below",),
    "verified": ("verified.false",),
    "when": (
        "when.previous",
        "when.half_year",
        "when.year",
        "when.unit_months",
        "when.unit_years",
        "when.ago",
    ),
}
_VALUED = (
    "qualifier",
    "metric",
    "unit",
    "quantifier",
    "aggregate",
    "scenario",
    "division",
    "availability",
    "suite",
)


def with_words(frame: Frame, claim: Claim) -> Claim:
    """The claim with words for every field that some word of the text gave.

    What only the title, a heading or a rule gave stays without: it has no words here.
    """
    at = bisect_left(frame.tokens, claim.span[0], key=lambda t: t.start)
    words = dict(claim.words)
    for name, value in _fields(claim):
        counted = name.endswith((".accelerators", ".nodes"))
        if counted and (found := _number(frame, at, value)):
            words[name] = found  # "eight", not the chips that it counts
        elif name not in words and name not in claim.from_context:
            found = _printed(claim, name) or _said(frame, at, name, value)
            if not found and name in _OWN:
                found = claim.quote
            if found:
                words[name] = found
    return claim.model_copy(update={"words": words})


def _fields(claim: Claim) -> Iterator[tuple[str, object]]:
    """The fields that say something, those of the sides with their dots."""
    skipped = (*_SIDES, "quote", "span", "words", "from_context", "printed", "printed_max")
    for name in Claim.model_fields:
        value = getattr(claim, name)
        denied = name in ("mlperf", "verified") and value is False
        if name not in skipped and (denied or value not in (None, (), False)):
            yield name, value
    for side in _SIDES:
        for name in Side.model_fields:
            value = getattr(getattr(claim, side), name)
            if value is not None:
                yield f"{side}.{name}", value


def _printed(claim: Claim, name: str) -> str:
    """The number itself, for what it says: its value, and that it is exact."""
    if name == "value_max":
        return claim.printed_max.text if claim.printed_max else ""
    exact = name == "qualifier" and claim.qualifier == "exact"
    return claim.printed.text if claim.printed and (exact or name == "value") else ""


def _said(frame: Frame, at: int, name: str, value: object) -> str:
    """The nearest words that a field may come from, or nothing."""
    field = name.rpartition(".")[2]
    if field == "value":
        return _number(frame, at, value)
    if field == "result_ids":
        return _nearest(frame, at, frame.by_label.get("id.result", []))
    if field == "mlperf":
        labels: tuple[str, ...] = ("benchmark.ours",) if value else ("benchmark.other", "name.benchmark")
    elif field == "round":
        labels = (f"round.{str(value)[1:]}", f"round.{value}")
    elif field in _VALUED:
        labels = (f"{field}.{value}",)
    else:
        labels = _LABELS.get(field, ())
    mentions = [m for label in labels for m in frame.by_label.get(label, ())]
    return _nearest(frame, at, mentions or list(_named(frame, value)))


def _named(frame: Frame, value: object) -> Iterator[Mention]:
    """The names that stand for a value ("a | b" is either), and a printed name that no list has."""
    if not isinstance(value, str):
        return
    wanted = {part.strip() for part in value.split("|")}
    training = value == "training"  # some models exist in training rounds only
    for mention in {id(m): m for m in frame.names if m is not None}.values():
        for name in mention.names:
            if wanted & {name.canonical, name.accelerator, name.vendor} or (training and name.training):
                yield mention


def _number(frame: Frame, at: int, value: object) -> str:
    """The nearest number that says a value, as it is printed."""
    same = [n for n in frame.numbers if n.value.value == value]
    best = min(same, key=lambda n: abs(n.start - at), default=None)
    return frame.words(best.start, best.end) if best is not None else ""


def _nearest(frame: Frame, at: int, mentions: list[Mention]) -> str:
    best = min(mentions, key=lambda m: abs(m.start - at), default=None)
    return frame.words(best.start, best.end) if best is not None else ""
