"""The commands that ask the rows directly."""

from __future__ import annotations

import csv
import io
import json

import pytest

from bot.commands import rows as command
from bot.telling.footnote import TRADEMARK
from bot.telling.guidelines import footnote_faults, split, text_faults
from knowledge import rows_csv


def listed(*words: str, **options: object) -> list[dict[str, object]]:
    """Rows that fit, as JSON."""
    wanted = command.filtered(words=words, **options)
    return list(json.loads(command.rows(wanted, as_json=True, as_csv=False, lang="en", limit=None)))


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        (("v6.1",), "round", "v6.1"),
        (("Crusoe",), "submitter", "Crusoe"),
        (("oracle",), "submitter", "Oracle"),
        (("gpt-oss",), "model", "gpt-oss-120b"),
        (("offline",), "scenario", "offline"),
        (("MI350P",), "accelerator", "MI350P"),
        (("512",), "accelerators", 512),
        (("x72",), "accelerators", 72),
        (("open",), "division", "open"),
        (("preview",), "availability", "preview"),
    ],
)
def test_a_word_filters_by_what_it_means(words: tuple[str, ...], field: str, value: object) -> None:
    found = listed(*words)
    assert found
    assert {row[field] for row in found} == {value}


def test_words_and_options_go_together() -> None:
    found = listed("v6.1", "GB300", "offline", model="gpt-oss-120b", accelerators=72)
    assert {row["submitter"] for row in found} == {"CoreWeave", "Nebius", "NVIDIA", "Oracle"}
    assert listed("v6.1", "nonsense-word") == []
    assert {row["system"] for row in listed("XE9712")} <= {"Dell PowerEdge XE9712"}


def test_csv_is_the_projects_own_schema() -> None:
    wanted = command.filtered(words=("v6.1", "Crusoe"))
    text = command.rows(wanted, as_json=False, as_csv=True, lang="en", limit=None)
    lines = list(csv.DictReader(io.StringIO(text)))
    assert len(lines) == 12
    assert tuple(lines[0]) == rows_csv.COLUMNS


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_list_of_rows_keeps_the_guidelines(lang: command.Language) -> None:
    wanted = command.filtered(words=("v6.1", "Crusoe", "MI355X"))
    text = command.rows(wanted, as_json=False, as_csv=False, lang=lang, limit=None)
    main, note = split(text)
    found = [row for row in command.answer.desk().store.rows if wanted.passes(row)]
    assert text_faults(text) == []
    assert footnote_faults(note, main, found) == []


def test_rank_counts_places_per_accelerator() -> None:
    wanted = command.filtered(model="deepseek-r1", scenario="server", accelerators=72)
    found = json.loads(command.rank(wanted, by_total=False, as_json=True, lang="en", limit=50))
    assert [(row["place"], row["submitter"], row["accelerator"]) for row in found[:3]] == [
        (1, "NVIDIA", "VR200"),
        (2, "Nebius", "GB300"),
        (3, "NVIDIA", "GB300"),
    ]
    assert {row["round"] for row in found} == {"v6.1"}
    values = [row["per_accelerator"] for row in found]
    assert values == sorted(values, reverse=True)


def test_rank_by_total_and_of_times() -> None:
    total = command.filtered(model="gpt-oss-120b", scenario="offline")
    first = json.loads(command.rank(total, by_total=True, as_json=True, lang="en", limit=1))[0]
    assert (first["submitter"], first["accelerators"]) == ("Crusoe", 512)
    times = command.filtered(model="wan-2.2-t2v-a14b", scenario="singlestream")
    found = json.loads(command.rank(times, by_total=False, as_json=True, lang="en", limit=50))
    values = [row["value"] for row in found]
    assert values == sorted(values)


def test_the_rank_table_says_what_it_shows() -> None:
    wanted = command.filtered(model="deepseek-r1", scenario="server", accelerators=72)
    text = command.rank(wanted, by_total=False, as_json=False, lang="en", limit=5)
    assert text.startswith("Places in MLPerf® Inference v6.1, Closed, ")
    assert "per accelerator (derived, unverified)" in text
    assert "(4 more rows)" in text
    assert text.count(TRADEMARK) == 1


def test_compare_goes_size_by_size() -> None:
    wanted = command.filtered(model="gpt-oss-120b", scenario="offline")
    text = command.compare("GB300", "MI355X", wanted, as_json=False, lang="en")
    lines = [line.split() for line in text.splitlines()[2:4]]
    assert [(line[0], line[-1], line[-2]) for line in lines] == [("72", "%", "+15"), ("8", "%", "+9")]
    reading = json.loads(command.compare("GB300", "MI355X", wanted, as_json=True, lang="en"))
    assert [round(group["ratio"], 4) for group in reading["like_for_like"]] == [1.1518, 1.0855]


def test_compare_of_what_is_not_stored_says_so() -> None:
    wanted = command.filtered()
    assert command.compare("QuantumX9", "GB300", wanted, as_json=False, lang="en").startswith(
        "Rows missing: QuantumX9"
    )


def test_compare_of_submitters() -> None:
    wanted = command.filtered(model="gpt-oss-120b", scenario="offline", round_name="v6.1")
    text = command.compare("CoreWeave", "Nebius", wanted, as_json=False, lang="de")
    assert text.startswith("MLPerf® Inference v6.1, Closed, Available, GPT-OSS-120B offline")
    assert "Vorsprung" in text


def test_deltas_are_same_submitter_same_accelerator_same_count() -> None:
    wanted = command.filtered(submitter="Lambda", model="gpt-oss-120b")
    text = command.moved(wanted, since="v6.0", until=None, least=0.0, as_json=True, lang="en", limit=9)
    found = {
        d["after"]["scenario"]: d["ratio"] for d in json.loads(text) if d["after"]["accelerator"] == "GB300"
    }
    assert found["server"] == pytest.approx(1.0885, abs=5e-5)
    assert found["offline"] == pytest.approx(1.0879, abs=5e-5)


def test_deltas_in_words() -> None:
    wanted = command.filtered(submitter="Lambda", model="gpt-oss-120b")
    text = command.moved(wanted, since="v6.0", until=None, least=0.0, as_json=False, lang="de", limit=9)
    assert text.startswith(
        "MLPerf® Inference, Closed: gleicher Einreicher, gleicher Beschleuniger, gleiche Anzahl"
    )
    assert "+8,9 %" in text
    nothing = command.moved(wanted, since="v6.1", until=None, least=0.0, as_json=False, lang="en", limit=9)
    assert nothing == "Nothing moved on unchanged hardware from v6.1 on."
