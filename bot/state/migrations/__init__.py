"""The state's schema, step by step (Alembic). One file a step in `versions`; a step is never edited."""
