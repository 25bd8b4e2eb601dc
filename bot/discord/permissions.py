"""Which permissions an answer takes, and which of them a channel withholds."""

from __future__ import annotations

import discord

# What the invitation asks for (docs/discord.md says what each is for).
NEEDED = (
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "create_public_threads",
    "send_messages_in_threads",
)


def missing(have: discord.Permissions, *, thread: bool = False) -> list[str]:
    """The permissions that we need and do not have; in a thread its own one instead of the channel's."""
    left_out = {"send_messages", "create_public_threads"} if thread else set()
    return [name for name in NEEDED if name not in left_out and not getattr(have, name)]


def may_embed(channel: object) -> bool:
    """Whether Discord shows our embeds in a channel; True where that is not known."""
    have = _have(channel)
    return have is None or have.embed_links


def may_start_threads(channel: discord.TextChannel) -> bool:
    """Whether we may start a thread at a message of a channel and write into it."""
    have = _have(channel)
    return have is not None and have.create_public_threads and have.send_messages_in_threads


def _have(channel: object) -> discord.Permissions | None:
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread) or channel.guild.me is None:
        return None
    return channel.permissions_for(channel.guild.me)
