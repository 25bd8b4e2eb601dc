"""What Alembic runs for every migration: on the connection that `bot.state.schema` hands over."""

from alembic import context

from bot.state.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite changes a column by copying its table.
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
