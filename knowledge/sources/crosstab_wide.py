"""tableau_crosstab.csv of v5.0 and v5.1: one system in four lines, one benchmark and scenario a column.

Counts are those of one node; units are partly wrong (trap T4); names lose their commas; there is no
location. Only Closed datacenter results are in it. v5.0's llama2-70b-interactive: its Server is the
Interactive scenario, its Offline a measurement of its own (trap T24).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knowledge.errors import SourceError
from knowledge.sources.record import Fields, Record, required

FIRST = "Public ID"
COLUMNS = (
    FIRST,
    "Organization",
    "Availability",
    "System Name",
    "# of Nodes",
    "Processor",
    "# of Processors",
    "Accelerator",
    "# of Accelerators",
    "Division/Power",
)
_RESULT = "Avg. Result at System Name"
_NODES = "# of Nodes"
_ACCELERATORS = "# of Accelerators"


def _plain(head: str) -> str:
    """A head without the page's hint for the mouse and with single blanks."""
    return " ".join(re.sub(r"\(click.*?\)", "", head).split())


def head_line(table: list[list[str]]) -> int | None:
    """The index of the line that names the columns, None if the table is no wide crosstab."""
    for index, line in enumerate(table[:12]):
        if any(_plain(cell) == "Division/Power" for cell in line) and index >= 2:
            return index
    return None


def records(file: str, table: list[list[str]]) -> Iterator[Record]:
    """The results of a wide crosstab. Raises SourceError for missing columns and broken blocks."""
    at = head_line(table)
    if at is None:
        raise SourceError(f"{file}: no line with the column 'Division/Power'")
    head = [_plain(cell) for cell in table[at]]
    required(file, f"line {at + 1}", COLUMNS, [name for name in head if name])
    for number, line in enumerate(table[at - 2 :], at - 1):
        if any(line) and len(line) != len(head):
            raise SourceError(f"{file}: line {number}: {len(line)} columns, the head line has {len(head)}")
    benchmarks = _benchmarks(table[at - 2], table[at - 1], table[at])
    starts = [i for i in range(at + 1, len(table)) if table[i] and table[i][0]]
    if not starts:
        raise SourceError(f"{file}: holds no results")
    for start, end in zip(starts, [*starts[1:], len(table)], strict=True):
        yield from _system(file, start + 1, head, [line for line in table[start:end] if line], benchmarks)


def _benchmarks(models: list[str], scenarios: list[str], units: list[str]) -> list[tuple[str, str, str]]:
    """Model, scenario and unit of each column; a model's name stands over its first column only."""
    found, model = [], ""
    for name, scenario, unit in zip(models, scenarios, units, strict=True):
        model = name.strip() or model
        found.append((model, scenario.strip(), unit.strip()))
    return found


def _system(
    file: str,
    number: int,
    head: list[str],
    lines: list[list[str]],
    benchmarks: list[tuple[str, str, str]],
) -> Iterator[Record]:
    """The results of one system: what it is in the first line, and a line each of counts and values."""
    label = head.index("Division/Power") + 1
    values = {_plain(line[label]): line for line in lines}
    for wanted in (_RESULT, _NODES, _ACCELERATORS):
        if wanted not in values:
            raise SourceError(f"{file}: line {number}: the line {wanted!r} of {lines[0][0]} is missing")
    named: dict[str, str] = {}
    for name, cell in zip(head[:label], lines[0][:label], strict=True):
        named.setdefault(name, cell)  # some columns stand twice
    for column in range(label + 1, len(head)):
        if values[_RESULT][column].strip():
            cells = {name: values[name][column] for name in (_RESULT, _NODES, _ACCELERATORS)}
            yield _record(Fields(file, f"line {number}", {**named, **cells}), *benchmarks[column])


def _record(row: Fields, model: str, scenario: str, unit: str) -> Record:
    result_id = row.text(FIRST).removeprefix("v")
    round_ = "v" + result_id.partition("-")[0]
    if not re.fullmatch(r"v\d\.\d", round_):
        raise row.fault(f"{result_id!r} is no result ID")
    return Record(
        file=row.file,
        place=row.place,
        source=f"MLPerf® Inference {round_} results page, crosstab export",
        round=round_,
        result_id=result_id,
        submitter=row.text("Organization"),
        division=row.text("Division/Power").lower(),
        availability=row.text("Availability").lower(),
        system_type="datacenter",
        system=row.text("System Name"),
        platform=row.text("System Name"),
        nodes=row.count(_NODES) or 1,
        sockets=row.count("# of Processors"),
        processor=row.text("Processor"),
        accelerator=row.text("Accelerator"),
        per_node=row.count(_ACCELERATORS),
        total=None,
        model=model,
        used_model=None,
        scenario=scenario,
        value_text=row.text(_RESULT),
        unit=unit,
    )
