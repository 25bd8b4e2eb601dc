"""The three manifests against Slack's limits, the table of features and what the docs say of them."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any, get_args

import pytest

from bot.slack.features import events_of_variant, features, features_table, features_text, scopes_of_variant
from bot.slack.interactions import SHORTCUT
from bot.slack.settings import Variant
from bot.telling.guidelines import text_faults
from tests.conftest import ROOT
from tests.fakes.slack import Manifest

FOLDER = ROOT / "deploy" / "slack"
VARIANTS: tuple[Variant, ...] = get_args(Variant)
DOCS = (ROOT / "docs" / "slack.md").read_text("utf-8")
EACH = pytest.mark.parametrize("variant", VARIANTS)

# docs.slack.dev/reference/app-manifest
NAME, DESCRIPTION, LONG = 35, 140, (175, 4000)
SHORTCUTS, SHORTCUT_NAME, COMMANDS, COMMAND_NAME, EVENTS, SCOPES, DOMAINS, DOMAIN = (
    10,
    24,
    50,
    32,
    100,
    255,
    5,
    255,
)


def read(variant: str) -> dict[str, Any]:
    """A manifest."""
    found: dict[str, Any] = json.loads((FOLDER / f"{variant}.json").read_text("utf-8"))
    return found


def scopes(variant: str) -> set[str]:
    """The scopes that a manifest asks for."""
    return set(read(variant)["oauth_config"]["scopes"]["bot"])


def events(variant: str) -> set[str]:
    """The events that a manifest subscribes to."""
    return set(read(variant)["settings"]["event_subscriptions"]["bot_events"])


def test_there_is_a_manifest_for_each_variant_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(VARIANTS)


@EACH
def test_a_manifest_keeps_slack_s_limits(variant: Variant) -> None:
    manifest = read(variant)
    about, has = manifest["display_information"], manifest["features"]
    assert len(about["name"]) <= NAME
    assert len(about["description"]) <= DESCRIPTION
    assert LONG[0] <= len(about["long_description"]) <= LONG[1]
    assert len(has["shortcuts"]) <= SHORTCUTS
    assert all(len(one["name"]) <= SHORTCUT_NAME for one in has["shortcuts"])
    assert len(has["slash_commands"]) <= COMMANDS
    assert all(len(one["command"]) <= COMMAND_NAME for one in has["slash_commands"])
    assert 1 <= len(has["unfurl_domains"]) <= DOMAINS
    for domain in has["unfurl_domains"]:
        assert len(domain) <= DOMAIN
        assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", domain)
    assert len(events(variant)) <= EVENTS
    assert len(scopes(variant)) <= SCOPES
    for several in (
        manifest["oauth_config"]["scopes"]["bot"],
        manifest["settings"]["event_subscriptions"]["bot_events"],
    ):
        assert all(one < other for one, other in pairwise(several))  # sorted, each once
    assert Manifest.of(FOLDER / f"{variant}.json").message_shortcuts == {SHORTCUT}


@EACH
def test_a_manifest_asks_for_what_its_features_need_and_nothing_else(variant: Variant) -> None:
    assert scopes(variant) == scopes_of_variant(variant)
    assert events(variant) == events_of_variant(variant)
    assert "users:read" not in scopes(variant)
    assert not any(scope.endswith(":write") for scope in scopes(variant) - {"chat:write", "files:write"})


def test_each_manifest_adds_to_the_one_before() -> None:
    history = {"channels:history", "groups:history"}
    assert not history & scopes("minimal")
    assert "link_shared" in events("minimal")
    assert scopes("thread") - scopes("minimal") == history | {"reactions:read"}
    assert events("thread") - events("minimal") == {"message.channels", "message.groups", "reaction_added"}
    assert scopes("scan") >= scopes("thread")
    assert events("scan") >= events("thread")


@EACH
def test_a_manifest_says_what_is_kept_and_what_leaves(variant: Variant) -> None:
    about = read(variant)["display_information"]
    text = about["long_description"]
    assert "Nothing leaves the deployment but chat, MLCommons and watchlist traffic" in text
    for said in (
        "30 days",
        "90 days",
        "no message text is stored or logged",
        "not affiliated with or endorsed by",
    ):
        assert said in text
    for one in (text, about["description"], about["name"]):
        assert text_faults(one) == []
    assert "MLPerf" not in about["name"]


def test_the_docs_have_the_table_of_features() -> None:
    table = DOCS.split("<!-- features: made from bot/slack/features.toml -->\n")[1].split(
        "<!-- /features -->"
    )[0]
    assert table.strip() == features_table()


def test_every_manifest_address_and_admin_setting_is_in_the_docs() -> None:
    for word in ("/slack/events", "/slack/install", "/slack/oauth_redirect", "SMALLPRINT_SLACK_ADMINS"):
        assert word in DOCS


def test_doctor_says_what_is_missing_for_each_feature() -> None:
    every = features_text(scopes_of_variant("scan"))
    assert len(every.splitlines()) == len(features())
    assert all(line.startswith("yes") for line in every.splitlines())
    few = features_text(scopes_of_variant("minimal") - {"files:write"})
    assert "no   Charts as pictures with alt text (missing: files:write)" in few
    assert few.count("no   ") == 1 + sum("minimal" not in one.manifests for one in features())
