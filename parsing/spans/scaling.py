"""Scaling in words: near-linear, scales linearly from 8 to 512; percentages of it stand in percents.py."""

from __future__ import annotations

from parsing.frame import Frame
from parsing.spans.found import Found
from parsing.spans.local import segment


def linear(frame: Frame, low: int, high: int, taken: list[Found]) -> list[Found]:
    """The claim of linear scaling, where no percentage of the sentence says it in numbers."""
    if any(f.kind == "scaling" for f in taken):
        return []
    for label in ("near_linear", "linear"):
        for mention in frame.find(f"scaling.{label}", low, high):
            if not _of_results(frame, mention.start, low, high):
                continue
            a, b = segment(frame, mention.start, mention.end)
            found = Found("scaling", a, b, mention.start, mention.end)
            found.metric, found.direction = "scaling_efficiency", "higher"
            if label == "near_linear":
                found.qualifier = (
                    "nearly"
                    if frame.low(mention.start) not in ("fairly", "roughly", "about", "approximately")
                    else "about"
                )
            return [found]
    return []


def _of_results(frame: Frame, i: int, low: int, high: int) -> bool:
    if any(frame.any(f"spec.{k}", max(low, i - 3), min(high, i + 3)) for k in ("noun", "accuracy")):
        return False
    labels = (
        "scaling.noun",
        "metric.throughput",
        "change.down",
        "change.up",
        "noun.accelerator",
        "noun.node",
        "metric.time_to_train",
    )
    return any(frame.any(label, low, high) for label in labels)
