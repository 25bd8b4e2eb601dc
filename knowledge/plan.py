"""Which rounds a claim compares: those it says, those that time words mean, or the newest."""

from __future__ import annotations

import re
from dataclasses import dataclass

from knowledge.judging.question import Question
from knowledge.reading import Missing
from knowledge.scope import Scope

MONTHS = re.compile(r"\d{1,3}")


@dataclass(frozen=True, slots=True)
class Plan:
    """Round pairs (subject's, baseline's) to try in order.

    `assumed` says that the text names no round; `implied` that it names no baseline, so that the
    round before is only a guess; `missing` what stands in the way.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    assumed: bool = False
    implied: bool = False
    missing: tuple[Missing, ...] = ()


def plan(scope: Scope, question: Question) -> Plan:
    """Find the round pairs of a comparison (rules 7, 29, 39, 41, 44)."""
    claim = scope.claim
    late, early = claim.subject.round, claim.baseline.round
    if late and early:
        return _known(question, late, early)
    when = claim.baseline.when or claim.subject.when
    if early:
        if claim.round and claim.round != early:
            return _known(question, claim.round, early)
        return _since(question, early)
    late = late or claim.round
    if late:
        return _from(scope, question, late, when)
    if scope.baseline.named and not _needs_time(scope):
        return Plan(tuple((name, name) for name in _likeliest(question)), assumed=True)
    if when and question.rounds:
        newest = question.rounds[0]
        found = before(question, newest, when)
        return Plan(((newest, found),), assumed=True) if found else Plan()
    return Plan(missing=(Missing(what="round", field="round", choices=question.rounds),))


def _likeliest(question: Question) -> tuple[str, ...]:
    """The rounds to look in where none is said: that of the text's own figures, then the newest."""
    seen = question.seen_round
    rest = tuple(name for name in question.rounds if name != seen)
    return (seen, *rest) if seen in question.rounds and seen is not None else rest


def _needs_time(scope: Scope) -> bool:
    """Whether the sides are the same hardware in the same number."""
    counts = (scope.subject.count, scope.baseline.count)
    unequal = None not in counts and counts[0] != counts[1]
    return scope.one_accelerator and not unequal


def _known(question: Question, late: str, early: str) -> Plan:
    missing = tuple(
        Missing(what="round", field=field, value=name)
        for field, name in (("subject.round", late), ("baseline.round", early))
        if name not in question.table.published
    )
    return Plan(((late, early),), missing=missing)


def _since(question: Question, early: str) -> Plan:
    if early not in question.table.published:
        return Plan(missing=(Missing(what="round", field="baseline.round", value=early),))
    start = question.table.published[early]
    later = tuple(name for name in question.rounds if question.table.published[name] > start)
    return Plan(tuple((name, early) for name in later), assumed=len(later) > 1)


def _from(scope: Scope, question: Question, late: str, when: str | None) -> Plan:
    claim = scope.claim
    if when:
        found = before(question, late, when)
        return _known(question, late, found) if found else Plan()
    if scope.baseline.named and not _needs_time(scope):
        return Plan(((late, late),))
    found = before(question, late, "previous")
    if found is None:
        return Plan()
    implied = not scope.baseline.named and not claim.same_hardware
    if implied and not claim.model:
        return Plan(implied=True)
    known = _known(question, late, found)
    if implied and known.missing:
        return Plan(implied=True)
    return Plan(known.pairs, implied=implied, missing=known.missing)


def before(question: Question, name: str, when: str) -> str | None:
    """The round that a time word means, counted back from `name`; stored or not."""
    months = MONTHS.search(when)
    calendar = question.table.calendar
    found = calendar.ago(name, int(months.group())) if months else calendar.previous(name)
    return found.name if found else None
