"""The commands as Discord is told of them: sent only when they differ from what it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.http import Route

log = structlog.get_logger(__name__)

# Lists whose order means nothing; options and choices keep theirs.
UNORDERED = frozenset(("contexts", "integration_types", "channel_types"))


async def synced(bot: discord.Client, tree: app_commands.CommandTree[Any]) -> bool:
    """Bring Discord's list of commands up to date; True where it had to be sent.

    It is compared with what Discord holds rather than with a note of our own, so that two replicas, or a
    list that was changed elsewhere, never send it without need (200 creations a day and guild).
    """
    assert bot.application_id is not None
    route = Route("GET", "/applications/{application_id}/commands", application_id=bot.application_id)
    held = await bot.http.request(route, params={"with_localizations": "true"})
    wanted = await payloads(tree)
    if same(wanted, held):
        return False
    await tree.sync()
    log.info("commands_synced", platform="discord", count=len(wanted))
    return True


async def payloads(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """The commands as they are sent, with their localised names."""
    translator = tree.translator
    commands: list[Any] = [*tree.get_commands(type=discord.AppCommandType.chat_input)]
    commands += tree.get_commands(type=discord.AppCommandType.message)
    if translator is None:
        return [command.to_dict(tree) for command in commands]
    return [await command.get_translated_payload(tree, translator) for command in commands]


def same(wanted: Sequence[dict[str, Any]], held: Sequence[dict[str, Any]]) -> bool:
    """Whether Discord holds just these commands; what it adds of its own (IDs, versions) does not count."""
    ours = {_key(command): command for command in wanted}
    theirs = {_key(command): command for command in held}
    return set(ours) == set(theirs) and all(covers(theirs[key], ours[key]) for key in ours)


def covers(held: Any, wanted: Any) -> bool:
    """Whether all that is wanted is held as it is wanted; what is empty may be missing."""
    if isinstance(wanted, dict):
        there = held if isinstance(held, dict) else {}
        return all(_covered(key, there.get(key), value) for key, value in wanted.items())
    if isinstance(wanted, list):
        listed = held or []
        return len(listed) == len(wanted) and all(map(covers, listed, wanted))
    return (held or None) == (wanted or None)


def _covered(key: str, held: Any, wanted: Any) -> bool:
    if key in UNORDERED:
        return sorted(held or ()) == sorted(wanted or ())
    if key.endswith("_localizations"):
        return (held or {}) == (wanted or {})
    return covers(held, wanted)


def _key(command: dict[str, Any]) -> tuple[int, str]:
    return int(command.get("type", 1)), str(command["name"])
