"""What a decision rests on, gathered: preferences, earlier replies, watched links."""

from __future__ import annotations

from collections.abc import Callable

from bot.decide import Context
from bot.events import Event
from bot.preferences import Preferences
from bot.service.pace import Gone, Pace
from bot.service.vendor import VendorLinks, Watched
from bot.state import State

ASKED = frozenset(("mention", "direct", "reaction"))
LINKED = frozenset(("message", "links", "edit"))


class Facts:
    """Gathers the Context of an event; what it remembers itself is small and may be lost."""

    def __init__(self, state: State, clock: Callable[[], float], vendor: VendorLinks) -> None:
        self._state, self._clock, self._vendor = state, clock, vendor
        self._pace, self._gone = Pace(), Gone()

    async def context(self, event: Event) -> Context:
        """All that the decision on an event rests on."""
        now, place = self._clock(), event.place
        key = (place.platform, place.workspace, place.channel, event.message)
        if event.kind == "deletion":
            self._gone.add(key)
        all_links = self._vendor.links_of(event) if event.kind in LINKED else []
        if event.kind == "message" and not all_links:
            # Most of a channel's talk: nothing is looked up for it.
            return Context(event=event, preferences=Preferences(), now=now)
        preferences = await self._state.preferences(place, event.author)
        watched = self._vendor.watched(all_links, preferences)
        return Context(
            event=event,
            preferences=preferences,
            now=now,
            reply=await self._state.reply_to(place, event.message),
            gone=key in self._gone and event.kind != "deletion",
            busy=event.kind in ASKED and self._pace.busy((place.platform, event.person), now),
            links=len(all_links),
            watched=len(watched),
            seen=bool(watched) and preferences.links and await self._seen(event, watched, preferences, now),
        )

    async def _seen(self, event: Event, watched: list[Watched], preferences: Preferences, now: float) -> bool:
        since = now - preferences.links_days * 86_400
        return all([await self._state.link_seen(event.place, link.key, since) for link in watched])
