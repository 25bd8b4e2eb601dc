"""What can be seen of the work from outside: figures, traces and the request in the log."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import structlog
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.testing import capture_logs

from bot import answer, traces
from bot.page import Page
from bot.ports import RefusedError
from bot.state.records import Retention
from knowledge.sync import last_checked
from tests.bot.figures import value
from tests.bot.service.conftest import CHANNEL, CLAIM, READERS, Core, opened


def test_taking_and_reading_are_timed(run: Any) -> None:
    async def test(core: Core) -> None:
        acknowledged = value("smallprint_ack_seconds_count", platform="slack")
        read = value("smallprint_reading_seconds_count")
        await core.take(core.event("mention", CLAIM), core.event("message", "good morning"))
        assert value("smallprint_ack_seconds_count", platform="slack") == acknowledged + 2
        assert value("smallprint_reading_seconds_count") == read + 1

    run(test)


def test_the_readings_of_a_linked_page_are_counted(run: Any) -> None:
    link = "https://blog.vendor.example/post"

    async def test(core: Core) -> None:
        core.links.pages[link] = CLAIM
        await core.service.set_preference("channel", CHANNEL, "links", True, "U9")
        before = value("smallprint_readings_total", platform="slack", verdict="frame")
        await core.take(core.event("links", links=(link,)))
        assert len(core.said) == 1
        assert value("smallprint_readings_total", platform="slack", verdict="frame") == before + 1

    run(test)


def test_an_event_leaves_three_spans_with_codes_only(run: Any) -> None:
    exporter = InMemorySpanExporter()

    async def test(core: Core) -> None:
        traces.configure("test", exporter)
        try:
            await core.take(core.event("mention", CLAIM))
        finally:
            traces.flush()

    run(test)
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert spans.keys() == {"take", "work", "read"}
    assert dict(spans["take"].attributes or {}) == {"platform": "slack", "request": "E1"}
    assert dict(spans["work"].attributes or {}) == {"kind": "event", "request": "E1"}
    assert spans["read"].parent == spans["work"].context
    assert not any("GB300" in span.to_json() for span in spans.values())


def test_every_line_of_an_events_work_names_its_request(run: Any) -> None:
    async def test(core: Core) -> None:
        core.port.fail.append(RefusedError("not_in_channel"))
        with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
            await core.take(core.event("mention", CLAIM))
        (refused,) = [line for line in lines if line["event"] == "post_refused"]
        assert refused["request"] == "E1"

    run(test)


def test_the_privacy_page_names_the_deployments_own_days(folder: Path) -> None:
    async def whole() -> None:
        async with opened(folder, Retention(fields=3, replies=7)) as core:
            page = await core.service.page("privacy", place=CHANNEL, person="U1")
            assert isinstance(page, Page)
            text = "\n".join(page.lines)
            assert "3 days" in text
            assert "7 days" in text

    asyncio.run(whole())


def test_the_age_of_the_rows_is_that_of_their_last_check(run: Any) -> None:
    async def test(core: Core) -> None:
        path = await READERS.call(lambda: answer.desk().store.path)
        looked = last_checked(path)
        assert looked is not None
        assert abs(await core.service.knowledge_age() - (time.time() - looked)) < 5

    run(test)
