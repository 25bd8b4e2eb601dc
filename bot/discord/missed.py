"""What was said while we were away: Discord's gateway tells nothing again to a session that begins anew."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Iterator

import aiohttp
import discord
import structlog

log = structlog.get_logger(__name__)

WITHIN = 600.0  # seconds: a restart, an update; whoever asked longer ago has asked again or given up
MOST_CHANNELS = 100  # a request each, once a session
MOST_MESSAGES = 100  # of each; what one request gets (developers/resources/message.mdx)


async def missed(bot: discord.Client, now: float) -> AsyncIterator[discord.Message]:
    """The messages of the last minutes in all channels in which there are any, the oldest first of each.

    now: seconds since 1970. Most of them have been told already; the core knows those by their IDs. Direct
    conversations are not among them: Discord does not list those.
    """
    since = discord.Object(discord.utils.time_snowflake(dt.datetime.fromtimestamp(now - WITHIN, dt.UTC)))
    stirred = sorted(
        (one for one in readable(bot) if (one.last_message_id or 0) > since.id),
        key=lambda one: -(one.last_message_id or 0),
    )
    for channel in stirred[:MOST_CHANNELS]:
        try:
            async for message in channel.history(limit=MOST_MESSAGES, after=since, oldest_first=True):
                yield message
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            log.warning(
                "not_looked_back", platform="discord", channel=channel.id, reason=type(error).__name__
            )


def readable(bot: discord.Client) -> Iterator[discord.TextChannel | discord.Thread]:
    """The channels and threads in which we may look back."""
    for guild in bot.guilds:
        channels: list[discord.TextChannel | discord.Thread] = [*guild.text_channels, *guild.threads]
        for channel in channels:
            may = channel.permissions_for(guild.me) if guild.me is not None else discord.Permissions.none()
            if may.view_channel and may.read_message_history:
                yield channel
