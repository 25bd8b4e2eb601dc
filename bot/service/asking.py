"""What an asked text wants: a claim read, a follow-up, a command, a link checked, or help."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal, cast, get_args

CommandName = Literal[
    "check",
    "rank",
    "compare",
    "deltas",
    "digest",
    "settings",
    "subscribe",
    "why",
    "help",
    "privacy",
    "forget-me",
]
COMMANDS: tuple[CommandName, ...] = get_args(CommandName)

# A mention of somebody in the markup of Slack (<@U123>, <@U123|name>) or Discord (<@123>, <@!123>).
_MENTION = re.compile(r"<@[!&]?[A-Za-z0-9]{1,40}(?:\|[^<>|]{0,100})?>")
_FIRST = re.compile(r"[/!]?([\w-]{1,40})[:,]?(?:\s+|$)")


@dataclass(frozen=True, slots=True)
class Command:
    """A command word and what follows it."""

    name: CommandName
    rest: str


@lru_cache(maxsize=1)
def command_words() -> dict[str, CommandName]:
    """Every word for a command, in every language (bot/wording/commands.toml)."""
    data = tomllib.loads(files("bot.wording").joinpath("commands.toml").read_text(encoding="utf-8"))
    return {word: cast("CommandName", name) for name, words in data.items() for word in words}


def without_mentions(text: str) -> str:
    """The text without mentions at its two ends: "@smallprint 2.77x?" is "2.77x?"."""
    rest = text.strip()
    while found := _MENTION.match(rest):
        rest = rest[found.end() :].lstrip(" \t\u00a0,:\n")
    mentions = list(_MENTION.finditer(rest))
    if mentions and mentions[-1].end() == len(rest):
        rest = rest[: mentions[-1].start()].rstrip()
    return rest


def command(text: str) -> Command | None:
    """The command that a text begins with; None where its first word is none."""
    rest = text.strip()
    found = _FIRST.match(rest)
    name = command_words().get(found[1].casefold()) if found else None
    return Command(name, rest[found.end() :].strip()) if found and name else None
