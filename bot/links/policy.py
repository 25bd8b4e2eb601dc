"""What may be fetched: schemes, ports, sizes, times, and the addresses of the public internet only."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Literal

from aiohttp.abc import AbstractResolver

from bot.reply import program_version

# Why a page was not read. Each has a sentence in bot/wording ("links.reason.…").
Reason = Literal[
    "not_a_link",
    "scheme",
    "port",
    "userinfo",
    "host",
    "private_address",
    "dns",
    "unreachable",
    "tls",
    "timeout",
    "too_large",
    "not_html",
    "encoding",
    "redirect_loop",
    "too_many_redirects",
    "not_encrypted",
    "not_listed",
    "login",
    "forbidden",
    "gone",
    "server",
    "busy",
    "robots",
    "unreadable",
]

Network = IPv4Network | IPv6Network

# Public by the registries and yet no place of pages: addresses that carry another one inside (IANA IPv6
# special-purpose registry), and the address at which Azure answers its own machines.
_PUBLIC_V6 = IPv6Network("2000::/3")
_NOT_PAGES: tuple[Network, ...] = tuple(
    ip_network(text)
    for text in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2002::/16",  # 6to4
        "168.63.129.16/32",
        "192.0.0.0/24",  # protocol assignments; one cloud answers its own machines there
        "192.88.99.0/24",  # 6to4 relays
    )
)
_PRIVATE_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "localdomain", "arpa")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|\d+)\Z", re.IGNORECASE)
_NAME = re.compile(r"[a-z0-9_-]{1,63}\Z", re.IGNORECASE)


class FetchError(Exception):
    """A page that was not read, for a named reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


def user_agent() -> str:
    """Who asks, honestly."""
    return f"Smallprint/{program_version()} (reads benchmark claims in linked posts)"


@dataclass(frozen=True, kw_only=True)
class FetchPolicy:
    """The rules of a fetch.

    admitted: networks that may be asked although they are not public (tests, a site of one's own).
    plain: pages over http may be read too. total: seconds for everything, redirects included.
    most_bytes: of a page, unpacked. interval: seconds between two requests to a host. proxy: the
    way out, where the network has one; it then is the proxy that looks up and checks names.
    trusted: the certificates; None for those of the system. resolver: who looks up names.
    """

    admitted: tuple[Network, ...] = ()
    ports: frozenset[int] = frozenset((80, 443))
    plain: bool = False
    total: float = 10.0
    redirects: int = 3
    most_bytes: int = 5 * 2**20
    interval: float = 1.0
    proxy: str | None = None
    trusted: ssl.SSLContext | None = None
    resolver: AbstractResolver | None = None
    robots: bool = True

    def admits(self, address: str) -> bool:
        """Whether an address may be connected to: it is public, or in a network that is admitted."""
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if any(found.version == network.version and found in network for network in self.admitted):
            return True
        return is_public(found)

    def check_host(self, host: str) -> None:
        """Refuse a host that is no public name. Raises FetchError.

        A number in any spelling (2130706433, 0x7f.1, 0177.0.0.1) is an address to some resolver.
        """
        plain = host.strip("[]").rstrip(".")
        try:
            ip_address(plain.partition("%")[0])
        except ValueError:
            pass
        else:
            if not self.admits(plain):
                raise FetchError("private_address")
            if any(ip_address(plain.partition("%")[0]) in network for network in self.admitted):
                return
            raise FetchError("host")
        labels = plain.split(".")
        if _NUMBER.match(labels[-1]) or not all(_NAME.match(label) for label in labels):
            raise FetchError("host")
        if labels[-1].lower() in _PRIVATE_NAMES or len(labels) == 1:
            raise FetchError("private_address")


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address belongs to one machine of the public internet."""
    if any(address.version == network.version and address in network for network in _NOT_PAGES):
        return False
    if address.is_multicast or not address.is_global:
        return False
    # Mapped and translated addresses (::ffff:0:0/96, 64:ff9b::/96) lie outside of what is given out.
    return isinstance(address, IPv4Address) or address in _PUBLIC_V6
