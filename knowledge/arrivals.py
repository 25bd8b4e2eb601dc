"""What rounds brought that was not there before: accelerators, submitters, sizes, best figures, spreads.

All functions are pure: old rows and new rows in, facts out, in canonical names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge.deltas import hardware, measures_power
from knowledge.names import Names
from knowledge.rounds import Rounds
from knowledge.row import Row
from knowledge.table import score
from knowledge.wanted import chips

_STATISTICS = ("latency_mean", "latency_p90")  # latencies of one round that are not measured alike

# What compares without a note: the same rules, by MLCommons' table or by our own reading.
_EQUAL_RULES = ("same", "official", "ours")


@dataclass(frozen=True, slots=True)
class Arrival:
    """An accelerator or a submitter that no older row has, with its new rows, largest system first."""

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Largest:
    """A system with more of one accelerator than any older one. `overall`: than any older system at all."""

    row: Row
    former: Row
    overall: bool


@dataclass(frozen=True, slots=True)
class Best:
    """A row with a figure per accelerator above every older one at its size. ratio: over the `former`."""

    row: Row
    former: Row
    ratio: float


@dataclass(frozen=True, slots=True)
class Spread:
    """The best row of each submitter of one and the same system in one benchmark, best first."""

    rows: tuple[Row, ...]

    @property
    def ratio(self) -> float:
        """How much the best submitter's figure is of the last one's."""
        return score(self.rows[0]) / score(self.rows[-1])


def new_accelerators(old: Iterable[Row], new: Iterable[Row]) -> tuple[Arrival, ...]:
    """Accelerators that only the new rows have, alone or in mixed systems."""
    known = {chip for row in old for chip in chips(row)}
    return _arrivals((chip, row) for row in new for chip in chips(row) if chip not in known)


def new_submitters(old: Iterable[Row], new: Iterable[Row], names: Names) -> tuple[Arrival, ...]:
    """Submitters that only the new rows have; a joint one is new if one of its parts is."""

    def parts(row: Row) -> tuple[str, ...]:
        return names.joint(row.submitter) or (row.submitter,)

    known = {part for row in old for part in parts(row)}
    return _arrivals((row.submitter, row) for row in new if not known.issuperset(parts(row)))


def _arrivals(found: Iterable[tuple[str, Row]]) -> tuple[Arrival, ...]:
    rows: dict[str, list[Row]] = defaultdict(list)
    for name, row in found:
        rows[name].append(row)
    arrivals = (Arrival(name, tuple(sorted(some, key=_largest_first))) for name, some in rows.items())
    return tuple(sorted(arrivals, key=lambda one: (_largest_first(one.rows[0]), one.name)))


def _largest_first(row: Row) -> tuple[int, str]:
    return -row.accelerators, row.key


def largest(old: Iterable[Row], new: Iterable[Row]) -> tuple[Largest, ...]:
    """For each known accelerator the largest new system, where it is larger than all older ones."""
    before, after = _largest_of(old), _largest_of(new)
    most = max((row.accelerators for row in before.values()), default=0)
    found = [
        Largest(row, before[chip], row.accelerators > most)
        for chip, row in after.items()
        if chip in before and row.accelerators > before[chip].accelerators
    ]
    return tuple(sorted(found, key=lambda one: _largest_first(one.row)))


def _largest_of(rows: Iterable[Row]) -> dict[str, Row]:
    """The largest system of each accelerator, the better result where sizes are equal."""
    found: dict[str, Row] = {}
    for row in rows:
        if row.accelerator:
            best = found.get(row.accelerator)
            if best is None or (row.accelerators, score(row)) > (best.accelerators, score(best)):
                found[row.accelerator] = row
    return found


def new_bests(old: Iterable[Row], new: Iterable[Row], rounds: Rounds) -> tuple[Best, ...]:
    """The best new figure per accelerator in each benchmark and size, where it is above every older one.

    Over all accelerators and submitters, within one division, system type and accuracy target. RDI
    systems and power runs stand outside; older rows count where the benchmark's rules are the same. A
    size without an older row has no record to break.
    """
    before = _by_bench(old)
    found = []
    for bench, rows in _by_bench(new).items():
        row = max(rows, key=score)
        past = [past for past in before.get(bench, ()) if _equal_rules(past, row, rounds)]
        if past:
            former = max(past, key=score)
            ratio = score(row) / score(former)
            if ratio > 1:
                found.append(Best(row, former, ratio))
    return tuple(sorted(found, key=lambda one: (-one.ratio, one.row.key)))


def _by_bench(rows: Iterable[Row]) -> dict[tuple[object, ...], list[Row]]:
    found: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in rows:
        if row.per_accelerator is not None and row.availability != "rdi" and not measures_power(row):
            where = row.suite, row.model, row.accuracy_target, row.scenario, row.division
            found[(*where, row.system_type, row.accelerators)].append(row)
    return found


def _equal_rules(past: Row, row: Row, rounds: Rounds) -> bool:
    compared = rounds.compare(row.model, row.scenario, row.system_type, past.round, row.round, row.suite)
    return compared.status in _EQUAL_RULES


def spreads(rows: Sequence[Row]) -> tuple[Spread, ...]:
    """How far submitters of the same system lie apart: one round, benchmark, accelerator, count, category.

    The widest comes first; systems that one submitter alone has are left out, mixed systems too.
    """
    groups: dict[tuple[object, ...], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        if not row.accelerator:
            continue
        bench = row.suite, row.round, row.model, row.accuracy_target, row.scenario, row.division
        system = row.system_type, row.availability, hardware(row), row.accelerators, measures_power(row)
        best = groups[(*bench, *system, *(flag for flag in row.flags if flag in _STATISTICS))]
        if row.submitter not in best or score(row) > score(best[row.submitter]):
            best[row.submitter] = row
    found = [
        Spread(tuple(sorted(some.values(), key=score, reverse=True)))
        for some in groups.values()
        if len(some) > 1
    ]
    return tuple(sorted(found, key=lambda one: (-one.ratio, one.rows[0].key)))
