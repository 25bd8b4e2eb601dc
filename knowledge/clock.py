"""The one clock of the program: the two-week rule, history and schedules all ask it.

Tests and people set it: `frozen(...)` within a block, or SMALLPRINT_TODAY=YYYY-MM-DD from outside.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime

from knowledge.errors import ClockError

VARIABLE = "SMALLPRINT_TODAY"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

# One for the whole process: a frozen clock also holds in the threads that a test starts.
_fixed: datetime | None = None


def now() -> datetime:
    """This moment, in UTC: the frozen one, else the day of SMALLPRINT_TODAY at the present hour.

    Raises ClockError when SMALLPRINT_TODAY is not a day.
    """
    if _fixed is not None:
        return _fixed
    moment = datetime.now(UTC)
    given = os.environ.get(VARIABLE, "").strip()
    return datetime.combine(day(given, VARIABLE), moment.timetz()) if given else moment


def today() -> date:
    """The present day in UTC. Raises ClockError as `now` does."""
    return now().date()


def day(text: str, what: str = "date") -> date:
    """The day that `text` says as YYYY-MM-DD; `what` names its origin in the error.

    Raises ClockError with one line for anything else.
    """
    try:
        if not _DAY.fullmatch(text):
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise ClockError(f"{what}: {shown!r} is no day; write it as YYYY-MM-DD") from None


@contextmanager
def frozen(moment: datetime | date) -> Iterator[None]:
    """The clock stands at `moment` inside the block; a bare day means noon, a naive time UTC."""
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day, 12)
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    global _fixed
    before, _fixed = _fixed, moment
    try:
        yield
    finally:
        _fixed = before
