"""The fake from another process: POST /control/<what> with a JSON object, answered with a JSON object."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.discord.core import answer
from tests.fakes.discord.scenario import ScenarioError, User
from tests.fakes.discord.world import Channel, Message

if TYPE_CHECKING:
    from tests.fakes.discord.interactions import Interaction
    from tests.fakes.discord.server import Discord

Json = dict[str, Any]
Command = Callable[["Discord", Json], Awaitable[Json]]


def person(discord: Discord, args: Json) -> User:
    """The person whose name or ID stands under "user"."""
    for one in discord.users.values():
        if args["user"] in (one.id, one.name):
            return one
    raise ScenarioError(f"nobody is called {args['user']}")


def channel(discord: Discord, args: Json) -> Channel:
    """The channel whose name or ID stands under "channel"."""
    for one in discord.channels.values():
        if args["channel"] in (one.id, one.name):
            return one
    raise ScenarioError(f"no channel {args['channel']}")


def message(discord: Discord, args: Json, key: str = "message") -> Message:
    """The message whose ID stands under "message"; ephemeral ones too."""
    for one in (*discord.hidden, *(m for c in discord.channels.values() for m in c.messages.values())):
        if one.id == args[key]:
            return one
    raise ScenarioError(f"no message {args[key]}")


def told(one: Message) -> Json:
    """A message as the other process sees it."""
    return {**one.json(None), "text": one.text, "pings": one.pings, "ephemeral": one.ephemeral}


def outcome(asked: Interaction) -> Json:
    """What an interaction came to."""
    form = asked.modal.data if asked.modal else None
    return {
        "answer": asked.answer,
        "took": asked.took,
        "replies": list(map(told, asked.replies)),
        "form": form,
    }


async def says(discord: Discord, args: Json) -> Json:
    """user, channel, text, reply_to; mention: with a mention in front; direct: to the bot alone."""
    user = person(discord, args)
    place = user.dm() if args.get("direct") else channel(discord, args)
    reply_to = message(discord, args, "reply_to") if args.get("reply_to") else None
    speak = user.mentions if args.get("mention") else user.says
    return told(await speak(place, args["text"], reply_to=reply_to))


async def edits(discord: Discord, args: Json) -> Json:
    """user, message, text."""
    await person(discord, args).edits(message(discord, args), args["text"])
    return {}


async def deletes(discord: Discord, args: Json) -> Json:
    """user, message."""
    await person(discord, args).deletes(message(discord, args))
    return {}


async def runs(discord: Discord, args: Json) -> Json:
    """user, channel, command, options."""
    place, options = channel(discord, args), args.get("options") or {}
    asked = await person(discord, args).runs(args["command"], place, **options)
    if asked.modal is None:
        await discord.answered(asked)
    return outcome(asked)


async def presses(discord: Discord, args: Json) -> Json:
    """user, message, which."""
    return outcome(await person(discord, args).presses(message(discord, args), args["which"]))


async def posts(discord: Discord, args: Json) -> Json:
    """channel: the bot's messages there, or everywhere."""
    place = channel(discord, args) if args.get("channel") else None
    return {"posts": [{**told(one), "source": discord.source(one)} for one in discord.posts(place)]}


async def counts(discord: Discord, args: Json) -> Json:
    """How many posts each message got; strays answer none."""
    found = discord.reply_counts()
    return {"replies": dict(found), "strays": len(discord.posts()) - found.total()}


async def state(discord: Discord, args: Json) -> Json:
    """Whether a client is connected, how often it came, what the fake objects to."""
    gateway = discord.gateway
    return {
        "connected": gateway.connected,
        "identified": gateway.identified,
        "resumed": gateway.resumed,
        "puts": discord.puts,
        "posts": len(discord.posts()),
        "calls": len(discord.requests),
        "offences": discord.offences,
    }


async def connected(discord: Discord, args: Json) -> Json:
    """within: wait until a client is connected."""
    await discord.connected(args.get("within", 10.0))
    return {}


async def settled(discord: Discord, args: Json) -> Json:
    """within: wait until nothing more is to come."""
    await discord.settled(args.get("within", 10.0))
    return {}


async def fail(discord: Discord, args: Json) -> Json:
    """method, path, and how (see `Failure`)."""
    discord.fail(**args)
    return {}


async def disconnect(discord: Discord, args: Json) -> Json:
    """how: "drop" (the default), "reconnect" (opcode 7) or "invalid" (opcode 9)."""
    gateway = discord.gateway
    ways = {"drop": gateway.drop, "reconnect": gateway.ask_to_reconnect, "invalid": gateway.invalidate}
    await ways[args.get("how", "drop")]()
    return {}


COMMANDS: dict[str, Command] = {
    one.__name__: one
    for one in (
        says,
        edits,
        deletes,
        runs,
        presses,
        posts,
        counts,
        state,
        connected,
        settled,
        fail,
        disconnect,
    )
}


async def handle(discord: Discord, request: web.Request) -> web.Response:
    """Carry out one command. What a test did wrong, or waited for in vain, is a 409 with the reason."""
    command = COMMANDS.get(request.match_info["what"])
    if command is None:
        return answer({"error": f"no such command; there are {sorted(COMMANDS)}"}, 404)
    try:
        return answer(await command(discord, await request.json()))
    except (AssertionError, TimeoutError) as error:
        return answer({"error": str(error) or type(error).__name__}, 409)
