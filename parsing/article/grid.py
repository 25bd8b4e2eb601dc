"""Tables of a page: spans expanded, the head rows put together, each cell with its heads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from parsing.article.inline import Mark, Piece, words
from parsing.article.model import Cell, Grid

MOST_COLUMNS = 60
MOST_ROWS = 1000
MOST_CELLS = 10_000
_FIGURE = re.compile(r"[~≈<>+\-−–]?\s?[$€]?\d[\d.,'\u00a0\u202f ]*\s?(?:[x×%]|[kKM]\b)?")
_WIDE = re.compile(r"[\s\u00a0\u202f]{2,}|[\n\t]")


@dataclass(slots=True)
class _Place:
    """What stands in one place of the grid; spanned places share it."""

    text: str = ""
    head: bool = False
    marks: list[Mark] = field(default_factory=list)
    first: bool = True  # whether the cell begins here


@dataclass(slots=True)
class Drawn:
    """A table as text, a line a row, with its grid and the marks of footnotes in the text."""

    text: str
    grid: Grid
    marks: list[Mark]
    ids: set[str]


def is_data(table: LexborNode) -> bool:
    """Whether a table holds data; one that holds tables or one column only lays out the page."""
    if (table.attributes.get("role") or "") in ("presentation", "none"):
        return False
    if any(inner.mem_id != table.mem_id for inner in table.css("table")):
        return False
    rows = table.css("tr")
    return len(rows) > 1 and any(len(_cells(row)) > 1 for row in rows[:10])


def _cells(row: LexborNode) -> list[LexborNode]:
    return [child for child in row.iter() if child.tag in ("td", "th")]


def drawn(table: LexborNode) -> Drawn | None:
    """A table of data as text and grid; None where it holds nothing."""
    caption = table.css_first("caption")
    ids: set[str] = set()
    places, heads = _places(table, ids)
    if not places or not any(place.text for row in places for place in row):
        return None
    names = _names(places[:heads])
    grouped = [] if heads == len(places) else places[heads:]
    body, cells = _bodies(grouped, names)
    grid = Grid(names, cells, words(caption).text if caption is not None else "")
    marks: list[Mark] = []
    tops = [_Place(name, True, marked) for name, marked in zip(names, _marked(places[:heads]), strict=True)]
    lines = [_line(tops, marks, 0)] if any(names) else []
    at = sum(len(line) + 1 for line in lines)
    for row in body:
        line = _line(row, marks, at)
        lines.append(line)
        at += len(line) + 1
    return Drawn("\n".join(lines), grid, marks, ids) if lines else None


def _places(table: LexborNode, ids: set[str]) -> tuple[list[list[_Place]], int]:
    """All places, row by row, and how many of the first rows are heads."""
    rows: list[list[_Place]] = []
    waiting: dict[int, tuple[int, _Place]] = {}  # column: rows that a cell above still covers
    in_head = 0
    total = 0
    for tr in table.css("tr")[:MOST_ROWS]:
        row: list[_Place] = []
        for node in _cells(tr):
            _fill(row, waiting)
            piece = words(node)
            ids |= piece.ids
            place = _Place(_flat(piece), node.tag == "th", piece.marks)
            down = _span(node, "rowspan", MOST_ROWS)
            for number in range(_span(node, "colspan", MOST_COLUMNS)):
                if len(row) < MOST_COLUMNS:
                    again = _Place(place.text, place.head, place.marks if place.head else [], first=False)
                    one = place if number == 0 else again
                    if down > 1:
                        waiting[len(row)] = (down - 1, again)
                    row.append(one)
        _fill(row, waiting)
        total += len(row)
        if total > MOST_CELLS:
            break
        if row:
            rows.append(row)
            if tr.parent is not None and tr.parent.tag == "thead" and in_head == len(rows) - 1:
                in_head += 1
    width = max((len(row) for row in rows), default=0)
    for row in rows:
        row.extend(_Place() for _ in range(width - len(row)))
    return rows, in_head or _leading_heads(rows)


def _fill(row: list[_Place], waiting: dict[int, tuple[int, _Place]]) -> None:
    """The cells of rows above that reach into this row, where they stand next."""
    while len(row) in waiting:
        column = len(row)
        left, place = waiting.pop(column)
        if left > 1:
            waiting[column] = (left - 1, place)
        row.append(place)
        if len(row) >= MOST_COLUMNS:
            return


def _span(node: LexborNode, name: str, most: int) -> int:
    value = (node.attributes.get(name) or "1").strip()
    return min(max(1, int(value)), most) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _leading_heads(rows: list[list[_Place]]) -> int:
    """How many rows at the top are heads where nothing says so: all `th`, else one row without figures."""
    count = 0
    for row in rows:
        across = len(row) > 1 and sum(place.first and bool(place.text) for place in row) == 1
        if not all(place.head or not place.text for place in row) or (count and across):
            break
        count += 1
    if count or not rows:
        return min(count, max(0, len(rows) - 1))
    figures = [any(_FIGURE.fullmatch(place.text) for place in row) for row in rows]
    return 1 if not figures[0] and any(figures[1:]) and all(place.text for place in rows[0][1:]) else 0


def _names(heads: list[list[_Place]]) -> tuple[str, ...]:
    """One head a column: what stands in it from top to bottom, each once."""
    return tuple(
        ", ".join(dict.fromkeys(place.text for place in column if place.text))
        for column in zip(*heads, strict=True)
    )


def _marked(heads: list[list[_Place]]) -> list[list[Mark]]:
    """The marks of footnotes in the heads, a list a column, in all columns that a head spans."""
    return [
        [Mark(len(place.text), mark.text, mark.target) for place in column for mark in place.marks]
        for column in zip(*heads, strict=True)
    ]


def _bodies(
    rows: list[list[_Place]], names: tuple[str, ...]
) -> tuple[list[list[_Place]], tuple[tuple[Cell, ...], ...]]:
    """The rows below the heads. A line across the whole table names a group: its words go before the
    first cell of each row below it."""
    body: list[list[_Place]] = []
    cells: list[tuple[Cell, ...]] = []
    group = ""
    for row in rows:
        texts = {place.text for place in row if place.text}
        if len(texts) == 1 and len(row) > 1 and sum(p.first and bool(p.text) for p in row) == 1:
            across = all(place.text for place in row) or row[0].head
            if across and not _FIGURE.fullmatch(row[0].text):
                group = row[0].text
                continue
        if group and row:
            row = [_Place(f"{group}, {row[0].text}".rstrip(", "), row[0].head, row[0].marks), *row[1:]]
        body.append(row)
        cells.append(_with_heads(row, names))
    return body, tuple(cells)


def _with_heads(row: list[_Place], names: tuple[str, ...]) -> tuple[Cell, ...]:
    stub = next((n for n, place in enumerate(row) if _FIGURE.fullmatch(place.text)), 1)
    leading = [n for n, place in enumerate(row) if place.text and (place.head or n < max(1, stub))]
    return tuple(
        Cell(
            place.text,
            tuple(dict.fromkeys(row[i].text for i in leading if i < n)),
            (names[n],) if n < len(names) and names[n] else (),
        )
        for n, place in enumerate(row)
    )


def _line(row: list[_Place], marks: list[Mark], at: int) -> str:
    """A row as the reader knows rows, between bars; its marks of footnotes go to `marks`."""
    line = "|"
    for place in row:
        begin = at + len(line) + 1
        marks += [Mark(begin + min(m.at, len(place.text)), m.text, m.target) for m in place.marks]
        line += f" {place.text} |"
    return line


def _flat(piece: Piece) -> str:
    """A cell in one line, without what would end it."""
    return _WIDE.sub(" ", piece.text.replace("|", "/"))
