"""What a reader is given: a text with its title and date, or an article in passages."""

from __future__ import annotations

import datetime
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

Markup = Literal["plain", "slack", "discord"]
Where = Literal["title", "text", "list", "table", "caption", "footnote"]

SEPARATOR = "\n\n"


@dataclass(frozen=True, slots=True)
class Passage:
    """One block of text in reading order.

    `heading` is the nearest heading above it, with the words that lead a list or a table in;
    it is context, no claim is read from it. A table is one passage, a line a row with its cells
    between "|"; its first line repeats `headers`, the column heads.
    """

    text: str
    heading: str | None = None
    headers: tuple[str, ...] = ()
    where: Where = "text"


@dataclass(frozen=True, slots=True)
class Document:
    """A title, a date and passages. Title and date are context, no claim is read from them.

    Whoever wants the claims of the title too puts it first, as a passage whose `where` is "title".
    """

    passages: tuple[Passage, ...]
    title: str | None = None
    date: datetime.date | None = None

    @property
    def text(self) -> str:
        """All passages, one blank line between two: what the spans of the claims refer to."""
        return SEPARATOR.join(p.text for p in self.passages)

    @property
    def starts(self) -> tuple[int, ...]:
        """The offset of each passage in `text`."""
        starts, at = [], 0
        for passage in self.passages:
            starts.append(at)
            at += len(passage.text) + len(SEPARATOR)
        return tuple(starts)

    def passage_at(self, offset: int) -> int:
        """The index of the passage that holds this offset of `text`."""
        return max(0, bisect_right(self.starts, offset) - 1)
