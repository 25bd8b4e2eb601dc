"""The records that the state keeps, as the rest of the bot sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

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


@dataclass(frozen=True, slots=True)
class Subscription:
    """A channel that gets the digest. options: what it wants in it, as `bot/digest` reads it."""

    place: Place
    options: dict[str, Any]
    by: str
    created: float


@dataclass(frozen=True, slots=True)
class Sync:
    """A version of the published rows that was fetched: what the other replicas load, and from where."""

    version: str
    checksum: str
    source: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """After how many days what is forgotten.

    replies: rows of sent replies, with their feedback. fields: the claims' fields and receipts in
    them. cache: fetched articles. links: which link was answered where. log: changes of settings,
    digests told, decisions, versions of the rows.
    """

    replies: float = 90
    fields: float = 30
    cache: float = 30
    links: float = 365
    log: float = 365
