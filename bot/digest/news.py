"""What is new in the published rows since a mark. Pure, but for the history that it asks the store for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from bot.digest.mark import REMEMBERED, Mark, place
from knowledge import arrivals
from knowledge.arrivals import Arrival, Best, Largest, Spread
from knowledge.deltas import Delta, deltas
from knowledge.history import Change, Correction, corrections, row_of
from knowledge.names import Names
from knowledge.preview import FollowUp, followups
from knowledge.rounds import Rounds
from knowledge.row import Row
from knowledge.store import Store


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction with the row as it stands, or as it stood before it was withdrawn."""

    correction: Correction
    row: Row


@dataclass(frozen=True)
class News:
    """All that is new since a mark, over the Closed division; corrections of both divisions.

    rounds: the rounds that may be quoted for the first time. waiting: stored rounds that may not yet,
    with the first day on which they may. unread: new rounds whose rules nobody has compared with the ones
    before, so that no change to them is told. moved: changes on unchanged hardware, near sizes last.
    corrected: of every round that may be quoted. claims: how many claims were checked here, by verdict.
    version: the data version that all this was built from; mark: where the next digest begins.
    """

    version: str
    mark: Mark
    names: Names = field(repr=False)
    rounds: tuple[str, ...] = ()
    waiting: tuple[tuple[str, date], ...] = ()
    unread: tuple[str, ...] = ()
    moved: tuple[Delta, ...] = ()
    accelerators: tuple[Arrival, ...] = ()
    submitters: tuple[Arrival, ...] = ()
    largest: tuple[Largest, ...] = ()
    bests: tuple[Best, ...] = ()
    previews: tuple[FollowUp, ...] = ()
    spreads: tuple[Spread, ...] = ()
    corrected: tuple[Corrected, ...] = ()
    claims: Mapping[str, int] = field(default_factory=dict)


def news(
    store: Store,
    since: Mark | None,
    today: date,
    *,
    early: bool = False,
    claims: Mapping[str, int] | None = None,
) -> News:
    """What is new since `since`; None means since the round before the newest that may be quoted.

    today: decides which rounds may be quoted yet (unless `early`). claims: verdicts of claims checked,
    counted, where the channel opted in. Raises StoreError where the history cannot be read.
    """
    rounds = store.rounds
    quotable = [row for row in store.rows if early or _first_day(row, rounds, today) is None]
    published = {place(row): row.published for row in quotable}
    history = store.history()
    if since is None:
        newest = max(published.values(), default="")
        since = Mark("", tuple(p for p, day in published.items() if day < newest), until="9999")
    fresh = _fresh(published, since)
    # A change from before the mark may have come to this copy of the rows after it.
    told = set(since.told)
    changed = [
        one
        for one in corrections(history)
        if one.at > since.until and one.code not in told and f"{one.suite}/{one.round}" in published
    ]
    until = max((change.at for change in history), default="")
    mark = Mark(
        store.version,
        tuple(sorted(published)),
        until,
        (*since.told, *(one.code for one in changed))[-REMEMBERED:],
    )
    rows = [row for row in quotable if row.division == "closed"]
    told_rounds = sorted(fresh, key=lambda name: published[name])
    found = News(
        version=store.version,
        mark=mark,
        names=store.names,
        rounds=tuple(name.partition("/")[2] for name in told_rounds),
        waiting=_waiting(store.rows, published, rounds, today),
        corrected=_corrected(changed, store),
        claims=dict(claims or {}),
    )
    return _with_rounds(found, rows, fresh, rounds, today, early) if fresh else found


def _fresh(published: Mapping[str, str], since: Mark) -> set[str]:
    """The rounds that are newer than all that the mark knows of their suite; one stored late is no news."""
    known: dict[str, str] = {}
    for name in since.rounds:
        suite = name.partition("/")[0]
        known[suite] = max(known.get(suite, ""), published.get(name, ""))
    return {
        name
        for name, day in published.items()
        if name not in since.rounds and day > known.get(name.partition("/")[0], "")
    }


def _with_rounds(
    found: News, rows: Sequence[Row], fresh: set[str], rounds: Rounds, today: date, early: bool
) -> News:
    """The news with what the new rounds brought."""
    new = [row for row in rows if place(row) in fresh]
    first = min((row.published for row in new), default="")
    old = [row for row in rows if place(row) not in fresh and row.published < first]
    unread = {row.round for row in new if (r := rounds.get(row.round, row.suite)) is None or not r.listed}
    oldest = min(rows, key=lambda row: row.published).round if rows else ""
    moved = deltas(rows, found.names, rounds, since=oldest, today=today, early=early) if new else []
    previews = [
        one
        for one in followups(rows, rounds, today=today, early=early)
        if (one.later is not None and place(one.later) in fresh)
        or (one.outcome == "missing" and f"{one.preview.suite}/{one.rounds[0]}" in fresh)
    ]
    return replace(
        found,
        unread=tuple(name for name in found.rounds if name in unread),
        moved=tuple(delta for delta in moved if place(delta.after) in fresh),
        accelerators=arrivals.new_accelerators(old, new),
        submitters=arrivals.new_submitters(old, new, found.names),
        largest=arrivals.largest(old, new),
        bests=arrivals.new_bests(old, new, rounds),
        previews=tuple(previews),
        spreads=arrivals.spreads(new),
    )


def _first_day(row: Row, rounds: Rounds, today: date) -> date | None:
    return rounds.quotable(date.fromisoformat(row.published), today, row.suite)


def _waiting(
    rows: Sequence[Row], published: Mapping[str, str], rounds: Rounds, today: date
) -> tuple[tuple[str, date], ...]:
    """The stored rounds that may not be quoted yet, with the first day on which they may."""
    found = {
        row.round: day
        for row in rows
        if place(row) not in published and (day := _first_day(row, rounds, today)) is not None
    }
    return tuple(sorted(found.items(), key=lambda item: item[1]))


def _corrected(changed: Sequence[Correction], store: Store) -> tuple[Corrected, ...]:
    """The corrections with their rows; one whose row cannot be told any more is left out."""
    found = []
    for one in changed:
        row = store.row(one.key) or _withdrawn(one.changes)
        if row is not None:
            found.append(Corrected(one, row))
    return tuple(found)


def _withdrawn(changes: Sequence[Change]) -> Row | None:
    return next((row_of(change.old) for change in changes if change.what == "withdrawn" and change.old), None)
