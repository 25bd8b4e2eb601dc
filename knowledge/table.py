"""The rows, laid out for questions: benchmarks, then rounds, then cells of equal systems.

A cell holds the rows that differ in nothing but submitter and system name, best first. All
matching works on cells, so that its time grows with the number of different systems and not
with the number of submitters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from knowledge.names import Names
from knowledge.rounds import Rounds
from knowledge.row import Row

LATENCY = ("singlestream", "multistream")


def score(row: Row) -> float:
    """What ranks rows of one benchmark: per accelerator, else per socket, else as published.

    Latency rows score by speed (1 / time), so that more is always better.
    """
    if row.lower_is_better:
        return 1 / row.value
    if row.per_accelerator is not None:
        return row.per_accelerator
    if row.accelerators == 0 and row.processors:
        return row.value / (row.processors * max(row.nodes, 1))
    return row.value


def size(row: Row) -> int:
    """How large a system is: its accelerators, or the sockets of one without any (rule 17)."""
    return row.accelerators or (row.processors or 1) * max(row.nodes, 1)


def total(row: Row) -> float:
    """The system's result as a number of which more is better."""
    return 1 / row.value if row.lower_is_better else row.value


@dataclass(frozen=True, slots=True)
class CellKey:
    """What the rows of a cell share (within one model, scenario and round).

    `processor` and `sockets` speak only for systems without accelerators.
    """

    division: str
    availability: str
    system_type: str
    accuracy_target: str | None
    accelerator: str | None
    variant: str | None
    accelerators: int
    power: bool
    processor: str | None = None
    sockets: int = 0

    @property
    def hardware(self) -> str | None:
        """The accelerator, or the processor of a system without any."""
        return self.accelerator or self.processor

    @property
    def size(self) -> int:
        """Accelerators, or sockets of a system without any."""
        return self.accelerators or self.sockets


@dataclass(slots=True)
class Cell:
    """Rows of one benchmark and round that differ in submitter and system only, best first."""

    key: CellKey
    model: str
    scenario: str
    round: str
    rows: list[Row] = field(default_factory=list)
    of: dict[str, list[Row]] = field(default_factory=dict)

    @property
    def best(self) -> Row:
        """The best row of all submitters."""
        return self.rows[0]

    def settle(self) -> None:
        """Sort the rows and sort them out by submitter."""
        self.rows.sort(key=score, reverse=True)
        for row in self.rows:
            self.of.setdefault(row.submitter, []).append(row)


@dataclass(frozen=True, slots=True)
class Bench:
    """One benchmark: a model and a scenario."""

    model: str
    scenario: str
    rounds: dict[str, tuple[Cell, ...]]
    memo: dict[tuple[object, ...], list[Row]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def latency(self) -> bool:
        """Whether results are times, lower is better."""
        return self.scenario in LATENCY

    def rows(self, rounds: Iterable[str] | None = None) -> Iterator[Row]:
        """All rows, of the given rounds or of all."""
        for name in self.rounds if rounds is None else rounds:
            for cell in self.rounds.get(name, ()):
                yield from cell.rows


class Table:
    """All rows by benchmark and round, with the names and rounds that explain them."""

    def __init__(self, rows: Iterable[Row], names: Names, rounds: Rounds) -> None:
        self.all = tuple(rows)
        self.names = names
        self.calendar = rounds
        self.benches = _benches(self.all, names)

    @cached_property
    def rounds(self) -> tuple[str, ...]:
        """The stored rounds, newest first."""
        seen = {row.round: row.published for row in self.all}
        return tuple(sorted(seen, key=lambda name: seen[name], reverse=True))

    @cached_property
    def published(self) -> dict[str, str]:
        """ISO date of publication of each stored round."""
        return {row.round: row.published for row in self.all}

    @cached_property
    def accelerators(self) -> frozenset[str]:
        """Every accelerator with rows, alone or as a part of a mixed system."""
        alone = {row.accelerator for row in self.all if row.accelerator}
        return frozenset(alone | {part.accelerator for row in self.all for part in row.parts})

    @cached_property
    def submitters(self) -> frozenset[str]:
        """Every submitter with rows."""
        return frozenset(row.submitter for row in self.all)

    @cached_property
    def models(self) -> frozenset[str]:
        """Every model with rows."""
        return frozenset(model for model, _ in self.benches)

    @cached_property
    def by_id(self) -> dict[str, tuple[Row, ...]]:
        """Rows by public result ID without its leading "v"."""
        found: dict[str, list[Row]] = defaultdict(list)
        for row in self.all:
            if row.result_id:
                found[row.result_id.lower().lstrip("v")].append(row)
        return {key: tuple(rows) for key, rows in found.items()}

    def select(
        self, models: Iterable[str] | None = None, scenarios: Iterable[str] | None = None
    ) -> list[Bench]:
        """The benchmarks of the given models and scenarios (None: any)."""
        wanted = None if scenarios is None else set(scenarios)
        if models is None:
            found = list(self.benches.values())
        else:
            found = [b for m in models for b in self._of_model.get(m, ())]
        return [b for b in found if wanted is None or b.scenario in wanted]

    @cached_property
    def _of_model(self) -> dict[str, list[Bench]]:
        found: dict[str, list[Bench]] = defaultdict(list)
        for bench in self.benches.values():
            found[bench.model].append(bench)
        return dict(found)


def _key(row: Row, names: Names) -> CellKey:
    alone = row.accelerators == 0
    return CellKey(
        row.division,
        row.availability,
        row.system_type,
        row.accuracy_target,
        row.accelerator or ("+".join(p.accelerator for p in row.parts) if row.parts else None),
        row.variant,
        row.accelerators,
        row.watts is not None,
        (names.processor(row.processor) or row.processor) if alone else None,
        size(row) if alone else 0,
    )


def _benches(rows: Iterable[Row], names: Names) -> dict[tuple[str, str], Bench]:
    cells: dict[tuple[str, str], dict[str, dict[CellKey, Cell]]] = {}
    for row in rows:
        rounds = cells.setdefault((row.model, row.scenario), {})
        key = _key(row, names)
        found = rounds.setdefault(row.round, {})
        if key not in found:
            found[key] = Cell(key, row.model, row.scenario, row.round)
        found[key].rows.append(row)
    out = {}
    for (model, scenario), rounds in cells.items():
        for found in rounds.values():
            for cell in found.values():
                cell.settle()
        out[model, scenario] = Bench(
            model, scenario, {name: tuple(found.values()) for name, found in rounds.items()}
        )
    return out
