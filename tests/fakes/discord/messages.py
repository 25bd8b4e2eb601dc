"""REST: channels, messages, threads."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from aiohttp import web

from tests.fakes.discord import checks, limits
from tests.fakes.discord.core import Files, Json, RefusalError, answer, body_of, invalid
from tests.fakes.discord.gateway import CONTENT
from tests.fakes.discord.world import DM, PUBLIC_THREAD, Account, Channel, Message, moment, snowflake

if TYPE_CHECKING:
    from tests.fakes.discord.server import Discord


# -- what a message becomes


def numbered(rows: list[Json], start: int = 1) -> list[Json]:
    """Components with the IDs that Discord gives them."""
    found = []
    for n, row in enumerate(rows, start):
        inner: Json = {}
        if "components" in row:
            inner["components"] = numbered(row["components"], 100 * n)
        found.append({"id": n, **row, **inner})
    return found


def checked(body: Json, files: Files, *, flags: int = 0) -> None:
    """Raises RefusalError for a message that Discord does not take. flags: those that may be set besides."""
    if faults := checks.message(body, files, flags=flags):
        raise invalid(faults)
    if checks.empty(body, len(files)):
        raise RefusalError(400, 50006, "Cannot send an empty message", offence=True)


def made(channel: Channel, author: Account, body: Json, files: Files) -> Message:
    """A message of the bot's, from a body that was checked."""
    found = Message(snowflake(), channel.id, author, "", flags=int(body.get("flags") or 0))
    found.nonce = None if body.get("nonce") is None else str(body["nonce"])
    change(found, body, files, bare=channel.lacks("embed_links") and not found.ephemeral)
    return found


def change(message: Message, body: Json, files: Files, *, bare: bool = False) -> None:
    """Put what a body holds into a message. bare: where Discord takes the embeds away."""
    if "content" in body:
        message.content = str(body["content"] or "")
    if "embeds" in body:
        message.embeds = [] if bare else [{"type": "rich", **one} for one in body["embeds"] or []]
    if "components" in body:
        message.components = numbered(body["components"] or [])
    about = {f"files[{one['id']}]": one for one in body.get("attachments") or []}
    message.attachments += [
        attachment(name, data, about.get(part, {})) for part, (name, data) in files.items()
    ]
    message.files += files.values()
    if "flags" in body:
        message.flags = int(body["flags"] or 0) | message.flags & limits.EPHEMERAL
    message.raw = body


def attachment(name: str, data: bytes, about: Json) -> Json:
    """A file as a message lists it."""
    number = snowflake()
    url = f"https://cdn.invalid/attachments/{number}/{name}"
    return {
        "id": number,
        "filename": name,
        "size": len(data),
        "url": url,
        "proxy_url": url,
        **({"description": about["description"]} if about.get("description") else {}),
    }


def seen(discord: Discord, message: Message, channel: Channel) -> Json:
    """A message as the bot may read it."""
    intents = CONTENT if discord.content_allowed else 0
    session = discord.gateway.session
    return discord.gateway.blanked(
        message.json(channel.guild_id), session.intents & intents if session else intents
    )


# -- finding


def channel_of(discord: Discord, request: web.Request, *needed: str) -> Channel:
    """The channel of a request. Raises RefusalError where the bot may not do what is needed."""
    found = discord.channels.get(request.match_info["channel"])
    if found is None:
        raise RefusalError(404, 10003, "Unknown Channel")
    if found.lacks("view_channel") or (found.guild is not None and not found.guild.bot):
        raise RefusalError(403, 50001, "Missing Access")
    for permission in needed:
        if found.lacks(permission):
            raise RefusalError(403, 50013, "Missing Permissions")
    return found


def writable(discord: Discord, request: web.Request) -> Channel:
    """The channel of a request that writes."""
    found = channel_of(discord, request)
    return channel_of(discord, request, "send_messages_in_threads" if found.parent else "send_messages")


def message_of(request: web.Request, channel: Channel) -> Message:
    """The message of a request."""
    found = channel.messages.get(request.match_info["message"])
    if found is None:
        raise RefusalError(404, 10008, "Unknown Message")
    return found


# -- channels and messages


async def get_channel(discord: Discord, request: web.Request) -> web.Response:
    """GET /channels/{channel}."""
    return answer(channel_of(discord, request).json())


async def typing(discord: Discord, request: web.Request) -> web.Response:
    """POST /channels/{channel}/typing."""
    writable(discord, request)
    return web.Response(status=204)


async def history(discord: Discord, request: web.Request) -> web.Response:
    """GET /channels/{channel}/messages: the newest first, around, before or after one."""
    channel = channel_of(discord, request)
    if channel.lacks("read_message_history"):
        return answer([])
    limit = int(request.query.get("limit", 50))
    if not 1 <= limit <= limits.HISTORY:
        raise invalid([("limit", f"int value should be between 1 and {limits.HISTORY}.")])
    found = sorted(channel.messages.values(), key=lambda one: int(one.id), reverse=True)
    if around := request.query.get("around"):
        newer = [one for one in found if int(one.id) > int(around)]
        older = [one for one in found if int(one.id) <= int(around)]
        found = [*newer[len(newer) - min(len(newer), limit // 2) :], *older]
    elif after := request.query.get("after"):
        found = [one for one in found if int(one.id) > int(after)][-limit:]
    elif before := request.query.get("before"):
        found = [one for one in found if int(one.id) < int(before)]
    return answer([seen(discord, one, channel) for one in found[:limit]])


async def get_message(discord: Discord, request: web.Request) -> web.Response:
    """GET /channels/{channel}/messages/{message}."""
    channel = channel_of(discord, request, "read_message_history")
    return answer(seen(discord, message_of(request, channel), channel))


async def post(discord: Discord, request: web.Request) -> web.Response:
    """POST /channels/{channel}/messages."""
    channel = writable(discord, request)
    body, files = await body_of(request)
    if files and channel.lacks("attach_files"):
        raise RefusalError(403, 50013, "Missing Permissions")
    checked(body, files)
    nonce = str(body.get("nonce") or "")
    if body.get("enforce_nonce") and (earlier := discord.sent_with(nonce)):
        discord.note("same_nonce", id=earlier.id, nonce=nonce)
        return answer(seen(discord, earlier, discord.channels[earlier.channel]))
    message = made(channel, discord.me, body, files)
    message.reference = _reference(channel, body)
    if message.reference is not None and message.reference.author.mention in message.pings:
        message.mentions.append(message.reference.author)
    await discord.add(message)
    return answer(seen(discord, message, channel))


def _reference(channel: Channel, body: Json) -> Message | None:
    wanted = body.get("message_reference")
    if not wanted:
        return None
    found = channel.messages.get(str(wanted["message_id"]))
    if found is None and wanted.get("fail_if_not_exists", True):
        raise RefusalError(
            400, 50035, "Invalid Form Body", errors=checks.tree([("message_reference", "Unknown message")])
        )
    if channel.lacks("read_message_history"):
        raise RefusalError(403, 160002, "Cannot reply without permission to read message history")
    return found


async def patch(discord: Discord, request: web.Request) -> web.Response:
    """PATCH /channels/{channel}/messages/{message}."""
    channel = channel_of(discord, request)
    message = message_of(request, channel)
    body, files = await body_of(request)
    if message.author is not discord.me:
        raise RefusalError(403, 50005, "Cannot edit a message authored by another user", offence=True)
    await edit(discord, message, body, files)
    return answer(seen(discord, message, channel))


async def edit(discord: Discord, message: Message, body: Json, files: Files) -> None:
    """Change a message of the bot's. Raises RefusalError."""
    channel = discord.channels[message.channel]
    whole = {"content": message.content, "embeds": message.embeds, "flags": message.flags}
    listed = {**whole, **body, "attachments": body.get("attachments") or []}
    checked(listed, files, flags=limits.EPHEMERAL | limits.HAS_THREAD)
    change(message, body, files, bare=channel.lacks("embed_links") and not message.ephemeral)
    message.edited = moment()
    discord.note("edited", id=message.id, channel=channel.id, text=message.text)
    await discord.tell("MESSAGE_UPDATE", message)


async def delete(discord: Discord, request: web.Request) -> web.Response:
    """DELETE /channels/{channel}/messages/{message}."""
    channel = channel_of(discord, request)
    message = message_of(request, channel)
    if message.author is not discord.me:
        if channel.type == DM:
            raise RefusalError(403, 50003, "Cannot execute action on a DM channel", offence=True)
        raise RefusalError(403, 50013, "Missing Permissions", offence=True)
    await discord.remove(message)
    return web.Response(status=204)


async def react(discord: Discord, request: web.Request) -> web.Response:
    """PUT …/reactions/{emoji}/@me."""
    channel = channel_of(discord, request, "add_reactions", "read_message_history")
    message = message_of(request, channel)
    await discord.react(discord.me, message, unquote(request.match_info["emoji"]))
    return web.Response(status=204)


# -- threads


async def thread(discord: Discord, request: web.Request) -> web.Response:
    """POST …/messages/{message}/threads: the thread's ID is the message's."""
    channel = channel_of(discord, request, "create_public_threads")
    message = message_of(request, channel)
    if channel.guild is None or channel.parent is not None:
        raise RefusalError(400, 50024, "Cannot execute action on this channel type", offence=True)
    if message.id in discord.channels:
        raise RefusalError(400, 160004, "A thread has already been created for this message")
    body, _ = await body_of(request)
    faults = list(checks.length("name", body.get("name"), limits.THREAD_NAME, 1))
    if body.get("auto_archive_duration", 1440) not in limits.ARCHIVE:
        faults.append(("auto_archive_duration", f"Value must be one of {sorted(limits.ARCHIVE)}."))
    if faults:
        raise invalid(faults)
    made_thread = Channel(message.id, body["name"], channel.guild, PUBLIC_THREAD, channel, owner=discord.me)
    made_thread.archive = body.get("auto_archive_duration", 1440)
    message.flags |= limits.HAS_THREAD
    await discord.open_thread(made_thread)
    return answer(made_thread.json(), 201)


MESSAGE = "/channels/{channel}/messages/{message}"
ROUTES = (
    ("GET", "/channels/{channel}", get_channel),
    ("POST", "/channels/{channel}/typing", typing),
    ("GET", "/channels/{channel}/messages", history),
    ("POST", "/channels/{channel}/messages", post),
    ("GET", MESSAGE, get_message),
    ("PATCH", MESSAGE, patch),
    ("DELETE", MESSAGE, delete),
    ("PUT", MESSAGE + "/reactions/{emoji}/@me", react),
    ("POST", MESSAGE + "/threads", thread),
)
