"""Traces: none without an endpoint, and never what anybody wrote."""

from __future__ import annotations

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from bot import traces

WORDS = "confidential roadmap"


def test_nothing_happens_without_an_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in traces.ENDPOINTS:
        monkeypatch.delenv(name, raising=False)
    assert not traces.configure("bot-0")
    with traces.span("take", platform="slack"):
        pass
    traces.flush()


def fails() -> None:
    """Work with a span within its span, that fails in the end."""
    with traces.span("work", kind="event"):
        with traces.span("read", platform="slack", text=WORDS, reason="x" * 999):
            pass
        raise ValueError(WORDS)


def test_spans_tell_codes_only() -> None:
    exporter = InMemorySpanExporter()
    assert traces.configure("bot-0", exporter)
    with pytest.raises(ValueError, match=WORDS):
        fails()
    traces.flush()
    inner, outer = exporter.get_finished_spans()
    assert (inner.name, outer.name) == ("read", "work")
    assert inner.parent is not None
    assert inner.parent.span_id == outer.context.span_id
    assert dict(inner.attributes or {}) == {"platform": "slack", "reason": "x" * 200}
    assert dict(outer.attributes or {}) == {"kind": "event", "reason": "ValueError"}
    assert outer.resource.attributes["service.instance.id"] == "bot-0"
    assert WORDS not in outer.to_json() + inner.to_json()
