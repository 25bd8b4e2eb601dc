"""What every chat platform's rendering needs to show text from outside as it stands."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

# Control characters but the line's end, and what hides, joins or turns round the text after it.
HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]+"
)


def address(url: str | None, *, safe: str, most: int) -> str | None:
    """A web address that can be linked, None for anything else.

    safe: the characters that stay as they are; what could end the platform's link is not among them.
    most: characters, escapes counted.
    """
    if not url or HIDDEN.search(url):
        return None
    try:
        parts = urlsplit(url)
        web = parts.scheme in ("https", "http") and bool(parts.hostname)
    except ValueError:
        return None
    found = quote(url, safe=safe)
    return found if web and len(found) <= most else None
