"""What the core asks of a chat platform. An edge implements `Port`; nothing here knows which one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.events import Place, Platform
from bot.page import Page
from bot.reply import Reply


class PortError(Exception):
    """A call that the platform refused. `reason` is the platform's own word for it ("not_in_channel")."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class RefusedError(PortError):
    """It will not work when tried again: no member, no scope, archived, deleted."""


class NotNowError(PortError):
    """It may work later: rate limit, the platform's own failure, a lost connection.

    after: seconds to wait before the next try. sure: the platform certainly did not carry it out
    (a 429); where it may have (a lost answer), the core looks for the post before it tries again.
    """

    def __init__(self, reason: str, after: float = 1.0, *, sure: bool = False) -> None:
        super().__init__(reason)
        self.after = after
        self.sure = sure


class CannotLookError(PortError):
    """The installation may not look back at what stands in the channel."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that was looked up. `text` is in the platform's markup."""

    id: str
    author: str
    text: str
    automated: bool = False
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Post:
    """A reply on its way to a place.

    key: the reply's ID, opaque and the same at every try; it travels with the post (metadata,
    nonce), in button values, and is how a post is found again. source: the message that is
    answered, None for a digest. poster: who may remove it. quiet: nobody is to be notified
    (auto-replies).
    """

    key: str
    place: Place
    reply: Reply | Page
    source: str | None = None
    poster: str | None = None
    quiet: bool = False


class Port(Protocol):
    """One installed chat platform. Every method raises `RefusedError`, `NotNowError` or `CannotLookError`."""

    platform: Platform

    async def post(self, post: Post) -> str:
        """Post a reply, in the thread where there is one. Returns the new message's ID."""

    async def find(self, post: Post) -> str | None:
        """The ID of the message that an earlier try of this post made; None where there certainly is none.

        Raises CannotLookError where the installation has no right to look.
        """

    async def update(self, post: Post, message: str) -> None:
        """Put a reply in the place of what `message` (one of ours) says."""

    async def remove(self, place: Place, message: str) -> None:
        """Delete a message of ours. One that is gone already counts as removed."""

    async def read(self, place: Place, message: str) -> Message | None:
        """A message by its ID (a thread's parent, what a reaction points at); None where it is gone.

        Raises CannotLookError where the installation has no right to read it.
        """
