"""Where a row's page stands. Replies link to it, also where the site itself is not installed."""

from __future__ import annotations

DATABASE = "knowledge"
TABLE = "rows"

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def row_page(key: str) -> str | None:
    """The address of a row's page, None where SMALLPRINT_PUBLIC_URL does not say where the site stands."""
    from bot.settings import settings

    base = settings().public_url
    return f"{base}{row_path(key)}" if base else None


def row_path(key: str) -> str:
    """The path of a row's page below the site's address."""
    return f"/{DATABASE}/{TABLE}/{encoded(key)}"


def encoded(key: str) -> str:
    """A key as the site writes it into an address: a blank as +, other unusual bytes as ~ and two digits."""
    return "".join(
        chr(byte) if byte in _PLAIN else "+" if byte == 32 else f"~{byte:02X}" for byte in key.encode()
    )
