"""Application commands: what Discord refuses in their list, and what it lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.fakes.discord import limits
from tests.fakes.discord.checks import Fault, Json, length, units

CHAT, MENU = 1, 3
GROUP = 2  # an option that is a group of sub-commands
SUBCOMMANDS = frozenset((1, GROUP))
TEXT_TYPES = frozenset((3, 4, 10))  # string, integer, number: those with choices or suggestions
NAME = re.compile(rf"[-_'\w]{{1,{limits.COMMAND_NAME}}}")


def faults(commands: list[Json]) -> list[Fault]:
    """The faults of a whole list of commands, as of a PUT."""
    found: list[Fault] = []
    names = Counter((one.get("type", CHAT), one["name"]) for one in commands)
    found += [("name", f"twice: {name}") for (_, name), times in names.items() if times > 1]
    for kind, most in limits.COMMANDS.items():
        if sum(one.get("type", CHAT) == kind for one in commands) > most:
            found.append(("commands", f"more than {most} of type {kind}"))
    for n, one in enumerate(commands):
        found += _command(one, str(n))
    return found


def size(part: Json) -> int:
    """The characters of a command as Discord counts them: the longest of each text's localisations."""
    total = 0
    for key in ("name", "description"):
        texts = [part.get(key), *(part.get(f"{key}_localizations") or {}).values()]
        total += max(map(units, texts))
    total += sum(units(one["name"]) + units(one["value"]) for one in part.get("choices") or [])
    return total + sum(size(one) for one in part.get("options") or [])


def _command(one: Json, path: str) -> Iterator[Fault]:
    if size(one) > limits.COMMAND_SIZE:
        yield path, f"Command exceeds maximum size of {limits.COMMAND_SIZE}: {size(one)}"
    for key, most in (("contexts", 2), ("integration_types", 1)):
        if not set(one.get(key) or ()) <= set(range(most + 1)):
            yield f"{path}.{key}", f"unknown: {one[key]}"
    if one.get("type", CHAT) == CHAT:
        yield from _named(one, path)
        yield from _options(one.get("options") or [], path, depth=0)
        return
    for text in _texts(one, "name"):
        yield from length(f"{path}.name", text, limits.COMMAND_NAME, 1)
    if one.get("description") or one.get("options"):
        yield path, "Context menu commands cannot have description or options"


def _texts(part: Json, key: str) -> list[str]:
    return [str(part.get(key) or ""), *(part.get(f"{key}_localizations") or {}).values()]


def _named(part: Json, path: str) -> Iterator[Fault]:
    for text in _texts(part, "name"):
        if not NAME.fullmatch(text) or text != text.lower():
            yield f"{path}.name", f"Command name is invalid: {text}"
    for text in _texts(part, "description"):
        yield from length(f"{path}.description", text, limits.COMMAND_DESCRIPTION, 1)
    yield from _localised(part, path)


def _localised(part: Json, path: str) -> Iterator[Fault]:
    for key in ("name_localizations", "description_localizations"):
        for locale in set(part.get(key) or {}) - limits.LOCALES:
            yield f"{path}.{key}", f"no such locale: {locale}"


def _options(options: list[Json], path: str, depth: int) -> Iterator[Fault]:
    if len(options) > limits.OPTIONS:
        yield f"{path}.options", f"Must be {limits.OPTIONS} or fewer in length."
    if len({one["name"] for one in options}) != len(options):
        yield f"{path}.options", "Option names must be unique"
    inner = [one["type"] in SUBCOMMANDS for one in options]
    if any(inner) and (not all(inner) or depth > 1):
        yield f"{path}.options", "sub-commands and options cannot be mixed"
    wanted = [bool(one.get("required")) for one in options]
    if wanted != sorted(wanted, reverse=True):
        yield f"{path}.options", "Required options must be placed before non-required options"
    for n, one in enumerate(options):
        where = f"{path}.options.{n}"
        yield from _named(one, where)
        if one["type"] in SUBCOMMANDS:
            yield from _options(one.get("options") or [], where, depth + 1)
        else:
            yield from _choices(one, where)


def _choices(option: Json, path: str) -> Iterator[Fault]:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        yield path, "choices and autocomplete exclude each other"
    if (choices or option.get("autocomplete")) and option["type"] not in TEXT_TYPES:
        yield path, f"type {option['type']} has no choices"
    yield from choice_faults(choices, f"{path}.choices")


def choice_faults(choices: list[Json], path: str) -> Iterator[Fault]:
    """Faults of choices or suggestions."""
    if len(choices) > limits.CHOICES:
        yield path, f"Must be {limits.CHOICES} or fewer in length."
    for n, one in enumerate(choices):
        for text in _texts(one, "name"):
            yield from length(f"{path}.{n}.name", text, limits.CHOICE_TEXT, 1)
        if isinstance(one["value"], str):
            yield from length(f"{path}.{n}.value", one["value"], limits.CHOICE_TEXT, 1)
        yield from _localised(one, f"{path}.{n}")


def without_localisations(value: Any) -> Any:
    """Commands as Discord lists them where nobody asks for the localisations."""
    if isinstance(value, dict):
        return {k: without_localisations(v) for k, v in value.items() if not k.endswith("_localizations")}
    return [without_localisations(one) for one in value] if isinstance(value, list) else value
