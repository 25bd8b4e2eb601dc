"""Two rows: how much one is of the other, and how they differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from knowledge.reading import Difference
from knowledge.rounds import Rounds
from knowledge.row import Row
from knowledge.table import score, size, total

ORDER: tuple[Difference, ...] = get_args(Difference)


@dataclass(frozen=True, slots=True)
class Pair:
    """Subject row against baseline row of one benchmark.

    `ratio` is per accelerator and `total` by system, both as speeds (above 1: the subject is
    better). `best` says that each row is the best of its class.
    """

    subject: Row
    baseline: Row
    ratio: float
    total: float
    differences: tuple[Difference, ...]
    best: bool

    @property
    def like_for_like(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def same_hardware(a: Row, b: Row) -> bool:
    """Whether two rows are of the same accelerator, or of the same processor without any (rule 10)."""
    if a.accelerator != b.accelerator or a.parts != b.parts:
        return False
    return a.accelerators > 0 or (a.processor or "").casefold() == (b.processor or "").casefold()


def differences(
    a: Row, b: Row, rounds: Rounds, *, submitter_is_compared: bool = False
) -> tuple[Difference, ...]:
    """List how two rows of one model and scenario differ (rules 1, 10, 21 and 23).

    Submitter and variant count only between rows of the same accelerator; `submitter_is_compared`
    says that the submitters are what the claim compares.
    """
    found: set[Difference] = set()
    if size(a) != size(b):
        found.add("scale")
    if a.round != b.round:
        found.add("round")
        if rounds.compare(a.model, a.scenario, a.system_type, b.round, a.round).status == "note":
            found.add("method")
    if a.availability != b.availability:
        found.add("availability")
    if a.division != b.division:
        found.add("division")
    if not set(a.system_type.split(",")) & set(b.system_type.split(",")):
        found.add("system_type")
    if same_hardware(a, b):
        if a.submitter != b.submitter and not submitter_is_compared:
            found.add("submitter")
        if a.variant != b.variant:
            found.add("accelerator_variant")
    if a.accuracy_target != b.accuracy_target:
        found.add("model_variant")
    return tuple(code for code in ORDER if code in found)


def add(codes: Iterable[Difference], extra: Difference) -> tuple[Difference, ...]:
    """Add one difference, keeping the order."""
    have = {*codes, extra}
    return tuple(code for code in ORDER if code in have)


def per_watt(row: Row) -> float:
    """Published result per measured watt of the system (rule 28); the row must be a power run."""
    assert row.watts
    return row.value / row.watts


def pair(
    a: Row,
    b: Row,
    rounds: Rounds,
    *,
    best: bool,
    submitter_is_compared: bool = False,
    by_watt: bool = False,
) -> Pair:
    """Compare subject row `a` with baseline row `b`; `by_watt` compares results per measured watt.

    Rows without a common per-accelerator figure (mixed systems, latency) are compared by system.
    """
    if by_watt:
        ratio = per_watt(a) / per_watt(b)
        found = differences(a, b, rounds, submitter_is_compared=submitter_is_compared)
        return Pair(a, b, ratio, ratio, found, best)
    by_system = total(a) / total(b)
    comparable = (a.per_accelerator is None) == (b.per_accelerator is None)
    each = score(a) / score(b) if comparable else by_system
    found = differences(a, b, rounds, submitter_is_compared=submitter_is_compared)
    return Pair(a, b, each, by_system, found, best)
