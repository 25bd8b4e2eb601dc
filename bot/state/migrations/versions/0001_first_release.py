"""The tables of the first release."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    _preferences()
    _replies()
    _channels()
    _upkeep()


def _preferences() -> None:
    """What people set, and who changed it."""
    op.create_table(
        "changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_changes")),
    )
    op.create_index("ix_changes_workspace", "changes", ["platform", "workspace", "id"], unique=False)
    op.create_table(
        "preferences",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint(
            "platform", "workspace", "scope", "scope_id", "name", name=op.f("pk_preferences")
        ),
    )


def _replies() -> None:
    """The outbox."""
    op.create_table(
        "replies",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("slot", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("work", sa.Text(), nullable=False),
        sa.Column("poster", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("direct", sa.Boolean(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("article", sa.Text(), nullable=True),
        sa.Column("verdicts", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("fields", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_replies")),
        sa.UniqueConstraint(
            "platform",
            "workspace",
            "channel",
            "slot",
            "source",
            name=op.f("uq_replies_platform_workspace_channel_slot_source"),
        ),
    )
    op.create_index("ix_replies_created", "replies", ["created"], unique=False)
    op.create_index(
        "ix_replies_message", "replies", ["platform", "workspace", "channel", "message"], unique=False
    )
    op.create_index("ix_replies_poster", "replies", ["platform", "poster"], unique=False)
    op.create_index(
        "ix_replies_thread", "replies", ["platform", "workspace", "channel", "thread"], unique=False
    )
    op.create_table(
        "feedback",
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("helpful", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["reply"], ["replies.id"], name=op.f("fk_feedback_reply"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("reply", "person", name=op.f("pk_feedback")),
    )


def _channels() -> None:
    """What is known of a channel."""
    op.create_table(
        "decisions",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "workspace", "channel", name=op.f("pk_decisions")),
    )
    op.create_table(
        "digests",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "workspace", "channel", "period", name=op.f("pk_digests")),
    )
    op.create_table(
        "links",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "workspace", "channel", "digest", name=op.f("pk_links")),
    )
    op.create_table(
        "subscriptions",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("direct", sa.Boolean(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "workspace", "channel", name=op.f("pk_subscriptions")),
    )


def _upkeep() -> None:
    """What is fetched, and what the installation itself remembers."""
    op.create_table(
        "cache",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_cache")),
    )
    op.create_index("ix_cache_at", "cache", ["at"], unique=False)
    op.create_table(
        "facts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_facts")),
    )
    op.create_table(
        "syncs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("checksum", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_syncs")),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("feedback")
    op.drop_table("syncs")
    op.drop_table("subscriptions")
    op.drop_index("ix_replies_thread", table_name="replies")
    op.drop_index("ix_replies_poster", table_name="replies")
    op.drop_index("ix_replies_message", table_name="replies")
    op.drop_index("ix_replies_created", table_name="replies")
    op.drop_table("replies")
    op.drop_table("preferences")
    op.drop_table("links")
    op.drop_table("facts")
    op.drop_table("digests")
    op.drop_table("decisions")
    op.drop_index("ix_changes_workspace", table_name="changes")
    op.drop_table("changes")
    op.drop_index("ix_cache_at", table_name="cache")
    op.drop_table("cache")
