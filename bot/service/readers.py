"""The one thread that reads: spaCy's memory zones and the Desk belong to a thread, the loop to the chat."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from bot import metrics, traces

P = ParamSpec("P")
T = TypeVar("T")

# Reads names of accelerators, models, rounds, so that lexicon, table and judge are all made.
WARM = "In MLPerf Inference v6.1, 8x B200 delivers up to 2x the throughput of 8x H200 on Llama 2 70B server."


class Readers:
    """Runs everything that touches text or rows on a thread of its own, one call after another."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="reading")

    async def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The function's result, worked out on the reading thread; what it raises is raised here."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: function(*args, **kwargs))

    async def read(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """`call` for what makes an answer: noted with the time that it took, the wait for its turn too."""
        begun = time.perf_counter()
        with traces.span("read"):
            found = await self.call(function, *args, **kwargs)
        metrics.read(time.perf_counter() - begun)
        return found

    async def warm(self) -> None:
        """Open the store and read once, so that the first person does not wait for it."""
        await self.call(_warm)

    def close(self) -> None:
        """End the thread; a call that runs is finished first."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _warm() -> None:
    from bot import answer

    answer.ask(WARM)
    # What is loaded now stays for good: the collector need not look at it again.
    gc.collect()
    gc.freeze()
