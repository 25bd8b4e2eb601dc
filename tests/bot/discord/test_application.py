"""What the invitation asks for, against what the edge needs and what the docs say."""

from __future__ import annotations

import json
from typing import Any

import discord
import pytest

from bot.discord.edge import intents
from bot.discord.permissions import NEEDED, missing
from bot.discord.settings import DiscordSettings, discord_settings
from bot.errors import UserError
from bot.telling.guidelines import text_faults
from bot.wording import LANGUAGES, words
from tests.conftest import ROOT

DOCS = (ROOT / "docs" / "discord.md").read_text("utf-8")
APPLICATION: dict[str, Any] = json.loads((ROOT / "deploy/discord/application.json").read_text("utf-8"))


def test_the_invitation_asks_for_what_is_needed_and_no_more() -> None:
    asked = discord.Permissions(int(APPLICATION["permissions"]))
    assert asked == discord.Permissions(**dict.fromkeys(NEEDED, True))
    assert set(NEEDED) == set(APPLICATION["permission_names"])
    assert not missing(asked)
    assert all(
        f"permissions={APPLICATION['permissions']}" in text
        for text in (APPLICATION["install"]["guild"], DOCS)
    )


@pytest.mark.parametrize("content", [False, True])
def test_only_the_listed_intents_are_asked_for(content: bool) -> None:
    wanted = intents(DiscordSettings(SMALLPRINT_DISCORD_CONTENT=content))
    listed = {*APPLICATION["intents"], *(APPLICATION["privileged_intents"] if content else ())}
    assert wanted == discord.Intents(**dict.fromkeys(listed, True))


def test_every_permission_has_a_name_and_a_line_in_the_docs() -> None:
    for name in NEEDED:
        for language in LANGUAGES:
            assert words(language).has(f"discord.permission.{name}")
        assert words("en")(f"discord.permission.{name}") in DOCS


def test_the_docs_name_every_setting_and_command() -> None:
    for field in DiscordSettings.model_fields.values():
        assert field.description
    assert "SMALLPRINT_DISCORD_TOKEN" in DOCS
    assert "SMALLPRINT_DISCORD_CONTENT" in DOCS
    for key, name in words("en").under("discord.name").items():
        if key in (
            "check",
            "rank",
            "compare",
            "deltas",
            "digest",
            "settings",
            "why",
            "help",
            "privacy",
            "forget",
        ):
            assert f"`{name}`" in DOCS or f"/smallprint {name}" in DOCS, name
    assert not text_faults(DOCS)


@pytest.mark.parametrize(
    ("name", "value", "ok"),
    [
        ("SMALLPRINT_DISCORD_API", "http://127.0.0.1:9/api/v10/", True),
        ("SMALLPRINT_DISCORD_API", "https://proxy.example/api/v10", True),
        ("SMALLPRINT_DISCORD_API", "http://discord.example/api", False),
        ("SMALLPRINT_DISCORD_API", "ftp://127.0.0.1/", False),
        ("SMALLPRINT_DISCORD_CONTENT", "perhaps", False),
    ],
)
def test_settings_are_checked(monkeypatch: pytest.MonkeyPatch, name: str, value: str, ok: bool) -> None:
    monkeypatch.setenv("SMALLPRINT_DISCORD_TOKEN", "a-secret")
    monkeypatch.setenv(name, value)
    if ok:
        found = discord_settings()
        assert found.wanted
        assert "a-secret" not in repr(found)
        assert not found.api.endswith("/")
    else:
        with pytest.raises(UserError) as caught:
            discord_settings()
        assert name in str(caught.value)
        assert "a-secret" not in str(caught.value)
