"""Comparisons without a number: A beats B, is on par with B, stays behind B, posts more than B."""

from __future__ import annotations

from collections.abc import Iterator

from parsing.frame import Frame
from parsing.lexicon import Mention
from parsing.spans.found import Found
from parsing.spans.local import HARDWARE, MAKERS, apart, clause, is_stop, segment

_SIDES = (*HARDWARE, *MAKERS)
_NUMBERS = ("multiple", "percent", "cost", "count")


def outperforms(frame: Frame, low: int, high: int, taken: list[Found]) -> list[Found]:
    """The comparisons of one sentence in whose clause no number stands for them (`taken`)."""
    found: list[Found] = []
    for mention, kind in sorted(_triggers(frame, low, high), key=lambda t: t[0].start):
        a, b = clause(frame, mention.start, mention.end)
        if any(a <= f.at < b for f in found) or _vetoed(frame, mention, a, b):
            continue
        if _numbered(frame, mention, kind, a, b, taken):
            continue
        start, end = segment(frame, mention.start, mention.end)
        claim = Found("outperforms", max(a, start), min(b, end), mention.start, mention.end)
        claim.metric = "throughput"
        claim.direction = "lower" if kind == "trail" else "higher"
        claim.behind = kind == "trail"
        claim.qualifier = "about" if kind == "parity" else None
        found.append(claim)
    return found


def _numbered(frame: Frame, mention: Mention, kind: str, a: int, b: int, taken: list[Found]) -> bool:
    """Whether a number says how much ("beats B by 2.7x"): in the clause, for parity beside it."""
    return any(
        a <= f.at < b and f.kind in _NUMBERS and (kind == "verb" or not apart(frame, f.at, mention.start))
        for f in taken
    )


def _triggers(frame: Frame, low: int, high: int) -> Iterator[tuple[Mention, str]]:
    for mention in frame.find("outperform.parity", low, high):
        if _sides(frame, low, high) >= 2 or _scenario_next(frame, mention):
            yield mention, "parity"
    for kind in ("verb", "trail"):
        for mention in frame.find(f"outperform.{kind}", low, high):
            if _object(frame, mention.end, high):
                yield mention, kind
    for mention in frame.find("outperform.behind", low, high):
        if _trailing(frame, mention, low, high):
            yield mention, "trail"
        elif any(frame.has(i, "outperform.leave") for i in range(max(low, mention.start - 6), mention.start)):
            yield mention, "verb"
    for mention in frame.find("compare.more", low, high):
        if _than(frame, mention, high):
            yield mention, "verb"


def _trailing(frame: Frame, mention: Mention, low: int, high: int) -> bool:
    """ "falls behind it", "Hinter der B300 bleibt die MI355X zurück": a verb of staying, and an object."""
    beside = frame.has(mention.start - 1, "grammar.is")
    around = range(max(low, mention.start - 4), min(high, mention.end + 6))
    if not beside and not any(frame.has(i, "outperform.behind_verb") for i in around):
        return False
    return frame.has(mention.end, "grammar.object") or _object(frame, mention.end, min(high, mention.end + 5))


def _scenario_next(frame: Frame, mention: Mention) -> bool:
    window = range(mention.end, min(mention.end + 3, len(frame.labels)))
    return any(label.startswith("scenario.") for i in window for label in frame.labels[i])


def _sides(frame: Frame, low: int, high: int) -> int:
    names = {m.name.canonical for label in _SIDES for m in frame.find(label, low, high)}
    return len(names) + frame.any("baseline.previous", low, high)


def _object(frame: Frame, start: int, high: int) -> bool:
    """Whether a thing to compare with follows."""
    for i in range(start, min(high, start + 9)):
        if is_stop(frame, i) and frame.low(i) != "(":
            return False
        if frame.has(i, *_SIDES, "baseline.previous", "round", "when.previous", "name.unknown"):
            return True
        number = frame.number_at.get(i)
        if number is not None and frame.has(number.end, "noun.accelerator"):
            return True
    return False


def _than(frame: Frame, mention: Mention, high: int) -> bool:
    """ "posts higher … numbers in v6.1 than it did in v6.0", "mehr Durchsatz als die 94 GPUs"."""
    for i in range(mention.end, min(high, mention.end + 12)):
        if frame.has(i, "compare.than"):
            measured = any(frame.has(j, "metric.throughput") for j in range(mention.start, i))
            return (
                measured or frame.has(mention.start, "compare.speed") or _measured_before(frame, mention)
            ) and _object(frame, i + 1, high)
        if is_stop(frame, i):
            return False
    return False


def _measured_before(frame: Frame, mention: Mention) -> bool:
    """ "Throughput of the B70 is higher than …"."""
    a, _ = segment(frame, mention.start, mention.end)
    return frame.has(mention.start - 1, "grammar.is") and frame.any("metric.throughput", a, mention.start)


def _vetoed(frame: Frame, mention: Mention, a: int, b: int) -> bool:
    if any(frame.any(f"spec.{k}", a, b) for k in ("noun", "participation", "rule", "future")):
        return True
    if frame.any("record.phrase", a, b) or frame.any("quantifier.all", mention.end, min(b, mention.end + 2)):
        return True
    return any(frame.has(i, "negation.word") for i in range(max(a, mention.start - 4), mention.start))
