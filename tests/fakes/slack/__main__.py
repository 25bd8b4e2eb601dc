"""The fake Slack as a process of its own: prints a line of JSON with what app and test need, then serves."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
from pathlib import Path
from typing import Any

from tests.fakes.slack import EVERYTHING, Slack, limits


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fakes.slack", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 for a free one")
    parser.add_argument("--journal", type=Path, help="file for a line of JSON about everything that happens")
    parser.add_argument(
        "--manifest", type=Path, help="the app's manifest, JSON or YAML (default: everything)"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="factor on retries and rate limits")
    parser.add_argument("--retry-after", type=float, nargs="*", help="seconds before each redelivery")
    parser.add_argument("--no-rate-limits", action="store_true")
    parser.add_argument("--http", nargs="*", default=[], help="URLs of the app, for HTTP mode")
    parser.add_argument("--workspace", default="Acme")
    parser.add_argument("--people", nargs="*", default=["ann", "bob"])
    parser.add_argument("--channels", nargs="*", default=["general", "random"])
    parser.add_argument("--not-installed", action="store_true", help="leave installing to OAuth")
    return parser.parse_args()


def facts(slack: Slack, args: argparse.Namespace) -> dict[str, Any]:
    """Fill the fake; what the app and the test need to know of it."""
    ws = slack.workspace(args.workspace, install=not args.not_installed)
    people = {name: ws.user(name) for name in args.people}
    bot = not args.not_installed
    channels = {name: ws.channel(name, *people.values(), bot=bot).id for name in args.channels}
    return {
        "address": slack.core.address,
        "api_url": slack.api_url,
        "app_token": slack.app_token,
        "bot_token": ws.token if bot else None,
        "bot": ws.bot.id if bot else None,
        "signing_secret": slack.signing_secret,
        "client_id": slack.core.client_id,
        "client_secret": slack.core.client_secret,
        "team": ws.id,
        "people": {name: one.id for name, one in people.items()},
        "channels": channels,
    }


async def serve(args: argparse.Namespace) -> None:
    """Serve until the process is told to stop."""
    retry_after = limits.RETRY_AFTER if args.retry_after is None else tuple(args.retry_after)
    slack = await Slack.start(
        args.manifest or EVERYTHING,
        port=args.port,
        scale=args.scale,
        rate_limits=not args.no_rate_limits,
        journal=args.journal,
        retry_after=retry_after,
    )
    if args.http:
        slack.use_http(*args.http)
    print(json.dumps(facts(slack, args)), flush=True)
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()
    await slack.stop()


if __name__ == "__main__":
    asyncio.run(serve(options()))
