"""The tables of the knowledge file, as named migrations, and how values stand in them.

A file says in `user_version` how many of these migrations it has seen. Adding one: write the
function below the others with the next number; never change one that was released.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from knowledge.history import FIELDS, Change
from knowledge.row import Part, Row
from parsing.vocabulary import Name

NAME_FIELDS = ("text", "kind", "canonical", "vendor", "accelerator", "size", "training")
CHANGE_FIELDS = ("key", "suite", "round", "what", "field", "old", "new", "at", "source")
LOADED_FIELDS = ("suite", "round", "origin", "source", "at", "rows", "checksum")


def _columns(spelled: str) -> dict[str, type]:
    """Columns from "name" (text), "name:int" and "name:float", in this order."""
    types = {"": str, "int": int, "float": float}
    pairs = (word.partition(":") for word in spelled.split())
    return {name: types[kind] for name, _, kind in pairs}


# A released migration is history: it spells its columns out and does not follow the classes.


def _rows_and_their_history(db: Any) -> None:
    rows = _columns(
        "key suite round result_id submitter division availability system_type system platform nodes:int "
        "accelerator variant accelerators:int accelerators_published:int parts processors:int processor "
        "model accuracy_target used_model scenario value:float value_fine:float value_text unit "
        "lower_is_better:int per_accelerator:float watts:float framework weights inferred:int flags "
        "location source published retrieved"
    )
    db["rows"].create(rows, pk="key")
    db["rows"].create_index(["suite", "round"])
    db["history"].create(_columns("id:int key suite round what field old new at source"), pk="id")
    db["history"].create_index(["key"])
    db["rounds"].create(_columns("suite round origin source at rows:int checksum"), pk=("suite", "round"))
    db["meta"].create(_columns("name value"), pk="name")


def _search_over_rows_and_names(db: Any) -> None:
    db["names"].create(
        _columns("id:int text kind canonical vendor accelerator size:int training:int"), pk="id"
    )
    tokens = "unicode61 remove_diacritics 2"
    db["rows"].enable_fts(
        ("submitter", "system", "platform", "accelerator", "processor", "model"), tokenize=tokens
    )
    db["names"].enable_fts(("text", "canonical"), tokenize=tokens)


MIGRATIONS: tuple[Callable[[Any], None], ...] = (_rows_and_their_history, _search_over_rows_and_names)
SCHEMA = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, *, until: int = SCHEMA) -> None:
    """Bring an empty or older database to schema number `until`.

    Each migration is recorded by name in the table `_sqlite_migrations`.
    """
    # Only a program that writes needs this package; reading starts a tenth of a second sooner.
    from sqlite_utils import Database, Migrations

    steps = Migrations("knowledge")
    for number, step in enumerate(MIGRATIONS[:until], 1):
        steps(name=f"{number:03d}{step.__name__}")(step)
    steps.apply(Database(connection, execute_plugins=False))
    connection.execute(f"PRAGMA user_version = {until}")


def fill_search(connection: sqlite3.Connection) -> None:
    """Index the rows and names that the tables hold now."""
    for table in ("rows", "names"):
        connection.execute(f"INSERT INTO {table}_fts({table}_fts) VALUES ('rebuild')")


def insert(connection: sqlite3.Connection, table: str, columns: Sequence[str], values: Iterable[Any]) -> None:
    """Add the tuples `values` to `table`."""
    marks = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO {table} ({_listed(columns)}) VALUES ({marks})", values)


def select(columns: Sequence[str], table: str, where: str = "") -> str:
    """The query for these columns in the order in which they were inserted.

    Columns are qualified: SQLite takes a quoted name that a damaged file does not know for text.
    """
    condition = f" WHERE {where}" if where else ""
    listed = ", ".join(f'"{table}"."{column}"' for column in columns)
    return f"SELECT {listed} FROM {table}{condition} ORDER BY rowid"


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


_PARTS, _FLAGS = FIELDS.index("parts"), FIELDS.index("flags")
_TRUTHS = (FIELDS.index("lower_is_better"), FIELDS.index("inferred"))


def from_row(row: Row) -> tuple[Any, ...]:
    """A row's values in the order of its columns."""
    values = [getattr(row, name) for name in FIELDS]
    values[_PARTS] = json.dumps([[part.accelerator, part.count] for part in row.parts]) if row.parts else None
    values[_FLAGS] = " ".join(row.flags) or None
    return tuple(values)


def to_row(values: Sequence[Any]) -> Row:
    """The row whose columns hold `values`. Raises ValueError or TypeError where they are no row."""
    out = list(values)
    out[_PARTS] = tuple(Part(*pair) for pair in json.loads(out[_PARTS])) if out[_PARTS] else ()
    out[_FLAGS] = tuple(out[_FLAGS].split()) if out[_FLAGS] else ()
    for place in _TRUTHS:
        out[place] = bool(out[place])
    return Row(*out)


def from_change(change: Change) -> tuple[Any, ...]:
    """A change's values in the order of its columns; old and new as JSON."""
    values = [getattr(change, name) for name in CHANGE_FIELDS]
    for place in (CHANGE_FIELDS.index("old"), CHANGE_FIELDS.index("new")):
        if values[place] is not None:
            values[place] = json.dumps(values[place], ensure_ascii=False)
    return tuple(values)


def to_change(values: Sequence[Any]) -> Change:
    """The change whose columns hold `values`."""
    out = list(values)
    for place in (CHANGE_FIELDS.index("old"), CHANGE_FIELDS.index("new")):
        if out[place] is not None:
            out[place] = json.loads(out[place])
    return Change(*out)


def from_name(name: Name) -> tuple[Any, ...]:
    """A name's values in the order of its columns."""
    return tuple(getattr(name, field) for field in NAME_FIELDS)


def to_name(values: Sequence[Any]) -> Name:
    """The name whose columns hold `values`."""
    out = dict(zip(NAME_FIELDS, values, strict=True))
    return Name(**{**out, "training": bool(out["training"])})
