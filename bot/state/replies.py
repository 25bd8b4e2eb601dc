"""The outbox: one row a reply, claimed by one piece of work, with what it said but not what it answered."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bot.events import Place
from bot.state.base import Base, stands, within
from bot.state.records import Content, ReplyKind, SentReply, Status
from bot.state.tables import feedback, replies

ID_BYTES = 16  # of randomness in a reply's ID, which stands in every button
SHOWN: tuple[Status, ...] = ("posting", "posted")

# A message that is asked about and holds a vendor's link is answered once: both kinds share a slot.
SLOTS: dict[ReplyKind, str] = {
    "answer": "answer",
    "links": "answer",
    "digest": "digest",
    "private": "private",
}


class Replies(Base):
    """Replies that are being sent, that were sent, and that one person saw."""

    async def claim(
        self, place: Place, source: str, kind: ReplyKind, *, work: str, poster: str
    ) -> tuple[SentReply, bool]:
        """The reply to `source`, made now if there is none, and whether `work` owns it.

        However many pieces of work claim it at once, in however many replicas, one owns it.
        """
        row = self._new(place, source, kind, work=work, poster=poster)
        unless = [*stands(place), "slot", "source"]
        async with self._write() as connection:
            insert = self._insert(replies).values(**row).on_conflict_do_nothing(index_elements=unless)
            await connection.execute(insert)
            wanted = sa.select(replies).where(
                within(replies, place), replies.c.slot == row["slot"], replies.c.source == source
            )
            found = self._reply((await connection.execute(wanted)).one())
        return found, found.work == work

    async def take_over(self, reply_id: str, kind: ReplyKind, *, work: str) -> bool:
        """Make a reply that was decided against `work`'s own; of many askers one gets True."""
        silent = sa.and_(replies.c.id == reply_id, replies.c.status == "silent")
        update = replies.update().where(silent).values(kind=kind, work=work, status="open")
        async with self._write() as connection:
            return (await connection.execute(update)).rowcount > 0

    async def private(self, place: Place, poster: str, content: Content) -> SentReply:
        """Keep an answer that only `poster` saw, so that it can be shared."""
        row = self._new(place, "", "private", work="", poster=poster)
        row |= {"source": row["id"], "status": "posted", **self._said(content)}
        async with self._write() as connection:
            await connection.execute(replies.insert().values(**row))
        found = await self.reply(str(row["id"]))
        assert found is not None
        return found

    async def mark(
        self, reply_id: str, status: Status, *, message: str | None = None, content: Content | None = None
    ) -> None:
        """Note how far a reply got; message and content stay as they were where they are not given."""
        values: dict[str, Any] = {"status": status}
        if message is not None:
            values["message"] = message
        if content is not None:
            values |= self._said(content)
        async with self._write() as connection:
            await connection.execute(replies.update().where(replies.c.id == reply_id).values(**values))

    async def reply(self, reply_id: str) -> SentReply | None:
        """A reply by its ID."""
        return self._first(await self._replies(replies.c.id == reply_id, limit=1))

    async def reply_to(self, place: Place, source: str) -> SentReply | None:
        """Our reply to a message of this channel."""
        wanted = sa.and_(within(replies, place), replies.c.slot == "answer", replies.c.source == source)
        return self._first(await self._replies(wanted, limit=1))

    async def reply_at(self, place: Place, message: str) -> SentReply | None:
        """The reply that a message of ours in this channel is."""
        wanted = sa.and_(within(replies, place), replies.c.message == message)
        return self._first(await self._replies(wanted, limit=1))

    async def replies_in_thread(self, place: Place) -> list[SentReply]:
        """Our replies in the place's thread that are still there, the newest first.

        Empty outside of threads. A reply to the thread's root message belongs to it.
        """
        if place.thread is None:
            return []
        there = sa.or_(replies.c.thread == place.thread, replies.c.source == place.thread)
        shown = replies.c.status.in_(SHOWN)
        return await self._replies(sa.and_(within(replies, place), there, shown, replies.c.slot == "answer"))

    async def recent(self, place: Place, person: str = "", limit: int = 10) -> list[SentReply]:
        """The newest replies that are there: to a person in a workspace, or in a channel without `person`."""
        if person:
            wanted = sa.and_(
                replies.c.platform == place.platform,
                replies.c.workspace == place.workspace,
                replies.c.poster == person,
            )
        else:
            wanted = sa.and_(within(replies, place), replies.c.kind != "private")
        return await self._replies(sa.and_(wanted, replies.c.status == "posted"), limit=limit)

    async def feedback(self, reply_id: str, person: str, helpful: bool) -> bool:
        """Keep a person's last word on a reply. False where there is no such reply any more."""
        async with self._write() as connection:
            known = await connection.scalar(sa.select(replies.c.id).where(replies.c.id == reply_id))
            if known is None:
                return False
            put = self._put(feedback, reply=reply_id, person=person, helpful=helpful, at=self._clock())
            await connection.execute(put)
        return True

    async def verdict_counts(self, place: Place, since: float) -> dict[str, int]:
        """How often each verdict was given in a channel since then, in replies that were posted there."""
        wanted = sa.select(replies.c.verdicts).where(
            within(replies, place),
            replies.c.created >= since,
            replies.c.status == "posted",
            replies.c.slot == "answer",
        )
        counts: Counter[str] = Counter()
        async with self._read() as connection:
            for (verdicts,) in await connection.execute(wanted):
                counts.update(verdicts or {})
        return dict(counts)

    def _new(self, place: Place, source: str, kind: ReplyKind, *, work: str, poster: str) -> dict[str, Any]:
        return {
            "id": secrets.token_urlsafe(ID_BYTES),
            **stands(place),
            "slot": SLOTS[kind],
            "source": source,
            "kind": kind,
            "work": work,
            "poster": poster,
            "thread": place.thread,
            "direct": place.direct,
            "shared": place.shared,
            "status": "open",
            "created": self._clock(),
        }

    def _said(self, content: Content) -> dict[str, Any]:
        fields = {"claims": content.claims, "receipt": content.receipt, "links": list(content.links)}
        return {
            "language": content.language,
            "article": content.article,
            "verdicts": content.verdicts,
            "fields": self._keys.seal(json.dumps(fields)),
        }

    async def _replies(self, wanted: sa.ColumnElement[bool], limit: int = 50) -> list[SentReply]:
        newest = (
            sa.select(replies).where(wanted).order_by(replies.c.created.desc(), replies.c.id).limit(limit)
        )
        async with self._read() as connection:
            return [self._reply(row) for row in await connection.execute(newest)]

    @staticmethod
    def _first(found: Sequence[SentReply]) -> SentReply | None:
        return found[0] if found else None

    def _reply(self, row: sa.Row[Any]) -> SentReply:
        return SentReply(
            id=row.id,
            kind=row.kind,
            work=row.work,
            place=Place(row.platform, row.workspace, row.channel, row.thread, row.direct, row.shared),
            source=row.source,
            poster=row.poster,
            status=row.status,
            message=row.message,
            content=self._content(row),
            created=row.created,
        )

    def _content(self, row: sa.Row[Any]) -> Content | None:
        if row.language is None:
            return None
        fields = json.loads(self._keys.open(row.fields)) if row.fields else {}
        return Content(
            language=row.language,
            claims=fields.get("claims"),
            article=row.article,
            links=tuple(fields.get("links", ())),
            verdicts=row.verdicts or {},
            receipt=fields.get("receipt"),
        )
