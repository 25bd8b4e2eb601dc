"""The rows behind a reply, with links: what was published, where to see it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.explore.links import row_page
from bot.telling import naming
from bot.telling.case import Case
from bot.wording import Words
from knowledge.links import row_url
from knowledge.row import Row

MOST = 12


@dataclass(frozen=True, slots=True)
class Evidence:
    """One published row: its key, a line that says what it is, its source and its ID where it has them.

    url: where MLCommons shows it. label: the row in a few words, for a link. page: the row's page on our
    own site with all its fields and its source, None where SMALLPRINT_PUBLIC_URL names no site.
    """

    key: str
    text: str
    url: str | None
    result_id: str | None
    label: str = ""
    page: str | None = None

    @property
    def link(self) -> str | None:
        """Where a reader sees this very row: its page on our site, else its source."""
        return self.page or self.url


def evidence(case: Case) -> tuple[Evidence, ...]:
    """The rows that the claim rests on, then those of the like-for-like comparisons."""
    rows: dict[str, Row] = {row.key: row for row in case.reading.rows}
    for group in case.reading.like_for_like:
        for row in group.rows:
            rows.setdefault(row.key, row)
    return tuple(one(row, case.w) for row in list(rows.values())[:MOST])


def one(row: Row, w: Words) -> Evidence:
    """One row as evidence, with its published result."""
    text = w(
        "evidence.row",
        round=row.round,
        submitter=naming.submitter(row.submitter),
        system=naming.harmless(row.system, 90),
        chips=naming.counted_chip(row, w),
        benchmark=naming.benchmark(row),
        division=naming.division(row, w),
        availability=naming.availability(row, w),
        value=w.exact(row.value),
        unit=naming.unit(row, w),
        id=row.result_id or w("footnote.no_id"),
    )
    label = f"{naming.submitter(row.submitter)} {naming.counted_chip(row, w)}, {row.round}"
    return Evidence(row.key, text, row_url(row), row.result_id, label, row_page(row.key))
