"""`smallprint keys`: a new key, and what is stored sealed with it."""

from __future__ import annotations

import asyncio

from bot.deployment import Deployment, deployment
from bot.jobs.database import rotate as rotate_jobs
from bot.state import State


def rotate() -> str:
    """Seal all that is stored with the first key; the bot may go on running. Raises UserError."""
    found = deployment()
    count = asyncio.run(_rotate(found))
    return (
        f"{count} stored values are sealed with the first key. When every replica runs with it, run this "
        "again, then drop the old key."
    )


async def _rotate(found: Deployment) -> int:
    state = await State.open(found.url, keys=found.keys)
    try:
        return await state.rotate() + await rotate_jobs(found.url, found.keys)
    finally:
        await state.close()
