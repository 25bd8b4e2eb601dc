"""Looking names up and connecting, with every address checked where the connection is made."""

from __future__ import annotations

import socket
from typing import Any

from aiohttp import TCPConnector, ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult

from bot.links.policy import FetchPolicy


class RefusedAddressError(OSError):
    """A connection to an address that is not public."""


class Guard(AbstractResolver):
    """Stands between a fetch and the network: of what a name resolves to nothing private is connected to.

    The addresses are checked twice: as a name's answer, and again as the address of the very socket
    that connects, which also covers hosts that are addresses and need no look-up. `refused` tells
    that one was not connected to.
    """

    def __init__(self, policy: FetchPolicy) -> None:
        self._policy = policy
        self._resolver = policy.resolver or ThreadedResolver()
        self.refused = False

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a name. Raises OSError where there are none, or one of them is private.

        A name with one private address among public ones is not half good: it is refused.
        """
        found = await self._resolver.resolve(host, port, family)
        for one in found:
            self.check(one["host"])
        return found

    def socket(self, info: tuple[Any, ...]) -> socket.socket:
        """The socket for one address. Raises RefusedAddressError."""
        family, kind, protocol, _, address = info
        self.check(str(address[0]))
        return socket.socket(family, kind, protocol)

    def check(self, address: str) -> None:
        """Raise RefusedAddressError for an address that must not be connected to."""
        if self._policy.proxy is None and not self._policy.admits(address):
            self.refused = True
            raise RefusedAddressError(f"{address} is not public")

    async def close(self) -> None:
        """The resolver of a policy is its owner's; there is nothing to close."""

    def connector(self) -> TCPConnector:
        """A connector of which every socket is checked; it keeps no name and no connection."""
        trusted: Any = self._policy.trusted if self._policy.trusted is not None else True
        return TCPConnector(
            resolver=self,
            socket_factory=self.socket,
            ssl=trusted,
            use_dns_cache=False,
            force_close=True,
            limit=4,
        )
