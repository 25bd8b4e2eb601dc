"""Absolutes: a figure that one row should carry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from knowledge.comparison import add
from knowledge.judging import caveats
from knowledge.judging.gaps import choices, describe
from knowledge.judging.question import Question, voices
from knowledge.plan import before
from knowledge.ranking import rank_row
from knowledge.reading import Basis, Caveat, Difference, Missing, Reading, Verdict
from knowledge.row import Row
from knowledge.scope import Party, Scope, scope, stand_in
from knowledge.table import score
from knowledge.tolerance import NEAREST, PUBLISHED_ROUNDING, Tolerance, tolerance
from parsing.claim import Claim

SEVERITY = ("holds", "frame", "depends", "contradicted", "not_reproduced", "no_rows")
PRECISE = 0.005  # only a figure this exact is recognised on another submitter's row
SAME_UNIT = frozenset({"samples/s", "queries/s", "tasks/s"})
DIGITS = 1e-3  # the width of a printed figure that names its row by itself
Note = tuple[str, dict[str, Any]]
RATE_UNITS = frozenset({"tokens/s", "samples/s", "queries/s", "tasks/s"})


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that carries the figure on a basis; `exact` is False where rule 6 only found the nearest."""

    row: Row
    basis: Basis
    figure: float
    exact: bool
    truncated: bool


def read(question: Question) -> Reading:
    """Read an absolute claim: the submitter reading of a chip maker's name first, then the chips (rule 8)."""
    claim, table = question.claim, question.table
    found = [
        _read(scope(claim, table, (voice, "vendor")), question)
        for voice in voices(claim.subject, table, subject=True)
    ]
    return min(found, key=lambda reading: SEVERITY.index(reading.verdict))


def _read(asked: Scope, question: Question) -> Reading:
    claim = question.claim
    rounds = _rounds(question)
    if claim.quantifier == "all":
        return _universal(asked, question, rounds)
    rows = list(_rows(asked, asked.subject, rounds, claim.scenario is not None))
    if not rows:
        twin = stand_in(asked, question.table)
        if twin is not None and any(_rows(twin, twin.subject, rounds, claim.scenario is not None)):
            return _on_a_twin(_read(twin, question))
        return _no_rows(asked, question, rounds)
    if claim.first_to:
        return _first_to(asked, question, rows)
    accepted = tolerance(claim)
    hits = _hits(asked, rows, accepted)
    exact = [hit for hit in hits if hit.exact]
    if exact:
        return _found(asked, question, exact)
    elsewhere = _elsewhere(asked, question, rounds, accepted)
    if elsewhere is not None:
        return elsewhere
    if hits:
        return _nearest(asked, question, hits)
    return _not_met(asked, question, rows, accepted)


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


def _rounds(question: Question) -> tuple[str, ...]:
    """The round that is named, or that a time word means ("half a year ago it was"; rule 39), else all."""
    said = question.claim.subject
    named = said.round or question.claim.round
    if said.round is None and said.when and question.rounds:
        named = before(question, named or question.rounds[0], said.when)
    return (named,) if named else question.rounds


def _rows(
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


def _hits(asked: Scope, rows: Iterable[Row], accepted: Tolerance) -> list[Hit]:
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


def _found(asked: Scope, question: Question, hits: list[Hit]) -> Reading:
    """Rows carry the figure: they agree (`holds`), are of another kind (`frame`), or disagree (`depends`)."""
    claim, table = question.claim, question.table
    accepted = tolerance(claim)
    hits = _cited(hits, claim) or hits
    if claim.round is None and claim.subject.round is None and (claim.model or _precise(accepted)):
        hits = _newest_round(hits, question)
    places = {(h.row.model, h.row.scenario, h.row.round) for h in hits}
    hits = sorted(
        hits, key=lambda h: (accepted.distance(h.figure), h.row.accuracy_target != "99.9", h.row.submitter)
    )
    best = hits[0]
    found = _caveats(asked, question, best)
    rows = _shown(hits)
    said_enough = asked.subject.named or claim.model or claim.result_ids or _precise(accepted)
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
        rows=rows if not differences else (best.row, *_best_closed(asked, best.row)),
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


def _precise(accepted: Tolerance) -> bool:
    """Whether a figure has so many digits that it names its row without the benchmark."""
    return accepted.high - accepted.low <= DIGITS * abs(accepted.nominal)


def _maximum(asked: Scope, question: Question, best: Hit) -> tuple[Note, ...]:
    """For "up to": the largest figure of the same benchmark and round, where it is larger (rule 34)."""
    if question.claim.qualifier != "up_to":
        return ()
    rows = _rows(asked, asked.subject, (best.row.round,), scenario_said=True)
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


def _first_to(asked: Scope, question: Question, rows: list[Row]) -> Reading:
    """ "First to pass X": nobody else may pass it in the same or an earlier round (rule 42)."""
    claim, table = question.claim, question.table
    mine = _passing(rows, claim)
    if not mine:
        return _not_met(asked, question, rows, tolerance(claim))
    own = min(mine, key=lambda row: (table.published[row.round], -row.value))
    anyone = replace(asked.subject, chips=None, submitters=None, count=None, nodes=None, rack=None)
    same = replace(asked, benches=tuple(b for b in asked.benches if b.model == own.model))
    until = [n for n in question.rounds if table.published[n] <= table.published[own.round]]
    others = [
        row
        for row in _passing(_rows(same, anyone, until, claim.scenario is not None), claim)
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


def _differs(question: Question, row: Row) -> bool:
    return row.division == "open" and question.claim.division is None


def _one_exact(hits: list[Hit], accepted: Tolerance) -> bool:
    """Whether one row's figure is the printed one to the last digit and the others only lie near."""
    return accepted.distance(hits[0].figure) <= PUBLISHED_ROUNDING < accepted.distance(hits[1].figure)


def _field(row: Row, name: str) -> str:
    return {"model": row.model, "scenario": row.scenario, "round": row.round}[name]


def _shown(hits: list[Hit]) -> tuple[Row, ...]:
    """The rows once each: of one system with one figure at two accuracy targets only the stricter."""
    out: dict[tuple[Any, ...], Row] = {}
    for hit in hits:
        row = hit.row
        out.setdefault((row.round, row.submitter, row.system, row.model, row.scenario, row.value), row)
    return tuple(out.values())[:6]


def _notes(best: Hit, hits: list[Hit]) -> tuple[Note, ...]:
    others = len(_shown(hits)) - 1
    return (("rows_agree", {"count": others}),) if others > 0 else ()


def _caveats(asked: Scope, question: Question, hit: Hit) -> set[Caveat]:
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


def _differences(asked: Scope, row: Row) -> tuple[Any, ...]:
    """How the row differs from what the text says or leaves to the rule (rules 25 and 27)."""
    out = []
    if asked.subject.loose_count and row.accelerators != 1 and asked.claim.per_accelerator is not True:
        out.append("scale")
    if row.division == "open" and asked.subject.division is None and asked.claim.result_ids == ():
        out.append("division")
    return tuple(out)


def _best_closed(asked: Scope, row: Row) -> tuple[Row, ...]:
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
        rows=_shown(hits)[:3],
        rank=rank_row(question.table, best.row),
        rule="33",
        why="The nearest row lies within 0.5 % but does not print as this figure.",
        caveats=caveats.ordered(_caveats(asked, question, best)),
        notes=(("nearest", {"value": best.figure}),),
    )


def _elsewhere(
    asked: Scope, question: Question, rounds: tuple[str, ...], accepted: Tolerance
) -> Reading | None:
    """The figure stands on a row of another count, scenario or submitter (rule 27)."""
    claim, table = question.claim, question.table
    said = asked.subject
    wider = replace(said, count=None, nodes=None, rack=None, submitters=None)
    others = table.select([table.names.claim_model(m) or m for m in claim.models] or None)
    any_basis = claim.model_copy(update={"per_accelerator": None})
    looser = Scope(any_basis, wider, asked.baseline, tuple(others), asked.voice)
    rows = _rows(looser, wider, rounds, False, any_division=claim.division is None)
    hits = [h for h in _hits(looser, rows, accepted) if h.exact]
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
        rows=(best.row, *_best_closed(asked, best.row)) if opened else (best.row,),
        differences=_told(one_of_many, opened, partners),
        rank=rank_row(table, best.row),
        rule="27",
        why="The figure stands on a row that is not the one the text describes.",
        caveats=caveats.ordered(_caveats(asked, question, best)),
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
        moved = _elsewhere(asked, question, rounds, tolerance(claim))
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


def _universal(asked: Scope, question: Question, rounds: tuple[str, ...]) -> Reading:
    """A figure that every row of a class reaches: one counterexample contradicts it (rule 31)."""
    accepted = tolerance(question.claim)
    rows = _one_a_system(_rows(asked, asked.subject, rounds, question.claim.scenario is not None))
    if not rows:
        return _no_rows(asked, question, rounds)
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
