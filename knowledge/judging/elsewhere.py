"""A figure that stands on another row than the text describes (rule 27)."""

from __future__ import annotations

from dataclasses import replace

from knowledge.judging import caveats
from knowledge.judging.hits import PRECISE, best_closed, caveats_of, find, rows_of
from knowledge.judging.question import Question
from knowledge.ranking import rank_row
from knowledge.reading import Difference, Reading, Verdict
from knowledge.row import Row
from knowledge.scope import Scope
from knowledge.tolerance import Tolerance


def elsewhere(
    asked: Scope, question: Question, rounds: tuple[str, ...], accepted: Tolerance
) -> Reading | None:
    """The figure stands on a row of another count, scenario or submitter (rule 27)."""
    claim, table = question.claim, question.table
    said = asked.subject
    wider = replace(said, count=None, nodes=None, rack=None, submitters=None)
    others = table.select([table.names.claim_model(m) or m for m in claim.models] or None)
    any_basis = claim.model_copy(update={"per_accelerator": None})
    looser = Scope(any_basis, wider, asked.baseline, tuple(others), asked.voice)
    rows = rows_of(looser, wider, rounds, False, any_division=claim.division is None)
    hits = [h for h in find(looser, rows, accepted) if h.exact]
    if (accepted.rounded - accepted.low) / max(accepted.nominal, 1e-12) > PRECISE:
        hits = [h for h in hits if said.submitters is None or h.row.submitter in said.submitters]
    if not hits:
        return None
    hits.sort(key=lambda h: (_distance_of(h.row, asked, claim.scenario), accepted.distance(h.figure)))
    best = hits[0]
    differing = _said_otherwise(best.row, asked, question)
    one_of_many = differing == ("accelerators",) and (said.loose_count or said.count == 1)
    opened = not differing and best.row.division == "open"
    partners = differing == ("submitter",) and bool(
        (said.submitters or frozenset()) & set(table.names.joint(best.row.submitter))
    )
    verdict: Verdict = "frame" if one_of_many or opened or partners else "contradicted"
    return Reading(
        verdict=verdict,
        basis=best.basis,
        recomputed=best.figure,
        per_accelerator=best.row.per_accelerator,
        rows=(best.row, *best_closed(asked, best.row)) if opened else (best.row,),
        differences=_told(one_of_many, opened, partners),
        rank=rank_row(table, best.row),
        rule="27",
        why="The figure stands on a row that is not the one the text describes.",
        caveats=caveats.ordered(caveats_of(asked, question, best)),
        notes=(("stands_elsewhere", {"fields": differing}),),
    )


def _told(one_of_many: bool, opened: bool, partners: bool) -> tuple[Difference, ...]:
    """The difference that a figure on another row comes down to; a joint submitter is its own (rule 8)."""
    if one_of_many:
        return ("scale",)
    if opened:
        return ("division",)
    return ("submitter",) if partners else ()


def _distance_of(row: Row, asked: Scope, scenario: str | None) -> float:
    said = asked.subject
    return (
        (said.submitters is not None and row.submitter not in said.submitters)
        + (said.count is not None and row.accelerators != said.count)
        + (scenario is not None and row.scenario != scenario)
        + (row.division == "open") / 2
    )


def _said_otherwise(row: Row, asked: Scope, question: Question) -> tuple[str, ...]:
    said, claim = asked.subject, question.claim
    out = []
    if said.submitters is not None and row.submitter not in said.submitters:
        out.append("submitter")
    if (said.count or said.rack) not in (None, row.accelerators):
        out.append("accelerators")
    if said.nodes is not None and row.nodes != said.nodes:
        out.append("nodes")
    if claim.scenario is not None and row.scenario != claim.scenario:
        out.append("scenario")
    return tuple(out)
