"""What `/smallprint …` and a mention's first word call: pages, and answers to texts and links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bot import lists
from bot.events import Place
from bot.page import Page
from bot.preferences import Preferences, Scope, checked, scopes_of
from bot.service import told
from bot.service.asking import Command
from bot.service.digests import Digests
from bot.service.readers import Readers
from bot.service.vendor import VendorLinks
from bot.settings import settings
from bot.state import State
from bot.state.records import Retention
from bot.telling.naming import harmless
from bot.wording import Language, Words, words

ON = frozenset(("on", "yes", "true", "an", "ein", "ja"))
OFF = frozenset(("off", "no", "false", "aus", "nein"))
UNSET = frozenset(("default", "inherit", "-", "standard", "erben"))
LEVELS: dict[str, Scope] = {
    "workspace": "workspace",
    "server": "workspace",
    "channel": "channel",
    "kanal": "channel",
    "me": "person",
    "mich": "person",
}


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, where, in which language.

    admin: may change what holds for all in the channel. owner: and what holds for the workspace.
    proved: whether that was looked up; for a message it is not, so the command has to be used.
    wanted: the language that is set; None leaves it to a text's own.
    """

    place: Place
    person: str
    language: Language
    admin: bool = False
    owner: bool = False
    proved: bool = True
    wanted: Language | None = None

    def refusal(self, w: Words) -> str:
        """Why a person may not: they are no admin, or nobody knows here whether they are."""
        return w("page.admins_only" if self.proved else "page.admins_by_command")

    def may(self, scope: Scope) -> bool:
        """Whether a setting of this level is the person's to change."""
        match scope:
            case "person":
                return True
            case "channel":
                return self.admin or self.owner or self.place.direct
            case "workspace":
                return self.owner


class Commands:
    """Carries out commands; every one gives a page or an answer, none raises for nonsense."""

    def __init__(
        self, state: State, readers: Readers, vendor: VendorLinks, digests: Digests, retention: Retention
    ) -> None:
        self._state, self._readers, self._vendor, self._digests = state, readers, vendor, digests
        self._retention = retention

    async def page(self, asked: Command, asker: Asker) -> Page | told.Told:
        """What a command comes to."""
        place, language = asker.place, asker.language
        match asked.name:
            case "check":
                return await self.check(asked.rest, asker)
            case "rank":
                return await self._readers.call(lists.rank, asked.rest, language)
            case "compare":
                return await self._readers.call(lists.compare, asked.rest, language)
            case "deltas":
                return await self._readers.call(lists.moved, asked.rest, language, early=settings().early)
            case "digest" if not asked.rest:
                return await self._digests.preview(place, language)
            case "digest" | "subscribe" | "unsubscribe":
                return await self._subscription(asked, asker)
            case "settings":
                return await self.settings(asked.rest, asker)
            case "why":
                return await self.why(asker)
            case "privacy":
                kept = self._retention
                return _lines("privacy", language, fields=f"{kept.fields:g}", replies=f"{kept.replies:g}")
            case "forget-me":
                await self._state.forget_person(place.platform, asker.person)
                return _lines("forgotten", language)
            case _:
                return await self.help(language)

    async def _subscription(self, asked: Command, asker: Asker) -> Page:
        if not (asker.admin or asker.place.direct):
            return Page(asker.language, asker.refusal(words(asker.language)))
        if asked.name == "unsubscribe" or asked.rest.casefold() in OFF:
            return await self._digests.unsubscribe(asker.place, asker.language)
        return await self._digests.subscribe(asked.rest, asker.place, asker.person, asker.language)

    async def check(self, text: str, asker: Asker) -> Page | told.Told:
        """A text's claims; a link's, where it has none of its own."""
        place, language = asker.place, asker.language
        if not text:
            return _lines("check_what", language)
        found = await self._readers.read(told.of_text, text, place.platform, asker.wanted, None)
        links = [] if found.claims else self._vendor.links_in(text, place.platform)
        if links:
            checked_link = await self._vendor.check(links[0], language)
            return told.Told(checked_link.reply, checked_link.content)
        return found

    async def help(self, language: Language, *, unknown: str = "") -> Page:
        """What can be asked; with one line of what was not understood."""
        page = _lines("help", language)
        if not unknown:
            return page
        line = words(language)("page.not_understood", words=harmless(unknown)[:80])
        return Page(language, page.title, (line, *page.lines))

    async def why(self, asker: Asker) -> Page:
        """The newest decision in this channel, for those who may change its settings."""
        place, language = asker.place, asker.language
        w = words(language)
        if not (asker.admin or place.direct):
            return Page(language, asker.refusal(w))
        last = await self._state.last_decision(place)
        if last is None:
            return Page(language, w("page.no_decision"))
        return Page(language, w(f"reason.{last.reason}"))

    # -- settings

    async def settings(self, text: str, asker: Asker) -> Page:
        """All settings that hold here; "settings [workspace|channel|me] NAME VALUE" changes one."""
        w, parts = words(asker.language), text.split()
        if not parts:
            return await self._settings_list(asker, w)
        level = LEVELS.get(parts[0].casefold())
        name, *values = parts[1:] or [""] if level else parts
        try:
            line = await self._set(name.casefold().replace("-", "_"), values, level, asker, w)
        except ValueError as error:
            line = w("page.setting_wrong", problem=harmless(str(error)))
        return Page(asker.language, line)

    async def _set(self, name: str, values: list[str], level: Scope | None, asker: Asker, w: Words) -> str:
        if name not in Preferences.model_fields or not values:
            raise ValueError(w("page.setting_names", names=", ".join(Preferences.model_fields)))
        scope = level or _nearest(name, asker.place)
        if not asker.may(scope):
            return asker.refusal(w)
        typed = parsed(name, values)
        value = checked(name, typed, scope) if typed is not None else None
        await self.set(scope, asker.place, asker.person, name, value)
        return w("page.setting_set", name=name, value=shown(value, w), scope=w(f"scope.{scope}"))

    async def set(self, scope: Scope, place: Place, person: str, name: str, value: Any) -> None:
        """Store one checked value for a level of a place; `person` is who sets it."""
        await self._state.set(scope, place, name, value, person)

    async def _settings_list(self, asker: Asker, w: Words) -> Page:
        found = await self._state.preferences(asker.place, asker.person)
        lines = [
            f"{name}: {shown(getattr(found, name), w)}. {w(f'preference.{name}')}"
            for name in Preferences.model_fields
        ]
        return Page(w.language, w("page.settings_title"), (*lines, w("page.settings_how")))


def _nearest(name: str, place: Place) -> Scope:
    """The level that a setting is meant for where none is said."""
    scopes = scopes_of(name)
    if "person" in scopes and (place.direct or len(scopes) == 1):
        return "person"
    return "channel" if "channel" in scopes else scopes[0]


def parsed(name: str, values: list[str]) -> Any:
    """What a person typed, as the setting's own kind; None for "inherit"."""
    first = values[0].casefold()
    if first in UNSET:
        return None
    kind = Preferences.model_fields[name].annotation
    if kind is bool:
        if first not in ON | OFF:
            raise ValueError(f"{name}: on or off")
        return first in ON
    if kind is int:
        return int(first) if re.fullmatch(r"\d{1,6}", first) else first
    if name.startswith("hosts_"):
        return tuple(value.strip(",").casefold() for value in values)
    return values[0] if name == "zone" else first


def shown(value: Any, w: Words) -> str:
    """A setting's value as people read it."""
    if value is None:
        return w("page.unset")
    if isinstance(value, bool):
        return w("page.on" if value else "page.off")
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or w("page.unset")
    return str(value)


def _lines(name: str, language: Language, **values: str) -> Page:
    w = words(language)
    title, *lines = w(f"page.{name}", **values).strip().splitlines()
    return Page(language, title, tuple(lines))
