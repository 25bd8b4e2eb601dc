"""What the core asks of Discord: post, find, change, remove, read."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeVar

import aiohttp
import discord

from bot.discord.drawing import embeds_of, view_of
from bot.discord.permissions import may_embed, may_start_threads
from bot.discord.translate import BETWEEN, own_id
from bot.events import Place, Platform
from bot.page import Page
from bot.ports import CannotLookError, Message, NotNowError, Post, RefusedError
from bot.render import discord as render
from bot.render.discord.limits import NONCE, THREAD_NAME
from bot.telling.naming import cut

Result = TypeVar("Result")

# developers/topics/opcodes-and-status-codes.mdx, JSON error codes
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
THREAD_EXISTS = 160004
LATER = 5.0  # seconds to wait after a failure of Discord's own
LOOK_BACK = 100  # messages after the source among which an earlier try of a post is looked for
ARCHIVE: Literal[1440] = 1440  # minutes without a word until a thread is put away
NO_MENTIONS = discord.AllowedMentions.none()


def nonce(key: str) -> str:
    """The same for every try of a post: with enforce_nonce Discord makes one message of them."""
    return hashlib.sha256(key.encode()).hexdigest()[:NONCE]


class DiscordPort:
    """One guild, or all direct conversations. Our messages' IDs hold the channel: a thread is one too."""

    platform: Platform = "discord"

    def __init__(self, bot: discord.Client) -> None:
        self._bot = bot

    async def post(self, post: Post) -> str:
        """Post a reply: in its thread, in a new one at the message, else as a plain reply to it."""
        channel, reference = await self._where(post)
        try:
            sent = await self._send(channel, post, reference)
        except RefusedError as error:
            # The thread is gone.
            if post.place.thread is None or error.reason not in (str(UNKNOWN_CHANNEL), "50001"):
                raise
            sent = await self._send(int(post.place.channel), post, post.source)
        return own_id(sent.channel.id, sent.id)

    async def _where(self, post: Post) -> tuple[int, str | None]:
        """The channel to post in, and the message to reply to there."""
        place = post.place
        if place.thread is not None and not place.direct:
            return int(place.thread), post.source
        if post.source is None or place.direct or not snowflake(post.source):
            return int(place.channel), post.source
        thread = await self._thread(int(place.channel), int(post.source), post)
        return (thread, None) if thread else (int(place.channel), post.source)

    async def _thread(self, channel: int, message: int, post: Post) -> int | None:
        """A thread at the message, None where we may not start one. Its ID is the message's own."""
        found = self._bot.get_channel(channel)
        if not isinstance(found, discord.TextChannel) or not may_start_threads(found):
            return None
        try:
            await calling(
                lambda: found.get_partial_message(message).create_thread(
                    name=thread_name(post), auto_archive_duration=ARCHIVE
                )
            )
        except RefusedError as error:
            return message if error.reason == str(THREAD_EXISTS) else None
        return message

    async def _send(self, channel: int, post: Post, reference: str | None) -> discord.Message:
        made = self._drawn(post, channel)
        target = self._messages(channel)
        found: dict[str, Any] = {}
        if reference is not None and snowflake(reference):
            found["reference"] = discord.MessageReference(
                message_id=int(reference), channel_id=channel, fail_if_not_exists=False
            )
        view = view_of(made.rows)
        if view is not None:
            found["view"] = view
        return await calling(
            lambda: target.send(
                made.content,
                embeds=embeds_of(made),
                allowed_mentions=NO_MENTIONS,
                mention_author=False,
                silent=post.quiet,
                nonce=nonce(post.key),
                **found,
            )
        )

    async def find(self, post: Post) -> str | None:
        """The post of an earlier try, by the reply's ID in its buttons."""
        place = post.place
        channels = [place.channel]
        if not place.direct:
            channels += [one for one in (place.thread, post.source) if one]
        for channel in dict.fromkeys(channels):
            if not snowflake(channel):
                continue
            found = await looking(lambda channel=channel: self._look(int(channel), post))  # type: ignore[misc]
            if found is not None:
                return own_id(int(channel), found)
        return None

    async def _look(self, channel: int, post: Post) -> int | None:
        """Our post among the first messages after its source; without one among the newest, where it was due.

        Raises CannotLookError where it may stand behind those.
        """
        me, seen = self._bot.user, 0
        after = discord.Object(int(post.source)) if post.source and snowflake(post.source) else None
        async for message in self._messages(channel).history(
            limit=LOOK_BACK, after=after, oldest_first=after is not None
        ):
            seen += 1
            if me is not None and message.author.id == me.id and post.key in keys(message):
                return message.id
        if after is not None and seen == LOOK_BACK:
            raise CannotLookError("too_many_messages")
        return None

    async def update(self, post: Post, message: str) -> None:
        """Put a reply in the place of one of ours."""
        target = self._at(post.place, message)
        made = self._drawn(post, target.channel.id)
        await calling(
            lambda: target.edit(
                content=made.content,
                embeds=embeds_of(made),
                view=view_of(made.rows),
                allowed_mentions=NO_MENTIONS,
            )
        )

    async def remove(self, place: Place, message: str) -> None:
        """Delete a message of ours; one that is gone is removed."""
        try:
            await calling(lambda: self._at(place, message).delete())
        except RefusedError as error:
            if error.reason not in (str(UNKNOWN_MESSAGE), str(UNKNOWN_CHANNEL)):
                raise

    async def read(self, place: Place, message: str) -> Message | None:
        """A message by its ID; where the intent is missing Discord blanks what it says."""
        if not snowflake(message.rpartition(BETWEEN)[2]):
            return None
        found = await looking(lambda: self._at(place, message).fetch())
        if found is None:
            return None
        if (
            not found.content
            and found.author != self._bot.user
            and not found.embeds
            and not found.attachments
        ):
            raise CannotLookError("message_content")
        return Message(
            message,
            str(found.author.id),
            found.content,
            found.author.bot or found.webhook_id is not None,
            found.created_at.timestamp(),
        )

    def _drawn(self, post: Post, channel: int) -> render.Message:
        """A post as Discord shows it in a channel: as text, where it would take the embeds away."""
        made = drawn(post)
        if may_embed(self._bot.get_channel(channel)):
            return made
        return render.Message(made.plain, (), made.rows)

    def _at(self, place: Place, message: str) -> discord.PartialMessage:
        channel, _, own = message.rpartition(BETWEEN)
        where = channel or (place.thread if place.thread and not place.direct else place.channel)
        return self._messages(int(where)).get_partial_message(int(own))

    def _messages(self, channel: int) -> discord.PartialMessageable:
        return self._bot.get_partial_messageable(channel)


def snowflake(text: str) -> bool:
    """Whether a text is an ID of Discord's; a shared answer's source is one of ours."""
    return text.isascii() and text.isdigit()


def thread_name(post: Post) -> str:
    """A thread is called after what the reply says first."""
    said = post.reply.title if isinstance(post.reply, Page) else _word(post)
    return cut(" ".join(said.split()), THREAD_NAME) or "Smallprint"


def _word(post: Post) -> str:
    assert not isinstance(post.reply, Page)
    parts = post.reply.parts
    return parts[0].headline.word.rstrip(":") if parts else post.reply.fallback


def drawn(post: Post) -> render.Message:
    """A post as Discord shows it; its ID is in every button, by which it is found again."""
    if isinstance(post.reply, Page):
        return render.page(post.reply, reply_id=post.key, digest=post.source is None)
    return render.message(post.reply, reply_id=post.key)


def keys(message: discord.Message) -> frozenset[str]:
    """The reply IDs in a message's buttons."""
    found = set()
    for row in message.components:
        for item in getattr(row, "children", ()):
            parts = str(getattr(item, "custom_id", "") or "").split(":")
            found.update(parts[2:3])
    return frozenset(found)


async def calling(call: Callable[[], Awaitable[Result]]) -> Result:
    """A call of the REST API. Raises RefusedError or NotNowError."""
    try:
        return await call()
    except discord.RateLimited as error:
        raise NotNowError("rate_limited", error.retry_after, sure=True) from None
    except discord.HTTPException as error:
        raise refusal(error) from None
    except (TimeoutError, aiohttp.ClientError, OSError) as error:
        # Nobody knows whether Discord carried it out; the nonce makes one message of two tries.
        raise NotNowError(type(error).__name__, LATER) from None


async def looking(call: Callable[[], Awaitable[Result]]) -> Result | None:
    """The same for a look at what stands there: None where it is gone. Raises CannotLookError too."""
    try:
        return await calling(call)
    except RefusedError as error:
        if error.reason in (str(UNKNOWN_MESSAGE), str(UNKNOWN_CHANNEL)):
            return None
        if error.reason.startswith("50"):  # 50001 missing access, 50013 missing permissions
            raise CannotLookError(error.reason) from None
        raise


def refusal(error: discord.HTTPException) -> RefusedError | NotNowError:
    """What Discord's answer means for another try."""
    if error.status == 429:
        return NotNowError("rate_limited", LATER, sure=True)
    if error.status >= 500:
        return NotNowError(str(error.status), LATER)
    return RefusedError(str(error.code or error.status))
