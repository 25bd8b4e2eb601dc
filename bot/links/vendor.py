"""Links in messages for the core: which are vendors', and what their pages claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from yarl import URL

from bot import answer
from bot.answer import Markup
from bot.decide import Decision
from bot.events import Event
from bot.links.address import AddressError, canonical, sent
from bot.links.cache import Kept
from bot.links.checking import Checker, Run, told
from bot.links.finding import Link, links_in
from bot.links.policy import FetchError
from bot.preferences import Preferences
from bot.reply import Reply
from bot.service.vendor import Checked, Watched
from bot.state.records import Content
from bot.telling import article as telling
from bot.telling.footnote import Footnote
from bot.wording import Language, words


class Links:
    """The watchlist and the Checker as the core sees them (`bot.service.vendor.VendorLinks`).

    digest: a keyed hash, by which a link is remembered without being kept. run: where texts are read.
    """

    def __init__(self, checker: Checker, *, digest: Callable[[str], str], run: Run) -> None:
        self._checker = checker
        self._digest = digest
        self._run = run
        self._watchlist = checker.fetcher.watched

    def links_of(self, event: Event) -> list[str]:
        """The links that a message holds or the platform reports, without those that are to be left alone."""
        found = links_in(event.text, event.place.platform)
        alone = {link.url for link in found if link.wrapped}
        reported = [Link(url) for url in event.links if url not in alone]
        return list(dict.fromkeys(link.url for link in (*found, *reported) if not link.wrapped))

    def links_in(self, text: str, markup: Markup) -> list[str]:
        """The links of a text in its order; who asks about a link means it, however it is written."""
        return [link.url for link in links_in(text, markup)]

    def watched(self, links: Sequence[str], preferences: Preferences) -> list[Watched]:
        """Those of vendors, each page once, in the order of the message."""
        found: dict[str, Watched] = {}
        for link in links:
            entry = self._watchlist.match(
                link,
                added=preferences.hosts_added,
                removed=preferences.hosts_removed,
                press=preferences.links_press,
            )
            if entry is not None:
                key = self._digest(self._checker.same(canonical(link, entry.query)))
                found.setdefault(key, Watched(str(sent(link, entry.query)), key))
        return list(found.values())

    async def check(self, link: str, language: Language) -> Checked:
        """What a page claims, because somebody asked; where it cannot be read the reply says why."""
        try:
            page = await self._checker.page(link)
        except (FetchError, AddressError) as error:
            reason = error.reason if isinstance(error, FetchError) else "not_a_link"
            reply = _sentence(words(language)(f"links.reason.{reason}"), language)
            return Checked(reply, Content(language), refused=Decision("ignore", "not_readable"))
        return await self._run(_checked, [page], language, ())

    async def check_all(self, links: Sequence[Watched], language: Language) -> Checked:
        """What watched pages claim, in one answer; a page that cannot be read is left out."""
        pages: list[Kept] = []
        for link in links:
            try:
                pages.append(await self._checker.page(link.url, admit=self._admitted(link.url)))
            except (FetchError, AddressError):
                continue
        keys = tuple(link.key for link in links)
        if pages:
            return await self._run(_checked, pages, language, keys)
        reply = _sentence(words(language)("article.nothing"), language)
        return Checked(reply, Content(language, links=keys), refused=Decision("ignore", "not_readable"))

    def _admitted(self, link: str) -> Callable[[URL], bool]:
        """Where a watched link may lead: to another address of its host, or to another watched post."""
        host = (URL(link).host or "").removeprefix("www.")

        def admit(url: URL) -> bool:
            same = (url.host or "").removeprefix("www.") == host
            return (same and url.path.strip("/") != "") or self._watchlist.match(str(url)) is not None

        return admit


def _sentence(text: str, language: Language) -> Reply:
    return Reply(language, (), text, Footnote(), (), text)


def _checked(pages: Sequence[Kept], language: Language, keys: tuple[str, ...]) -> Checked:
    """One answer to one page or several, and what is kept of it."""
    answers = [told(page, lang=language) for page in pages]
    claims = [one.claim for found in answers for one in found.located]
    readings = [reading for found in answers for reading in found.readings]
    first = answers[0]
    reply = first.reply
    if len(answers) > 1:
        cites = any(found.result_ids for found in answers)
        reply = telling.build(
            claims, readings, language, cites=cites, data_version=answer.desk().store.version
        )
    content = Content(
        language=language,
        claims=answer.pack(claims),
        article=first.published.isoformat() if first.published else None,
        links=keys,
        verdicts=dict(Counter(reading.verdict for reading in readings)),
        receipt=reply.receipt.text if reply.receipt else None,
    )
    if not claims:
        return Checked(reply, replace(content, claims=None), refused=Decision("ignore", "not_about_results"))
    return Checked(reply, content, tuple(reading.verdict for reading in readings))
