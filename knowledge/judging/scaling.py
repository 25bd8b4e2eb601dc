"""Scaling: what a larger system keeps of the smaller one's result per accelerator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from knowledge.judging import caveats
from knowledge.judging.gaps import choices, describe, missing_subject
from knowledge.judging.question import Question, meanings
from knowledge.matching import spread
from knowledge.reading import Derived, Group, Missing, Reading, Verdict
from knowledge.row import Row
from knowledge.scope import Party, Scope
from knowledge.table import Bench, score
from knowledge.tolerance import tolerance

SEVERITY = ("holds", "best_case", "contradicted", "not_reproduced", "depends", "no_rows")
POINTS = 0.02
LINEAR = 0.95


@dataclass(frozen=True, slots=True)
class Step:
    """One submitter's larger and smaller system of one benchmark, and the efficiency between them."""

    large: Row
    small: Row
    efficiency: float


def read(question: Question) -> Reading:
    """Read a scaling claim (rules 18, 37, 40)."""
    found = [_read(asked, question) for asked in meanings(question)]
    return min(found, key=lambda reading: SEVERITY.index(reading.verdict))


def _read(asked: Scope, question: Question) -> Reading:
    if not asked.subject.named:
        return missing_subject(asked, question)
    first: Reading | None = None
    for find in (_steps, _mixed):
        for name in _rounds(question):
            steps = [step for bench in asked.benches for step in find(asked, bench, name)]
            if not steps:
                continue
            reading = _judged(question, steps)
            if reading.verdict in ("holds", "best_case"):
                return reading if first is None else _older(reading, name)
            first = first or reading
    return first or _no_start(asked, question)


def _older(reading: Reading, name: str) -> Reading:
    """Only an older round keeps the efficiency (rule 41): say so."""
    return reading.model_copy(update={"notes": (("older_round", {"round": name}),)})


def _rounds(question: Question) -> tuple[str, ...]:
    named = question.claim.round or question.claim.subject.round
    return (named,) if named else question.rounds


def _party(party: Party, count: int | None, nodes: int | None) -> Party:
    return replace(party, count=count, nodes=nodes, rack=None, loose_count=False)


def _steps(asked: Scope, bench: Bench, name: str) -> Iterable[Step]:
    """The end and the start of each submitter, accelerator, division and accuracy target (rule 18)."""
    claim = asked.claim
    if bench.latency:
        return []
    end = _party(asked.subject, claim.subject.accelerators, claim.subject.nodes)
    start = _party(asked.subject, claim.baseline.accelerators, claim.baseline.nodes)
    ends = _best_by_class(end, bench, name)
    starts = _best_by_class(start, bench, name)
    named_start = start.count is not None or start.nodes is not None
    out: dict[tuple[object, ...], Step] = {}
    for (key, size), row in sorted(ends.items(), key=lambda item: -item[0][1]):
        if key in out:
            continue
        smaller = [(s, r) for (k, s), r in starts.items() if k == key and s < size]
        if not smaller:
            continue
        small = (
            min(smaller)[1]
            if named_start and start.count is None
            else max(smaller, key=lambda item: item[0])[1]
        )
        out[key] = Step(row, small, score(row) / score(small))
    strict = {key[:-1] for key in out if key[-1] != "99"}
    return [step for key, step in out.items() if key[-1] != "99" or key[:-1] not in strict]


def _best_by_class(party: Party, bench: Bench, name: str) -> dict[tuple[tuple[object, ...], int], Row]:
    found: dict[tuple[tuple[object, ...], int], Row] = {}
    for cell in party.cells(bench, name):
        if cell.key.accelerator is None or "+" in cell.key.accelerator or cell.key.power:
            continue
        for submitter, rows in cell.of.items():
            key = (
                submitter,
                cell.key.accelerator,
                cell.key.variant,
                cell.key.division,
                cell.key.accuracy_target,
            )
            at = (key, cell.key.accelerators)
            if at not in found or score(rows[0]) > score(found[at]):
                found[at] = rows[0]
    return found


def _mixed(asked: Scope, bench: Bench, name: str) -> Iterable[Step]:
    """A mixed system: its total over the sum of the submitter's own smaller rows (rule 37)."""
    if bench.latency:
        return
    for cell in asked.subject.cells(bench, name):
        for row in cell.rows if cell.rows[0].parts else ():
            parts = [(_smaller(row, part.accelerator, bench, name), part.count) for part in row.parts]
            if any(small is None for small, _ in parts):
                continue
            expected = sum(score(small) * count for small, count in parts if small is not None)
            first = parts[0][0]
            assert first is not None
            yield Step(row, first, row.value / expected)


def _smaller(row: Row, accelerator: str, bench: Bench, name: str) -> Row | None:
    found = [
        r
        for cell in bench.rounds.get(name, ())
        if cell.key.accelerator == accelerator
        and cell.key.accuracy_target == row.accuracy_target
        and cell.key.accelerators < row.accelerators
        for r in cell.of.get(row.submitter, ())
        if r.division == row.division
    ]
    return max(found, key=lambda r: r.accelerators, default=None)


def _judged(question: Question, steps: list[Step]) -> Reading:
    claim = question.claim
    good, near = _fits(question, steps)
    groups = tuple(_group(step) for step in steps)
    aim = claim.value if claim.value is not None else 1.0
    shown = min(good or steps, key=lambda s: abs(s.efficiency - aim))
    if good and len(near) == len(steps):
        verdict: Verdict = "holds"
    elif good:
        verdict = "best_case"
    else:
        clear = (claim.model or len({s.large.model for s in steps}) == 1) and claim.value is not None
        verdict = "contradicted" if clear else "not_reproduced"
    found = caveats.of_rows((shown.large, shown.small), claim)
    found.add("derived_metric")
    return Reading(
        verdict=verdict,
        basis="per_accelerator",
        recomputed=shown.efficiency,
        per_accelerator=shown.efficiency,
        rows=(shown.large, shown.small),
        differences=("scale",),
        like_for_like=groups,
        range=spread(groups),
        rule="40" if good else "30",
        why=f"{len(near)} of {len(steps)} covered benchmarks keep this efficiency.",
        caveats=caveats.ordered(found),
    )


def _fits(question: Question, steps: list[Step]) -> tuple[list[Step], list[Step]]:
    """(steps inside the printed tolerance, steps inside it or within two points)."""
    claim = question.claim
    if claim.value is None:
        good = [s for s in steps if s.efficiency >= LINEAR]
        return good, good
    accepted = tolerance(claim)
    good = [s for s in steps if accepted.fit(s.efficiency)]
    near = [s for s in steps if accepted.fit(s.efficiency) or abs(s.efficiency - claim.value) <= POINTS]
    if claim.qualifier in ("over", "at_least"):
        near = [s for s in steps if s in near or s.efficiency > claim.value]
    return good, near


def _group(step: Step) -> Group:
    large, small = step.large, step.small
    return Group(
        round=large.round,
        model=large.model,
        scenario=large.scenario,
        accelerators=(large.accelerators, small.accelerators),
        ratio=step.efficiency,
        rows=(large, small),
        pairs=1,
        min=step.efficiency,
        max=step.efficiency,
        submitter=large.submitter,
        differences=("scale",),
    )


def _no_start(asked: Scope, question: Question) -> Reading:
    """No smaller row of the same submitter: tell which, and the nearest figure across submitters."""
    claim = question.claim
    counts = {"accelerators": claim.baseline.accelerators, "nodes": claim.baseline.nodes, "system": None}
    start = claim.subject.model_copy(update=counts)
    rounds = [name for name in _rounds(question) if _ends(asked, name)]
    if not rounds and not (claim.subject.accelerators or claim.model):
        field = "model"
        return Reading(
            verdict="depends",
            missing=(Missing(what=field, field=field, choices=choices(field, asked, question)),),
            rule="18",
            why="No submitter has two sizes of this system in one benchmark.",
        )
    missing = start if rounds else claim.subject
    value = describe(missing, claim, tuple(rounds[:1]) or _rounds(question)[:1])
    return Reading(
        verdict="no_rows",
        rows=tuple(_ends(asked, rounds[0])[:1]) if rounds else (),
        missing=(
            Missing(
                what="scaling_start" if rounds else "rows",
                field="baseline" if rounds else "subject",
                value=value,
            ),
        ),
        derived=_across(asked, question, rounds[0]) if rounds else (),
        rule="18",
        why="The submitter has no smaller row to start from.",
    )


def _ends(asked: Scope, name: str) -> list[Row]:
    """The submitter's rows at the claimed end, closest to the model first said, largest total first."""
    end = _party(asked.subject, asked.claim.subject.accelerators, asked.claim.subject.nodes)
    rows = [cell.best for bench in asked.benches if not bench.latency for cell in end.cells(bench, name)]
    return sorted((r for r in rows if r.per_accelerator is not None), key=lambda r: -r.value)


def _across(asked: Scope, question: Question, name: str) -> tuple[Derived, ...]:
    """Efficiency against the best start of any submitter with the chip: arithmetic, not a result."""
    out = []
    claim = question.claim
    anyone = replace(
        _party(asked.subject, claim.baseline.accelerators, claim.baseline.nodes), submitters=None
    )
    for end in _ends(asked, name):
        bench = question.table.benches[end.model, end.scenario]
        starts = [
            cell.best
            for cell in anyone.cells(bench, name)
            if cell.key.accelerators < end.accelerators and cell.key.accelerator == end.accelerator
        ]
        if claim.baseline.accelerators is None and starts:
            size = max(row.accelerators for row in starts)
            starts = [row for row in starts if row.accelerators == size]
        if starts:
            start = max(starts, key=score)
            out.append(
                Derived(
                    what="scaling_across_submitters",
                    value=score(end) / score(start),
                    assumption=f"{end.submitter} {end.accelerators} against {start.submitter} "
                    f"{start.accelerators}, {end.model} {end.scenario}",
                )
            )
    return tuple(out[:3])
