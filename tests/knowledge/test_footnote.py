"""The facts of a footnote and the links to published results."""

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


def test_a_row_leads_to_its_own_folder() -> None:
    row = made(1, location="./closed/A B/results/8xMI355X/llama2-70b-99/Offline/performance/run_1")
    assert row_url(row) == (
        "https://github.com/mlcommons/inference_results_v6.1/tree/main/closed/A%20B/results/8xMI355X/"
        "llama2-70b-99/Offline/performance/run_1"
    )
    assert row_url(replace(row, suite="training", round="v5.0")).startswith(
        "https://github.com/mlcommons/training_results_v5.0/tree/main/closed/"
    )


def test_a_row_without_a_place_leads_to_the_results_page() -> None:
    row = made(1, location=None)
    assert row_url(row) == results_url(row) == "https://mlcommons.org/benchmarks/inference-datacenter/"
    assert results_url(replace(row, system_type="edge")).endswith("/inference-edge/")
    assert results_url(replace(row, system_type="datacenter,edge")).endswith("/inference-datacenter/")
    assert results_url(replace(row, suite="storage")) == "https://mlcommons.org/benchmarks/"
