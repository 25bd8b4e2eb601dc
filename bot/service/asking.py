"""What an asked text wants: a claim read, a follow-up, a command, a link checked, or help."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal, get_args

from bot.wording import LANGUAGES, Language

CommandName = Literal[
    "check",
    "rank",
    "compare",
    "deltas",
    "digest",
    "settings",
    "subscribe",
    "unsubscribe",
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
    """A command word and what follows it. language: the one that alone has this word."""

    name: CommandName
    rest: str
    language: Language | None = None


@lru_cache(maxsize=1)
def command_words() -> dict[str, tuple[CommandName, Language | None]]:
    """Every word for a command with its language; None for a word of several (bot/wording/commands.toml)."""
    data = tomllib.loads(files("bot.wording").joinpath("commands.toml").read_text(encoding="utf-8"))
    found: dict[str, tuple[CommandName, Language | None]] = {}
    for language in LANGUAGES:
        for name, words in data[language].items():
            for word in words:
                found[word] = (name, None if word in found else language)
    return found


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
    known = command_words().get(found[1].casefold()) if found else None
    return Command(known[0], rest[found.end() :].strip(), known[1]) if found and known else None
