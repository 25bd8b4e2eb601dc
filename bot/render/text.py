"""A Reply as plain text: for the terminal, for JSON, and as what the other renderings are checked against."""

from __future__ import annotations

from collections.abc import Sequence

from bot.reply import Part, Reply
from bot.telling.evidence import Evidence
from bot.telling.tables import Cell, Line, Table
from bot.wording import Words, words

# Title and unit stand in one line, this far apart, unless the line gets longer than a terminal is wide.
GAP = 6
WIDEST = 120


def render(reply: Reply, *, details: bool = False) -> str:
    """The whole reply; with `details` every table line, caveat, link and the receipt."""
    w = words(reply.language)
    blocks = [reply.lead] if reply.lead else []
    said: set[str] = set()
    blocks += [part_text(part, w, details=details, said=said) for part in reply.parts]
    if details and reply.receipt:
        blocks.append(w("reply.receipt", receipt=reply.receipt.text))
    if reply.footnote.text:
        blocks.append(reply.footnote.text)
    return "\n\n".join(block for block in blocks if block)


def part_text(part: Part, w: Words, *, details: bool, said: set[str]) -> str:
    """One claim: headline, table, caveats, menus; with details also links and the verdict's meaning.

    A caveat or note that was `said` for a claim before is not said again.
    """
    blocks = ["\n".join(line for line in (part.headline.first, part.headline.rest) if line)]
    if part.table is not None:
        blocks.append(table_text(part.table, details=details))
    below = list(part.caveats if details else (part.caveat,))
    below += part.notes if details else part.notes[:1]
    blocks.append("\n".join(line for line in below if line and line not in said))
    said.update(below)
    blocks.append("\n".join(menu_text(menu.label, [c.label for c in menu.choices], w) for menu in part.menus))
    if details:
        blocks.append("\n".join(evidence_text(item) for item in part.evidence))
        blocks.append(part.why)
    return "\n\n".join(block for block in blocks if block)


def evidence_text(item: Evidence) -> str:
    """A row; below it where it was published, and its page on our site where there is one."""
    return "\n  ".join(filter(None, (item.text, item.url, item.page)))


def menu_text(label: str, choices: Sequence[str], w: Words) -> str:
    """A missing field with the values that have rows."""
    return w("reply.menu", label=label, choices=", ".join(choices))


def table_text(table: Table, *, details: bool) -> str:
    """The table with its title and unit above, columns aligned, figures to the right."""
    lines = table.lines if details else table.lines[: table.shown]
    widths = column_widths(table.heads, lines)
    body = [row_text([Cell(words=head) for head in table.heads], widths, head=True)]
    body += [row_text(line.cells, widths) for line in lines]
    width = max(len(line) for line in body)
    title = table.title
    if table.unit:
        gap = max(GAP, width - len(title) - len(table.unit))
        one_line = len(title) + gap + len(table.unit) <= WIDEST
        title = f"{title}{' ' * gap if one_line else chr(10)}{table.unit}"
    return "\n".join([title, *body])


def column_widths(heads: Sequence[str], lines: Sequence[Line]) -> list[tuple[int, int]]:
    """For each column the width of its figures and of its words."""
    widths = []
    for column, head in enumerate(heads):
        cells = [line.cells[column] for line in lines if column < len(line.cells)]
        figure = max((len(cell.figure) for cell in cells), default=0)
        text = max((len(cell.words) for cell in cells), default=0)
        gap = 2 if figure and text else 0
        if figure + gap + text < len(head):
            if text or not figure:
                text = len(head) - figure - gap
            else:
                figure = len(head)
        widths.append((figure, text))
    return widths


def row_text(cells: Sequence[Cell], widths: Sequence[tuple[int, int]], *, head: bool = False) -> str:
    """One line of a table."""
    told = []
    for cell, (figure, text) in zip(cells, widths, strict=False):
        gap = 2 if figure and text else 0
        if head:
            told.append(cell.words.rjust(figure) if not text else cell.words.ljust(figure + gap + text))
        else:
            told.append(cell.figure.rjust(figure) + " " * gap + cell.words.ljust(text))
    return "  " + "  ".join(told).rstrip()
