"""A state in each of the two databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from bot.keys import Keys
from bot.state import State
from tests.postgres import state_url

__all__ = ["state_url"]

KEY = Keys.new()


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        """Seconds since 1970."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The state's clock."""
    return Clock()


Opened = Callable[[], AbstractAsyncContextManager[State]]


@pytest.fixture
def opened(state_url: str, clock: Clock) -> Opened:
    """How to open the state; opening it again finds what was kept."""

    @asynccontextmanager
    async def opening() -> AsyncIterator[State]:
        state = await State.open(state_url, keys=Keys([KEY]), clock=clock)
        try:
            yield state
        finally:
            await state.close()

    return opening
