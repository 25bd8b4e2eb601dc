"""Places: where a row stands among the systems of its benchmark, by total and per accelerator."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from knowledge.reading import Place, Rank
from knowledge.row import Row
from knowledge.table import Bench, Table, score, total


def systems(bench: Bench, rounds: Iterable[str], *, division: str, system_type: str) -> list[Row]:
    """One row a system: Available, Preview and RDI rows of one division and system type (rule 19).

    Where both accuracy targets carry a result the stricter speaks (rule 14); power runs count
    only where the system has no performance run. The list is the bench's own: do not change it.
    """
    asked = (tuple(rounds), division, system_type)
    if asked not in bench.memo:
        bench.memo[asked] = _systems(bench, *asked)
    return bench.memo[asked]


def _systems(bench: Bench, rounds: tuple[str, ...], division: str, system_type: str) -> list[Row]:
    out: dict[tuple[object, ...], Row] = {}
    rows = [
        row
        for name in rounds
        for cell in bench.rounds.get(name, ())
        if cell.key.division == division
        and set(cell.key.system_type.split(",")) & set(system_type.split(","))
        for row in cell.rows
    ]
    for row in sorted(rows, key=lambda r: (r.watts is not None, r.accuracy_target != "99.9")):
        out.setdefault((row.round, row.submitter, row.platform, row.system, row.accelerators), row)
    return list(out.values())


def place(row: Row, rows: Iterable[Row], value: Callable[[Row], float]) -> tuple[int, int]:
    """(place, of): one more than the number of rows that are better."""
    own = value(row)
    values = [value(r) for r in rows]
    return 1 + sum(v > own for v in values), len(values)


def rank_row(table: Table, row: Row, rounds: tuple[str, ...] | None = None) -> Rank:
    """The four places of a row among the systems of its benchmark.

    rounds: the rounds of the scope; its own round by default (rule 49).
    """
    bench = table.benches[row.model, row.scenario]
    names = rounds or (row.round,)
    rows = systems(bench, names, division=row.division, system_type=row.system_type)
    single = [r for r in rows if r.per_accelerator is not None]
    span = names[0] if len(names) == 1 else f"{names[-1]} to {names[0]}"
    scope = f"{span}, {row.division}, {row.model} {row.scenario}"
    same = [r for r in rows if r.accelerators == row.accelerators]
    same_single = [r for r in single if r.accelerators == row.accelerators]
    per = row.per_accelerator is not None

    def at(group: list[Row], value: Callable[[Row], float], words: str) -> Place | None:
        if not group:
            return None
        found, of = place(row, group, value)
        return Place(place=found, of=of, scope=f"{scope}, {words}")

    return Rank(
        system_all=at(rows, total, "all sizes"),
        system_same_scale=at(same, total, f"{row.accelerators} accelerators"),
        per_accelerator_all=at(single, score, "all sizes") if per else None,
        per_accelerator_same_scale=at(same_single, score, f"{row.accelerators} accelerators")
        if per
        else None,
    )
