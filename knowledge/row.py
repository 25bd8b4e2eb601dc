"""The Row: one published result, in the project's own schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of accelerator in a mixed system, with the number that took part."""

    accelerator: str
    count: int


@dataclass(frozen=True, slots=True)
class Row:
    """One published result.

    key: round + "/" + location (v5.0: round, ID, published model and scenario), unique.
    round: "v6.1". scenario: lower case. division: closed, open. availability: available,
    preview, rdi. system_type: datacenter, edge or "datacenter,edge".
    accelerator: canonical name, None for a CPU or a mixed system (then `parts`).
    variant: form factor, memory where a chip exists in several, power cap, edition; None if plain.
    accelerators: how many took part (0 for a CPU); accelerators_published: what the file says.
    model: canonical; accuracy_target: "99", "99.9" or None.
    value: the number of the JSON or CSV in `unit` (tokens/s, queries/s, samples/s, ms, s,
    tasks/s); value_fine the crosstab's where it has more digits; value_text as published.
    per_accelerator: value / accelerators for throughput, None where it makes no sense.
    watts: measured system power of a power run, else None.
    flags: codes of traps that this row carries (see knowledge/flags.toml).
    published, retrieved: ISO dates of the round and of our copy.
    """

    key: str
    suite: str
    round: str
    result_id: str | None
    submitter: str
    division: str
    availability: str
    system_type: str
    system: str
    platform: str
    nodes: int
    accelerator: str | None
    variant: str | None
    accelerators: int
    accelerators_published: int | None
    parts: tuple[Part, ...]
    processors: int | None
    processor: str | None
    model: str
    accuracy_target: str | None
    used_model: str | None
    scenario: str
    value: float
    value_fine: float | None
    value_text: str
    unit: str
    lower_is_better: bool
    per_accelerator: float | None
    watts: float | None
    framework: str | None
    weights: str | None
    inferred: bool
    flags: tuple[str, ...]
    location: str | None
    source: str
    published: str
    retrieved: str

    def as_json(self) -> dict[str, Any]:
        """The row as a plain object, keys as the fields."""
        out = {name: getattr(self, name) for name in self.__slots__}
        out["parts"] = [{"accelerator": p.accelerator, "count": p.count} for p in self.parts]
        out["flags"] = list(self.flags)
        return out
