"""Result IDs in running text: single, in ranges and in lists that leave the version out."""

from __future__ import annotations

import re

# Since v1.0 an ID has four digits; before, the version was 0.5 … 0.7 and the number as short as it was.
_ID = r"(?<![\d.])(\d\.\d(?=-\d{4}(?!\d))|0\.\d)-(\d{1,4})(?!\d)"
_SIGN = r"(?:,|/|;|and|und|or|to|through|bis|-|–|—|…|\.\.\.)"
_SHORT = r"(?:-\d{4}|0\d{3})(?![.,]?\d)"  # "2026" after a comma is a year
_FOUND = re.compile(_ID + rf"(?P<rest>(?:\s{{0,2}}{_SIGN}(?:\s{{0,2}}{_SIGN})?\s{{0,2}}{_SHORT}){{0,40}})")
_RANGE = re.compile(
    _ID + r"\s{0,2}(?:to|through|bis|-|–|—|…|\.\.\.)\s{0,2}" + r"(?:(\d\.\d)-)?(\d{2,4})(?!\d)"
)
_PART = re.compile(rf"({_SIGN})\s{{0,2}}-?(\d{{4}})")
_THROUGH = frozenset(("to", "through", "bis", "-", "–", "—", "…", "..."))
MOST = 200  # IDs that one range may stand for


def result_ids(text: str) -> tuple[str, ...]:
    """All result IDs of a text in its order, each once; "4.1-0013 to 4.1-0017" is five."""
    found: dict[str, None] = {}
    ends = {}
    for match in _RANGE.finditer(text):
        version, first, other, last = match.groups()
        if other in (None, version) and len(first) == len(last) and 0 < int(last) - int(first) < MOST:
            ends[match.start()] = (version, first, last)
    for match in _FOUND.finditer(text):
        version, number = match[1], match[2]
        if match.start() in ends:
            found.update(dict.fromkeys(_through(*ends[match.start()])))
        else:
            found[f"{version}-{number}"] = None
        last = number
        for sign, short in _PART.findall(match["rest"]):
            if sign in _THROUGH and 0 < int(short) - int(last) < MOST:
                found.update(dict.fromkeys(_through(version, last, short)))
            else:
                found[f"{version}-{short}"] = None
            last = short
    return tuple(found)


def _through(version: str, first: str, last: str) -> list[str]:
    return [f"{version}-{number:0{len(first)}}" for number in range(int(first), int(last) + 1)]
