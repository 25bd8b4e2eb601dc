"""What is kept of a page that was read: fields of its claims and hashes, never its text."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Protocol, get_args

from bot import answer
from bot.links.policy import Reason
from bot.reply import program_version
from parsing.article import Located
from parsing.document import Where

MOST = 1_000  # pages that are kept in memory


class Cache(Protocol):
    """Texts under keys, with the time at which they were kept. `bot.state.State` is one."""

    async def cached(self, key: str, since: float = 0.0) -> str | None:
        """What was kept under a key since then."""

    async def keep(self, key: str, value: str) -> None:
        """Keep a text under a key, in the place of what was there."""


class MemoryCache:
    """A cache of this process; of many pages the oldest go."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def cached(self, key: str, since: float = 0.0) -> str | None:
        """What was kept under a key since then."""
        at, value = self._kept.get(key, (0.0, ""))
        return value if value and at >= since else None

    async def keep(self, key: str, value: str) -> None:
        """Keep a text under a key."""
        self._kept[key] = self._clock(), value
        self._kept.move_to_end(key)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """One page as it is kept.

    url: the canonical link that it was found under at last. claims: packed fields
    (`bot.answer.pack`), places: for each where it stands and where it is repeated. failed: why it
    could not be read, then the rest is empty. at: when it was asked for, seconds since 1970.
    """

    at: float
    url: str = ""
    failed: str | None = None
    published: str | None = None
    language: str = "en"
    result_ids: tuple[str, ...] = ()
    claims: str = "[]"
    places: tuple[tuple[str, ...], ...] = ()
    digest: str = ""
    etag: str | None = None
    modified: str | None = None
    version: str = ""

    def located(self) -> list[Located]:
        """The claims with their places, without the words they were said in. Raises ValueError."""
        claims = answer.unpack(self.claims)
        places: list[list[Where]] = [[place(name) for name in names] for names in self.places]
        return [Located(claim, first, also) for claim, (first, *also) in zip(claims, places, strict=True)]

    @property
    def reason(self) -> Reason | None:
        """Why the page could not be read; None where it could."""
        return next((reason for reason in get_args(Reason) if reason == self.failed), None)


def place(name: str) -> Where:
    """A place by its name. Raises ValueError."""
    for known in get_args(Where):
        if known == name:
            found: Where = known
            return found
    raise ValueError(f"no place of an article: {name}")


def packed(kept: Kept) -> str:
    """A page for a Cache."""
    return json.dumps({**asdict(kept), "version": program_version()}, ensure_ascii=False)


def unpacked(text: str | None) -> Kept | None:
    """A page from a Cache; None for what another version of the program kept, or nobody."""
    try:
        found = json.loads(text or "null")
        if not isinstance(found, dict) or found.get("version") != program_version():
            return None
        lists = {
            "result_ids": tuple(found["result_ids"]),
            "places": tuple(tuple(names) for names in found["places"]),
        }
        kept = Kept(**{**found, **lists})
        kept.located()
    except (ValueError, TypeError, KeyError):
        return None
    return kept
