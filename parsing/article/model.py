"""What an article is once it is read: passages, tables, footnotes, and what cites what."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cached_property

from parsing.article.ids import result_ids
from parsing.document import Document, Passage


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table with the heads of its row and of its column, from the outside in.

    A cell that spans rows or columns stands in each of them.
    """

    text: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def headers(self) -> tuple[str, ...]:
        """All heads, those of the column first."""
        return (*self.columns, *self.rows)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with all spans expanded: `heads` one a column, `cells` one a place in it, row by row."""

    heads: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote: its mark as printed ("1", "*"; empty where it has none) and its text."""

    mark: str
    text: str

    @property
    def result_ids(self) -> tuple[str, ...]:
        """The result IDs that it gives."""
        return result_ids(self.text)


@dataclass(frozen=True, slots=True)
class Cited:
    """Where a passage cites a footnote: passage, offset in its text, number of the footnote."""

    passage: int
    at: int
    note: int


@dataclass(frozen=True)
class Article:
    """A web page as a reader sees it.

    `passages` begin with the title (`where` "title") and end with the footnotes, in the order of
    `notes`; `language` is the code of the language it is written in; `published` its date, None
    where it gives none.
    """

    title: str | None
    published: datetime.date | None
    language: str
    passages: tuple[Passage, ...]
    tables: tuple[Grid, ...] = ()
    notes: tuple[Note, ...] = ()
    cited: tuple[Cited, ...] = ()

    @cached_property
    def document(self) -> Document:
        """What a Reader takes."""
        return Document(self.passages, self.title, self.published)

    @cached_property
    def result_ids(self) -> tuple[str, ...]:
        """All result IDs that the article gives anywhere, each once."""
        found = [one for passage in self.passages for one in result_ids(passage.text)]
        return tuple(dict.fromkeys(found))
