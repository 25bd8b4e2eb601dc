"""`load`: published result files into the knowledge file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bot import answer
from knowledge import sources
from knowledge.history import LoadReport
from knowledge.row import Row
from knowledge.store import Store


def load(paths: Sequence[str], *, csv_folder: Path | None = None) -> str:
    """Read published result files and put their rounds into the knowledge file.

    With `csv_folder` the rows are written there instead, one CSV a round in the project's schema.
    Raises KnowledgeError, with nothing changed, for a file that cannot be read or a store that
    cannot be written.
    """
    found = sources.load(paths)
    for warning in found.warnings:
        print(f"smallprint: {warning}", file=sys.stderr)
    if csv_folder is not None:
        return write_csv(found.rows, csv_folder)
    report = Store.open(notify=answer.notify).load(found.rows, source=", ".join(Path(p).name for p in paths))
    return told(report)


def write_csv(rows: Sequence[Row], folder: Path) -> str:
    """Rows as CSV files, one a round."""
    by_round: dict[str, list[Row]] = {}
    for row in rows:
        by_round.setdefault(row.round, []).append(row)
    lines = []
    for name, some in sorted(by_round.items()):
        sources.rows_csv.write(some, folder / f"{name}.csv")
        lines.append(f"{folder / f'{name}.csv'}: {len(some)} rows")
    return "\n".join(lines)


def told(report: LoadReport) -> str:
    """What loading did, in one line a round set."""
    rounds = ", ".join(name for _, name in report.rounds)
    changed = ", ".join(f"{report.count(what)} {what}" for what in ("added", "changed", "withdrawn"))
    return f"{rounds}: {changed}, {report.unchanged} unchanged. Data version {report.after}."
