"""The records that the state keeps, as the rest of the bot sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bot.events import Place
from bot.wording import Language

# answer: somebody asked. links: a vendor's link appeared. digest: the weekly post. private: seen by one
# person only (a slash command), until it is shared.
ReplyKind = Literal["answer", "links", "digest", "private"]
# open: taken up, nothing sent. posting: the platform was asked to post, its answer is not known yet.
# silent: decided to say nothing. lost: perhaps posted, and there is no way to look.
Status = Literal["open", "posting", "posted", "removed", "silent", "lost"]


@dataclass(frozen=True, slots=True)
class Content:
    """What a reply said, without any of the text's words.

    claims: packed claims (`bot.answer.pack`), None after their retention. article: the date that
    counted as today for the reading, as YYYY-MM-DD. links: hashes of the links that it answers.
    verdicts: how many parts had which verdict.
    """

    language: Language
    claims: str | None = None
    article: str | None = None
    links: tuple[str, ...] = ()
    verdicts: dict[str, int] = field(default_factory=dict)
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class SentReply:
    """One reply: what it answers, where it stands, how far it got.

    id: opaque, random, in every button. work: the ID of the work that owns it. source: the
    message that is answered. message: our own message, None before it is posted. poster: who
    wrote the source. created: seconds since 1970.
    """

    id: str
    kind: ReplyKind
    work: str
    place: Place
    source: str
    poster: str
    status: Status
    message: str | None
    content: Content | None
    created: float


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a setting, for the log that admins can read."""

    scope: str
    scope_id: str
    name: str
    value: str | None
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class LastDecision:
    """The newest decision in a channel, for `why`: action and reason, no content."""

    action: str
    reason: str
    at: float
