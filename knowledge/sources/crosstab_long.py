"""tableau_crosstab.tsv of v6.0: UTF-16, one result a line, averaged "at System Name".

The averages make rows that do not exist and values that nobody measured, and some units are wrong
(traps T2 and T3). So it gives no rows: only the counts of accelerators that took part, where the
accelerator's text states one.
"""

from __future__ import annotations

import re

from knowledge.errors import SourceError
from knowledge.sources.record import Fields, required

COLUMNS = ("Public ID", "Organization", "Accelerator", "Model MLC", "Scenario", "Units", "Total Accelerators")


def _plain(head: str) -> str:
    return " ".join(re.sub(r"\(click.*?\)", "", head).split())


def is_long(table: list[list[str]]) -> bool:
    """Whether a table is this export: its head line has both of its own columns."""
    head = {_plain(cell) for cell in table[0]}
    return {"Public ID", "Model MLC"} <= head or {"Model MLC", "Total Accelerators"} <= head


def counts(file: str, table: list[list[str]]) -> tuple[str, dict[str, int]]:
    """The round, and for each result ID the accelerators that took part where the text states them.

    Raises SourceError for missing columns, short lines and counts that are none.
    """
    head = [_plain(cell) for cell in table[0]]
    required(file, "the head line", COLUMNS, head)
    found: dict[str, int] = {}
    rounds: set[str] = set()
    for number, line in enumerate(table[1:], 2):
        if not any(line):
            continue
        if len(line) != len(head):
            raise SourceError(f"{file}: line {number}: {len(line)} columns, the head line has {len(head)}")
        named: dict[str, str] = {}
        for name, cell in zip(head, line, strict=True):
            named.setdefault(name, cell)
        row = Fields(file, f"line {number}", named)
        result_id = row.text("Public ID").removeprefix("v")
        rounds.add("v" + result_id.partition("-")[0])
        total = row.count("Total Accelerators")
        if total and re.search(r"\(x\d+\)$", row.text("Accelerator")):
            found[result_id] = total
    if len(rounds) != 1:
        raise SourceError(
            f"{file}: expected results of one round, found {', '.join(sorted(rounds)) or 'none'}"
        )
    return rounds.pop(), found
