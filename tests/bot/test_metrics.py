"""The figures that Prometheus reads."""

from __future__ import annotations

from bot import metrics
from tests.bot.figures import value


def test_what_is_counted() -> None:
    before = value("smallprint_readings_total", platform="slack", verdict="frame")
    metrics.decided("slack", "ignore", "quiet_hours")
    metrics.answered("slack", {"frame": 2, "holds": 1}, 0.2)
    metrics.posted("slack", "answer")
    metrics.postponed("slack", "ratelimited")
    metrics.fetch_failed("timeout")
    metrics.gave_up("event")
    assert value("smallprint_events_total", platform="slack", action="ignore", reason="quiet_hours") >= 1
    assert value("smallprint_readings_total", platform="slack", verdict="frame") == before + 2
    assert value("smallprint_posts_total", platform="slack", kind="answer") >= 1
    assert value("smallprint_posts_postponed_total", platform="slack", reason="ratelimited") >= 1
    assert value("smallprint_fetches_failed_total", reason="timeout") >= 1
    assert value("smallprint_work_given_up_total", kind="event") >= 1


def test_times() -> None:
    before = value("smallprint_ack_seconds_count", platform="discord")
    metrics.acknowledged("discord", 0.04)
    metrics.acknowledged("discord", -1.0)  # a platform's clock may be ahead of ours
    metrics.read(0.01)
    assert value("smallprint_ack_seconds_count", platform="discord") == before + 2
    assert value("smallprint_ack_seconds_bucket", platform="discord", le="0.025") >= 1
    assert value("smallprint_reading_seconds_count") >= 1


def test_gauges() -> None:
    metrics.waiting(7)
    metrics.knowledge_age(86_400)
    assert value("smallprint_work_waiting") == 7
    assert value("smallprint_knowledge_age_seconds") == 86_400
