"""Fetching a page from outside: each address, redirect and byte within the policy, and no second try."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from ssl import SSLError

from aiohttp import (
    ClientConnectionError,
    ClientConnectorCertificateError,
    ClientConnectorDNSError,
    ClientConnectorSSLError,
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
)
from yarl import URL

from bot.links import robots
from bot.links.address import AddressError, sent
from bot.links.body import ACCEPTED, body
from bot.links.connecting import Guard
from bot.links.policy import FetchError, FetchPolicy, Reason, user_agent
from bot.links.watchlist import Watchlist, watchlist

HTML = frozenset(("text/html", "application/xhtml+xml"))
_MOVED = frozenset((301, 302, 303, 307, 308))
_STATUS: dict[int, Reason] = {
    401: "login",
    403: "forbidden",
    404: "gone",
    407: "forbidden",
    410: "gone",
    451: "gone",
}
ROBOTS_DAYS = 1  # RFC 9309, 2.4: not longer from a cache
MOST_HOSTS = 500  # hosts that are remembered, for their pace and robots.txt
_DAY = 86_400.0

Admit = Callable[[URL], bool]


@dataclass(frozen=True, slots=True)
class Page:
    """What a server answered. html: None where the page is the one that `etag` or `modified` named."""

    url: str
    html: bytes | None
    charset: str | None = None
    etag: str | None = None
    modified: str | None = None


class Fetcher:
    """Fetches pages within one policy; remembers of a host when it was asked last, and its robots.txt."""

    def __init__(
        self,
        policy: FetchPolicy | None = None,
        *,
        watched: Watchlist | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.policy = policy or FetchPolicy()
        self.watched = watched or watchlist()
        self._clock = clock
        self._free: dict[str, float] = {}
        self._robots: dict[str, tuple[float, robots.Robots]] = {}

    async def fetch(
        self,
        url: str,
        *,
        query: tuple[str, ...] = (),
        admit: Admit | None = None,
        etag: str | None = None,
        modified: str | None = None,
    ) -> Page:
        """The page at an address. Raises FetchError, in the policy's time and without a second try.

        `query` names the parameters that are sent; `admit` says of each address on the way whether it
        may be asked (None: any that is public). With `etag` or `modified` of an earlier answer the
        server may say that nothing has changed.
        """
        guard = Guard(self.policy)
        asked = {"If-None-Match": etag, "If-Modified-Since": modified}
        headers = {name: value for name, value in asked.items() if value}
        try:
            async with asyncio.timeout(self.policy.total), self._session(guard) as session:
                return await self._follow(session, sent(url, query), query, admit, headers)
        except FetchError:
            raise
        except AddressError:
            raise FetchError("not_a_link") from None
        except Exception as error:
            reason = reason_of(error, refused=guard.refused)
            if reason is None:
                raise
            raise FetchError(reason) from None

    def _session(self, guard: Guard) -> ClientSession:
        session = ClientSession(
            connector=guard.connector(),
            cookie_jar=DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,
            timeout=ClientTimeout(total=self.policy.total),
            headers={
                "User-Agent": user_agent(),
                "Accept-Encoding": ACCEPTED,
                "Accept": ", ".join(sorted(HTML)),
            },
        )
        # aiohttp asks a second time where a server hangs up; it has no public switch for that.
        session._retry_connection = False
        return session

    async def _follow(
        self,
        session: ClientSession,
        url: URL,
        query: tuple[str, ...],
        admit: Admit | None,
        headers: dict[str, str],
    ) -> Page:
        """Ask, and go where the answer sends us; each address on the way is checked like the first."""
        seen: set[URL] = set()
        for _ in range(self.policy.redirects + 1):
            self._check(url)
            if admit is not None and not admit(url):
                raise FetchError("not_listed")
            if url in seen:
                raise FetchError("redirect_loop")
            seen.add(url)
            await self._allowed(session, url)
            async with await self._get(session, url, headers) as response:
                if response.status not in _MOVED:
                    return await self._page(response, url)
                url = self._next(url, response, query)
        raise FetchError("redirect_loop" if url in seen else "too_many_redirects")

    def _check(self, url: URL) -> None:
        """Refuse an address by what it says. Raises FetchError."""
        if url.scheme not in ("http", "https"):
            raise FetchError("scheme")
        if url.user is not None or url.password is not None:
            raise FetchError("userinfo")
        if url.port not in self.policy.ports:
            raise FetchError("port")
        self.policy.check_host(url.host or "")
        if self.watched.is_login(url):
            raise FetchError("login")
        if url.scheme == "http" and not self.policy.plain and not self.watched.listed(url.host or ""):
            raise FetchError("not_encrypted")

    def _next(self, url: URL, response: ClientResponse, query: tuple[str, ...]) -> URL:
        """The address that a redirect names. Raises FetchError."""
        try:
            target = url.join(URL(response.headers.get("Location", "")))
            if target.scheme not in ("http", "https"):
                raise FetchError("scheme")
            if target.scheme == "http" and not self.policy.plain:
                raise FetchError("not_encrypted")
            if target.user is None and self.watched.is_private(target):
                raise FetchError("login")
            return sent(target, query)
        except (AddressError, ValueError):
            raise FetchError("not_a_link") from None

    async def _get(self, session: ClientSession, url: URL, headers: dict[str, str]) -> ClientResponse:
        await self._turn(url)
        return await session.get(url, headers=headers, allow_redirects=False, proxy=self.policy.proxy)

    async def _page(self, response: ClientResponse, url: URL) -> Page:
        etag, modified = response.headers.get("ETag"), response.headers.get("Last-Modified")
        if response.status == 304:
            return Page(str(url), None, None, etag, modified)
        if response.status != 200:
            raise FetchError(_STATUS.get(response.status, "server"))
        if url.scheme == "http" and not self.policy.plain:
            raise FetchError("not_encrypted")
        if response.content_type not in HTML:
            raise FetchError("not_html")
        html = await body(response, self.policy.most_bytes)
        return Page(str(url), html, response.charset, etag, modified)

    async def _turn(self, url: URL) -> None:
        """Wait until the host may be asked again. Raises FetchError where that takes too long."""
        host, now = url.host or "", self._clock()
        start = max(now, self._free.get(host, 0.0))
        if start - now >= self.policy.total / 2:
            raise FetchError("busy")
        if len(self._free) > MOST_HOSTS:
            self._free = {name: free for name, free in self._free.items() if free > now}
        self._free[host] = start + self.policy.interval
        if start > now:
            await asyncio.sleep(start - now)

    async def _allowed(self, session: ClientSession, url: URL) -> None:
        """Refuse what the site's robots.txt asks to leave alone. Raises FetchError."""
        if not self.policy.robots or (url.scheme == "http" and not self.policy.plain):
            return  # of a page over http nothing but its redirect is looked at
        origin = str(url.origin())
        known = self._robots.get(origin)
        if known is None or known[0] < self._clock():
            rules = await self._rules(session, url.origin())
            if len(self._robots) >= MOST_HOSTS:
                self._robots.clear()
            known = self._robots[origin] = (self._clock() + ROBOTS_DAYS * _DAY, rules)
        if not known[1].allows(url.raw_path_qs):
            raise FetchError("robots")

    async def _rules(self, session: ClientSession, origin: URL) -> robots.Robots:
        """A site's rules: none where it has no robots.txt, no page at all where it fails to give it."""
        url = origin.with_path("/robots.txt")
        for _ in range(self.policy.redirects + 1):
            async with session.get(url, allow_redirects=False, proxy=self.policy.proxy) as response:
                if response.status in _MOVED:
                    url = url.join(URL(response.headers.get("Location", "")))
                    self._check(url)
                    continue
                if response.status != 200:
                    return robots.NOTHING if response.status >= 500 else robots.EVERYTHING
                return robots.parse((await body(response, robots.MOST_BYTES)).decode("utf-8", "replace"))
        return robots.EVERYTHING


def reason_of(error: Exception, *, refused: bool = False) -> Reason | None:
    """The name of what went wrong on the network; None for what is no failure of the network."""
    if refused:
        return "private_address"
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, ClientConnectorDNSError):
        return "dns"
    if isinstance(error, ClientConnectorCertificateError | ClientConnectorSSLError | SSLError):
        return "tls"
    if isinstance(error, ClientConnectionError):
        return "unreachable"
    if isinstance(error, ClientError):
        return "server"
    return "unreachable" if isinstance(error, OSError) else None


__all__ = ["FetchError", "FetchPolicy", "Fetcher", "Page", "Reason"]
