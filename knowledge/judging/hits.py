"""Rows that carry a printed figure: which rows a claim's side has, and which of them hit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from knowledge.judging import caveats
from knowledge.judging.question import Question
from knowledge.plan import before
from knowledge.reading import Basis, Caveat
from knowledge.row import Row
from knowledge.scope import Party, Scope
from knowledge.table import score
from knowledge.tolerance import NEAREST, Tolerance

PRECISE = 0.005  # only a figure this exact is recognised on another submitter's row
SAME_UNIT = frozenset({"samples/s", "queries/s", "tasks/s"})
RATE_UNITS = frozenset({"tokens/s", "samples/s", "queries/s", "tasks/s"})
DIGITS = 1e-3  # the width of a printed figure that names its row by itself


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that carries the figure on a basis; `exact` is False where rule 6 only found the nearest."""

    row: Row
    basis: Basis
    figure: float
    exact: bool
    truncated: bool


def rounds_of(question: Question) -> tuple[str, ...]:
    """The round that is named, or that a time word means ("half a year ago it was"; rule 39), else all."""
    said = question.claim.subject
    named = said.round or question.claim.round
    if said.round is None and said.when and question.rounds:
        named = before(question, named or question.rounds[0], said.when)
    return (named,) if named else question.rounds


def rows_of(
    asked: Scope,
    party: Party,
    rounds: Iterable[str],
    scenario_said: bool,
    *,
    any_division: bool = False,
) -> Iterable[Row]:
    """Rows of one side; where the unit rules a benchmark out it is left out unless the scenario is said."""
    for bench in asked.benches:
        for name in rounds:
            for cell in party.cells(
                bench,
                name,
                any_count=asked.claim.per_accelerator is True and party.count is None,
                any_division=any_division,
            ):
                if scenario_said or _unit_fits(asked.claim.unit, cell.rows[0]):
                    yield from cell.rows


def _unit_fits(unit: str | None, row: Row) -> bool:
    if unit is None or unit == row.unit or {unit, row.unit} <= SAME_UNIT:
        return True
    if unit in RATE_UNITS and row.unit in RATE_UNITS:
        # a rate in another unit can still be the row's own figure, worded loosely
        return False
    return {unit, row.unit} <= {"ms", "s"}


def figures(row: Row, claim_unit: str | None) -> Iterable[tuple[Basis, float]]:
    """The row's figures in the claim's unit: the system's, then per accelerator (derived)."""
    factor = 1.0
    if claim_unit == "ms" and row.unit == "s":
        factor = 1000.0
    elif claim_unit == "s" and row.unit == "ms":
        factor = 0.001
    yield "system", row.value * factor
    if row.value_fine is not None:
        yield "system", row.value_fine * factor
    if row.per_accelerator is not None:
        yield "per_accelerator", row.per_accelerator * factor


def find(asked: Scope, rows: Iterable[Row], accepted: Tolerance) -> list[Hit]:
    stated = asked.claim.per_accelerator
    low, high = min(accepted.low, accepted.nominal) * 0.99, max(accepted.high, accepted.nominal) * 1.01
    out: list[Hit] = []
    for row in rows:
        for basis, figure in figures(row, asked.claim.unit):
            wrong_basis = (basis == "system") if stated else (stated is False and basis != "system")
            if wrong_basis and row.accelerators != 1:
                continue
            if not low <= figure <= high:
                continue
            fit = accepted.fit(figure)
            if fit:
                out.append(Hit(row, basis, figure, exact=True, truncated=fit == "truncated"))
            elif accepted.distance(figure) <= NEAREST:
                out.append(Hit(row, basis, figure, exact=False, truncated=False))
            else:
                continue
            break
    return out


def precise(accepted: Tolerance) -> bool:
    """Whether a figure has so many digits that it names its row without the benchmark."""
    return accepted.high - accepted.low <= DIGITS * abs(accepted.nominal)


def shown(hits: list[Hit]) -> tuple[Row, ...]:
    """The rows once each: of one system with one figure at two accuracy targets only the stricter."""
    out: dict[tuple[Any, ...], Row] = {}
    for hit in hits:
        row = hit.row
        out.setdefault((row.round, row.submitter, row.system, row.model, row.scenario, row.value), row)
    return tuple(out.values())[:6]


def caveats_of(asked: Scope, question: Question, hit: Hit) -> set[Caveat]:
    claim, row = question.claim, hit.row
    found = caveats.of_rows((row,), claim)
    if hit.truncated:
        found.add("truncated")
    if hit.basis == "per_accelerator":
        found.add("derived_metric")
    if claim.unit and claim.unit != row.unit and {claim.unit, row.unit} <= SAME_UNIT:
        found.add("unit_differs")
    if asked.subject.rack and row.accelerators not in (0, asked.subject.rack):
        found.add("rack_slice")
    return found


def best_closed(asked: Scope, row: Row) -> tuple[Row, ...]:
    """The best Closed row of the benchmark and accelerator, to be shown beside an Open one."""
    for bench in asked.benches:
        if (bench.model, bench.scenario) != (row.model, row.scenario):
            continue
        closed = [
            cell.best
            for cell in bench.rounds.get(row.round, ())
            if cell.key.division == "closed" and cell.key.accelerator == row.accelerator
        ]
        if closed:
            return (max(closed, key=score),)
    return ()
