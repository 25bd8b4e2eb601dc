"""Which numbers a printed number stands for: intervals from its digits and its qualifier.

The rules are those of the design's "Tolerance follows the printed digits" and rules 5, 6, 34
and 49. Intervals live in the printed space (percent points for "48 %"), because the tolerance
of a percentage applies to the percentage and never to the ratio behind it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from parsing.claim import Claim, Printed

PUBLISHED_ROUNDING = 5e-6
NUMBER_WORD = 0.10
ABOUT = 0.05
NEAREST = 0.005
OVER = 1.15
WITHIN = 0.20  # nobody says "within" of more
NEARLY = 0.9

Form = Literal["plain", "gain", "reduction", "share"]
Fit = Literal["exact", "truncated"]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Accepts a number in the claim's own space (`Claim.value`).

    `low` and `high` bound the printed number (`high` excluded), `rounded` is where plain
    rounding ends and truncation begins. `printed` maps a value of the claim's space to the
    printed space (1.48 to 48 for a gain).
    """

    low: float
    high: float
    rounded: float
    form: Form
    nominal: float

    def fit(self, value: float) -> Fit | None:
        """Tell whether `value` (a ratio, or a figure in base units) may be printed like this."""
        shown = to_printed(value, self.form)
        slack = PUBLISHED_ROUNDING * max(abs(shown), 1e-12)
        if shown < self.low - slack or shown >= self.high + slack:
            return None
        return "exact" if shown < self.rounded + slack else "truncated"

    def distance(self, value: float) -> float:
        """How far `value` lies from the printed number, relative to it."""
        shown = to_printed(value, self.form)
        return abs(shown - self.nominal) / max(abs(self.nominal), 1e-12)


def to_printed(value: float, form: Form) -> float:
    """Map a value of the claim's space to the printed space."""
    if form == "gain":
        return (value - 1) * 100
    if form == "reduction":
        return (1 - value) * 100
    if form == "share":
        return value * 100
    return value


def form_of(claim: Claim) -> Form:
    """Tell how the printed number relates to `claim.value`: 38 % as +38 %, 38 % less, or 38 % of."""
    if claim.kind not in ("percent", "scaling", "cost") or claim.value is None:
        return "plain"
    if claim.printed is None:
        return "share" if claim.kind == "scaling" else "gain"
    shown = claim.printed.value
    forms: list[Form] = (
        ["reduction", "share"] if claim.direction == "lower" else ["gain", "share", "reduction"]
    )
    for form in [*forms, "gain", "plain"]:
        if math.isclose(to_printed(claim.value, form), shown, rel_tol=1e-6, abs_tol=1e-6):
            return form
    return "share" if claim.kind == "scaling" else "gain"


def tolerance(claim: Claim) -> Tolerance:
    """Return what the claim's number accepts; the claim must have a value.

    A range accepts everything from the low end of its first to the high end of its second number.
    """
    assert claim.value is not None
    form = form_of(claim)
    low, high, rounded = _bounds(
        to_printed(claim.value, form), _step(claim.printed, claim.value, form), claim
    )
    nominal = to_printed(claim.value, form)
    if claim.value_max is not None and claim.value_max != claim.value:
        shown = to_printed(claim.value_max, form)
        other = _bounds(shown, _step(claim.printed_max or claim.printed, claim.value_max, form), claim)
        low, high, rounded = min(low, other[0]), max(high, other[1]), max(rounded, other[2])
        nominal = (nominal + shown) / 2
    return Tolerance(low, high, rounded, form, nominal)


def _step(printed: Printed | None, value: float, form: Form) -> float | None:
    """The size of the last printed digit in the printed space; None for a number word."""
    if printed is None:
        return _digits_step(to_printed(value, form))
    if printed.step is None:
        return None
    # "5.75M" may be handed over as 5.75 with step 0.01 or as 5,750,000 with step 10,000.
    shown = to_printed(value, form)
    scale = shown / printed.value if printed.value else 1.0
    return printed.step * scale if scale > 1.5 else printed.step


def _digits_step(shown: float) -> float:
    """The step that digits alone tell; the zeros that end a number of four digits are none (rule 6)."""
    text = f"{shown:.10g}"
    if "." in text:
        return 10.0 ** -len(text.split(".")[1])
    zeros = len(text) - len(text.rstrip("0")) if len(text) >= 4 else 0
    return 10.0**zeros


def _means_below(claim: Claim) -> bool:
    """Whether "over" and "at least" point downwards: "under 20 ms", "less than half the latency"."""
    if claim.direction != "lower":
        return False
    if claim.kind == "absolute":
        return claim.metric == "latency"
    return form_of(claim) in ("plain", "share") and (claim.value or 1.0) < 1


def _bounds(shown: float, step: float | None, claim: Claim) -> tuple[float, float, float]:
    """(low, high, where truncation begins) of one printed number under the claim's qualifier."""
    if step is None:
        low, high = shown * (1 - NUMBER_WORD), shown * (1 + NUMBER_WORD)
        exact = (min(low, high), max(low, high), max(low, high))
    elif step == 1 and abs(shown) < 10 and shown == int(shown):
        exact = (shown - 0.5, shown + 0.5, shown + 0.5)
    else:
        exact = (shown - step / 2, shown + step, shown + step / 2)
    half = (step or 0.0) / 2
    if claim.qualifier in ("over", "at_least") and _means_below(claim):
        low = shown / OVER if claim.qualifier == "over" else -math.inf
        return low, math.nextafter(shown, math.inf), shown
    match claim.qualifier:
        case "over":
            return shown, shown * OVER, shown * OVER
        case "at_least":
            return shown, math.inf, math.inf
        case "nearly":
            return shown * NEARLY, shown + half, shown + half
        case "about":
            wide = max(abs(shown) * ABOUT, half)
            high = shown + wide
            return min(exact[0], shown - wide), max(exact[1], high), max(exact[2], high)
        case _:
            return exact


def within(claim: Claim) -> float | None:
    """The N of "within N %" with half a printed step, as a fraction; None for other claims (rule 42)."""
    value = claim.value
    if claim.kind != "percent" or claim.qualifier != "about" or claim.direction or value is None:
        return None
    if abs(value - 1) > WITHIN:
        return None
    step = claim.printed.step if claim.printed is not None else 1.0
    return abs(value - 1) + (step or 0.0) / 200


Measure = Callable[[float], float]


def measure(claim: Claim, *, latency: bool) -> Measure:
    """Return the function from a speed ratio (subject over baseline, above 1 is better) to the claim's space.

    "2.6x slower" states the inverse; "41 % lower latency" and "half the latency" state the ratio of
    times, "2.6x lower latency" that of speeds (rules 17 and 38).
    """
    value = claim.value
    if value is None:
        return _same
    form = form_of(claim)
    if form == "reduction" and (latency or claim.metric == "latency"):
        return _inverse
    if form == "plain" and claim.metric == "latency" and claim.direction == "lower" and value < 1:
        return _inverse
    if claim.direction == "lower" and value > 1 and (claim.behind or claim.metric != "latency"):
        return _inverse
    return _same


def _same(ratio: float) -> float:
    return ratio


def _inverse(ratio: float) -> float:
    return 1 / ratio if ratio else math.inf
