"""Who and what there is in the fake Discord, and how Discord writes it as JSON."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.discord import limits

Json = dict[str, Any]

EPOCH = 1_420_070_400_000  # milliseconds, reference.mdx
TEXT, DM, PUBLIC_THREAD = 0, 1, 11
MANY = 100  # members of a guild

# The bits of topics/permissions.mdx that the fake checks, of the bot.
BITS = {
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "create_public_threads": 1 << 35,
    "send_messages_in_threads": 1 << 38,
}
EVERYTHING = sum(BITS.values())
MANAGE_CHANNELS, MANAGE_GUILD, MANAGE_MESSAGES = 1 << 4, 1 << 5, 1 << 13
OF_ADMINS = MANAGE_CHANNELS | MANAGE_GUILD | MANAGE_MESSAGES

MENTION = re.compile(r"<@!?(\d{1,20})>")
ROLE = re.compile(r"<@&\d{1,20}>")
EVERYONE = re.compile(r"@(?:everyone|here)\b")


@dataclass(eq=False)
class Account:
    """A person or a bot. admin: manages every guild and its channels."""

    id: str
    name: str
    bot: bool = False
    locale: str = "en-US"
    admin: bool = False

    @property
    def mention(self) -> str:
        """What mentions somebody in a text."""
        return f"<@{self.id}>"

    @property
    def permissions(self) -> int:
        """What somebody may do in a guild."""
        return EVERYTHING | (OF_ADMINS if self.admin else 0)

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

    def member(self) -> Json:
        """As a member of a guild."""
        found: Json = {"user": self.json(), "roles": [], "joined_at": moment(self.id), "deaf": False}
        return {**found, "mute": False, "flags": 0, "nick": None, "avatar": None}


@dataclass(eq=False)
class Message:
    """A message; `raw` holds the body that the bot sent, `only_for` who sees an ephemeral one."""

    id: str
    channel: str
    author: Account
    content: str
    mentions: list[Account] = field(default_factory=list)
    reference: Message | None = None
    edited: str | None = None
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    files: list[tuple[str, bytes]] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    raw: Json = field(default_factory=dict)
    only_for: Account | None = None
    interaction: Json | None = None

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return bool(self.flags & limits.EPHEMERAL)

    @property
    def quiet(self) -> bool:
        """Whether it makes nobody's device ring."""
        return bool(self.flags & limits.SILENT)

    @property
    def text(self) -> str:
        """All that a reader sees of it, top to bottom."""
        parts = [self.content]
        for embed in self.embeds:
            parts += [str(embed.get(key) or "") for key in ("title", "description")]
            for one in embed.get("fields") or []:
                parts += [one["name"], one["value"]]
            parts.append((embed.get("footer") or {}).get("text") or "")
        return "\n".join(part for part in parts if part)

    @property
    def pings(self) -> list[str]:
        """Whom it makes ring, as written; allowed_mentions hold, the default is everybody."""
        allowed = self.raw.get("allowed_mentions") or {"parse": ["users", "roles", "everyone"]}
        parse = allowed.get("parse") or []
        users = allowed.get("users") or []
        found = [
            match[0] for match in MENTION.finditer(self.content) if "users" in parse or match[1] in users
        ]
        found += [match[0] for match in ROLE.finditer(self.content) if "roles" in parse]
        found += [match[0] for match in EVERYONE.finditer(self.content) if "everyone" in parse]
        if self.reference is not None and allowed.get("replied_user", "allowed_mentions" not in self.raw):
            found.append(self.reference.author.mention)
        return found

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
            "type": 20 if self.interaction else 19 if self.reference else 0,
            "flags": self.flags,
        }
        if guild is not None:
            found["guild_id"] = guild
            found["member"] = {k: v for k, v in self.author.member().items() if k != "user"}
        if self.interaction is not None:
            found["interaction_metadata"] = self.interaction
            found["application_id"] = self.author.id
        if self.reference is not None:
            found["message_reference"] = {
                "message_id": self.reference.id,
                "channel_id": self.reference.channel,
                **({"guild_id": guild} if guild is not None else {}),
            }
            found["referenced_message"] = self.reference.json(guild, depth=0) if depth else None
        if self.nonce is not None:
            found["nonce"] = self.nonce
        return found


@dataclass(eq=False)
class Channel:
    """A channel, a thread or a direct conversation; `denied` names what the bot may not do in it."""

    id: str
    name: str
    guild: Guild | None = None
    type: int = TEXT
    parent: Channel | None = None
    recipient: Account | None = None
    owner: Account | None = None
    archive: int = 1440
    denied: set[str] = field(default_factory=set)
    messages: dict[str, Message] = field(default_factory=dict)

    @property
    def guild_id(self) -> str | None:
        """The guild's ID, where there is one."""
        return self.guild.id if self.guild else None

    def lacks(self, permission: str) -> bool:
        """Whether the bot may not do something here; a thread inherits."""
        return permission in (self.parent or self).denied

    def bits(self) -> int:
        """What the bot may do here."""
        return EVERYTHING - sum(BITS[name] for name in (self.parent or self).denied)

    def json(self) -> Json:
        """As Discord writes it."""
        found: Json = {
            "id": self.id,
            "type": self.type,
            "last_message_id": next(reversed(self.messages), None),
        }
        if self.recipient is not None:
            return {**found, "recipients": [self.recipient.json()]}
        assert self.guild is not None
        found |= {"guild_id": self.guild.id, "name": self.name, "position": 0, "nsfw": False, "topic": None}
        found["rate_limit_per_user"] = 0
        if self.parent is not None:
            return {
                **found,
                "parent_id": self.parent.id,
                "owner_id": (self.owner or self.guild.owner).id,
                "message_count": len(self.messages),
                "member_count": 1,
                "thread_metadata": {
                    "archived": False,
                    "auto_archive_duration": self.archive,
                    "archive_timestamp": moment(self.id),
                    "locked": False,
                },
            }
        deny = sum(BITS[name] for name in self.denied)
        overwrites = [{"id": self.guild.id, "type": 0, "allow": "0", "deny": str(deny)}] if deny else []
        return {**found, "permission_overwrites": overwrites, "parent_id": None}


# What a guild has of things that no test looks at.
PLAIN_GUILD: Json = {
    "member_count": MANY,
    "large": False,
    "unavailable": False,
    **dict.fromkeys(
        (
            "emojis",
            "stickers",
            "features",
            "voice_states",
            "presences",
            "stage_instances",
            "guild_scheduled_events",
            "soundboard_sounds",
        ),
        (),
    ),
    **dict.fromkeys(
        (
            "verification_level",
            "default_message_notifications",
            "explicit_content_filter",
            "mfa_level",
            "nsfw_level",
            "premium_tier",
            "system_channel_flags",
        ),
        0,
    ),
    **dict.fromkeys(
        (
            "system_channel_id",
            "rules_channel_id",
            "public_updates_channel_id",
            "afk_channel_id",
            "vanity_url_code",
            "description",
            "banner",
            "icon",
            "splash",
            "discovery_splash",
            "application_id",
        )
    ),
    "premium_progress_bar_enabled": False,
    "afk_timeout": 300,
}


@dataclass(eq=False)
class Guild:
    """A server with its channels. bot: whether the bot is in it, and not only on people's accounts."""

    id: str
    name: str
    owner: Account
    locale: str = "en-US"
    bot: bool = True
    channels: dict[str, Channel] = field(default_factory=dict)

    def json(self, me: Account) -> Json:
        """As GUILD_CREATE tells it."""
        role: Json = {"id": self.id, "name": "@everyone", "permissions": str(EVERYTHING), "position": 0}
        role |= {"color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0}
        channels = list(self.channels.values())
        return {
            **PLAIN_GUILD,
            "id": self.id,
            "name": self.name,
            "owner_id": self.owner.id,
            "preferred_locale": self.locale,
            "joined_at": moment(self.id),
            "roles": [role],
            "channels": [one.json() for one in channels if one.parent is None],
            "threads": [one.json() for one in channels if one.parent is not None],
            "members": [me.member()],
        }


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
