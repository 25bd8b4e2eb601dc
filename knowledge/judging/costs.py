"""Cost and power: what the rows do not hold, and the arithmetic that follows all the same."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.judging.question import Question
from knowledge.matching import field_of
from knowledge.plan import plan
from knowledge.reading import Derived, Group, Reading
from knowledge.scope import Party, Scope, scope

SHOWN = 2
SAME = 0.005


def read(question: Question) -> Reading:
    """A cost is never measured; on the same system it follows from the like-for-like ratio (rule 20)."""
    return Reading(
        verdict="not_measured",
        derived=tuple(_at_constant_price(question)),
        rule="20",
        why="The rows hold no price.",
        notes=(("not_measured", {"what": "cost"}),),
    )


def _at_constant_price(question: Question) -> Iterator[Derived]:
    """What a constant price makes of the like-for-like ratio, and of the one that the text prints."""
    claim = question.claim
    asked = scope(claim, question.table)
    if not asked.subject.named or not claim.model:
        return
    groups = _groups(asked, question)[:SHOWN]
    for group in groups:
        what = f"{group.model} {group.scenario}, {group.accelerators} accelerators, price unchanged"
        yield Derived(what="cost_at_constant_price", value=1 / group.ratio, assumption=what)
    printed = question.printed_ratio
    if printed and all(abs(printed - group.ratio) > SAME * printed for group in groups):
        yield Derived(
            what="cost_at_constant_price",
            value=1 / printed,
            assumption=f"{printed:g}x as printed, price unchanged",
        )


def _groups(asked: Scope, question: Question) -> tuple[Group, ...]:
    for names in plan(asked, question).pairs[:1]:
        return tuple(g.group for g in field_of(asked, question.table, names).groups)
    return ()


def no_power(question: Question) -> Reading | None:
    """`not_measured` unless both sides have power runs of one benchmark and round (rule 28)."""
    claim = question.claim
    if claim.kind in ("multiple", "percent") and claim.value is not None and _measured(question):
        return None
    return Reading(
        verdict="not_measured",
        rule="28",
        why="No two power runs of one benchmark stand behind it.",
        caveats=("power_not_measured",),
        notes=(("not_measured", {"what": "power"}),),
    )


def _measured(question: Question) -> bool:
    asked = scope(question.claim, question.table)
    if not asked.subject.named or not asked.baseline.named:
        return False
    named = question.claim.round
    rounds = (named,) if named else question.rounds
    return any(
        _power_runs(asked.subject, asked, name) & _power_runs(asked.baseline, asked, name) for name in rounds
    )


def _power_runs(party: Party, asked: Scope, name: str) -> set[tuple[str, str]]:
    """The benchmarks in which a side has power runs."""
    return {
        (bench.model, bench.scenario)
        for bench in asked.benches
        if any(cell.key.power for cell in party.cells(bench, name))
    }
