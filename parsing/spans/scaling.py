"""Scaling in words: near-linear, scales linearly from 8 to 512; its percentages stand in percents.py."""

from __future__ import annotations

from parsing.frame import Frame
from parsing.spans.found import Found
from parsing.spans.local import segment

_OF_RESULTS = (
    "scaling.noun",
    "metric.throughput",
    "metric.time_to_train",
    "change.down",
    "change.up",
    "noun.accelerator",
    "noun.node",
)


def linear(frame: Frame, low: int, high: int, taken: list[Found]) -> list[Found]:
    """The claim of linear scaling, where no percentage of the sentence says it in numbers."""
    if any(f.kind == "scaling" for f in taken):
        return []
    for label in ("near_linear", "linear"):
        for mention in frame.find(f"scaling.{label}", low, high):
            beside = max(low, mention.start - 3), min(high, mention.start + 3)
            if frame.any_of(("spec.noun", "spec.accuracy"), *beside):
                continue
            if not frame.any_of(_OF_RESULTS, low, high):
                continue
            a, b = segment(frame, mention.start, mention.end)
            found = Found("scaling", a, b, mention.start, mention.end)
            found.metric, found.direction = "scaling_efficiency", "higher"
            if label == "near_linear":
                found.qualifier = "about" if frame.has(mention.start, "qualifier.about") else "nearly"
            return [found]
    return []
