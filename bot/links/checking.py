"""A page in, an answer out: its claims with their readings, each claim once, and one Reply."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from bot import answer, metrics
from bot.links.address import AddressError, canonical, parsed
from bot.links.cache import Cache, Kept, MemoryCache, packed, unpacked
from bot.links.fetch import Admit, Fetcher, Page
from bot.links.policy import FetchError
from bot.reply import Reply
from bot.settings import settings
from bot.telling import article as telling
from bot.wording import LANGUAGES, Language
from knowledge.reading import Reading
from parsing.article import ArticleError, Located, read_article, read_claims

T = TypeVar("T")

FRESH = 6 * 3600.0  # seconds in which a page is not asked for again
KEPT = 30 * 86_400.0  # seconds after which it is read anew, whatever the server says
MOST_LED = 10_000  # links of which it is remembered where they lead
FAILED = 15 * 60.0  # seconds in which a page that could not be read is left alone
# What links carry to tell the sender of a reader, on any host.
_TRACKING = ("utm_", "mc_", "hsa_", "mkt_", "pk_", "_hs", "ns_")
_TRACKERS = frozenset(
    ("fbclid", "gclid", "dclid", "msclkid", "igshid", "ref", "ref_src", "source", "cid", "linkid")
)


class Run(Protocol):
    """Runs a function where texts may be read (`bot.service.readers.Readers.call`)."""

    def __call__(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Awaitable[T]: ...


async def here(function: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
    """Run a function on the spot."""
    return function(*args, **kwargs)


@dataclass(frozen=True)
class ArticleAnswer:
    """What one page came to.

    url: its canonical link after all redirects, None for a file. text: what the claims' spans count
    in, empty where the page came from the cache: then there are no quotes and no title either.
    located: the claims with their places; readings: one each.
    """

    url: str | None
    title: str | None
    published: dt.date | None
    language: Language
    result_ids: tuple[str, ...]
    located: tuple[Located, ...]
    readings: tuple[Reading, ...]
    reply: Reply
    text: str = ""


def check_html(
    html: bytes | str, *, url: str | None = None, charset: str | None = None, lang: str | None = None
) -> ArticleAnswer:
    """The claims of a page with their readings. Raises FetchError ("unreadable")."""
    found, text, title = _read(html, url, charset)
    return replace(told(found, lang=lang), text=text, title=title)


def _read(html: bytes | str, url: str | None, charset: str | None) -> tuple[Kept, str, str | None]:
    """A page as it is kept, and what is not kept of it: its text and title."""
    try:
        article = read_article(html, url=url, charset=charset)
    except ArticleError:
        raise FetchError("unreadable") from None
    located = read_claims(article, answer.desk().reader)
    raw = html if isinstance(html, bytes) else html.encode("utf-8", "surrogatepass")
    kept = _Full(
        at=0.0,
        url=url or "",
        published=article.published.isoformat() if article.published else None,
        language=article.language,
        result_ids=article.result_ids,
        claims=answer.pack([one.claim for one in located]),
        places=tuple((one.where, *one.also) for one in located),
        digest=hashlib.sha256(raw).hexdigest(),
        full=tuple(located),
    )
    return kept, article.document.text, article.title


@dataclass(frozen=True, slots=True)
class _Full(Kept):
    """A page that was just read: its claims still have their words."""

    full: tuple[Located, ...] = ()

    def located(self) -> list[Located]:
        """The claims as they were read."""
        return list(self.full)


def told(kept: Kept, *, lang: str | None = None) -> ArticleAnswer:
    """The answer to a page from the rows of today, in `lang`, else the settings', else its own language."""
    wanted = lang or settings().lang or kept.language
    language: Language = next((one for one in LANGUAGES if one == wanted), "en")
    located = tuple(kept.located())
    published = answer.day(kept.published)
    desk = answer.desk()
    claims = [one.claim for one in located]
    readings = tuple(desk.judge.readings(claims, article=published))
    cites = bool(kept.result_ids) or any(claim.result_ids for claim in claims)
    reply = telling.build(claims, readings, language, cites=cites, data_version=desk.store.version)
    return ArticleAnswer(
        kept.url or None, None, published, language, kept.result_ids, located, readings, reply
    )


def without_words(html: bytes, url: str, charset: str | None) -> Kept:
    """A page as it is kept. Raises FetchError ("unreadable")."""
    kept, _, _ = _read(html, url, charset)
    return Kept(**{name: getattr(kept, name) for name in Kept.__dataclass_fields__})


class Checker:
    """Checks pages: of many who ask for one at once the first fetches it; what was read is kept a while."""

    def __init__(
        self,
        fetcher: Fetcher | None = None,
        cache: Cache | None = None,
        *,
        run: Run = here,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.fetcher = fetcher or Fetcher()
        self._cache: Cache = cache or MemoryCache(clock)
        self._run = run
        self._clock = clock
        self._running: dict[str, asyncio.Task[Kept]] = {}
        self._led: OrderedDict[str, str] = OrderedDict()

    async def check(self, url: str, *, lang: str | None = None, admit: Admit | None = None) -> ArticleAnswer:
        """The answer to a page. Raises FetchError with the reason where it cannot be read."""
        return await self._run(told, await self.page(url, admit=admit), lang=lang)

    async def page(self, url: str, *, admit: Admit | None = None) -> Kept:
        """A page as it is kept: from the cache while it is fresh, else fetched. Raises FetchError."""
        query = self.query_of(url)
        key = canonical(url, query)
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(self._page(url, key, query, admit))
            task.add_done_callback(lambda _: self._running.pop(key, None))
        # One who gives up must not take the page away from the others.
        return await asyncio.shield(task)

    def same(self, link: str) -> str:
        """The canonical link under which a page was first asked for: what redirects to it is the same link.

        Known once one of the two was fetched by this process; a link that was not stands for itself.
        """
        return self._led.get(link, link)

    def _leads(self, asked: str, final: str) -> None:
        first = self._led.get(final, asked)
        for link in (asked, final):
            self._led.setdefault(link, first)
        while len(self._led) > MOST_LED:
            self._led.popitem(last=False)

    def query_of(self, url: str) -> tuple[str, ...]:
        """The parameters that are sent: those on the list; elsewhere all but what tracks or is a secret.

        Raises FetchError for what is no address.
        """
        watched = self.fetcher.watched
        try:
            entry = watched.match(url, press=True)
            names = dict.fromkeys(parsed(url).query)
        except AddressError:
            raise FetchError("not_a_link") from None
        if entry is not None:
            return tuple(name for name in names if name in entry.query)
        return tuple(
            name for name in names if not _tracks(name) and name.lower() not in watched.private_query
        )

    async def _page(self, url: str, key: str, query: tuple[str, ...], admit: Admit | None) -> Kept:
        now = self._clock()
        known = unpacked(await self._cache.cached(f"page {key}", now - KEPT))
        if known is not None and known.reason is not None and now - known.at < FAILED:
            raise FetchError(known.reason)
        if known is not None and known.failed is None and now - known.at < FRESH:
            return known
        before = known if known is not None and known.failed is None else None
        try:
            found = await self._fetched(url, query, admit, before)
        except FetchError as error:
            metrics.fetch_failed(error.reason)
            await self._cache.keep(f"page {key}", packed(Kept(now, key, error.reason)))
            raise
        kept = replace(found, at=now)
        self._leads(key, kept.url or key)
        await self._cache.keep(f"page {key}", packed(kept))
        return kept

    async def _fetched(
        self, url: str, query: tuple[str, ...], admit: Admit | None, before: Kept | None
    ) -> Kept:
        asked = (before.etag, before.modified) if before else (None, None)
        page = await self.fetcher.fetch(url, query=query, admit=admit, etag=asked[0], modified=asked[1])
        if page.html is None:
            if before is None:
                raise FetchError("server")
            return before
        return await self._read(page, page.html, query)

    async def _read(self, page: Page, html: bytes, query: tuple[str, ...]) -> Kept:
        link = canonical(page.url, query)
        kept = await self._run(without_words, html, link, page.charset)
        return replace(kept, etag=page.etag, modified=page.modified)


def _tracks(name: str) -> bool:
    low = name.lower()
    return low.startswith(_TRACKING) or low in _TRACKERS


async def check_url(
    url: str, *, lang: str | None = None, fetcher: Fetcher | None = None, admit: Admit | None = None
) -> ArticleAnswer:
    """The answer to a page, fetched now, with the words of its claims. Raises FetchError."""
    used = fetcher or Fetcher()
    query = Checker(used).query_of(url)
    page = await used.fetch(url, query=query, admit=admit)
    return check_html(page.html or b"", url=canonical(page.url, query), charset=page.charset, lang=lang)


def document(found: ArticleAnswer) -> dict[str, Any]:
    """The JSON contract of `check`: that of `ask`, with the page's facts and each claim's places."""
    from bot.render.text import render

    claims = [
        {
            **one.claim.model_dump(mode="json"),
            "where": one.where,
            "also": list(one.also),
            "reading": reading.model_dump(mode="json"),
        }
        for one, reading in zip(found.located, found.readings, strict=True)
    ]
    return {
        "url": found.url,
        "title": found.title,
        "published": found.published.isoformat() if found.published else None,
        "language": found.language,
        "result_ids": list(found.result_ids),
        "text": found.text,
        "claims": claims,
        "reply": {"text": render(found.reply)},
    }
