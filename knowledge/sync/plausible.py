"""Whether a round's new rows can be true, given those that are stored: counts, keys, values, units."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from knowledge.errors import SyncError
from knowledge.row import Row
from knowledge.sync.plan import Plan

BY_HAND = "if it is right, load the file by hand (smallprint load FILE)"


def check(name: str, new: Sequence[Row], stored: Sequence[Row], plan: Plan) -> list[str]:
    """Look at the rows of round `name`; `stored` are all stored rows. What is odd, a line each.

    Raises SyncError where they cannot stand in for the stored ones.
    """
    strange = {row.round for row in new} - {name}
    if strange:
        raise SyncError(f"{name}: the file says that it is of {', '.join(sorted(strange))}")
    old = {row.key: row for row in stored if row.round == name}
    after = {row.key: row for row in new}
    gone = [key for key in old if key not in after]
    if len(gone) > plan.withdrawn.of(len(old)):
        raise SyncError(
            f"{name}: {len(gone)} of {len(old)} stored rows are not among the file's {len(new)}; {BY_HAND}"
        )
    changed = [key for key, row in after.items() if key in old and old[key].value != row.value]
    if len(changed) > plan.changed.of(len(old)):
        raise SyncError(
            f"{name}: {len(changed)} of {len(old)} stored rows have another value in the file; {BY_HAND}"
        )
    return _units(name, new, stored, plan)


def _units(name: str, new: Sequence[Row], stored: Iterable[Row], plan: Plan) -> list[str]:
    """Rows with a figure per accelerator far from every stored one of its accelerator and benchmark."""
    figures: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for row in stored:
        if row.per_accelerator is not None and row.division == "closed":
            figures[_place(row)].append(row.per_accelerator)
    odd = []
    for row in new:
        known = figures.get(_place(row))
        if known and row.per_accelerator is not None and row.division == "closed":
            low, high = min(known) / plan.factor, max(known) * plan.factor
            if not low < row.per_accelerator < high:
                odd.append(f"{row.key}: {row.per_accelerator:.6g} {row.unit} an accelerator")
    if len(odd) > plan.outliers.of(len(new)):
        raise SyncError(
            f"{name}: {len(odd)} results are {plan.factor:.0f} times off every stored one, such as {odd[0]}; "
            f"{BY_HAND}"
        )
    return [f"far from every stored result: {line}" for line in odd]


def _place(row: Row) -> tuple[object, ...]:
    return row.suite, row.model, row.scenario, row.unit, row.accelerator


def with_page(new: Row, old: Row | None) -> Row:
    """The row with what the results page said of it, which the summary file does not say (traps T16, T17).

    The page's ID stays; its finer digits only as long as the value is the same.
    """
    if old is None:
        return new
    if "id_differs" in old.flags and "id_differs" not in new.flags:
        flags = tuple(sorted({*new.flags, "id_differs"}))
        new = replace(new, result_id=old.result_id, flags=flags)
    if old.value_fine is not None and new.value_fine is None and old.value == new.value:
        new = replace(new, value_fine=old.value_fine)
    return new
