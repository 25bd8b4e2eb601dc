"""A page in, an Article out."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from parsing.article.about import date_of, guess_main, language_of, main_of, title_of
from parsing.article.decoding import DEEPEST, decoded, depth_of
from parsing.article.footnotes import Notes, cite, separated
from parsing.article.model import Article, Cited, Grid
from parsing.article.walk import Block, blocks
from parsing.document import Passage

MOST_PASSAGES = 4_000
MOST_TEXT = 400_000  # characters of an article that are read; the longest posts have 60,000
LONGEST_LEAD = 400  # characters of the sentence before a list or a table
_CAPTION = re.compile(r"(?:Table|Tabelle|Tab\.|Exhibit)\s{0,2}\d{1,3}\b", re.IGNORECASE)
DEEPEST_GUESSED = (
    64  # elements in each other in a page whose article is guessed: that takes long in deep ones
)
_LINK = 0.9  # of a paragraph: more is a pointer to another page
_SHORT = 20  # characters: shorter words may well stand twice


class ArticleError(ValueError):
    """A page that cannot be read; one line says why."""


def read_article(html: bytes | str, *, url: str | None = None, charset: str | None = None) -> Article:
    """Title, date, language, passages, tables and footnotes of a web page.

    `charset` is what the server said, `url` helps to find the date. Time is linear in the length of
    the page. Raises ArticleError for a page whose tree would be too deep; a page without
    words is an Article without passages.
    """
    text = decoded(html, charset)
    depth = depth_of(text)
    if depth > DEEPEST:
        raise ArticleError("the page's elements lie too deep in each other, or have too many attributes")
    tree = LexborHTMLParser(text)
    body = tree.body
    if body is None:
        return Article(None, None, "en", ())
    main = main_of(body)
    found = blocks(body, main)
    if main is None and depth <= DEEPEST_GUESSED:
        guess_main(text, found)
    _name_captions(found)
    title = title_of(tree, main)
    rest, notes = separated(found)
    writer = _Passages(title, notes)
    for number, block in enumerate(rest):
        writer.add(block, rest[number + 1] if number + 1 < len(rest) else None)
    writer.close()
    words = "\n".join(passage.text for passage in writer.passages[:200])
    return Article(
        title,
        date_of(text, tree, found, url),
        language_of(tree, words),
        tuple(writer.passages),
        tuple(writer.tables),
        tuple(notes.notes),
        tuple(writer.cited),
    )


def _name_captions(found: list[Block]) -> None:
    """ "Table 1. …" beside a table is its caption, also where the page marks it as a plain paragraph."""
    for number, block in enumerate(found):
        if block.grid is None:
            continue
        for beside in (number - 1, number + 1):
            if 0 <= beside < len(found) and not found[beside].level and _CAPTION.match(found[beside].text):
                found[beside].where = "caption"


class _Passages:
    """Puts blocks in order as passages, each with the headings and the lead-in that it stands under."""

    def __init__(self, title: str | None, notes: Notes) -> None:
        self._title = title
        self._notes = notes
        self._heading: str | None = None
        self._lead: str | None = None
        self._seen: set[str] = set()
        self._length = 0
        self.passages: list[Passage] = [Passage(title, where="title")] if title else []
        self.tables: list[Grid] = []
        self.cited: list[Cited] = []

    def add(self, block: Block, after: Block | None = None) -> None:
        """Add a block, unless it only points elsewhere or says what was said word for word before."""
        pointer = block.linked >= _LINK * len(block.text) and block.grid is None
        if pointer or len(self.passages) >= MOST_PASSAGES or self._length > MOST_TEXT:
            return
        text, cited = cite(block, self._notes)
        if block.level and text == self._title:
            self._heading = None
            return
        if not text.strip() or (len(text) > _SHORT and text in self._seen):
            return
        self._seen.add(text)
        self._length += len(text)
        number = len(self.passages)
        self.cited += [Cited(number, at, note) for at, note in cited]
        self.passages.append(Passage(text, self._context(block, after), self._heads(block), block.where))
        if block.grid is not None:
            self.tables.append(block.grid)
        self._remember(block, text)

    def close(self) -> None:
        """Add the footnotes at the end."""
        self.passages += [Passage(note.text, where="footnote") for note in self._notes.notes]

    def _context(self, block: Block, after: Block | None) -> str | None:
        """The nearest heading; for a list or a table with its lead-in, or with the caption below it."""
        above = [] if block.level else [self._heading]
        if block.where in ("list", "table"):
            above.append(self._lead)
        if block.grid is not None:
            if block.grid.caption and block.grid.caption != self._lead:
                above.append(block.grid.caption)
            if after is not None and after.where == "caption" and not self._lead:
                above.append(after.text[:LONGEST_LEAD])
        said = [line for line in above if line]
        return ": ".join(said) if said else None

    def _heads(self, block: Block) -> tuple[str, ...]:
        return block.grid.heads if block.grid is not None else ()

    def _remember(self, block: Block, text: str) -> None:
        if block.level:
            self._heading, self._lead = text, None
        elif block.where == "caption" or (block.where == "text" and text.endswith(":")):
            self._lead = text if len(text) <= LONGEST_LEAD else None
        elif block.where == "text":
            self._lead = None
