"""The fake Discord as a process of its own: prints a line of JSON with what a test needs, then serves."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
from pathlib import Path

from tests.fakes.discord import Discord


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fakes.discord", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 for a free one")
    parser.add_argument("--journal", type=Path, help="file for a line of JSON about everything that happens")
    parser.add_argument("--content", action="store_true", help="allow the message content intent")
    parser.add_argument("--channels", type=int, default=1, help="how many text channels there are")
    parser.add_argument("--people", type=int, default=0, help="how many more people there are")
    return parser.parse_args()


async def serve(args: argparse.Namespace) -> None:
    """Serve until a signal comes. POST /control does what people do, see `Discord._control`."""
    discord = Discord(journal=args.journal, content_allowed=args.content)
    ann = discord.user("ann", admin=True)
    guild = discord.guild("Acme", ann)
    channels = [discord.channel(guild, f"channel-{n}").id for n in range(args.channels)]
    people = [discord.user(f"p{n}").id for n in range(args.people)]
    await discord.start(args.port)
    facts = {
        "api": discord.api,
        "control": f"http://{discord.address}/control",
        "token": discord.token,
        "guild": guild.id,
        "channels": channels,
        "user": ann.id,
        "people": people,
        "bot": discord.me.id,
    }
    print(json.dumps(facts), flush=True)
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    await stop.wait()
    await discord.stop()


if __name__ == "__main__":
    asyncio.run(serve(options()))
