"""Discord's limits, each once and with its source, and a reader that says where a message breaks them.

Sources: (M) discord/discord-api-docs, developers/resources/message.mdx; (C) its
developers/components/reference.mdx. Lengths are characters as Discord counts them: units of UTF-16.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Embed = dict[str, Any]
Row = dict[str, Any]

CONTENT = 2_000  # M
EMBEDS = 10  # M
TOGETHER = 6_000  # M, title, description, field names and values, footer and author of all embeds
DESCRIPTION = 4_096  # M
FOOTER = 2_048  # M
ALT_TEXT = 1_024  # M, description of an attachment
NONCE = 25  # M
ROWS = 5  # C, action rows of a message
ROW_BUTTONS = 5  # C
BUTTON_LABEL = 80  # C
CUSTOM_ID = 100  # C
OPTIONS = 25  # C
OPTION_LABEL = 100  # C
OPTION_VALUE = 100  # C
PLACEHOLDER = 150  # C
LABEL = 45  # C, of a modal's field, and of the modal itself
LABEL_HINT = 100  # C, the description below such a label
MODAL_FIELDS = 5  # C
TEXT_INPUT = 4_000  # C
THREAD_NAME = 100  # developers/resources/channel.mdx


def length(text: str) -> int:
    """A text's length as Discord counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def size(embeds: Sequence[Embed]) -> int:
    """The characters that count towards `TOGETHER`."""
    return sum(
        length(embed.get("title", ""))
        + length(embed.get("description", ""))
        + length(embed.get("footer", {}).get("text", ""))
        for embed in embeds
    )


def faults(content: str, embeds: Sequence[Embed], rows: Sequence[Row]) -> list[str]:
    """Where a message breaks a limit, in words; empty where it keeps them all."""
    found = []
    if not content and not embeds:
        found.append("empty")
    if length(content) > CONTENT:
        found.append(f"content of {length(content)}")
    if len(embeds) > EMBEDS or size(embeds) > TOGETHER:
        found.append(f"{len(embeds)} embeds with {size(embeds)} characters")
    for embed in embeds:
        if length(embed.get("description", "")) > DESCRIPTION:
            found.append(f"description of {length(embed['description'])}")
        if length(embed.get("footer", {}).get("text", "")) > FOOTER:
            found.append(f"footer of {length(embed['footer']['text'])}")
    if len(rows) > ROWS:
        found.append(f"{len(rows)} rows")
    for row in rows:
        found += _row_faults(row["components"])
    ids = [item["custom_id"] for row in rows for item in row["components"]]
    return [*found, *(["a custom_id twice"] if len(ids) != len(set(ids)) else [])]


def _row_faults(items: Sequence[dict[str, Any]]) -> Iterator[str]:
    if not 1 <= len(items) <= ROW_BUTTONS:
        yield f"row of {len(items)}"
    for item in items:
        if not 1 <= len(item["custom_id"]) <= CUSTOM_ID:
            yield f"custom_id of {len(item['custom_id'])}"
        if length(item.get("label", "")) > BUTTON_LABEL:
            yield "button label too long"
        if length(item.get("placeholder", "")) > PLACEHOLDER:
            yield "placeholder too long"
        options = item.get("options", ())
        if len(options) > OPTIONS or (item["type"] == 3 and not options):
            yield f"{len(options)} options"
        if any(
            not 1 <= length(one["label"]) <= OPTION_LABEL or not 1 <= len(one["value"]) <= OPTION_VALUE
            for one in options
        ):
            yield "option empty or too long"
        if len({one["value"] for one in options}) != len(options):
            yield "an option twice"
