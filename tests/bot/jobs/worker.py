"""A replica for the tests, in a process of its own that can be killed: it writes down what it did.

`python -m tests.bot.jobs.worker URL KEY EXECUTOR FOLDER SECONDS`: takes up work until it is ended. Each call
of the handler appends its work's ID to FOLDER/begun and, after SECONDS, makes the file FOLDER/done/ID: made
with O_EXCL, as a platform takes a post with one key once; a second try is written to FOLDER/doubled.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import signal
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.jobs import Jobs
from bot.keys import Keys


def append(path: Path, line: str) -> None:
    """Add a line as a whole, whoever else writes."""
    with path.open("a") as file:
        file.write(f"{line}\n")


async def main(url: str, key: str, executor: str, folder: Path, seconds: float) -> None:
    """Work until the process is ended."""

    async def handle(kind: str, payload: dict[str, Any], job_id: str) -> None:
        append(folder / "begun", f"{job_id} {executor}")
        done = folder / "done" / job_id
        if done.exists():
            return  # what the service does: a post that is recorded is not made again
        await asyncio.sleep(seconds)
        try:
            os.close(os.open(done, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            append(folder / "doubled", job_id)

    async def tick(at: datetime) -> None:
        append(folder / "ticks", at.isoformat())

    jobs = Jobs(url, keys=Keys([key]), executor=executor, version="1", per_second=1000, minute=1.0)
    await jobs.launch(handle, tick)
    append(folder / "up", executor)
    await asyncio.Event().wait()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    faulthandler.register(signal.SIGUSR1)
    asyncio.run(main(*sys.argv[1:4], Path(sys.argv[4]), float(sys.argv[5])))
