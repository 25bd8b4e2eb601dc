"""Claim to candidates: the round pairs to look at, the like-for-like groups, the other pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from knowledge.comparison import Pair, add, pair
from knowledge.reading import Difference, Group, Range
from knowledge.row import Row
from knowledge.scope import Party, Scope, forms_match, stand_in
from knowledge.table import Bench, Cell, Table, score, size

NEAR_SCALE = 0.15
MANY = 30
ACCURACY = ("99.9", None, "99")
AVAILABILITY = ("available", "preview", "rdi")


@dataclass(frozen=True, slots=True)
class Grouped:
    """A group with the pair that gives its ratio."""

    group: Group
    pair: Pair


@dataclass(frozen=True, slots=True)
class Field:
    """Everything that one pair of rounds offers a claim.

    `groups` are like-for-like; `pairs` are best row against best row of two unlike classes.
    """

    rounds: tuple[str, str]
    groups: tuple[Grouped, ...]
    pairs: tuple[Pair, ...]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to compare."""
        return not self.groups and not self.pairs


def spread(groups: Iterable[Group]) -> Range | None:
    """Count, minimum, median and maximum of the groups' ratios."""
    ratios = sorted(group.ratio for group in groups)
    if not ratios:
        return None
    middle = len(ratios) // 2
    median = ratios[middle] if len(ratios) % 2 else (ratios[middle - 1] + ratios[middle]) / 2
    return Range(n=len(ratios), min=ratios[0], median=median, max=ratios[-1])


def field_of(
    scope: Scope,
    table: Table,
    rounds: tuple[str, str],
    *,
    accuracy: str | None = None,
    any_count: bool = False,
) -> Field:
    """Compare the two sides in one pair of rounds (subject's, baseline's).

    `accuracy` fixes the accuracy target of both sides (rule 35); otherwise 99.9 goes before 99
    (rule 14). `any_count` drops the preference of a rack name for its full count. Where the chips
    themselves have nothing to compare, another board of the same GPU answers (rules 37 and 50).
    """
    found = _field(scope, table, rounds, accuracy, any_count)
    if not found.empty:
        return found
    other = stand_in(scope, table)
    return found if other is None else _marked(_field(other, table, rounds, accuracy, any_count))


def _marked(field: Field) -> Field:
    """A field of stand-ins: every pair differs in the board, so nothing in it is like-for-like."""
    alike = tuple(g.pair for g in field.groups)
    pairs = (replace(p, differences=add(p.differences, "accelerator_variant")) for p in alike + field.pairs)
    return replace(field, groups=(), pairs=tuple(pairs))


def _field(
    scope: Scope, table: Table, rounds: tuple[str, str], accuracy: str | None, any_count: bool
) -> Field:
    groups: list[Grouped] = []
    pairs: list[Pair] = []
    for left, right in _sides(scope, table, rounds, accuracy, any_count):
        found, unlike = _compare_sides(scope, table, left, right)
        groups.extend(found)
        pairs.extend(unlike)
    return Field(rounds, tuple(groups), tuple(pairs))


def loose_pairs(scope: Scope, table: Table, rounds: tuple[str, str]) -> Iterator[Pair]:
    """Like-for-like pairs of rows that do not speak for their group (rule 12), bounded in number."""
    for left, right in _sides(scope, table, rounds, None, True):
        yield from _loose(scope, table, left, right)


def _sides(
    scope: Scope, table: Table, rounds: tuple[str, str], accuracy: str | None, any_count: bool
) -> Iterator[tuple[list[Cell], list[Cell]]]:
    """The cells of both sides, a benchmark at a time, where both have some."""
    other = scope.baseline if scope.baseline.named else scope.subject
    for bench in scope.benches:
        if rounds[0] != rounds[1] and not _comparable(bench, table, rounds):
            continue
        left = _side(scope.subject, bench, rounds[0], accuracy, any_count, scope.per_watt)
        right = _side(other, bench, rounds[1], accuracy, any_count, scope.per_watt) if left else []
        if left and right:
            yield left, right


def _comparable(bench: Bench, table: Table, rounds: tuple[str, str]) -> bool:
    return table.calendar.compare(bench.model, bench.scenario, "", rounds[1], rounds[0]).comparable


def _side(
    party: Party, bench: Bench, round_name: str, accuracy: str | None, any_count: bool, per_watt: bool
) -> list[Cell]:
    found = party.cells(bench, round_name, any_count=any_count and party.count is None)
    if per_watt:
        found = [cell for cell in found if cell.key.power]
    if accuracy is not None:
        return [cell for cell in found if cell.key.accuracy_target == accuracy]
    return found


def _compare_sides(
    scope: Scope, table: Table, left: list[Cell], right: list[Cell]
) -> tuple[list[Grouped], list[Pair]]:
    """Split the comparisons of two sides into like-for-like groups and unlike best pairs."""
    groups: dict[tuple[object, ...], list[tuple[tuple[int, ...], Cell, Cell]]] = defaultdict(list)
    pairs: list[Pair] = []
    for a, b in product(left, right):
        if not _may_pair(scope, table, a, b):
            continue
        if _alike(scope, a, b):
            for submitter in _fixed_submitters(scope, a, b):
                groups[a.key.size, submitter, _form(a, b)].append((_rank(a), a, b))
        pairs.extend(_unlike(scope, table, a, b))
    found = [
        grouped
        for (_, submitter, _), options in groups.items()
        if (grouped := _group(scope, table, options, submitter if isinstance(submitter, str) else None))
    ]
    return found, _best_of_class(pairs)


def _may_pair(scope: Scope, table: Table, a: Cell, b: Cell) -> bool:
    """Whether rows of two cells may ever be compared (rules 14 and 16).

    A claim about one accelerator never crosses to another chip of the same family.
    """
    if a is b or a.key.power != b.key.power or a.key.accuracy_target != b.key.accuracy_target:
        return False
    if scope.one_accelerator and a.key.hardware != b.key.hardware:
        return False
    if a.round != b.round:
        kind = a.key.system_type
        if not table.calendar.compare(a.model, a.scenario, kind, b.round, a.round).comparable:
            return False
    return forms_match(a.best, b.best, scope.claim, table)


def _alike(scope: Scope, a: Cell, b: Cell) -> bool:
    """Whether two cells differ in nothing that makes a pair unlike (rounds and chips aside)."""
    x, y = a.key, b.key
    same = x.size == y.size and x.availability == y.availability and x.division == y.division
    if not same or not set(x.system_type.split(",")) & set(y.system_type.split(",")):
        return False
    return x.hardware != y.hardware or x.variant == y.variant or scope.compares_submitters


def _fixed_submitters(scope: Scope, a: Cell, b: Cell) -> Iterable[str | None]:
    """The submitters that groups are made for: each one on the same accelerator, else all as one."""
    if a.key.hardware == b.key.hardware and not scope.compares_submitters:
        return [name for name in a.of if name in b.of]
    return [None]


def _form(a: Cell, b: Cell) -> str | None:
    """The variant of a group: within one accelerator it matters, between two it does not (rule 15)."""
    return a.key.variant if a.key.hardware == b.key.hardware else None


def _rank(cell: Cell) -> tuple[int, ...]:
    """Which of several classes speaks for a group: 99.9 before 99, Available first, then datacenter."""
    key = cell.key
    return (
        int(key.power),
        ACCURACY.index(key.accuracy_target) if key.accuracy_target in ACCURACY else len(ACCURACY),
        AVAILABILITY.index(key.availability) if key.availability in AVAILABILITY else len(AVAILABILITY),
        int("datacenter" not in key.system_type),
    )


def _group(
    scope: Scope, table: Table, options: list[tuple[tuple[int, ...], Cell, Cell]], submitter: str | None
) -> Grouped | None:
    """Make the group of the foremost class; several variants and chips count as one side (rule 15)."""
    first = min(rank for rank, _, _ in options)
    chosen = [(a, b) for rank, a, b in options if rank == first]
    left = _rows({id(a): a for a, _ in chosen}.values(), submitter)
    right = _rows({id(b): b for _, b in chosen}.values(), submitter)
    one_chip = chosen[0][0].key.hardware == chosen[0][1].key.hardware
    if one_chip and submitter is None and not scope.compares_submitters:
        return None
    a, b = _representatives(scope, left, right)
    if a is b:
        return None
    found = _pair(scope, table, a, b, best=True)
    across: tuple[Difference, ...] = ("round",) if a.round != b.round else ()
    rest = tuple(code for code in found.differences if code not in across)
    if rest:
        return None
    low, high = (
        (found.ratio, found.ratio)
        if scope.per_watt
        else (score(left[-1]) / score(right[0]), score(left[0]) / score(right[-1]))
    )
    group = Group(
        round=a.round if a.round == b.round else (b.round, a.round),
        model=a.model,
        scenario=a.scenario,
        accelerators=a.accelerators,
        ratio=found.ratio,
        rows=(a, b),
        pairs=len(left) * len(right),
        min=min(low, found.ratio),
        max=max(high, found.ratio),
        submitter=submitter,
    )
    return Grouped(group, found)


def _pair(scope: Scope, table: Table, a: Row, b: Row, *, best: bool) -> Pair:
    return pair(
        a,
        b,
        table.calendar,
        best=best,
        submitter_is_compared=scope.compares_submitters,
        by_watt=scope.per_watt,
    )


def _rows(cells: Iterable[Cell], submitter: str | None) -> list[Row]:
    rows = [row for cell in cells for row in (cell.rows if submitter is None else cell.of[submitter])]
    return sorted(rows, key=score, reverse=True)


def _representatives(scope: Scope, left: list[Row], right: list[Row]) -> tuple[Row, Row]:
    """The two rows that speak for a group (rule 3): one submitter's own pair, else best against best."""
    a, b = left[0], right[0]
    if scope.compares_submitters:
        return a, b
    for own, other in ((left, right), (right, left)):
        names = {row.submitter for row in own}
        if len(names) == 1:
            mate = next((row for row in other if row.submitter in names), None)
            if mate is not None:
                return (own[0], mate) if own is left else (mate, own[0])
    return a, b


def _unlike(scope: Scope, table: Table, a: Cell, b: Cell) -> Iterator[Pair]:
    """Best against best of two unlike classes, and the pairs of one submitter that rule 3 prefers."""
    yield _pair(scope, table, a.best, b.best, best=True)
    if scope.compares_submitters:
        return
    if a.key.hardware != b.key.hardware:
        own = [_representatives(scope, a.rows, b.rows)]
    else:
        own = [(a.of[name][0], b.of[name][0]) for name in a.of.keys() & b.of.keys()]
    for x, y in own:
        if x is not y and (x is not a.best or y is not b.best):
            yield _pair(scope, table, x, y, best=True)


def _best_of_class(pairs: list[Pair]) -> list[Pair]:
    """Keep unlike pairs whose rows are the best of their (count, round, availability, division) class.

    A pair of one submitter stays, since fewer differences go first; across rounds like-for-like
    pairs (only the round differs) are the groups' own.
    """
    best: dict[tuple[object, ...], float] = {}
    for p in pairs:
        for row in (p.subject, p.baseline):
            key = _class(row)
            best[key] = max(best.get(key, 0.0), score(row))
    kept = []
    for p in pairs:
        if p.differences in ((), ("round",)):
            continue
        top = all(score(row) >= best[_class(row)] for row in (p.subject, p.baseline))
        if top or p.subject.submitter == p.baseline.submitter:
            kept.append(p)
    return kept


def _class(row: Row) -> tuple[object, ...]:
    return (
        size(row),
        row.round,
        row.availability,
        row.division,
        row.accelerator or row.processor,
        row.variant,
        row.accuracy_target,
        row.watts is not None,
    )


def _loose(scope: Scope, table: Table, left: list[Cell], right: list[Cell]) -> Iterator[Pair]:
    for a, b in product(left, right):
        if not _may_pair(scope, table, a, b) or not _alike(scope, a, b):
            continue
        one_chip = a.key.hardware == b.key.hardware and not scope.compares_submitters
        for x, y in product(a.rows[:MANY], b.rows[:MANY]):
            if x is not y and (not one_chip or x.submitter == y.submitter):
                yield _pair(scope, table, x, y, best=False)


def near_scale(p: Pair) -> bool:
    """Whether two counts are unequal but within 15 % (64 and 72)."""
    a, b = p.subject.accelerators, p.baseline.accelerators
    return a != b and min(a, b) > 0 and max(a, b) / min(a, b) <= 1 + NEAR_SCALE


def groups_like(field: Field, wanted: tuple[Difference, ...]) -> tuple[Group, ...]:
    """Groups of pairs that have exactly the given differences (rule 2), one a benchmark and count.

    Of several pairs the one of a single submitter goes first, then the best.
    """
    found: dict[tuple[object, ...], list[Pair]] = defaultdict(list)
    for p in field.pairs:
        if p.differences == wanted:
            key = (p.subject.model, p.subject.scenario, p.subject.accelerators, p.baseline.accelerators)
            found[key].append(p)
    out = []
    for pairs in found.values():
        foremost = max(
            pairs,
            key=lambda p: (p.subject.submitter == p.baseline.submitter, score(p.subject), score(p.baseline)),
        )
        counts = (foremost.subject.accelerators, foremost.baseline.accelerators)
        rounds = (foremost.baseline.round, foremost.subject.round)
        out.append(
            Group(
                round=rounds if rounds[0] != rounds[1] else rounds[0],
                model=foremost.subject.model,
                scenario=foremost.subject.scenario,
                accelerators=counts if counts[0] != counts[1] else counts[0],
                ratio=foremost.ratio,
                rows=(foremost.subject, foremost.baseline),
                pairs=len(pairs),
                min=min(p.ratio for p in pairs),
                max=max(p.ratio for p in pairs),
                differences=wanted,
            )
        )
    return tuple(out)
