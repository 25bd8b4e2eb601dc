"""The row pairs of a reading as a reply tells them: who leads, by how much, and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.telling import naming
from bot.wording import Words
from knowledge.reading import Group, Reading
from knowledge.row import Row
from knowledge.table import score

# By what the two sides of a comparison are told apart.
By = Literal["accelerator", "round", "submitter", "variant", "availability", "division", "count", "system"]

# Below this share two results count as level in a sentence.
LEVEL = 0.005


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rows of one benchmark, the claim's subject first; `ratio` above 1: the first is better."""

    first: Row
    second: Row
    ratio: float
    claim: bool = False


def ratio_of(first: Row, second: Row) -> float:
    """How much better the first row is, per accelerator where that makes sense."""
    return score(first) / score(second)


def of_group(group: Group) -> Comparison | None:
    """A group's pair of rows."""
    if len(group.rows) < 2:
        return None
    return Comparison(group.rows[0], group.rows[1], group.ratio)


def of_groups(groups: Sequence[Group]) -> list[Comparison]:
    """The groups' pairs, largest systems first."""
    found = [pair for pair in map(of_group, groups) if pair is not None]
    return sorted(found, key=lambda p: (-p.first.accelerators, p.first.model, -p.ratio))


def of_claim(reading: Reading, *, watts: bool = False) -> Comparison | None:
    """The pair of rows that the claim rests on; None where it rests on one row or on none.

    `watts`: the claim is about results per measured watt.
    """
    if len(reading.rows) != 2:
        return None
    first, second = reading.rows
    if (first.model, first.scenario) != (second.model, second.scenario):
        return None
    if watts and first.watts and second.watts:
        return Comparison(
            first, second, (first.value / first.watts) / (second.value / second.watts), claim=True
        )
    return Comparison(first, second, ratio_of(first, second), claim=True)


def same(a: Comparison, b: Comparison) -> bool:
    """Whether two comparisons are of the same two rows."""
    return a.first.key == b.first.key and a.second.key == b.second.key


def _hardware(row: Row) -> object:
    return row.accelerator, row.parts, None if row.accelerators else row.processor


def told_apart(pairs: Sequence[Comparison]) -> By:
    """By what the sides of these comparisons are told apart: the first that always differs."""
    tests: tuple[tuple[By, Callable[[Row], object]], ...] = (
        ("accelerator", _hardware),
        ("round", lambda row: row.round),
        ("submitter", lambda row: row.submitter),
        ("variant", lambda row: row.variant),
        ("availability", lambda row: row.availability),
        ("division", lambda row: row.division),
        ("count", lambda row: row.accelerators),
    )
    for by, key in tests:
        if pairs and all(key(p.first) != key(p.second) for p in pairs):
            return by
    return "system"


def side(row: Row, by: By, w: Words) -> str:
    """What a side is called."""
    match by:
        case "accelerator":
            return naming.accelerator(row)
        case "round":
            return row.round
        case "submitter":
            return naming.submitter(row.submitter)
        case "variant":
            return naming.variant(row)
        case "availability":
            return naming.availability(row, w)
        case "division":
            return naming.division(row, w)
        case "count":
            return naming.counted_chip(row, w)
        case "system":
            return naming.system(row)


def winner(pair: Comparison, by: By, w: Words) -> str:
    """The name of the side that is ahead."""
    return side(pair.first if pair.ratio >= 1 else pair.second, by, w)


def margin(ratio: float) -> float:
    """The ratio of the better side over the other, at least 1."""
    return ratio if ratio >= 1 else 1 / ratio


def level(pair: Comparison) -> bool:
    """Whether the two are as good as equal."""
    return margin(pair.ratio) - 1 < LEVEL


def varying(pairs: Sequence[Comparison]) -> list[str]:
    """Which of model, scenario, rounds, submitters and count differ among comparisons, in this order."""
    keys: tuple[tuple[str, Callable[[Comparison], object]], ...] = (
        ("model", lambda p: p.first.model),
        ("scenario", lambda p: p.first.scenario),
        ("count", lambda p: (p.first.accelerators, p.second.accelerators)),
        ("round", lambda p: (p.first.round, p.second.round)),
        ("submitter", lambda p: (p.first.submitter, p.second.submitter)),
        ("target", lambda p: p.first.accuracy_target == "99"),
    )
    return [name for name, key in keys if len({key(p) for p in pairs}) > 1]


def counts(pair: Comparison, w: Words) -> str:
    """The accelerators of both sides: "72 GPUs", "72 against 512 GPUs"."""
    if pair.first.accelerators == pair.second.accelerators:
        return naming.counted(pair.first, w)
    return w("where.counts", first=naming.count_text(pair.first, w), second=naming.counted(pair.second, w))


def rounds(pair: Comparison, w: Words) -> str:
    """The round, or from the older to the newer."""
    if pair.first.round == pair.second.round:
        return pair.first.round
    return w("where.rounds", old=pair.second.round, new=pair.first.round)


def where(pair: Comparison, fields: Sequence[str], w: Words) -> str:
    """Where a comparison stands among others: the fields in which they differ."""
    said = {
        "model": lambda: naming.model(pair.first.model),
        "scenario": lambda: naming.scenario(pair.first.scenario),
        "count": lambda: counts(pair, w),
        "round": lambda: rounds(pair, w),
        "submitter": lambda: " / ".join(
            naming.distinct(naming.submitter(row.submitter) for row in (pair.first, pair.second))
        ),
        "target": lambda: f"{pair.first.accuracy_target} %" if pair.first.accuracy_target else "",
    }
    # Model, accuracy target and scenario name a benchmark together; the rest stands apart.
    together = [said[name]() for name in ("model", "target", "scenario") if name in fields]
    rest = [said[name]() for name in fields if name not in ("model", "target", "scenario")]
    return ", ".join(naming.distinct([" ".join(part for part in together if part), *rest]))
