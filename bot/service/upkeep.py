"""What happens by the clock: digests, forgetting what is old, new rows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

import structlog

from bot import answer
from bot.jobs import Jobs
from bot.service.digests import Digests
from bot.service.readers import Readers
from bot.settings import settings
from bot.state import State
from bot.state.records import Retention
from knowledge.errors import KnowledgeError
from knowledge.sync import SyncReport, sync

log = structlog.get_logger(__name__)

PURGE_AT = 17  # minute of every hour: not when everybody else's hourly work runs
LOOK = 300.0  # seconds between two looks whether another replica fetched new rows
KEEP_WORK = 86_400.0  # seconds that finished work is kept: longer than any platform delivers again


class Upkeep:
    """The work of the minute, done by one of all replicas, and each replica's own rows."""

    def __init__(
        self,
        state: State,
        jobs: Jobs,
        readers: Readers,
        digests: Digests,
        retention: Retention,
        keep_work: float,
    ) -> None:
        self._state, self._jobs, self._readers, self._digests = state, jobs, readers, digests
        self._retention, self._keep_work = retention, keep_work

    async def tick(self, minute: datetime) -> None:
        """One minute: runs once over all replicas. What fails does not keep the rest from its turn."""
        steps: list[tuple[str, Callable[[], Awaitable[None]]]] = [
            ("digests", lambda: self._digests.tick(minute))
        ]
        if minute.minute == PURGE_AT:
            steps.append(("purge", self.purge))
        if (minute.hour, minute.minute) == (settings().sync_hour, 0):
            steps.append(("sync", self.sync))
        for name, step in steps:
            try:
                await step()
            except Exception as error:  # the next minute, hour or day comes anyway
                log.warning("upkeep_failed", kind=name, reason=type(error).__name__)

    async def purge(self) -> None:
        """Forget what is older than it may be kept."""
        counts = await self._state.purge(self._retention)
        counts["work"] = await self._jobs.purge(self._keep_work)
        for name, count in counts.items():
            if count:
                log.info("purged", kind=name, count=count)

    async def sync(self) -> None:
        """Fetch new and changed rows, and tell the other replicas which version there is now."""
        report = await self._fetched()
        if report is not None and report.changed:
            await self._state.synced(report.version, report.checksum, report.base)

    async def follow(self) -> None:
        """Keep this replica's rows at the version that another one fetched. Runs until cancelled."""
        tried = ""  # a version that this replica cannot reach is not asked for again and again
        while True:
            await asyncio.sleep(LOOK)
            try:
                newest = await self._state.syncs()
                here = await self._readers.call(lambda: answer.desk().store.version)
                if newest and newest[0].version not in (here, tried):
                    tried = newest[0].version
                    await self._fetched()
            except Exception as error:  # the rows of today still answer
                log.warning("follow_failed", reason=type(error).__name__)

    async def _fetched(self) -> SyncReport | None:
        try:
            # On a thread of its own: the reading thread goes on answering meanwhile.
            return await asyncio.to_thread(sync, base=settings().published, proxy=settings().proxy)
        except KnowledgeError as error:
            log.warning("sync_failed", reason=str(error))
            return None
