"""Figures as thresholds: what every row of a class reaches, and who reached it first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from knowledge.judging import caveats
from knowledge.judging.hits import figures, rows_of
from knowledge.judging.question import Question
from knowledge.ranking import rank_row
from knowledge.reading import Basis, Reading
from knowledge.row import Row
from knowledge.scope import Scope
from knowledge.tolerance import tolerance
from parsing.claim import Claim


def first_to(asked: Scope, question: Question, rows: list[Row]) -> Reading | None:
    """ "First to pass X": nobody else may pass it in the same or an earlier round (rule 42).

    None where no row of the subject passes it.
    """
    claim, table = question.claim, question.table
    mine = _passing(rows, claim)
    if not mine:
        return None
    own = min(mine, key=lambda row: (table.published[row.round], -row.value))
    anyone = replace(asked.subject, chips=None, submitters=None, count=None, nodes=None, rack=None)
    same = replace(asked, benches=tuple(b for b in asked.benches if b.model == own.model))
    until = [n for n in question.rounds if table.published[n] <= table.published[own.round]]
    others = [
        row
        for row in _passing(rows_of(same, anyone, until, claim.scenario is not None), claim)
        if _other(row, asked)
    ]
    rival = min(others, key=lambda row: (table.published[row.round], -row.value), default=None)
    return Reading(
        verdict="holds" if rival is None else "contradicted",
        basis="per_accelerator" if claim.per_accelerator else "system",
        recomputed=own.value,
        per_accelerator=own.per_accelerator,
        rows=(own,) if rival is None else (own, rival),
        rank=rank_row(table, own),
        rule="42",
        why="No other row passes the mark so early."
        if rival is None
        else "Another passes the mark in the same or an earlier round.",
        caveats=caveats.ordered(caveats.of_rows((own,), claim)),
    )


def _passing(rows: Iterable[Row], claim: Claim) -> list[Row]:
    mark = claim.value or 0.0
    stated = claim.per_accelerator is True
    each = [(row, row.per_accelerator if stated else row.value) for row in rows if not row.lower_is_better]
    return [row for row, figure in each if figure is not None and figure >= mark]


def _other(row: Row, asked: Scope) -> bool:
    """Another submitter where the subject is one, else another chip (rule 26)."""
    if asked.subject.submitters is not None:
        return row.submitter not in asked.subject.submitters
    return asked.subject.chips is None or row.accelerator not in asked.subject.chips


def universal(asked: Scope, question: Question, rounds: tuple[str, ...]) -> Reading | None:
    """A figure that every row of a class reaches: one counterexample contradicts it (rule 31).

    None where the class has no row.
    """
    accepted = tolerance(question.claim)
    rows = _one_a_system(rows_of(asked, asked.subject, rounds, question.claim.scenario is not None))
    if not rows:
        return None
    basis: Basis = "per_accelerator" if question.claim.per_accelerator else "system"

    def figure(row: Row) -> float:
        return dict(figures(row, question.claim.unit)).get(basis, row.value)

    rows.sort(key=figure)
    worst = rows[0]
    met = [row for row in rows if accepted.fit(figure(row)) or figure(row) >= accepted.nominal]
    return Reading(
        verdict="holds" if len(met) == len(rows) else "contradicted",
        basis=basis,
        recomputed=figure(worst),
        per_accelerator=worst.per_accelerator,
        rows=(worst, rows[-1]) if len(rows) > 1 else (worst,),
        rule="31",
        why="Every row of the class reaches the figure."
        if len(met) == len(rows)
        else "A row of the class does not reach the figure.",
        caveats=caveats.ordered(caveats.of_rows((worst,), question.claim)),
        notes=(("universal", {"met": len(met), "of": len(rows)}),),
    )


def _one_a_system(rows: Iterable[Row]) -> list[Row]:
    """One row a system and benchmark: where both accuracy targets carry one, the stricter."""
    out: dict[tuple[Any, ...], Row] = {}
    for row in sorted(rows, key=lambda r: r.accuracy_target != "99.9"):
        out.setdefault((row.round, row.submitter, row.system, row.platform, row.model, row.scenario), row)
    return list(out.values())
