"""Handing work in: what arrives together is written together, one transaction for all of it.

A burst of a thousand events would otherwise be a thousand transactions that compete with those that
take the work up, and the last of them would come too late for its platform.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from dbos import DBOSClient, EnqueueOptions
from dbos import error as dbos_error

MOST = 100  # pieces of work in a transaction


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of work and who waits until it is kept."""

    options: EnqueueOptions
    arguments: tuple[Any, ...]
    kept: asyncio.Future[bool] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Intake:
    """Writes work to the database, from one thread, in the order of its arrival."""

    def __init__(self, client: DBOSClient, engine: sa.Engine, thread: ThreadPoolExecutor) -> None:
        self._client, self._engine, self._thread = client, engine, thread
        self._arrived: list[Piece] = []
        self._writing: asyncio.Task[None] | None = None

    async def take(self, options: EnqueueOptions, *arguments: Any) -> bool:
        """Keep a piece of work; False where its ID is known. Raises what the database raises."""
        piece = Piece(options, arguments)
        self._arrived.append(piece)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_on())
        return await piece.kept

    async def _write_on(self) -> None:
        while self._arrived:
            batch, self._arrived = self._arrived[:MOST], self._arrived[MOST:]
            # Whoever has given up waiting has told so, and hands it in again.
            batch = [piece for piece in batch if not piece.kept.done()]
            loop = asyncio.get_running_loop()
            try:
                answers = await loop.run_in_executor(self._thread, self._write, batch)
            except Exception as error:
                for piece in batch:
                    if not piece.kept.done():
                        piece.kept.set_exception(error)
                continue
            for piece, answer in zip(batch, answers, strict=True):
                if not piece.kept.done():
                    piece.kept.set_result(answer)

    def _write(self, batch: list[Piece]) -> list[bool]:
        with self._engine.begin() as connection:
            return [self._insert(connection, piece) for piece in batch]

    def _insert(self, connection: sa.Connection, piece: Piece) -> bool:
        try:
            # A known ID leaves no trace: what the attempt has written is taken back.
            with connection.begin_nested():
                self._client.enqueue_in_transaction(connection, piece.options, *piece.arguments)
        except dbos_error.DBOSWorkflowIDInUseError:
            return False
        return True
