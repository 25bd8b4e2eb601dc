"""Absolutes: a figure that one row should carry."""

from __future__ import annotations

from typing import Any

from knowledge.comparison import add
from knowledge.judging import caveats
from knowledge.judging.beside import named_beside
from knowledge.judging.elsewhere import elsewhere
from knowledge.judging.gaps import choices, describe
from knowledge.judging.hits import (
    Hit,
    best_closed,
    caveats_of,
    figures,
    find,
    precise,
    rounds_of,
    rows_of,
    shown,
)
from knowledge.judging.question import Question, meanings
from knowledge.judging.thresholds import first_to, universal
from knowledge.ranking import rank_row
from knowledge.reading import Missing, Reading, Verdict
from knowledge.row import Row
from knowledge.scope import Scope, stand_in
from knowledge.tolerance import NEAREST, PUBLISHED_ROUNDING, Tolerance, tolerance
from parsing.claim import Claim

SEVERITY = ("holds", "frame", "depends", "contradicted", "not_reproduced", "no_rows")
Note = tuple[str, dict[str, Any]]


def read(question: Question) -> Reading:
    """Read an absolute claim: the submitter reading of a chip maker's name first, then the chips (rule 8)."""
    found = [_read(asked, question) for asked in meanings(question)]
    if len(found) == 2 and found[1].verdict == "holds" and found[0].verdict not in ("holds", "no_rows"):
        return _of_another(found[1])
    return min(found, key=lambda reading: SEVERITY.index(reading.verdict))


def _read(asked: Scope, question: Question) -> Reading:
    claim = question.claim
    rounds = rounds_of(question)
    if claim.quantifier == "all":
        return universal(asked, question, rounds) or _no_rows(asked, question, rounds)
    rows = list(rows_of(asked, asked.subject, rounds, claim.scenario is not None))
    accepted = tolerance(claim)
    if not rows:
        meant = named_beside(asked, question, rounds, accepted)
        if meant:
            return _found(asked, question, meant)
        twin = stand_in(asked, question.table)
        if twin is not None and any(rows_of(twin, twin.subject, rounds, claim.scenario is not None)):
            return _on_a_twin(_read(twin, question))
        return _no_rows(asked, question, rounds)
    if claim.first_to:
        return first_to(asked, question, rows) or _not_met(asked, question, rows, accepted)
    hits = find(asked, rows, accepted)
    exact = [hit for hit in hits if hit.exact]
    exact = exact or named_beside(asked, question, rounds, accepted)
    if exact:
        return _found(asked, question, exact)
    moved = elsewhere(asked, question, rounds, accepted)
    if moved is not None:
        return moved
    if hits:
        return _nearest(asked, question, hits)
    return _not_met(asked, question, rows, accepted)


def _of_another(found: Reading) -> Reading:
    """A chip maker with rows of its own, but the figure is another submitter's of its chips (rule 8)."""
    return found.model_copy(
        update={
            "verdict": "frame",
            "rule": "8",
            "differences": add(found.differences, "submitter"),
            "why": "A row carries this figure, but another submitter's with the maker's chips.",
        }
    )


def _on_a_twin(found: Reading) -> Reading:
    """The figure of another board of the same GPU is no figure of the one that the text names (rule 37)."""
    if found.verdict != "holds":
        return found
    return found.model_copy(
        update={
            "verdict": "frame",
            "rule": "37",
            "differences": add(found.differences, "accelerator_variant"),
            "why": "Another board of the same GPU carries this figure.",
        }
    )


def _found(asked: Scope, question: Question, hits: list[Hit]) -> Reading:
    """Rows carry the figure: they agree (`holds`), are of another kind (`frame`), or disagree (`depends`)."""
    claim, table = question.claim, question.table
    accepted = tolerance(claim)
    hits = _cited(hits, claim) or hits
    if claim.round is None and claim.subject.round is None and (claim.model or precise(accepted)):
        hits = _newest_round(hits, question)
    places = {(h.row.model, h.row.scenario, h.row.round) for h in hits}
    hits = sorted(
        hits, key=lambda h: (accepted.distance(h.figure), h.row.accuracy_target != "99.9", h.row.submitter)
    )
    best = hits[0]
    found = caveats_of(asked, question, best)
    rows = shown(hits)
    said_enough = asked.subject.named or claim.model or claim.result_ids or precise(accepted)
    if (len(places) > 1 and not _one_exact(hits, accepted)) or not said_enough:
        fields = [
            f for f, i in (("model", 0), ("scenario", 1), ("round", 2)) if len({p[i] for p in places}) > 1
        ] or ["model"]
        return Reading(
            verdict="depends",
            basis=best.basis,
            recomputed=best.figure,
            rows=rows,
            missing=tuple(
                Missing(what=f, field=f, choices=tuple(sorted({_field(h.row, f) for h in hits})))
                for f in fields
            ),
            rule="47",
            why="Rows of several benchmarks carry this figure.",
            caveats=caveats.ordered(found),
        )
    differences = _differences(asked, best.row)
    verdict: Verdict = "frame" if differences else "holds"
    return Reading(
        verdict=verdict,
        basis=best.basis,
        recomputed=best.figure,
        per_accelerator=best.row.per_accelerator,
        rows=rows if not differences else (best.row, *best_closed(asked, best.row)),
        differences=differences,
        rank=rank_row(table, best.row),
        rule="25" if "division" in differences else "27" if differences else "6",
        why="A row carries this figure."
        if not differences
        else "A row carries this figure, but it is another kind of row.",
        caveats=caveats.ordered(found),
        notes=(*_notes(best, hits), *_maximum(asked, question, best)),
    )


def _cited(hits: list[Hit], claim: Claim) -> list[Hit]:
    """The hits on rows whose result ID the text cites."""
    cited = {name.lower().lstrip("v") for name in claim.result_ids}
    return [hit for hit in hits if (hit.row.result_id or "").lower().lstrip("v") in cited]


def _maximum(asked: Scope, question: Question, best: Hit) -> tuple[Note, ...]:
    """For "up to": the largest figure of the same benchmark and round, where it is larger (rule 34)."""
    if question.claim.qualifier != "up_to":
        return ()
    rows = rows_of(asked, asked.subject, (best.row.round,), scenario_said=True)
    values = [
        figure
        for row in rows
        if (row.model, row.scenario) == (best.row.model, best.row.scenario)
        for basis, figure in figures(row, question.claim.unit)
        if basis == best.basis
    ]
    top = max(values, default=best.figure)
    return (("maximum", {"value": top}),) if top > best.figure * (1 + NEAREST) else ()


def _newest_round(hits: list[Hit], question: Question) -> list[Hit]:
    """Where no round is said, the newest round whose rows carry the figure answers (rule 7)."""
    order = {name: i for i, name in enumerate(question.table.rounds)}
    newest = min(order[hit.row.round] for hit in hits)
    same = [hit for hit in hits if order[hit.row.round] == newest]
    return same if all(not _differs(question, hit.row) for hit in same) else hits


def _differs(question: Question, row: Row) -> bool:
    return row.division == "open" and question.claim.division is None


def _one_exact(hits: list[Hit], accepted: Tolerance) -> bool:
    """Whether one row's figure is the printed one to the last digit and the others only lie near."""
    return accepted.distance(hits[0].figure) <= PUBLISHED_ROUNDING < accepted.distance(hits[1].figure)


def _field(row: Row, name: str) -> str:
    return {"model": row.model, "scenario": row.scenario, "round": row.round}[name]


def _notes(best: Hit, hits: list[Hit]) -> tuple[Note, ...]:
    others = len(shown(hits)) - 1
    return (("rows_agree", {"count": others}),) if others > 0 else ()


def _differences(asked: Scope, row: Row) -> tuple[Any, ...]:
    """How the row differs from what the text says or leaves to the rule (rules 25 and 27)."""
    out = []
    if asked.subject.loose_count and row.accelerators != 1 and asked.claim.per_accelerator is not True:
        out.append("scale")
    if row.division == "open" and asked.subject.division is None and asked.claim.result_ids == ():
        out.append("division")
    return tuple(out)


def _nearest(asked: Scope, question: Question, hits: list[Hit]) -> Reading:
    """The 0.5 % window names a row; it is not the figure (rules 6 and 33)."""
    accepted = tolerance(question.claim)
    hits = sorted(hits, key=lambda h: accepted.distance(h.figure))
    best = hits[0]
    clear = _specific(asked, question)
    return Reading(
        verdict="contradicted" if clear else "not_reproduced",
        basis=best.basis,
        recomputed=best.figure,
        per_accelerator=best.row.per_accelerator,
        rows=shown(hits)[:3],
        rank=rank_row(question.table, best.row),
        rule="33",
        why="The nearest row lies within 0.5 % but does not print as this figure.",
        caveats=caveats.ordered(caveats_of(asked, question, best)),
        notes=(("nearest", {"value": best.figure}),),
    )


def _specific(asked: Scope, question: Question) -> bool:
    claim = question.claim
    return bool(asked.subject.named and claim.model and claim.scenario)


def _not_met(asked: Scope, question: Question, rows: list[Row], accepted: Tolerance) -> Reading:
    clear = _specific(asked, question)

    def off(row: Row) -> float:
        return min(accepted.distance(figure) for _, figure in figures(row, question.claim.unit))

    nearest = min(rows, key=off)
    basis, figure = min(figures(nearest, question.claim.unit), key=lambda f: accepted.distance(f[1]))
    return Reading(
        verdict="contradicted" if clear else "not_reproduced",
        basis=basis,
        recomputed=figure,
        per_accelerator=nearest.per_accelerator,
        rows=(nearest,),
        rank=rank_row(question.table, nearest),
        rule="30",
        why="No row of the claim's scope carries this figure.",
        caveats=caveats.ordered(caveats.of_rows((nearest,), question.claim)),
        notes=(("nearest", {"value": figure}),),
    )


def _no_rows(asked: Scope, question: Question, rounds: tuple[str, ...]) -> Reading:
    """Nothing in scope: either the count or scenario is another (rule 27), or the side is not stored."""
    claim = question.claim
    if asked.subject.named or claim.model:
        moved = elsewhere(asked, question, rounds, tolerance(claim))
        if moved is not None:
            return moved
    if not asked.subject.named and not claim.model:
        return Reading(
            verdict="depends",
            missing=(Missing(what="model", field="model", choices=choices("model", asked, question)),),
            rule="47",
            why="The text says neither the system nor the benchmark.",
        )
    return Reading(
        verdict="no_rows",
        missing=(Missing(what="rows", field="subject", value=describe(claim.subject, claim, rounds)),),
        rule="30",
        why="The store has no row of this description.",
    )
