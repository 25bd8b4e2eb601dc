"""Sentences and figures in the reader's language.

The sentences are data: `en.toml` and `de.toml` hold the same keys with the same placeholders,
each a whole sentence or a whole phrase. Figures and dates follow the locale (Babel). Adding a
language is one more file.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, get_args

from babel.dates import format_date
from babel.numbers import format_decimal

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

# No decimal of a figure beyond this many carries information for a reader.
MOST_DECIMALS = 6

# From here on a figure is no result any more and is written in short.
LARGEST = 1e15


def _flat(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    out: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            out.update(_flat(value, f"{prefix}{key}."))
        else:
            out[prefix + key] = str(value)
    return out


@lru_cache(maxsize=8)
def catalogue(language: Language) -> dict[str, str]:
    """All sentences of a language by dotted key."""
    text = files("bot.wording").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return _flat(tomllib.loads(text))


class Words:
    """Sentences, figures and dates of one language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._sentences = catalogue(language)

    def __call__(self, key: str, /, **values: object) -> str:
        """The sentence of `key` with its placeholders filled. Raises KeyError for an unknown key."""
        return self._sentences[key].format_map(values)

    def under(self, prefix: str) -> dict[str, str]:
        """The entries of one section of the catalogue, by what follows the dot."""
        return {
            key[len(prefix) + 1 :]: text
            for key, text in self._sentences.items()
            if key.startswith(prefix + ".")
        }

    def has(self, key: str) -> bool:
        """Whether the catalogue has a sentence for `key`."""
        return key in self._sentences

    def count(self, key: str, n: int, /, **values: object) -> str:
        """The sentence of `key.one` or `key.other` for a number, which it may name as {n}."""
        return self(f"{key}.{'one' if n == 1 else 'other'}", n=self.number(n), **values)

    def join(self, items: Iterable[str]) -> str:
        """A list in words: a, b and c."""
        parts = [item for item in items if item]
        if len(parts) < 2:
            return "".join(parts)
        return self("list.last", start=self("list.comma").join(parts[:-1]), end=parts[-1])

    def number(self, value: float, decimals: int = 0, least: int | None = None) -> str:
        """A figure in the locale with at most `decimals` places, at least `least` (default: as many)."""
        decimals = max(0, min(decimals, MOST_DECIMALS))
        if not abs(value) < LARGEST:
            return f"{value:.3g}"
        exact = Decimal(repr(value))
        rounded = exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
        shown = decimals if least is None else min(least, decimals)
        pattern = "#,##0" + ("." + "0" * shown + "#" * (decimals - shown) if decimals else "")
        return str(format_decimal(rounded, format=pattern, locale=self.language))

    def ratio(self, value: float, decimals: int | None = None) -> str:
        """A multiple, "1.91x" (1,91x): two places, one from 10 and none from 100."""
        if decimals is None:
            decimals = 2 if value < 10 else 1 if value < 100 else 0
        return self("figure.ratio", value=self.number(value, decimals))

    def percent(self, share: float, decimals: int | None = None) -> str:
        """A share as percent, "15 %"; one place where it is below 2 %."""
        value = abs(share) * 100
        return self("figure.percent", value=self.number(value, self._places(value, decimals)))

    def signed(self, share: float, decimals: int | None = None) -> str:
        """A change with its sign, "+48 %", "−3 %"."""
        value = abs(share) * 100
        figure = self("figure.percent", value=self.number(value, self._places(value, decimals)))
        return self("figure.plus" if share >= 0 else "figure.minus", value=figure)

    @staticmethod
    def _places(percent: float, decimals: int | None) -> int:
        return decimals if decimals is not None else (1 if percent < 2 else 0)

    def figure(self, value: float) -> str:
        """A result in its unit, with the places that a reader needs at its size."""
        size = abs(value)
        if size >= 1000:
            return self.number(value, 0)
        if size >= 100:
            return self.number(value, 1)
        if size >= 1:
            return self.number(value, 2)
        return self.number(value, 4, least=2)

    def exact(self, value: float) -> str:
        """A published result: two places at most, more where it is below 1."""
        size = abs(value)
        return self.number(value, 0 if size >= 100_000 else 2 if size >= 1 else 4, least=0)

    def day(self, date: dt.date | str) -> str:
        """A date in words: 30 November 2026, 30. November 2026."""
        if isinstance(date, str):
            date = dt.date.fromisoformat(date[:10])
        return str(format_date(date, self("figure.date"), locale=self.language))


@lru_cache(maxsize=8)
def words(language: Language) -> Words:
    """The Words of a language; built once."""
    return Words(language)


@lru_cache(maxsize=1)
def _names() -> dict[str, dict[str, str]]:
    text = files("bot.wording").joinpath("names.toml").read_text(encoding="utf-8")
    return {section: dict(entries) for section, entries in tomllib.loads(text).items()}


def scenario_name(name: str) -> str:
    """A scenario as replies write it, itself where none is noted."""
    return _names()["scenarios"].get(name, name)


def not_gpus() -> Sequence[str]:
    """How the names of accelerators begin that are no GPUs."""
    return tuple(_names()["not_gpus"])
