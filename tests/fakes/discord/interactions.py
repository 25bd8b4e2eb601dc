"""REST: the answers to interactions. In 3 seconds, once; then 15 minutes of follow-ups and edits."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aiohttp import web

from tests.fakes.discord import checks, limits
from tests.fakes.discord.commands import choice_faults
from tests.fakes.discord.core import Files, Json, RefusalError, answer, body_of, invalid
from tests.fakes.discord.messages import change, checked, edit, made
from tests.fakes.discord.world import Account, Channel, Message

if TYPE_CHECKING:
    from tests.fakes.discord.server import Discord

# interactions/receiving-and-responding.mdx, kinds of interactions and of their answers
COMMAND, COMPONENT, SUGGESTION, FORM = 2, 3, 4, 5
SHOW, LATER, LATER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
MAY = {
    COMMAND: {SHOW, LATER, MODAL},
    COMPONENT: {SHOW, LATER, LATER_UPDATE, UPDATE, MODAL},
    SUGGESTION: {CHOICES},
    FORM: {SHOW, LATER, LATER_UPDATE, UPDATE},
}
ORIGINAL = "@original"


@dataclass(eq=False)
class Modal:
    """A form that a person has open."""

    user: Account
    channel: Channel
    data: Json
    message: Message | None

    @property
    def title(self) -> str:
        """What stands above it."""
        return str(self.data["title"])

    @property
    def fields(self) -> dict[str, Json]:
        """Its fields by custom_id."""
        everything = checks.nested(self.data["components"])
        return {one["custom_id"]: one for one in everything if "custom_id" in one}


@dataclass(eq=False)
class Interaction:
    """What a person did, and what it came to: messages (the answer first), a form or suggestions."""

    id: str
    token: str
    kind: int
    user: Account
    channel: Channel
    message: Message | None  # whose button or menu it is, or that a menu command is about
    began: float = field(default_factory=time.monotonic)
    answer: int | None = None
    took: float | None = None  # seconds until it was answered
    original: Message | None = None
    follow_ups: list[Message] = field(default_factory=list)
    loading: bool = False
    modal: Modal | None = None
    choices: list[Json] | None = None
    updated: bool = False

    @property
    def replies(self) -> list[Message]:
        """The messages that it came to, without one that still says "thinking"."""
        first = [self.original] if self.original is not None and not self.loading else []
        return [*first, *self.follow_ups]

    @property
    def metadata(self) -> Json:
        """As a message names it."""
        return {"id": self.id, "type": self.kind, "user": self.user.json()}


def _of(discord: Discord, request: web.Request, *, answered: bool = True) -> Interaction:
    found = discord.interactions.get(request.match_info["token"])
    if found is None or time.monotonic() - found.began > limits.TOKEN_LIFE:
        raise RefusalError(404, 10015, "Unknown Webhook", offence=True)
    if answered and found.answer is None:
        raise RefusalError(404, 10015, "Unknown Webhook", offence=True)
    return found


async def callback(discord: Discord, request: web.Request) -> web.Response:
    """POST /interactions/{id}/{token}/callback."""
    asked = _of(discord, request, answered=False)
    if asked.id != request.match_info["id"] or time.monotonic() - asked.began > discord.answer_within:
        raise RefusalError(404, 10062, "Unknown interaction", offence=True)
    if asked.answer is not None:
        raise RefusalError(400, 40060, "Interaction has already been acknowledged", offence=True)
    body, files = await body_of(request)
    kind, data = body["type"], body.get("data") or {}
    if kind not in MAY[asked.kind] or (kind in (LATER_UPDATE, UPDATE) and asked.message is None):
        raise invalid([("type", f"{kind} is no answer to an interaction of type {asked.kind}")])
    await _take(discord, asked, kind, data, files)
    asked.answer, asked.took = kind, time.monotonic() - asked.began
    discord.note("answered", id=asked.id, kind=asked.kind, answer=kind, took=round(asked.took, 4))
    if request.query.get("with_response") not in ("1", "true"):
        return web.Response(status=204)
    return answer(_told(asked, kind))


async def _take(discord: Discord, asked: Interaction, kind: int, data: Json, files: Files) -> None:
    if kind == SHOW:
        asked.original = await _shown(discord, asked, data, files)
    elif kind == LATER:
        # The placeholder; what is shown later is as private as this says.
        flags = int(data.get("flags") or 0) & limits.EPHEMERAL
        asked.original = made(asked.channel, discord.me, {"flags": flags}, {})
        asked.loading = True
    elif kind == UPDATE:
        assert asked.message is not None
        await edit(discord, asked.message, data, files)
        asked.original, asked.updated = asked.message, True
    elif kind == LATER_UPDATE:
        asked.original = asked.message
        asked.updated = True
    elif kind == CHOICES:
        choices = data.get("choices") or []
        if faults := list(choice_faults(choices, "data.choices")):
            raise invalid(faults)
        asked.choices = choices
    else:
        if faults := checks.modal(data):
            raise invalid(faults)
        asked.modal = Modal(asked.user, asked.channel, data, asked.message)
        discord.modals_open.append(asked.modal)


def _told(asked: Interaction, kind: int) -> Json:
    one: Json = {"id": asked.id, "type": asked.kind, "response_message_loading": asked.loading}
    found: Json = {"interaction": one}
    if kind in (SHOW, UPDATE) and asked.original is not None:
        one |= {
            "response_message_id": asked.original.id,
            "response_message_ephemeral": asked.original.ephemeral,
        }
        found["resource"] = {"type": kind, "message": asked.original.json(asked.channel.guild_id)}
    return found


async def _shown(discord: Discord, asked: Interaction, body: Json, files: Files) -> Message:
    """A new message of an interaction: for all, or for the one person."""
    checked(body, files, flags=limits.EPHEMERAL)
    message = made(asked.channel, discord.me, body, files)
    await _publish(discord, asked, message)
    return message


async def _publish(discord: Discord, asked: Interaction, message: Message) -> None:
    message.interaction = asked.metadata
    if message.ephemeral:
        message.only_for = asked.user
        discord.hidden.append(message)
        discord.note("told", id=message.id, user=asked.user.id, text=message.text)
    else:
        await discord.add(message, event=asked.channel.guild is None or asked.channel.guild.bot)


async def follow_up(discord: Discord, request: web.Request) -> web.Response:
    """POST /webhooks/{app}/{token}: the first after "thinking" takes its place."""
    asked = _of(discord, request)
    body, files = await body_of(request)
    if asked.loading and asked.original is not None:
        checked(body, files, flags=limits.EPHEMERAL)
        private = {**body, "flags": int(body.get("flags") or 0) & ~limits.EPHEMERAL | asked.original.flags}
        message = await _fill(discord, asked, private, files)
    else:
        message = await _shown(discord, asked, body, files)
        asked.follow_ups.append(message)
    return answer(message.json(asked.channel.guild_id))


async def _fill(discord: Discord, asked: Interaction, body: Json, files: Files) -> Message:
    """What was being thought of."""
    message = asked.original
    assert message is not None
    change(message, body, files, bare=asked.channel.lacks("embed_links") and not message.ephemeral)
    asked.loading = False
    await _publish(discord, asked, message)
    return message


def _message(asked: Interaction, wanted: str) -> Message:
    mine: Iterable[Message | None] = (asked.original, *asked.follow_ups)
    for message in mine:
        if message is not None and (
            message.id == wanted or (wanted == ORIGINAL and message is asked.original)
        ):
            return message
    raise RefusalError(404, 10008, "Unknown Message")


async def get_reply(discord: Discord, request: web.Request) -> web.Response:
    """GET /webhooks/{app}/{token}/messages/{message}."""
    asked = _of(discord, request)
    return answer(_message(asked, request.match_info["message"]).json(asked.channel.guild_id))


async def edit_reply(discord: Discord, request: web.Request) -> web.Response:
    """PATCH /webhooks/{app}/{token}/messages/{message}."""
    asked = _of(discord, request)
    message = _message(asked, request.match_info["message"])
    body, files = await body_of(request)
    if asked.loading and message is asked.original:
        checked(body, files)
        await _fill(discord, asked, body, files)
    else:
        await edit(discord, message, body, files)
    return answer(message.json(asked.channel.guild_id))


async def delete_reply(discord: Discord, request: web.Request) -> web.Response:
    """DELETE /webhooks/{app}/{token}/messages/{message}."""
    asked = _of(discord, request)
    message = _message(asked, request.match_info["message"])
    if message is asked.original:
        asked.original, asked.loading = None, False
    else:
        asked.follow_ups.remove(message)
    await discord.remove(message)
    return web.Response(status=204)


HOOK = "/webhooks/{app}/{token}"
ROUTES = (
    ("POST", "/interactions/{id}/{token}/callback", callback),
    ("POST", HOOK, follow_up),
    ("GET", HOOK + "/messages/{message}", get_reply),
    ("PATCH", HOOK + "/messages/{message}", edit_reply),
    ("DELETE", HOOK + "/messages/{message}", delete_reply),
)
