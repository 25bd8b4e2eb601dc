"""conversations.* and reactions.*: what the app may look at."""

from __future__ import annotations

from typing import Any

from tests.fakes.slack import limits
from tests.fakes.slack.api import Request, method
from tests.fakes.slack.core import ApiError
from tests.fakes.slack.model import SCOPE_PREFIX, Channel, Message

PAGE = "channel cursor inclusive include_all_metadata latest limit oldest"
HISTORY = tuple(f"{prefix}:history" for prefix in SCOPE_PREFIX.values())
READ = tuple(f"{prefix}:read" for prefix in SCOPE_PREFIX.values())


def page(request: Request, messages: list[Message], most: int) -> dict[str, Any]:
    """A part of some messages, as oldest, latest, limit and cursor ask for it."""
    args, inclusive = request.args, request.flag("inclusive")
    oldest, latest = float(args.get("oldest") or 0), float(args.get("latest") or "inf")
    limit = request.number("limit", limits.HISTORY_PAGE)
    if not 1 <= limit <= most:
        raise ApiError("invalid_limit")
    if request.slack.core.options.distributed:
        limit = min(limit, limits.HISTORY_DISTRIBUTED_ITEMS)
    fitting = [
        one
        for one in messages
        if oldest < float(one.ts) < latest or (inclusive and float(one.ts) in (oldest, latest))
    ]
    start = request.number("cursor", 0)
    metadata = request.flag("include_all_metadata")
    more = len(fitting) > start + limit
    return {
        "messages": [one.wire(metadata=metadata) for one in fitting[start : start + limit]],
        "has_more": more,
        **({"response_metadata": {"next_cursor": str(start + limit)}} if more else {}),
    }


def readable(request: Request) -> Channel:
    """A channel whose messages the app may read. Raises ApiError."""
    channel = request.channel()
    request.need_for(channel, "history")
    if request.installation.bot.id not in channel.members:
        raise ApiError("not_in_channel")
    return channel


@method("conversations.history", PAGE, scopes=HISTORY, tier=3)
async def history(request: Request) -> dict[str, Any]:
    """The messages of a channel, without replies, newest first."""
    channel = readable(request)
    roots = [one for one in channel.messages.values() if one.thread_ts in (None, one.ts)]
    return page(request, sorted(roots, key=lambda one: one.ts, reverse=True), limits.HISTORY_PAGE_MOST)


@method("conversations.replies", f"{PAGE} ts", scopes=HISTORY, tier=3)
async def replies(request: Request) -> dict[str, Any]:
    """A message and the replies in its thread, oldest first."""
    channel = readable(request)
    root = channel.messages.get(request.text("ts"))
    if root is None:
        raise ApiError("thread_not_found")
    found = page(request, channel.replies(root.ts), limits.REPLIES_PAGE)
    parent = root.wire(metadata=request.flag("include_all_metadata"))
    return {**found, "messages": [parent, *found["messages"]]}


@method("conversations.info", "channel include_locale include_num_members", scopes=READ, tier=3)
async def info(request: Request) -> dict[str, Any]:
    """A channel."""
    channel = request.channel()
    request.need_for(channel, "read")
    found = channel.wire(request.installation.bot.id)
    if request.flag("include_num_members"):
        found["num_members"] = len(channel.members)
    return {"channel": found}


@method("conversations.members", "channel cursor limit", scopes=READ, tier=4)
async def members(request: Request) -> dict[str, Any]:
    """Who is in a channel."""
    channel = request.channel()
    request.need_for(channel, "read")
    return {"members": sorted(channel.members), "response_metadata": {"next_cursor": ""}}


@method("conversations.open", "channel users return_im", tier=3)
async def open_conversation(request: Request) -> dict[str, Any]:
    """The direct conversation with a person."""
    users = request.text("users").split(",")
    request.need("im:write" if len(users) == 1 else "mpim:write")
    if len(users) != 1:
        raise ApiError("invalid_arguments", "[ERROR] the fake opens conversations with one person only")
    channel = request.slack.core.world.direct(request.member(users[0]), request.installation.bot)
    whole = request.flag("return_im")
    return {"channel": channel.wire(request.installation.bot.id) if whole else {"id": channel.id}}


@method("reactions.get", "channel timestamp full file file_comment", scopes=("reactions:read",), tier=3)
async def reactions(request: Request) -> dict[str, Any]:
    """The reactions to a message, and the message."""
    channel = request.channel()
    message = channel.messages.get(request.text("timestamp"))
    if message is None:
        raise ApiError("message_not_found")
    return {"type": "message", "channel": channel.id, "message": message.wire()}
