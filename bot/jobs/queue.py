"""The queue of durable work, on DBOS: a workflow an event, named by the event's ID.

DBOS is one for the whole process, so at most one `Jobs` is launched at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any, TypeVar

import sqlalchemy as sa
import structlog
from dbos import DBOS, DBOSClient, DBOSConfig, EnqueueOptions
from dbos import error as dbos_error
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bot import logs, metrics, traces
from bot.jobs.database import (
    JOB,
    UNFINISHED,
    Database,
    Sealing,
    beside,
    intake_engine,
    prepare,
    work_engine,
)
from bot.jobs.intake import Intake
from bot.keys import Keys
from bot.state.engine import StateError

Handler = Callable[[str, dict[str, Any], str], Awaitable[None]]
Tick = Callable[[datetime], Awaitable[None]]

APPLICATION = "smallprint"
JOBS = "jobs"
TICKS = "ticks"
TICK = "tick"

POLLING = 0.05  # seconds between two looks for waiting work
SUBMIT_PATIENCE = 8.0  # seconds after which a submission has failed; a platform redelivers it
AT_ONCE = 64  # pieces of work in hand at a time; those that wait for their next try are not counted
TRIES = 20
LONGEST_WAIT = 60.0  # seconds between two tries, unless the handler asks for more
STARTS = 10  # times that work is taken up again after a crash: it may be what crashes us
FINISHED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
MENDING = 5.0  # seconds between two looks for work that a failing database left behind
BATCH = 200  # rows that are deleted in one go

T = TypeVar("T")
log = structlog.get_logger(__name__)


class Again(Exception):  # noqa: N818 - no error: the handler's way to say "later"
    """The handler asks to be called again after so many seconds; the wait survives a crash."""

    def __init__(self, after: float, reason: str = "") -> None:
        super().__init__(reason or "later")
        self.after = after
        self.reason = reason or "later"


class Jobs:
    """Durable work of one process.

    url: the state's URL; the work is kept beside it. executor: this replica's name, the same after
    every restart and of nobody else. version: of the work's form; raised only when waiting work can
    no longer be understood. per_second: how much work of one lane is started in a second.
    """

    def __init__(
        self,
        url: str,
        *,
        keys: Keys,
        executor: str,
        version: str,
        per_second: float = 1.0,
        tries: int = TRIES,
        clock: Callable[[], float] = time.time,
        minute: float = 60.0,
    ) -> None:
        self._database: Database = beside(url)
        self._sealing = Sealing(keys)
        self._executor = executor
        self._version = version
        self._per_second = per_second
        self._tries = tries
        self._clock = clock
        self._minute = minute
        self._client: DBOSClient | None = None
        # One: a second writer would only wait for the first.
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="jobs")
        self._background: list[asyncio.Task[None]] = []
        self._active: set[str] = set()
        self._in_hand: set[asyncio.Task[Any]] = set()
        self._closing = False
        self._launched = False
        self._bookkeeping: sa.Engine | None = None
        self._engines: list[sa.Engine] = []

    async def launch(self, handler: Handler, tick: Tick | None = None) -> None:
        """Take up waiting work, then new work. Returns when work can be submitted.

        handler(kind, payload, job_id) is awaited on the running loop and must bear being called
        again from its start. tick(minute) is called once a minute over all replicas.
        Raises StateError where the database cannot be used.
        """
        self._loop = asyncio.get_running_loop()
        self._handler = handler
        self._tick = tick
        self._room = asyncio.Semaphore(AT_ONCE)
        with _told():
            await asyncio.to_thread(self._start)
        await self.open()
        self._background.append(asyncio.create_task(self._mend_on()))
        if tick is not None:
            self._background.append(asyncio.create_task(self._tick_on()))

    async def open(self) -> None:
        """Open the database for submitting alone; `launch` does so too. Raises StateError."""

        def opening() -> None:
            self._engines = [work_engine(self._database), intake_engine(self._database)]
            self._client = DBOSClient(
                system_database_engine=self._engines[0],
                dbos_system_schema=self._database.schema,
                serializer=self._sealing,
                application_name=APPLICATION,
                # A platform waits three seconds for us: better no answer than one that comes too late.
                retry_connection_errors=False,
            )

        await self._on_thread(opening)
        self._intake = Intake(self._opened(), self._engines[1], self._threads)

    async def submit(self, kind: str, job_id: str, payload: dict[str, Any], *, lane: str) -> bool:
        """Keep a piece of work. When this returns it survives everything but the loss of the disk.

        lane: what is limited to `per_second`, such as a channel. False: the ID is known and is not
        run again. Raises StateError when it cannot be kept now.
        """
        options = self._options(JOB, JOBS, job_id)
        options["queue_partition_key"] = lane
        return await self._enqueue(options, kind, payload, job_id)

    async def waiting(self) -> int:
        """How much work is not finished: waiting, in hand, or waiting for its next try."""

        def count() -> int:
            client = self._opened()
            found = client.list_workflows(status=UNFINISHED, name=JOB, load_input=False, load_output=False)
            return len(found)

        return await self._on_thread(count)

    async def purge(self, older: float) -> int:
        """Delete finished work that is older than so many seconds. Returns how much.

        Its IDs are forgotten with it, so `older` has to exceed any redelivery.
        """

        before = datetime.fromtimestamp(time.time() - older, UTC).isoformat()

        def delete() -> int:
            client = self._opened()
            found = client.list_workflows(
                status=FINISHED, completed_before=before, limit=BATCH, load_input=False, load_output=False
            )
            client.delete_workflows([one.workflow_id for one in found])
            return len(found)

        count = 0
        # A batch at a time: work that is handed in meanwhile does not wait for all of them.
        while gone := await self._on_thread(delete):
            count += gone
        return count

    async def close(self, grace: float = 5.0) -> None:
        """Stop. What is in hand gets `grace` seconds; the rest is done after the next start."""
        self._closing = True
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        if self._in_hand:
            await asyncio.wait(set(self._in_hand), timeout=grace)
        # Cancelled here, on their own loop, before DBOS would cancel them from another thread.
        for task in list(self._in_hand):
            task.cancel()
        await asyncio.to_thread(self._stop)

    def _start(self) -> None:
        _quiet()
        prepare(self._database)
        config: DBOSConfig = {
            "name": APPLICATION,
            "system_database_url": self._database.url,
            "db_engine_kwargs": self._database.engine,
            "executor_id": self._executor,
            "application_version": self._version,
            "serializer": self._sealing,
            "log_level": "WARNING",
            # We wait for nothing but the queue, which is polled; so nothing holds a session open.
            "use_listen_notify": False,
        }
        if self._database.schema is not None:
            config["dbos_system_schema"] = self._database.schema
        else:
            config["system_database_engine"] = self._bookkeeping = work_engine(self._database)
        self._launched = True
        DBOS(config=config)
        try:
            self._register()
            DBOS.launch()
            few = max(1, round(self._per_second))
            DBOS.register_queue(
                JOBS,
                partition_limiter={"limit": few, "period": few / self._per_second},
                polling_interval_sec=POLLING,
            )
            DBOS.register_queue(TICKS, polling_interval_sec=1.0)
        except BaseException:
            self._stop()
            raise

    def _register(self) -> None:
        # Functions, for a method cannot be a workflow.
        @DBOS.workflow(name=JOB, max_recovery_attempts=STARTS)
        async def job(kind: str, payload: dict[str, Any], job_id: str) -> None:
            await self._followed(job_id, self._job(kind, payload, job_id))

        @DBOS.workflow(name=TICK, max_recovery_attempts=STARTS)
        async def tick(at: float) -> None:
            await self._followed(tick_id(at), self._one_tick(at))

    def _stop(self) -> None:
        if self._launched:
            DBOS.destroy(destroy_registry=True)
            self._launched = False
            if self._bookkeeping is not None:
                self._bookkeeping.dispose()
        if self._client is not None:
            self._client.destroy()
            self._client = None
            for engine in self._engines:
                engine.dispose()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _followed(self, workflow_id: str, work: Coroutine[Any, Any, None]) -> None:
        """Run a workflow's work and know that it runs.

        Nothing of ours raises here: what does is DBOS that cannot reach its database. Ended as cancelled,
        the workflow counts as unfinished, and is taken up again.
        """
        self._active.add(workflow_id)
        try:
            await work
        except Exception as error:
            log.warning("job_interrupted", job=workflow_id, reason=type(error).__name__)
            raise asyncio.CancelledError from None
        finally:
            self._active.discard(workflow_id)

    async def _mend_on(self) -> None:
        """Take up again what counts as in hand here and is not: a failed database breaks work off midway."""
        before: set[str] = set()
        while True:
            await asyncio.sleep(MENDING)
            try:
                left = await self._on_thread(self._left_behind)
                # Only what was so at two looks: work that is just beginning or ending is neither.
                if stranded := sorted(left & before):
                    await self._on_thread(lambda ids=stranded: self._opened().resume_workflows(ids))  # type: ignore[misc]
                    log.warning("jobs_resumed", count=len(stranded))
                before = left - set(stranded)
            except StateError as error:
                log.warning("jobs_unreachable", reason=str(error))

    def _left_behind(self) -> set[str]:
        pending = self._opened().list_workflows(
            status="PENDING", executor_id=self._executor, load_input=False, load_output=False
        )
        return {one.workflow_id for one in pending} - self._active

    async def _job(self, kind: str, payload: dict[str, Any], job_id: str) -> None:
        """The workflow of one piece of work. Runs on DBOS's own loop."""
        for attempt in range(self._tries):
            after: float | None = await DBOS.run_step_async(
                {"name": "try"}, self._attempt, kind, payload, job_id, attempt
            )
            if after is None:
                return
            await DBOS.sleep_async(after)

    async def _attempt(self, kind: str, payload: dict[str, Any], job_id: str, attempt: int) -> float | None:
        """One call of the handler, on its loop. None: done, or given up; else seconds until the next."""
        handed = asyncio.run_coroutine_threadsafe(self._call(kind, payload, job_id), self._loop)
        refused = await asyncio.wrap_future(handed)
        if refused is None:
            return None
        after, reason = refused
        if attempt + 1 >= self._tries:
            metrics.gave_up(kind)
            log.error("job_gave_up", kind=kind, job=job_id, tries=self._tries, reason=reason)
            return None
        wait: float = max(after, min(LONGEST_WAIT, 0.5 * 2**attempt))
        log.info("job_again", kind=kind, job=job_id, attempt=attempt + 1, after=wait, reason=reason)
        return wait

    async def _call(self, kind: str, payload: dict[str, Any], job_id: str) -> tuple[float, str] | None:
        """Await the handler: None when it is done, else the seconds it asks for and why."""
        if self._closing:
            # Not begun: it stays with this executor and is taken up after the next start.
            await asyncio.Event().wait()
        task = asyncio.current_task()
        assert task is not None
        async with self._room:
            self._in_hand.add(task)
            try:
                with logs.for_request(job_id), traces.span("work", kind=kind, request=job_id):
                    await self._handler(kind, payload, job_id)
            except Again as again:
                return again.after, again.reason
            except Exception as error:
                # Its text may quote a message, so only its type is told.
                log.warning("job_failed", kind=kind, job=job_id, reason=type(error).__name__)
                return 0.0, type(error).__name__
            finally:
                self._in_hand.discard(task)
        return None

    async def _one_tick(self, at: float) -> None:
        """The workflow of one minute."""
        handed = asyncio.run_coroutine_threadsafe(self._call_tick(at), self._loop)
        await asyncio.wrap_future(handed)

    async def _call_tick(self, at: float) -> None:
        if self._tick is None:
            return
        try:
            await self._tick(datetime.fromtimestamp(at, UTC))
        except Exception as error:
            # The next minute comes anyway.
            log.warning("tick_failed", reason=type(error).__name__)

    async def _tick_on(self) -> None:
        while True:
            number = int(self._clock() // self._minute)
            await asyncio.sleep((number + 1) * self._minute - self._clock())
            try:
                at = (number + 1) * self._minute
                await self._enqueue(self._options(TICK, TICKS, tick_id(at)), at)
            except StateError as error:
                log.warning("tick_failed", reason=str(error))

    def _options(self, workflow: str, queue: str, job_id: str) -> EnqueueOptions:
        return {
            "workflow_name": workflow,
            "queue_name": queue,
            "workflow_id": job_id,
            "workflow_id_reuse_policy": "reject",
            "app_version": self._version,
        }

    async def _enqueue(self, options: EnqueueOptions, *arguments: Any) -> bool:
        self._opened()
        with _told():
            async with asyncio.timeout(SUBMIT_PATIENCE):
                return await self._intake.take(options, *arguments)

    async def _on_thread(self, action: Callable[[], T]) -> T:
        with _told():
            async with asyncio.timeout(SUBMIT_PATIENCE):
                return await asyncio.get_running_loop().run_in_executor(self._threads, action)

    def _opened(self) -> DBOSClient:
        if self._client is None:
            raise StateError("jobs database: not open")
        return self._client


def tick_id(at: float) -> str:
    """The ID of a minute's tick: every replica submits it, one gets through."""
    return f"tick-{at:.3f}"


@contextlib.contextmanager
def _told() -> Any:
    """Turn whatever the database can do wrong into a StateError."""
    try:
        yield
    except DBAPIError as error:
        lines = str(error.orig).strip().splitlines() or [type(error.orig).__name__]
        raise StateError(f"jobs database: {lines[0]}") from None
    except TimeoutError:
        raise StateError("jobs database: no answer in time") from None
    except (SQLAlchemyError, dbos_error.DBOSException) as error:
        raise StateError(f"jobs database: {type(error).__name__}") from None


def _quiet() -> None:
    """Let DBOS's log go where ours goes, and not to standard error by itself."""
    logger = logging.getLogger("dbos")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    logger.propagate = True
