"""Addresses of pages: every way to write a link to a page comes to the same canonical link."""

from __future__ import annotations

import re
from collections.abc import Collection

from yarl import URL

LONGEST = 2_000  # characters; no post has a longer address
_PORTS = {"http": 80, "https": 443}
_SLASHES = re.compile(r"/{2,}")
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\\]")


class AddressError(ValueError):
    """What is no address of a web page."""


def parsed(link: str) -> URL:
    """An http or https address without its fragment, host in lower case ASCII. Raises AddressError."""
    given = link.strip()
    if not given or len(given) > LONGEST or _UNSEEN.search(given):
        raise AddressError("not an address of a web page")
    try:
        url = URL(given)
        host = (url.host or "").rstrip(".")
        if url.scheme not in _PORTS or not host:
            raise AddressError("not an address of a web page")
        url.port  # noqa: B018  # raises ValueError for a port that is none
        return url.with_fragment(None).with_host(host.lower())
    except AddressError:
        raise
    except (ValueError, UnicodeError, TypeError):
        raise AddressError("not an address of a web page") from None


def sent(link: str | URL, query: Collection[str] = ()) -> URL:
    """The address as it is asked for: of the parameters only those in `query`. Raises AddressError."""
    url = parsed(str(link))
    return url.with_query([(name, value) for name, value in url.query.items() if name in query])


def canonical(link: str | URL, query: Collection[str] = ()) -> str:
    """The one way to write a link: https, no "www.", no slash at its end, of the parameters those in `query`.

    Two links with the same canonical form lead to the same page; it is what is cached and hashed.
    Raises AddressError.
    """
    url = parsed(str(link))
    port = None if url.port == _PORTS[url.scheme] else url.port
    path = _SLASHES.sub("/", url.path).rstrip("/")
    kept = sorted((name, value) for name, value in url.query.items() if name in query)
    host = (url.host or "").removeprefix("www.")
    try:
        return str(URL.build(scheme="https", host=host, port=port, path=path, query=kept))
    except (ValueError, UnicodeError, TypeError):
        raise AddressError("not an address of a web page") from None
