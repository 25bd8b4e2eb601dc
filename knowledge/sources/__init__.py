"""Published result files in, rows out.

A file is recognised by its content, and the files of one round are put together: the results file
(JSON or CSV) is the truth; a wide crosstab beside it adds finer digits and the results page's IDs, a
long one confirms counts of accelerators. Either all files are read or none.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from knowledge import clock, rows_csv
from knowledge.errors import SourceError
from knowledge.names import Names
from knowledge.rounds import Rounds
from knowledge.row import Row
from knowledge.sources import crosstab_long, crosstab_wide, results_json, summary_csv, text
from knowledge.sources.build import build, corrections, is_power_line, value_of
from knowledge.sources.record import Record

__all__ = ["LoadResult", "load", "rows_csv"]

_ROUNDING = 5e-6  # published values are rounded to six digits (trap T17)


@dataclass(frozen=True, slots=True)
class LoadResult:
    """Rows sorted by round and key, and what a person should know about the files, one line each."""

    rows: tuple[Row, ...]
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class _Round:
    """What the given files say of one round."""

    results: list[Record] = field(default_factory=list)
    pages: list[Record] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    counts_file: str | None = None


def load(paths: Path | str | Iterable[Path | str], *, retrieved: str | None = None) -> LoadResult:
    """The rows of published result files, in any supported format and any order.

    `retrieved` is the ISO date on which the files were fetched, today if unsaid. Raises SourceError
    with one line (file, row, what) for a file that cannot be read as a whole; nothing is returned then.
    """
    listed = [paths] if isinstance(paths, str | Path) else list(paths)
    if not listed:
        raise SourceError("no file to load")
    by_round: dict[str, _Round] = defaultdict(_Round)
    rows: list[Row] = []
    for path in listed:
        rows += _sort_in(Path(path), by_round)
    names, rounds = Names.load(), Rounds.load()
    day = retrieved or clock.today().isoformat()
    warnings: list[str] = []
    for name in sorted(by_round):
        if rounds.get(name) is None:
            warnings.append(f"{name} is not in the calendar of rounds; it counts as published on {day}")
        rows += _rows_of(name, by_round[name], names, rounds, day, warnings)
    rows.sort(key=lambda row: (row.suite, row.round, row.key))
    for before, after in itertools.pairwise(rows):
        if before.key == after.key:
            raise SourceError(f"the files hold {after.key} twice")
    warnings += _new_names(rows, names)
    return LoadResult(tuple(rows), tuple(warnings))


def _sort_in(path: Path, by_round: dict[str, _Round]) -> Sequence[Row]:
    """Read one file and put its records where their round is; rows of our own schema come back."""
    content = text.read(path)
    if content.lstrip()[:1] in ("[", "{"):
        for record in results_json.records(path.name, text.as_json(path.name, content)):
            by_round[_round(record)].results.append(record)
        return ()
    first = content.splitlines()[0]
    table = text.as_table(path.name, content, "\t" if first.count("\t") > first.count(",") else ",")
    head = [name.strip() for name in table[0]]
    if tuple(head) == rows_csv.COLUMNS:
        return tuple(rows_csv.loads(path.name, content))
    if crosstab_long.is_long(table):
        name, counts = crosstab_long.counts(path.name, table)
        by_round[name].counts.update(counts)
        by_round[name].counts_file = path.name
    elif crosstab_wide.head_line(table) is not None:
        for record in crosstab_wide.records(path.name, table):
            by_round[_round(record)].pages.append(record)
    elif len({*summary_csv.COLUMNS} & {*head}) > len(summary_csv.COLUMNS) // 2:
        for record in summary_csv.records(path.name, table):
            by_round[_round(record)].results.append(record)
    else:
        found = ", ".join(name for name in head if name)[:200] or "no column names"
        raise SourceError(f"{path.name}: not a known format of published results (first line: {found})")
    return ()


def _round(record: Record) -> str:
    if not re.fullmatch(r"v\d+\.\d+", record.round):
        raise record.fault(f"{record.round!r} is no round")
    return record.round


def _rows_of(
    name: str, found: _Round, names: Names, rounds: Rounds, retrieved: str, warnings: list[str]
) -> list[Row]:
    """The rows of one round from all its files."""
    if not found.results and not found.pages:
        raise SourceError(
            f"{found.counts_file}: holds averages over system names, so it gives no rows of its own; "
            f"load it together with the results file of {name}"
        )
    records = found.results or found.pages
    if found.results and found.pages:
        _add_page(found.results, found.pages, names, warnings)
    if found.counts:
        _check_counts(records, found, names, warnings)
    records = _unique(_with_power(records))
    rows = [build(record, names, rounds, retrieved) for record in records]
    return _mark_duplicates(rows, records)


def _with_power(records: list[Record]) -> list[Record]:
    """The results, with the power of lines that hold nothing else (trap T13)."""
    power = {r.location: r for r in records if is_power_line(r)}
    if not power:
        return records
    results = [r for r in records if not is_power_line(r)]
    at = {r.location: r for r in results}
    for location, line in power.items():
        if location not in at:
            raise line.fault(f"{line.unit} without a result at the same location")
        at[location].power, at[location].power_unit = value_of(line), line.unit
        at[location].power_run = True
    return results


def _unique(records: list[Record]) -> list[Record]:
    """The records, each result once. Two files may repeat one another, but not contradict.

    Raises SourceError for a result that stands twice in one file, or differs between two.
    """
    seen: dict[str, Record] = {}
    for record in records:
        key = record.location or f"{record.result_id}/{record.model}/{record.scenario}"
        first = seen.setdefault(key, record)
        if first is record:
            continue
        if first.file == record.file:
            raise record.fault(f"repeats {first.place} ({key})")
        if value_of(first) != value_of(record):
            raise record.fault(f"{record.value_text}, but {first.file} has {first.value_text} ({key})")
    return list(seen.values())


# --- a crosstab beside the results file ---------------------------------------------------------------


def _bare(system: str) -> str:
    """A system's name without commas, which the crosstab drops, and without blanks around them."""
    return re.sub(r"[,\s]+", "", system).casefold()


def _place(record: Record, names: Names) -> tuple[str, str, str, str]:
    """What a result shares between results file and results page."""
    name = names.model(record.model)
    model = f"{name.model}-{name.accuracy_target}"
    return (names.submitter(record.submitter), _bare(record.system), model, record.scenario.lower())


def _add_page(results: list[Record], pages: list[Record], names: Names, warnings: list[str]) -> None:
    """Give the results the finer digits and the IDs of the results page (traps T16, T17)."""
    known = corrections()["ids"]
    by_place: dict[tuple[str, str, str, str], list[Record]] = defaultdict(list)
    for record in results:
        if record.division == "closed" and "datacenter" in record.system_type:
            by_place[_place(record, names)].append(record)
    by_id = {(r.result_id, *_place(r, names)[2:]): r for r in results}
    for page in pages:
        candidates = by_place[_place(page, names)]
        wanted = known.get(page.result_id or "", page.result_id)
        match = next((r for r in candidates if r.result_id == wanted), None)
        # a name that page and file spell differently is found by its ID
        match = match or by_id.get((wanted, *_place(page, names)[2:]))
        if match is None:
            warnings.append(
                f"{page.file}: {page.place}: {page.result_id} {page.model} is not in the results file"
            )
        elif abs(value_of(page) - value_of(match)) > _tolerance(page, match):
            warnings.append(
                f"{page.file}: {page.place}: {page.result_id} {page.model} {page.scenario} is "
                f"{page.value_text}, {match.file} has {match.value_text}; the latter is kept"
            )
        else:
            match.page_id = page.result_id
            if _digits(page.value_text) > _digits(match.value_text):
                match.value_fine = value_of(page)
            if page.file not in match.source:
                match.source = f"{match.source}, {page.source.rpartition(', ')[2]}"


def _tolerance(page: Record, match: Record) -> float:
    """How far the same value may lie apart: rounding of both texts."""
    return max(_ROUNDING * value_of(match), 0.5 * 10.0 ** -_decimals(page.value_text)) * (1 + 1e-9)


def _decimals(value: str) -> int:
    return len(value.partition(".")[2])


def _digits(value: str) -> int:
    """Digits that a printed value tells, without leading zeros and zeros after the point."""
    digits = value.replace(",", "")
    if "." in digits:
        digits = digits.rstrip("0")
    return len(digits.replace(".", "").lstrip("0"))


def _check_counts(records: Sequence[Record], found: _Round, names: Names, warnings: list[str]) -> None:
    """Compare the counts that texts state with the long crosstab's (T6); the text is right."""
    for record in records:
        count = names.accelerator(record.accelerator).count
        other = found.counts.get(record.result_id or "")
        if count is not None and other is not None and count != other:
            warnings.append(
                f"{record.file}: {record.place}: {record.accelerator}, but {found.counts_file} counts {other}"
            )


# --- after the rows are built -----------------------------------------------------------------------------


def _mark_duplicates(rows: list[Row], records: list[Record]) -> list[Row]:
    """Flag a result that its submitter published before under another platform name (trap T19)."""
    seen: dict[tuple[object, ...], str] = {}
    out: list[Row] = []
    for row, record in sorted(zip(rows, records, strict=True), key=lambda pair: pair[0].key):
        what = (row.submitter, record.model, row.used_model, row.scenario, row.value, record.accuracy)
        first = seen.setdefault(what, row.platform)
        if record.accuracy and first != row.platform:
            row = replace(row, flags=tuple(sorted({*row.flags, "duplicate_platform"})))
        out.append(row)
    return out


def _new_names(rows: Sequence[Row], names: Names) -> list[str]:
    """A line for each name that stands under its printed spelling because nobody listed it."""
    new = names.unlisted(rows)
    return [f"new {kind} {name!r}: known under its printed name" for kind, name in new]
