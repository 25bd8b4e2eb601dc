"""Replies and pages as Discord's messages: pure, without Discord's library."""

from bot.render.discord.message import Message, button, custom_id, details, fair, message, notice, page, why
from bot.render.discord.text import escaped, moment

__all__ = [
    "Message",
    "button",
    "custom_id",
    "details",
    "escaped",
    "fair",
    "message",
    "moment",
    "notice",
    "page",
    "why",
]
