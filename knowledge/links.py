"""Where a published result can be seen: the page of its round, and its own folder."""

from __future__ import annotations

from urllib.parse import quote

from knowledge.row import Row

# The results pages of MLCommons, by suite and system type; a page shows all rounds.
_PAGES = {
    ("inference", "datacenter"): "https://mlcommons.org/benchmarks/inference-datacenter/",
    ("inference", "edge"): "https://mlcommons.org/benchmarks/inference-edge/",
    ("training", "datacenter"): "https://mlcommons.org/benchmarks/training/",
}
_HOME = "https://mlcommons.org/benchmarks/"


def results_url(row: Row) -> str:
    """The page on which MLCommons shows the row's round."""
    return _PAGES.get((row.suite, row.system_type.partition(",")[0]), _HOME)


def row_url(row: Row) -> str:
    """The row's own folder in the published repository of its round, else its results page.

    Built from the location, since the links that v4.1 and v6.0 publish lead elsewhere.
    """
    if not row.location:
        return results_url(row)
    folder = row.location.removeprefix("./").lstrip("/")
    return f"https://github.com/mlcommons/{row.suite}_results_{row.round}/tree/main/{quote(folder)}"
