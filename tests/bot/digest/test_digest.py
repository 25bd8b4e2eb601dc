"""The digest of the packaged rows: what it says, in ten lines, under the messaging guidelines."""

from __future__ import annotations

import csv
import io
from datetime import date
from typing import Any

import pytest

from bot.digest import Digest, News, Options, digest, html, news, since_round, table
from bot.digest.digest import MOST_LINES
from bot.render.plots import changes
from bot.telling.guidelines import footnote_faults, row_faults, text_faults
from bot.wording import LANGUAGES, Language, words
from knowledge.store import Store
from tests.knowledge.making import made
from tests.knowledge.test_deltas import result

DAY = date(2026, 12, 1)


@pytest.fixture(scope="module")
def store() -> Store:
    return Store.open()


@pytest.fixture(scope="module")
def newest(store: Store) -> News:
    return news(store, None, DAY, claims={"frame": 5, "holds": 2, "no_rows": 1})


def made_of(found: News, **options: Any) -> Digest:
    told = digest(found, Options(**options))
    assert told is not None
    return told


def texts(told: Digest, name: str) -> list[str]:
    return [item.text for section in told.sections if section.name == name for item in section.items]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("since", "full"), [("v4.1", False), ("v5.0", False), ("v5.1", False), ("v6.0", False), ("v6.0", True)]
)
def test_every_digest_keeps_the_guidelines(store: Store, since: str, language: Language, full: bool) -> None:
    found = news(store, since_round(store.rows, store.rounds, since), DAY)
    told = made_of(found, language=language)
    page = told.page(full=full)
    assert page.footnote is not None
    main, note = "\n".join([page.title, *page.lines]), page.footnote.text
    assert text_faults(f"{main}\n\n{note}") == []
    rows = told.rows(full=full)
    assert rows
    assert not [fault for row in rows for fault in row_faults(main, row)]
    assert footnote_faults(note, main, rows) == []


def test_ten_lines_at_most_and_all_behind_them(newest: News) -> None:
    told = made_of(newest, counting=True)
    assert [section.name for section in told.sections if section.shown] == [
        "moved",
        "silicon",
        "preview",
        "claims",
    ]
    assert len(told.page().lines) == MOST_LINES
    assert told.more > 100
    assert f"{told.more} more lines behind" in told.page().lines[-1]
    full = told.page(full=True).lines
    assert len(full) > 100
    assert "behind" not in full[-1]
    assert set(told.page().lines[:-1]) <= set(full)
    one = made_of(newest, submitters=("Lambda",), models=("gpt-oss-120b",), accelerators=("GB300",))
    assert len(one.page().lines) <= MOST_LINES


def test_it_names_the_data_version_that_it_was_built_from(newest: News, store: Store) -> None:
    told = made_of(newest)
    assert told.version == store.version
    assert f"Data version {store.version}." in told.page().lines[-1]


@pytest.mark.parametrize(
    ("since", "line"),
    [
        ("v6.0", "AMD, 8 MI355X .*, GPT-OSS-120B: server \\+37.9 %, offline \\+28.2 %"),
        ("v6.0", "Lambda, 4 GB300 .*, GPT-OSS-120B: server \\+8.9 %, offline \\+8.8 %"),
        (
            "v6.0",
            "NVIDIA, 72 GB300 .*, DeepSeek-R1: server \\+49.1 %, offline \\+5.0 %, interactive \\+1.1 %",
        ),
        ("v6.0", "CoreWeave, 64 GB200 .* to CoreWeave, 72 GB200 .*; near sizes, not equal"),
        ("v6.0", "Google, 72 GB200 .*; one of these rows lies far from its peers"),
    ],
)
def test_what_moved(store: Store, since: str, line: str) -> None:
    import re

    told = made_of(news(store, since_round(store.rows, store.rounds, since), DAY))
    assert any(re.match(line, text) for text in texts(told, "moved")), line


def test_what_must_be_read_with_care_never_leads(newest: News) -> None:
    lines = texts(made_of(newest), "moved")
    marked = [
        bool("near sizes" in text or "far from its peers" in text or "rules or" in text) for text in lines
    ]
    assert any(marked)
    assert marked == sorted(marked)


def test_new_silicon(newest: News) -> None:
    lines = texts(made_of(newest), "silicon")
    assert lines[0].startswith("Vera Rubin, first results (8 results): NVIDIA, 72 Vera Rubin")
    assert any(
        line.startswith("Largest system so far of any kind, and of MI355X (94 before): Crusoe")
        for line in lines
    )
    assert any(
        line.startswith("Best per accelerator at 72 GPUs, GPT-OSS-120B offline: CoreWeave") for line in lines
    )
    assert any(line.startswith("Wiwynn, first submission (2 results)") for line in lines)
    assert not any("Dell + AMD, first submission" in line for line in lines)  # both are known


def test_what_became_of_a_preview(newest: News) -> None:
    (line,) = texts(made_of(newest), "preview")
    assert line.startswith("Intel, 4 Arc Pro B70 ")
    assert "came back Available" in line
    assert not any("Arc Pro B70" in text for text in texts(made_of(newest), "moved"))


def test_a_preview_without_a_later_row_is_not_called_late(store: Store) -> None:
    told = made_of(news(store, since_round(store.rows, store.rounds, "v4.1"), DAY))
    missing = [text for text in texts(told, "preview") if "UntetherAI" in text]
    assert missing
    assert all("no later row found" in text for text in missing)
    below = [text for text in texts(told, "preview") if "less than 98 %" in text]
    assert {text.split(",")[0] for text in below} == {"HPE", "Intel", "Google"}
    assert texts(told, "preview")[0] in below


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"submitters": ("lambda",)}, {"Lambda"}),
        ({"accelerators": ("NVIDIA GB300",), "models": ("DeepSeek R1",)}, {"NVIDIA", "Nebius"}),
        (
            {"least": 45, "accelerators": ("GB300", "B300")},
            {"NVIDIA", "GigaComputing", "Quanta Cloud Technology", "Nebius"},
        ),
    ],
)
def test_a_channel_hears_of_what_it_asked_for(
    newest: News, options: dict[str, Any], expected: set[str]
) -> None:
    told = made_of(newest, **options)
    assert {text.split(",")[0] for text in texts(told, "moved")} == expected
    if "least" in options:
        assert all(abs(delta.gain) >= 0.45 for delta in told.changes)


def test_scenarios_and_suites_filter_too(newest: News) -> None:
    told = made_of(newest, scenarios=("interactive",))
    assert {delta.after.scenario for delta in told.changes} == {"interactive"}
    assert digest(newest, Options(suites=("training",))) is None
    assert digest(newest, Options(models=("no such model",))) is None


def test_an_arrival_is_told_with_a_result_that_was_asked_for(newest: News) -> None:
    lines = texts(made_of(newest, scenarios=("interactive",)), "silicon")
    assert lines[0].startswith("Vera Rubin, first results (2 results): NVIDIA, 72 Vera Rubin")
    assert all("interactive: " in line for line in lines)


def test_it_says_whose_reading_it_is_that_the_rounds_compare(newest: News) -> None:
    assert "that these rounds compare is our own reading" in made_of(newest).page().lines[-1]


def test_the_chart_draws_what_the_lines_say(newest: News) -> None:
    told = made_of(newest, models=("gpt-oss-120b",), submitters=("AMD",))
    plot = changes(told.changes, words("en"))
    assert plot is not None
    assert [lane.figure for lane in plot.panels[0].lanes] == ["+37.9 %", "+28.2 %"]


def test_the_page_needs_nothing_else_and_no_text_is_markup(newest: News) -> None:
    told = made_of(newest, submitters=("AMD",))
    text = html.page(told, "<svg></svg>")
    assert text.startswith("<!doctype html>")
    assert "<svg></svg>" in text
    assert "src=" not in text
    assert "http-equiv" not in text
    hostile = made_of(_renamed(newest, "<script>alert(1)</script> @here"), submitters=("AMD",))
    assert "<script>" not in html.page(hostile)
    assert "@here" not in "\n".join(hostile.page(full=True).lines)


def _renamed(found: News, name: str) -> News:
    import dataclasses

    moved = tuple(
        dataclasses.replace(delta, after=dataclasses.replace(delta.after, system=name))
        for delta in found.moved
    )
    return dataclasses.replace(found, moved=moved)


def test_as_json_every_line_names_its_rows(newest: News, store: Store) -> None:
    plain = made_of(newest).as_json()
    assert plain["data_version"] == store.version
    lines = [line for section in plain["sections"] for line in section["lines"]]
    assert len(lines) > 100
    assert all(store.row(key) for line in lines for key in line["rows"])


# --- CSV ----------------------------------------------------------------------------------------------


def test_csv_has_both_sides_with_their_software(newest: News) -> None:
    told = made_of(newest, submitters=("Lambda",), models=("gpt-oss-120b",), scenarios=("server",))
    (line,) = [
        line
        for line in csv.DictReader(io.StringIO(table.dumps(told.changes)))
        if line["accelerator"] == "GB300"
    ]
    assert (line["change_percent"], line["before_round"], line["after_round"]) == ("8.85", "v6.0", "v6.1")
    assert line["before_framework"] != line["after_framework"]
    assert float(line["after_per_accelerator_derived_unverified"]) == pytest.approx(14548.95)
    assert "annualised_percent" not in line


def test_csv_holds_no_formula() -> None:
    from knowledge.deltas import deltas
    from knowledge.names import Names
    from knowledge.rounds import Rounds

    rows = [result("v6.0", 100), result("v6.1", 110, system="=HYPERLINK(1)", framework="+cmd", n=1)]
    (delta,) = deltas(rows, Names.load(), Rounds.load(), since="v6.0", today=DAY)
    (line,) = csv.DictReader(io.StringIO(table.dumps([delta], annualised=True)))
    assert (line["after_system"], line["after_framework"]) == ("'=HYPERLINK(1)", "'+cmd")
    assert float(line["annualised_percent"]) == pytest.approx(100 * (1.1 ** (365.25 / 168) - 1), abs=0.01)
    assert made(1).system not in line["after_system"]
