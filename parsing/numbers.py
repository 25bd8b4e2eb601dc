"""From digits to a value: number styles, magnitudes, the step of the last printed digit."""

from __future__ import annotations

import re
from typing import NamedTuple

from parsing.tokens import BLANK

_GROUPED = {
    ".": re.compile(rf"^\d{{1,3}}(?:[,'{BLANK}]\d{{3}})+(?:\.\d+)?$"),
    ",": re.compile(rf"^\d{{1,3}}(?:[.'{BLANK}]\d{{3}})+(?:,\d+)?$"),
}
_SIMPLE = re.compile(r"^\d+(?:([.,])(\d+))?$")
LONGEST = 40


class Value(NamedTuple):
    """What a printed number says: its value and the size of its last printed digit."""

    value: float
    step: float


def _whole_step(digits: str) -> float:
    """1; with four or more digits and trailing zeros the place of the last non-zero digit."""
    zeros = len(digits) - len(digits.rstrip("0"))
    return 10.0**zeros if len(digits) >= 4 and zeros and digits.strip("0") else 1.0


def _decimal(text: str) -> Value:
    whole, _, fraction = text.partition(".")
    if not fraction:
        return Value(float(whole), _whole_step(whole))
    return Value(float(text), 10.0 ** -len(fraction))


def parse(text: str, decimal: str = ".") -> Value | None:
    """The value of a number token in a text whose decimal sign is `decimal`; null for none.

    A single comma or point that cannot group thousands is a decimal sign in any language, so
    "3,7" is 3.7 in English too and "2.77" is 2.77 in German.
    """
    if len(text) > LONGEST:
        return None
    if text.isascii() and text.isdigit():
        return Value(float(text), _whole_step(text))
    group = "." if decimal == "," else ","
    if _GROUPED[decimal].match(text) and not (text.startswith("0") and text[1:2] in ".,"):
        return _decimal(_joined(text, group).replace(decimal, "."))
    match = _SIMPLE.match(text)
    if match is None:
        other = _GROUPED[group]
        if other.match(text):  # the other style, unmistakably ("1,016,380" in a German text)
            return _decimal(_joined(text, decimal).replace(group, "."))
        return None
    return _decimal(text.replace(",", "."))


def _joined(text: str, group: str) -> str:
    return text.replace(group, "").replace("'", "").replace(BLANK, "")


def scaled(value: Value, factor: float) -> Value:
    """The value times a magnitude: 2.49 million is 2,490,000 with a step of 10,000."""
    step = value.step if value.step < 1 or factor == 1 else 1.0
    return Value(round(value.value * factor, 6), step * factor)
