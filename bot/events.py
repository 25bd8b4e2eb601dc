"""What happens in a chat, in no platform's words: an edge makes these, the core decides on them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

Platform = Literal["slack", "discord"]
PLATFORMS: tuple[Platform, ...] = get_args(Platform)

# mention: somebody asks us in a channel. direct: a message in a direct conversation with us.
# message: any other message that the edge may see. links: a notice that a message holds links, without
# its text. reaction: our emoji was put on a message. edit, deletion: a message changed or went.
Kind = Literal["mention", "direct", "message", "links", "reaction", "edit", "deletion"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something happens.

    workspace: Slack's team, Discord's guild ("" in a direct conversation there). channel: where a
    message stands. thread: the thread's root message (Slack) or the thread's own channel ID
    (Discord), None outside of threads. direct: a conversation with us alone. shared: the channel
    is shared with another organisation.
    """

    platform: Platform
    workspace: str
    channel: str
    thread: str | None = None
    direct: bool = False
    shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event, as the core sees it.

    id: the platform's event ID, the same for every redelivery. message: the ID of the message that
    it is about. author: who wrote that message; actor: who caused the event (the one who
    reacted), the author else. text: the message in the platform's markup, the text after an
    edit, "" where the edge does not see it. about: the message that a bare mention points at (the
    thread's parent in Slack, the message replied to in Discord). links: addresses that the platform
    itself reports.
    own: the message is ours. automated: a bot, an app or the platform wrote it. member: we are
    in the channel. posted: the message stands in a channel (not in somebody's composer).
    preview: nothing changed but a link preview that arrived. locale: the reader's, where known
    ("de-DE"). at: when the message was written, in seconds since 1970.
    """

    id: str
    kind: Kind
    place: Place
    message: str
    author: str
    actor: str = ""
    text: str = ""
    about: str | None = None
    links: tuple[str, ...] = ()
    own: bool = False
    automated: bool = False
    member: bool = True
    posted: bool = True
    preview: bool = False
    locale: str | None = None
    at: float = 0.0

    @property
    def person(self) -> str:
        """Who wants something: the actor, else the author."""
        return self.actor or self.author

    def packed(self) -> dict[str, Any]:
        """The event as JSON can keep it."""
        return asdict(self)

    @classmethod
    def unpacked(cls, packed: dict[str, Any]) -> Event:
        """The event of `packed`. Raises TypeError or KeyError for anything else."""
        return cls(**{**packed, "place": Place(**packed["place"]), "links": tuple(packed["links"])})
