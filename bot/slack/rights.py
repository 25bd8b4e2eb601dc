"""Who may change what, and where we stay silent: what Slack tells without users:read."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.events import Place
from bot.ports import PortError
from bot.slack.installs import Installed
from bot.slack.port import SlackPort

if TYPE_CHECKING:
    from bot.service import Service

CHANNEL_KEPT = 600.0  # seconds for which a channel's creator is not asked for again


class Rights:
    """The rights of people in channels. admins: user IDs that may change settings everywhere."""

    def __init__(
        self,
        service: Service,
        admins: frozenset[str],
        installed: Callable[[str], Awaitable[Installed]],
        port: Callable[[str], Awaitable[SlackPort]],
    ) -> None:
        self._service, self._admins = service, admins
        self._installed, self._port = installed, port
        self._channels: dict[tuple[str, str], tuple[float, str, bool]] = {}

    async def place(self, place: Place) -> Place:
        """A place with what Slack knows of its channel: a command does not say whether that is shared."""
        if place.direct or not place.channel:
            return place
        _, shared = await self._known(place)
        return replace(place, shared=place.shared or shared)

    async def owner(self, place: Place, person: str) -> bool:
        """Whether somebody may change what holds for the whole workspace.

        Slack does not tell who is a workspace admin without users:read, which is not asked for. So
        these may: who is listed in SMALLPRINT_SLACK_ADMINS, and who installed the app.
        """
        if person in self._admins:
            return True
        try:
            return (await self._installed(place.workspace)).installer == person
        except PortError:
            return False

    async def admin(self, place: Place, person: str) -> bool:
        """Whether somebody may change what holds in a channel: an owner, or who made the channel."""
        if await self.owner(place, person):
            return True
        creator = "" if place.direct else (await self._known(place))[0]
        return bool(creator) and creator == person

    async def _known(self, place: Place) -> tuple[str, bool]:
        key = (place.workspace, place.channel)
        kept = self._channels.get(key)
        if kept is not None and time.monotonic() - kept[0] < CHANNEL_KEPT:
            return kept[1], kept[2]
        try:
            creator, shared = await (await self._port(place.workspace)).creator(place)
        except PortError:
            return "", place.shared
        self._channels[key] = (time.monotonic(), creator, shared)
        return creator, shared

    async def silent(self, place: Place, person: str) -> bool:
        """Whether we are not to work in a channel that another organisation shares."""
        return place.shared and not (await self._service.preferences(place, person)).shared_channels
