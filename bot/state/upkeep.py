"""What is fetched and kept for a while, and what is forgotten: by age, by a person's or workspace's wish."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.events import Platform
from bot.keys import KeysError
from bot.state.base import Base, of_workspace
from bot.state.records import Retention, Sync
from bot.state.resealing import reseal
from bot.state.tables import (
    cache,
    changes,
    decisions,
    digests,
    facts,
    feedback,
    links,
    preferences,
    replies,
    subscriptions,
    syncs,
)

DAY = 24 * 3600.0
MARKER = "keys"  # the fact that tells whether the keys are those that sealed what is stored
OF_WORKSPACES = (preferences, changes, replies, links, decisions, subscriptions, digests)


class Upkeep(Base):
    """Cache, versions of the rows, retention and keys."""

    async def cached(self, key: str, since: float = 0.0) -> str | None:
        """What was kept under a key since then, such as a fetched article under its address."""
        wanted = sa.select(cache.c.value).where(
            cache.c.digest.in_(self._keys.digests(key)), cache.c.at >= since
        )
        async with self._read() as connection:
            sealed = await connection.scalar(wanted.order_by(cache.c.at.desc()).limit(1))
        return None if sealed is None else self._keys.open(sealed)

    async def keep(self, key: str, value: str) -> None:
        """Keep a text under a key, sealed; of the key only a keyed hash."""
        put = self._put(cache, digest=self._keys.digest(key), value=self._keys.seal(value), at=self._clock())
        async with self._write() as connection:
            await connection.execute(put)

    async def synced(self, version: str, checksum: str, source: str) -> None:
        """Note which version of the published rows was fetched, for the other replicas."""
        row = {"version": version, "checksum": checksum, "source": source, "at": self._clock()}
        async with self._write() as connection:
            await connection.execute(syncs.insert().values(**row))

    async def syncs(self, limit: int = 1) -> list[Sync]:
        """The versions that were fetched, the newest first."""
        async with self._read() as connection:
            newest = sa.select(syncs).order_by(syncs.c.id.desc()).limit(limit)
            return [
                Sync(row.version, row.checksum, row.source, row.at)
                for row in await connection.execute(newest)
            ]

    async def forget_person(self, platform: Platform, person: str) -> int:
        """Delete what is kept of a person: settings, feedback, private answers, their name elsewhere.

        Replies that others see stay, without the person. Returns how many rows were touched.
        """
        mine = preferences.c.scope == "person", preferences.c.scope_id == person
        on_platform = sa.select(replies.c.id).where(replies.c.platform == platform)
        theirs = replies.c.platform == platform, replies.c.poster == person
        steps: tuple[sa.Delete | sa.Update, ...] = (
            preferences.delete().where(preferences.c.platform == platform, *mine),
            changes.delete().where(
                changes.c.platform == platform, changes.c.scope == "person", changes.c.scope_id == person
            ),
            changes.update().where(changes.c.platform == platform, changes.c.by == person).values(by=""),
            feedback.delete().where(feedback.c.person == person, feedback.c.reply.in_(on_platform)),
            replies.delete().where(*theirs, replies.c.kind == "private"),
            replies.update().where(*theirs).values(poster=""),
            subscriptions.update()
            .where(subscriptions.c.platform == platform, subscriptions.c.by == person)
            .values(by=""),
        )
        async with self._write() as connection:
            return sum([await _count(connection, step) for step in steps])

    async def forget_workspace(self, platform: Platform, workspace: str) -> int:
        """Delete everything that is kept of a workspace. Returns how many rows went."""
        async with self._write() as connection:
            gone = [
                await _count(connection, table.delete().where(of_workspace(table, platform, workspace)))
                for table in OF_WORKSPACES
            ]
        return sum(gone)

    async def purge(self, retention: Retention) -> dict[str, int]:
        """Forget what is older than it may be. Returns how much of what was forgotten."""
        now = self._clock()

        def older(column: sa.ColumnElement[float], days: float) -> sa.ColumnElement[bool]:
            return column < now - days * DAY

        # The newest digest of a channel stays: the next one tells what came after it.
        newest = digests.alias()
        later = sa.exists().where(
            *(newest.c[name] == digests.c[name] for name in ("platform", "workspace", "channel")),
            newest.c.at > digests.c.at,
        )
        latest = sa.select(sa.func.max(syncs.c.id)).scalar_subquery()
        steps: dict[str, sa.Delete | sa.Update] = {
            "replies": replies.delete().where(older(replies.c.created, retention.replies)),
            "fields": replies.update()
            .where(older(replies.c.created, retention.fields), replies.c.fields.is_not(None))
            .values(fields=None, article=None),
            "cache": cache.delete().where(older(cache.c.at, retention.cache)),
            "links": links.delete().where(older(links.c.at, retention.links)),
            "changes": changes.delete().where(older(changes.c.at, retention.log)),
            "decisions": decisions.delete().where(older(decisions.c.at, retention.log)),
            "digests": digests.delete().where(older(digests.c.at, retention.log), later),
            "syncs": syncs.delete().where(older(syncs.c.at, retention.log), syncs.c.id < latest),
        }
        async with self._write() as connection:
            return {name: await _count(connection, step) for name, step in steps.items()}

    async def check_keys(self) -> None:
        """See that the keys are those of what is stored. Raises KeysError with one line.

        A start with other keys would lose what waits and could not say what was answered.
        """
        async with self._write() as connection:
            fresh = self._insert(facts).values(name=MARKER, value=self._keys.seal(MARKER))
            await connection.execute(fresh.on_conflict_do_nothing())
            sealed = await connection.scalar(sa.select(facts.c.value).where(facts.c.name == MARKER))
        try:
            self._keys.open(sealed or "")
        except KeysError:
            raise KeysError("the state was sealed with other keys than these; nothing was changed") from None

    async def rotate(self) -> int:
        """Seal everything that is stored with the first key. Returns how many values; safe to repeat."""
        async with self._write() as connection:
            return await connection.run_sync(reseal, self._keys)


async def _count(connection: AsyncConnection, step: sa.Delete | sa.Update) -> int:
    result: sa.CursorResult[Any] = await connection.execute(step)
    return result.rowcount
