"""Traces, where the extra `otel` is installed and an endpoint is set; nothing at all otherwise.

The standard variables of OpenTelemetry say where they go (OTEL_EXPORTER_OTLP_ENDPOINT). A span
tells a name and codes, as an entry of the log does: never content.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bot.logs import FIELDS, LONGEST

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
SERVICE = "smallprint"

_tracer: Any = None


def configure(executor: str, exporter: Any = None) -> bool:
    """Start tracing if an endpoint is set and the extra is installed. Returns whether it does.

    exporter: where spans go instead of the endpoint.
    """
    global _tracer
    if exporter is None and not any(os.environ.get(name) for name in ENDPOINTS):
        return False
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        if exporter is None:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            exporter = OTLPSpanExporter()
    except ImportError:
        return False
    provider = TracerProvider(
        resource=Resource.create({"service.name": SERVICE, "service.instance.id": executor})
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = provider.get_tracer(SERVICE)
    return True


def flush() -> None:
    """Send what is not sent yet, and trace no more."""
    global _tracer
    if _tracer is not None:
        _tracer.span_processor.shutdown()
        _tracer = None


@contextmanager
def span(name: str, **fields: str | float | bool) -> Iterator[None]:
    """A span around a block. A field that the log would not tell is left out."""
    if _tracer is None:
        yield
        return
    known = {
        key: value[:LONGEST] if isinstance(value, str) else value
        for key, value in fields.items()
        if key in FIELDS
    }
    # An exception's text may quote somebody: only its type is told.
    with _tracer.start_as_current_span(
        name, attributes=known, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield
        except BaseException as error:
            current.set_attribute("reason", type(error).__name__)
            raise
