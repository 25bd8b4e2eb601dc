"""What the bot counts, for Prometheus: decisions, readings, posts, times. Labels are codes, never content."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()

_TIMES = (0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 10, 60)

EVENTS = Counter(
    "smallprint_events",
    "Events by what was decided and why",
    ["platform", "action", "reason"],
    registry=REGISTRY,
)
READINGS = Counter(
    "smallprint_readings", "Readings that were sent, by verdict", ["platform", "verdict"], registry=REGISTRY
)
POSTS = Counter("smallprint_posts", "Posts that a platform took", ["platform", "kind"], registry=REGISTRY)
POSTPONED = Counter(
    "smallprint_posts_postponed",
    "Posts that a platform did not take now",
    ["platform", "reason"],
    registry=REGISTRY,
)
REPLY = Histogram(
    "smallprint_reply_seconds",
    "From the message to its posted reply",
    ["platform"],
    buckets=_TIMES,
    registry=REGISTRY,
)

ACK = Histogram(
    "smallprint_ack_seconds",
    "From an event's arrival to its acknowledgement, its work kept",
    ["platform"],
    buckets=_TIMES,
    registry=REGISTRY,
)
READING = Histogram(
    "smallprint_reading_seconds",
    "From a text to its reply, nothing posted yet",
    buckets=_TIMES,
    registry=REGISTRY,
)
FETCHES_FAILED = Counter(
    "smallprint_fetches_failed",
    "Articles that could not be fetched, by reason",
    ["reason"],
    registry=REGISTRY,
)
GAVE_UP = Counter(
    "smallprint_work_given_up", "Durable work that failed at every try", ["kind"], registry=REGISTRY
)
WAITING = Gauge("smallprint_work_waiting", "Durable work that is not finished", registry=REGISTRY)
KNOWLEDGE_AGE = Gauge(
    "smallprint_knowledge_age_seconds",
    "Time since the rows were last loaded or found unchanged",
    registry=REGISTRY,
)


def decided(platform: str, action: str, reason: str) -> None:
    """Count a decision."""
    EVENTS.labels(platform, action, reason).inc()


def posted(platform: str, kind: str) -> None:
    """Count a post that stands in a channel."""
    POSTS.labels(platform, kind).inc()


def postponed(platform: str, reason: str) -> None:
    """Count a post that has to be tried again."""
    POSTPONED.labels(platform, reason).inc()


def answered(platform: str, verdicts: Mapping[str, int], seconds: float) -> None:
    """Count the readings of a reply that was posted, and how long it took from its message."""
    for verdict, count in verdicts.items():
        READINGS.labels(platform, verdict).inc(count)
    REPLY.labels(platform).observe(max(0.0, seconds))


def acknowledged(platform: str, seconds: float) -> None:
    """Note how long a platform waited for its acknowledgement."""
    ACK.labels(platform).observe(max(0.0, seconds))


def read(seconds: float) -> None:
    """Note how long a reading took."""
    READING.observe(max(0.0, seconds))


def fetch_failed(reason: str) -> None:
    """Count an article that could not be fetched; the reason is a code."""
    FETCHES_FAILED.labels(reason).inc()


def gave_up(kind: str) -> None:
    """Count work that failed at every try."""
    GAVE_UP.labels(kind).inc()


def waiting(count: int) -> None:
    """Note how much durable work is not finished."""
    WAITING.set(count)


def knowledge_age(seconds: float) -> None:
    """Note how old the rows are."""
    KNOWLEDGE_AGE.set(seconds)


def exposed() -> bytes:
    """All figures in Prometheus' text format."""
    return generate_latest(REGISTRY)
