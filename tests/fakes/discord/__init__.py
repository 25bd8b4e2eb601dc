"""A loopback Discord: REST API and gateway over sockets, with people who use it."""

from tests.fakes.discord.server import Discord
from tests.fakes.discord.world import Channel, Failure, Guild, Message, User

__all__ = ["Channel", "Discord", "Failure", "Guild", "Message", "User"]
