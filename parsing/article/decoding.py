"""Bytes of a page as text, and whether a tree can be made of it in linear time."""

from __future__ import annotations

import codecs
import re
from collections import Counter

# Deeper than any page that is written for people; a parser's time grows with the square of the depth.
DEEPEST = 256
_HEAD = 4096
_DECLARED = re.compile(rb"""<meta[^>]{0,200}charset\s{0,4}=\s{0,4}["']?([\w.:-]{2,40})""", re.IGNORECASE)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# What pages call by the old name is the wider Windows set, as browsers read it.
_WIDER = {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030"}
MOST_ATTRIBUTES = 300  # of one element; here too the time grows with the square
# A tag as a parser sees it: quotes hold a value behind "=" only, elsewhere they are part of a name.
_TAG = re.compile(
    r"""<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})((?:[^>=]++|(?<=[^\s/>])=\s*+(?:"[^"]*+"|'[^']*+')?|=)*+)|<!--"""
)
_VALUE = re.compile(r"""(?<=[^\s/>])=\s*+(?:"[^"]*+"|'[^']*+')""")
_LONG_TAG = 2 * MOST_ATTRIBUTES  # characters: no shorter tag can have too many attributes
_ENDS = {"<!--": re.compile(r"--!?>"), "script": re.compile(r"</script", re.IGNORECASE)}
# These have no end or end each other, but not inside drawings and formulas.
_VOID = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source"),
        *("track", "wbr", "p", "li", "dt", "dd", "option", "td", "th", "tr", "tbody", "thead", "tfoot"),
        "colgroup",
    )
)
_FOREIGN = ("svg", "math")


def decoded(html: bytes | str, charset: str | None = None) -> str:
    """A page as text: by its byte order mark, `charset` (the server's word), its own word, else UTF-8.

    A page that is not in the set it names is read as UTF-8 if it is valid there, else as Windows-1252;
    bytes that stand for nothing are replaced. Never raises.
    """
    if isinstance(html, str):
        return html
    for mark, marked in _MARKS:
        if html.startswith(mark):
            return html[len(mark) :].decode(marked, "replace")
    own = _DECLARED.search(html[:_HEAD])
    for name in (charset, own[1].decode("ascii") if own else None, "utf-8"):
        text = _strict(html, name)
        if text is not None:
            return text
    text = html.decode("utf-8", "replace")
    # One damaged letter in a page of UTF-8 is no reason to misread all others.
    damaged = text.count("\ufffd")
    whole = sum(not letter.isascii() for letter in text) - damaged
    return text if whole > damaged else html.decode("cp1252", "replace")


def _strict(html: bytes, name: str | None) -> str | None:
    if not name:
        return None
    try:
        known = codecs.lookup(name).name
        if known.startswith(("utf-16", "utf-32")) and b"\0" not in html[:_HEAD]:
            return None  # markup in such a set has a zero beside every sign; these bytes are of another one
        return html.decode(_WIDER.get(known, known))
    except (LookupError, UnicodeDecodeError, ValueError):
        return None


def depth_of(html: str) -> int:
    """How many elements lie in each other at most; more than `DEEPEST` for a page that must not be parsed.

    That is one that lies deeper, or has an element with too many attributes.

    Found in one pass and without a tree; what an author closes by mistake or not at all counts as open.
    """
    opened: Counter[str] = Counter()
    endless: set[str] = set()
    depth = deepest = at = 0

    def skip(what: str, start: int) -> int:
        """Where a comment or a script ends; one without an end is looked into: nobody knows what it hides."""
        found = None if what in endless else _ENDS[what].search(html, start)
        if found is None:
            endless.add(what)
            return start + 2
        return found.start()

    while (match := _TAG.search(html, at)) is not None:
        at = match.end()
        if match[2] is None:
            at = skip("<!--", match.start() + 2)
            continue
        name = match[2].lower()
        if len(match[3]) > _LONG_TAG and len(re.split(r"[\s/]+", _VALUE.sub("", match[3]))) > MOST_ATTRIBUTES:
            return DEEPEST + 1
        foreign = any(opened[one] for one in _FOREIGN)
        if name == "script" and not match[1] and not foreign:
            at = skip(name, at)
        elif name in _VOID and not foreign:
            continue
        elif not match[1]:
            opened[name] += 1
            depth += 1
            deepest = max(deepest, depth)
            if depth > DEEPEST:
                break
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
    return deepest
