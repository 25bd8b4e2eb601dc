"""Which pair a claim's number comes from, among all that a pair of rounds offers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knowledge.comparison import Pair, pair
from knowledge.matching import MANY, Field, Grouped
from knowledge.reading import Basis
from knowledge.row import Row
from knowledge.scope import Party, Scope
from knowledge.table import Bench, Table, score
from knowledge.tolerance import NEAREST, Fit, Tolerance, measure


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pair that reproduces the number, on which basis, and how well."""

    pair: Pair
    basis: Basis
    value: float
    each: float
    fit: Fit
    group: Grouped | None = None
    tied: bool = False


def latency(row: Row) -> bool:
    """Whether a row's result is a time."""
    return row.lower_is_better


def options(p: Pair, scope: Scope, accepted: Tolerance, group: Grouped | None = None) -> Iterator[Chosen]:
    """Try a pair per accelerator and by system, as far as the claim leaves the basis open."""
    space = measure(scope.claim, latency=latency(p.subject))
    stated = scope.claim.per_accelerator
    by_system = (
        scope.per_watt
        or latency(p.subject)
        or p.subject.per_accelerator is None
        or p.baseline.per_accelerator is None
    )
    each = space(p.ratio)
    if stated is not False and not by_system and (fit := accepted.fit(each)):
        yield Chosen(p, "per_accelerator", each, each, fit, group)
    whole = space(p.total)
    equal = p.subject.accelerators == p.baseline.accelerators
    if (stated is not True or by_system or equal) and (fit := accepted.fit(whole)):
        yield Chosen(p, "system", whole, each, fit, group)


def preference(found: Chosen, accepted: Tolerance, table: Table) -> tuple[object, ...]:
    """Order of choice (DESIGN, "Order of choice").

    Fewest differences, plain rounding, same submitter, the chip maker's own rows, nearest to the
    printed value, largest system.
    """
    p = found.pair
    own = table.names.vendor(p.subject.accelerator or "")
    return (
        len(p.differences),
        found.fit != "exact",
        p.subject.submitter != p.baseline.submitter,
        table.names.claim_submitter(own or "") != p.subject.submitter
        if p.subject.submitter == p.baseline.submitter
        else False,
        round(accepted.distance(found.value), 9),
        -p.subject.accelerators,
        found.basis == "system",
    )


def choose(field: Field, scope: Scope, table: Table, accepted: Tolerance) -> Chosen | None:
    """The pair that reproduces the number, like-for-like ones first; None if none does.

    For "up to" the largest group is tried before the others (rules 4 and 34).
    """
    alike = [c for g in field.groups for c in options(g.pair, scope, accepted, g)]
    if scope.claim.qualifier == "up_to" and alike:
        return max(alike, key=lambda c: (c.each, c.basis == "per_accelerator"))
    if alike:
        return min(alike, key=lambda c: preference(c, accepted, table))
    unlike = [c for p in field.pairs for c in options(p, scope, accepted)]
    if not unlike:
        return None
    if scope.claim.qualifier == "up_to":
        fewest = min(len(c.pair.differences) for c in unlike)
        return max((c for c in unlike if len(c.pair.differences) == fewest), key=lambda c: (c.each, c.value))
    return min(unlike, key=lambda c: preference(c, accepted, table))


def matching_rows(rows: Iterable[Row], value: float, per_accelerator: bool | None) -> list[Row]:
    """Rows whose figure is the printed value or nearest to it within 0.5 % (rule 6), nearest first."""
    near: list[tuple[float, Row]] = []
    for row in rows:
        figures = [row.per_accelerator] if per_accelerator else [row.value, row.per_accelerator]
        off = (
            min(abs(f - value) / abs(value) for f in figures if f is not None)
            if any(figures) and value
            else 1.0
        )
        if off <= NEAREST:
            near.append((off, row))
    near.sort(key=lambda item: item[0])
    return [row for off, row in near if off <= near[0][0] + 1e-6][:MANY]


def tied(scope: Scope, table: Table, rounds: tuple[str, str]) -> list[Pair]:
    """Pairs of the rows whose figures the sentence prints (rule 46); empty where it prints none.

    A side without a printed figure takes the best row of each of its classes.
    """
    other = scope.baseline if scope.baseline.named else scope.subject
    values = (scope.subject.value, scope.baseline.value)
    if values == (None, None):
        return []
    out: list[Pair] = []
    for bench in scope.benches:
        left = _bound(scope.subject, bench, rounds[0], values[0], scope)
        right = _bound(other, bench, rounds[1], values[1], scope)
        out.extend(
            pair(
                a,
                b,
                table.calendar,
                best=True,
                submitter_is_compared=scope.compares_submitters,
                by_watt=scope.per_watt,
            )
            for a in left
            for b in right
            if a is not b
            and a.accuracy_target == b.accuracy_target
            and (a.watts is None) == (b.watts is None)
            and (a.watts is not None or not scope.per_watt)
        )
    return out


def _bound(party: Party, bench: Bench, round_name: str, value: float | None, scope: Scope) -> list[Row]:
    cells = party.cells(bench, round_name, any_count=party.count is None)
    if value is None:
        return [cell.best for cell in party.cells(bench, round_name)]
    return matching_rows((r for cell in cells for r in cell.rows), value, scope.claim.per_accelerator)


def effect(value: float, claim_value: float, *, lower: bool) -> float:
    """How strong a measured value is against the claimed one: 1 the same, below 1 weaker."""
    if lower:
        return claim_value / value if value else 0.0
    return value / claim_value if claim_value else 0.0


def agrees_over_all_scales(scope: Scope, table: Table, chosen: Chosen, accepted: Tolerance) -> bool:
    """Rule 43: a rival named only as a vendor must agree with its best row per accelerator at any scale."""
    row = chosen.pair.baseline
    bench = table.benches[row.model, row.scenario]
    rivals = [cell.best for cell in scope.baseline.cells(bench, row.round, any_count=True)]
    if not rivals:
        return True
    best = max(rivals, key=score)
    space = measure(scope.claim, latency=latency(row))
    return accepted.fit(space(score(chosen.pair.subject) / score(best))) is not None


def agrees_on_sign(p: Pair, direction: str | None) -> bool:
    """Whether the comparison per accelerator points the way of the claim (rule 1)."""
    return p.ratio < 1 if direction == "lower" else p.ratio > 1
