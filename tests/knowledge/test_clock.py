"""One clock: set within a block, or from outside by SMALLPRINT_TODAY."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from knowledge import clock
from knowledge.errors import ClockError


def test_the_clock_is_the_present_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(clock.VARIABLE, raising=False)
    before = datetime.now(UTC)
    assert before <= clock.now() <= datetime.now(UTC)
    assert clock.now().utcoffset() == timedelta(0)


def test_a_frozen_clock_stands_still_and_gives_the_old_one_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(clock.VARIABLE, raising=False)
    with clock.frozen(date(2026, 9, 30)):
        assert clock.now() == datetime(2026, 9, 30, 12, tzinfo=UTC)
        with clock.frozen(datetime(2026, 10, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))):
            assert clock.today() == date(2026, 9, 30)
        with clock.frozen(datetime(2026, 10, 1, 1, 30)):
            assert clock.today() == date(2026, 10, 1)
        assert clock.now() == clock.now()
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(minutes=1)


def test_the_day_can_be_set_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(clock.VARIABLE, " 2026-09-20 ")
    assert clock.today() == date(2026, 9, 20)


@pytest.mark.parametrize("text", ["yesterday", "2026-9-1", "2026-02-30", "20260901", "٢٠٢٦-٠٩-٠١", "9" * 400])
def test_a_wrong_day_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(clock.VARIABLE, text)
    with pytest.raises(ClockError) as error:
        clock.today()
    line = str(error.value)
    assert clock.VARIABLE in line
    assert "YYYY-MM-DD" in line
    assert "\n" not in line
    assert len(line) < 120
