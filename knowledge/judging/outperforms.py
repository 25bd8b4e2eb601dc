"""Comparisons without a number: A beats B, A is level with B, and "72 beat 94"."""

from __future__ import annotations

from knowledge.comparison import Pair
from knowledge.judging import caveats
from knowledge.judging.choice import agrees_on_sign, latency
from knowledge.judging.gaps import missing_baseline, missing_subject, nothing_to_compare, undecided
from knowledge.judging.question import Question, meanings
from knowledge.matching import Field, field_of, groups_like, spread
from knowledge.plan import plan
from knowledge.reading import Reading, ScaleLine, Verdict
from knowledge.scope import Scope
from knowledge.table import score
from knowledge.tolerance import within
from parsing.claim import Claim

SEVERITY = ("contradicted", "no_rows", "depends")
LEVEL = 0.05
LOWER = 0.9
OVERALL = 0.9


def read(question: Question) -> Reading:
    """Read a comparison without a ratio (rules 32, 42, 43, 49) under both meanings of makers' names."""
    found = [_read(asked, question) for asked in meanings(question, both=True)]
    decided = [reading for reading in found if reading.verdict not in SEVERITY]
    return decided[0] if decided else min(found, key=lambda reading: SEVERITY.index(reading.verdict))


def _read(asked: Scope, question: Question) -> Reading:
    claim = question.claim
    if not asked.subject.named:
        return missing_subject(asked, question)
    open_points = undecided(asked, question) if claim.value is not None else None
    if open_points is not None:
        return open_points
    rounds_said = claim.round or claim.subject.round or claim.baseline.round
    if not asked.baseline.named and not rounds_said and not claim.baseline.when:
        return missing_baseline(asked, question)
    rounds = plan(asked, question)
    if rounds.missing:
        return Reading(
            verdict="no_rows" if rounds.missing[0].value else "depends",
            missing=rounds.missing,
            rule="39",
            why="The rounds that it compares are not both known.",
        )
    if rounds.implied:
        return missing_baseline(asked, question)
    for names in rounds.pairs:
        field = field_of(asked, question.table, names)
        if field.groups or field.pairs:
            return _judged(asked, question, field, assumed=rounds.assumed)
    return nothing_to_compare(asked, question, rounds.pairs)


def _judged(asked: Scope, question: Question, field: Field, *, assumed: bool) -> Reading:
    claim = question.claim
    counts = (asked.subject.count, asked.baseline.count)
    stated_scale = None not in counts and counts[0] != counts[1]
    pairs = [g.pair for g in field.groups]
    pairs += [p for p in field.pairs if p.differences == ("round", "method")] if pairs else []
    if stated_scale or not pairs:
        pairs = _one_difference_set(field, stated_scale)
    true = [p for p in pairs if _true(p, question, by_total=stated_scale)]
    verdict, rule = _verdict(asked, question, pairs, true, stated_scale, unlike=not field.groups)
    shown = min(true or pairs, key=lambda p: abs((p.total if stated_scale else p.ratio) - 1))
    by_total = stated_scale or (bool(shown.differences) and not _agrees(shown.ratio, claim))
    groups = tuple(g.group for g in field.groups)
    others = () if groups else groups_like(field, shown.differences)
    found = caveats.of_pair(shown, claim, question.table, (asked.subject, asked.baseline))
    return Reading(
        verdict=verdict,
        basis="system" if by_total or latency(shown.subject) else "per_accelerator",
        recomputed=shown.total if by_total else shown.ratio,
        per_accelerator=None if latency(shown.subject) else shown.ratio,
        rows=(shown.subject, shown.baseline),
        differences=shown.differences,
        like_for_like=groups,
        others=others,
        range=spread(groups or others),
        by_scale=tuple(_line(p) for p in pairs[:12]),
        rule=rule,
        why=f"True in {len(true)} of {len(pairs)} comparisons that the claim covers.",
        caveats=caveats.ordered(found),
        notes=(("assumed_round", {"round": shown.subject.round}),) if assumed else (),
    )


def _one_difference_set(field: Field, stated_scale: bool) -> list[Pair]:
    """The unlike pairs with the fewest differences, one a benchmark where the counts are stated."""
    if not field.pairs:
        return [g.pair for g in field.groups]
    fewest = min(len(p.differences) for p in field.pairs)
    least = [p for p in field.pairs if len(p.differences) == fewest]
    if not stated_scale:
        return least
    best: dict[tuple[str, str], Pair] = {}
    for p in least:
        key = (p.subject.model, p.subject.scenario)
        strict = p.subject.accuracy_target == "99.9"
        if key not in best or strict:
            best[key] = p
    return list(best.values())


def _true(p: Pair, question: Question, *, by_total: bool) -> bool:
    """Whether one comparison agrees with the claim; counts that are stated compare by total.

    Rows that differ are looked at on both bases, as for numbers (rule 50).
    """
    claim = question.claim
    if by_total:
        return _agrees(p.total, claim)
    return _agrees(p.ratio, claim) or (bool(p.differences) and _agrees(p.total, claim))


def _agrees(value: float, claim: Claim) -> bool:
    if _parity(claim):
        return abs(value - 1) <= (within(claim) or LEVEL)
    if claim.direction == "lower" and claim.metric != "latency":
        return value < 1
    return value > 1


def _parity(claim: Claim) -> bool:
    """Whether the claim says level and not ahead: by a word, or by naming no direction."""
    return claim.qualifier in ("about", "nearly") or (claim.kind == "outperforms" and claim.direction is None)


def _verdict(
    asked: Scope, question: Question, pairs: list[Pair], true: list[Pair], stated_scale: bool, *, unlike: bool
) -> tuple[Verdict, str]:
    claim = question.claim
    if not true:
        return "contradicted", "42" if claim.value is not None else "49"
    if unlike and not stated_scale:
        only_round = all(p.differences == ("round",) for p in pairs)
        if not only_round:
            return "frame", "1"
    if stated_scale and not all(agrees_on_sign(p, claim.direction) for p in true):
        return "frame", "1"
    if within(claim) is not None:
        return ("holds" if len(true) == len(pairs) else "best_case"), "42"
    if _parity(claim):
        return ("best_case" if any(p.ratio < LOWER for p in pairs) else "holds"), "32"
    if claim.quantifier == "all":
        return ("holds" if len(true) == len(pairs) else "contradicted"), "31"
    if claim.quantifier == "overall":
        return ("holds" if len(true) >= OVERALL * len(pairs) else "best_case"), "31"
    if len(true) < len(pairs):
        return "best_case", "49"
    if asked.baseline.vendor_only and not stated_scale and not _beats_everywhere(asked, question, pairs):
        return "best_case", "43"
    return "holds", "49"


def _beats_everywhere(asked: Scope, question: Question, pairs: list[Pair]) -> bool:
    """Rule 43: against a rival named only as a vendor its best row per accelerator at any size counts too."""
    for p in pairs:
        bench = question.table.benches[p.subject.model, p.subject.scenario]
        rivals = [c.best for c in asked.baseline.cells(bench, p.baseline.round, any_count=True)]
        best = max(rivals, key=score, default=None)
        if best is None:
            continue
        ahead = score(p.subject) > score(best)
        if ahead != (question.claim.direction != "lower"):
            return False
    return True


def _line(p: Pair) -> ScaleLine:
    leads = p.ratio >= 1
    leader, rival = (p.subject, p.baseline) if leads else (p.baseline, p.subject)
    return ScaleLine(
        accelerators=p.subject.accelerators,
        round=p.subject.round,
        model=p.subject.model,
        scenario=p.subject.scenario,
        leader=leader,
        rival=rival,
        ratio=p.ratio if leads else 1 / p.ratio,
        contested=True,
        subject_leads=leads,
    )
