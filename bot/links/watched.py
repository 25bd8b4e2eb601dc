"""The core's view of links: which are vendors', and what their pages claim."""

from __future__ import annotations

from collections.abc import Sequence

from bot.answer import Markup
from bot.events import Event
from bot.links.address import AddressError, canonical
from bot.links.finding import links_in
from bot.links.watchlist import watchlist
from bot.preferences import Preferences
from bot.service.vendor import Watched


class Watching:
    """Finds the links of messages and says which of them are watched."""

    def links_of(self, event: Event) -> list[str]:
        """The links that a message holds or the platform reports, without those to be left alone."""
        if event.links:
            return list(event.links)
        return self.links_in(event.text, event.place.platform)

    def links_in(self, text: str, markup: Markup) -> list[str]:
        """The links of a text in its order, each page once."""
        return [link.url for link in links_in(text, markup) if not link.wrapped]

    def watched(self, links: Sequence[str], preferences: Preferences) -> list[Watched]:
        """Those of vendors by the list and the workspace's own hosts, each page once."""
        found: dict[str, Watched] = {}
        for link in links:
            entry = watchlist().match(
                link,
                added=preferences.hosts_added,
                removed=preferences.hosts_removed,
                press=preferences.links_press,
            )
            if entry is None:
                continue
            try:
                key = canonical(link, entry.query)
            except AddressError:
                continue
            found.setdefault(key, Watched(link, key))
        return list(found.values())


class WatchedLinks(Watching):
    """Watching with a way to read the pages."""

    def __init__(self, state: object, readers: object, proxy: str | None = None) -> None:
        self._state = state
