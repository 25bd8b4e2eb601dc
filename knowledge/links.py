"""Where a row can be looked up: its folder in MLCommons' results repository, and its IDs."""

from __future__ import annotations

from urllib.parse import quote

from knowledge.row import Row
from knowledge.sources.build import corrections

# The results pages of MLCommons, by suite and system type; a page shows all rounds.
_PAGES = {
    ("inference", "datacenter"): "https://mlcommons.org/benchmarks/inference-datacenter/",
    ("inference", "edge"): "https://mlcommons.org/benchmarks/inference-edge/",
    ("training", "datacenter"): "https://mlcommons.org/benchmarks/training/",
}
_ALL_PAGES = "https://mlcommons.org/benchmarks/"


def results_url(row: Row) -> str:
    """The page on which MLCommons shows the row's round, for a row without a folder of its own."""
    return _PAGES.get((row.suite, row.system_type.partition(",")[0]), _ALL_PAGES)


def row_url(row: Row) -> str | None:
    """The row's folder in the round's results repository, None where the row has no location.

    Built from the location: the `Details` of some files point to repositories of the submission phase.
    """
    if not row.location:
        return None
    repository = f"https://github.com/mlcommons/{row.suite}_results_{row.round}"
    return f"{repository}/tree/main/{quote(row.location)}"


def result_ids(row: Row) -> tuple[str, ...]:
    """All IDs under which the row is published: the results page's first, then the results file's.

    They differ for three systems of v5.1, whose IDs are permuted (flag `id_differs`).
    """
    if row.result_id is None:
        return ()
    other = corrections()["ids"].get(row.result_id) if "id_differs" in row.flags else None
    return (row.result_id, other) if other else (row.result_id,)
