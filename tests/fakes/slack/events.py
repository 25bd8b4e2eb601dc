"""Which events an app is sent: those that its manifest subscribes to and its scopes allow."""

from __future__ import annotations

import re
import time
from typing import Any
from urllib.parse import urlsplit

from tests.fakes.slack.core import Core
from tests.fakes.slack.delivery import Deliveries, Delivery
from tests.fakes.slack.model import CHANNEL_TYPE, SCOPE_PREFIX, Channel, Installation, Member, Message, Team

# A link in a message: as Slack's clients send it, with or without a label, or bare.
LINK = re.compile(r"<(https?://[^|>\s]+)(?:\|[^>]*)?>|(?<![<|])\b(https?://[^\s<>|]+)")
# docs.slack.dev/reference/events: the scope that each event asks for ("" for none).
SCOPES = {
    "app_mention": "app_mentions:read",
    "link_shared": "links:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "reaction_added": "reactions:read",
    "reaction_removed": "reactions:read",
    "channel_archive": "channels:read",
    "channel_unarchive": "channels:read",
    "channel_left": "channels:read",
    "group_archive": "groups:read",
    "group_left": "groups:read",
    "app_home_opened": "",
    "app_uninstalled": "",
    "tokens_revoked": "",
    "team_access_granted": "",
    "team_access_revoked": "",
}
# Told also to who is no member of the channel.
WITHOUT_MEMBERSHIP = {"link_shared", "channel_archive", "channel_unarchive", "channel_left", "group_left"}


class Events:
    """Makes events and hands them to the deliveries."""

    def __init__(self, core: Core, deliveries: Deliveries) -> None:
        self.core = core
        self.deliveries = deliveries
        self._made = 0

    def wanted(self, name: str, scope: str, installation: Installation) -> bool:
        """Whether the app subscribed to an event and an installation may see it."""
        return name in self.core.manifest.events and (not scope or scope in installation.scopes)

    def body(
        self, event: dict[str, Any], team: Team, installation: Installation, channel: Channel | None
    ) -> dict[str, Any]:
        """The envelope that the Events API puts around an event."""
        self._made += 1
        enterprise = team.enterprise.id if team.enterprise else None
        return {
            "token": self.core.verification_token,
            "team_id": team.id,
            **({"enterprise_id": enterprise} if enterprise else {}),
            "context_team_id": team.id,
            "context_enterprise_id": enterprise,
            "api_app_id": self.core.app_id,
            "event": event,
            "type": "event_callback",
            "event_id": f"Ev{self._made:09d}",
            "event_time": int(time.time()),
            "authorizations": [
                {
                    "enterprise_id": enterprise,
                    "team_id": None if installation.org_wide else team.id,
                    "user_id": installation.bot.id,
                    "is_bot": True,
                    "is_enterprise_install": installation.org_wide,
                }
            ],
            "is_ext_shared_channel": bool(channel and channel.external),
            "event_context": f"4-fake-{self._made}",
        }

    def send(
        self,
        event: dict[str, Any],
        team: Team,
        channel: Channel | None = None,
        *,
        name: str | None = None,
        to: Installation | None = None,
    ) -> list[Delivery]:
        """Send an event to the app, once: for the first installation that may see it (or for `to`).

        Where several workspaces share a channel, Slack sends one event and names one of the installations.
        """
        name = name or str(event["type"])
        scope = SCOPES.get(name)
        if name in {"member_joined_channel", "member_left_channel"} and channel:
            scope = f"{SCOPE_PREFIX[channel.kind]}:read"
        if scope is None:
            raise ValueError(f"no scope is known for the event {name}")
        teams = [team, *(channel.shared_with if channel else [])]
        for home in teams:
            for one in [to] if to else self.core.world.installed(home):
                member = channel is None or one.bot.id in channel.members or name in WITHOUT_MEMBERSHIP
                if member and self.wanted(name, scope, one):
                    event = {**event, "event_ts": event.get("event_ts") or self.core.world.ts()}
                    if name == "link_shared" and channel:
                        event["is_bot_user_member"] = one.bot.id in channel.members
                    return [self.deliveries.event(self.body(event, home, one, channel))]
        return []

    def message(self, event: dict[str, Any], channel: Channel) -> list[Delivery]:
        """A message event of a channel (`event` as it stands in the payload)."""
        whole = {
            "type": "message",
            "channel": channel.id,
            "channel_type": CHANNEL_TYPE[channel.kind],
            **event,
        }
        return self.send(whole, channel.team, channel, name=f"message.{SCOPE_PREFIX[channel.kind]}")

    def written(self, message: Message) -> list[Delivery]:
        """All events of a new message: app_mention, the message itself, link_shared."""
        sent = self.mentions(message)
        sent += self.message({**message.wire(), "event_ts": message.ts}, message.channel)
        if not message.by_app:
            sent += self.links(message)
        return sent

    def mentions(self, message: Message) -> list[Delivery]:
        """app_mention, where a person's message mentions the app.

        It comes again, as a new event with `edited`, when such a message is edited (seen in
        github.com/PostHog/posthog pull request 59517, github.com/slackapi/bolt-js issue 960).
        """
        channel, sent = message.channel, []
        for one in self.core.world.installed(channel.team) if not message.by_app else ():
            if f"<@{one.bot.id}>" in message.text and channel.kind != "im":
                stamp = message.edited["ts"] if message.edited else message.ts
                event = {**message.wire(), "type": "app_mention", "channel": channel.id, "event_ts": stamp}
                sent += self.send(event, channel.team, channel, to=one)
        return sent

    def links(self, message: Message) -> list[Delivery]:
        """link_shared, where the message holds links of the app's domains. It holds no text."""
        found = self.shared(message.text)
        if not found:
            return []
        event: dict[str, Any] = {
            "type": "link_shared",
            "channel": message.channel.id,
            "user": message.user,
            "message_ts": message.ts,
            "unfurl_id": f"{message.channel.id}.{message.ts}.fake",
            "source": "conversations_history",
            "links": found,
        }
        if message.thread_ts:
            event["thread_ts"] = message.thread_ts
        return self.send(event, message.channel.team, message.channel)

    def composed(self, user: Member, text: str) -> list[Delivery]:
        """link_shared from a text that nobody sent yet."""
        event = {
            "type": "link_shared",
            "channel": "COMPOSER",
            "is_bot_user_member": True,
            "user": user.id,
            "message_ts": f"{user.id}-{self.core.world.ts()}-fake",
            "unfurl_id": "composer-fake",
            "source": "composer",
            "links": self.shared(text),
        }
        return self.send(event, user.team) if event["links"] else []

    def shared(self, text: str) -> list[dict[str, str]]:
        """The links of a text whose host is one of the manifest's domains, or below one."""
        found = []
        for match in LINK.finditer(text):
            url = (match[1] or match[2]).replace("&amp;", "&")
            host = (urlsplit(url).hostname or "").lower()
            found += [
                {"url": url, "domain": domain}
                for domain in self.core.manifest.domains
                if host == domain or host.endswith("." + domain)
            ]
        return found

    def changed(self, message: Message, before: dict[str, Any]) -> list[Delivery]:
        """message_changed: an edit, an unfurl that arrived, a deleted thread parent."""
        event = {
            "subtype": "message_changed",
            "message": message.wire(),
            "previous_message": before,
            "hidden": True,
            "ts": self.core.world.ts(),
        }
        return self.message(event, message.channel)

    def deleted(self, message: Message, before: dict[str, Any]) -> list[Delivery]:
        """message_deleted."""
        event = {
            "subtype": "message_deleted",
            "previous_message": before,
            "deleted_ts": message.ts,
            "hidden": True,
            "ts": self.core.world.ts(),
        }
        return self.message(event, message.channel)
