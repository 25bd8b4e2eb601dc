"""Figures without a unit of their own: "50.6k, 49.3k and 46.0k tokens/s", "12.6K per GPU"."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from parsing.context import Context
from parsing.frame import Frame, Number
from parsing.spans.found import Found, Measure
from parsing.spans.local import HARDWARE, MAKERS, is_stop
from parsing.spans.rates import glued

_AT = attrgetter("at")
_LEAST = 1000
_WITHIN = 100.0
_ALIKE = 200.0
_BRACKET = 8
_CLOSING = ("link.and", "baseline.mark", "baseline.preposition", "when.to")
_SKIPPED = (":", "(", "~", "≈", "=", "|", "—")
_COUNTED = ("noun.accelerator", "noun.node", "noun.rack", *HARDWARE, *MAKERS)


def bare(frame: Frame, number: Number, units: list[tuple[float, str]], *, listed: bool) -> str | None:
    """The unit of a bare number that stands beside figures with one ("8,064 in v6.0"), or null.

    `units` are the figures of the same sentence, values and units; `listed` says that the
    number stands in one list with the figure after it, so that its size does not matter.
    """
    value = number.value.value
    if number.word or glued(frame, number.start) or (value < _LEAST and number.step == 1 and not listed):
        return None
    served = value >= _LEAST and frame.has(number.end, "scenario.server")  # "8,850 server"
    if not served and _counts_things(frame, number.end):
        return None
    each = frame.has(number.end, "per.accelerator")  # far less than the total beside it
    near = (
        unit
        for other, unit in units
        if (listed or unit.endswith("/s"))
        and value
        and (each or 1 / _WITHIN <= value / other <= _WITHIN)
        and (listed or value != other)
    )
    return next(near, None)


def _counts_things(frame: Frame, i: int) -> bool:
    """Whether what follows a number is what it counts ("8 NVIDIA GPUs"), not the next item of a list."""
    if is_stop(frame, i) or frame.has(i, "per.accelerator", "baseline.preposition"):
        return False
    return frame.has(i, *_COUNTED) or (frame.has(i + 1, *_COUNTED) and not is_stop(frame, i + 1))


def unit_nearby(frame: Frame, measure: Measure, rates: Sequence[Found], context: Context) -> str | None:
    """The unit of a figure whose own sentence gives none: the last one said, or that of the heading.

    `rates` are the figures with a rate ("/s"), in order.
    """
    if not _is_figure(frame, measure.low):
        return None
    before = bisect_left(rates, measure.start, key=_AT)
    if not before:
        return context.unit
    last = rates[before - 1]
    within = last.value is not None and 1 / _ALIKE <= measure.value / last.value <= _ALIKE
    return last.unit if within else None


def _is_figure(frame: Frame, number: Number) -> bool:
    """Whether a number looks and stands like a result: "12.6K per GPU", "B200 49.3k", "Server at 106,898".

    It is printed with thousands or a magnitude, nothing that is counted follows, and a chip, a
    maker or a scenario stands beside it.
    """
    till = number.end
    long = number.end - number.start > 1 or any(sign in number.text for sign in ",.'")
    if number.word or glued(frame, number.start) or number.value.value < _LEAST or not long:
        return False
    if frame.has(till, "per.accelerator"):
        return True
    scenario = frame.section_at(till, "scenario.") is not None
    if not (scenario or frame.low(till) == "" or is_stop(frame, till) or frame.has(till, *_CLOSING)):
        return False
    before = number.start - 1
    while frame.low(before) in _SKIPPED or frame.has(before, "figure.before", "noun.accelerator"):
        before -= 1
    if frame.low(before) == ")":  # "Google (B200, also eight) with 49,300"
        before = next((i - 1 for i in range(before, before - _BRACKET, -1) if frame.low(i) == "("), before)
    beside = frame.section_at(before, "scenario.") is not None or frame.has(before, "thing.them")
    return scenario or beside or frame.has(before, *HARDWARE, *MAKERS) or before in frame.number_at
