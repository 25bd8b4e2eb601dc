"""What a store should hold: stored rows, packaged rows and loaded rows put together, with history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from hashlib import blake2b
from math import isfinite
from pathlib import Path
from typing import Literal, Protocol

from knowledge import clock, files, schema
from knowledge.errors import StoreError
from knowledge.files import Contents, Found, Loaded
from knowledge.history import PACKAGED, LoadReport, changes, same_result
from knowledge.rounds import Rounds
from knowledge.row import Row


class Package(Protocol):
    """The rows that a store is first built from."""

    def fingerprint(self) -> str:
        """What changes when the rows or the names change."""
        ...

    def rows(self) -> Iterable[Row]:
        """All rows."""
        ...


class Packaged:
    """The rows and names that come with the program."""

    def fingerprint(self) -> str:
        """A checksum over the files themselves, so that reading the rows is not needed to know."""
        folder = Path(__file__).parent
        digest = blake2b(digest_size=16)
        for path in (*sorted((folder / "rows").glob("*.csv")), folder / "names.toml"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        return f"{schema.SCHEMA}-{digest.hexdigest()}"

    def rows(self) -> Iterable[Row]:
        """All rows of `knowledge/rows`."""
        from knowledge import rows_csv

        return rows_csv.packaged()


def due(found: Found, package: Package, rebuild: bool = False) -> Contents:
    """What the file should hold: what it holds, with the packaged rows where they are due."""
    base = found.contents
    fingerprint = package.fingerprint()
    if base.package == fingerprint and not rebuild:
        return base
    rows = checked(package.rows())
    packaged = {(row.suite, row.round) for row in rows}
    stored = {(loaded.suite, loaded.round): loaded for loaded in base.rounds}
    if rebuild:
        what = packaged | stored.keys()
    else:
        what = {place for place in packaged if place not in stored or stored[place].origin == "packaged"}
    given = tuple(row for row in rows if (row.suite, row.round) in what)
    after, _ = merged(base, given, what, "packaged", PACKAGED, lost=found.lost)
    return replace(after, package=fingerprint)


def merged(
    base: Contents,
    rows: tuple[Row, ...],
    what: Iterable[files.Round],
    origin: Literal["packaged", "loaded"],
    source: str,
    *,
    lost: dict[str, files.Round] | None = None,
) -> tuple[Contents, LoadReport]:
    """`base` with the rounds `what` replaced by `rows`, and what that changed."""
    what = set(what)
    at = clock.now().isoformat(timespec="seconds")
    old = {row.key: row for row in base.rows if (row.suite, row.round) in what}
    rest = [row for row in base.rows if (row.suite, row.round) not in what]
    new = [was if (was := old.get(row.key)) and same_result(was, row) else row for row in rows]
    known = {key: place for key, place in (lost or {}).items() if place in what}
    happened = changes(old.values(), new, at=at, source=source, known=known)
    touched = {(change.suite, change.round) for change in happened}
    rounds = [loaded for loaded in base.rounds if (loaded.suite, loaded.round) not in what]
    before = {(loaded.suite, loaded.round): loaded for loaded in base.rounds}
    for place, of_round in sorted(_by_round(new).items()):
        if place in before and place not in touched and before[place].origin == origin:
            rounds.append(before[place])
        else:
            rounds.append(Loaded(*place, origin, source, at, len(of_round), files.checksum(of_round)))
    ordered = sorted([*rest, *new], key=lambda row: (row.suite, row.published, row.round))
    after = Contents(tuple(ordered), base.history + happened, tuple(rounds), base.package)
    unchanged = len(new) - len({change.key for change in happened if change.what != "withdrawn"})
    report = LoadReport(source, tuple(sorted(what)), happened, unchanged, base.version, after.version)
    return after, report


def dated(rows: Iterable[Row], stored: Iterable[Row]) -> tuple[Row, ...]:
    """The rows; a round that the calendar does not list stays published on the day it was first seen."""
    rounds = Rounds.load()
    seen = {(row.suite, row.round): row.published for row in stored if not rounds.get(row.round, row.suite)}
    return tuple(
        row
        if (first := seen.get((row.suite, row.round), row.published)) == row.published
        else replace(row, published=first)
        for row in rows
    )


def _by_round(rows: Iterable[Row]) -> dict[files.Round, list[Row]]:
    found: dict[files.Round, list[Row]] = {}
    for row in rows:
        found.setdefault((row.suite, row.round), []).append(row)
    return found


def checked(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows, if they can stand in a store. Raises StoreError naming the first that cannot."""
    given = tuple(rows)
    if not given:
        raise StoreError("no rows to load")
    twice = [key for key, count in Counter(row.key for row in given).items() if count > 1]
    if twice:
        raise StoreError(f"row {twice[0]!r} stands twice ({len(twice)} such keys)")
    for row in given:
        if not isfinite(row.value):
            raise StoreError(f"row {row.key!r}: its value {row.value} is no result")
    return given
