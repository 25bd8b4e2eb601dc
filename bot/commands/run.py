"""`smallprint run`: Slack and Discord, whichever has a token."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request

from bot import logs, traces
from bot.deployment import Deployment, deployment
from bot.errors import UserError
from bot.events import Platform
from bot.jobs import Jobs
from bot.keys import Keys
from bot.links.checking import Checker
from bot.links.fetch import Fetcher
from bot.links.policy import FetchPolicy
from bot.links.vendor import Links
from bot.running import Connect, Edge, Process
from bot.service import Service
from bot.service.readers import Readers
from bot.settings import settings
from bot.state import State

NO_TOKEN = (
    "nothing to run: set SMALLPRINT_SLACK_BOT_TOKEN and SMALLPRINT_SLACK_APP_TOKEN, or "
    'SMALLPRINT_DISCORD_TOKEN (README, "Slack in five steps" and "Discord in five steps")'
)


def run() -> None:
    """Run until a signal comes. Raises UserError with one line where nothing can run."""
    logs.configure(settings().log_level)
    asyncio.run(serve())


async def serve() -> None:
    """Open what is kept, connect what has a token, run, close."""
    connects = wanted()
    if not connects:
        raise UserError(NO_TOKEN)
    found = deployment()
    traces.configure(found.executor)
    state = await State.open(found.url, keys=found.keys)
    try:
        readers = Readers()
        process = Process(
            found,
            listen=settings().listen,
            state=state,
            jobs=jobs_of(found),
            readers=readers,
            vendor=links_of(found, state, readers),
        )
        await process.run(connects, found.keys)
    finally:
        await state.close()
        traces.flush()


def links_of(found: Deployment, state: State, readers: Readers) -> Links:
    """The watchlist and what reads its pages; pages are kept in the state, without their text."""
    checker = Checker(Fetcher(FetchPolicy(proxy=settings().proxy)), state, run=readers.call)
    return Links(checker, digest=found.keys.digest, run=readers.call)


def jobs_of(found: Deployment) -> Jobs:
    """The durable work of a deployment."""
    return Jobs(found.url, keys=found.keys, executor=found.executor, version=found.version)


def wanted() -> dict[Platform, Connect]:
    """How to connect the platforms that have a token; the library of another is not even loaded."""
    from bot.discord.settings import discord_settings
    from bot.slack.settings import slack_settings

    found: dict[Platform, Connect] = {}
    if slack_settings().wanted:
        found["slack"] = _slack
    if discord_settings().wanted:
        found["discord"] = _discord
    return found


async def _slack(service: Service, state: State, keys: Keys) -> Edge:
    from bot.slack.edge import connect
    from bot.slack.settings import slack_settings

    return await connect(service, state, keys, slack_settings(), proxy=settings().proxy)


async def _discord(service: Service, state: State, keys: Keys) -> Edge:
    from bot.discord.edge import connect
    from bot.discord.settings import discord_settings

    return await connect(service, state, discord_settings(), proxy=settings().proxy)


def healthy() -> str:
    """Ask the running process of this machine whether it is ready; for a container's health check.

    Raises UserError with what is missing.
    """
    host, _, port = settings().listen.rpartition(":")
    here = "127.0.0.1" if host in ("0.0.0.0", "") else host
    try:
        with urllib.request.urlopen(f"http://{here}:{port}/readyz", timeout=4) as answer:
            return str(answer.read().decode().strip())
    except urllib.error.HTTPError as error:
        raise UserError("; ".join(error.read().decode("utf-8", "replace").split("\n"))) from None
    except OSError as error:
        raise UserError(f"nothing answers at {here}:{port}: {error}") from None
