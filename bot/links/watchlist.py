"""Which links are to vendors' posts: hosts and paths as data (`watchlist.toml`), and a workspace's own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any

from yarl import URL

from bot.links.address import AddressError, parsed


@dataclass(frozen=True, slots=True)
class Entry:
    """A host with the beginnings of its posts' paths.

    vendor: whose results it is about, empty for press and added hosts. query: the parameters that
    tell one page from another there.
    """

    host: str
    paths: tuple[str, ...] = ("",)
    vendor: str = ""
    first_hand: bool = False
    press: bool = False
    query: tuple[str, ...] = ()

    def covers(self, path: str) -> bool:
        """Whether a page at this path is a post."""
        parts = [part for part in path.split("/") if part]
        return any(_begins(parts, pattern) for pattern in self.paths)


@dataclass(frozen=True)
class Watchlist:
    """Entries by host; a host is the same with and without "www."."""

    entries: tuple[Entry, ...]
    private_query: frozenset[str] = frozenset()
    private_paths: frozenset[str] = frozenset()
    private_hosts: frozenset[str] = frozenset()
    _by_host: dict[str, Entry] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_host", {_plain(entry.host): entry for entry in self.entries})

    def match(
        self, link: str, *, added: Iterable[str] = (), removed: Iterable[str] = (), press: bool = False
    ) -> Entry | None:
        """The entry that a link to a post falls under; None for other links, and for one that is not public.

        `added` and `removed` are hosts, or a host with the beginning of a path ("example.com/blog").
        """
        try:
            url = parsed(link)
        except AddressError:
            return None
        host = _plain(url.host or "")
        if self.is_private(url) or any(_covers(one, host, url.path) for one in removed):
            return None
        entry = self._by_host.get(host)
        if entry is not None and (press or not entry.press) and entry.covers(url.path):
            return entry
        return next((_entry(one) for one in added if _covers(one, host, url.path)), None)

    def listed(self, host: str) -> bool:
        """Whether a host is on the list, press included."""
        return _plain(host.lower()) in self._by_host

    def is_private(self, url: URL) -> bool:
        """Whether an address is one of a draft, a preview or a login."""
        if any(name.lower() in self.private_query for name in url.query):
            return True
        if url.user is not None or url.password is not None:
            return True
        return self.is_login(url)

    def is_login(self, url: URL) -> bool:
        """Whether an address asks who one is."""
        parts = {part.lower() for part in url.path.split("/") if part}
        return bool(parts & self.private_paths) or (url.host or "").split(".")[0] in self.private_hosts


def _plain(host: str) -> str:
    return host.removeprefix("www.")


def _entry(given: str) -> Entry:
    host, _, path = given.strip().lower().removeprefix("https://").partition("/")
    return Entry(host, (f"/{path.strip('/')}" if path.strip("/") else "",))


def _covers(given: str, host: str, path: str) -> bool:
    entry = _entry(given)
    if _plain(entry.host) != host:
        return False
    return entry.covers(path) or not any(entry.paths)


def _begins(parts: Sequence[str], pattern: str) -> bool:
    wanted = [part for part in pattern.split("/") if part]
    if len(parts) <= len(wanted):
        return False
    return all(fnmatchcase(part, want) for part, want in zip(parts, wanted, strict=False))


@cache
def watchlist() -> Watchlist:
    """The packaged list."""
    data = tomllib.loads(resources.files(__package__).joinpath("watchlist.toml").read_text("utf-8"))
    private: dict[str, list[str]] = data["private"]
    return Watchlist(
        (*_read(data["vendor"], press=False), *_read(data["press"], press=True)),
        frozenset(private["query"]),
        frozenset(private["paths"]),
        frozenset(private["hosts"]),
    )


def _read(items: Iterable[dict[str, Any]], *, press: bool) -> Iterable[Entry]:
    for item in items:
        yield Entry(
            host=item["host"],
            paths=tuple(item["paths"]),
            vendor=item.get("vendor", ""),
            first_hand=item.get("first_hand", False),
            press=press,
            query=tuple(item.get("query", ())),
        )
