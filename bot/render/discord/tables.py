"""A table as aligned text that a phone shows without breaking its lines.

A table that is narrow enough is drawn as columns. A wider one is drawn line by line: what the line is
about, then a row for each side that it compares. No cell of a published row is cut.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from bot.render.discord.text import clean
from bot.render.discord.text import code as literal
from bot.telling.tables import Cell, Line, Table

WIDTH = 38  # columns of a code block in an embed on a phone of 360 points, measured with room to spare
WORDS = 14  # columns below which words go into a row of their own
SIDE = 12  # a column's head up to this long stands before its figures
GAP = "  "
BETWEEN = " · "
CELL = 160  # characters of a cell; the longest published name of a system has 120
NONE = "–"  # a cell for which there is no row


def drawn(table: Table, most: int) -> str:
    """At most `most` lines of the table, without title and unit; "" where it has none."""
    lines = table.lines[:most]
    if not lines:
        return ""
    return columns(table.heads, lines) or stacked(table.heads, lines, table.unit)


def columns(heads: Sequence[str], lines: Sequence[Line]) -> str:
    """All columns side by side, "" where that is too wide."""
    rows = [[code(head) for head in heads], *([_text(line, n) for n in range(len(heads))] for line in lines)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(heads))]
    if sum(widths) + len(GAP) * (len(widths) - 1) > WIDTH:
        return ""
    right = [_figures(lines, n) for n in range(len(heads))]
    return "\n".join(
        GAP.join(
            text.rjust(width) if figures else text.ljust(width)
            for text, width, figures in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    )


def stacked(heads: Sequence[str], lines: Sequence[Line], known: str = "") -> str:
    """Line by line: what it is about, then a row for each side that it compares."""
    sides = [n for n in range(1, len(heads)) if _sided(heads, lines, n)]
    label = max((len(code(heads[n])) for n in sides), default=0)
    figure = max((len(_cell(line, n).figure) for line in lines for n in sides), default=0)
    told = []
    for line in lines:
        told += _packed(
            _said(code(heads[n]), _cell(line, n))
            for n in range(len(heads))
            if n not in sides and _cell(line, n).text not in ("", NONE, known)
        )
        for n in sides:
            cell = _cell(line, n)
            start = f" {code(heads[n]).ljust(label)} " if label else " "
            if cell.text != NONE:
                told += _row(f"{start}{code(cell.figure).rjust(figure)}", code(cell.words))
    return "\n".join(told)


def _sided(heads: Sequence[str], lines: Sequence[Line], n: int) -> bool:
    """Whether a column holds figures with words beside them, as the two sides of a comparison do."""
    return len(heads[n]) <= SIDE and any(_cell(line, n).words for line in lines) and _figures(lines, n)


def _said(head: str, cell: Cell) -> str:
    """A cell that stands by itself: its head tells what a figure is, words need none."""
    if cell.words or not head:
        return code(cell.text)
    return f"{head} {code(cell.figure)}" if len(head) <= SIDE else f"{code(cell.figure)} {head}"


def _packed(parts: Iterable[str]) -> list[str]:
    """Short parts side by side, each whole in its row where one row can hold it."""
    rows: list[str] = []
    for part in parts:
        if rows and len(rows[-1]) + len(BETWEEN) + len(part) <= WIDTH:
            rows[-1] += BETWEEN + part
        else:
            rows += _wrapped(part, "  " if rows else "", "  ")
    return rows


def _row(start: str, words: str) -> list[str]:
    """A figure with words beside it, or below it where there is too little room."""
    if not words:
        return [start.rstrip()]
    room = WIDTH - len(start) - len(GAP)
    fits = room >= WORDS and all(len(word) <= room for word in words.split())
    if fits or len(words) <= room:
        return _wrapped(words, start + GAP, " " * (len(start) + len(GAP)))
    return [start.rstrip(), *_wrapped(words, "   ", "   ")]


def _wrapped(text: str, first: str, later: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False
    ) or [first]


def code(text: str) -> str:
    """A cell's text, inside of a code block."""
    return literal(clean(text, CELL))


def _cell(line: Line, n: int) -> Cell:
    return line.cells[n] if n < len(line.cells) else Cell()


def _text(line: Line, n: int) -> str:
    return code(_cell(line, n).text)


def _figures(lines: Sequence[Line], n: int) -> bool:
    return any(_cell(line, n).figure for line in lines)
