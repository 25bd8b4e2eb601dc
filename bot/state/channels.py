"""What is known of a channel: its last decision, the links answered there, its digest."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from bot.events import Place, Platform
from bot.state.base import Base, stands, within
from bot.state.records import LastDecision, Subscription
from bot.state.tables import decisions, digests, links, subscriptions


class Channels(Base):
    """Decisions, links and digests by channel."""

    async def decided(self, place: Place, action: str, reason: str) -> None:
        """Keep the newest decision of a channel: codes, no content."""
        put = self._put(decisions, **stands(place), action=action, reason=reason, at=self._clock())
        async with self._write() as connection:
            await connection.execute(put)

    async def last_decision(self, place: Place) -> LastDecision | None:
        """The newest decision of a channel."""
        async with self._read() as connection:
            row = (await connection.execute(sa.select(decisions).where(within(decisions, place)))).first()
        return LastDecision(row.action, row.reason, row.at) if row else None

    async def saw_link(self, place: Place, link: str, at: float | None = None) -> None:
        """Note that a link was answered in a channel. Only a keyed hash of `link` is kept."""
        digest = self._keys.digest(link)
        put = self._put(links, **stands(place), digest=digest, at=self._clock() if at is None else at)
        async with self._write() as connection:
            await connection.execute(put)

    async def link_seen(self, place: Place, link: str, since: float) -> bool:
        """Whether a link was answered in a channel since then."""
        wanted = sa.select(links.c.at).where(
            within(links, place), links.c.digest.in_(self._keys.digests(link)), links.c.at >= since
        )
        async with self._read() as connection:
            return (await connection.execute(wanted.limit(1))).first() is not None

    async def take_link(self, place: Place, link: str, since: float) -> bool:
        """Note that a link is being answered, unless it was since then: of many askers one gets True."""
        newest, *older = self._keys.digests(link)
        insert = self._insert(links).values(**stands(place), digest=newest, at=self._clock())
        # A row that another transaction has just written is seen by the update's own condition.
        put = insert.on_conflict_do_update(
            index_elements=[column.name for column in links.primary_key],
            set_={"at": insert.excluded.at},
            where=links.c.at < since,
        )
        under_old_key = sa.select(links.c.at).where(
            within(links, place), links.c.digest.in_(older), links.c.at >= since
        )
        async with self._write() as connection:
            if older and (await connection.execute(under_old_key)).first() is not None:
                return False
            return (await connection.execute(put.returning(links.c.at))).first() is not None

    async def subscribe(self, place: Place, options: dict[str, Any], by: str) -> None:
        """Subscribe a channel to the digest, or change what it is to hold. `options` is JSON."""
        put = self._put(
            subscriptions,
            **stands(place),
            direct=place.direct,
            shared=place.shared,
            options=options,
            by=by,
            created=self._clock(),
        )
        async with self._write() as connection:
            await connection.execute(put)

    async def unsubscribe(self, place: Place) -> bool:
        """End a channel's subscription. False where there was none."""
        async with self._write() as connection:
            gone = await connection.execute(subscriptions.delete().where(within(subscriptions, place)))
        return gone.rowcount > 0

    async def subscriptions(
        self, platform: Platform | None = None, workspace: str | None = None
    ) -> list[Subscription]:
        """The subscribed channels: of a workspace, of a platform, or all."""
        wanted = sa.select(subscriptions).order_by(*subscriptions.primary_key)
        if platform is not None:
            wanted = wanted.where(subscriptions.c.platform == platform)
        if workspace is not None:
            wanted = wanted.where(subscriptions.c.workspace == workspace)
        async with self._read() as connection:
            return [
                Subscription(
                    Place(row.platform, row.workspace, row.channel, direct=row.direct, shared=row.shared),
                    row.options,
                    row.by,
                    row.created,
                )
                for row in await connection.execute(wanted)
            ]

    async def digest_mark(self, place: Place) -> str | None:
        """How far the data had come that a channel's newest digest told; None before the first."""
        wanted = (
            sa.select(digests.c.mark)
            .where(within(digests, place))
            .order_by(digests.c.at.desc(), digests.c.period.desc())
            .limit(1)
        )
        async with self._read() as connection:
            return await connection.scalar(wanted)

    async def set_digest_mark(self, place: Place, mark: str, period: str) -> bool:
        """Note that a channel was told the digest of a period. False where it already was."""
        row = {**stands(place), "period": period, "mark": mark, "at": self._clock()}
        insert = self._insert(digests).values(**row).on_conflict_do_nothing()
        async with self._write() as connection:
            return (await connection.execute(insert.returning(digests.c.at))).first() is not None

    async def digest_told(self, place: Place, period: str) -> bool:
        """Whether a channel was told the digest of a period."""
        wanted = sa.select(digests.c.at).where(within(digests, place), digests.c.period == period)
        async with self._read() as connection:
            return (await connection.execute(wanted)).first() is not None
