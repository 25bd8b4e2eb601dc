"""The store: all published rows in one SQLite file, with what happened to each of them.

`Store.open()` always gives a store that answers. What went wrong on the way (a damaged file, a
folder that cannot be written) stands in `notices`, one clear line each.
"""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from knowledge import files, schema
from knowledge.errors import StoreError
from knowledge.files import Contents, Found, Loaded
from knowledge.history import Change, LoadReport
from knowledge.merging import Package, Packaged, checked, dated, due, merged
from knowledge.names import Names
from knowledge.rounds import Rounds
from knowledge.row import Row
from parsing.vocabulary import Name, Vocabulary

VARIABLE = "SMALLPRINT_KNOWLEDGE"
FILE_NAME = "knowledge.db"

_WORD = re.compile(r"[^\W_]{1,64}")
_MOST_WORDS = 16

Notify = Callable[[str], None]


def default_path() -> Path:
    """Where the knowledge file stands: SMALLPRINT_KNOWLEDGE, else the user's data folder.

    Raises StoreError where the system names no home folder.
    """
    given = os.environ.get(VARIABLE)
    try:
        return Path(given).expanduser() if given else _data_folder() / "smallprint" / FILE_NAME
    except RuntimeError:
        raise StoreError(f"no home folder for the knowledge file; set {VARIABLE} to a path") from None


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    # the base directory specification says to ignore a relative path
    return given if given.is_absolute() else Path.home() / ".local" / "share"


class Store:
    """All rows, read once; open it with `Store.open`.

    path: the file, whether or not it could be used. rows: every stored row, round by round.
    version: the data version, for receipts: it changes with the results, and with nothing else.
    in_memory: no file could be used or written, the rows are held in memory only.
    notices: what went wrong while opening, one line each.
    """

    def __init__(
        self,
        path: Path,
        rows: tuple[Row, ...],
        version: str,
        *,
        package: Package,
        signature: files.Signature | None,
        connection: sqlite3.Connection | None = None,
        contents: Contents | None = None,
        notices: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.rows = rows
        self.version = version
        self.notices = notices
        self._package = package
        self._signature = signature
        self._opened = connection
        self._contents = contents
        self._lock = threading.Lock()

    @property
    def in_memory(self) -> bool:
        """Whether the rows are held in memory only."""
        return self._contents is not None

    # Opening

    @classmethod
    def open(
        cls,
        path: Path | None = None,
        *,
        rebuild: bool = False,
        notify: Notify | None = None,
        package: Package | None = None,
    ) -> Store:
        """Open the knowledge file, building, refreshing or repairing it where it needs that.

        It is built from the packaged rows at first, and refreshed from them when the program
        brings others: then each round is replaced that no user has loaded. A damaged file is
        moved aside and built again, with what can be read of its history and loaded rounds.
        `rebuild` starts again from the packaged rows alone, whatever stands there.
        `notify` gets each notice as it arises; they also stand in `notices`.

        Raises StoreError for a file of a newer program (unless `rebuild`), for a database of
        another program, for a path that is a device or a pipe, and where no path is known.
        """
        place = Path(os.path.realpath(path if path is not None else default_path()))
        if place.exists() and not place.is_file() and not place.is_dir():
            raise StoreError(f"{place}: not a regular file; the knowledge file needs a path of its own")
        package = package or Packaged()
        if not rebuild:
            store = cls._whole(place, package)
            if store:
                return store
        return _Opening(place, package, rebuild, notify).settle()

    @classmethod
    def _whole(cls, place: Path, package: Package, notices: tuple[str, ...] = ()) -> Store | None:
        """The store of a file that needs nothing done to it, None where there is none."""
        try:
            opened = files.open_whole(place)
        except (OSError, files.DamagedError, files.SchemaError, files.BusyError):
            return None  # told, and dealt with, by _Opening
        if opened.package != package.fingerprint():
            opened.connection.close()
            return None
        return cls(
            place,
            opened.rows,
            opened.version,
            package=package,
            signature=opened.signature,
            connection=opened.connection,
            notices=notices,
        )

    def stale(self) -> bool:
        """Whether another file stands at the path than the one that this store reads."""
        return files.signature(self.path) != self._signature

    def reopened(self, *, notify: Notify | None = None) -> Store:
        """This store if it is not stale, else a new one; the old one keeps answering until closed."""
        if not self.stale():
            return self
        return Store.open(self.path, notify=notify, package=self._package)

    def close(self) -> None:
        """Give the file back. Rows stay readable, history and search do not."""
        with self._lock:
            if self._opened:
                self._opened.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading

    @cached_property
    def _by_key(self) -> dict[str, Row]:
        return {row.key: row for row in self.rows}

    def row(self, key: str) -> Row | None:
        """The row with this key, None if there is none (any more)."""
        return self._by_key.get(key)

    @cached_property
    def names(self) -> Names:
        """The names of the alias table and of the stored rows."""
        return Names.load().extended(self._naming)

    @cached_property
    def _naming(self) -> tuple[Row, ...]:
        """One row for each combination of names: all that the names need, and few."""
        return _naming(self.rows)

    @cached_property
    def rounds(self) -> Rounds:
        """The calendar of all published rounds, stored or not, and of stored ones that it does not list."""
        return Rounds.load().extended(self.rows)

    def vocabulary(self) -> Vocabulary:
        """What the reader of texts must know: names of the alias table and the rows, and rounds."""
        return self._vocabulary

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        names = self.names.vocabulary_names(self._naming)
        inference, training = (self.rounds.names(suite) for suite in ("inference", "training"))
        digest = blake2b(repr((names, inference, training)).encode(), digest_size=6)
        return Vocabulary(names, inference, training, digest.hexdigest())

    def history(self, key: str | None = None) -> tuple[Change, ...]:
        """What happened to one row, or to all of them, oldest first.

        Raises StoreError where the file has become unreadable.
        """
        query = schema.select(schema.CHANGE_FIELDS, "history", "" if key is None else "key = ?")
        found = self._query(query, () if key is None else (_unicode(key),))
        return tuple(map(schema.to_change, found))

    def loaded(self) -> tuple[Loaded, ...]:
        """The stored rounds: where each came from, when, and how many rows it has.

        Raises StoreError where the file has become unreadable.
        """
        return tuple(
            Loaded(*values) for values in self._query(schema.select(schema.LOADED_FIELDS, "rounds"), ())
        )

    def search(self, text: str, *, limit: int = 50) -> tuple[Row, ...]:
        """Rows in whose submitter, system, platform, chip, processor or model the words begin.

        All words must occur; best match first. Any text is safe; one without a word finds nothing.
        Raises StoreError where the file has become unreadable.
        """
        query = _SEARCH.format(what="rows.key", table="rows")
        keys = self._query(query, (words, limit)) if (words := _words(text)) else []
        return tuple(row for (key,) in keys if (row := self._by_key.get(key)))

    def search_names(self, text: str, *, limit: int = 20) -> tuple[Name, ...]:
        """Names (of chips, systems, models, submitters …) in which the words begin, as `search`."""
        columns = ", ".join(f"names.{field}" for field in schema.NAME_FIELDS)
        query = _SEARCH.format(what=columns, table="names")
        found = self._query(query, (words, limit)) if (words := _words(text)) else []
        return tuple(map(schema.to_name, found))

    def _query(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                if self._opened is None:
                    self._opened = sqlite3.connect(":memory:", check_same_thread=False)
                    contents = self._contents or Contents(self.rows)
                    files.fill(self._opened, contents, self.names.vocabulary_names(self._naming))
                return self._opened.execute(query, values).fetchall()
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise StoreError(f"{self.path}: cannot be searched ({error})") from None

    # Changing

    def load(self, rows: Iterable[Row], *, source: str) -> LoadReport:
        """Put whole rounds into the file: each round that `rows` has is replaced by them.

        What differs is written into the history, and the file before is kept for `rollback`.
        Rows that say the same stay as they are; if all do, nothing is written. This store does
        not change: it is stale afterwards, use `reopened`. `source` names where the rows came from.

        Raises StoreError, with nothing changed, for rows that cannot stand (none at all, a key
        twice, a value that is no number) and where the file cannot be written.
        """
        given = checked(rows)
        what = {(row.suite, row.round) for row in given}
        try:
            with files.writing(self.path):
                found = files.examine(self.path)
                base = due(found, self._package)
                after, report = merged(base, dated(given, base.rows), what, "loaded", source)
                if report.changes:
                    _write(self.path, after, found)
                return report
        except (OSError, sqlite3.Error, files.BusyError) as error:
            raise StoreError(f"{self.path}: {_unwritten(error)}; nothing was changed") from None

    def rollback(self) -> None:
        """Exchange the file with the one before its last change; doing it twice undoes it.

        Raises StoreError, with nothing changed, where there is none or it cannot be used.
        """
        try:
            with files.writing(self.path):
                files.roll_back(self.path)
        except FileNotFoundError:
            raise StoreError(f"{self.path}: no earlier file is kept") from None
        except files.DamagedError as error:
            raise StoreError(f"{files.previous(self.path)}: {error}; nothing was changed") from None
        except (OSError, files.BusyError) as error:
            raise StoreError(f"{self.path}: {_unwritten(error)}; nothing was changed") from None


_SEARCH = (
    "SELECT {what} FROM {table}_fts JOIN {table} ON {table}.rowid = {table}_fts.rowid "
    "WHERE {table}_fts MATCH ? ORDER BY {table}_fts.rank, {table}.rowid LIMIT ?"
)


class _Opening:
    """One opening of a file that is not simply there: built, refreshed, repaired or refused."""

    def __init__(self, place: Path, package: Package, rebuild: bool, notify: Notify | None) -> None:
        self.place = place
        self.package = package
        self.rebuild = rebuild
        self.notify = notify
        self.notices: list[str] = []

    def say(self, line: str) -> None:
        self.notices.append(line)
        if self.notify:
            self.notify(line)

    def settle(self) -> Store:
        """The store, from a file put right where that can be done, else from memory."""
        try:
            with files.writing(self.place):
                if not self.rebuild and (store := Store._whole(self.place, self.package)):
                    return store  # another process was first
                found = files.examine(self.place, any_schema=self.rebuild)
                kept = _write(self.place, due(found, self.package, self.rebuild), found)
                if found.fault and kept:
                    self.say(f"{self.place}: {found.fault}; moved to {kept.name}, {_rebuilt(found)}")
            store = Store._whole(self.place, self.package, tuple(self.notices))
            if store:
                return store
            raise files.BusyError("changed by another program while it was written")
        except (OSError, sqlite3.Error, files.BusyError) as error:
            return self.from_memory(_unwritten(error))

    def from_memory(self, reason: str) -> Store:
        """The same contents, where the file cannot be used."""
        before = files.signature(self.place)
        try:
            found = files.examine(self.place, any_schema=self.rebuild)
        except (OSError, sqlite3.Error, files.BusyError):
            found = Found()
        contents = due(found, self.package, self.rebuild)
        fault = f"{found.fault} and " if found.fault else ""
        self.say(f"{self.place}: {fault}{reason}; answering from rows held in memory")
        return Store(
            self.place,
            contents.rows,
            contents.version,
            package=self.package,
            signature=before,
            contents=contents,
            notices=tuple(self.notices),
        )


def _naming(rows: Iterable[Row]) -> tuple[Row, ...]:
    kept = {(r.accelerator, r.parts, r.model, r.submitter, r.processor): r for r in rows}
    return tuple(kept.values())


def _write(place: Path, contents: Contents, found: Found) -> Path | None:
    names = Names.load().vocabulary_names(_naming(contents.rows))
    return files.write(place, contents, names, aside=found.aside)


def _unwritten(error: Exception) -> str:
    """Why a file cannot be used, as part of a sentence."""
    if isinstance(error, files.BusyError):
        return str(error)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot be read or written ({reason[:1].lower()}{reason[1:]})"


def _rebuilt(found: Found) -> str:
    """What was carried over from a damaged file, as part of a sentence."""
    kept = [loaded.round for loaded in found.contents.rounds if loaded.origin == "loaded"]
    rounds = f", loaded rounds kept: {', '.join(kept)}" if kept else ""
    history = f", {len(found.contents.history):,} lines of history kept" if found.contents.history else ""
    return f"rebuilt from the packaged rows{rounds}{history}"


def _words(text: str) -> str:
    """A full-text query from any text: its words, each quoted, as beginnings of words."""
    return " ".join(f'"{word}"*' for word in _WORD.findall(_unicode(text))[:_MOST_WORDS])


def _unicode(text: str) -> str:
    """The text without halves of characters, which no database takes."""
    return text.encode("utf-8", "ignore").decode("utf-8")
