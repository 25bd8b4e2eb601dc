"""Who and what there is in the fake Discord, and how Discord writes it as JSON."""

from __future__ import annotations

import datetime as dt
import itertools
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

EPOCH = 1_420_070_400_000  # milliseconds, developers/reference.mdx
TEXT, DM, PUBLIC_THREAD = 0, 1, 11

# Bits of developers/topics/permissions.mdx that the fake checks.
BITS = {
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "create_public_threads": 1 << 35,
    "send_messages_in_threads": 1 << 38,
}
EVERYTHING = sum(BITS.values())
MANAGE_GUILD = 1 << 5


@dataclass
class User:
    """A person or a bot."""

    id: str
    name: str
    bot: bool = False
    locale: str = "en-US"
    admin: bool = False

    def json(self) -> Json:
        """As Discord writes it."""
        return {
            "id": self.id,
            "username": self.name,
            "discriminator": "0",
            "global_name": self.name,
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
        }


@dataclass
class Message:
    """A message; `raw` holds what the bot sent beside its content."""

    id: str
    channel: str
    author: User
    content: str
    mentions: list[User] = field(default_factory=list)
    reference: Message | None = None
    edited: str | None = None
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    raw: Json = field(default_factory=dict)

    def json(self, guild: str | None, *, depth: int = 1) -> Json:
        """As Discord writes it."""
        found: Json = {
            "id": self.id,
            "channel_id": self.channel,
            "author": self.author.json(),
            "content": self.content,
            "timestamp": moment(self.id),
            "edited_timestamp": self.edited,
            "tts": False,
            "mention_everyone": False,
            "mentions": [user.json() for user in self.mentions],
            "mention_roles": [],
            "attachments": self.attachments,
            "embeds": self.embeds,
            "components": self.components,
            "pinned": False,
            "type": 19 if self.reference else 0,
            "flags": self.flags,
        }
        if guild is not None:
            found["guild_id"] = guild
            found["member"] = {
                "roles": [],
                "joined_at": moment(self.author.id),
                "deaf": False,
                "mute": False,
                "flags": 0,
            }
        if self.reference is not None:
            found["message_reference"] = {
                "message_id": self.reference.id,
                "channel_id": self.reference.channel,
            }
            if guild is not None:
                found["message_reference"]["guild_id"] = guild
            found["referenced_message"] = self.reference.json(guild, depth=0) if depth else None
        if self.nonce is not None:
            found["nonce"] = self.nonce
        return found


@dataclass
class Channel:
    """A channel, a thread or a direct conversation; `denied` names what the bot may not do in it."""

    id: str
    name: str
    guild: Guild | None = None
    type: int = TEXT
    parent: Channel | None = None
    recipient: User | None = None
    denied: set[str] = field(default_factory=set)
    messages: dict[str, Message] = field(default_factory=dict)
    nonces: dict[str, str] = field(default_factory=dict)

    def lacks(self, permission: str) -> bool:
        """Whether the bot may not do something here; a thread inherits."""
        return permission in (self.parent or self).denied

    def json(self) -> Json:
        """As Discord writes it."""
        found: Json = {"id": self.id, "type": self.type}
        if self.recipient is not None:
            return {**found, "recipients": [self.recipient.json()], "last_message_id": None}
        assert self.guild is not None
        found |= {"guild_id": self.guild.id, "name": self.name, "position": 0, "nsfw": False, "topic": None}
        if self.parent is not None:
            return {
                **found,
                "parent_id": self.parent.id,
                "owner_id": self.guild.owner.id,
                "message_count": 0,
                "member_count": 1,
                "rate_limit_per_user": 0,
                "thread_metadata": {
                    "archived": False,
                    "auto_archive_duration": 1440,
                    "archive_timestamp": moment(self.id),
                    "locked": False,
                },
            }
        deny = sum(BITS[name] for name in self.denied)
        overwrites = [{"id": self.guild.id, "type": 0, "allow": "0", "deny": str(deny)}] if deny else []
        return {**found, "permission_overwrites": overwrites, "parent_id": None, "rate_limit_per_user": 0}


# What a server tells beside, in which no test has an interest.
UNUSED: Json = {
    "emojis": [],
    "stickers": [],
    "features": [],
    "voice_states": [],
    "presences": [],
    "stage_instances": [],
    "guild_scheduled_events": [],
    "soundboard_sounds": [],
    "verification_level": 0,
    "default_message_notifications": 0,
    "explicit_content_filter": 0,
    "mfa_level": 0,
    "nsfw_level": 0,
    "premium_tier": 0,
    "premium_progress_bar_enabled": False,
    "system_channel_id": None,
    "system_channel_flags": 0,
    "rules_channel_id": None,
    "public_updates_channel_id": None,
    "afk_channel_id": None,
    "afk_timeout": 300,
    "vanity_url_code": None,
    "description": None,
    "banner": None,
    "icon": None,
    "splash": None,
    "discovery_splash": None,
    "application_id": None,
}


@dataclass
class Guild:
    """A server with its channels."""

    id: str
    name: str
    owner: User
    locale: str = "en-US"
    channels: dict[str, Channel] = field(default_factory=dict)

    def json(self, me: User) -> Json:
        """As GUILD_CREATE tells it."""
        role = {
            "id": self.id,
            "name": "@everyone",
            "permissions": str(EVERYTHING),
            "position": 0,
            "color": 0,
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }
        member = {
            "user": me.json(),
            "roles": [],
            "joined_at": moment(self.id),
            "deaf": False,
            "mute": False,
            "flags": 0,
        }
        plain = [one.json() for one in self.channels.values() if one.parent is None]
        threads = [one.json() for one in self.channels.values() if one.parent is not None]
        return {
            "id": self.id,
            "name": self.name,
            "owner_id": self.owner.id,
            "preferred_locale": self.locale,
            "roles": [role],
            "channels": plain,
            "threads": threads,
            "members": [member],
            "member_count": 3,
            "large": False,
            "unavailable": False,
            **UNUSED,
        }


@dataclass
class Failure:
    """What goes wrong with the next requests whose path holds `path`.

    kind: "429" (with `after` seconds), "status" (an HTML error page of `status`), "lost" (carried out, but
    the answer never arrives).
    """

    kind: str
    path: str = "/messages"
    method: str = "POST"
    times: int = 1
    after: float = 0.2
    status: int = 502


_COUNT = itertools.count(1)


def snowflake() -> str:
    """A new ID that holds the time."""
    now = int(dt.datetime.now(dt.UTC).timestamp() * 1000) - EPOCH
    return str((now << 22) | (next(_COUNT) & 0x3FFFFF))


def moment(identifier: str | None = None) -> str:
    """A time as Discord writes it: that of an ID, else now."""
    now = dt.datetime.now(dt.UTC)
    if identifier is not None:
        now = dt.datetime.fromtimestamp(((int(identifier) >> 22) + EPOCH) / 1000, dt.UTC)
    return now.isoformat()
