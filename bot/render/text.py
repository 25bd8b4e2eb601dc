"""A Reply as plain text."""

from __future__ import annotations

from bot.reply import Reply


def render(reply: Reply) -> str:
    return "\n".join(reply.lines)
