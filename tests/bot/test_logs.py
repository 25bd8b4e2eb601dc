"""Logs tell what happened and never what anybody wrote."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from bot import logs

WORDS = "our confidential roadmap"


class Told(io.StringIO):
    """A stream whose lines are read back."""

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The JSON lines."""
        return [json.loads(line) for line in self.getvalue().splitlines()]


@pytest.fixture
def told() -> Iterator[Told]:
    """Where the log goes during a test."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = Told()
    logs.configure("info", stream)
    yield stream
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def test_an_entry(told: Told) -> None:
    with logs.for_request("E1", platform="slack"):
        structlog.get_logger("bot.x").warning("post_refused", reason="not_in_channel", count=2)
    structlog.get_logger("bot.x").warning("stopping")
    entry, after = told.entries
    assert "request" not in after
    assert entry.pop("timestamp").endswith("Z")
    assert entry == {
        "event": "post_refused",
        "level": "warning",
        "logger": "bot.x",
        "platform": "slack",
        "request": "E1",
        "reason": "not_in_channel",
        "count": 2,
    }


def test_unknown_fields_are_named_not_told(told: Told) -> None:
    structlog.get_logger().info("post_refused", text=WORDS, message={"text": WORDS}, reason="x")
    (entry,) = told.entries
    assert entry["left_out"] == ["message", "text"]
    assert WORDS not in told.getvalue()


def test_long_values_are_cut(told: Told) -> None:
    structlog.get_logger().info("post_refused", reason="x" * 5000, count=10**6)
    (entry,) = told.entries
    assert len(entry["reason"]) == logs.LONGEST
    assert entry["count"] == 10**6


def test_a_sentence_is_no_event(told: Told) -> None:
    structlog.get_logger().error(f"could not read {WORDS}")
    assert told.entries[0]["event"] == "unnamed"
    assert WORDS not in told.getvalue()


def test_an_exception_of_ours_is_not_quoted(told: Told) -> None:
    try:
        raise ValueError(WORDS)
    except ValueError:
        structlog.get_logger().exception("job_failed")
    assert WORDS not in told.getvalue()


def test_a_librarys_line_is_one_short_line(told: Told) -> None:
    try:
        raise ValueError(WORDS)
    except ValueError:
        logging.getLogger("dbos").error("queue failed:\nrow: %s", WORDS, exc_info=True)
    (entry,) = told.entries
    assert (entry["event"], entry["reason"], entry["logger"]) == ("queue failed:", "ValueError", "dbos")
    assert WORDS not in told.getvalue()


def test_a_librarys_line_is_told_once_in_a_while(told: Told) -> None:
    for number in range(50):
        logging.getLogger("dbos").warning("retrying in %s s", number)
        structlog.get_logger().warning("job_again", attempt=number)
    names = [entry["logger"] == "dbos" for entry in told.entries]
    assert (names.count(True), names.count(False)) == (1, 50)


def test_the_level_holds(told: Told) -> None:
    logs.configure("error", told)
    structlog.get_logger().warning("job_again")
    assert told.entries == []
