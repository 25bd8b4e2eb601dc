"""What the kinds hand on: a claim's own words, before its sides and its context are known."""

from __future__ import annotations

from dataclasses import dataclass, field

from parsing.claim import Aggregate, Direction, Kind, Metric, Printed, Qualifier, Quantifier
from parsing.frame import Number

# a qualifier and the tokens [start, end) that say it
Qualified = tuple[Qualifier | None, int, int]


@dataclass(slots=True)
class Measure:
    """A number with its sign or unit: "up to 2.7x", "92-93 %", "2.49 million tokens per second".

    Tokens `[start, end)` hold number and sign, `form` says which: "x", "%", "rate", "time",
    "plain" (a number alone). `high` is the upper end of a range.
    """

    start: int
    end: int
    form: str
    low: Number
    high: Number | None = None
    unit: str | None = None
    word: bool = False
    qualified: Qualified | None = None

    @property
    def value(self) -> float:
        return self.low.value.value

    @property
    def value_max(self) -> float | None:
        return self.high.value.value if self.high else None


@dataclass(slots=True)
class Found:
    """One claim by its own words: tokens `[start, end)` are the quote, `[at, till)` the value."""

    kind: Kind
    start: int
    end: int
    at: int
    till: int
    value: float | None = None
    value_max: float | None = None
    printed: Printed | None = None
    printed_max: Printed | None = None
    qualifier: Qualifier | None = None
    direction: Direction | None = None
    metric: Metric | None = None
    unit: str | None = None
    per_accelerator: bool | None = None
    quantifier: Quantifier | None = None
    aggregate: Aggregate | None = None
    ever: bool = False
    place: int | None = None
    first_to: bool = False
    below_largest: bool = False
    behind: bool = False
    reason: str = ""
    counts: tuple[int, ...] = ()
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    context: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Rejected:
    """A number or phrase that is no claim, and why (a reason code)."""

    start: int
    end: int
    reason: str
