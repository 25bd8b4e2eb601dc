"""What a Slack holds: workspaces, people, channels, messages, installations, views, files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

ChannelKind = Literal["public", "private", "im", "mpim"]

# What each kind is called in events (`channel_type`), and the prefix of its scopes and message events.
CHANNEL_TYPE: dict[ChannelKind, str] = {"public": "channel", "private": "group", "im": "im", "mpim": "mpim"}
SCOPE_PREFIX: dict[ChannelKind, str] = {
    "public": "channels",
    "private": "groups",
    "im": "im",
    "mpim": "mpim",
}


class ScenarioError(AssertionError):
    """A test asks for something that a person could not do in Slack (press a button that is not there)."""


@dataclass
class Enterprise:
    """An Enterprise Grid organisation."""

    id: str
    name: str


@dataclass
class Team:
    """A workspace's record."""

    id: str
    name: str
    domain: str
    enterprise: Enterprise | None = None


@dataclass
class Member:
    """A person or a bot user."""

    id: str
    name: str
    team: Team
    locale: str = "en-US"
    tz: str = "Europe/Berlin"
    is_bot: bool = False
    is_admin: bool = False


@dataclass
class Installation:
    """The app in a workspace, or in a whole organisation (`team` is then None).

    state: "ok", or the error that the token is answered with.
    """

    token: str
    bot: Member
    bot_id: str
    scopes: frozenset[str]
    team: Team | None
    enterprise: Enterprise | None = None
    state: str = "ok"
    refresh_token: str = ""
    installer: str = ""

    @property
    def org_wide(self) -> bool:
        """Whether the organisation installed the app for all its workspaces."""
        return self.team is None


@dataclass
class Message:
    """A message of a channel, or one that only one person sees (`only_for`)."""

    ts: str
    channel: Channel
    user: str
    team: str
    text: str
    blocks: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    thread_ts: str | None = None
    metadata: dict[str, Any] | None = None
    subtype: str | None = None
    bot_id: str | None = None
    app_id: str | None = None
    edited: dict[str, str] | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)
    files: list[dict[str, Any]] = field(default_factory=list)
    unfurls: dict[str, Any] = field(default_factory=dict)
    only_for: str | None = None
    deleted: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    edits: int = 0

    @property
    def root(self) -> str:
        """The ts of the thread that an answer to this message belongs in."""
        return self.thread_ts or self.ts

    @property
    def by_app(self) -> bool:
        """Whether the app under test wrote it."""
        return self.app_id is not None

    def wire(self, *, metadata: bool = False) -> dict[str, Any]:
        """The message as Slack's events and methods carry it."""
        replies = [] if self.only_for else self.channel.replies(self.ts)
        optional = {
            "subtype": self.subtype,
            "bot_id": self.bot_id,
            "app_id": self.app_id,
            "blocks": self.blocks,
            "attachments": self.attachments,
            "thread_ts": self.thread_ts or (self.ts if replies else None),
            "edited": self.edited,
            "reactions": [
                {"name": name, "users": list(users), "count": len(users)}
                for name, users in self.reactions.items()
            ],
            "files": self.files,
            "metadata": self.metadata if metadata else None,
        }
        wire: dict[str, Any] = {
            "type": "message",
            "ts": self.ts,
            "user": self.user,
            "team": self.team,
            "text": self.text,
        }
        wire |= {key: value for key, value in optional.items() if value}
        if self.channel.external:
            wire |= {"user_team": self.team, "source_team": self.team}
        if replies:
            wire |= {"reply_count": len(replies), "latest_reply": replies[-1].ts}
        if self.thread_ts and self.thread_ts != self.ts:
            parent = self.channel.messages.get(self.thread_ts)
            wire["parent_user_id"] = parent.user if parent else "USLACKBOT"
        return wire


@dataclass
class Channel:
    """A conversation. `messages` are kept by ts, in the order they were written."""

    id: str
    name: str
    kind: ChannelKind
    team: Team
    creator: str = ""
    members: set[str] = field(default_factory=set)
    messages: dict[str, Message] = field(default_factory=dict)
    archived: bool = False
    restricted: bool = False
    shared_with: list[Team] = field(default_factory=list)

    @property
    def external(self) -> bool:
        """Whether another organisation shares it."""
        return bool(self.shared_with)

    def replies(self, ts: str) -> list[Message]:
        """The answers in the thread of the message `ts`, oldest first."""
        return [one for one in self.messages.values() if one.thread_ts == ts and one.ts != ts]

    def wire(self, me: str) -> dict[str, Any]:
        """The channel as conversations.info gives it to the bot user `me`."""
        return {
            "id": self.id,
            "name": self.name,
            "is_channel": self.kind == "public",
            "is_group": self.kind == "private",
            "is_im": self.kind == "im",
            "is_mpim": self.kind == "mpim",
            "is_private": self.kind != "public",
            "is_archived": self.archived,
            "is_member": me in self.members,
            "is_shared": self.external,
            "is_ext_shared": self.external,
            "is_org_shared": False,
            "is_general": False,
            "creator": self.creator,
            "context_team_id": self.team.id,
            "shared_team_ids": [self.team.id, *(team.id for team in self.shared_with)],
            **({"user": next(iter(self.members - {me}), "")} if self.kind == "im" else {}),
        }


@dataclass
class View:
    """A modal or the Home tab of a person."""

    id: str
    user: Member
    content: dict[str, Any]
    installation: Installation
    hash: str
    root: str
    previous: str | None = None
    values: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """The blocks that it shows."""
        found: list[dict[str, Any]] = self.content["blocks"]
        return found

    def wire(self, app_id: str) -> dict[str, Any]:
        """The view as Slack's payloads and methods carry it."""
        team = self.installation.team
        return {
            "id": self.id,
            "team_id": self.user.team.id,
            "app_id": app_id,
            "app_installed_team_id": team.id if team else self.user.team.id,
            "bot_id": self.installation.bot_id,
            "private_metadata": "",
            "callback_id": "",
            "external_id": "",
            "title": None,
            "submit": None,
            "close": None,
            "clear_on_close": False,
            "notify_on_close": False,
            **self.content,
            "hash": self.hash,
            "state": {"values": self.values},
            "root_view_id": self.root,
            "previous_view_id": self.previous,
        }


@dataclass
class File:
    """An uploaded file. `content` is None until it was uploaded; it is shared once it was completed."""

    id: str
    name: str
    length: int
    alt_text: str = ""
    title: str = ""
    content: bytes | None = None
    complete: bool = False
