"""What happened to a row since it was first stored: added, changed, withdrawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import Any, Literal

from knowledge.row import Part, Row

What = Literal["added", "changed", "withdrawn"]

# Where and when our copy came from says nothing about the result: a row that differs in
# these alone is the same row, and keeps the day on which it was first retrieved.
ORIGIN_FIELDS = frozenset({"source", "retrieved"})

FIELDS: tuple[str, ...] = tuple(field.name for field in fields(Row))


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that happened to the row `key`.

    `field`, `old` and `new` are set for "changed" (values as in the row); a "withdrawn" row is
    kept whole in `old`, as a plain object. `at` is a UTC time (ISO), `source` what brought it.
    """

    key: str
    suite: str
    round: str
    what: What
    field: str | None
    old: Any
    new: Any
    at: str
    source: str


# The fields that say what was published. The others hold our own reading of it (names, units, counts that
# took part): when they change, the program learnt something, and nobody corrected a result.
PUBLISHED_FIELDS = frozenset({"value", "accelerators_published", "division", "availability"})

# The source of the rows that come with the program: which of them it has is no news about the results.
PACKAGED = "packaged rows"


@dataclass(frozen=True, slots=True)
class Correction:
    """A published result that was corrected: changed, withdrawn, or added to a round that was stored before.

    changes: what happened to it at one time; of a changed row only the fields that make the result.
    """

    key: str
    suite: str
    round: str
    what: What
    at: str
    changes: tuple[Change, ...]

    @property
    def code(self) -> str:
        """A short name for this correction, the same in every copy of the rows whenever it was fetched."""
        said = [(change.key, change.what, change.field, change.new) for change in self.changes]
        return blake2b(repr(said).encode(errors="replace"), digest_size=6).hexdigest()


def corrections(history: Iterable[Change]) -> tuple[Correction, ...]:
    """The corrections in a history (oldest first), oldest first.

    The first load of a round is none, and neither is a change of our own reading.
    """
    first: dict[tuple[str, str], str] = {}
    found: dict[tuple[str, str, What], list[Change]] = {}
    for change in history:
        begun = first.setdefault((change.suite, change.round), change.at)
        if change.what == "changed":
            told = change.field in PUBLISHED_FIELDS
        else:
            told = change.source != PACKAGED and (change.what == "withdrawn" or change.at != begun)
        if told:
            found.setdefault((change.key, change.at, change.what), []).append(change)
    return tuple(
        Correction(key, some[0].suite, some[0].round, what, at, tuple(some))
        for (key, at, what), some in found.items()
    )


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What loading rows did to the store.

    `rounds` are the rounds that were replaced, as (suite, round), `changes` what happened to their rows,
    `unchanged` how many rows stayed as they were; `before` and `after` are data versions
    (equal when nothing happened, and then nothing was written).
    """

    source: str
    rounds: tuple[tuple[str, str], ...]
    changes: tuple[Change, ...]
    unchanged: int
    before: str
    after: str

    def count(self, what: What) -> int:
        """How many rows were added, changed or withdrawn."""
        return len({change.key for change in self.changes if change.what == what})


def plain(value: Any) -> Any:
    """A field's value as JSON holds it: parts as objects, tuples as lists."""
    if isinstance(value, Part):
        return {"accelerator": value.accelerator, "count": value.count}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def row_of(value: Any) -> Row | None:
    """The row that `Row.as_json` made a plain object of; None where it is of another schema."""
    try:
        parts = tuple(Part(**part) for part in value["parts"])
        return Row(**{**value, "parts": parts, "flags": tuple(value["flags"])})
    except (TypeError, KeyError):
        return None


def same_result(one: Row, other: Row) -> bool:
    """Whether two rows differ in nothing but where our copy came from."""
    return not any(_differing(one, other))


def _differing(old: Row, new: Row) -> Iterator[str]:
    if old == new:
        return
    for name in FIELDS:
        if name not in ORIGIN_FIELDS and getattr(old, name) != getattr(new, name):
            yield name


def changes(
    old: Iterable[Row],
    new: Iterable[Row],
    *,
    at: str,
    source: str,
    known: Mapping[str, tuple[str, str]] | None = None,
) -> tuple[Change, ...]:
    """What turns the rows `old` into the rows `new`, by key, in the order of the keys.

    `known` gives suite and round of rows that were stored but can no longer be read (a damaged
    file): they are not told as added again, and are withdrawn if `new` does not have them.
    """
    before = {row.key: row for row in old}
    after = {row.key: row for row in new}
    lost = {key: place for key, place in (known or {}).items() if key not in before}
    out: list[Change] = []
    for key in sorted(before.keys() | after.keys() | lost.keys()):
        was, now = before.get(key), after.get(key)
        row = now or was
        where = (key, *((row.suite, row.round) if row else lost[key]))
        if now is None:
            gone = was.as_json() if was else None
            out.append(Change(*where, "withdrawn", None, gone, None, at, source))
        elif was is not None:
            for name in _differing(was, now):
                values = plain(getattr(was, name)), plain(getattr(now, name))
                out.append(Change(*where, "changed", name, *values, at, source))
        elif key not in lost:
            out.append(Change(*where, "added", None, None, None, at, source))
    return tuple(out)
