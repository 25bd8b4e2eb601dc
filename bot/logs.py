"""Logs as JSON lines on standard error: what happened to which event, and never what anybody wrote.

An entry says its event (a word such as `post_refused`) and fields from a closed list, each short.
What is not on the list is left out and named, so that a content that slips into a call does not
slip into the log. Lines of libraries are kept to their first line.
"""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, TextIO

import structlog

# What an entry may tell: IDs, codes, counts, times. A new field is added here on purpose.
FIELDS = frozenset(
    {
        "action",
        "after",
        "at",
        "attempt",
        "channel",
        "count",
        "executor",
        "file",
        "host",
        "job",
        "kind",
        "missing",
        "platform",
        "reason",
        "reply",
        "request",
        "round",
        "rows",
        "scope",
        "seconds",
        "shard",
        "status",
        "thread",
        "tries",
        "url",
        "verdict",
        "version",
        "what",
        "workspace",
    }
)
OURS = frozenset({"event", "level", "logger", "timestamp"})
LONGEST = 200  # characters of a value
LIBRARY_PAUSE = 30.0  # seconds in which a library's same line is told once

_EVENT = re.compile(r"[a-z][a-z0-9_]{0,63}")
_NUMBERS = re.compile(r"\d+(\.\d+)?")


def configure(level: str = "info", stream: TextIO | None = None) -> None:
    """Send all logs, ours and the libraries', to a stream (standard error) as JSON lines."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, only_known, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.addFilter(OncePerPause())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, one_line],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(sort_keys=True),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for chatty in ("asyncio", "aiohttp.access", "alembic", "slack_bolt", "slack_sdk", "discord", "dbos"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))


@contextmanager
def for_request(request: str, **fields: str) -> Iterator[None]:
    """Let every entry of a block tell which request it belongs to."""
    with structlog.contextvars.bound_contextvars(request=request, **fields):
        yield


def only_known(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Leave out what is not on the list, name it, and cut what is too long."""
    left_out = sorted(name for name in entry if name not in FIELDS and name not in OURS)
    for name in left_out:
        del entry[name]
    if left_out:
        entry["left_out"] = [name[:LONGEST] for name in left_out]
    for name, value in entry.items():
        if name in FIELDS:
            entry[name] = _short(value)
    if not _EVENT.fullmatch(str(entry.get("event", ""))):
        # A sentence in the place of the event's word may quote somebody.
        entry["event"] = "unnamed"
    return entry


def one_line(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A library's line: its first line, cut, and the type of its exception instead of a traceback."""
    lines = str(entry.get("event", "")).splitlines() or [""]
    entry["event"] = lines[0][:LONGEST]
    error = entry.pop("exc_info", None)
    kind = error[0] if isinstance(error, tuple) else None
    if kind is not None:
        entry["reason"] = kind.__name__
    entry.pop("stack_info", None)
    return entry


class OncePerPause(logging.Filter):
    """Tells a library's line once in a while: a queue that cannot be read says so twenty times a second."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is told."""
        if isinstance(record.msg, dict):  # one of ours
            return True
        key = (record.name, _NUMBERS.sub("#", record.getMessage()))
        now = time.monotonic()
        if now - self._told.get(key, -LIBRARY_PAUSE) < LIBRARY_PAUSE:
            return False
        if len(self._told) >= 1000:
            self._told.clear()
        self._told[key] = now
        return True


def _short(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
