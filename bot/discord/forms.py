"""The settings as forms: which fields a form has, what was typed into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import discord

from bot.preferences import Preferences, Scope, scopes_of, typed
from bot.render.discord.limits import LABEL, LABEL_HINT, MODAL_FIELDS
from bot.telling.naming import cut
from bot.wording import Language, Words, words

# A form holds five fields at most, so the settings are told apart by topic.
TOPICS: dict[str, tuple[str, ...]] = {
    # Without `shared_channels`: servers do not share their channels.
    "answers": ("language", "reaction", "counting", "opted_out"),
    "links": ("links", "links_press", "links_days", "links_say_fine"),
    "times": ("quiet_hours", "zone"),
    "hosts": ("hosts_added", "hosts_removed"),
}
SCOPES: tuple[Scope, ...] = get_args(Scope)
PREFIX = "v1:form"  # of the custom_id of a form: topic and scope follow


def fields(topic: str, scope: Scope) -> list[str]:
    """The settings of a topic that can be set at a level."""
    return [name for name in TOPICS[topic] if scope in scopes_of(name)][:MODAL_FIELDS]


def nearest(topic: str, *, direct: bool, admin: bool) -> Scope:
    """The level that is meant where none is said: one's own, else the channel, else what the topic has."""
    wanted: tuple[Scope, ...] = ("channel", "workspace", "person") if admin and not direct else SCOPES[::-1]
    return next(scope for scope in wanted if fields(topic, scope))


def form(topic: str, scope: Scope, found: Preferences, language: Language) -> discord.ui.Modal:
    """A form of a topic's settings with what holds now; it can be sent after a restart too."""
    w = words(language)
    title = w("discord.settings", topic=w(f"discord.topic.{topic}")) + f" ({w(f'discord.scope.{scope}')})"
    made = discord.ui.Modal(title=cut(title, LABEL), custom_id=f"{PREFIX}:{topic}:{scope}")
    for name in fields(topic, scope):
        made.add_item(
            discord.ui.Label(
                text=cut(w(f"discord.setting.{name}"), LABEL),
                description=cut(w(f"preference.{name}"), LABEL_HINT),
                component=_entry(name, getattr(found, name), w),
            )
        )
    # Its answer is read from its own ID (`sent`), so that the library need not keep it.
    made.stop()
    return made


def _entry(name: str, value: object, w: Words) -> discord.ui.Item[Any]:
    options = choices(name, w)
    if options:
        return discord.ui.Select(
            custom_id=name,
            required=False,
            options=[
                discord.SelectOption(label=label, value=one, default=one == typed(value))
                for one, label in options.items()
            ],
        )
    return discord.ui.TextInput(
        custom_id=name, required=False, default=typed(value) or None, max_length=1_000
    )


def choices(name: str, w: Words) -> dict[str, str]:
    """The values of a setting with their words, where they are few; empty where it is typed."""
    kind = Preferences.model_fields[name].annotation
    if kind is bool:
        return {"on": w("page.on"), "off": w("page.off")}
    if get_origin(kind) is Literal:
        return {str(value): w(f"discord.value.{value}") for value in get_args(kind)}
    return {}


def sent(data: dict[str, Any]) -> dict[str, str]:
    """What was typed into a form, by the names of its fields."""
    return {name: value for component in data.get("components", ()) for name, value in _leaves(component)}


def _leaves(component: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for inner in [component.get("component"), *component.get("components", ())]:
        if inner:
            yield from _leaves(inner)
    if "custom_id" in component and ("value" in component or "values" in component):
        values = component.get("values") or []
        yield str(component["custom_id"]), str(component.get("value") or (values[0] if values else ""))
