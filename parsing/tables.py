"""Tables of results: one claim a figure, its model, scenario and system from row and column heads.

A table is a run of lines with cells between "|", tabs or wide blanks, or one line in which such
a table was pasted flat. Its first row names the columns; where that row holds figures there is
no head, and the cells say themselves what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from parsing.context import SCENARIOS
from parsing.frame import Frame, Number
from parsing.markup import Line, wide
from parsing.things import Thing, things

Span = tuple[int, int]
_LEAST = 1000
_ROWS = 2


@dataclass(slots=True)
class Cell:
    """One cell: its tokens `[start, end)`."""

    start: int
    end: int


@dataclass(slots=True)
class Figure:
    """A result in a table with all that row and column say of it.

    `form` is "x" for a ratio and "" for a figure in `unit`; `rival` is the other side of a ratio.
    """

    number: Number
    cell: Cell
    unit: str
    form: str = ""
    model: str | None = None
    scenario: str | None = None
    division: str | None = None
    thing: Thing | None = None
    rival: Thing | None = None
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
    figure: bool = False
    numbers: list[Number] = field(default_factory=list)


def tables(frame: Frame, lines: Sequence[Line]) -> list[list[list[Cell]]]:
    """The tables of a passage: rows of cells as token spans."""
    found: list[list[list[Cell]]] = []
    open_table = False
    at = 0
    for line in lines if any(line.kind == "row" for line in lines) else ():
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
    return found or [table for span in frame.sentences for table in _flat(frame, *span)]


def _cells(frame: Frame, start: int, end: int) -> list[Cell]:
    barred = any(frame.low(i) == "|" for i in range(start, end))
    cells: list[Cell] = []
    begin = start
    for i in range(start, end):
        if barred and frame.low(i) == "|":
            if i > start:
                cells.append(Cell(begin, i))
            begin = i + 1
        elif not barred and i > start and wide(frame.text[frame.tokens[i - 1].end : frame.tokens[i].start]):
            cells.append(Cell(begin, i))
            begin = i
    if begin < end:
        cells.append(Cell(begin, end))
    return cells


def _flat(frame: Frame, low: int, high: int) -> Iterator[list[list[Cell]]]:
    """A table pasted into one line: "… 8 GPUs 10 GPUs Llama 2 70B Offline 29,900.1 36,704.2 Llama 2 …"."""
    rows: list[list[Cell]] = []
    for mention in frame.find("name.model", low, high):
        scenario = frame.section_at(mention.end, "scenario.")
        if scenario is None or (rows and rows[-1][-1].end != mention.start):
            continue
        cells = [Cell(mention.start, mention.end), Cell(scenario.start, scenario.end)]
        while (number := frame.number_at.get(cells[-1].end)) is not None:
            cells.append(Cell(number.start, number.end))
        if len(cells) > 2 and (not rows or len(rows[0]) == len(cells)):
            rows.append(cells)
    if len(rows) < _ROWS:
        return
    start, wanted = rows[0][0].start, len(rows[0]) - 2
    heads = [
        Cell(n.start, n.end + 1)
        for n in frame.numbers
        if low <= n.start < start and frame.has(n.end, "noun.accelerator")
    ]
    named = heads if len(heads) == wanted else [Cell(start, start)] * wanted
    yield [[Cell(start, start), Cell(start, start), *named], *rows]


def figures(frame: Frame, table: list[list[Cell]], unit: str | None = None) -> Iterator[Figure]:
    """The results of one table, row by row; `unit` is that of figures for which the table names none."""
    parsed = [[_head(frame, cell) for cell in row] for row in table]
    headless = any(head.figure for head in parsed[0])
    columns = [] if headless else parsed[0]
    every = [head for row in (parsed if headless else parsed[:1]) for head in row]
    telling = any(h.unit or h.model or h.scenario or h.thing for h in every)
    if len(table) < _ROWS or not (telling or unit):
        return
    for row, heads in zip(table, parsed, strict=True):
        if heads is columns:
            continue
        for at, cell in enumerate(row):
            column = columns[at] if at < len(columns) else Head()
            figure = _figure(frame, cell, heads[at], column, heads, columns, unit)
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
    if any(_of_nodes(frame, i, high) for i in range(low, high)):
        head.counts = "nodes"
    elif frame.any("noun.accelerator", low, high):
        head.counts = "accelerators"
    head.numbers = [n for n in frame.counted(low, high) if n.end <= high]
    _sized(frame, cell, head)
    if head.numbers and not head.model and not head.thing:
        first = head.numbers[0]
        leading = all(frame.tokens[i].kind == "sign" or _soft(frame, i) for i in range(low, first.start))
        head.figure = leading and bool(head.unit or first.value.value >= _LEAST or first.value.step < 1)
    return head


def _of_nodes(frame: Frame, i: int, high: int) -> bool:
    """Whether a head counts nodes; "Server" at its end is the scenario, "Servers" is not."""
    if not frame.has(i, "thing.node", "thing.server"):
        return False
    return not frame.has(i, "scenario.server") or i + 1 < high


def _soft(frame: Frame, i: int) -> bool:
    return frame.section_at(i, "qualifier.") is not None


def _sized(frame: Frame, cell: Cell, head: Head) -> None:
    """ "B200 (8)": how many of it, in the head of a column."""
    if head.thing is None or head.thing.count is not None or not head.thing.hardware:
        return
    inside = [n for n in head.numbers if n.start == head.thing.end + 1 and frame.low(n.start - 1) == "("]
    if inside and frame.low(inside[0].end) == ")" and inside[0].step == 1:
        head.thing.count = int(inside[0].value.value)


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
    frame: Frame,
    cell: Cell,
    content: Head,
    column: Head,
    row: list[Head],
    columns: list[Head],
    usual: str | None,
) -> Figure | None:
    if not content.numbers or content.model or content.thing or content.result_id or column.result_id:
        return None
    number = content.numbers[0]
    ratio = number.end < cell.end and frame.has(number.end, "sign.times")
    unit = content.unit or column.unit or next((h.unit for h in row if h.unit and not h.numbers), None)
    counting = column.counts and not column.numbers
    if counting and not column.unit and not content.unit:
        return None
    unit = unit or (usual if column.scenario or column.thing or column.model or content.figure else None)
    if unit is None and not ratio:
        return None
    figure = Figure(number, cell, unit or "", "x" if ratio else "")
    figure.model = next((h.model for h in (column, *row) if h.model), None)
    figure.scenario = next((h.scenario for h in (content, column, *row) if h.scenario), None)
    figure.division = next((h.division for h in (column, *row) if h.division), None)
    figure.thing = _thing([h.thing for h in (column, *row) if h.thing])
    figure.result_ids = tuple(h.result_id for h in row if h.result_id)
    if ratio:
        sides = [h.thing for h in columns if h.thing and h.thing.hardware]
        if len(sides) != 2:
            return None
        figure.thing, figure.rival = sides
    _sizes(figure, row, columns)
    if column.numbers and column.counts == "accelerators" and not column.thing:
        figure.accelerators = int(column.numbers[0].value.value)
    return figure


def _thing(named: list[Thing]) -> Thing | None:
    """One thing of all that column and row name: its chip, its server, who entered it."""
    hardware = [t for t in named if t.hardware]
    if not hardware:
        return named[0] if named and named[0].submitter else None
    one = replace(hardware[0])
    for other in named:
        if not one.accelerators and not one.family and other.accelerators:
            one.accelerators, one.count, one.vendor = other.accelerators, other.count, other.vendor
        one.submitter = one.submitter or other.submitter
        if not other.hardware and other.said and not one.said:
            one.vendor, one.said = other.vendor, True
    return one


def _sizes(figure: Figure, row: list[Head], columns: list[Head]) -> None:
    for head, column in zip(row, columns, strict=False):
        if column.counts and head.numbers and not column.numbers and not column.unit and not head.unit:
            value = int(head.numbers[0].value.value)
            if column.counts == "nodes":
                figure.nodes = value
            elif not column.thing:
                figure.accelerators = value
