"""What keeps a claim from being decided: what it leaves out, and what the store does not hold."""

from __future__ import annotations

from knowledge.judging.question import Question
from knowledge.reading import Missing, Reading
from knowledge.scope import Party, Scope
from knowledge.table import Cell
from parsing.claim import Claim, Side

CHOICES = 25


def undecided(asked: Scope, question: Question) -> Reading | None:
    """The `depends` of a ratio claim that leaves out too much (rules 29 and 44), or None."""
    claim = question.claim
    rounds_said = bool(claim.round or claim.subject.round or claim.baseline.round)
    if not asked.subject.named:
        return missing_subject(asked, question)
    benchmark_said = bool(claim.model or claim.scenario or claim.scenarios)
    only_makers = asked.subject.vendor_only or asked.baseline.vendor_only
    if not benchmark_said and claim.qualifier != "up_to" and (not rounds_said or only_makers):
        fields = ("model", "scenario", *(() if rounds_said else ("round",)))
        return Reading(
            verdict="depends",
            missing=tuple(Missing(what=f, field=f, choices=choices(f, asked, question)) for f in fields),
            rule="29",
            why="Neither the benchmark nor the round is said."
            if not rounds_said
            else "Neither the benchmark nor the chips are said.",
        )
    when = claim.subject.when or claim.baseline.when
    if not asked.baseline.named and not rounds_said and not when:
        return missing_baseline(asked, question)
    return None


def missing_subject(asked: Scope, question: Question) -> Reading:
    """`depends`: the text does not say what it is about."""
    why = "The text does not name the system that it speaks of."
    return _missing_side("accelerator", "subject.accelerator", why, asked, question)


def missing_baseline(asked: Scope, question: Question) -> Reading:
    """`depends`: the text does not say what it compares with (rule 44)."""
    return _missing_side(
        "baseline", "baseline.accelerator", "Nothing names what it is compared with.", asked, question
    )


def _missing_side(what: str, field: str, why: str, asked: Scope, question: Question) -> Reading:
    missing = Missing(what=what, field=field, choices=choices(field, asked, question))
    return Reading(verdict="depends", missing=(missing,), rule="44", why=why)


def choices(field: str, asked: Scope, question: Question) -> tuple[str, ...]:
    """Values of a missing field that have rows with the rest of the claim, the most frequent first."""
    count: dict[str, int] = {}
    for bench in asked.benches:
        for name in question.rounds:
            for cell in bench.rounds.get(name, ()):
                if (
                    field != "subject.accelerator"
                    and not field.startswith("baseline")
                    and not _fits(asked.subject, cell)
                ):
                    continue
                value = {
                    "model": bench.model,
                    "scenario": bench.scenario,
                    "round": name,
                }.get(field, cell.key.accelerator)
                if value and "+" not in value:
                    count[value] = count.get(value, 0) + len(cell.rows)
    if field == "round":
        return tuple(name for name in question.rounds if name in count)
    return tuple(sorted(count, key=lambda v: (-count[v], v))[:CHOICES])


def _fits(party: Party, cell: Cell) -> bool:
    if party.chips is not None and cell.key.accelerator not in party.chips:
        return False
    return party.submitters is None or any(name in cell.of for name in party.submitters)


def nothing_to_compare(asked: Scope, question: Question, rounds: tuple[tuple[str, str], ...]) -> Reading:
    """`no_rows`: a named side has no rows where the claim looks; tell which side."""
    claim = question.claim
    late = tuple(a for a, _ in rounds) or question.rounds
    early = tuple(b for _, b in rounds) or question.rounds
    sides = (
        ("subject", claim.subject, asked.subject, late),
        ("baseline", claim.baseline, asked.baseline if asked.baseline.named else asked.subject, early),
    )
    missing = tuple(
        Missing(what="rows", field=label, value=describe(side if side else claim.subject, claim, names))
        for label, side, party, names in sides
        if not has_rows(party, asked, names)
    )
    if not missing:
        missing = (Missing(what="common_benchmark", field="model", value=claim.model),)
    return Reading(
        verdict="no_rows", missing=missing, rule="44", why="A named side has no rows in the claim's scope."
    )


def has_rows(party: Party, asked: Scope, rounds: tuple[str, ...]) -> bool:
    """Whether a side has any row in the claim's benchmarks and the given rounds."""
    return any(party.cells(bench, name) for bench in asked.benches for name in rounds)


def describe(side: Side, claim: Claim, rounds: tuple[str, ...] = ()) -> str:
    """A side in words for "Rows missing: X": submitter, count, accelerator, model, scenario, round."""
    count = side.accelerators
    words = [
        side.submitter or "",
        f"{count}x" if count else "",
        side.system or side.accelerator or ("" if side.submitter else side.vendor or ""),
        claim.model or "",
        claim.scenario or "",
        rounds[0] if len(set(rounds)) == 1 else "",
    ]
    return " ".join(word for word in words if word)
