"""Rows as CSV in the project's own schema: one file a round, columns as the fields of Row.

Numbers are written as Python's shortest text that reads back as the same number, None as an empty
cell, truths as 0 and 1, parts as "H200=8; MI350X=8", flags separated by blanks. The same rows always
give the same bytes: sorted by key, line feed at the end of a line, UTF-8.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from knowledge.errors import SourceError
from knowledge.row import Part, Row

COLUMNS = tuple(field.name for field in fields(Row))


def _text(cell: str) -> str | None:
    return cell or None


def _integer(cell: str) -> int | None:
    return int(cell) if cell else None


def _number(cell: str) -> float | None:
    return float(cell) if cell else None


def _truth(cell: str) -> bool:
    return {"0": False, "1": True}[cell]


def _parts(cell: str) -> tuple[Part, ...]:
    pairs = (part.rpartition("=") for part in cell.split("; ") if part)
    return tuple(Part(name, int(count)) for name, _, count in pairs)


def _flags(cell: str) -> tuple[str, ...]:
    return tuple(cell.split())


# how a column is read, by the type that its field is declared with
_BY_TYPE: dict[str, Callable[[str], Any]] = {
    "str": str,
    "str | None": _text,
    "int": int,
    "int | None": _integer,
    "float": float,
    "float | None": _number,
    "bool": _truth,
    "tuple[Part, ...]": _parts,
    "tuple[str, ...]": _flags,
}
_READERS = tuple(_BY_TYPE[str(field.type)] for field in fields(Row))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, tuple):
        if value and isinstance(value[0], Part):
            return "; ".join(f"{part.accelerator}={part.count}" for part in value)
        return " ".join(value)
    return str(value)


def dumps(rows: Iterable[Row]) -> str:
    """The CSV text of rows, sorted by suite, round and key."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in sorted(rows, key=lambda row: (row.suite, row.round, row.key)):
        writer.writerow([_cell(getattr(row, name)) for name in COLUMNS])
    return out.getvalue()


def write(rows: Iterable[Row], path: Path) -> None:
    """Write rows to one file."""
    path.write_text(dumps(rows), encoding="utf-8", newline="")


def read(path: Path) -> tuple[Row, ...]:
    """The rows of a file that `write` made. Raises SourceError with file and line otherwise."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path.name}: cannot be read ({error})") from None
    return tuple(loads(path.name, text))


def packaged() -> Iterator[Row]:
    """All rows that come with the program, by round."""
    folder = files("knowledge").joinpath("rows")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".csv"):
            yield from loads(entry.name, entry.read_text(encoding="utf-8"))


def loads(file: str, text: str) -> Iterator[Row]:
    """The rows of a CSV text; `file` names it in errors. Raises SourceError with the line."""
    lines = csv.reader(io.StringIO(text, newline=""))
    if tuple(next(lines, ())) != COLUMNS:
        raise SourceError(f"{file}: the head line is not that of our own rows")
    readers = _READERS
    for number, line in enumerate(lines, 2):
        try:
            yield Row(*[reader(cell) for reader, cell in zip(readers, line, strict=True)])
        except (ValueError, KeyError) as error:
            raise SourceError(f"{file}: line {number}: not one of our own rows ({error})") from None
