"""Fetch new and changed summaries of published rounds and put them into the knowledge file.

Everything is fetched and looked at before anything is written, and written at one stroke: a sync that
fails, at whatever file, changes nothing and says why.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files as package_files
from pathlib import Path
from typing import Literal

from knowledge import files, schema, sources
from knowledge.errors import SourceError, StoreError, SyncError
from knowledge.files import Loaded
from knowledge.history import LoadReport
from knowledge.row import Row
from knowledge.store import Notify, Store
from knowledge.sync import plausible
from knowledge.sync.fetch import Absent, Fetched, Fetcher, Unchanged, Validators, fetcher
from knowledge.sync.memory import Memory, Seen, last_checked
from knowledge.sync.plan import Plan, following, named

__all__ = ["Look", "SyncReport", "last_checked", "named", "rollback", "sync"]

SUITE = "inference"

# loaded: its rows were new or other ones. same: the file is the one we have, or says the same. absent:
# nothing is published there. skipped: `sync.toml` says why. held: the file was rolled back here.
Outcome = Literal["loaded", "same", "absent", "skipped", "held"]


@dataclass(frozen=True, slots=True)
class Look:
    """What was found of one round. address: where its file stands; why: for what was skipped."""

    round: str
    outcome: Outcome
    address: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did. load: what changed in the store, None where no file was new.

    version: the data version after it. checksum: over the files that were loaded, "" where none was.
    warnings: what a person should know of the files, one line each.
    """

    base: str
    looks: tuple[Look, ...]
    load: LoadReport | None
    version: str
    checksum: str
    warnings: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the stored results are others than before."""
        return self.load is not None and bool(self.load.changes)


@dataclass(slots=True)
class _Basket:
    """What was fetched and is to be loaded, with what to remember of it."""

    rows: list[Row] = field(default_factory=list)
    files: dict[str, tuple[str, Fetched]] = field(default_factory=dict)  # round: address and file
    warnings: list[str] = field(default_factory=list)


def sync(
    path: Path | None = None,
    *,
    base: str | None = None,
    only: Sequence[str] = (),
    fetch: Fetcher | None = None,
    proxy: str | None = None,
    notify: Notify | None = None,
) -> SyncReport:
    """Look for the known rounds and the next ones below `base`, and load what is new or changed.

    path: the knowledge file (default: the usual one). base: a server or a folder (default: MLCommons'
    repositories); `only`: rounds to look for. `fetch` gets the files (default: by the base), through
    `proxy` (default: as the environment says). A process that has the store open sees that it is
    stale, and reopens it.

    Raises SyncError, SourceError or StoreError with one line, and then nothing was changed.
    """
    plan = Plan.load()
    base = (base or plan.base).strip()
    with Store.open(path, notify=notify) as store:
        try:
            return _Sync(store, plan, base, fetch or fetcher(base, plan, proxy)).run(
                [named(name) for name in only]
            )
        except SyncError as error:
            raise SyncError(f"{error}; nothing was changed") from None
        except SourceError as error:
            raise SourceError(f"{error}; nothing was changed") from None


class _Sync:
    """One sync of one store."""

    def __init__(self, store: Store, plan: Plan, base: str, fetch: Fetcher) -> None:
        self.store = store
        self.plan = plan
        self.base = base
        self.fetch = fetch
        self.memory = Memory.read(store.path)
        self.stored = {loaded.round: loaded for loaded in store.loaded() if loaded.suite == SUITE}
        self.reading = _reading()

    def run(self, only: Sequence[str]) -> SyncReport:
        """Fetch, check, load."""
        basket = _Basket()
        looks = [self.look(name, basket) for name in only or self.rounds()]
        if all(look.outcome in ("absent", "skipped") for look in looks):
            asked = ", ".join(look.round for look in looks)
            raise SyncError(f"{self.base}: holds no summary of {asked}")
        load = self.store.load(basket.rows, source=self.base) if basket.rows else None
        self.remember(basket)
        touched = {change.round for change in load.changes} if load else set()
        looks = [
            Look(look.round, "same", look.address)
            if look.outcome == "loaded" and look.round not in touched
            else look
            for look in looks
        ]
        together = "".join(got.sha256 for _, (_, got) in sorted(basket.files.items()))
        return SyncReport(
            self.base,
            tuple(looks),
            load,
            load.after if load else self.store.version,
            hashlib.sha256(together.encode()).hexdigest() if together else "",
            tuple(basket.warnings),
        )

    def rounds(self) -> Iterator[str]:
        """The stored rounds, oldest first, then those that may come next."""
        yield from sorted(self.stored)
        yield from following([*self.store.rounds.names(SUITE), *self.stored])

    def look(self, name: str, basket: _Basket) -> Look:
        """Fetch and check one round; its rows go into the basket where the file is new."""
        if name in self.plan.skip and name in self.stored:
            return Look(name, "skipped", why=self.plan.skip[name])
        for address in self.plan.addresses(name, self.base):
            seen = self.memory.seen.get(address)
            current = seen if seen and self.is_current(name, seen) else None
            got = self.fetch(address, current.validators if current else Validators())
            match got:
                case Absent():
                    continue
                case Unchanged():
                    return Look(name, "same", address)
                case Fetched() if current and got.sha256 == current.sha256:
                    return Look(name, "same", address)
                case Fetched() if self.memory.held.get(address) == got.sha256:
                    return Look(name, "held", address)
                case Fetched():
                    self.take(name, address, got, basket)
                    return Look(name, "loaded", address)
        return Look(name, "absent")

    def is_current(self, name: str, seen: Seen) -> bool:
        """Whether the store still holds the rows of that file, read as this program reads it."""
        loaded: Loaded | None = self.stored.get(name)
        return loaded is not None and loaded.checksum == seen.checksum and seen.reading == self.reading

    def take(self, name: str, address: str, got: Fetched, basket: _Basket) -> None:
        """Read and check a fetched file."""
        with tempfile.TemporaryDirectory(prefix="smallprint-sync-") as folder:
            # The file's name stands in every message about it.
            path = Path(folder) / f"{name} {address.rpartition('/')[2]}"
            path.write_bytes(got.content)
            found = sources.load(path)
        basket.warnings += found.warnings
        old = {row.key: row for row in self.store.rows if row.round == name}
        rows = [plausible.with_page(row, old.get(row.key)) for row in found.rows]
        basket.warnings += plausible.check(name, rows, self.store.rows, self.plan)
        basket.rows += rows
        basket.files[name] = (address, got)

    def remember(self, basket: _Basket) -> None:
        """Note what was loaded from where; where that cannot be written, the next sync reads it all again.

        Written also when nothing was: the file's time says when the rows were last looked at.
        """
        with Store.open(self.store.path) as after:
            checksums = {loaded.round: loaded.checksum for loaded in after.loaded() if loaded.suite == SUITE}
        for name, (address, got) in basket.files.items():
            validators = got.validators
            self.memory.seen[address] = Seen(
                got.sha256, checksums[name], self.reading, validators.etag, validators.modified
            )
            self.memory.held.pop(address, None)
        try:
            self.memory.write(self.store.path)
        except (OSError, files.BusyError) as error:
            basket.warnings.append(f"{self.store.path}: what was fetched could not be noted ({error})")


def rollback(path: Path | None = None, *, notify: Notify | None = None) -> tuple[str, str]:
    """Exchange the knowledge file with the one before its last change; doing it twice undoes it.

    Files whose rows are gone by that are left alone by the next syncs, until they change.
    Returns the data versions before and after. Raises StoreError, with nothing changed.
    """
    with Store.open(path, notify=notify) as store:
        before = store.version
        store.rollback()
        memory = Memory.read(store.path)
        with Store.open(store.path, notify=notify) as after:
            memory.hold(loaded.checksum for loaded in after.loaded())
            version = after.version
    if memory.seen:
        try:
            memory.write(store.path)
        except (OSError, files.BusyError) as error:
            raise StoreError(
                f"{store.path}: rolled back, but the next sync will not know ({error})"
            ) from None
    return before, version


def _reading() -> str:
    """A checksum over what a file is read with: another program reads other rows from it."""
    digest = hashlib.sha256(str(schema.SCHEMA).encode())
    for name in ("names.toml", "corrections.toml", "rounds.toml"):
        digest.update(package_files("knowledge").joinpath(name).read_bytes())
    return digest.hexdigest()[:16]
