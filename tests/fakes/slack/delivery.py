"""How events, commands and interactions reach the app: sent, acknowledged, sent again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from tests.fakes.slack.core import Core

Kind = Literal["events_api", "slash_commands", "interactive"]


class NotAckedError(Exception):
    """An attempt failed. `reason` as in X-Slack-Retry-Reason; `final`: the app asked for no more."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.final = final


@dataclass
class Delivery:
    """Something on its way to the app. latency: seconds from the last sending to its ack."""

    kind: Kind
    id: str
    payload: dict[str, Any]
    state: Literal["open", "acked", "lost"] = "open"
    attempts: int = 0
    reason: str = ""
    latency: float = 0.0
    answer: Any = None
    failures: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What it is, for people: an event's type, a command, an interaction's type."""
        if self.kind == "events_api":
            event = self.payload["event"]
            return ".".join(str(event[key]) for key in ("type", "subtype") if key in event)
        return str(self.payload.get("command") or self.payload.get("type"))


class Transport(Protocol):
    """A way to the app."""

    async def send(self, delivery: Delivery) -> Any:
        """Send it and wait for the ack. Returns what the ack holds; raises NotAckedError."""


class Deliveries:
    """All that was sent. Events are tried again on Slack's schedule; the rest is tried once."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.transport: Transport | None = None
        self.all: list[Delivery] = []
        self.holding = False
        self.held: list[Delivery] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def event(self, body: dict[str, Any]) -> Delivery:
        """Send an event (or keep it, while deliveries are held)."""
        made = Delivery("events_api", body["event_id"], body)
        if self.holding:
            self.held.append(made)
        else:
            self.dispatch(made)
        return made

    def dispatch(self, delivery: Delivery) -> None:
        """Begin to deliver in the background."""
        self.all.append(delivery)
        self._start(self._deliver(delivery))

    def again(self, event_id: str) -> Delivery:
        """Deliver an event once more, as Slack sometimes does although it was acked."""
        old = next(one for one in self.all if one.id == event_id)
        made = Delivery(old.kind, old.id, old.payload)
        self.dispatch(made)
        return made

    async def now(self, delivery: Delivery) -> Any:
        """Deliver a command or an interaction and wait for what the ack holds. Raises NotAckedError."""
        self.all.append(delivery)
        try:
            return await self._attempt(delivery)
        except NotAckedError as error:
            self._lose(delivery, error.reason)
            raise

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _attempt(self, delivery: Delivery) -> Any:
        if self.transport is None:
            raise NotAckedError("connection_failed")
        delivery.attempts += 1
        started = time.monotonic()
        answer = await self.transport.send(delivery)
        delivery.latency = time.monotonic() - started
        delivery.state, delivery.answer = "acked", answer
        self.core.journal(
            "ack",
            id=delivery.id,
            name=delivery.name,
            attempt=delivery.attempts,
            ms=round(delivery.latency * 1000, 1),
        )
        return answer

    def _lose(self, delivery: Delivery, reason: str) -> None:
        delivery.state = "lost"
        self.core.journal("lost", id=delivery.id, name=delivery.name, reason=reason)

    async def _deliver(self, delivery: Delivery) -> None:
        for wait in (0.0, *self.core.options.retry_after):
            if delivery.attempts and wait:
                await asyncio.sleep(wait * self.core.options.scale)
            try:
                await self._attempt(delivery)
                return
            except NotAckedError as error:
                delivery.attempts = max(delivery.attempts, 1)
                delivery.reason = error.reason
                delivery.failures.append(error.reason)
                self.core.journal("unacked", id=delivery.id, name=delivery.name, reason=error.reason)
                if error.final:
                    break
        self._lose(delivery, delivery.reason)

    def open(self) -> list[Delivery]:
        """What is still under way."""
        return [one for one in self.all if one.state == "open"]

    async def close(self) -> None:
        """Give up on all that is under way."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
