"""Changes between rounds as CSV: one line a change, both sides with their software."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from knowledge.deltas import Delta
from knowledge.row import Row

# What a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

BOTH_SIDES = (
    "round",
    "availability",
    "accelerators",
    "system",
    "value",
    "per_accelerator",
    "framework",
    "weights",
    "result_id",
    "location",
    "retrieved",
)
COLUMNS = (
    "submitter",
    "accelerator",
    "variant",
    "model",
    "accuracy_target",
    "scenario",
    "division",
    "system_type",
    "unit",
    "change_percent",
    "ratio",
    "annualised_percent",
    "near_scale",
    "comparability",
    "differences",
    "caveats",
    *(
        # the figures per accelerator are ours, and MLCommons has not verified them
        f"{side}_{name}" + ("_derived_unverified" if name == "per_accelerator" else "")
        for side in ("before", "after")
        for name in BOTH_SIDES
    ),
)


def dumps(found: Iterable[Delta], *, annualised: bool = False) -> str:
    """The CSV text of changes, in their order; changes a year only where they are asked for."""
    columns = [name for name in COLUMNS if annualised or name != "annualised_percent"]
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for delta in found:
        writer.writerow({name: _cell(value) for name, value in _line(delta).items()})
    return out.getvalue()


def _line(delta: Delta) -> dict[str, object]:
    after = delta.after
    line: dict[str, object] = {
        name: getattr(after, name)
        for name in COLUMNS[: COLUMNS.index("change_percent")]
        if name != "accelerator"
    }
    line |= {
        "accelerator": after.accelerator or " + ".join(p.accelerator for p in after.parts) or after.processor,
        "change_percent": round(100 * delta.gain, 2),
        "ratio": delta.ratio,
        "annualised_percent": round(100 * delta.annualised, 2),
        "near_scale": int(delta.near_scale),
        "comparability": delta.comparability.status,
        "differences": " ".join(delta.differences),
        "caveats": " ".join(delta.caveats),
    }
    return line | _side("before", delta.before) | _side("after", after)


def _side(side: str, row: Row) -> dict[str, object]:
    names = {f"{side}_{name}": getattr(row, name) for name in BOTH_SIDES}
    names[f"{side}_per_accelerator_derived_unverified"] = names.pop(f"{side}_per_accelerator")
    return names


def _cell(value: object) -> object:
    """A value as a cell; text that came from outside is never a formula."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value
