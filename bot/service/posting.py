"""A reply on its way out: posted once, found again after a crash, never doubled."""

from __future__ import annotations

import structlog

from bot import metrics
from bot.events import Place
from bot.jobs import Again
from bot.page import Page
from bot.ports import CannotLookError, NotNowError, Port, Post, RefusedError
from bot.reply import Reply
from bot.state import State
from bot.state.records import Content, SentReply

log = structlog.get_logger(__name__)


def post_of(record: SentReply, reply: Reply | Page, place: Place | None = None) -> Post:
    """The post of a record: its ID travels with it, so that it can be found again."""
    return Post(
        key=record.id,
        place=place or record.place,
        reply=reply,
        source=record.source if record.kind in ("answer", "links") else None,
        poster=record.poster or None,
        quiet=record.kind in ("links", "digest"),
    )


async def deliver(state: State, port: Port, record: SentReply, reply: Reply | Page, content: Content) -> bool:
    """Post a reply that is not posted yet; True if it stands in the channel afterwards.

    The record is marked before the platform is asked and after it answered. Between the two marks
    nobody knows: then the post is looked for, and where the installation may not look, it counts
    as lost rather than being posted twice. Raises Again for what may work later.
    """
    post = post_of(record, reply)
    if record.status == "posting" and (settled := await _looked_up(state, port, record, post)) is not None:
        return settled
    await state.mark(record.id, "posting", content=content)
    try:
        message = await port.post(post)
    except NotNowError as error:
        if error.sure:
            await state.mark(record.id, "open")
        metrics.postponed(record.place.platform, error.reason)
        raise Again(error.after) from error
    except RefusedError as error:
        await state.mark(record.id, "silent")
        log.warning("post_refused", reason=error.reason, platform=record.place.platform, reply=record.id)
        return False
    await state.mark(record.id, "posted", message=message)
    metrics.posted(record.place.platform, record.kind)
    return True


async def _looked_up(state: State, port: Port, record: SentReply, post: Post) -> bool | None:
    """Whether an earlier try arrived; None where it certainly did not."""
    try:
        message = await port.find(post)
    except NotNowError as error:
        raise Again(error.after) from error
    except (CannotLookError, RefusedError) as error:
        await state.mark(record.id, "lost")
        log.warning("post_lost", platform=record.place.platform, reply=record.id, reason=error.reason)
        return False
    if message is None:
        return None
    await state.mark(record.id, "posted", message=message)
    return True


async def replace(state: State, port: Port, record: SentReply, reply: Reply | Page, content: Content) -> None:
    """Put an answer in the place of the one that stands in the channel. Raises Again."""
    assert record.message is not None
    try:
        await port.update(post_of(record, reply), record.message)
    except NotNowError as error:
        raise Again(error.after) from error
    except RefusedError as error:
        log.warning("update_refused", reason=error.reason, platform=record.place.platform, reply=record.id)
        return
    await state.mark(record.id, "posted", content=content)


async def take_back(state: State, port: Port, record: SentReply) -> None:
    """Delete a reply of ours. Raises Again."""
    if record.message is not None:
        try:
            await port.remove(record.place, record.message)
        except NotNowError as error:
            raise Again(error.after) from error
        except RefusedError as error:
            log.warning(
                "remove_refused", reason=error.reason, platform=record.place.platform, reply=record.id
            )
    await state.mark(record.id, "removed")
