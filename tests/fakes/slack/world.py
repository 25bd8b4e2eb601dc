"""The content of the fake Slack, and where its IDs, times and tokens come from."""

from __future__ import annotations

import itertools
import secrets
import time
from dataclasses import dataclass, field

from tests.fakes.slack.model import (
    Channel,
    ChannelKind,
    Enterprise,
    File,
    Installation,
    Member,
    Message,
    ScenarioError,
    Team,
    View,
)

CHANNEL_PREFIX: dict[ChannelKind, str] = {"public": "C", "private": "G", "im": "D", "mpim": "G"}


@dataclass
class World:
    """Everything that exists, by its ID. `written` keeps every message ever, deleted ones too."""

    enterprises: dict[str, Enterprise] = field(default_factory=dict)
    teams: dict[str, Team] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    installations: dict[str, Installation] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    modals: dict[str, list[View]] = field(default_factory=dict)
    homes: dict[tuple[str, str], View] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    written: list[Message] = field(default_factory=list)
    ephemerals: dict[str, list[Message]] = field(default_factory=dict)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _last: int = 0

    def id(self, prefix: str) -> str:
        """A new ID, in Slack's form: a letter or two and nine characters."""
        return f"{prefix}{next(self._numbers):09d}"

    def ts(self) -> str:
        """A new message time, later than all before: seconds since 1970 with six decimals."""
        self._last = max(self._last + 1, time.time_ns() // 1000)
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"

    def channel(self, key: str, team: Team | None = None) -> Channel:
        """A channel by its ID or (with or without "#") its name. Raises ScenarioError where there is none."""
        if key in self.channels:
            return self.channels[key]
        for one in self.channels.values():
            if one.name == key.removeprefix("#") and (team is None or one.team is team):
                return one
        raise ScenarioError(f"no channel {key}")

    def add_channel(
        self, team: Team, name: str, kind: ChannelKind, members: set[str], creator: str
    ) -> Channel:
        """A new channel."""
        made = Channel(self.id(CHANNEL_PREFIX[kind]), name, kind, team, creator, set(members))
        self.channels[made.id] = made
        return made

    def direct(self, user: Member, bot: Member) -> Channel:
        """The direct conversation of two members, made at its first use."""
        pair = {user.id, bot.id}
        for one in self.channels.values():
            if one.kind == "im" and one.members == pair:
                return one
        return self.add_channel(user.team, "directmessage", "im", pair, user.id)

    def install(
        self,
        name: str,
        scopes: frozenset[str],
        team: Team | None,
        enterprise: Enterprise | None,
        installer: str,
    ) -> Installation:
        """The app in a workspace (or an organisation). Whoever installs it anew keeps the bot user."""
        for old in reversed(self.installations.values()):
            if old.team is team and old.enterprise is enterprise:
                if old.state == "ok":
                    old.scopes |= scopes  # the token stays, and its scopes only ever add up
                    return old
                bot, bot_id = old.bot, old.bot_id
                break
        else:
            home = team or next(one for one in self.teams.values() if one.enterprise is enterprise)
            bot, bot_id = Member(self.id("U"), name.lower(), home, is_bot=True), self.id("B")
            self.members[bot.id] = bot
        token = f"xoxb-{secrets.token_hex(12)}"
        made = Installation(token, bot, bot_id, scopes, team, enterprise, installer=installer)
        self.installations[token] = made
        return made

    def installed(self, team: Team) -> list[Installation]:
        """The working installations that cover a workspace."""
        return [
            one
            for one in self.installations.values()
            if one.state == "ok"
            and (one.team is team or (one.team is None and one.enterprise is team.enterprise))
        ]

    def reach(self, installation: Installation, team: Team) -> bool:
        """Whether an installation covers a workspace."""
        if installation.team is not None:
            return installation.team is team
        return installation.enterprise is team.enterprise
