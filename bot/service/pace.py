"""How often one person may ask: a window of a minute, kept in memory."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Hashable

PER_MINUTE = 20
WINDOW = 60.0
PEOPLE = 10_000  # the least lately seen are forgotten beyond this many


class Pace:
    """Counts requests a person; bounded, whoever asks."""

    def __init__(self, limit: int = PER_MINUTE, window: float = WINDOW) -> None:
        self._limit, self._window = limit, window
        self._seen: OrderedDict[Hashable, deque[float]] = OrderedDict()

    def busy(self, person: Hashable, now: float) -> bool:
        """Whether the person has used up the minute; otherwise this request is counted."""
        times = self._seen.setdefault(person, deque())
        self._seen.move_to_end(person)
        while len(self._seen) > PEOPLE:
            self._seen.popitem(last=False)
        while times and times[0] <= now - self._window:
            times.popleft()
        if len(times) >= self._limit:
            return True
        times.append(now)
        return False


class Gone:
    """Messages whose deletion came lately: an event about them that comes late is not answered."""

    def __init__(self, most: int = 1000) -> None:
        self._most = most
        self._messages: OrderedDict[Hashable, None] = OrderedDict()

    def add(self, message: Hashable) -> None:
        """Note a deletion."""
        self._messages[message] = None
        while len(self._messages) > self._most:
            self._messages.popitem(last=False)

    def __contains__(self, message: Hashable) -> bool:
        return message in self._messages
