"""Hand-made claims, and the judge on the packaged rows, for the tests of readings."""

from __future__ import annotations

from functools import cache
from typing import Any

from knowledge.judge import Judge
from knowledge.names import Names
from knowledge.reading import Reading
from knowledge.rounds import Rounds
from knowledge.table import Table
from parsing.claim import Claim, Printed, Side
from tests.knowledge.packaged import packaged_rows


@cache
def the_judge() -> Judge:
    """One judge over the packaged rows for all tests."""
    rows = packaged_rows()
    return Judge(Table(rows, Names.load().extended(rows), Rounds.load()))


def claim(kind: str, value: float | None = None, printed: float | None = None, **fields: Any) -> Claim:
    """A claim as the reader would hand it over; the step is that of the printed number's last digit."""
    if value is not None:
        shown = value if printed is None else printed
        step = fields.pop("step", None)
        if step is None:
            text = f"{shown:.10g}"
            step = 10.0 ** -len(text.split(".")[1]) if "." in text else 1.0
        fields["printed"] = Printed(text=str(shown), value=shown, step=None if step == 0 else step)
        fields.setdefault("qualifier", "exact")
    for side in ("subject", "baseline"):
        fields[side] = Side(**fields.get(side, {}))
    return Claim(quote="-", span=(0, 1), kind=kind, value=value, **fields)  # type: ignore[arg-type]


def ask(kind: str, value: float | None = None, printed: float | None = None, **fields: Any) -> Reading:
    """The reading of one hand-made claim."""
    return the_judge().reading(claim(kind, value, printed, **fields))


def rows_of(reading: Reading) -> list[tuple[str, str, int, str, float]]:
    """(round, submitter, accelerators, scenario, value) of the reading's rows."""
    return [(r.round, r.submitter, r.accelerators, r.scenario, round(r.value, 2)) for r in reading.rows]


def notes_of(reading: Reading) -> dict[str, dict[str, Any]]:
    """The reading's notes by code."""
    return dict(reading.notes)
