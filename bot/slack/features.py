"""Which feature needs which scopes and events (features.toml), for the docs, for `doctor`, for installing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from bot.slack.settings import Variant


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that the bot does in Slack, and what it takes."""

    name: str
    scopes: tuple[str, ...]
    events: tuple[str, ...]
    manifests: tuple[Variant, ...]
    setting: str = ""


@lru_cache(maxsize=1)
def features() -> tuple[Feature, ...]:
    """All features, in the order of the docs."""
    data = tomllib.loads(files("bot.slack").joinpath("features.toml").read_text(encoding="utf-8"))
    return tuple(
        Feature(
            one["name"],
            tuple(one["scopes"]),
            tuple(one["events"]),
            tuple(one["manifests"]),
            one.get("setting", ""),
        )
        for one in data["feature"]
    )


def scopes_of_variant(variant: Variant) -> frozenset[str]:
    """The scopes that a manifest asks for."""
    return frozenset(scope for one in features() if variant in one.manifests for scope in one.scopes)


def events_of_variant(variant: Variant) -> frozenset[str]:
    """The events that a manifest subscribes to."""
    return frozenset(event for one in features() if variant in one.manifests for event in one.events)


def features_text(granted: Iterable[str]) -> str:
    """What works with the scopes that were granted, a line a feature, and what is missing for the rest."""
    have = frozenset(granted)
    lines = []
    for one in features():
        missing = [scope for scope in one.scopes if scope not in have]
        note = f" (missing: {', '.join(missing)})" if missing else f" ({one.setting})" if one.setting else ""
        lines.append(f"{'no ' if missing else 'yes'}  {one.name}{note}")
    return "\n".join(lines)


def features_table() -> str:
    """The features as the table of docs/slack.md."""
    head = ["| feature | scopes | events | manifests |", "| --- | --- | --- | --- |"]
    rows = []
    for one in features():
        scopes = ", ".join(f"`{scope}`" for scope in one.scopes) or "–"
        events = ", ".join(f"`{event}`" for event in one.events) or "–"
        name = f"{one.name} (`{one.setting}`)" if one.setting else one.name
        rows.append(f"| {name} | {scopes} | {events} | {', '.join(one.manifests)} |")
    return "\n".join([*head, *rows])
