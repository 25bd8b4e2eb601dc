"""The fake from another process: POST /control/<what> with a JSON object, answered with a JSON object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.slack.delivery import NotAckedError
from tests.fakes.slack.model import Message, ScenarioError

if TYPE_CHECKING:
    from tests.fakes.slack.scenario import User
    from tests.fakes.slack.server import Slack

Args = dict[str, Any]
Command = Callable[["Slack", Args], Awaitable[Args]]


def person(slack: Slack, args: Args) -> User:
    """The person whose name or ID stands under "user"."""
    for one in slack.core.world.members.values():
        if args["user"] in (one.id, one.name):
            return slack.person(one.id)
    raise ScenarioError(f"nobody is called {args['user']}")


def message(slack: Slack, args: Args) -> Message:
    """The message under "channel" and "ts"."""
    found = slack.core.world.channel(args["channel"]).messages.get(args["ts"])
    if found is None:
        raise ScenarioError(f"no message {args['ts']}")
    return found


def told(one: Message) -> Args:
    """A message as the other process sees it."""
    return {**one.wire(metadata=True), "channel": one.channel.id}


async def says(slack: Slack, args: Args) -> Args:
    """user, channel, text, thread; direct: in the direct conversation; mention: with a mention in front."""
    user = person(slack, args)
    channel = user.dm() if args.get("direct") else args["channel"]
    speak = user.asks if args.get("mention") else user.says
    return told(await speak(channel, args["text"], thread=args.get("thread")))


async def edits(slack: Slack, args: Args) -> Args:
    """user, channel, ts, text."""
    await person(slack, args).edits(message(slack, args), args["text"])
    return {}


async def deletes(slack: Slack, args: Args) -> Args:
    """user, channel, ts."""
    await person(slack, args).deletes(message(slack, args))
    return {}


async def slash(slack: Slack, args: Args) -> Args:
    """user, command, text, channel: what the ack holds."""
    channel, text = args["channel"], args.get("text", "")
    return {"answer": await person(slack, args).slash(args["command"], text, channel)}


async def posts(slack: Slack, args: Args) -> Args:
    """channel: the app's messages there, or everywhere."""
    return {"posts": [told(one) for one in slack.posts(args.get("channel"))]}


async def counts(slack: Slack, args: Args) -> Args:
    """key: how many posts each thread got, and each value of the key of the metadata."""
    by_key = slack.by_metadata(args["key"]) if "key" in args else {}
    return {"threads": dict(slack.reply_counts()), "metadata": dict(by_key), "strays": len(slack.core.strays)}


async def state(slack: Slack, args: Args) -> Args:
    """How many deliveries are open, acked, lost; the open sockets; offences; ack latencies in seconds."""
    states = Counter(one.state for one in slack.deliveries.all)
    return {
        "open": states["open"],
        "acked": states["acked"],
        "lost": states["lost"],
        "sockets": len(slack.sockets.open),
        "offences": slack.core.offences,
        "latencies": slack.latencies(),
    }


async def settled(slack: Slack, args: Args) -> Args:
    """within: wait until every delivery was acked or given up."""
    await slack.settled(args.get("within", 10.0))
    return {}


async def fail(slack: Slack, args: Args) -> Args:
    """method, and how (see `Fault`)."""
    slack.fail(**args)
    return {}


async def disconnect(slack: Slack, args: Args) -> Args:
    """reason: ask the app to reconnect; without one cut its connections."""
    if args.get("reason"):
        await slack.sockets.disconnect(args["reason"])
    else:
        await slack.sockets.cut()
    return {}


async def use_http(slack: Slack, args: Args) -> Args:
    """urls: send to the app's own servers from now on."""
    slack.use_http(*args["urls"])
    return {}


COMMANDS: dict[str, Command] = {
    one.__name__: one
    for one in (says, edits, deletes, slash, posts, counts, state, settled, fail, disconnect, use_http)
}


async def handle(slack: Slack, request: web.Request) -> web.Response:
    """Carry out one command. What a test did wrong, or waited for in vain, is a 409 with the reason."""
    command = COMMANDS.get(request.match_info["what"])
    if command is None:
        return web.json_response({"error": "no such command"}, status=404)
    try:
        return web.json_response(await command(slack, await request.json()))
    except (AssertionError, NotAckedError) as error:
        return web.json_response({"error": str(error)}, status=409)
