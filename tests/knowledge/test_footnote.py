"""The facts of a footnote, and where rows can be seen."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from knowledge.footnote import citations
from knowledge.links import results_url, row_url
from tests.knowledge.making import made


def test_a_citation_stands_for_a_suite_a_version_and_a_division() -> None:
    rows = [
        made(1, round="v6.0", retrieved="2026-11-30"),
        made(2, scenario="server", result_id=None, availability="preview"),
        made(3, model="gpt-oss-120b", retrieved="2026-12-04"),
        made(3, model="gpt-oss-120b", retrieved="2026-12-04"),
        made(4, division="open"),
    ]
    newest, opened, older = citations(rows)
    assert (newest.suite, newest.round, newest.division) == ("inference", "v6.1", "closed")
    assert newest.benchmarks == (("llama2-70b", ("server",)), ("gpt-oss-120b", ("offline",)))
    assert newest.availabilities == ("preview", "available")
    assert newest.result_ids == ("6.1-0003",)
    assert newest.without_id == 1
    assert newest.retrieved == date(2026, 12, 4)
    assert newest.urls == ("https://mlcommons.org/benchmarks/inference-datacenter/",)
    assert newest.row_keys == (rows[1].key, rows[2].key)
    assert (opened.round, opened.division) == ("v6.1", "open")
    assert (older.round, older.retrieved) == ("v6.0", date(2026, 11, 30))
    assert citations([]) == ()


def test_a_row_without_a_folder_leads_to_the_results_page() -> None:
    row = made(1, location=None)
    assert row_url(row) is None
    assert results_url(row) == "https://mlcommons.org/benchmarks/inference-datacenter/"
    assert results_url(replace(row, system_type="edge")).endswith("/inference-edge/")
    assert results_url(replace(row, system_type="datacenter,edge")).endswith("/inference-datacenter/")
    assert results_url(replace(row, suite="storage")) == "https://mlcommons.org/benchmarks/"
