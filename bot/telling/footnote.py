"""The footnote that MLCommons' messaging guidelines ask for, as text of the message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.telling import naming
from bot.wording import Words
from knowledge.footnote import Citation, citations
from knowledge.row import Row

# Required word for word by MLCommons' rules for the use of the name, in English in every language.
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the "
    "United States and other countries. All rights reserved. Unauthorized use strictly prohibited. "
    "See www.mlcommons.org for more information."
)
UNVERIFIED = "Result not verified by MLCommons Association."

# More IDs than this are not listed one by one.
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
        return " ".join(
            part for part in (*self.sources, self.method, self.unverified, self.trademark) if part
        )


def footnote(rows: Iterable[Row], w: Words, *, derived: bool, unverified: bool) -> Footnote:
    """The footnote for the rows that a reply shows.

    derived: figures per accelerator, ratios or aggregates are shown. unverified: the text itself
    calls its value unverified. Without rows there is nothing to cite and the footnote is empty.
    """
    found = citations(rows)
    if not found:
        return Footnote()
    return Footnote(
        tuple(source(item, w) for item in found),
        w("footnote.method", statement=UNVERIFIED) if derived else "",
        w("footnote.unverified") if unverified else "",
        TRADEMARK,
    )


def source(item: Citation, w: Words) -> str:
    """One sentence: suite, version, division, category, benchmarks, where retrieved and when, result IDs."""
    key = f"suite.{item.suite}"
    return w(
        "footnote.source",
        suite=w(key) if w.has(key) else naming.harmless(item.suite),
        round=item.round,
        division=w(f"division.{item.division}"),
        availability=w.join(w(f"availability.{name}") for name in item.availabilities),
        benchmarks="; ".join(
            f"{naming.model(model)} {', '.join(naming.scenario(name) for name in scenarios)}"
            for model, scenarios in item.benchmarks
        ),
        url=w.join(item.urls),
        date=w.day(item.retrieved),
        ids=ids(item, w),
    )


def ids(item: Citation, w: Words) -> str:
    """The result IDs, or that our source has none."""
    found = list(item.result_ids)
    if not found:
        return w("footnote.no_id")
    shown = w.join(found if len(found) <= MOST_IDS else [*found[:MOST_IDS], "…"])
    text = w.count("footnote.ids", len(found), ids=shown)
    return f"{text}; {w('footnote.some_without')}" if item.without_id else text
