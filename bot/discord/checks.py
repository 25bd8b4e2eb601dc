"""What keeps Discord from working as wanted, for `smallprint doctor`: it is asked, nothing is started."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord

from bot.discord.settings import DiscordSettings

PATIENCE = 10.0  # seconds for the one question
BAD_TOKEN = "Discord refuses SMALLPRINT_DISCORD_TOKEN: copy the bot's token anew"
CONTENT_OFF = (
    "SMALLPRINT_DISCORD_CONTENT asks for the message content intent, which is off for this bot: turn it on "
    "in the developer portal, or Discord refuses the connection (4014)"
)
LESS = (
    "without SMALLPRINT_DISCORD_CONTENT links in channels are not answered; mentions, commands, menus and "
    "direct messages are"
)


async def examine(settings: DiscordSettings, *, proxy: str | None = None) -> tuple[list[str], list[str]]:
    """What must be done, and what works less than it could though nothing is wrong, a line each."""
    found = await _application(settings, proxy)
    if isinstance(found, str):
        return [found], []
    if not settings.content:
        return [], [LESS]
    flags = discord.ApplicationFlags._from_value(int(found.get("flags") or 0))
    allowed = flags.gateway_message_content or flags.gateway_message_content_limited
    return [] if allowed else [CONTENT_OFF], []


async def _application(settings: DiscordSettings, proxy: str | None) -> dict[str, Any] | str:
    token = settings.token.get_secret_value() if settings.token else ""
    url, headers = f"{settings.api}/applications/@me", {"Authorization": f"Bot {token}"}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE)) as session,
            session.get(url, headers=headers, proxy=proxy) as answer,
        ):
            if answer.status == 401:
                return BAD_TOKEN
            if answer.status != 200:
                return f"Discord answered {answer.status} at {settings.api}: try again later"
            return dict(await answer.json())
    except (aiohttp.ClientError, OSError, TimeoutError, TypeError, ValueError) as error:
        return (
            f"Discord cannot be reached at {settings.api} ({type(error).__name__}): look at network and proxy"
        )
