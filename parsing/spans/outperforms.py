"""Comparisons without a number: A beats B, is on par with B, stays behind B, posts more than B."""

from __future__ import annotations

from collections.abc import Iterator

from parsing.frame import Frame
from parsing.lexicon import Mention
from parsing.spans.found import Found
from parsing.spans.local import clause, is_stop, segment

_SIDES = ("name.accelerator", "name.system", "name.family", "name.processor", "name.vendor", "name.submitter")


def outperforms(frame: Frame, low: int, high: int, taken: list[Found]) -> list[Found]:
    """The comparisons of one sentence in whose clause no number stands for them (`taken`)."""
    found: list[Found] = []
    for mention, kind in sorted(_triggers(frame, low, high), key=lambda t: t[0].start):
        a, b = clause(frame, mention.start, mention.end)
        if _numbered(frame, mention, kind, a, b, taken):
            continue
        if any(a <= f.at < b for f in found) or _vetoed(frame, mention, a, b):
            continue
        claim = Found("outperforms", a, b, mention.start, mention.end)
        claim.start, claim.end = _quote(frame, mention, a, b)
        claim.metric = "throughput"
        claim.direction = "lower" if kind == "trail" else "higher"
        if kind == "parity":
            claim.qualifier = "about"
        found.append(claim)
    return found


def _numbered(frame: Frame, mention: Mention, kind: str, a: int, b: int, taken: list[Found]) -> bool:
    """Whether a number of the same clause says how much ("beats B by 2.7x"); parity has none."""
    numbers = [f for f in taken if a <= f.at < b and f.kind in ("multiple", "percent", "cost", "count")]
    if kind == "parity":
        return False
    if kind == "trail":
        a, b = segment(frame, mention.start, mention.end)
        return any(a <= f.at < b for f in numbers)
    return bool(numbers)


def _triggers(frame: Frame, low: int, high: int) -> Iterator[tuple[Mention, str]]:
    for kind in ("verb", "parity", "trail"):
        for mention in frame.find(f"outperform.{kind}", low, high):
            if kind == "parity" or _object(frame, mention, high):
                if kind != "parity" or _sides(frame, low, high) >= 2 or _scenario_next(frame, mention):
                    yield mention, kind
    for mention in frame.find("outperform.leave", low, high):
        if any(frame.low(i) in ("behind", "hinter") for i in range(mention.end, min(high, mention.end + 6))):
            yield mention, "verb"
    for mention in frame.find("compare.more", low, high):
        if _than(frame, mention, high):
            yield mention, "verb"


def _scenario_next(frame: Frame, mention: Mention) -> bool:
    return any(
        label.startswith("scenario.")
        for i in range(mention.end, mention.end + 3)
        if i < len(frame.labels)
        for label in frame.labels[i]
    )


def _sides(frame: Frame, low: int, high: int) -> int:
    names = {m.name.canonical for label in _SIDES for m in frame.find(label, low, high)}
    return len(names) + (1 if frame.any("baseline.previous", low, high) else 0)


def _object(frame: Frame, mention: Mention, high: int) -> bool:
    """Whether a thing to beat follows the verb."""
    end = min(high, mention.end + 9)
    for i in range(mention.end, end):
        if is_stop(frame, i) and frame.low(i) != "(":
            return False
        if frame.has(i, *_SIDES, "baseline.previous", "round", "when.previous"):
            return True
        if i in frame.number_at and frame.has(frame.number_at[i].end, "noun.accelerator"):
            return True
    return False


def _than(frame: Frame, mention: Mention, high: int) -> bool:
    """ "posts higher … numbers in v6.1 than it did in v6.0", "mehr Durchsatz als die 94 GPUs"."""
    for i in range(mention.end, min(high, mention.end + 12)):
        if frame.low(i) in ("than", "als") and _object(frame, Mention(i, i + 1, frozenset()), high):
            between = range(mention.start, i)
            return any(frame.has(j, "metric.throughput") for j in between) or frame.low(mention.start) in (
                "faster",
                "schneller",
            )
        if is_stop(frame, i):
            return False
    return False


def _vetoed(frame: Frame, mention: Mention, a: int, b: int) -> bool:
    if any(frame.any(f"spec.{k}", a, b) for k in ("noun", "participation", "rule", "future")):
        return True
    if frame.any("record.phrase", a, b) or frame.any("quantifier.all", mention.end, min(b, mention.end + 2)):
        return True
    return any(frame.has(i, "negation.word") for i in range(max(a, mention.start - 4), mention.start))


def _quote(frame: Frame, mention: Mention, a: int, b: int) -> tuple[int, int]:
    start, end = segment(frame, mention.start, mention.end)
    return max(a, min(start, mention.start)), min(b, max(end, mention.end))
