"""Changing the key: every sealed text of a database is sealed anew, whoever's table it stands in."""

from __future__ import annotations

import sqlalchemy as sa

from bot.keys import SEALED, Keys


def reseal(connection: sa.Connection, keys: Keys, schema: str | None = None) -> int:
    """Seal every sealed text of a schema with the first key. Returns how many; safe to repeat.

    The tables are looked up, not listed: installations and waiting work are the business of others.
    Raises KeysError where none of the keys opens a text.
    """
    metadata = sa.MetaData()
    metadata.reflect(connection, schema=schema)
    return sum(_reseal_table(connection, table, keys) for table in metadata.sorted_tables)


def _reseal_table(connection: sa.Connection, table: sa.Table, keys: Keys) -> int:
    count = 0
    names = list(table.primary_key.columns)
    for column in table.columns:
        if not names or not isinstance(column.type, sa.String):
            continue
        sealed = sa.select(*names, column.label("sealed")).where(column.startswith(SEALED, autoescape=True))
        for row in connection.execute(sealed).all():
            if not str(row.sealed).startswith(SEALED):
                continue  # SQLite compares without regard to case
            this = sa.and_(*(name == value for name, value in zip(names, row, strict=False)))
            # Unless it has changed in the meantime: then it was sealed by a process with the new key.
            this = sa.and_(this, column == row.sealed)
            connection.execute(table.update().where(this).values({column: keys.rotate(row.sealed)}))
            count += 1
    return count
