"""`sync`, `rollback` and `digest` as people use them, against a server of published rounds."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from bot import answer
from bot.cli import main
from bot.settings import settings
from bot.telling.guidelines import text_faults
from knowledge import clock
from knowledge.store import Store
from tests.fakes.publisher import Publisher, published, publisher

DAY = date(2027, 4, 1)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def server() -> Iterator[Publisher]:
    with publisher() as served:
        yield served


@pytest.fixture
def run(
    server: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Run]:
    """The command line over a knowledge file of its own, the server as the place of publication."""
    monkeypatch.setenv("SMALLPRINT_KNOWLEDGE", str(tmp_path / "knowledge.db"))
    monkeypatch.setenv("SMALLPRINT_PUBLISHED", server.base)
    settings.cache_clear()
    monkeypatch.setattr(answer._local, "desk", None, raising=False)

    def command(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        out, err = capfd.readouterr()
        return int(ended.value.code or 0), out, err

    with clock.frozen(DAY):
        yield command
    settings.cache_clear()


def test_sync_says_what_it_found_round_by_round(run: Run, server: Publisher) -> None:
    server.put("v7.0", published())
    code, out, err = run("sync")
    assert code == 0
    lines = dict(line.split(": ", 1) for line in out.splitlines()[:-1])
    assert lines["v7.0"].startswith("8 added, 0 changed, 0 withdrawn (http://127.0.0.1:")
    assert lines["v7.0"].endswith("; quoted from 2027-04-15 on")
    assert lines["v6.1"] == "nothing published there"
    assert lines["v5.0"].startswith("not looked for; ")
    assert out.splitlines()[-1].startswith("Data version ")
    assert "smallprint: v7.0 is not in the calendar of rounds" in err
    assert "new accelerator 'Northwind Kestrel'" in err
    code, out, _ = run("sync", "--json", "--round", "7.0")
    told = json.loads(out)
    assert (told["changed"], [look["outcome"] for look in told["rounds"]]) == (False, ["same"])


def test_a_failed_sync_is_one_line_and_code_1(run: Run, server: Publisher) -> None:
    server.put("v7.0", "Vendor,Chip,Score\nA,B,1\n")
    code, out, err = run("sync")
    assert (code, out) == (1, "")
    assert err == (
        "smallprint: v7.0 summary.csv: not a known format of published results "
        "(first line: Vendor, Chip, Score); nothing was changed\n"
    )


@pytest.mark.parametrize("name", ["garbage", "v7", ""])
def test_a_round_that_is_none_is_wrong_usage(run: Run, name: str) -> None:
    code, out, err = run("sync", "--round", name)
    assert (code, out) == (2, "")
    assert "is no round" in err


def test_a_running_process_answers_about_the_new_round_without_a_restart(run: Run, server: Publisher) -> None:
    text = "On DeepSeek-R1 server, Northwind Kestrel is 2x faster than GB300 per GPU."
    (before,) = answer.read(text)
    assert before.subject.accelerator is None
    desk = answer.desk()
    server.put("v7.0", published())
    assert run("sync")[0] == 0
    (after,) = answer.read(text)
    assert after.subject.accelerator == "Northwind Kestrel"
    assert answer.desk() is not desk
    claim = "In MLPerf Inference v7.0, AMD reached 201,000 tokens/s on GPT-OSS-120B offline with 8 MI555X."
    (young,) = answer.answer(claim).readings
    assert (young.verdict, young.missing[0].what) == ("no_rows", "embargo")
    with clock.frozen(date(2027, 4, 15)):
        (quoted,) = answer.answer(claim).readings
    assert quoted.verdict == "holds"


@pytest.mark.parametrize(
    "words",
    [("rows", "v7.0"), ("rank", "--model", "gpt-oss-120b", "--scenario", "offline", "--round", "7.0")],
)
def test_a_young_round_is_loaded_but_not_quoted(run: Run, server: Publisher, words: tuple[str, ...]) -> None:
    server.put("v7.0", published())
    run("sync")
    code, out, _ = run(*words)
    assert code == 0
    assert out == "Results of v7.0 are quoted from 15 April 2027, two weeks after their publication.\n"
    with clock.frozen(date(2027, 4, 15)):
        assert "201,000" in run(*words)[1]


def test_the_newest_quotable_round_is_ranked_meanwhile(run: Run, server: Publisher) -> None:
    server.put("v7.0", published())
    run("sync")
    _, out, _ = run("rank", "--model", "gpt-oss-120b", "--scenario", "offline", "--json", "--limit", "1")
    assert json.loads(out)[0]["round"] == "v6.1"
    _, out, err = run("rows", "v7.0", "--json")
    assert (out.strip(), err) == (
        "[]",
        "smallprint: Results of v7.0 are quoted from 15 April 2027, two weeks after their publication.\n",
    )


def test_rollback_goes_back_and_forth(run: Run, server: Publisher) -> None:
    server.put("v7.0", published())
    run("sync")
    code, out, _ = run("rollback")
    assert code == 0
    assert "Doing it again undoes it." in out
    with Store.open() as store:
        assert not any(row.round == "v7.0" for row in store.rows)
    assert "left as it is; this file was rolled back here" in run("sync")[1]
    run("rollback")
    with Store.open() as store:
        assert any(row.round == "v7.0" for row in store.rows)


def test_a_rollback_without_an_earlier_file_fails_in_one_line(run: Run) -> None:
    with Store.open():
        pass
    code, out, err = run("rollback")
    assert (code, out) == (1, "")
    assert err.endswith(": no earlier file is kept\n")


def test_the_digest_waits_for_a_young_round(run: Run, server: Publisher) -> None:
    server.put("v7.0", published())
    run("sync")
    assert run("digest")[1].startswith("What is new in MLPerf® Inference v6.1\n")
    with clock.frozen(date(2027, 4, 15)):
        _, out, _ = run("digest")
        assert out.startswith("What is new in MLPerf® Inference v7.0\n")
        assert "Northwind Kestrel, first results (1 result): Northwind, 72 Northwind Kestrel" in out
        assert text_faults(out) == []


# --- digest ---------------------------------------------------------------------------------------


def test_the_digest_in_each_form(run: Run, tmp_path: Path) -> None:
    code, text, _ = run("digest", "--since", "v6.0", "--submitter", "AMD", "--model", "gpt-oss-120b")
    assert code == 0
    assert "GPT-OSS-120B: server +37.9 %, offline +28.2 % (v6.0 to v6.1, Closed, Available)" in text
    assert text_faults(text) == []
    told = json.loads(run("digest", "--since", "v6.0", "--format", "json")[1])
    assert told["title"] == "What is new in MLPerf® Inference v6.1"
    page = run("digest", "--since", "v6.0", "--format", "html", "--lang", "de")[1]
    assert page.startswith('<!doctype html>\n<html lang="de">')
    assert '<svg role="img" aria-label="' in page
    lines = run("digest", "--format", "csv", "--submitter", "AMD")[1].splitlines()
    assert len(lines) > 2
    picture = tmp_path / "digest.png"
    assert run("digest", "--format", "png", "--out", str(picture))[0] == 0
    assert picture.read_bytes().startswith(b"\x89PNG\r\n")


def test_a_digest_without_news_says_so(run: Run) -> None:
    code, out, _ = run("digest", "--since", "v6.1", "--lang", "de")
    assert code == 0
    assert out.startswith("Diese Woche nichts Neues in den veröffentlichten MLPerf® Ergebnissen.\n")
    code, out, err = run("digest", "--since", "v6.1", "--format", "png")
    assert (code, out, err) == (1, "", "smallprint: no change to draw\n")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("digest", "--since", "garbage"), "--since: no published round; the newest is v6.1"),
        (("digest", "--format", "pdf"), "--format: choose one of text, json, html, csv, png"),
        (("deltas", "--since", "garbage"), "--since: no published round; the newest is v6.1"),
        (("deltas", "--since", "v6.0", "--until", "x"), "--until: no published round; the newest is v6.1"),
        (("deltas", "--since", "v6.1", "--until", "v6.0"), "--until: v6.0 was published before v6.1"),
        (("deltas", "--since", "v6.0", "--csv", "--json"), "choose --json, --csv or --summary"),
        (("rows", "--round", "garbage"), "--round: no published round; the newest is v6.1"),
        (("rank", "--model", "x", "--scenario", "offline", "--round", ""), "--round: no published round"),
    ],
)
def test_wrong_usage_is_code_2_and_names_the_option(run: Run, words: tuple[str, ...], reason: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert reason in err.splitlines()[-1]


def test_loading_a_folder_names_it(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("load", ".")
    assert code == 1
    assert err == f"smallprint: {tmp_path}: cannot be read (a folder; name the files in it)\n"


def test_a_picture_is_not_written_onto_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Terminal(io.BytesIO()))
    code, _, err = run("digest", "--format", "png")
    assert code == 2
    assert "--out: name a file for the picture" in err


# --- deltas ---------------------------------------------------------------------------------------


def test_deltas_name_the_software_of_both_sides(run: Run) -> None:
    _, out, _ = run("deltas", "--since", "v6.0", "--submitter", "AMD", "--accelerators", "8")
    assert "AMD 8 MI355X: PyTorch 2.9.1+git8907517, ROCm 7.0.0, fp4 → PyTorch 2.10.0" in out
    assert text_faults(out) == []
    assert "a year" not in out
    assert "tokens/s per accelerator (derived, unverified), Available" in out
    assert "a year, had it gone on" in run("deltas", "--since", "v6.0", "--annualised")[1]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_composite_is_called_one(run: Run, lang: str) -> None:
    code, out, _ = run("deltas", "--since", "v6.0", "--summary", "--lang", lang)
    assert code == 0
    assert text_faults(out) == []
    line = next(line for line in out.splitlines() if "MI355X" in line and "GPT-OSS-120B" in line)
    assert line.split()[-1] == "0"
    assert "+33" in line
    found = json.loads(run("deltas", "--since", "v6.0", "--summary", "--json")[1])
    assert {"accelerator", "model", "n", "minimum", "lower", "median", "upper", "maximum", "fell"} == set(
        found[0]
    )


def test_deltas_as_csv(run: Run) -> None:
    lines = run("deltas", "--since", "v6.0", "--csv", "--submitter", "Lambda")[1].splitlines()
    assert lines[0].startswith("submitter,accelerator,variant,model")
    assert all(line.startswith("Lambda,") for line in lines[1:])
