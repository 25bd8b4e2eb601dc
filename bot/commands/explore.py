"""`explore`: the stored rows in a browser, read-only, for this machine unless told otherwise."""

from __future__ import annotations

import ipaddress
import socket
import sys
from importlib.util import find_spec
from urllib.parse import quote

from bot import answer
from bot.errors import UserError

EXTRA = "explore"


def run(host: str, port: int) -> None:
    """Serve until interrupted. Raises UserError where the extra is missing or the address cannot be had."""
    if find_spec("datasette") is None:
        raise UserError(f"explore needs Datasette, which is an extra: pip install 'smallprint[{EXTRA}]'")
    from bot.explore.site import Site
    from bot.settings import settings
    from knowledge.store import Store

    listening = bound(host, port)
    site = Site(Store.open(notify=answer.notify), early=settings().early, public_url=settings().public_url)
    try:
        serve(site, listening)
    finally:
        site.close()
        listening.close()


def serve(site: object, listening: socket.socket) -> None:
    """Answer requests on a socket until interrupted."""
    import uvicorn

    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"Rows at http://{quote(shown, safe='[]:.')}:{port}/ (read-only, stop with Ctrl-C)", flush=True)
    if not ipaddress.ip_address(host).is_loopback:
        print("smallprint: anyone who reaches this address can read the rows", file=sys.stderr)
    config = uvicorn.Config(site, log_level="warning", lifespan="off", server_header=False, access_log=False)  # type: ignore[arg-type]
    uvicorn.Server(config).run(sockets=[listening])


def bound(host: str, port: int) -> socket.socket:
    """A listening socket. Raises UserError with the reason where there is none to be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
            made.listen()
        except OSError:
            made.close()
            raise
    except OSError as error:
        raise UserError(f"cannot listen on {host} port {port}: {error.strerror}") from None
    return made
