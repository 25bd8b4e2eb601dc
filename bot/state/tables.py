"""The tables of the state. A change here needs a migration (`bot/state/migrations`); a test compares."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# Times are seconds since 1970, by the injected clock.
Time = sa.Double


def _where(*, key: bool) -> list[sa.Column[str]]:
    """The columns that say where something stands."""
    return [sa.Column(name, sa.Text, primary_key=key, nullable=False) for name in PLACE]


PLACE = ("platform", "workspace", "channel")

# What the installation itself has to remember: the marker that tells whether the keys fit.
facts = sa.Table(
    "facts",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

preferences = sa.Table(
    "preferences",
    metadata,
    sa.Column("platform", sa.Text, primary_key=True),
    sa.Column("workspace", sa.Text, primary_key=True),
    sa.Column("scope", sa.Text, primary_key=True),
    sa.Column("scope_id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.JSON, nullable=False),
)

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("platform", sa.Text, nullable=False),
    sa.Column("workspace", sa.Text, nullable=False),
    sa.Column("scope", sa.Text, nullable=False),
    sa.Column("scope_id", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("value", sa.Text),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", Time, nullable=False),
    sa.Index("ix_changes_workspace", "platform", "workspace", "id"),
)

# The outbox. slot: answers and link replies to one message are one reply, so they share a slot.
# fields: claims, receipt and links, sealed; NULL once their retention is over.
replies = sa.Table(
    "replies",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    *_where(key=False),
    sa.Column("slot", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("work", sa.Text, nullable=False),
    sa.Column("poster", sa.Text, nullable=False),
    sa.Column("thread", sa.Text),
    sa.Column("direct", sa.Boolean, nullable=False),
    sa.Column("shared", sa.Boolean, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("message", sa.Text),
    sa.Column("language", sa.Text),
    sa.Column("article", sa.Text),
    sa.Column("verdicts", sa.JSON(none_as_null=True)),
    sa.Column("fields", sa.Text),
    sa.Column("created", Time, nullable=False),
    sa.UniqueConstraint(*PLACE, "slot", "source"),
    sa.Index("ix_replies_message", *PLACE, "message"),
    sa.Index("ix_replies_thread", *PLACE, "thread"),
    sa.Index("ix_replies_poster", "platform", "poster"),
    sa.Index("ix_replies_created", "created"),
)

feedback = sa.Table(
    "feedback",
    metadata,
    sa.Column("reply", sa.Text, sa.ForeignKey("replies.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("helpful", sa.Boolean, nullable=False),
    sa.Column("at", Time, nullable=False),
)

# Which link was answered where, lately: keyed hashes only.
links = sa.Table(
    "links",
    metadata,
    *_where(key=True),
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("at", Time, nullable=False),
)

decisions = sa.Table(
    "decisions",
    metadata,
    *_where(key=True),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("at", Time, nullable=False),
)

subscriptions = sa.Table(
    "subscriptions",
    metadata,
    *_where(key=True),
    sa.Column("direct", sa.Boolean, nullable=False),
    sa.Column("shared", sa.Boolean, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("created", Time, nullable=False),
)

# A digest that was told: the period it was for and how far the data had come (its mark).
digests = sa.Table(
    "digests",
    metadata,
    *_where(key=True),
    sa.Column("period", sa.Text, primary_key=True),
    sa.Column("mark", sa.Text, nullable=False),
    sa.Column("at", Time, nullable=False),
)

# Fetched articles, sealed, by the keyed hash of their address.
cache = sa.Table(
    "cache",
    metadata,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("at", Time, nullable=False),
    sa.Index("ix_cache_at", "at"),
)

# The versions of the published rows that were fetched: every replica loads the newest one.
syncs = sa.Table(
    "syncs",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("checksum", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("at", Time, nullable=False),
)
