"""A whole core in memory and one SQLite file: state, jobs and service, a Port that a test can script."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.answer import Markup
from bot.decide import Decision
from bot.events import Event, Kind, Place
from bot.jobs import Jobs
from bot.keys import Keys
from bot.page import Page
from bot.preferences import Preferences
from bot.reply import Reply
from bot.service import Service, told
from bot.service.readers import Readers
from bot.service.vendor import Checked, Watched
from bot.state import State
from bot.state.records import Retention
from bot.wording import Language
from tests.fakes.port import MemoryPort

CLAIM = (
    "NVIDIA GB300 is 48 % faster per GPU than AMD MI355X on GPT-OSS-120B offline in MLPerf Inference v6.1."
)
HOLDS = "In MLPerf Inference v6.1 Nebius ran DeepSeek-R1 offline on 8x GB300."
CHANNEL = Place("slack", "T1", "C1")
KEPT = Retention()


class KeptReaders(Readers):
    """A reading thread that lives as long as the test run: opening rows and reader takes a second."""

    def close(self) -> None:
        pass


READERS = KeptReaders()


@dataclass
class ScriptedLinks:
    """Vendor links whose pages are sentences: the key of a link is its address."""

    pages: dict[str, str] = field(default_factory=dict)
    refused: dict[str, Decision] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)

    def links_of(self, event: Event) -> list[str]:
        return list(event.links) or self.links_in(event.text, "plain")

    def links_in(self, text: str, markup: Markup) -> list[str]:
        return [word for word in text.split() if word.startswith("https://")]

    def watched(self, links: Sequence[str], preferences: Preferences) -> list[Watched]:
        return [Watched(link, link) for link in links if link in self.pages]

    async def check(self, link: str, language: Language) -> Checked:
        return await self.check_all([Watched(link, link)], language)

    async def check_all(self, links: Sequence[Watched], language: Language) -> Checked:
        self.fetched += [link.url for link in links]
        text = " ".join(self.pages[link.url] for link in links)
        found = told.of_text(text, "plain", language, None)
        content = found.content
        kept = type(content)(
            content.language, content.claims, None, tuple(link.key for link in links), content.verdicts
        )
        verdicts = tuple(part.verdict for part in found.reply.parts)
        return Checked(found.reply, kept, verdicts, self.refused.get(links[0].url))


@dataclass
class Core:
    """The core under test and what surrounds it."""

    service: Service
    state: State
    jobs: Jobs
    port: MemoryPort
    links: ScriptedLinks
    numbers: int = 0

    def event(self, kind: Kind, text: str = "", *, message: str | None = None, **more: object) -> Event:
        """An event with an ID of its own, in the channel of the tests."""
        self.numbers += 1
        known: dict[str, object] = {
            "id": f"E{self.numbers}",
            "kind": kind,
            "place": CHANNEL,
            "message": message or f"s{self.numbers}",
            "author": "U1",
            "text": text,
            "at": time.time(),
        }
        return Event(**{**known, **more})  # type: ignore[arg-type]

    async def take(self, *events: Event) -> list[Decision]:
        """Hand events in and wait until their work is done."""
        decisions = [await self.service.take(event) for event in events]
        await self.done()
        return decisions

    async def done(self) -> None:
        """Wait until no durable work is left."""
        async with asyncio.timeout(15):
            while await self.jobs.waiting():
                await asyncio.sleep(0.02)

    @property
    def said(self) -> list[Reply | Page]:
        """What stands in the channel."""
        return [post.reply for post in self.port.posts.values()]

    @property
    def lines(self) -> list[str]:
        """The notification lines of what stands in the channel."""
        return [reply.fallback for reply in self.said]


@asynccontextmanager
async def opened(folder: Path, retention: Retention = KEPT) -> AsyncIterator[Core]:
    """A core over the files of a folder; opening it again is a restart."""
    keys = Keys.parse((folder / "keys").read_text())
    url = f"sqlite:///{folder}/state.db"
    state = await State.open(url, keys=keys)
    jobs = Jobs(url, keys=keys, executor="test", version="1", per_second=1000)
    port, links = MemoryPort(), ScriptedLinks()

    async def of(workspace: str) -> MemoryPort:
        return port

    service = Service(
        state=state,
        jobs=jobs,
        ports={"slack": of, "discord": of},
        vendor=links,
        readers=READERS,
        retention=retention,
    )
    await service.start()
    try:
        yield Core(service, state, jobs, port, links)
    finally:
        await service.stop()
        await state.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with fresh keys."""
    (tmp_path / "keys").write_text(Keys.new())
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Callable[[Callable[[Core], object]], None]:
    """Run a coroutine function over an opened core."""

    def run(test: Callable[[Core], object]) -> None:
        async def whole() -> None:
            async with opened(folder) as core:
                await test(core)  # type: ignore[misc]

        asyncio.run(whole())

    return run
