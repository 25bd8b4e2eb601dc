"""Links in messages: which are vendors', and what their pages claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.answer import Markup
from bot.decide import Decision
from bot.events import Event
from bot.preferences import Preferences
from bot.reply import Reply
from bot.state.records import Content
from bot.wording import Language
from knowledge.reading import Verdict


@dataclass(frozen=True, slots=True)
class Watched:
    """A link to a watched host. url: as it is fetched; key: the same for every way to write it."""

    url: str
    key: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What linked pages came to. refused: the reason where none could be read or is about results."""

    reply: Reply
    content: Content
    verdicts: tuple[Verdict, ...] = ()
    refused: Decision | None = None


class VendorLinks(Protocol):
    """The core's view of the room that knows hosts and pages."""

    def links_of(self, event: Event) -> list[str]:
        """The links that a message holds or the platform reports; those that are to be left alone are not."""

    def links_in(self, text: str, markup: Markup) -> list[str]:
        """The links of a text, in its order."""

    def watched(self, links: Sequence[str], preferences: Preferences) -> list[Watched]:
        """Those of vendors, each once."""

    async def check(self, link: str, language: Language) -> Checked:
        """What a page claims, because somebody asked: any host that may be fetched."""

    async def check_all(self, links: Sequence[Watched], language: Language) -> Checked:
        """What watched pages claim, in one answer."""
