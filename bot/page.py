"""An answer that reads no claim: a ranking, deltas, help, privacy, the reason of a decision."""

from __future__ import annotations

from dataclasses import dataclass

from bot.telling.footnote import Footnote
from bot.telling.tables import Table
from bot.wording import Language


@dataclass(frozen=True)
class Page:
    """A title, lines of plain text, perhaps a table with its footnote.

    fallback: one line for notifications and screen readers. A line holds no markup; a renderer escapes it.
    heads: those of the lines that stand above a group of others.
    """

    language: Language
    title: str
    lines: tuple[str, ...] = ()
    table: Table | None = None
    footnote: Footnote | None = None
    heads: frozenset[str] = frozenset()

    @property
    def fallback(self) -> str:
        """The title, as one line."""
        return self.title
