"""The database that the site shows: a copy of the stored rows, laid out for reading.

It is a copy and not the knowledge file itself for two reasons: results of a round in its first two
weeks are stored but not shown, and places and deltas are computed by the same code as every answer.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bot.telling import naming
from bot.wording import words
from knowledge.deltas import Delta, deltas
from knowledge.links import results_url, row_url
from knowledge.ranking import systems
from knowledge.rounds import Rounds
from knowledge.row import Row
from knowledge.store import Store
from knowledge.table import Bench, Table, score, total

# What a reader looks for first stands first; the rest follows as in the row.
FIRST = (
    "key",
    "label",
    "round",
    "submitter",
    "accelerator",
    "accelerators",
    "model",
    "scenario",
    "value",
    "unit",
    "per_accelerator",
    "availability",
    "division",
    "system",
    "page",
)
HISTORY = ("at", "what", "round", "field", "old", "new", "key", "source")
SEARCHED = ("label", "submitter", "system", "platform", "accelerator", "processor", "model")

Record = dict[str, Any]


def quotable(rows: Iterable[Row], rounds: Rounds, today: dt.date, *, early: bool) -> tuple[Row, ...]:
    """The rows that may be shown today: without those of rounds in their first two weeks, unless `early`."""
    return tuple(
        row
        for row in rows
        if early or rounds.quotable(dt.date.fromisoformat(row.published), today, row.suite) is None
    )


def write(path: Path, store: Store, today: dt.date, *, early: bool) -> tuple[Row, ...]:
    """Write the database of what may be shown today to a new file; gives back its rows.

    Raises OSError or sqlite3.Error where the file cannot be written.
    """
    from sqlite_utils import Database

    rows = quotable(store.rows, store.rounds, today, early=early)
    table = Table(rows, store.names, store.rounds)
    connection = sqlite3.connect(path)
    try:
        db: Any = Database(connection, execute_plugins=False)
        records = [shown(row) for row in rows]
        order = [*FIRST, *(name for name in Row.__slots__ if name not in FIRST)]
        db["rows"].insert_all(records, pk="key", column_order=order)
        db["rows"].enable_fts(SEARCHED, tokenize="unicode61 remove_diacritics 2")
        for column in ("round", "submitter", "accelerator", "model"):
            db["rows"].create_index([column])
        linked = {"foreign_keys": [("row", "rows", "key")]}
        db["places"].insert_all(places(table), **linked)
        moved = [delta_record(delta) for delta in every_delta(rows, store, today, early=early)]
        pair = [("before_row", "rows", "key"), ("after_row", "rows", "key")]
        db["all_deltas"].insert_all(moved, foreign_keys=pair)
        db["rounds"].insert_all(stored_rounds(rows), pk="round")
        db["history"].create(
            dict.fromkeys(HISTORY, str)
        )  # there are pages and queries before the first change
        db["history"].insert_all(history(store, {row.key for row in rows}))
        connection.commit()
    finally:
        connection.close()
    return rows


def shown(row: Row) -> Record:
    """A row as a record: its fields, a label, and where MLCommons shows it."""
    record = row.as_json()
    parts = [f"{part.count} {part.accelerator}" for part in row.parts]
    record["parts"] = " + ".join(parts) or None
    record["flags"] = " ".join(row.flags) or None
    record["label"] = label(row)
    record["page"] = row_url(row) or results_url(row)
    return record


def label(row: Row) -> str:
    """A row in a few words."""
    chips = naming.counted_chip(row, words("en"))
    return f"{naming.submitter(row.submitter)} {chips}, {naming.benchmark(row)}, {row.round}"


def places(table: Table) -> Iterator[Record]:
    """The places of every round, benchmark, division and system type, as `smallprint rank` gives them."""
    for bench in table.benches.values():
        for name in bench.rounds:
            for division in ("closed", "open"):
                yield from _places(bench, name, division)


def _places(bench: Bench, name: str, division: str) -> Iterator[Record]:
    rows = systems(bench, [name], division=division, system_type="datacenter,edge")
    single = [score(row) for row in rows if row.per_accelerator is not None or row.lower_is_better]
    totals = [total(row) for row in rows]
    for row in rows:
        ranks = row.per_accelerator is not None or row.lower_is_better
        yield {
            "place": 1 + sum(value > score(row) for value in single) if ranks else None,
            "of": len(single),
            "place_by_total": 1 + sum(value > total(row) for value in totals),
            "submitter": row.submitter,
            "accelerator": row.accelerator,
            "variant": row.variant,
            "accelerators": row.accelerators,
            "per_accelerator": row.per_accelerator,
            "value": row.value,
            "unit": row.unit,
            "availability": row.availability,
            "division": row.division,
            "model": row.model,
            "accuracy_target": row.accuracy_target,
            "scenario": row.scenario,
            "round": row.round,
            "published": row.published,
            "row": row.key,
        }


def every_delta(rows: tuple[Row, ...], store: Store, today: dt.date, *, early: bool) -> list[Delta]:
    """Every step between stored rounds, both divisions."""
    known = [row.round for row in rows if store.rounds.get(row.round)]
    if not known:
        return []
    first = min(known, key=lambda name: store.rounds.names().index(name))
    return deltas(rows, store.names, store.rounds, since=first, division=None, today=today, early=early)


def delta_record(delta: Delta) -> Record:
    """A change as a record."""
    before, after = delta.before, delta.after
    per = delta.per_accelerator
    return {
        "change_percent": round(delta.gain * 100, 2),
        "submitter": after.submitter,
        "accelerator": naming.accelerator(after),
        "accelerators_before": before.accelerators,
        "accelerators": after.accelerators,
        "model": after.model,
        "scenario": after.scenario,
        "since": before.round,
        "until": after.round,
        "before": before.per_accelerator if per else before.value,
        "after": after.per_accelerator if per else after.value,
        "unit": after.unit,
        "per_accelerator": "yes" if per else "no",
        "near_scale": int(delta.near_scale),
        "availability_before": before.availability,
        "availability": after.availability,
        "division": after.division,
        "differences": " ".join(delta.differences),
        "caveats": " ".join(delta.caveats),
        "comparability": delta.comparability.status,
        "software_before": before.framework,
        "software": after.framework,
        "before_row": before.key,
        "after_row": after.key,
    }


def stored_rounds(rows: Iterable[Row]) -> Iterator[Record]:
    """The rounds, newest first, with their number of rows."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.round, []).append(row)
    for name, some in sorted(found.items(), key=lambda item: item[1][0].published, reverse=True):
        yield {
            "round": name,
            "suite": some[0].suite,
            "published": some[0].published,
            "retrieved": max(row.retrieved for row in some),
            "rows": len(some),
        }


def history(store: Store, keys: set[str]) -> Iterator[Record]:
    """What happened to rows that are shown, or were; nothing of a round that is not shown yet."""
    shown_rounds = {key.partition("/")[0] for key in keys}
    for change in store.history():
        if change.round in shown_rounds:
            yield {
                "at": change.at,
                "what": change.what,
                "round": change.round,
                "field": change.field,
                "old": json.dumps(change.old, ensure_ascii=False),
                "new": json.dumps(change.new, ensure_ascii=False),
                "key": change.key,
                "source": change.source,
            }
