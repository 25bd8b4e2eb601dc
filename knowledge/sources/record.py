"""One published result before it is understood: the columns that the formats share, still as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from knowledge.errors import SourceError

_DASHES = re.compile("[\u2010\u2011]")


@dataclass(slots=True)
class Record:
    """A result as one file states it. `place` says where, for messages ("row 17").

    per_node and total are accelerator counts, None where the file has no such column or no value.
    sockets is the number of processors as published. inferred is the exporter's column.
    value_fine and page_id come from a crosstab beside the file.
    """

    file: str
    place: str
    source: str
    round: str
    result_id: str | None
    submitter: str
    division: str
    availability: str
    system_type: str
    system: str
    platform: str
    nodes: int
    sockets: int | None
    processor: str
    accelerator: str
    per_node: int | None
    total: int | None
    model: str
    used_model: str | None
    scenario: str
    value_text: str
    unit: str
    accuracy: str = ""
    power: float | None = None
    power_unit: str = ""
    power_run: bool = False
    framework: str | None = None
    weights: str | None = None
    notes: str = ""
    inferred: bool = False
    location: str | None = None
    value_fine: float | None = None
    page_id: str | None = None

    def fault(self, what: str) -> SourceError:
        """An error about this result, to be raised."""
        return SourceError(
            f"{self.file}: {self.place} ({self.submitter}, {self.model}, {self.scenario}): {what}"
        )


class Fields:
    """One row's columns by name, with errors that say file, row and column."""

    def __init__(self, file: str, place: str, values: Mapping[str, object]) -> None:
        self.file, self.place, self._values = file, place, values

    def text(self, name: str) -> str:
        """The column's text: no blanks around it, no-break spaces and hyphens made plain (trap T23)."""
        value = self._values.get(name)
        if value is None:
            return ""
        if isinstance(value, dict | list):
            raise self.fault(f"{name} holds {type(value).__name__}, not a value")
        return " ".join(_DASHES.sub("-", str(value)).split())

    def optional(self, name: str) -> str | None:
        """The column's text, None where it is empty or N/A."""
        text = self.text(name)
        return None if text in ("", "N/A", "None") else text

    def count(self, name: str) -> int | None:
        """A whole number that is not negative, None where the column is empty or N/A."""
        text = self.optional(name)
        if text is None:
            return None
        try:
            value = float(text.replace(",", ""))
            number = int(value)
        except (ValueError, OverflowError):
            raise self.fault(f"{name} is {text!r}, not a number") from None
        if number != value or number < 0:
            raise self.fault(f"{name} is {text!r}, not a count")
        return number

    def fault(self, what: str) -> SourceError:
        """An error about this row, to be raised."""
        return SourceError(f"{self.file}: {self.place}: {what}")


def required(file: str, place: str, wanted: tuple[str, ...], found: list[str]) -> None:
    """Raise SourceError if a wanted column is missing; the message names it and the columns found."""
    missing = [name for name in wanted if name not in found]
    if missing:
        names = ", ".join(repr(name) for name in missing)
        column = "column" if len(missing) == 1 else "columns"
        raise SourceError(f"{file}: {place}: {column} {names} missing (found: {', '.join(found) or 'none'})")
