"""The fake Discord as a process of its own: prints a line of JSON with what a test needs, then serves."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
from pathlib import Path
from typing import Any

from tests.fakes.discord import Discord


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fakes.discord", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 for a free one")
    parser.add_argument("--journal", type=Path, help="file for a line of JSON about everything that happens")
    parser.add_argument("--content", action="store_true", help="allow the message content intent")
    parser.add_argument("--rate-limits", action="store_true")
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--guild", default="Acme")
    parser.add_argument("--locale", default="en-US", help="the guild's")
    parser.add_argument(
        "--people", nargs="*", default=["ann", "bob:de"], help="each with a locale; the first one is admin"
    )
    parser.add_argument("--channels", nargs="*", default=["general", "random"])
    return parser.parse_args()


def facts(discord: Discord, args: argparse.Namespace) -> dict[str, Any]:
    """Fill the fake; what the app and the test need to know of it."""
    people = {}
    for n, one in enumerate(args.people):
        name, _, locale = one.partition(":")
        people[name] = discord.user(name, locale=locale or "en-US", admin=n == 0)
    guild = discord.guild(args.guild, next(iter(people.values())), locale=args.locale)
    return {
        "api": discord.api,
        "token": discord.token,
        "control": f"http://{discord.address}/control",
        "bot": discord.me.id,
        "guild": guild.id,
        "people": {name: one.id for name, one in people.items()},
        "channels": {name: discord.channel(guild, name).id for name in args.channels},
    }


async def serve(args: argparse.Namespace) -> None:
    """Serve until the process is told to stop."""
    discord = Discord(
        journal=args.journal, content_allowed=args.content, rate_limits=args.rate_limits, shards=args.shards
    )
    await discord.start(args.port)
    print(json.dumps(facts(discord, args)), flush=True)
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()
    await discord.stop()


if __name__ == "__main__":
    asyncio.run(serve(options()))
