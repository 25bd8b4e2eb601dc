"""Chat markup to plain text, with a way back to the source offsets.

Slack mrkdwn, Discord markdown and the Markdown that people paste as plain text lose their
signs; what they say about structure (heading lines, quotes, bullets, table rows) is kept as
one `Line` a line, because a heading or a bullet ends a sentence where a soft line break does not.
Every pattern is bounded, so time is linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from parsing.document import Markup

LineKind = Literal["text", "heading", "bullet", "quote", "row", "rule", "blank"]

ENTITIES = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&nbsp;": " ",
    "&times;": "×",
}

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe0e\ufe0f"
_SHARED = (
    r"(?P<entity>&(?:amp|lt|gt|quot|\#39|nbsp|times);)"
    rf"|(?P<invisible>[{_INVISIBLE}]+)"
    r"|(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]+)"
    r"|(?P<super>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<times>\$?\\times(?![a-zA-Z])\$?)|(?P<latex>\$(?=\d[\d.,]{0,12} ?\\times))"
    r"|(?P<sup><sup>[^<>\n]{0,12}</sup>)"
)
_EMOJI = (
    r"|(?P<emoji>:[a-z][a-z0-9_+\-]{1,40}:(?!:)"
    r"|[\U0001F000-\U0001FAFF\u2600-\u26FF\u2728-\u274B\u274E-\u2753\u2757-\u2793\u2B00-\u2BFF]+)"
)
_URL = r"|(?P<url>https?://[^\s<>|)\]]+)"
_MARKS = r"|(?P<mark>\*+|`+|(?<![^\W_])_+|_+(?![^\W_])|~~|~(?!\s{0,1}\d))"
_LINK = r"|\[(?P<label>[^\[\]\n]{1,300})\]\((?P<target>[^()\s]{1,500})\)"

_PATTERNS: dict[str, re.Pattern[str]] = {
    "slack": re.compile(
        r"<(?P<ref>https?://[^|<>\n]{1,2000}|mailto:[^|<>\n]{1,300})(?:\|(?P<label>[^<>\n]{0,300}))?>"
        r"|(?P<ping><[@#!][^<>\n]{1,200}>)|" + _SHARED + _EMOJI + _URL + _MARKS
    ),
    "discord": re.compile(
        _SHARED
        + _LINK
        + r"|(?P<ping><(?:@[!&]?|\#|a?:\w{1,32}:|t:)-?\d{1,20}(?::\w)?>|<https?://[^<>\s]{1,2000}>)"
        + _EMOJI
        + _URL
        + r"|(?P<spoiler>\|\|)"
        + _MARKS
    ),
    "plain": re.compile(_SHARED + _LINK + _EMOJI + _URL + _MARKS),
}

# without one of these, and without an address or the colon of an emoji, a line has no markup;
# a pattern of characters alone is searched for in less than half the time of one with the two
_SPECIAL = re.compile(
    rf"[&<>\[\\$*`_~|⁰¹²³⁴⁵⁶⁷⁸⁹{_INVISIBLE}\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff"
    r"\U0001F000-\U0001FAFF\u2600-\u26FF\u2728-\u274B\u274E-\u2753\u2757-\u2793\u2B00-\u2BFF]"
)
_COLON = re.compile(r"https?://|:[a-z]")
_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_PREFIX = re.compile(
    r"[ \t]{0,8}(?:(?P<heading>\#{1,6}[ \t])|(?P<quote>(?:&gt;|>)(?:[ \t]?(?:&gt;|>)){0,4}[ \t]?)"
    r"|(?P<bullet>(?:[-*+•‣▪●◦·–—➜➔→✓✔✅☑▶►➤]|\d{1,2}[.)])[ \t]))?"
)
_RULE = re.compile(
    r"[ \t]*(?:[-*_=·]{1,80}|\|?(?:[ \t]*:?-{1,40}:?[ \t]*\|){1,60}(?:[ \t]*:?-{1,40}:?[ \t]*)?)[ \t]*$"
)
_BOLD_LINE = {
    "slack": re.compile(r"\s*[*_]([^*_\n]{1,120})[*_]\s*:?\s*$"),
    "discord": re.compile(r"\s*\*\*([^*\n]{1,120})\*\*\s*:?\s*$"),
}
_BOLD_LINE["plain"] = _BOLD_LINE["discord"]
_LABELLED = re.compile(r"[ \t]{0,8}[^\W\d_][^:\n|]{0,40}: {1,3}[~≈]?\d[\d.,]{2,14}")
_FIGURE = re.compile(r"[~≈]?\d[\d.,']{0,14}[kKM]?(?: \S{1,12}/\S{1,8})?$")
_COLUMNS = 3  # two are prose with a wide blank in it
_GAP = re.compile(r"\t[ \u00a0]*|[ \u00a0]{2,}|[ \u00a0]\t")
_WIDE = ("\t", "  ", "\u00a0 ", " \u00a0", "\u00a0\u00a0")  # without one of these nothing is a wide blank
_LAST_EMOJI = re.compile(r":[a-z][a-z0-9_+\-]{1,40}:$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the plain text: `[start, end)` and what the markup said it is."""

    start: int
    end: int
    kind: LineKind


@dataclass(frozen=True, slots=True)
class PlainText:
    """Text without markup. `pieces` maps it to the source: (plain start, source start)."""

    text: str
    lines: tuple[Line, ...]
    pieces: tuple[tuple[int, int], ...] = field(default=((0, 0),))
    emoji: tuple[int, ...] = ()

    def source(self, offset: int) -> int:
        """The offset in the source of the character at `offset` of the plain text."""
        plain, start = self.pieces[max(0, bisect_right(self.pieces, (offset, 1 << 60)) - 1)]
        return start + (offset - plain)


class _Writer:
    """Collects pieces of the source and remembers where each came from."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.pieces: list[tuple[int, int]] = []
        self.length = 0
        self.emoji: list[int] = []

    def put(self, text: str, source: int) -> None:
        if text:
            self.pieces.append((self.length, source))
            self.parts.append(text)
            self.length += len(text)


def _replacement(match: re.Match[str]) -> tuple[str, int]:
    """What a piece of markup says in plain text, and where in the source that stands."""
    kind = match.lastgroup
    groups = match.groupdict()
    if groups.get("label"):
        return groups["label"], match.start("label")
    if kind == "entity":
        return ENTITIES[match.group()], match.start()
    if kind == "times":
        return "×", match.start()
    if kind in ("control", "ref", "ping", "url", "emoji", "sup"):
        return " ", match.start()
    return "", match.start()


def _inline(line: str, offset: int, pattern: re.Pattern[str], out: _Writer, depth: int = 0) -> None:
    if not (_SPECIAL.search(line) or (":" in line and _COLON.search(line))):
        out.put(line, offset)
        return
    at = 0
    for match in pattern.finditer(line):
        out.put(line[at : match.start()], offset + at)
        if match.lastgroup == "emoji":
            out.emoji.append(out.length)
        text, source = _replacement(match)
        if depth < 2 and len(text) > 1:  # the label of a link may itself be bold
            _inline(text, offset + source, pattern, out, depth + 1)
        else:
            out.put(text, offset + source)
        at = match.end()
    out.put(line[at:], offset + at)


def _lines(text: str) -> list[tuple[int, int]]:
    if text.splitlines() == [text]:  # it breaks at all that _BREAK does, and sooner sees that there is none
        return [(0, len(text))]
    spans, at = [], 0
    for match in _BREAK.finditer(text):
        spans.append((at, match.start()))
        at = match.end()
    spans.append((at, len(text)))
    return spans


def _without_emoji(line: str) -> str:
    """The line without the emoji at its end, so that decoration hides no heading."""
    line = line.rstrip()
    while line.endswith(":") and (match := _LAST_EMOJI.search(line[-44:])):
        line = line[: len(line) - (match.end() - match.start())].rstrip()
    return line


def _kind(raw: str, markup: Markup) -> tuple[LineKind, int]:
    """What a raw line is, and how many of its characters are the prefix."""
    if not raw.strip():
        return "blank", 0
    if _RULE.match(raw):
        return "rule", 0
    if raw.count("|") >= 2 and raw.replace("||", "").strip().startswith("|"):
        return "row", 0
    match = _PREFIX.match(raw)
    prefix = match.end() if match and match.lastgroup else 0
    rest = _without_emoji(raw[prefix:])
    if (match and match.lastgroup == "heading") or _BOLD_LINE[markup].match(rest):
        return "heading", prefix
    if match and match.lastgroup in ("quote", "bullet"):
        return ("quote" if match.lastgroup == "quote" else "bullet"), prefix
    return ("bullet" if ":" in raw and _LABELLED.match(raw) else "text"), 0


def plain(text: str, markup: Markup = "plain") -> PlainText:
    """The plain text of a message in Slack mrkdwn, Discord markdown or pasted Markdown."""
    pattern, out = _PATTERNS[markup], _Writer()
    lines: list[Line] = []
    fenced = False
    for start, end in _lines(text):
        raw = text[start:end]
        fence = "```" in raw
        if lines:
            out.put("\n", max(0, start - 1))
        kind, prefix = _kind(raw, markup)
        at = out.length
        if kind == "rule" or (fence and not raw.replace("`", "").strip()):
            kind = "rule"
        else:
            _inline(raw[prefix:], start + prefix, pattern, out)
            if fenced and kind == "text":
                kind = "bullet"  # a line of code stands for itself
        fenced ^= fence and raw.count("```") % 2 == 1
        lines.append(Line(at, out.length, kind))
    said = "".join(out.parts)
    return PlainText(said, _spaced(said, lines), tuple(out.pieces) or ((0, 0),), tuple(out.emoji))


def wide(blank: str) -> bool:
    """Whether the blank between two words is one between two columns: a tab, or several blanks."""
    return "\t" in blank or "  " in blank.replace("\u00a0", " ")


def _fields(line: str) -> list[str]:
    """The cells that tabs or wide blanks cut a line into."""
    return [cell for cell in _GAP.split(line.strip()) if cell]


def _spaced(text: str, lines: list[Line]) -> tuple[Line, ...]:
    """The lines, with those of a table that only blanks hold together marked as its rows.

    Such a table is a run of lines with equally many cells, some of which are a figure alone or with its rate.
    """
    if not any(gap in text for gap in _WIDE):
        return tuple(lines)
    cells = [_fields(text[x.start : x.end]) if x.kind in ("text", "bullet") else [] for x in lines]
    marked: list[Line] = []
    for count, run in groupby(zip(lines, cells, strict=True), key=_width):
        members = list(run)
        figures = any(_FIGURE.match(cell) for _, row in members for cell in row[1:])
        table = count >= _COLUMNS and len(members) > 1 and figures
        marked.extend(Line(x.start, x.end, "row") if table else x for x, _ in members)
    return tuple(marked)


def _width(member: tuple[Line, list[str]]) -> int:
    return len(member[1])


def lines_of(text: str) -> tuple[Line, ...]:
    """The lines of a text that has no markup but may hold tables and bullets."""
    return _spaced(
        text, [Line(start, end, _kind(text[start:end], "plain")[0]) for start, end in _lines(text)]
    )
