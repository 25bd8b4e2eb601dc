"""Plain tables for the commands, in the form in which replies draw theirs, and their footnote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.render.text import column_widths, row_text
from bot.telling.footnote import footnote
from bot.telling.tables import Cell, Line
from bot.wording import Words
from knowledge.row import Row

Text = str | Cell


def grid(heads: Sequence[str], lines: Iterable[Sequence[Text]]) -> str:
    """Heads and lines with aligned columns; a Cell's figure stands to the right."""
    drawn = [Line(tuple(c if isinstance(c, Cell) else Cell(words=c) for c in line)) for line in lines]
    widths = column_widths(heads, drawn)
    told = [row_text([Cell(words=head) for head in heads], widths, head=True)]
    told += [row_text(line.cells, widths) for line in drawn]
    return "\n".join(told)


def with_footnote(text: str, rows: Iterable[Row], w: Words, *, derived: bool = True) -> str:
    """A text with the footnote for the rows that it shows."""
    note = footnote(rows, w, derived=derived, unverified=False).text
    return f"{text}\n\n{note}" if note else text
