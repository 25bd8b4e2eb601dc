"""The figures that Prometheus would read from this process."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from bot import metrics


def value(name: str, **labels: str) -> float:
    """One figure as it is exposed; 0 where it is not there yet."""
    families = text_string_to_metric_families(metrics.exposed().decode())
    found = [s for family in families for s in family.samples if s.name == name and s.labels == labels]
    return float(found[0].value) if found else 0.0
