"""What a claim is: the one value that the parser hands to everybody else.

A claim is what a sentence says about results, in the field's own terms, with the
exact words it came from. It holds no row and no judgement.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Kind = Literal["multiple", "percent", "absolute", "record", "scaling", "cost", "count", "outperforms"]
Qualifier = Literal["up_to", "over", "nearly", "about", "at_least", "exact"]
Direction = Literal["higher", "lower"]
Metric = Literal[
    "throughput", "latency", "scaling_efficiency", "cost", "power_efficiency", "time_to_train", "other"
]
Scenario = Literal["offline", "server", "interactive", "singlestream", "multistream"]
Division = Literal["closed", "open"]
Availability = Literal["available", "preview", "rdi"]
Quantifier = Literal["all", "overall", "some"]
Aggregate = Literal["geomean", "mean", "median"]


class Frozen(BaseModel):
    """A value that cannot change and knows its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Printed(Frozen):
    """A number as the text prints it.

    `text` is the number's own characters ("2.77", "1,016,380", "doubled"), `value` what it
    says before any conversion (2.77, 1016380, 2), `step` the size of its last printed digit
    in the unit of `value` (0.01, 1; null for a number word, whose tolerance is ten percent).
    """

    text: str
    value: float
    step: float | None = None


class Side(Frozen):
    """One side of a comparison; null where the text does not say.

    `accelerator` is canonical (or the printed name of a chip that the vocabulary does not
    know; or a family such as "Blackwell"; several are "a | b"), `accelerators` a count of
    accelerators, `when` a relative round ("previous", or months back such as "6 months"),
    `value` the side's own absolute figure where the text prints it.
    """

    submitter: str | None = None
    vendor: str | None = None
    accelerator: str | None = None
    system: str | None = None
    accelerators: int | None = None
    nodes: int | None = None
    round: str | None = None
    when: str | None = None
    availability: Availability | None = None
    division: Division | None = None
    value: float | None = None

    def __bool__(self) -> bool:
        return any(v is not None for v in self.__dict__.values())


class Beside(Frozen):
    """What the text and its title name anywhere, canonical: where a figure may belong all the same.

    `counts` are whole numbers that may be numbers of accelerators.
    """

    rounds: tuple[str, ...] = ()
    submitters: tuple[str, ...] = ()
    vendors: tuple[str, ...] = ()
    accelerators: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()


class Claim(Frozen):
    """One statement about results, as one sentence makes it.

    `value` is a ratio for multiple, percent, scaling and cost (+38 % is 1.38, 60 % lower is
    0.40, 95 % efficiency is 0.95), a number in `unit` for absolute, a count for count.
    `span` gives `[start, end)` in the plain text (markup taken off) and `quote` its words.
    `scenarios` are several that one value covers together ("the standard modes": offline and
    server); then `scenario` is null. `behind` says that the subject is the worse side ("2.6x
    slower", "30 % behind"), which `direction` alone leaves open for latency. `below_largest` says
    that the largest system is excepted. `beside` goes with absolutes only.
    """

    quote: str
    span: tuple[int, int]
    kind: Kind
    value: float | None = None
    value_max: float | None = None
    printed: Printed | None = None
    printed_max: Printed | None = None
    qualifier: Qualifier | None = None
    direction: Direction | None = None
    metric: Metric | None = None
    unit: str | None = None
    per_accelerator: bool | None = None
    subject: Side = Field(default_factory=Side)
    baseline: Side = Field(default_factory=Side)
    model: str | None = None
    scenario: Scenario | None = None
    round: str | None = None
    division: Division | None = None
    availability: Availability | None = None
    result_ids: tuple[str, ...] = ()
    from_context: tuple[str, ...] = ()
    quantifier: Quantifier | None = None
    ever: bool = False
    place: int | None = None
    first_to: bool = False
    same_hardware: bool = False
    verified: bool | None = None
    aggregate: Aggregate | None = None
    below_largest: bool = False
    behind: bool = False
    scenarios: tuple[Scenario, ...] = ()
    beside: Beside | None = None
    words: dict[str, str] = Field(default_factory=dict)
    mlperf: bool | None = None
    suite: Literal["inference", "training"] | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Claim:
        if self.value is not None and self.value_max is not None and self.value > self.value_max:
            raise ValueError("value must not exceed value_max")
        return self

    @property
    def models(self) -> tuple[str, ...]:
        """The models named, empty where none is."""
        return tuple(part.strip() for part in self.model.split("|")) if self.model else ()
