"""The names a reader knows. Defined here, filled by the floor that has the rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

NameKind = Literal[
    "accelerator", "family", "system", "processor", "model", "submitter", "vendor", "benchmark"
]


@dataclass(frozen=True, slots=True)
class Name:
    """One spelling of one thing.

    `text` is the spelling as people write it, `canonical` what a claim carries. `vendor` is
    the chip maker of an accelerator, family or system; `accelerator` the chip inside a
    system ("GB300 NVL72" holds GB300) and `size` how many of them (72). `benchmark` names
    are other benchmarks (a claim tied to one is not about MLPerf results). `training` marks
    a model that exists in training rounds only.
    """

    text: str
    kind: NameKind
    canonical: str
    vendor: str | None = None
    accelerator: str | None = None
    size: int | None = None
    training: bool = False


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All names and all rounds, stored or not; `version` changes when either does."""

    names: tuple[Name, ...]
    rounds: tuple[str, ...] = field(default=())
    training_rounds: tuple[str, ...] = field(default=())
    version: str = ""
