"""A table as Slack's data table, or as lines of text where a surface has no tables."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from bot.render.slack import limits
from bot.render.slack.elements import Element, clean, glue, rich, small, words
from bot.render.slack.limits import Block
from bot.telling.naming import cut
from bot.telling.tables import Cell, Line, Table
from bot.wording import Words

# Ours, not Slack's: more does not fit a telephone's screen.
CELL = 150
COLUMNS = 8
HEAD = 500


@dataclass(frozen=True, slots=True)
class Grid:
    """A table whose columns all have a head, ready to draw. `rest`: how many lines were left out."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rest: int


def grid(table: Table, w: Words, most: int) -> Grid:
    """At most `most` lines of a table.

    A last column without a head (which line is the claim's own) goes into the one before it; any
    other is a system of its own in each line and is called so, because Slack and screen readers want
    a head for each.
    """
    lines = table.lines[:most]
    heads, rows = list(table.heads), [texts(line, len(table.heads)) for line in lines]
    if len(heads) > 1 and not heads[-1]:
        heads.pop()
        rows = [[*row[:-2], ", ".join(part for part in row[-2:] if part)] for row in rows]
    numbers = itertools.count(1)
    named = [name or w("slack.side", n=w.number(next(numbers))) for name in heads]
    shown = tuple(tuple(row[:COLUMNS]) for row in rows)
    return Grid(tuple(named[:COLUMNS]), shown, len(table.lines) - len(shown))


def texts(line: Line, columns: int) -> list[str]:
    """The cells of a line as texts, as many as there are columns."""
    cells = [*line.cells[:columns], *[Cell()] * (columns - len(line.cells))]
    return [cell.text for cell in cells]


def head(table: Table) -> str:
    """What the figures are: suite, round, division, benchmark; unit, and whether it is derived."""
    return cut("; ".join(part for part in (table.title, table.unit) if part), HEAD)


def drawn(table: Table, w: Words, most: int) -> list[Block]:
    """The table as a block, under a line that says what it shows; nothing where it has no lines."""
    found = grid(table, w, most)
    rows = [[_cell(text) for text in row] for row in (found.heads, *found.rows)]
    while len(rows) > 1 and sum(len(cell["text"]) for row in rows for cell in row) > limits.TABLE_CHARACTERS:
        rows.pop()
    if len(rows) < 2:
        return []
    rest = len(table.lines) - len(rows) + 1
    above = [head(table), *([w.count("slack.more_rows", rest)] if rest else [])]
    block: Block = {
        "type": "data_table",
        "caption": clean(head(table), limits.TEXT) or w("slack.table"),
        "rows": rows,
        "row_header_column_index": 0,
        "page_size": min(len(rows) - 1, limits.PAGE_SIZE),
    }
    return [small(*(text for text in above if text)), block] if any(above) else [block]


def _cell(text: str) -> Element:
    return {"type": "raw_text", "text": clean(text, CELL) or "–"}


def told(table: Table, w: Words, most: int) -> list[Block]:
    """The table as text, a line for each of its lines: the label in bold, then the columns by their heads."""
    found = grid(table, w, most)
    lines: list[Sequence[Element]] = []
    for row in found.rows:
        cells = [f"{name}: {text}" for name, text in zip(found.heads[1:], row[1:], strict=True) if text]
        label = f"{found.heads[0]} {row[0]}"
        lines.append([words(label, bold=True, most=CELL), glue("  "), words("; ".join(cells), most=800)])
    if found.rest:
        lines.append([words(w.count("slack.more_rows", found.rest))])
    above = small(head(table)) if head(table) else None
    return [*([above] if above else []), *([rich(*lines)] if lines else [])]
