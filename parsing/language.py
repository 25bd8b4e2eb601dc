"""Which language a text is in, and how it writes numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from parsing.terms import languages
from parsing.tokens import Token, tokenize

_GROUPS = re.compile(r"^\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})+$")
_MIXED = re.compile(r"^\d{1,3}(?:[.,]\d{3})*([.,])\d+$")
LONGEST = 4000


def detect(text: str) -> str:
    """The code of the language ("en", "de" …) whose typical words the text uses most."""
    return detect_tokens(tokenize(text[:LONGEST]))


def detect_tokens(tokens: Sequence[Token]) -> str:
    """The same for a text already cut; a tie goes to English."""
    typical, letters = _signs()
    hits = dict.fromkeys(languages(), 0)
    words = [token.low for token in tokens[:600]]
    for word in words:
        if word in typical:
            for code in typical[word]:
                hits[code] += 1
    if not "".join(words).isascii():
        for word in words:
            for code in {code for letter in word for code in letters.get(letter, ())}:
                hits[code] += 1
    return max(hits, key=hits.__getitem__)


@cache
def _signs() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Which languages a word, and which a letter, is typical of."""
    typical: dict[str, tuple[str, ...]] = {}
    letters: dict[str, tuple[str, ...]] = {}
    for code, terms in languages().items():
        for word in terms.typical:
            typical[word] = (*typical.get(word, ()), code)
        for letter in terms.letters:
            letters[letter] = (*letters.get(letter, ()), code)
    return typical, letters


def decimal_sign(tokens: Sequence[Token], code: str) -> str:
    """The decimal sign of this text: what its own numbers show, else its language's.

    "1,016,380" and "1,234.5" show a point, "1.136.100" and "3,7" a comma. A German text that
    quotes English numbers is read by them, and the other way round only if all numbers agree.
    """
    usual = languages()[code].decimal
    votes = {".": 0, ",": 0}
    for token in tokens:
        if token.kind != "number":
            continue
        low = token.low
        if match := _GROUPS.match(low):
            votes["," if match.group(1) == "." else "."] += 1
        elif "." in low and "," in low and (match := _MIXED.match(low)):
            votes[match.group(1)] += 1
    other = "," if usual == "." else "."
    return other if votes[other] > 0 and votes[usual] == 0 else usual
