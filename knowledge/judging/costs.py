"""Cost and power: what the rows do not hold, and the arithmetic that follows all the same."""

from __future__ import annotations

from knowledge.judging.question import Question
from knowledge.matching import field_of
from knowledge.plan import plan
from knowledge.reading import Derived, Group, Reading
from knowledge.row import Row
from knowledge.scope import scope
from knowledge.table import score
from knowledge.tolerance import tolerance


def read(question: Question) -> Reading:
    """A cost is never measured; on the same system it follows from the like-for-like ratio (rule 20)."""
    return Reading(
        verdict="not_measured",
        derived=_at_constant_price(question),
        rule="20",
        why="The rows hold no price.",
        notes=(("not_measured", {"what": "cost"}),),
    )


def _at_constant_price(question: Question) -> tuple[Derived, ...]:
    """The cost a token that a constant price would give, from the like-for-like ratio across rounds."""
    claim = question.claim
    asked = scope(claim, question.table)
    if not asked.subject.named or not claim.model:
        return ()
    rounds = plan(asked, question)
    groups: list[Group] = []
    for names in rounds.pairs[:1]:
        groups = [g.group for g in field_of(asked, question.table, names).groups]
    return tuple(
        Derived(
            what="cost_at_constant_price",
            value=1 / group.ratio,
            assumption=f"{group.model} {group.scenario}, {group.accelerators} accelerators, price unchanged",
        )
        for group in groups[:2]
    )


def power(question: Question) -> Reading:
    """Results per watt, where both sides are power runs of one benchmark and round (rule 28)."""
    claim, table = question.claim, question.table
    none = Reading(
        verdict="not_measured",
        rule="28",
        why="No two power runs of one benchmark stand behind it.",
        caveats=("power_not_measured",),
        notes=(("not_measured", {"what": "power"}),),
    )
    asked = scope(claim, table)
    if (
        claim.value is None
        or not asked.subject.named
        or not asked.baseline.named
        or claim.kind not in ("multiple", "percent")
    ):
        return none
    accepted = tolerance(claim)
    pairs = [
        (a, b)
        for bench in asked.benches
        for name in (question.rounds if claim.round is None else (claim.round,))
        for a in _power_rows([r for c in asked.subject.cells(bench, name) for r in c.rows])
        for b in _power_rows([r for c in asked.baseline.cells(bench, name) for r in c.rows])
        if a.key != b.key and a.accuracy_target == b.accuracy_target
    ]
    fitting = [(a, b) for a, b in pairs if accepted.fit(per_watt(a) / per_watt(b))]
    if not fitting:
        return none
    a, b = max(fitting, key=lambda p: score(p[0]))
    return Reading(
        verdict="frame",
        basis="system",
        recomputed=per_watt(a) / per_watt(b),
        rows=(a, b),
        differences=("scale",) if a.accelerators != b.accelerators else (),
        rule="28",
        why="Two power runs give this number.",
    )


def _power_rows(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.watts]


def per_watt(row: Row) -> float:
    """Published result per measured watt of the system."""
    assert row.watts
    return row.value / row.watts
