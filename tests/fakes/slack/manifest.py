"""The manifest of the app under test: which scopes it asks for and which events it is sent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]


@dataclass(frozen=True)
class Manifest:
    """What of an app's manifest decides how Slack treats the app."""

    name: str = "Smallprint"
    scopes: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()
    commands: frozenset[str] = frozenset()
    message_shortcuts: frozenset[str] = frozenset()
    global_shortcuts: frozenset[str] = frozenset()
    socket_mode: bool = True
    org_deploy: bool = False
    rotation: bool = False

    @classmethod
    def of(cls, source: Manifest | dict[str, Any] | Path | str) -> Manifest:
        """A manifest from its dictionary, or a JSON or YAML file. Raises OSError, ValueError, YAMLError."""
        if isinstance(source, Manifest):
            return source
        if not isinstance(source, dict):
            source = yaml.safe_load(Path(source).read_text("utf-8"))  # JSON is YAML, too
            if not isinstance(source, dict):
                raise ValueError("a manifest is a table")
        features, settings = source.get("features", {}), source.get("settings", {})
        shortcuts = features.get("shortcuts", [])
        return cls(
            name=features.get("bot_user", {}).get("display_name")
            or source.get("display_information", {}).get("name", "app"),
            scopes=frozenset(source.get("oauth_config", {}).get("scopes", {}).get("bot", [])),
            events=frozenset(settings.get("event_subscriptions", {}).get("bot_events", [])),
            domains=tuple(features.get("unfurl_domains", [])),
            commands=frozenset(one["command"] for one in features.get("slash_commands", [])),
            message_shortcuts=frozenset(one["callback_id"] for one in shortcuts if one["type"] == "message"),
            global_shortcuts=frozenset(one["callback_id"] for one in shortcuts if one["type"] == "global"),
            socket_mode=settings.get("socket_mode_enabled", True),
            org_deploy=settings.get("org_deploy_enabled", False),
            rotation=settings.get("token_rotation_enabled", False),
        )

    def without(self, *scopes: str) -> Manifest:
        """The same app with fewer scopes."""
        return replace(self, scopes=self.scopes - set(scopes))


# An app that asks for everything that a test of the fake touches.
EVERYTHING = Manifest(
    scopes=frozenset(
        [
            "app_mentions:read",
            "channels:history",
            "channels:read",
            "chat:write",
            "commands",
            "files:write",
            "groups:history",
            "groups:read",
            "im:history",
            "im:read",
            "im:write",
            "links:read",
            "links:write",
            "reactions:read",
        ]
    ),
    events=frozenset(
        [
            "app_home_opened",
            "app_mention",
            "app_uninstalled",
            "channel_archive",
            "channel_left",
            "channel_unarchive",
            "link_shared",
            "member_joined_channel",
            "member_left_channel",
            "message.channels",
            "message.groups",
            "message.im",
            "message.mpim",
            "reaction_added",
            "reaction_removed",
            "tokens_revoked",
        ]
    ),
    domains=("vendor.example", "mlcommons.org"),
    commands=frozenset({"/smallprint"}),
    message_shortcuts=frozenset({"check_claims"}),
    global_shortcuts=frozenset({"open_settings"}),
    org_deploy=True,
)
