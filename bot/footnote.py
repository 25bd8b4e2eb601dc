"""The footnote that MLCommons' messaging guidelines ask for, as text of the message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot import naming
from bot.wording import Words
from knowledge.links import results_url
from knowledge.row import Row

# Required word for word by MLCommons' rules for the use of the name, in English in every language.
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the "
    "United States and other countries. All rights reserved. Unauthorized use strictly prohibited. "
    "See www.mlcommons.org for more information."
)
UNVERIFIED = "Result not verified by MLCommons Association."

# More IDs than this are counted, not listed.
MOST_IDS = 8


@dataclass(frozen=True, slots=True)
class Footnote:
    """`sources` has a sentence a round and division; the rest stands once a reply."""

    sources: tuple[str, ...] = ()
    method: str = ""
    unverified: str = ""
    trademark: str = ""

    @property
    def text(self) -> str:
        """All of it as one paragraph."""
        return " ".join(part for part in (*self.sources, self.method, self.unverified, self.trademark) if part)


def footnote(rows: Iterable[Row], w: Words, *, derived: bool, unverified: bool) -> Footnote:
    """The footnote for the rows that a reply rests on.

    derived: figures per accelerator, ratios or aggregates are shown. unverified: the text itself
    calls its value unverified. Without rows there is nothing to cite and the footnote is empty.
    """
    found = list({row.key: row for row in rows}.values())
    if not found:
        return Footnote()
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in found:
        groups.setdefault((row.round, row.suite, row.division), []).append(row)
    return Footnote(
        tuple(source(groups[key], w) for key in sorted(groups, reverse=True)),
        w("footnote.method") if derived else "",
        w("footnote.unverified") if unverified else "",
        TRADEMARK,
    )


def source(rows: Sequence[Row], w: Words) -> str:
    """One sentence: suite, version, division, category, benchmarks, where retrieved and when, result IDs."""
    row = rows[0]
    return w(
        "footnote.source",
        suite=w(f"suite.{row.suite}") if w.has(f"suite.{row.suite}") else row.suite,
        round=row.round,
        division=naming.division(row, w),
        availability=" / ".join(naming.distinct(naming.availability(r, w) for r in rows)),
        benchmarks=benchmarks(rows),
        url=results_url(row),
        date=w.day(max(r.retrieved for r in rows)),
        ids=ids(rows, w),
    )


def benchmarks(rows: Sequence[Row]) -> str:
    """The benchmarks with their scenarios: "GPT-OSS-120B offline, server"."""
    scenarios: dict[str, list[str]] = {}
    for row in rows:
        scenarios.setdefault(naming.model(row.model), []).append(naming.scenario(row.scenario))
    return "; ".join(f"{name} {', '.join(naming.distinct(found))}" for name, found in scenarios.items())


def ids(rows: Sequence[Row], w: Words) -> str:
    """The result IDs, or that our source has none."""
    found = naming.distinct(row.result_id or "" for row in rows)
    without = any(row.result_id is None for row in rows)
    if not found:
        return w("footnote.no_id")
    shown = w.join(found) if len(found) <= MOST_IDS else w.join([*found[:MOST_IDS], "…"])
    text = w.count("footnote.ids", len(found), ids=shown)
    return f"{text}; {w('footnote.some_without')}" if without else text
