"""Words as data: one TOML file a language. Adding a language is adding a file.

A file has labels ("qualifier.up_to", "record.phrase" …) with the phrases that carry them. "{a,b}"
stands for either, "zieht … gleich" for a verb whose second half stands later in the clause. The
tables `number`, `magnitude` and `multiple` give words their values, `suffix` the endings of
compound nouns, `language` what tells the language and its number style. The words of a language
that is `apart` are read in its own texts only, beside the English ones: too many of them are
spelt like words of another language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

_BRACES = re.compile(r"\{([^{}]*)\}")
_VALUES = ("number", "magnitude", "multiple", "count")
_APART = ("language", "suffix", *_VALUES)


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase with its label, and its value where the word is a number."""

    text: str
    label: str
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of one language."""

    code: str
    name: str
    typical: frozenset[str]
    letters: frozenset[str]
    decimal: str
    abbreviations: frozenset[str]
    phrases: tuple[Phrase, ...]
    suffixes: tuple[tuple[str, str], ...]
    groups: str = ""
    genitive: str = ""
    apart: bool = False


def spread(phrase: str) -> Iterator[str]:
    """All the phrases that one with braces stands for: "{a,b} c" is "a c" and "b c"."""
    match = _BRACES.search(phrase)
    if match is None:
        yield " ".join(phrase.split())
        return
    for part in match.group(1).split(","):
        yield from spread(phrase[: match.start()] + part.strip() + phrase[match.end() :])


def _phrases(data: dict[str, Any]) -> Iterator[Phrase]:
    for kind in _VALUES:
        for key, value in data.get(kind, {}).items():
            for text in spread(key):
                yield Phrase(text, f"value.{kind}", float(value))
    for section, labels in data.items():
        if section in _APART:
            continue
        for key, phrases in labels.items():
            for phrase in phrases:
                for text in spread(phrase):
                    yield from _halves(text, f"{section}.{key}")


def _halves(text: str, label: str) -> Iterator[Phrase]:
    """A phrase; one with "…" is a verb and its far-off particle, which stand for it together."""
    head, dots, tail = text.partition("…")
    if not dots:
        yield Phrase(text, label)
        return
    pair = f"{head.strip()}…{tail.strip()}"
    yield Phrase(head.strip(), f"head:{pair}.{label}")
    yield Phrase(tail.strip(), f"tail:{pair}.{label}")


def parse(text: str) -> Terms:
    """The terms of one file. Raises KeyError or tomllib.TOMLDecodeError on a damaged one."""
    data = tomllib.loads(text)
    language = data["language"]
    return Terms(
        code=language["code"],
        name=language["name"],
        typical=frozenset(word.lower() for word in language["typical"]),
        letters=frozenset(language.get("letters", "")),
        decimal=language["decimal"],
        abbreviations=frozenset(language["abbreviations"]),
        phrases=tuple(_phrases(data)),
        suffixes=tuple((end, label) for label, ends in data.get("suffix", {}).items() for end in ends),
        groups=language.get("groups", ""),
        genitive=language.get("genitive", ""),
        apart=language.get("apart", False),
    )


@cache
def languages() -> dict[str, Terms]:
    """All languages by code, English first."""
    files = [f for f in resources.files(__name__).iterdir() if f.name.endswith(".toml")]
    terms = [parse(f.read_text(encoding="utf-8")) for f in files]
    return {t.code: t for t in sorted(terms, key=lambda t: (t.code != "en", t.code))}


@cache
def abbreviations() -> frozenset[str]:
    """What ends no sentence with its dot, in any language."""
    return frozenset().union(*(t.abbreviations for t in languages().values()))


@cache
def labelled(start: str) -> frozenset[str]:
    """All labels that begin so ("record."), in any language."""
    return frozenset(
        p.label for t in languages().values() for p in t.phrases if p.label.startswith(start)
    ) | frozenset(label for t in languages().values() for _, label in t.suffixes if label.startswith(start))
