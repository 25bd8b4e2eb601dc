"""Records: highest, fastest, first, and "every row". Four places, judged in the claim's own scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from knowledge.judging import caveats
from knowledge.judging.gaps import choices, describe, missing_subject
from knowledge.judging.question import Question, meanings
from knowledge.ranking import place, rank_row, systems
from knowledge.reading import Difference, Missing, Reading, ScaleLine, Verdict
from knowledge.row import Row
from knowledge.scope import Party, Scope, party, scope
from knowledge.table import Bench, score, total

SEVERITY = ("holds", "frame", "best_case", "depends", "contradicted", "no_rows", "not_measured")
Outcome = Literal["pass", "frame", "fail"]
Note = tuple[str, dict[str, Any]]
OVERALL = 0.9


@dataclass(frozen=True, slots=True)
class Field:
    """One benchmark of a record: the subject's systems and their rivals, one row a system."""

    bench: Bench
    mine: tuple[Row, ...]
    rivals: tuple[Row, ...]
    division: str


@dataclass(frozen=True, slots=True)
class Finding:
    """How the subject stands in one benchmark, with the row that it stands on."""

    field: Field
    row: Row
    outcome: Outcome
    differences: tuple[Difference, ...]
    place: int


def read(question: Question) -> Reading:
    """Read a record; contradicted only if both meanings of a chip maker's name are (rule 8)."""
    claim, table = question.claim, question.table
    if claim.quantifier == "some":
        asked = scope(claim, table)
        fields = [f for f in ("model", "scenario", "round") if not getattr(claim, f)] or ["model"]
        return Reading(
            verdict="depends",
            missing=tuple(Missing(what=f, field=f, choices=choices(f, asked, question)) for f in fields),
            rule="31",
            why="The records are not named one by one.",
        )
    if claim.metric == "other":
        return _size(question)
    found = [_read(asked, question) for asked in meanings(question)]
    # where both meanings fail alike the one about chips is the fairer to show
    return min(reversed(found), key=lambda reading: SEVERITY.index(reading.verdict))


def _read(asked: Scope, question: Question) -> Reading:
    if not asked.subject.named:
        return missing_subject(asked, question)
    rounds = _rounds(question)
    fields = [
        f
        for bench in asked.benches
        if (f := _field(asked, bench, _comparable(question, bench, rounds))) is not None
    ]
    if not fields:
        value = describe(question.claim.subject, question.claim, rounds)
        return Reading(
            verdict="no_rows",
            missing=(Missing(what="rows", field="subject", value=value),),
            rule="19",
            why="The subject has no rows in the record's scope.",
        )
    if question.claim.quantifier in ("all", "overall"):
        return _universal(asked, question, fields)
    return _places(asked, question, fields, rounds)


def _rounds(question: Question) -> tuple[str, ...]:
    """The rounds a record spans: the named one, or all up to the article's (rules 19 and 36)."""
    claim = question.claim
    named = claim.round or claim.subject.round
    if named and not claim.ever:
        return (named,)
    rounds = question.rounds
    last = named or question.seen_round
    if last in rounds:
        return rounds[rounds.index(last) :]
    return rounds


def _comparable(question: Question, bench: Bench, rounds: tuple[str, ...]) -> tuple[str, ...]:
    """The rounds whose rows of this benchmark compare with the newest one's."""
    have = [name for name in rounds if name in bench.rounds]
    if not have:
        return ()
    compare = question.table.calendar.compare
    return tuple(
        n for n in have if n == have[0] or compare(bench.model, bench.scenario, "", n, have[0]).comparable
    )


def _field(asked: Scope, bench: Bench, rounds: tuple[str, ...]) -> Field | None:
    """The subject's systems and their rivals. Open rows speak only where the subject has no Closed ones."""
    cells = [cell for name in rounds for cell in asked.subject.cells(bench, name)]
    if not cells:
        return None
    closed = any(cell.key.division == "closed" for cell in cells)
    division = asked.claim.division or ("closed" if closed else "open")
    system_type = ",".join(sorted({kind for cell in cells for kind in cell.key.system_type.split(",")}))
    rows = systems(bench, rounds, division=division, system_type=system_type)
    compared = rows
    if division == "open":
        compared = [*rows, *systems(bench, rounds, division="closed", system_type=system_type)]
    if asked.claim.availability is not None:  # unsaid: all, Preview and RDI marked (rule 19)
        compared = [row for row in compared if row.availability == asked.claim.availability]
    keys = {row.key for cell in cells for row in cell.rows}
    own = tuple(row for row in rows if row.key in keys)
    rivals = _rivals(_narrowed(compared, asked.baseline), asked.subject)
    return Field(bench, own, tuple(rivals), division) if own else None


def _narrowed(rows: list[Row], other: Party) -> list[Row]:
    """What the text says of the others narrows the field: "of all GB200 systems", "of eight-GPU systems"."""
    if other.chips is not None:
        rows = [row for row in rows if row.accelerator in other.chips]
    if other.count is not None:
        rows = [row for row in rows if row.accelerators == other.count]
    if other.submitters is not None or other.processor is not None:
        rows = [row for row in rows if other.takes(row)]
    return rows


def _rivals(rows: list[Row], said: Party) -> list[Row]:
    """The other submitters' if the subject is a submitter, else the other chips' (rule 26)."""
    if said.submitters is not None:
        return [row for row in rows if row.submitter not in said.submitters]
    if said.chips is not None:
        return [row for row in rows if row.accelerator not in said.chips]
    return [row for row in rows if not said.takes(row)]


def _by_total(question: Question, asked: Scope) -> bool:
    """Whether the record is about a system, which is judged by its total (rule 26)."""
    claim, said = question.claim, asked.subject
    if claim.per_accelerator is not None:
        return not claim.per_accelerator
    return bool(said.submitters or said.count or said.nodes or claim.subject.system)


def _finding(field: Field, question: Question, asked: Scope) -> Finding:
    """Judge one benchmark: the stated place by total, then the same place per accelerator (rule 19)."""
    opened: tuple[Difference, ...] = (
        ("division",) if field.division == "open" and question.claim.division is None else ()
    )
    if field.bench.latency or not _by_total(question, asked):
        row = max(_alone(field.mine) or field.mine, key=score)
        rivals = [r for r in field.rivals if _same_measure(r, row)]
        found = _place(row, rivals, per_accelerator=True)
        outcome: Outcome = "fail" if _missed(found, question) else "frame" if opened else "pass"
        return Finding(field, row, outcome, opened, found)
    row = max(field.mine, key=total)
    found = _place(row, field.rivals, per_accelerator=False)
    if _missed(found, question):
        return Finding(field, row, "fail", opened, found)
    single = _alone(field.rivals)
    same = [r for r in single if r.accelerators == row.accelerators]
    each = _place(row, same or single, per_accelerator=True) if row.per_accelerator is not None else found
    if _missed(each, question):
        return Finding(field, row, "frame", ("scale", *opened), found)
    return Finding(field, row, "frame" if opened else "pass", opened, found)


def _alone(rows: Iterable[Row]) -> list[Row]:
    """The rows that have a figure per accelerator: no mixed systems, no processors, no times."""
    return [row for row in rows if row.per_accelerator is not None]


def _same_measure(a: Row, b: Row) -> bool:
    """Whether two rows are scored alike: per accelerator, per socket, or as systems."""
    each = (a.per_accelerator is None) == (b.per_accelerator is None)
    return each and (a.lower_is_better or (a.accelerators == 0) == (b.accelerators == 0))


def _missed(found: int, question: Question) -> bool:
    """Whether a place is not the stated one: "second" is met by the second place only."""
    return found != (question.claim.place or 1)


def _place(row: Row, rivals: Iterable[Row], *, per_accelerator: bool) -> int:
    return place(row, rivals, score if per_accelerator else total)[0]


def _places(asked: Scope, question: Question, fields: list[Field], rounds: tuple[str, ...]) -> Reading:
    """All benchmarks pass, fail or frame together; mixed ones depend on the benchmark (rule 45)."""
    findings = [_finding(field, question, asked) for field in fields]
    outcomes = {f.outcome for f in findings}
    claim, by_total = question.claim, _by_total(question, asked)
    if len(outcomes) > 1 and "fail" in outcomes and len(claim.models) < 2:
        good = [f for f in findings if f.outcome != "fail"]
        field = "model" if not claim.model else "scenario"
        options = tuple(sorted({getattr(f.field.bench, field) for f in good}))
        return Reading(
            verdict="depends",
            rows=tuple(f.row for f in good[:3]),
            missing=(Missing(what=field, field=field, choices=options),),
            by_scale=_lines(good[0].field, question),
            rule="45",
            why="True in some benchmarks where the subject has rows, false in others.",
            notes=(("record_mixed", {"passed": len(good), "of": len(findings)}),),
        )
    shown = min(findings, key=lambda f: ("fail", "frame", "pass").index(f.outcome))
    verdict: Verdict = "contradicted" if "fail" in outcomes else "frame" if "frame" in outcomes else "holds"
    found = caveats.of_rows((shown.row,), claim)
    if shown.row.per_accelerator is not None:
        found.add("derived_metric")
    leader = _leader(shown, by_total=by_total)
    scope_rounds = _comparable(question, shown.field.bench, rounds)
    return Reading(
        verdict=verdict,
        basis="system" if by_total else "per_accelerator",
        recomputed=shown.row.value if by_total else shown.row.per_accelerator or shown.row.value,
        per_accelerator=shown.row.per_accelerator,
        rows=(shown.row,) if leader is None else (shown.row, leader),
        differences=shown.differences if verdict == "frame" else (),
        rank=rank_row(question.table, shown.row, scope_rounds),
        by_scale=_lines(shown.field, question),
        rule="19",
        why=_why(shown, verdict),
        caveats=caveats.ordered(found),
        notes=(
            ("record", {"benchmarks": len(findings), "place": shown.place, "by_total": by_total}),
            *_tied(shown, question, asked),
            *(_beaten_later(shown, question, asked, scope_rounds) if verdict != "contradicted" else ()),
        ),
    )


def _tied(finding: Finding, question: Question, asked: Scope) -> Iterator[Note]:
    """Rivals with the very same figure share the place (trap T19: such values are genuine)."""
    row, whole = finding.row, _by_total(question, asked)
    value = total if whole else score
    equal = [r for r in finding.field.rivals if value(r) == value(row) and (whole or _same_measure(r, row))]
    names = sorted({r.submitter for r in equal})
    if names:
        yield "record_tied", {"submitters": tuple(names)}


def _beaten_later(
    finding: Finding, question: Question, asked: Scope, rounds: tuple[str, ...]
) -> Iterator[Note]:
    """A row of a later round that beats a record which ends at its text's date or numbers (rule 36)."""
    claim, row, table = question.claim, finding.row, question.table
    if (claim.round or claim.subject.round) and not claim.ever:
        return
    end = table.published[rounds[0]]
    later = [n for n in table.rounds if table.published[n] > end and question.embargo(n) is None]
    later = [n for n in later if n in finding.field.bench.rounds]
    whole = _by_total(question, asked)
    value = total if whole else score
    compare = table.calendar.compare
    rows = [
        r
        for n in later
        if compare(row.model, row.scenario, row.system_type, row.round, n).comparable
        for r in systems(finding.field.bench, (n,), division=row.division, system_type=row.system_type)
        if value(r) > value(row) and (whole or _same_measure(r, row))
    ]
    if rows:
        yield "beaten_later", _facts(max(rows, key=value))


def _facts(row: Row) -> dict[str, Any]:
    return {
        "round": row.round,
        "submitter": row.submitter,
        "accelerator": row.accelerator,
        "accelerators": row.accelerators,
        "value": row.value,
        "unit": row.unit,
    }


def _leader(finding: Finding, *, by_total: bool) -> Row | None:
    """The rival that the reply shows: the one ahead by the record's own measure, or per accelerator where
    only that place is another's."""
    rivals = finding.field.rivals
    if finding.outcome == "pass" or not rivals:
        return None
    if finding.outcome == "fail" and by_total:
        return max(rivals, key=total)
    alike = [r for r in rivals if _same_measure(r, finding.row)]
    same = [r for r in alike if r.accelerators == finding.row.accelerators and finding.outcome == "frame"]
    return max(same or alike or rivals, key=score)


def _why(finding: Finding, verdict: Verdict) -> str:
    if verdict == "holds":
        return "First in the record's scope, and first per accelerator at its own size."
    if verdict == "frame":
        if "scale" in finding.differences:
            return "First by system total only; per accelerator it is not first."
        return "First, but with a row of the Open division."
    return f"Place {finding.place} in the record's scope."


def _lines(field: Field, question: Question) -> tuple[ScaleLine, ...]:
    """One line a system size: the best row of each side per accelerator."""
    sizes = sorted({r.accelerators for r in field.mine})
    largest = max((r.accelerators for r in (*field.mine, *field.rivals)), default=0)
    out = []
    for size in sizes:
        if question.claim.below_largest and size == largest:
            continue
        mine = [
            r
            for r in field.mine
            if r.accelerators == size and (r.per_accelerator is not None or size == 0 or field.bench.latency)
        ]
        theirs = [
            r
            for r in field.rivals
            if r.accelerators == size and (r.per_accelerator is not None or size == 0 or field.bench.latency)
        ]
        if not mine:
            continue
        a = max(mine, key=score)
        b = max(theirs, key=score) if theirs else None
        leads = b is None or score(a) > score(b)
        leader, rival = (a, b) if leads or b is None else (b, a)
        out.append(
            ScaleLine(
                accelerators=size,
                round=a.round,
                model=a.model,
                scenario=a.scenario,
                leader=leader,
                rival=rival,
                ratio=None if rival is None else score(leader) / score(rival),
                contested=b is not None,
                subject_leads=leads,
            )
        )
    return tuple(out)


def _universal(asked: Scope, question: Question, fields: list[Field]) -> Reading:
    """ "Every row": one contested size led by a rival contradicts; "overall" needs nine in ten (rule 31)."""
    lines = [line for field in fields for line in _lines(field, question)]
    contested = [line for line in lines if line.contested]
    lost = [line for line in contested if not line.subject_leads]
    overall = question.claim.quantifier == "overall"
    if not contested:
        return Reading(
            verdict="depends",
            missing=(Missing(what="model", field="model", choices=choices("model", asked, question)),),
            by_scale=tuple(lines[:6]),
            rule="31",
            why="No rival has a row at any of these sizes.",
        )
    share = 1 - len(lost) / len(contested)
    verdict: Verdict = (
        "holds" if not lost or (overall and share >= OVERALL) else "best_case" if overall else "contradicted"
    )
    worst = (
        max(lost, key=lambda line: line.ratio or 1.0)
        if lost
        else max(contested, key=lambda line: line.ratio or 1.0)
    )
    rows = (worst.leader,) if worst.rival is None else (worst.leader, worst.rival)
    found: set[Any] = caveats.of_rows(rows, question.claim)
    found.add("derived_metric")
    return Reading(
        verdict=verdict,
        basis="per_accelerator",
        rows=rows,
        by_scale=tuple([*lost, *(line for line in contested if line.subject_leads)][:12]),
        rule="31",
        why=f"Of {len(contested)} contested sizes a rival leads in {len(lost)}.",
        caveats=caveats.ordered(found),
        notes=(("universal_record", {"contested": len(contested), "lost": len(lost)}),),
    )


def _size(question: Question) -> Reading:
    """A record of size: the number of accelerators of the largest system, of any division."""
    claim, table = question.claim, question.table
    rounds = set(_rounds(question))
    said = party(claim.subject, claim, table, "vendor")
    cells = [cell for bench in table.select() for name in rounds for cell in bench.rounds.get(name, ())]
    mine = [
        cell.best
        for bench in table.select()
        for name in rounds
        for cell in said.cells(bench, name, any_count=said.count is None, any_division=True)
    ]
    if not mine:
        value = describe(claim.subject, claim)
        return Reading(
            verdict="no_rows" if said.named else "depends",
            missing=(
                Missing(what="rows" if said.named else "accelerator", field="subject", value=value or None),
            ),
            rule="19",
            why="The subject has no rows.",
        )
    largest = max(cells, key=lambda cell: cell.key.accelerators).best
    own = max(mine, key=lambda r: r.accelerators)
    first = own.accelerators >= largest.accelerators
    return Reading(
        verdict="holds" if first else "contradicted",
        basis="system",
        recomputed=float(own.accelerators),
        rows=(own,) if first else (own, largest),
        rule="19",
        why="No stored system is larger." if first else "A stored system is larger.",
        caveats=caveats.ordered(caveats.of_rows((own,), claim)),
        notes=(
            ("size_record", {"own": own.accelerators, "largest": largest.accelerators}),
            *(_larger_later(own, question, rounds) if first else ()),
        ),
    )


def _larger_later(own: Row, question: Question, rounds: set[str]) -> Iterator[Note]:
    """A larger system of a round after those that the record spans (rule 36)."""
    table = question.table
    end = max(table.published[name] for name in rounds)
    later = {n for n in table.rounds if table.published[n] > end and question.embargo(n) is None}
    cells = [cell for bench in table.select() for n in later for cell in bench.rounds.get(n, ())]
    largest = max(cells, key=lambda cell: cell.key.accelerators, default=None)
    if largest is not None and largest.key.accelerators > own.accelerators:
        yield "beaten_later", _facts(largest.best)
