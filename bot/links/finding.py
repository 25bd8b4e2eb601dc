"""Links in messages, in the markup of each platform."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.answer import Markup
from bot.links.address import LONGEST, AddressError, canonical, parsed

MOST = 50  # links of a message that are looked at
_URL = rf"https?://[^\s<>|\"'`]{{1,{LONGEST}}}"
_CODE = r"(?P<code>```(?:[^`]|`(?!``)){0,40000}```|`[^`\n]{1,4000}`)"
_PATTERNS: dict[str, re.Pattern[str]] = {
    "slack": re.compile(rf"{_CODE}|<(?P<url>{_URL})(?:\|[^<>]{{0,3000}})?>|(?P<bare>{_URL})", re.IGNORECASE),
    "discord": re.compile(rf"{_CODE}|<(?P<wrapped>{_URL})>|(?P<bare>{_URL})", re.IGNORECASE),
    "plain": re.compile(rf"{_CODE}|(?P<bare>{_URL})", re.IGNORECASE),
}
_TAIL = ".,;:!?*_~»”’"
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a message. `wrapped`: the writer asked for no preview ("<…>" in Discord), leave it alone."""

    url: str
    wrapped: bool = False


def links_in(text: str, markup: Markup = "plain") -> list[Link]:
    """The links of a message in its order, each page once, none from code; in linear time."""
    found: dict[str, Link] = {}
    for match in _PATTERNS[markup].finditer(text):
        kind = match.lastgroup
        if kind == "code" or kind is None:
            continue
        given = match.group(kind)
        if kind == "bare":
            given = _trimmed(given)
        if markup == "slack":
            given = given.replace("&amp;", "&")
        try:
            key = canonical(given, parsed(given).query)
        except AddressError:
            continue
        link = Link(given, kind == "wrapped")
        if key not in found:
            found[key] = link
        if len(found) >= MOST:
            break
    return list(found.values())


def _trimmed(url: str) -> str:
    """A bare address without the signs that end a sentence, or close a bracket that it did not open."""
    while url:
        last = url[-1]
        if last in _TAIL or (last in _PAIRS and url.count(last) > url.count(_PAIRS[last])):
            url = url[:-1]
        else:
            break
    return url
