"""Text that Discord shows as it stands: nothing in it formats, links, mentions or leaves its code block."""

from __future__ import annotations

import re

from bot.render import literal
from bot.render.discord.limits import length
from bot.render.literal import HIDDEN
from bot.telling.naming import cut

_MARKUP = re.compile(r"([\\*_~`|<>\[\]])")
# What means something at the start of a line only: heading, small print, list, numbered list.
_LINE_START = re.compile(r"^([ ]*)([#+-]|\d{1,9}(?=[.)]))", re.MULTILINE)
# Discord looks for mentions in the text as sent, behind a backslash too: only a blank of no width stops it.
_AT = re.compile("@")
# Addresses become links, and links previews, without any markup.
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=discord)(?=\.(?:gg|com|app)\b)", re.IGNORECASE)
NOTHING = "\u200b"
ADDRESS = 512  # our own limit for a link: longer ones would eat the room of the text


def clean(text: object, most: int) -> str:
    """Text fit to show: nothing hidden in it, no longer than `most`."""
    # Far more than is shown need not be looked at; what hides in it becomes a blank.
    shown = cut(HIDDEN.sub(" ", str(text)[: most * 4 + 4]).strip(), most)
    while length(shown) > most:
        shown = shown[: len(shown) - max(1, (length(shown) - most) // 2)]
    return shown


def escaped(text: object, most: int = 1_500) -> str:
    """Literal text for a message or an embed, at most `most` characters with all its escapes."""
    shown = _escape(clean(text, most))
    room = most
    while length(shown) > most:
        room -= max(1, (length(shown) - most) // 2)
        shown = _escape(clean(text, room))
    return shown


def _escape(text: str) -> str:
    text = _MARKUP.sub(r"\\\1", text)
    text = _LINE_START.sub(_start, text)
    return _ADDRESS.sub(NOTHING, _AT.sub(f"@{NOTHING}", text))


def _start(match: re.Match[str]) -> str:
    blanks, sign = match.groups()
    # A digit cannot be escaped, the sign behind it can; the lookahead leaves it in place.
    return f"{blanks}{sign}{NOTHING}" if sign.isdigit() else f"{blanks}\\{sign}"


def bold(text: str, most: int = 300) -> str:
    """Literal text in bold."""
    shown = escaped(text, most)
    return f"**{shown}**" if shown else ""


def code(text: str) -> str:
    """Text inside of a code block, which it cannot end; the lines of a table."""
    return _AT.sub(f"@{NOTHING}", HIDDEN.sub(" ", text)).replace("`", "'")


def linked(label: str, url: str | None, most: int = 120) -> str:
    """A link, or only its words where the address is none that can be linked."""
    words, target = escaped(label, most), address(url)
    return f"[{words}]({target})" if target and words else words


def address(url: str | None) -> str | None:
    """A web address that cannot end its link, None for anything else."""
    return literal.address(url, safe="%/:?#@!$&'*+,;=~-._", most=ADDRESS)


def moment(at: float, style: str = "f") -> str:
    """A moment, which Discord shows in each reader's own zone. `at`: seconds since 1970; d: the day alone."""
    return f"<t:{int(at)}:{style}>"
