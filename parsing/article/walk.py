"""One walk over a page: its blocks in reading order, with all that says what each of them is."""

from __future__ import annotations

from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from parsing.article.grid import drawn, is_data
from parsing.article.inline import INLINE, SILENT, Mark, Writer
from parsing.article.layout import holds_notes, is_caption, is_furniture
from parsing.article.model import Grid
from parsing.document import Where

HEADINGS = {f"h{level}": level for level in range(1, 7)}
# Never part of an article wherever they stand; a footer may hold footnotes.
_FURNITURE = frozenset(("nav", "footer"))
MOST_BLOCKS = 20_000
# What holds more than this share of the article, and so many characters, is it, whatever its name says.
_LARGE = 0.5
_LEAST_LARGE = 600
_BACK_LINKS = 0.7  # of a list's characters: a list of links is a menu or points to other posts


@dataclass(slots=True)
class Block:
    """One block of the page.

    level: of a heading, 0 for anything else. main: inside the article. furniture: of the page, not of
    the article. noted: in a place of footnotes. number: of an item in a numbered list there. ids: what
    links may point to. linked: characters that are a link's.
    """

    text: str
    where: Where = "text"
    level: int = 0
    main: bool = False
    furniture: bool = False
    noted: bool = False
    number: int = 0
    marks: list[Mark] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    linked: int = 0
    grid: Grid | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk is."""

    main: bool = False
    furniture: bool = False
    noted: bool = False
    where: Where = "text"
    level: int = 0
    number: int = 0


class Walk:
    """Collects the blocks of a page. `main` is the element that holds the article, None where unknown."""

    def __init__(self, main: LexborNode | None) -> None:
        self._main = main.mem_id if main is not None else None
        self._size = len(main.text(deep=True)) if main is not None else 0
        self._waiting: set[str] = set()
        self.blocks: list[Block] = []

    def inside(self, node: LexborNode, place: _Place) -> None:
        """All blocks inside a node; runs of text and inline elements are a block of their own."""
        writer = Writer()
        for child in node.iter(include_text=True):
            if len(self.blocks) > MOST_BLOCKS:
                return
            if child.is_text_node or child.tag in INLINE:
                writer.take(child)
            elif child.is_element_node and child.tag is not None and child.tag not in SILENT:
                self._put(writer, place)
                self._block(child, child.tag, place)
        self._put(writer, place)

    def _block(self, node: LexborNode, tag: str, place: _Place) -> None:
        if identity := node.attributes.get("id"):
            self._waiting.add(identity)
        if tag == "table" and is_data(node):
            self._table(node, place)
        elif tag in ("ul", "ol", "dl"):
            self._list(node, tag, self._narrowed(node, tag, place))
        else:
            self.inside(node, self._narrowed(node, tag, place))

    def _narrowed(self, node: LexborNode, tag: str, place: _Place) -> _Place:
        """The place inside a node: what its tag, name and role say."""
        main = place.main or node.mem_id == self._main
        noted = place.noted or (holds_notes(node) and not self._is_large(node))
        furniture = place.furniture
        if not furniture and node.mem_id != self._main:
            furniture = (tag in _FURNITURE or is_furniture(node)) and not self._is_large(node)
            furniture = furniture or (tag == "aside" and _mostly_links(node))
        where = "caption" if is_caption(node) else place.where
        return _Place(main, furniture, noted, where, HEADINGS.get(tag, place.level), place.number)

    def _is_large(self, node: LexborNode) -> bool:
        return bool(self._size) and len(node.text(deep=True)) > max(_LEAST_LARGE, _LARGE * self._size)

    def _list(self, node: LexborNode, tag: str, place: _Place) -> None:
        # A list inside of a list was counted with it.
        outermost = place.where != "list" and not place.noted
        furniture = place.furniture or (outermost and _mostly_links(node))
        start = node.attributes.get("start") or "1"
        number = int(start) if start.isascii() and start.isdigit() and len(start) < 5 else 1
        for item in node.iter():
            if item.tag is None or item.tag in SILENT:
                continue
            inner = _Place(
                place.main, furniture, place.noted, "list", place.level, number if tag == "ol" else 0
            )
            if item.tag in ("ul", "ol", "dl"):
                self._list(item, item.tag, inner)
            else:
                self._block(item, item.tag, inner)
            number += 1

    def _table(self, node: LexborNode, place: _Place) -> None:
        caption = node.css_first("caption")
        if caption is not None:
            self.inside(caption, _Place(place.main, place.furniture, place.noted, "caption"))
        table = drawn(node)
        if table is None:
            return
        ids, self._waiting = self._waiting | table.ids, set()
        self.blocks.append(
            Block(
                table.text,
                "table",
                main=place.main,
                furniture=place.furniture,
                noted=place.noted,
                marks=table.marks,
                ids=ids,
                grid=table.grid,
            )
        )

    def _put(self, writer: Writer, place: _Place) -> None:
        piece = writer.finish()
        self._waiting |= piece.ids
        if not piece.text:
            return
        ids, self._waiting = self._waiting, set()
        self.blocks.append(
            Block(
                piece.text,
                place.where,
                place.level,
                place.main,
                place.furniture,
                place.noted,
                place.number,
                piece.marks,
                ids,
                piece.linked,
            )
        )


def _mostly_links(node: LexborNode) -> bool:
    total = len(node.text(deep=True).strip())
    # A link back from a footnote is not counted: it has no words.
    linked = sum(len(link.text(deep=True).strip()) for link in node.css("a[href]"))
    return total > 0 and linked > _BACK_LINKS * total


def blocks(body: LexborNode, main: LexborNode | None) -> list[Block]:
    """All blocks of a page in reading order; without `main` every one of them may be the article's."""
    walk = Walk(main)
    walk.inside(body, _Place(main=main is None or main.mem_id == body.mem_id))
    return walk.blocks
