"""What all parts of the fake share: its content, its clocks, what it saw and what it objected to."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fakes.slack import limits
from tests.fakes.slack.manifest import Manifest
from tests.fakes.slack.model import Channel, Member, Message, View
from tests.fakes.slack.world import World


class ApiError(Exception):
    """A refused call: Slack's word for it, and what else the answer holds."""

    def __init__(self, error: str, *messages: str, **more: Any) -> None:
        super().__init__(error)
        self.error = error
        self.messages = list(messages)
        self.more = more


@dataclass(frozen=True)
class Call:
    """A call of the Web API, and what came of it ("ok", an error's word, "429", "500", "lost")."""

    method: str
    args: dict[str, Any]
    outcome: str
    at: float


@dataclass
class Fault:
    """Something that goes wrong on purpose with the next `times` calls of `method`.

    One of: status (an HTTP status without a body of use), error (Slack's word), retry_after (a 429),
    lose ("request": never carried out, "answer": carried out but never answered). delay: seconds before.
    """

    method: str
    times: int = 1
    channel: str | None = None
    status: int | None = None
    error: str | None = None
    retry_after: int | None = None
    lose: str | None = None
    delay: float = 0.0


@dataclass
class Trigger:
    """A trigger_id: good for one view, for a short time."""

    user: Member
    until: float
    from_modal: View | None = None
    used: bool = False


@dataclass
class ResponseUrl:
    """A response_url and what it still allows."""

    user: Member
    channel: Channel
    until: float
    left: int = limits.RESPONSE_URL_USES
    original: Message | None = None


@dataclass
class Bucket:
    """A rate limit: `most` at once, then one every `every` seconds."""

    most: float
    every: float
    tokens: float
    at: float


@dataclass
class Options:
    """How strict and how fast the fake is.

    scale: factor on Slack's long times (retries, rate limits, response_url). ack, trigger_life: seconds,
    not scaled, as the app's own speed is measured with them. rate_limits: whether there are any.
    """

    scale: float = 1.0
    ack: float = limits.ACK
    trigger_life: float = limits.TRIGGER_LIFE
    retry_after: tuple[float, ...] = limits.RETRY_AFTER
    rate_limits: bool = True
    distributed: bool = False
    journal: Path | None = None


@dataclass
class Core:
    """The state of one fake Slack with one app. `address` is its base URL, once it listens."""

    manifest: Manifest
    options: Options = field(default_factory=Options)
    world: World = field(default_factory=World)
    app_id: str = "A0000SMALL"
    client_id: str = "1000000001.2000000002"
    client_secret: str = "fake-client-secret"
    signing_secret: str = "fake-signing-secret"
    verification_token: str = "fake-verification-token"
    app_token: str = "xapp-1-fake"
    address: str = ""
    calls: list[Call] = field(default_factory=list)
    offences: list[str] = field(default_factory=list)
    strays: list[Message] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    response_urls: dict[str, ResponseUrl] = field(default_factory=dict)
    codes: dict[str, dict[str, Any]] = field(default_factory=dict)
    buckets: dict[tuple[str, ...], Bucket] = field(default_factory=dict)
    busy: int = 0
    _watchers: set[asyncio.Event] = field(default_factory=set)
    _recent: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=10_000))

    def offend(self, words: str) -> None:
        """Write down something that a correct app never does; the test fails of it when it closes."""
        self.offences.append(words)
        self.journal("offence", words=words)

    def journal(self, what: str, **details: Any) -> None:
        """A line in the journal, and a sign to whoever waits for something to happen."""
        line = {"at": round(time.time(), 6), "what": what, **details}
        self._recent.append(line)
        if self.options.journal is not None:
            with self.options.journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        for one in self._watchers:
            one.set()

    def recent(self) -> list[dict[str, Any]]:
        """The last lines of the journal."""
        return list(self._recent)

    async def until(self, true: Callable[[], Any], within: float, words: str) -> None:
        """Wait until something holds. Raises AssertionError after `within` seconds."""
        changed = asyncio.Event()
        self._watchers.add(changed)
        try:
            async with asyncio.timeout(within):
                while not true():
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            tail = "\n".join(json.dumps(line)[:300] for line in self.recent()[-12:])
            raise AssertionError(
                f"not within {within} s: {words}; the last of the journal:\n{tail}"
            ) from None
        finally:
            self._watchers.discard(changed)

    def take(self, key: tuple[str, ...], per_minute: float, burst: float) -> float:
        """Take one from a rate limit. Returns 0, or the seconds until there is one again."""
        now, every = time.monotonic(), 60 / per_minute * self.options.scale
        bucket = self.buckets.setdefault(key, Bucket(burst, every, burst, now))
        bucket.tokens = min(bucket.most, bucket.tokens + (now - bucket.at) / every)
        bucket.at = now
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return 0.0
        return (1 - bucket.tokens) * every

    def trigger(self, user: Member, view: View | None = None) -> str:
        """A new trigger_id."""
        key = f"{len(self.triggers) + 1}.{user.team.id}.fake"
        self.triggers[key] = Trigger(user, time.monotonic() + self.options.trigger_life, view)
        return key

    def response_url(self, user: Member, channel: Channel, original: Message | None = None) -> str:
        """A new response_url."""
        key = str(len(self.response_urls) + 1)
        life = limits.RESPONSE_URL_LIFE * self.options.scale
        self.response_urls[key] = ResponseUrl(user, channel, time.monotonic() + life, original=original)
        return f"{self.address}/response/{user.team.id}/{key}"
