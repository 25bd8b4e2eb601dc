"""What people set in chat: by workspace, channel and person. A value that is not set is inherited."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_origin
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

Scope = Literal["workspace", "channel", "person"]


def _zone(name: str) -> str:
    if name not in available_timezones():
        raise ValueError("not a time zone of the IANA list, such as Europe/Berlin")
    return ZoneInfo(name).key


def _hours(text: str) -> str:
    found = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)", text)
    if not found:
        raise ValueError("two times of day, such as 19:00-07:30")
    return text


class Preferences(BaseModel):
    """Everything that can be set in chat, with its defaults.

    `scopes` in a field's extra says at which levels it can be set.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: Literal["auto", "en", "de"] = Field(
        "auto",
        description="Language of answers: auto (the message's own), en or de.",
        json_schema_extra={"scopes": ["workspace", "channel", "person"]},
    )
    links: bool = Field(
        False,
        description="Answer by itself when a link to a vendor's post appears.",
        json_schema_extra={"scopes": ["workspace", "channel"]},
    )
    links_press: bool = Field(
        False,
        description="Count press articles as vendor links too.",
        json_schema_extra={"scopes": ["workspace", "channel"]},
    )
    links_days: int = Field(
        30,
        ge=1,
        le=365,
        description="Days in which the same link is answered once in a channel.",
        json_schema_extra={"scopes": ["workspace", "channel"]},
    )
    links_say_fine: bool = Field(
        False,
        description="Say one line also when every claim holds.",
        json_schema_extra={"scopes": ["workspace", "channel"]},
    )
    hosts_added: tuple[str, ...] = Field(
        (),
        max_length=50,
        description="Hosts to watch beside the list, such as blog.example.com.",
        json_schema_extra={"scopes": ["workspace"]},
    )
    hosts_removed: tuple[str, ...] = Field(
        (),
        max_length=50,
        description="Hosts of the list to leave alone.",
        json_schema_extra={"scopes": ["workspace"]},
    )
    quiet_hours: Annotated[str, AfterValidator(_hours)] | None = Field(
        None,
        description="Times of day without replies that nobody asked for, such as 19:00-07:30.",
        json_schema_extra={"scopes": ["workspace", "channel"]},
    )
    zone: Annotated[str, AfterValidator(_zone)] = Field(
        "Etc/UTC",
        description="Time zone of quiet hours and digest, such as Europe/Berlin.",
        json_schema_extra={"scopes": ["workspace", "channel"]},
    )
    reaction: bool = Field(
        False,
        description="Read a message when somebody puts 🔎 on it.",
        json_schema_extra={"scopes": ["workspace", "channel"]},
    )
    shared_channels: bool = Field(
        False,
        description="Work in channels that are shared with another organisation.",
        json_schema_extra={"scopes": ["workspace", "channel"]},
    )
    counting: bool = Field(
        False,
        description="Count this channel's verdicts for the digest (counts only, no texts).",
        json_schema_extra={"scopes": ["channel"]},
    )
    opted_out: bool = Field(
        False,
        description="Never answer this person's messages by itself.",
        json_schema_extra={"scopes": ["person"]},
    )


Layer = dict[str, Any]


def scopes_of(name: str) -> tuple[Scope, ...]:
    """The levels at which a preference can be set. Raises KeyError for an unknown name."""
    extra = Preferences.model_fields[name].json_schema_extra
    assert isinstance(extra, dict)
    return tuple(extra["scopes"])  # type: ignore[arg-type]


def merged(layers: Iterable[Layer]) -> Preferences:
    """Layers from the widest to the narrowest, the later ones over the earlier; None inherits.

    A stored value that is no longer allowed is left out rather than raising.
    """
    found: Layer = {}
    for layer in layers:
        for name, value in layer.items():
            if value is not None and name in Preferences.model_fields and _allowed(name, value):
                found[name] = value
    return Preferences(**found)


def _allowed(name: str, value: Any) -> bool:
    try:
        Preferences(**{name: value})
    except ValidationError:
        return False
    return True


def checked(name: str, value: Any, scope: Scope) -> Any:
    """A value as it is stored. Raises ValueError with one line for a person."""
    if name not in Preferences.model_fields:
        raise ValueError(f"there is no setting {name!r}")
    if scope not in scopes_of(name):
        raise ValueError(f"{name} cannot be set for a {scope}")
    try:
        model = Preferences.model_validate({name: value})
    except ValidationError as error:
        raise ValueError(f"{name}: {error.errors()[0]['msg'].removeprefix('Value error, ')}") from None
    return model.model_dump(mode="json")[name]


def typed(value: object) -> str:
    """A setting's value as a person would type it into a form."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def value_of(name: str, text: str | None) -> object:
    """What was typed into a form for a setting, as the value to store; None inherits.

    Raises ValueError with one line for a person.
    """
    kind = Preferences.model_fields[name].annotation
    given = (text or "").strip()
    if kind is bool:
        return given == "on"
    if get_origin(kind) is tuple:
        return tuple(part for part in given.replace(",", " ").casefold().split() if part)
    if not given:
        return None
    if kind is int:
        if not given.isdecimal() or len(given) > 6:
            raise ValueError(f"{name}: a whole number")
        return int(given)
    return given
