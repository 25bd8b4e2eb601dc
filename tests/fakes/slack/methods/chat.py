"""chat.*: what the app writes."""

from __future__ import annotations

from typing import Any

from tests.fakes.slack.api import Request, method
from tests.fakes.slack.core import ApiError
from tests.fakes.slack.model import Channel, Message
from tests.fakes.slack.posting import check_content, may_post

CONTENT = "text blocks attachments parse link_names"
WRITE = ("chat:write",)


def target(request: Request) -> Channel:
    """Where a message goes: a channel, or the direct conversation with a person whose ID was given."""
    world = request.slack.core.world
    key = request.text("channel")
    if key in world.members:
        return world.direct(request.member(key), request.installation.bot)
    return request.channel()


def own(request: Request, refused: str) -> Message:
    """A message of the app's own. Raises ApiError."""
    channel = request.channel()
    message = channel.messages.get(request.text("ts"))
    if message is None or message.subtype == "tombstone":
        raise ApiError("message_not_found")
    if message.user != request.installation.bot.id:
        raise ApiError(refused)
    return message


@method(
    "chat.postMessage",
    f"channel thread_ts reply_broadcast unfurl_links unfurl_media mrkdwn metadata {CONTENT}",
    scopes=WRITE,
)
async def post_message(request: Request) -> dict[str, Any]:
    """Post a message."""
    channel = target(request)
    may_post(channel, request.installation)
    check_content(request.args)
    made = request.slack.posting.by_app(request.installation, channel, request.args)
    return {"channel": channel.id, "ts": made.ts, "message": made.wire(metadata=True)}


@method("chat.update", f"channel ts reply_broadcast metadata {CONTENT}", scopes=WRITE, tier=3)
async def update(request: Request) -> dict[str, Any]:
    """Change a message of the app's own."""
    message = own(request, "cant_update_message")
    if message.channel.archived:
        raise ApiError("is_archived")
    check_content(request.args)
    request.slack.posting.edit(message, request.args, request.installation.bot.id)
    return {
        "channel": message.channel.id,
        "ts": message.ts,
        "text": message.text,
        "message": message.wire(metadata=True),
    }


@method("chat.delete", "channel ts", scopes=WRITE, tier=3)
async def delete(request: Request) -> dict[str, Any]:
    """Delete a message of the app's own."""
    message = own(request, "cant_delete_message")
    request.slack.posting.delete(message)
    return {"channel": message.channel.id, "ts": message.ts}


@method("chat.postEphemeral", f"channel user thread_ts {CONTENT}", scopes=WRITE)
async def post_ephemeral(request: Request) -> dict[str, Any]:
    """Show a message to one person."""
    channel = request.channel()
    may_post(channel, request.installation)
    user = request.member(request.text("user"))
    if user.id not in channel.members:
        raise ApiError("user_not_in_channel")
    check_content(request.args)
    made = request.slack.posting.ephemeral(request.installation, channel, user, request.args)
    return {"message_ts": made.ts}


@method("chat.getPermalink", "channel message_ts")
async def permalink(request: Request) -> dict[str, Any]:
    """The address of a message."""
    channel, ts = request.channel(), request.text("message_ts")
    if ts not in channel.messages:
        raise ApiError("message_not_found")
    return {
        "channel": channel.id,
        "permalink": f"https://{channel.team.domain}.slack.com/archives/{channel.id}/p{ts.replace('.', '')}",
    }


@method("chat.unfurl", "channel ts unfurls unfurl_id source", scopes=("links:write",), tier=3)
async def unfurl(request: Request) -> dict[str, Any]:
    """Add previews to a person's message; they arrive as message_changed."""
    channel = request.channel()
    message = channel.messages.get(request.text("ts"))
    unfurls = request.args.get("unfurls")
    if message is None:
        raise ApiError("cannot_unfurl_message")
    if not isinstance(unfurls, dict) or any(url not in message.text for url in unfurls):
        raise ApiError("cannot_unfurl_url")
    previews = [{"from_url": url, "app_unfurl_url": url, **one} for url, one in unfurls.items()]
    request.slack.preview(message, previews)
    return {}
