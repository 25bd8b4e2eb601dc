"""The words of one block of a page, with the marks of footnotes taken out and remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "br",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "ins",
        "kbd",
        "label",
        "mark",
        "nobr",
        "q",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)
# What holds no words of the article.
SILENT = frozenset(
    [
        "area",
        "audio",
        "base",
        "button",
        "canvas",
        "col",
        "dialog",
        "embed",
        "head",
        "iframe",
        "input",
        "link",
        "map",
        "meta",
        "nav",
        "object",
        "optgroup",
        "option",
        "param",
        "picture",
        "rp",
        "rt",
        "script",
        "select",
        "source",
        "style",
        "svg",
        "math",
        "template",
        "textarea",
        "title",
        "track",
        "video",
    ]
)
_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_GONE = re.compile(
    "[\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe0e\ufe0f"
    "\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ud800-\udfff]"
)
_MARK = re.compile(r"[\[(]?(?:\d{1,3}|[a-z]|[ivx]{1,4}|[*†‡§¶#]{1,3})[\])]?")
_NOTE = re.compile(r"_?(?:fn|foot|end|note|cite|ref)", re.IGNORECASE)  # what the ID of a footnote begins with
_SUPER = re.compile("[⁰¹²³⁴-⁹]+")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_POWER = re.compile(r"(?<![\d.,])10$")
_BACK = frozenset(("↩", "↑", "^", "↵", "⤴"))
MOST = 40_000  # characters of one block: as many as a chat message may have


@dataclass(slots=True)
class Mark:
    """The mark of a footnote: where it stood, how it is printed, the ID that it links to."""

    at: int
    text: str
    target: str = ""


@dataclass(slots=True)
class Piece:
    """Plain words: single blanks, lines cut by `\\n`. `linked` counts the characters that are a link's."""

    text: str = ""
    marks: list[Mark] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    linked: int = 0


class Writer:
    """Takes the nodes of a block one after another."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._last = ""
        self._length = 0
        self._piece = Piece()

    def take(self, node: LexborNode) -> None:
        """Add a text or an inline element."""
        if node.is_text_node:
            self._write(node.text_content or "")
        elif node.is_element_node and node.tag is not None:
            self._element(node, node.tag)

    def note_id(self, node: LexborNode) -> None:
        """Remember the IDs by which a link may point here."""
        for name in ("id", "name"):
            if value := node.attributes.get(name):
                self._piece.ids.add(value)

    def finish(self) -> Piece:
        """What was taken; the writer is empty again."""
        text = "".join(self._parts)
        piece = self._piece
        lead = len(text) - len(text.lstrip())
        piece.text = text.strip()
        for mark in piece.marks:
            mark.at = min(max(0, mark.at - lead), len(piece.text))
        self.__init__()  # type: ignore[misc]
        return piece

    def _element(self, node: LexborNode, tag: str) -> None:
        if tag in SILENT:
            return
        self.note_id(node)
        if tag in ("br", "hr"):
            self._break()
        elif tag == "sup":
            self._raised(node)
        elif tag == "a":
            self._link(node)
        elif tag in INLINE:
            self._inside(node)
        else:
            self._break()
            self._inside(node)
            self._break()

    def _inside(self, node: LexborNode) -> None:
        for child in node.iter(include_text=True):
            self.take(child)

    def _raised(self, node: LexborNode) -> None:
        """A raised mark cites a footnote; other raised text (®, th, a power of ten) is text."""
        said = _GONE.sub("", node.text(deep=True)).strip()
        link = node.css_first("a[href]")
        target = _target(link) if link is not None else ""
        parts = [part for part in re.split(r"[,;\s]+|(?<=\])(?=\[)", said[:40]) if part]
        if not target and _POWER.search(self._last):
            self._write(f"^{said}")
        elif parts and all(_MARK.fullmatch(part) for part in parts):
            links = [_target(one) for one in node.css("a[href]")]
            for number, part in enumerate(parts):
                self._mark(part, links[number] if len(links) == len(parts) else target)
            for one in node.css("[id], [name]"):
                self.note_id(one)
        else:
            self._inside(node)

    def _link(self, node: LexborNode) -> None:
        target, said = _target(node), node.text(deep=True).strip()
        if target and said in _BACK:
            return
        if target and _MARK.fullmatch(said) and self._cites(node, said, target):
            self._mark(said, target)
            return
        before = self._length
        self._inside(node)
        self._piece.linked += self._length - before

    def _cites(self, link: LexborNode, said: str, target: str) -> bool:
        """Whether a link within the page cites a footnote: by its signs, its name, or glued to a word."""
        if said[0] in "[(" or _NOTE.match(target) or link.attributes.get("role") == "doc-noteref":
            return True
        return self._last[-1:].strip() != "" and not said.isalpha()

    def _mark(self, text: str, target: str = "") -> None:
        self._piece.marks.append(Mark(self._length, text.strip("[]()").translate(_DIGITS), target))

    def _write(self, raw: str) -> None:
        text = _BLANKS.sub(" ", _GONE.sub("", raw).replace("\x85", " "))
        at = 0
        for match in _SUPER.finditer(text):
            self._put(text[at : match.start()])
            if _POWER.search(self._last):
                self._put("^" + match.group().translate(_DIGITS))
            else:
                self._mark(match.group())
            at = match.end()
        self._put(text[at:])

    def _put(self, text: str) -> None:
        if self._last[-1:] in (" ", "\n", "") and text.startswith(" "):
            text = text[1:]
        text = text[: MOST - self._length]
        if text:
            self._parts.append(text)
            self._length += len(text)
            self._last = text if len(text) > 2 else (self._last + text)[-3:]

    def _break(self) -> None:
        if self._last and not self._last.endswith("\n"):
            self._put("\n")


def _target(link: LexborNode) -> str:
    href = link.attributes.get("href") or ""
    return href[1:] if href.startswith("#") else ""


def words(node: LexborNode) -> Piece:
    """All words inside a node as one piece."""
    writer = Writer()
    writer.note_id(node)
    writer._inside(node)
    return writer.finish()
