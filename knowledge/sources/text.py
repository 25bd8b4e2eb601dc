"""Published files as text: encodings, and the errors that a reader can act on."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from knowledge.errors import SourceError


def read(path: Path) -> str:
    """The file's text, from UTF-8 or UTF-16 (by its mark), without the mark.

    Raises SourceError for a file that cannot be read, is empty or is in another encoding.
    """
    if path.is_dir():
        raise SourceError(f"{path.resolve()}: cannot be read (a folder; name the files in it)")
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path.name}: cannot be read ({error.strerror or error})") from None
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        # v6.0's crosstab ends in half a character (trap T1)
        raw, encoding = raw[: len(raw) // 2 * 2], "utf-16"
    else:
        encoding = "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{path.name}: neither UTF-8 nor UTF-16 text (byte {error.start}: {raw[error.start]:#04x})"
        ) from None
    if not text.strip():
        raise SourceError(f"{path.name}: the file is empty")
    if "\0" in text:
        raise SourceError(f"{path.name}: holds NUL characters, so it is no text file")
    return text


class _ConstantError(ValueError):
    """NaN or Infinity, which JSON does not have."""


def _constant(name: str) -> Any:
    raise _ConstantError(name)


def as_json(file: str, text: str) -> Any:
    """The JSON value, numbers kept as the text that was published.

    Raises SourceError for text that is no JSON, with the place where it ends or breaks.
    """
    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=_constant)
    except _ConstantError as error:
        raise SourceError(f"{file}: holds {error}, which is no number") from None
    except json.JSONDecodeError as error:
        # a file that was cut off fails at its very end, or in a string that never closes
        ends = error.pos >= len(text.rstrip()) - 1 or "Unterminated" in error.msg
        how = "is cut off" if ends else "is no valid JSON"
        raise SourceError(f"{file}: {how} (line {error.lineno}, column {error.colno}: {error.msg})") from None
    except RecursionError:
        raise SourceError(f"{file}: is no valid JSON (nested too deeply)") from None


def as_table(file: str, text: str, delimiter: str = ",") -> list[list[str]]:
    """The lines of a separated file. Raises SourceError for a quote that never closes and the like."""
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise SourceError(f"{file}: is cut off or no valid table ({error})") from None
