"""What Discord refuses in a message: code 50035 with a path, 50006 for an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# developers/resources/message.mdx and developers/components/reference.mdx
EMBED = {"title": 256, "description": 4096}


def faults(body: dict[str, Any]) -> list[str]:
    """Where a message's body breaks a rule, as Discord's paths."""
    return list(_faults(body))


def empty(body: dict[str, Any], files: int) -> bool:
    """Whether there is nothing in a message."""
    return not (
        str(body.get("content") or "").strip() or body.get("embeds") or files or body.get("sticker_ids")
    )


def units(text: object) -> int:
    """A length in UTF-16 units."""
    return len(str(text or "").encode("utf-16-le")) // 2


def _faults(body: dict[str, Any]) -> Iterator[str]:
    if units(body.get("content")) > 2000:
        yield "content"
    if len(str(body.get("nonce") or "")) > 25:
        yield "nonce"
    embeds = body.get("embeds") or []
    if len(embeds) > 10:
        yield "embeds"
    total = 0
    for n, embed in enumerate(embeds):
        for name, most in EMBED.items():
            total += units(embed.get(name))
            if units(embed.get(name)) > most:
                yield f"embeds.{n}.{name}"
        foot = units((embed.get("footer") or {}).get("text"))
        total += foot
        if foot > 2048:
            yield f"embeds.{n}.footer.text"
    if total > 6000:
        yield "embeds (6000 together)"
    for n, attachment in enumerate(body.get("attachments") or []):
        if units(attachment.get("description")) > 1024:
            yield f"attachments.{n}.description"
    yield from _components(body.get("components") or [])


def _components(rows: list[dict[str, Any]]) -> Iterator[str]:
    if len(rows) > 5:
        yield "components"
    ids: set[str] = set()
    for n, row in enumerate(rows):
        items = row.get("components") or []
        if not 1 <= len(items) <= 5 or (len(items) > 1 and any(item["type"] == 3 for item in items)):
            yield f"components.{n}"
        for m, item in enumerate(items):
            where = f"components.{n}.components.{m}"
            identifier = str(item.get("custom_id") or "")
            if not 1 <= len(identifier) <= 100 or identifier in ids:
                yield f"{where}.custom_id"
            ids.add(identifier)
            if item["type"] == 2 and not 1 <= units(item.get("label")) <= 80:
                yield f"{where}.label"
            if item["type"] == 3 and not 1 <= len(item.get("options") or []) <= 25:
                yield f"{where}.options"
