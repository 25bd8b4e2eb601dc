"""The packaged rows, read once for all tests."""

from __future__ import annotations

from functools import cache

from knowledge.row import Row
from knowledge.rows_csv import packaged


@cache
def packaged_rows() -> tuple[Row, ...]:
    """All rows that come with the program."""
    return tuple(packaged())
