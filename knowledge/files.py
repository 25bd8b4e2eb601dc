"""The knowledge file as bytes on a disk: whole or damaged, read, salvaged, written at one stroke.

A file is never changed in place. A writer builds a new one beside it and renames it over the
old one, under a lock; a reader that has the old one open keeps it until it reopens.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import sqlite3
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, TypeVar

from knowledge import clock, schema
from knowledge.errors import StoreError
from knowledge.history import FIELDS, ORIGIN_FIELDS, Change
from knowledge.rounds import Rounds
from knowledge.row import Row
from parsing.vocabulary import Name

LOCK_PATIENCE = 30.0  # seconds to wait for another process that writes
READ_PATIENCE = 2.0  # seconds to wait for another program that has locked the database

# Places in the header of an SQLite file (https://www.sqlite.org/fileformat.html): the number of
# our migrations, and a number left free for applications, where the file's checksum stands.
_MAGIC = b"SQLite format 3\x00"
_SCHEMA_AT, _CHECKSUM_AT = 60, 68
_SANE_SCHEMA = 10_000  # a larger number is garbage, not a newer program

_UNFINISHED = ".tmp"

Round = tuple[str, str]
Signature = tuple[int, int, int]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Loaded:
    """One stored round: its rows came with the program ("packaged") or were "loaded" since.

    `source` and `at` (UTC, ISO) tell from where and when, `checksum` is over its results.
    """

    suite: str
    round: str
    origin: Literal["packaged", "loaded"]
    source: str
    at: str
    rows: int
    checksum: str


@dataclass(frozen=True, slots=True)
class Contents:
    """All that a knowledge file holds; `package` is the fingerprint of the rows it started from."""

    rows: tuple[Row, ...] = ()
    history: tuple[Change, ...] = ()
    rounds: tuple[Loaded, ...] = ()
    package: str = ""

    @property
    def version(self) -> str:
        """The data version: schema number and checksum of all results."""
        lines = sorted(f"{loaded.suite} {loaded.round} {loaded.checksum}\n" for loaded in self.rounds)
        return f"{schema.SCHEMA}-{blake2b(''.join(lines).encode(), digest_size=6).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Opened:
    """A whole file, open for reading, with its rows."""

    connection: sqlite3.Connection = field(repr=False)
    rows: tuple[Row, ...] = field(repr=False)
    version: str
    package: str
    signature: Signature


@dataclass(frozen=True, slots=True)
class Found:
    """What stands at a path: its contents as far as they can be trusted.

    `fault` says why a file cannot be used as it is (None: it can, or there is none) and `aside`
    what to call it then; `lost` names the rows that it held and that cannot be read, with suite
    and round.
    """

    contents: Contents = Contents()
    exists: bool = False
    fault: str | None = None
    aside: Literal["damaged", "newer"] | None = None
    lost: dict[str, Round] = field(default_factory=dict)


class DamagedError(Exception):
    """The file is damaged: the message is the reason, as part of a sentence."""


class SchemaError(Exception):
    """The file has seen another number of migrations than this program knows."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class BusyError(Exception):
    """Another program holds the file: the message says how, as part of a sentence."""


def signature(path: Path) -> Signature | None:
    """What tells one file at this path from the next one; None where there is no file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns, state.st_size


def checksum(rows: Iterable[Row]) -> str:
    """A checksum over results, whatever their order and wherever our copy came from.

    The day of publication counts only where the calendar lists the round: another is the day on which
    this copy first saw it. Raises StoreError for text that is not Unicode.
    """
    kept = [place for place, name in enumerate(FIELDS) if name not in ORIGIN_FIELDS]
    rounds = Rounds.load()
    digest = blake2b(digest_size=16)
    for row in sorted(rows, key=lambda row: row.key):
        listed = rounds.get(row.round, row.suite) is not None
        values = schema.from_row(row if listed else replace(row, published=""))
        try:
            digest.update(json.dumps([values[place] for place in kept], ensure_ascii=False).encode() + b"\n")
        except UnicodeEncodeError:
            raise StoreError(f"row {row.key!r} holds characters that are not Unicode text") from None
    return digest.hexdigest()


# Reading


def open_whole(path: Path) -> Opened:
    """Open a file for reading and read its rows.

    Raises FileNotFoundError or another OSError, DamagedError, SchemaError, or BusyError.
    """
    while True:
        before = signature(path)
        _verify(path)
        connection = sqlite3.connect(
            f"{path.as_uri()}?mode=ro", uri=True, timeout=READ_PATIENCE, check_same_thread=False
        )
        if before is not None and before == signature(path):
            break
        connection.close()  # swapped meanwhile: what was verified is not what was opened
    try:
        meta = dict(_all(connection, "meta", ("name", "value")))
        rows = tuple(map(schema.to_row, _all(connection, "rows", FIELDS)))
        return Opened(connection, rows, meta["version"], meta["package"], before)
    except sqlite3.OperationalError as error:
        connection.close()
        raise (
            BusyError("locked by another program") if _locked(error) else DamagedError(str(error))
        ) from None
    except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
        connection.close()
        raise DamagedError(f"its rows cannot be read: {error}") from None


def examine(path: Path, *, any_schema: bool = False) -> Found:
    """What stands at a path, salvaging what a damaged file still gives.

    Raises StoreError for a file of a newer program (unless `any_schema`) and for a database
    that is not ours, BusyError, and OSError where the file cannot be read at all.
    """
    try:
        with closing(open_whole(path).connection) as connection:
            return Found(_contents(connection), exists=True)
    except FileNotFoundError:
        return Found()
    except SchemaError as other:
        if 0 < other.number < schema.SCHEMA:
            return Found(_migrated(path), exists=True)
        if other.number > schema.SCHEMA and not any_schema:
            raise StoreError(
                f"{path}: written by a newer Smallprint (schema {other.number}, this one knows "
                f"{schema.SCHEMA}); upgrade, or use --rebuild to start again from the packaged rows"
            ) from None
        return _salvaged(path, "newer", f"of another program version (schema {other.number})")
    except (DamagedError, sqlite3.Error) as fault:
        return _salvaged(path, "damaged", f"damaged ({fault})")


def _verify(path: Path) -> None:
    """See from the bytes alone whether a file is ours, of our schema, and as it was written."""
    with path.open("rb") as file:
        header = file.read(100)
        if not header:
            raise DamagedError("it is empty")
        if not header.startswith(_MAGIC) or len(header) < 100:
            raise DamagedError("it is no database")
        (number,) = struct.unpack_from(">I", header, _SCHEMA_AT)
        if schema.SCHEMA < number < _SANE_SCHEMA:
            raise SchemaError(number)
        (written,) = struct.unpack_from(">I", header, _CHECKSUM_AT)
        file.seek(0)
        if written != _bytes_checksum(file):
            raise DamagedError("its content is not what was written")
        if number != schema.SCHEMA:
            raise SchemaError(number)


def _bytes_checksum(file: Any) -> int:
    """CRC-32 of a file's bytes, its own place taken as zero."""
    header = bytearray(file.read(100))
    header[_CHECKSUM_AT : _CHECKSUM_AT + 4] = bytes(4)
    value = zlib.crc32(header)
    while block := file.read(1 << 20):
        value = zlib.crc32(block, value)
    return value


def _locked(error: sqlite3.OperationalError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _all(connection: sqlite3.Connection, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    return connection.execute(schema.select(columns, table)).fetchall()


def _contents(connection: sqlite3.Connection) -> Contents:
    meta = dict(_all(connection, "meta", ("name", "value")))
    return Contents(
        rows=tuple(map(schema.to_row, _all(connection, "rows", FIELDS))),
        history=tuple(map(schema.to_change, _all(connection, "history", schema.CHANGE_FIELDS))),
        rounds=tuple(Loaded(*values) for values in _all(connection, "rounds", schema.LOADED_FIELDS)),
        package=meta["package"],
    )


def _migrated(path: Path) -> Contents:
    """The contents of an older file, brought to our schema in memory. Raises as `examine` does."""
    with closing(sqlite3.connect(":memory:")) as memory:
        with closing(_read_only(path)) as connection:
            connection.backup(memory)
        schema.migrate(memory)
        return _contents(memory)


def _salvaged(path: Path, aside: Literal["damaged", "newer"], fault: str) -> Found:
    """What a damaged file still gives: rounds whose rows match their checksum, and the history."""
    with closing(_read_only(path)) as connection:
        if _foreign(connection):
            raise StoreError(f"{path}: a database of another program, left as it is; give another path")
        rounds = _readable(connection, "rounds", schema.LOADED_FIELDS, lambda values: Loaded(*values))
        rows = _readable(connection, "rows", FIELDS, schema.to_row)
        history = _readable(connection, "history", schema.CHANGE_FIELDS, schema.to_change)
    kept: list[Loaded] = []
    kept_rows: list[Row] = []
    for loaded in rounds:
        of_round = [row for row in rows if (row.suite, row.round) == (loaded.suite, loaded.round)]
        with suppress(StoreError):
            if checksum(of_round) == loaded.checksum:
                kept.append(loaded)
                kept_rows.extend(of_round)
    last = {change.key: change for change in history}
    lost = {key: (change.suite, change.round) for key, change in last.items() if change.what != "withdrawn"}
    for row in kept_rows:
        lost.pop(row.key, None)
    contents = Contents(tuple(kept_rows), tuple(history), tuple(kept))
    return Found(contents, True, fault, aside, lost)


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=READ_PATIENCE)


def _foreign(connection: sqlite3.Connection) -> bool:
    """Whether this is somebody else's database: it can be read, and has none of our tables."""
    try:
        tables = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
    except (sqlite3.Error, UnicodeDecodeError):  # the latter where a message quotes damaged bytes
        return False
    return bool(tables) and not tables & {"rows", "history", "rounds", "_sqlite_migrations"}


def _readable(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    make: Callable[[Sequence[Any]], T],
) -> list[T]:
    """What can be read of a table: from its start up to the damage, and from its end back to it."""
    found: dict[int, T] = {}
    for order in ("ASC", "DESC"):
        query = schema.select(("rowid", *columns), table) + f" {order}"
        with suppress(sqlite3.Error, UnicodeDecodeError):
            for place, *values in connection.execute(query):
                if place in found:
                    break
                with suppress(ValueError, TypeError, AttributeError):
                    found[place] = make(values)
    return [found[place] for place in sorted(found)]


# Writing


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Hold the right to write this file: one process at a time, over restarts and crashes.

    Makes the folder, and clears what an interrupted writer left. Raises OSError where the
    folder cannot be written, BusyError where another process writes for longer than LOCK_PATIENCE.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("a") as file:
        _lock(file)
        for left in list(path.parent.iterdir()):
            if left.name.startswith(f".{path.name}.") and left.name.endswith(_UNFINISHED):
                left.unlink(missing_ok=True)
        yield


def _lock(file: Any) -> None:
    """Take the lock, which the system gives back when the file is closed or the process dies."""
    if sys.platform == "win32":
        return  # the rename alone keeps the file whole there; the last writer wins
    import fcntl

    end = time.monotonic() + LOCK_PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise BusyError(f"being written by another process for {LOCK_PATIENCE:.0f} s") from None
            time.sleep(0.02)


def write(path: Path, contents: Contents, names: Iterable[Name], *, aside: str | None = None) -> Path | None:
    """Put a new file in the place of the old one, at one stroke; call it inside `writing`.

    The old file is kept: under a name of its own where `aside` says what it is ("damaged"),
    else as `previous(path)`. Returns that path, None if there was no file. Raises OSError or
    sqlite3.Error where the new file cannot be written; then the old one stands untouched.
    """
    temporary = unfinished(path)
    temporary.touch(exist_ok=False)  # where the folder takes no file, the system says why
    try:
        with closing(sqlite3.connect(temporary)) as connection:
            connection.execute("PRAGMA journal_mode = MEMORY")
            connection.execute("PRAGMA synchronous = OFF")
            fill(connection, contents, names)
        _seal(temporary)
        _read_back(temporary)
        kept = _keep(path, aside)
        temporary.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return kept


def fill(connection: sqlite3.Connection, contents: Contents, names: Iterable[Name]) -> None:
    """Write contents into an empty database."""
    schema.migrate(connection)
    schema.insert(connection, "rows", FIELDS, map(schema.from_row, contents.rows))
    schema.insert(connection, "history", schema.CHANGE_FIELDS, map(schema.from_change, contents.history))
    rounds = ([getattr(loaded, name) for name in schema.LOADED_FIELDS] for loaded in contents.rounds)
    schema.insert(connection, "rounds", schema.LOADED_FIELDS, rounds)
    schema.insert(connection, "names", schema.NAME_FIELDS, map(schema.from_name, names))
    meta = [("version", contents.version), ("package", contents.package)]
    schema.insert(connection, "meta", ("name", "value"), meta)
    schema.fill_search(connection)
    connection.commit()


def previous(path: Path) -> Path:
    """Where the file before the last change is kept."""
    return path.with_name(f"{path.name}.previous")


def roll_back(path: Path) -> None:
    """Exchange the file with the one before its last change; call it inside `writing`.

    Raises FileNotFoundError where there is none, DamagedError where it cannot be used.
    """
    with suppress(SchemaError):  # an older one is brought up to date when it is opened
        _verify(previous(path))
    temporary = unfinished(path)
    _copy(path, temporary)
    previous(path).replace(path)
    temporary.replace(previous(path))
    _sync_folder(path.parent)


def unfinished(path: Path) -> Path:
    """A name for a file that is not finished yet, in the same folder."""
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}{_UNFINISHED}")


def _seal(path: Path) -> None:
    """Write the checksum of the bytes into the header, and everything onto the disk."""
    with path.open("r+b") as file:
        value = _bytes_checksum(file)
        file.seek(_CHECKSUM_AT)
        file.write(struct.pack(">I", value))
        file.flush()
        os.fsync(file.fileno())


def _read_back(path: Path) -> None:
    """See that the disk gives back what was written. Raises OSError."""
    try:
        _verify(path)
    except DamagedError:
        raise OSError(errno.EIO, "the disk does not give back what was written") from None


def _keep(path: Path, aside: str | None) -> Path | None:
    """Keep the old file before the new one takes its place."""
    if not path.exists():
        return None
    if aside is None:
        temporary = unfinished(path)
        _copy(path, temporary)
        return temporary.replace(previous(path))
    stamp = clock.now().strftime("%Y%m%dT%H%M%SZ")
    name = f"{path.name}.{aside}-{stamp}"
    kept, number = path.with_name(name), 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{name}-{number}")
    return path.replace(kept)


def _copy(source: Path, target: Path) -> None:
    try:
        with source.open("rb") as old, target.open("wb") as new:
            shutil.copyfileobj(old, new)
            new.flush()
            os.fsync(new.fileno())
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Make a rename last over a power cut, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
