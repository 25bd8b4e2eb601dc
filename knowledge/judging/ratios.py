"""Multiples and percents: how much one side is of the other."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace

from knowledge.comparison import Pair
from knowledge.judging import caveats
from knowledge.judging.choice import (
    Chosen,
    agrees_over_all_scales,
    choose,
    effect,
    latency,
    options,
    preference,
    tied,
)
from knowledge.judging.gaps import missing_baseline, nothing_to_compare, undecided
from knowledge.judging.question import Question, meanings
from knowledge.matching import Field, Grouped, field_of, groups_like, loose_pairs, spread
from knowledge.plan import Plan, plan
from knowledge.reading import Caveat, Derived, Reading, Verdict
from knowledge.scope import Scope
from knowledge.tolerance import Tolerance, form_of, measure, tolerance

REPRODUCED = ("holds", "best_case", "software", "frame")
SEVERITY = ("not_reproduced", "contradicted", "depends", "no_rows")
LOWER = 0.9


@dataclass(frozen=True, slots=True)
class Attempt:
    """One pair of rounds looked at under one reading of the names."""

    scope: Scope
    question: Question
    accepted: Tolerance
    field: Field
    tied: list[Pair]


def read(question: Question) -> Reading:
    """Read a multiple or percent claim, trying both meanings of a chip maker's name (rule 24).

    Of several meanings that reproduce the number the one whose pair differs least speaks.
    """
    found: list[Reading] = []
    for asked in meanings(question, both=True):
        reading = _read(asked, question)
        if reading.verdict in REPRODUCED and not reading.differences:
            return reading
        found.append(reading)
    reproduced = [reading for reading in found if reading.verdict in REPRODUCED]
    if reproduced:
        return min(reproduced, key=lambda reading: len(reading.differences))
    return min(found, key=lambda reading: SEVERITY.index(reading.verdict))


def _read(asked: Scope, question: Question) -> Reading:
    open_points = undecided(asked, question)
    if open_points is not None:
        return open_points
    rounds = plan(asked, question)
    if rounds.missing:
        verdict = "no_rows" if rounds.missing[0].value else "depends"
        rule = "39" if verdict == "no_rows" else "29"
        return Reading(
            verdict=verdict,
            missing=rounds.missing,
            rule=rule,
            why="The rounds that it compares are not both known.",
        )
    accepted = tolerance(question.claim)
    if question.claim.aggregate:
        return _aggregate(asked, question, accepted, rounds)
    first: Attempt | None = None
    for names in rounds.pairs:
        attempt = _attempt(asked, question, accepted, names)
        if rounds.implied and attempt.field.empty:
            attempt = _attempt(_anyone_before(asked, names[0]), question, accepted, names)
        if attempt.field.empty and not attempt.tied:
            continue
        reading = _reproduced(attempt, older=first is not None, assumed=rounds.assumed)
        if reading is not None:
            return reading
        first = first or attempt
    if rounds.implied:
        return missing_baseline(asked, question)
    if first is None:
        return nothing_to_compare(asked, question, rounds.pairs)
    return _not_met(first)


def _anyone_before(asked: Scope, late: str) -> Scope:
    """The same chips in anyone's hands as the baseline, where the subject's submitter was not there yet."""
    chips = asked.subject.chips or frozenset(
        cell.key.accelerator
        for bench in asked.benches
        for cell in asked.subject.cells(bench, late)
        if cell.key.accelerator
    )
    subject = replace(asked.subject, chips=chips)
    return replace(asked, subject=subject, baseline=replace(subject, submitters=None, count=None, value=None))


def _attempt(asked: Scope, question: Question, accepted: Tolerance, rounds: tuple[str, str]) -> Attempt:
    table = question.table
    found = field_of(asked, table, rounds)
    return Attempt(asked, question, accepted, found, tied(asked, table, rounds))


def _reproduced(attempt: Attempt, *, older: bool, assumed: bool) -> Reading | None:
    """The reading if something reproduces the number: the sentence's own rows, groups, then unlike pairs."""
    table, accepted = attempt.question.table, attempt.accepted
    own = [c for p in attempt.tied for c in options(p, attempt.scope, accepted)]
    if own:
        chosen: Chosen | None = min(own, key=lambda c: preference(c, accepted, table))
    else:
        chosen = choose(attempt.field, attempt.scope, table, accepted)
    if chosen is None:
        chosen = _other_ways(attempt)
    if chosen is None:
        return None
    return _judged(attempt, chosen, elsewhere=bool(attempt.tied) and not own, older=older, assumed=assumed)


def _other_ways(attempt: Attempt) -> Chosen | None:
    """Accuracy target 99 on both sides (rule 35), other sizes of a rack (rule 9), any pair (rule 12).

    Where the text names no benchmark or only makers, some pair of all would meet any number by chance.
    """
    table, rounds = attempt.question.table, attempt.field.rounds
    for accuracy, any_count in (("99", False), (None, True)):
        field = field_of(attempt.scope, table, rounds, accuracy=accuracy, any_count=any_count)
        chosen = choose(field, attempt.scope, table, attempt.accepted)
        if chosen is not None:
            return chosen
    by_chance = attempt.scope.subject.vendor_only or attempt.scope.baseline.vendor_only
    if by_chance or not attempt.question.claim.model:
        return None
    for p in loose_pairs(attempt.scope, table, rounds):
        for found in options(p, attempt.scope, attempt.accepted):
            return found
    return None


def _judged(attempt: Attempt, chosen: Chosen, *, elsewhere: bool, older: bool, assumed: bool) -> Reading:
    """Turn a reproduction into a verdict: frame, best case, software or holds."""
    p = chosen.pair
    groups = tuple(g.group for g in attempt.field.groups)
    others = () if groups else groups_like(attempt.field, p.differences)
    verdict, rule, why = _verdict(attempt, chosen, elsewhere=elsewhere)
    found = caveats.of_pair(
        p, attempt.question.claim, attempt.question.table, (attempt.scope.subject, attempt.scope.baseline)
    )
    if chosen.fit == "truncated":
        found.add("truncated")
    if (
        len({g.scenario for g in groups}) == 1
        and attempt.question.claim.scenario is None
        and verdict != "frame"
    ):
        found.add("single_scenario")
    notes: list[tuple[str, dict[str, object]]] = []
    if older:
        notes.append(("older_round", {"round": p.subject.round}))
    elif assumed:
        notes.append(("assumed_round", {"round": p.subject.round}))
    if p.subject.accuracy_target == "99":
        notes.append(("accuracy_target", {"target": "99"}))
    return Reading(
        verdict=verdict,
        basis=chosen.basis,
        recomputed=chosen.value,
        per_accelerator=None if _by_system(p, attempt.scope) else chosen.each,
        rows=(p.subject, p.baseline),
        differences=p.differences,
        like_for_like=groups,
        others=others,
        range=spread(groups or others),
        rule=rule,
        why=why,
        caveats=caveats.ordered(found),
        notes=tuple(notes),
    )


def _by_system(p: Pair, asked: Scope) -> bool:
    """Whether a pair has no figure per accelerator: times, power, processors, mixed systems."""
    each = p.subject.per_accelerator, p.baseline.per_accelerator
    return asked.per_watt or latency(p.subject) or None in each


def _verdict(attempt: Attempt, chosen: Chosen, *, elsewhere: bool) -> tuple[Verdict, str, str]:
    """(verdict, rule, why) of a number that rows reproduce."""
    p = chosen.pair
    same_chip = (
        p.subject.accelerator == p.baseline.accelerator and p.subject.submitter == p.baseline.submitter
    )
    only_round = p.differences == ("round",) and same_chip
    if elsewhere:
        return (
            "frame",
            "46",
            "The rows whose figures the sentence prints do not give this number; another pair does.",
        )
    if p.differences and not only_round:
        return "frame", "1", "Only rows that differ give this number."
    broken = _broken(attempt, chosen)
    if broken is not None:
        return "best_case", *broken
    if only_round:
        return (
            "software",
            "11",
            "Accelerator, count, submitter and category are the same; only the round differs.",
        )
    return (
        "holds",
        "1",
        "A like-for-like pair gives this number and no covered group is more than 10 % lower.",
    )


def _broken(attempt: Attempt, chosen: Chosen) -> tuple[str, str] | None:
    """(rule, why) if a covered group keeps a reproduced number from being typical."""
    table, p = attempt.question.table, chosen.pair
    if chosen.group is None and not p.best:
        return "12", "Only a pair that is not best row against best row gives this number."
    if any(table.names.special(row.variant) for row in (p.subject, p.baseline)):
        return "43", "Only a special variant of the accelerator gives this number."
    if any("atypical" in row.flags for row in (p.subject, p.baseline)):
        return "12", "Only a pair with an atypical row gives this number."
    if not _every_model(attempt):
        return "45", "Only some of the named models have a like-for-like pair."
    for grouped in attempt.field.groups:
        found = _weaker(attempt, grouped)
        if found is not None:
            return found
    rival_by_vendor = attempt.scope.baseline.vendor_only and not p.differences
    if rival_by_vendor and not agrees_over_all_scales(attempt.scope, table, chosen, attempt.accepted):
        return "43", "The rival's best row per accelerator at another size does not give this number."
    return None


def _every_model(attempt: Attempt) -> bool:
    """Whether each model that a statement names together is covered by a group."""
    wanted = len(attempt.question.claim.models)
    return wanted < 2 or len({g.group.model for g in attempt.field.groups}) >= wanted


def _weaker(attempt: Attempt, grouped: Grouped) -> tuple[str, str] | None:
    """(rule, why) if one covered group lies on the other side of 1.0, 10 % lower, or at half the gain."""
    claim = attempt.question.claim
    assert claim.value is not None
    value = measure(claim, latency=latency(grouped.pair.subject))(grouped.group.ratio)
    target = claim.value
    form = form_of(claim)
    if attempt.accepted.fit(value):
        return None
    if (value - 1) * (target - 1) < 0:
        return "11", "A covered group lies on the other side of 1.0."
    if effect(value, target, lower=form == "reduction") < LOWER:
        return "11", "A covered group lies more than 10 % lower."
    if form in ("gain", "reduction") and abs(value - 1) < abs(target - 1) / 2:
        return "48", "A covered group gains less than half as much."
    return None


def _not_met(attempt: Attempt) -> Reading:
    """Both sides have rows and none gives the number: contradicted or not reproduced (rule 30)."""
    claim, table = attempt.question.claim, attempt.question.table
    field = attempt.field
    pairs = [g.pair for g in field.groups] or list(field.pairs) or attempt.tied
    space = measure(claim, latency=latency(pairs[0].subject))
    nearest = min(pairs, key=lambda p: (len(p.differences), attempt.accepted.distance(space(p.ratio))))
    groups = tuple(g.group for g in field.groups)
    others = () if groups else groups_like(field, nearest.differences)
    clear = _names_its_rows(attempt, pairs)
    found: set[Caveat] = caveats.of_pair(
        nearest, claim, table, (attempt.scope.subject, attempt.scope.baseline)
    )
    return Reading(
        verdict="contradicted" if clear else "not_reproduced",
        basis="system" if _by_system(nearest, attempt.scope) else "per_accelerator",
        recomputed=space(nearest.ratio),
        per_accelerator=None if _by_system(nearest, attempt.scope) else space(nearest.ratio),
        rows=(nearest.subject, nearest.baseline),
        differences=nearest.differences,
        like_for_like=groups,
        others=others,
        range=spread(groups or others),
        rule="30",
        why="The claim names its rows and no pair of them gives the number."
        if clear
        else "No pair of the claim's rows gives the number.",
        caveats=caveats.ordered(found),
    )


def _names_its_rows(attempt: Attempt, pairs: list[Pair]) -> bool:
    """Whether the claim names its rows or leaves no choice; a single shared model of any round is chance."""
    claim = attempt.question.claim
    round_said = bool(claim.round or claim.subject.round or claim.baseline.round)
    hardware = attempt.scope.subject.named and (attempt.scope.baseline.named or attempt.scope.one_accelerator)
    models = {p.subject.model for p in pairs}
    scenarios = {p.subject.scenario for p in pairs}
    return bool(
        hardware
        and (claim.model or (round_said and len(models) == 1))
        and (claim.scenario or claim.scenarios or len(scenarios) == 1)
    )


def _aggregate(asked: Scope, question: Question, accepted: Tolerance, rounds: Plan) -> Reading:
    """A geomean, mean or median over the covered groups: one value, shown as derived (rule 37)."""
    claim = question.claim
    for names in rounds.pairs:
        field = field_of(asked, question.table, names)
        alike = tuple(g.group for g in field.groups)
        fewest = min((p.differences for p in field.pairs), key=len, default=())
        groups = alike or groups_like(field, fewest)
        if not groups:
            continue
        space = measure(claim, latency=groups[0].rows[0].lower_is_better)
        value = _composite([space(group.ratio) for group in groups], claim.aggregate or "geomean")
        fits = accepted.fit(value) is not None
        verdict: Verdict = "frame" if fits and not alike else "best_case" if fits else "not_reproduced"
        shown = min(groups, key=lambda group: accepted.distance(space(group.ratio)))
        found = caveats.of_rows(shown.rows, claim)
        found.add("derived_metric")
        return Reading(
            verdict=verdict,
            basis="per_accelerator",
            recomputed=value,
            rows=shown.rows,
            differences=() if alike else fewest,
            like_for_like=alike,
            others=() if alike else groups,
            range=spread(groups),
            derived=(
                Derived(what=claim.aggregate or "geomean", value=value, assumption=f"{len(groups)} groups"),
            ),
            rule="37",
            why=f"A composite of {len(groups)} published pairs; no row carries it.",
            caveats=caveats.ordered(found),
        )
    return nothing_to_compare(asked, question, rounds.pairs)


def _composite(values: list[float], how: str) -> float:
    if how == "mean":
        return statistics.fmean(values)
    return statistics.median(values) if how == "median" else statistics.geometric_mean(values)
