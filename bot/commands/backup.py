"""`smallprint backup` and `restore`: knowledge, state and waiting work (SQLite) in one file."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import os
import sqlite3
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from bot.deployment import key_file, state_url
from bot.errors import UserError
from bot.jobs.database import beside
from bot.reply import program_version
from bot.settings import settings
from bot.state.engine import backend_of, parsed
from knowledge.store import default_path

MANIFEST = "manifest.json"
FORMAT = 1
PATIENCE = 10.0  # seconds to wait for a writer
LEFTOVERS = ("-wal", "-shm", "-journal")


def backup(target: Path) -> str:
    """Copy the running installation into a zip file, each database as it stood at one moment.

    The waiting work is copied before the state: what was done in between is then waiting in the one and
    done in the other, so it is looked at again and left alone. Raises UserError.
    """
    if target.exists():
        raise UserError(f"{target}: there is such a file already")
    files = {name: path for name, path in _files().items() if path.exists()}
    if "state.db" not in files and "knowledge.db" not in files:
        raise UserError("there is nothing to back up yet")
    with tempfile.TemporaryDirectory(prefix="smallprint-backup-") as folder:
        copies = {name: _copied(path, Path(folder) / name) for name, path in files.items()}
        manifest = {
            "format": FORMAT,
            "program": program_version(),
            "made": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
            "files": {name: _checksum(path) for name, path in copies.items()},
        }
        _pack(target, copies, manifest)
    return f"{target}: {', '.join(copies)}. {_about_keys()}"


def restore(source: Path, *, replace: bool) -> str:
    """Put the files of a backup in their places; the bot must not run.

    Raises UserError, with nothing changed.
    """
    places = _files()
    with tempfile.TemporaryDirectory(prefix="smallprint-restore-") as folder:
        found = _unpacked(source, Path(folder), set(places))
        there = [str(places[name]) for name in found if places[name].exists()]
        if there and not replace:
            raise UserError(f"{', '.join(there)}: exists; stop the bot and add --replace")
        for name in found:
            _free(places[name])
        for name, path in found.items():
            _put(path, places[name])
    return f"Restored {', '.join(found)}. {_about_keys()}"


def _files() -> dict[str, Path]:
    """The files of this installation by their name in a backup. Raises UserError for PostgreSQL."""
    url = state_url(settings())
    if backend_of(url) != "sqlite":
        raise UserError(
            "the state is in PostgreSQL: back it up with pg_dump and restore it with pg_restore; "
            "the knowledge file is made anew by `smallprint sync`"
        )
    jobs = beside(url).file
    assert jobs is not None
    return {"jobs.db": jobs, "state.db": Path(parsed(url).database or ""), "knowledge.db": default_path()}


def _about_keys() -> str:
    file = key_file(state_url(settings()))
    if settings().keys is not None or settings().keys_file is not None or file is None:
        return "The keys are not in it: without them it opens nothing."
    return f"The key is not in it: keep {file} apart, without it nothing opens."


def _copied(path: Path, copy: Path) -> Path:
    try:
        with (
            contextlib.closing(sqlite3.connect(path, timeout=PATIENCE)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            # A copy is one file, whatever the original is.
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise UserError(f"{path}: {error}") from None
    return copy


def _pack(target: Path, copies: dict[str, Path], manifest: dict[str, Any]) -> None:
    part = target.with_name(f".{target.name}.part")
    try:
        # What people wrote is sealed; who wrote where is not: so only the owner reads it.
        made = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(made, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, json.dumps(manifest, indent=2))
            for name, path in copies.items():
                archive.write(path, name)
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def _unpacked(source: Path, folder: Path, known: set[str]) -> dict[str, Path]:
    """The checked files of a backup. Raises UserError for anything that is not one, or is damaged."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            names = manifest["files"]
            if manifest["format"] != FORMAT or not set(names) <= known:
                raise UserError(f"{source}: a backup of another program version ({manifest.get('program')})")
            found = {name: Path(archive.extract(name, folder)) for name in names}
    except OSError as error:
        raise UserError(f"{source}: {error.strerror or 'cannot be read'}") from None
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, EOFError):
        raise UserError(f"{source}: not a backup, or damaged; nothing was changed") from None
    for name, path in found.items():
        if _checksum(path) != names[name] or not _sound(path):
            raise UserError(f"{source}: {name} is damaged; nothing was changed")
    return found


def _sound(path: Path) -> bool:
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            return bool(connection.execute("PRAGMA quick_check").fetchone()[0] == "ok")
    except sqlite3.Error:
        return False


def _free(path: Path) -> None:
    """Raise UserError if somebody writes to a file that is to be replaced, or has it open in WAL mode."""
    if not path.exists():
        return
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            # Leaving WAL needs the file alone: it fails while any other process has it open.
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
    except sqlite3.OperationalError:
        raise UserError(f"{path}: in use; stop the bot first, nothing was changed") from None
    except sqlite3.DatabaseError:
        pass  # a damaged file is what a restore is for


def _put(path: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{place.name}.part")
    part.write_bytes(path.read_bytes())
    part.chmod(0o600)
    for end in LEFTOVERS:
        place.with_name(place.name + end).unlink(missing_ok=True)
    part.replace(place)


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
