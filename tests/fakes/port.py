"""A chat platform in memory: a Port whose failures a test can script, for the core alone."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field

from bot.events import Place, Platform
from bot.ports import CannotLookError, Message, NotNowError, Port, Post, RefusedError


@dataclass
class MemoryPort(Port):
    """Keeps posts by message ID. `fail` is raised by the next calls, one each; "lost" posts, then fails."""

    platform: Platform = "slack"
    may_look: bool = True
    posts: dict[str, Post] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    fail: deque[Exception | str] = field(default_factory=deque)
    made: Counter[str] = field(default_factory=Counter)

    async def post(self, post: Post) -> str:
        failure = self.fail.popleft() if self.fail else None
        if isinstance(failure, Exception):
            raise failure
        message = f"m{sum(self.made.values()) + 1}"
        self.posts[message] = post
        self.made[post.source or ""] += 1
        if failure == "lost":
            raise NotNowError("lost_answer", 0.01)
        return message

    async def find(self, post: Post) -> str | None:
        if not self.may_look:
            raise CannotLookError("missing_scope")
        return next((message for message, sent in self.posts.items() if sent.key == post.key), None)

    async def update(self, post: Post, message: str) -> None:
        if message not in self.posts:
            raise RefusedError("message_not_found")
        self.posts[message] = post

    async def remove(self, place: Place, message: str) -> None:
        self.posts.pop(message, None)

    async def read(self, place: Place, message: str) -> Message | None:
        if not self.may_look:
            raise CannotLookError("missing_scope")
        return self.messages.get(message)
