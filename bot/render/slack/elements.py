"""The pieces that Slack messages are made of. No markup is ever written: every text is literal.

Words come as rich text or plain text, in which Slack reads no `<!channel>`, no `<@U…>` and no
`*`; only the notification's line is mrkdwn, and `escaped` covers that. Characters that hide or
turn text round are taken out of all of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.render import literal
from bot.render.literal import HIDDEN
from bot.render.slack import limits
from bot.render.slack.limits import Block
from bot.telling.naming import cut

Element = dict[str, Any]

_PART_OF_ENTITY = re.compile(r"&[a-z]{0,3}$")


def clean(text: object, most: int = limits.TEXT) -> str:
    """Text fit to show: nothing hidden in it, no longer than `most`."""
    return cut(HIDDEN.sub(" ", str(text)).strip(), most)


def escaped(text: object, most: int = limits.MESSAGE_TEXT) -> str:
    """Text for a mrkdwn field: nothing in it pings, links or formats (docs.slack.dev, formatting)."""
    shown = clean(text, most).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if len(shown) <= most:
        return shown
    # Cut after escaping, and never in the middle of an entity.
    return _PART_OF_ENTITY.sub("", shown[: most - 1]) + "…"


def address(url: str | None) -> str | None:
    """A web address that can be linked, None for anything else."""
    return literal.address(url, safe="%/:?#[]@!$&'()*+,;=~-._", most=limits.URL)


def words(text: object, *, bold: bool = False, italic: bool = False, most: int = limits.TEXT) -> Element:
    """A run of literal words."""
    style = {name: True for name, wanted in (("bold", bold), ("italic", italic)) if wanted}
    shown = clean(text, most) or " "
    return {"type": "text", "text": shown, **({"style": style} if style else {})}


def glue(text: str) -> Element:
    """What stands between two runs: blanks, a comma, a line's end."""
    return {"type": "text", "text": text}


def linked(label: str, url: str | None) -> Element:
    """A link, or only its words where the address is none."""
    target = address(url)
    if target is None:
        return words(label, most=limits.BUTTON_LABEL * 2)
    return {"type": "link", "url": target, "text": clean(label, limits.BUTTON_LABEL * 2) or target}


def date(at: float, fallback: str) -> Element:
    """A moment, which Slack shows in each reader's own zone. `at`: seconds since 1970."""
    return {
        "type": "date",
        "timestamp": int(at),
        "format": "{date_short_pretty} {time}",
        "fallback": clean(fallback, 100) or str(int(at)),
    }


def rich(*lines: Sequence[Element]) -> Block:
    """Lines of rich text, each a list of runs. At least one line has to hold something."""
    runs: list[Element] = []
    for line in lines:
        runs += [*([glue("\n")] if runs and line else []), *line]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": runs}]}


def copyable(text: str) -> Block:
    """Text to be copied as it stands."""
    inner = {"type": "rich_text_preformatted", "elements": [words(text)]}
    return {"type": "rich_text", "elements": [inner]}


def plain(text: object, most: int = limits.TEXT) -> Element:
    """A text object without markup."""
    return {"type": "plain_text", "text": clean(text, most) or " ", "emoji": False}


def small(*texts: str) -> Block:
    """A few lines in small, legible type."""
    return {"type": "context", "elements": [plain(text) for text in texts][: limits.CONTEXT_ELEMENTS]}


def title(text: str) -> Block:
    """A heading."""
    return {"type": "header", "text": plain(text, limits.HEADER)}


def button(label: str, action: str, value: str, **other: Any) -> Element:
    """A button; `value` is a reply's ID."""
    return {
        "type": "button",
        "text": plain(label, limits.BUTTON_LABEL),
        "action_id": action,
        "value": value,
        **other,
    }


def row_of(*elements: Element, block_id: str | None = None) -> Block:
    """Buttons and menus side by side."""
    found: Block = {"type": "actions", "elements": list(elements)}
    return {**found, "block_id": block_id} if block_id else found


def option(label: str, value: str) -> Element:
    """One line of a menu."""
    return {"text": plain(label, limits.OPTION_LABEL), "value": value}


def select(action: str, placeholder: str, options: Sequence[Element]) -> Element:
    """A menu with one choice."""
    return {
        "type": "static_select",
        "action_id": action,
        "placeholder": plain(placeholder, limits.PLACEHOLDER),
        "options": list(options),
    }
