"""How often a person may ask, and that what is remembered for it stays small."""

from __future__ import annotations

from bot.service.pace import PEOPLE, PER_MINUTE, WINDOW, Gone, Pace


def test_twenty_a_minute_and_then_silence() -> None:
    pace = Pace()
    assert [pace.busy("U1", 0.0) for _ in range(PER_MINUTE)] == [False] * PER_MINUTE
    assert pace.busy("U1", 1.0)
    assert not pace.busy("U2", 1.0)
    assert not pace.busy("U1", WINDOW)


def test_who_is_refused_does_not_wait_longer_for_asking() -> None:
    pace = Pace(limit=1)
    assert not pace.busy("U1", 0.0)
    assert pace.busy("U1", WINDOW - 1)
    assert not pace.busy("U1", WINDOW)


def test_memory_is_bounded() -> None:
    pace, gone = Pace(), Gone(most=3)
    for number in range(PEOPLE + 10):
        pace.busy(number, float(number))
        gone.add(number)
    assert len(pace._seen) == PEOPLE
    assert (PEOPLE + 9) in gone
    assert (PEOPLE + 6) not in gone
