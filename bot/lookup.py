"""Names as people write them, to what they mean: for follow-ups and for the options of commands."""

from __future__ import annotations

from collections.abc import Iterable

from parsing.vocabulary import Name


class Lookup:
    """Every spelling of every known name."""

    def __init__(self, names: Iterable[Name]) -> None:
        self._names: dict[str, Name] = {}
        for name in names:
            self._names.setdefault(_key(name.text), name)

    def find(self, text: str) -> Name | None:
        """What a text names, None where it is no known name."""
        return self._names.get(_key(text))


def _key(text: str) -> str:
    return "".join(text.casefold().replace("-", " ").replace("_", " ").split())
