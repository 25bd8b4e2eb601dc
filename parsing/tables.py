"""Tables of results: one claim a figure, its model, scenario and system from row and column heads.

A table is a run of lines with cells between "|". Its first row names the columns; where that
row holds figures there is no head and the cells are read as a sentence would be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from parsing.context import SCENARIOS
from parsing.frame import Frame, Number
from parsing.markup import Line
from parsing.things import Thing, things

Span = tuple[int, int]
_COUNT_HEADS = ("noun.accelerator",)


@dataclass(slots=True)
class Cell:
    """One cell: its tokens, and what a head says that cells under or beside it mean."""

    start: int
    end: int


@dataclass(slots=True)
class Figure:
    """A result in a table with all that row and column say of it."""

    number: Number
    cell: Cell
    unit: str
    model: str | None = None
    scenario: str | None = None
    division: str | None = None
    thing: Thing | None = None
    accelerators: int | None = None
    nodes: int | None = None
    result_ids: tuple[str, ...] = ()


@dataclass(slots=True)
class Head:
    """What the words of a cell or a column head mean."""

    unit: str | None = None
    model: str | None = None
    scenario: str | None = None
    division: str | None = None
    thing: Thing | None = None
    result_id: str | None = None
    counts: str | None = None
    numbers: list[Number] = field(default_factory=list)


def tables(frame: Frame, lines: Sequence[Line], heads: Sequence[str] = ()) -> list[list[list[Cell]]]:
    """The tables of a passage: rows of cells as token spans."""
    found: list[list[list[Cell]]] = []
    open_table = False
    at = 0
    for line in lines:
        while at < len(frame.tokens) and frame.tokens[at].start < line.start:
            at += 1
        if line.kind == "rule":
            continue
        if line.kind != "row":
            open_table = False
            continue
        end = at
        while end < len(frame.tokens) and frame.tokens[end].start < line.end:
            end += 1
        cells = _cells(frame, at, end)
        if open_table:
            found[-1].append(cells)
        else:
            found.append([cells])
            open_table = True
    return found


def _cells(frame: Frame, start: int, end: int) -> list[Cell]:
    cells: list[Cell] = []
    begin = start
    for i in range(start, end):
        if frame.low(i) == "|":
            if i > start:
                cells.append(Cell(begin, i))
            begin = i + 1
    if begin < end:
        cells.append(Cell(begin, end))
    return cells


def figures(frame: Frame, table: list[list[Cell]]) -> Iterator[Figure]:
    """The results of one table, row by row."""
    columns = [_head(frame, cell) for cell in table[0]]
    if len(table) < 2 or not any(h.unit or h.model or h.scenario or h.thing for h in columns):
        return
    for row in table[1:]:
        parsed = [_head(frame, cell) for cell in row]
        for at, (cell, content) in enumerate(zip(row, parsed, strict=True)):
            column = columns[at] if at < len(columns) else Head()
            figure = _figure(frame, cell, content, column, parsed, columns)
            if figure is not None:
                yield figure


def _head(frame: Frame, cell: Cell) -> Head:
    low, high = cell.start, cell.end
    head = Head()
    head.unit = next((m for m in _units(frame, low, high)), None)
    models = frame.find("name.model", low, high)
    head.model = models[0].name.canonical if models else None
    head.scenario = next((s for s in SCENARIOS if frame.any(f"scenario.{s}", low, high)), None)
    head.division = next((d for d in ("open", "closed") if _division(frame, d, low, high)), None)
    named = [t for t in things(frame, low, high) if t.hardware or t.submitter or t.vendor]
    head.thing = named[0] if named else None
    ids = frame.find("id.result", low, high)
    head.result_id = frame.words(ids[0].start, ids[0].end) if ids else None
    if any(
        frame.has(i, "noun.node") and frame.low(i).startswith(("node", "knoten", "server"))
        for i in range(low, high)
    ):
        head.counts = "nodes"
    elif frame.any("noun.accelerator", low, high):
        head.counts = "accelerators"
    head.numbers = [n for n in frame.numbers if low <= n.start and n.end <= high]
    return head


def _units(frame: Frame, low: int, high: int) -> Iterator[str]:
    for i in range(low, high):
        for mention in frame.mentions_at(i, "unit."):
            unit = next(x for x in mention.labels if x.startswith("unit."))[5:]
            if unit.endswith("/s") or unit in ("minutes", "ms", "s", "hours"):
                yield unit


def _division(frame: Frame, name: str, low: int, high: int) -> bool:
    if frame.any(f"division.{name}", low, high):
        return True
    return high - low == 1 and frame.low(low) == name


def _figure(
    frame: Frame, cell: Cell, content: Head, column: Head, row: list[Head], columns: list[Head]
) -> Figure | None:
    if not content.numbers or content.model or content.result_id or column.result_id:
        return None
    unit = content.unit or column.unit or next((h.unit for h in row if h.unit and not h.numbers), None)
    if unit is None or (column.counts and not column.unit and not content.unit):
        return None
    figure = Figure(content.numbers[0], cell, unit)
    figure.model = next((h.model for h in (column, *row) if h.model), None)
    figure.scenario = next((h.scenario for h in (content, column, *row) if h.scenario), None)
    figure.division = next((h.division for h in (column, *row) if h.division), None)
    figure.thing = next((h.thing for h in (column, *row) if h.thing and h.thing.hardware), None)
    figure.result_ids = tuple(h.result_id for h in row if h.result_id)
    _sizes(figure, row, columns)
    return figure


def _sizes(figure: Figure, row: list[Head], columns: list[Head]) -> None:
    for head, column in zip(row, columns, strict=False):
        if column.counts and head.numbers and not column.unit and not head.unit:
            value = int(head.numbers[0].value.value)
            if column.counts == "nodes":
                figure.nodes = value
            elif not column.thing:
                figure.accelerators = value
