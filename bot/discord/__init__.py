"""The Discord edge: the only place that imports the Discord library."""

from bot.discord.edge import DiscordEdge, connect
from bot.discord.settings import DiscordSettings, discord_settings

__all__ = ["DiscordEdge", "DiscordSettings", "connect", "discord_settings"]
