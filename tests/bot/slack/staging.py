"""A whole Slack on the loopback interface with the real edge, the real core and slack_bolt between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from aiohttp import web

from bot.jobs import Again
from bot.keys import Keys
from bot.service import Service
from bot.service.readers import Readers
from bot.slack.edge import SlackEdge, connect
from bot.slack.settings import SlackSettings
from bot.state import State
from tests.bot.service.conftest import READERS, ScriptedLinks
from tests.conftest import ROOT
from tests.fakes.slack import Channel, Message, Slack, User, Workspace

if TYPE_CHECKING:
    from bot.jobs import Jobs

Handler = Callable[[str, dict[str, Any], str], Awaitable[None]]

CLAIM = "GB300 is 48 % faster per GPU than MI355X on GPT-OSS-120B offline in MLPerf Inference v6.1."
OPEN_CLAIM = "GB300 is 20 % faster than MI355X."
WORD = "True, but not like for like:"
LINK = "https://blogs.nvidia.com/blog/mlperf"


class MemoryJobs:
    """The queue of bot.jobs in memory, for scenes that end with their process: a lane goes in order."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._lanes: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._handler: Handler | None = None

    async def launch(self, handler: Handler, tick: object = None) -> None:
        """Begin to work."""
        self._handler = handler

    async def submit(self, kind: str, job_id: str, payload: dict[str, Any], *, lane: str) -> bool:
        """Take a job; a known one is not run again."""
        if job_id in self._known:
            return False
        self._known.add(job_id)
        lock = self._lanes.setdefault(lane, asyncio.Lock())
        task = asyncio.get_running_loop().create_task(self._run(kind, payload, job_id, lock))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _run(self, kind: str, payload: dict[str, Any], job_id: str, lock: asyncio.Lock) -> None:
        assert self._handler is not None
        async with lock:
            for _ in range(10):
                try:
                    await self._handler(kind, payload, job_id)
                    return
                except Again as again:
                    await asyncio.sleep(min(again.after, 0.05))

    async def waiting(self) -> int:
        """How many jobs are not done."""
        return len(self._tasks)

    async def close(self) -> None:
        """Work no more."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class SharedReaders(Readers):
    """The reading thread of all scenes: it is warm after the first one, and outlives each."""

    _shared = ThreadPoolExecutor(1, thread_name_prefix="reading")
    _warm = False

    def __init__(self) -> None:
        self._pool = self._shared

    async def warm(self) -> None:
        """Wait for it once."""
        if not SharedReaders._warm:
            await super().warm()
            SharedReaders._warm = True

    def close(self) -> None:
        """The next scene goes on with it."""


@dataclass
class Stage:
    """One workspace with two people and a channel; the app is connected."""

    slack: Slack
    edge: SlackEdge
    service: Service
    state: State
    jobs: MemoryJobs
    links: ScriptedLinks
    settings: SlackSettings
    ws: Workspace
    ann: User
    bob: User
    general: Channel
    address: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    async def quiet(self) -> None:
        """Wait until every event was acknowledged and no work is left."""
        async with asyncio.timeout(20):
            await self.slack.settled()
            while await self.jobs.waiting():
                await asyncio.sleep(0.01)
            await self.slack.settled()

    async def sees(self, user: User, count: int = 1) -> Message:
        """The newest message that only this person sees, once there are so many."""
        await self.slack.until(lambda: len(self.slack.ephemerals(user)) >= count, 10, "an ephemeral message")
        return self.slack.ephemerals(user)[-1]

    async def modal(self, user: User, title: str = "") -> Any:
        """The modal that a person has open."""

        def found() -> bool:
            open_views = self.slack.views(user)
            return bool(open_views) and title in open_views[-1].content["title"]["text"]

        await self.slack.until(found, 10, f"a modal {title}")
        return self.slack.views(user)[-1]


def texts(value: Any) -> str:
    """All texts in blocks, for a look at what is said."""
    if isinstance(value, dict):
        own = [value["text"]] if isinstance(value.get("text"), str) else []
        return "\n".join([*own, *(texts(item) for item in value.values())])
    if isinstance(value, list):
        return "\n".join(texts(item) for item in value)
    return ""


def settings_for(
    slack: Slack, ws: Workspace | None, *, manifest: str, socket: bool, **more: str
) -> SlackSettings:
    """The settings of a deployment beside a fake."""
    given = {"SMALLPRINT_SLACK_API": slack.api_url, "SMALLPRINT_SLACK_MANIFEST": manifest, **more}
    if socket:
        given["SMALLPRINT_SLACK_APP_TOKEN"] = slack.app_token
    else:
        given["SMALLPRINT_SLACK_SIGNING_SECRET"] = slack.signing_secret
    if ws is not None:
        given["SMALLPRINT_SLACK_BOT_TOKEN"] = ws.token
    else:
        given["SMALLPRINT_SLACK_CLIENT_ID"] = slack.core.client_id
        given["SMALLPRINT_SLACK_CLIENT_SECRET"] = slack.core.client_secret
    return SlackSettings(**given)  # type: ignore[arg-type]


@asynccontextmanager
async def core(
    folder: Path,
) -> AsyncIterator[tuple[Service, State, MemoryJobs, ScriptedLinks, dict[str, Any], Keys]]:
    """State, jobs and service over the files of a folder; the edge is put into `holder` later."""
    keys = Keys.beside(folder / "keys")
    url = f"sqlite:///{folder}/state.db"
    state = await State.open(url, keys=keys)
    jobs, links = MemoryJobs(), ScriptedLinks()
    holder: dict[str, Any] = {}

    async def port(workspace: str) -> Any:
        return await holder["edge"].port(workspace)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.service.service.Readers", SharedReaders)
        service = Service(
            state=state, jobs=cast("Jobs", jobs), ports={"slack": port}, vendor=links, readers=READERS
        )
    await service.start()
    try:
        yield service, state, jobs, links, holder, keys
    finally:
        await service.stop()
        await state.close()


@asynccontextmanager
async def served(edge: SlackEdge) -> AsyncIterator[str]:
    """The edge's routes behind a web server: its address."""
    server = web.Application()
    server.add_routes(edge.routes())
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def stage(
    folder: Path,
    manifest: str = "thread",
    *,
    socket: bool = True,
    many: bool = False,
    scopes: frozenset[str] | None = None,
    ack: float = 3.0,
    first: dict[str, Any] | None = None,
    **more: str,
) -> AsyncIterator[Stage]:
    """A stage with one of our manifests.

    many: to be installed by OAuth, by nobody yet. first: what goes wrong when the edge starts.
    """
    async with (
        Slack.running(ROOT / "deploy" / "slack" / f"{manifest}.json", scale=0.002, ack=ack) as slack,
        core(folder) as (service, state, jobs, links, holder, keys),
    ):
        ws = slack.workspace("Acme", install=not many)
        if scopes is not None:
            ws.installation.scopes = scopes
        ann, bob = ws.user("ann"), ws.user("bob")
        general = ws.channel("general", ann, bob, bot=not many)
        settings = settings_for(slack, None if many else ws, manifest=manifest, socket=socket, **more)
        edge = holder["edge"] = await connect(service, state, keys, settings)
        made = Stage(slack, edge, service, state, jobs, links, settings, ws, ann, bob, general)
        try:
            async with served(edge) as address:
                made.address = address
                if first is not None:
                    slack.fail(**first)
                await edge.start()
                if socket:
                    await slack.connected()
                else:
                    slack.use_http(f"{address}/slack/events")
                yield made
        finally:
            await edge.stop()
