"""What a footnote must say about rows, as facts; the wording is another floor's.

Source: MLCommons' messaging guidelines (suite, version, division, category, benchmark, scenario,
where and when retrieved, result IDs).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from knowledge.links import results_url
from knowledge.row import Row


@dataclass(frozen=True, slots=True)
class Citation:
    """The rows of one suite, version and division, as a footnote names them.

    benchmarks: each model with its scenarios, both in the order of the rows. result_ids: empty
    where the source publishes none; `without_id` counts the rows that have none. retrieved: the
    latest day on which our copy of one of them was taken. urls: the pages that show them.
    """

    suite: str
    round: str
    division: str
    availabilities: tuple[str, ...]
    benchmarks: tuple[tuple[str, tuple[str, ...]], ...]
    result_ids: tuple[str, ...]
    without_id: int
    retrieved: date
    urls: tuple[str, ...]
    row_keys: tuple[str, ...]


def citations(rows: Iterable[Row]) -> tuple[Citation, ...]:
    """One citation for each suite, version and division among the rows, newest version first."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in {row.key: row for row in rows}.values():
        groups.setdefault((row.suite, row.round, row.division), []).append(row)
    newest_first = sorted(groups.values(), key=lambda found: found[0].published, reverse=True)
    return tuple(_citation(found) for found in newest_first)


def _citation(rows: list[Row]) -> Citation:
    first = rows[0]
    scenarios: dict[str, dict[str, None]] = {}
    for row in rows:
        scenarios.setdefault(row.model, {})[row.scenario] = None
    return Citation(
        suite=first.suite,
        round=first.round,
        division=first.division,
        availabilities=tuple(dict.fromkeys(row.availability for row in rows)),
        benchmarks=tuple((model, tuple(found)) for model, found in scenarios.items()),
        result_ids=tuple(dict.fromkeys(row.result_id for row in rows if row.result_id)),
        without_id=sum(row.result_id is None for row in rows),
        retrieved=max(date.fromisoformat(row.retrieved) for row in rows),
        urls=tuple(dict.fromkeys(results_url(row) for row in rows)),
        row_keys=tuple(row.key for row in rows),
    )
