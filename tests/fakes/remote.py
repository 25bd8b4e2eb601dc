"""A fake platform in a process of its own, and what a test says to it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar, Self

import aiohttp

ROOT = Path(__file__).resolve().parents[2]


class Remote:
    """A running `python -m MODULE`. `facts` is the line that it printed: tokens, IDs."""

    module: ClassVar[str]

    def __init__(self, facts: dict[str, Any], session: aiohttp.ClientSession) -> None:
        self.facts = facts
        self._session = session

    @property
    def control(self) -> str:
        """The address below which each command has its name."""
        return str(self.facts["control"])

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, *options: str) -> AsyncIterator[Self]:
        """Start it with options of its command line; it is stopped at the end."""
        command = (sys.executable, "-m", cls.module, *options)
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), 20)
            async with aiohttp.ClientSession() as session:
                yield cls(json.loads(line), session)
        finally:
            process.terminate()
            await process.wait()

    async def __call__(self, what: str, **args: Any) -> dict[str, Any]:
        """One command of the fake's `control.py`. Raises AssertionError with the fake's reason."""
        async with self._session.post(f"{self.control}/{what}", json=args) as response:
            body: dict[str, Any] = await response.json()
        assert response.status == 200, body.get("error")
        return body
