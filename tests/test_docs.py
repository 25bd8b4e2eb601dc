"""The documents say what the program does: every word and command is there, and what is there works."""

from __future__ import annotations

import csv
import importlib
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from bot import metrics
from bot.cli import main
from bot.decide import Reason
from bot.preferences import Preferences
from bot.wording import LANGUAGES, catalogue
from knowledge.reading import Caveat, Difference, Verdict
from knowledge.rows_csv import COLUMNS
from tests import reference
from tests.benchmarks.cases import BENCHMARKS
from tests.conftest import FLOORS, ROOT

DOCS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("deploy/*.md"))]
VERDICTS = (ROOT / "docs" / "verdicts.md").read_text("utf-8")
EXAMPLES = (ROOT / "docs" / "how-a-reading-is-made.md").read_text("utf-8")
DATA = (ROOT / "docs" / "data.md").read_text("utf-8")
README_TEXT = reference.README.read_text("utf-8")
ROWS = ROOT / "knowledge" / "rows"


def section(text: str, heading: str) -> str:
    """The part of a document under one heading of the second level."""
    return text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def first_cells(text: str) -> set[str]:
    """The codes in the first column of the tables of a text."""
    return set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))


@pytest.mark.parametrize(
    ("heading", "codes"),
    [("Verdicts", get_args(Verdict)), ("Differences", get_args(Difference)), ("Caveats", get_args(Caveat))],
)
def test_every_code_is_documented_and_none_is_invented(heading: str, codes: tuple[str, ...]) -> None:
    assert first_cells(section(VERDICTS, heading)) == set(codes)


def test_every_flag_of_a_row_is_documented_and_none_is_invented() -> None:
    flags = tomllib.loads((ROOT / "knowledge" / "flags.toml").read_text("utf-8"))
    assert first_cells(section(DATA, "Flags")) == set(flags)


def test_every_field_of_a_row_is_documented_and_none_is_invented() -> None:
    cells = re.findall(r"^\| (`.*?) \|", section(DATA, "A row"), re.MULTILINE)
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == set(COLUMNS)


def test_the_numbers_of_rows_are_those_of_the_package() -> None:
    counts = {
        name: number(count)
        for name, count in re.findall(r"^\| (v\S+) \| .*? \| ([\d,]+) \|", DATA, re.MULTILINE)
    }
    stored = {
        path.stem: len(list(csv.reader(path.open(encoding="utf-8")))) - 1 for path in ROWS.glob("*.csv")
    }
    assert counts == stored
    assert f"{sum(stored.values()):,} rows" in README_TEXT


def test_the_command_reference_is_that_of_the_program() -> None:
    assert reference.TARGET.read_text("utf-8") == reference.reference(), "run `make docs`"


def test_every_setting_is_documented_and_none_is_invented() -> None:
    code = [path.read_text("utf-8") for floor in FLOORS for path in (ROOT / floor).rglob("*.py")]
    used = {name for text in code for name in re.findall(r"\bSMALLPRINT_[A-Z_]+\b", text)}
    assert first_cells(section(reference.reference(), "Settings")) == used


def fenced_lines(path: Path) -> Iterator[str]:
    """The lines of a document's code blocks."""
    for block in re.findall(r"^```\w*\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        yield from block.splitlines()


def documented_commands() -> list[tuple[str, list[str]]]:
    """Each `smallprint …` in a code block, with the name of the document, as words."""
    return [
        (path.name, shlex.split(line.removeprefix("$ "))[1:])
        for path in DOCS
        for line in fenced_lines(path)
        if re.match(r"(\$ )?smallprint ", line)
    ]


def test_documented_commands_and_options_exist() -> None:
    commands = reference.commands()
    for document, (name, *words) in documented_commands():
        assert name in commands, f"{document}: smallprint {name}"
        options = {option for param in commands[name].params for option in param.opts}
        wrong = [word for word in words if re.match(r"--?[a-z]", word) and word not in options]
        assert not wrong, f"{document}: smallprint {name} {wrong}"


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Standard output of one command, which must end well."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    output = capsys.readouterr()
    assert not ended.value.code, output.err
    return output.out


README = [words for document, words in documented_commands() if document == "README.md"]


@pytest.mark.parametrize("words", README, ids=[" ".join(words)[:50] for words in README])
def test_the_commands_of_the_readme_run(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words, capsys).strip()


def test_the_readme_shows_the_real_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """Each `$ smallprint …` in the README is followed by what the command prints."""
    blocks = reference.ANSWER.findall(README_TEXT)
    assert len(blocks) >= 2
    assert README_TEXT.index("$ smallprint") < 500, "the answer belongs on the first screen"
    for line, shown in blocks:
        assert run(shlex.split(line), capsys).split() == shown.split(), "run `make docs`"


def test_documented_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for path in DOCS:
        named = {line.split()[1] for line in fenced_lines(path) if line.startswith("make ")}
        named |= set(re.findall(r"`make ([a-z]+)", path.read_text("utf-8")))
        assert named <= targets, path.name


def test_links_between_documents_lead_somewhere() -> None:
    for path in DOCS:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_named_files_and_functions_exist() -> None:
    """What documents name in backticks, a path or a function of the core, is there."""
    for path in DOCS:
        text = path.read_text("utf-8")
        for name in re.findall(r"`((?:bot|knowledge|parsing|tests|docs|deploy)/[\w./]*)`", text):
            assert (ROOT / name).exists(), f"{path.name}: {name}"
    recipes = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for module, name in re.findall(r"`(bot\.\w+)\.(\w+)`", recipes):
        assert hasattr(importlib.import_module(module), name), name


def number(text: str) -> float:
    """A printed number with thousands commas."""
    return float(text.replace(",", ""))


def example_rows() -> list[list[str]]:
    """The rows of the worked examples as cells: round, submitter, accelerator, count and so on."""
    lines = re.findall(r"^\| (v\d\.\d \| .*) \|$", EXAMPLES, re.MULTILINE)
    return [line.split(" | ") for line in lines]


def test_the_worked_examples_stand_on_stored_rows() -> None:
    examples = example_rows()
    assert len(examples) >= 10
    for round_, submitter, accelerator, count, benchmark, printed, per_accelerator in examples:
        model, scenario = benchmark.split(", ")
        with (ROWS / f"{round_}.csv").open(encoding="utf-8", newline="") as stream:
            fitting = [
                row
                for row in csv.DictReader(stream)
                if (row["submitter"], row["accelerator"], row["accelerators"])
                == (submitter, accelerator, count)
                and (row["model"], row["scenario"], row["division"]) == (model, scenario, "closed")
            ]
        values = [float(row["value"]) for row in fitting]
        assert any(abs(value - number(printed)) <= 0.005 for value in values), (round_, submitter, printed)
        assert number(per_accelerator) == pytest.approx(number(printed) / int(count), abs=0.006)


def test_the_worked_divisions_are_right() -> None:
    divisions = re.findall(r"([\d,.]+\d) ÷ ([\d,.]+\d) = ([\d.]+\d)", EXAMPLES)
    divisions += re.findall(r"^\| \S+, \w+ \| ([\d,.]+) \| ([\d,.]+) \| ([\d.]+) \|$", EXAMPLES, re.MULTILINE)
    assert len(divisions) >= 12
    for above, below, printed in divisions:
        step = 10.0 ** -len(printed.partition(".")[2])
        assert number(above) / number(below) == pytest.approx(float(printed), abs=step / 2 * 1.01)


QUOTED = re.findall(r"^## .*\n\n> (.*)\n((?:(?!## ).*\n)*)", EXAMPLES, re.MULTILINE)


@pytest.mark.parametrize(("sentence", "worked"), QUOTED, ids=[sentence[:40] for sentence, _ in QUOTED])
def test_the_program_agrees_with_the_worked_examples(
    sentence: str, worked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first division of an example is its claim, the others its like-for-like values."""
    (claim,) = json.loads(run(["ask", "--json", sentence], capsys))["claims"]
    reading = claim["reading"]
    codes = set(re.findall(r"`(\w+)`", worked))
    assert codes & set(get_args(Verdict)) == {reading["verdict"]}
    assert codes & set(get_args(Difference)) == set(reading["differences"])
    first, *others = [float(result) for result in re.findall(r"÷ [\d,.]+\d = ([\d.]+\d)", worked)]
    assert reading["recomputed"] == pytest.approx(first, abs=0.001)
    groups = {round(group["ratio"], 3) for group in reading["like_for_like"]}
    assert groups <= set(others)


def test_the_examples_are_three() -> None:
    assert len(QUOTED) == 3


def test_the_changelog_names_this_version() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    assert f"\n## {version[1]} " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_every_metric_is_documented_and_none_is_invented() -> None:
    told = set(
        re.findall(r"^\| `(smallprint_\w+)` \|", (ROOT / "docs" / "operating.md").read_text("utf-8"), re.M)
    )
    assert told == {family.name for family in metrics.REGISTRY.collect()}


@pytest.mark.parametrize(
    ("platform", "guide"), [("Slack", "Install in one workspace"), ("Discord", "Install")]
)
def test_the_five_steps_are_those_of_the_guide(platform: str, guide: str) -> None:
    """The README tells them shorter; what is typed and opened is the same."""
    short = section(README_TEXT, f"{platform} in five steps")
    long = section((ROOT / "docs" / f"{platform.lower()}.md").read_text("utf-8"), guide)
    typed = [
        re.findall(r"^(?:export |https:|(?:\.venv/bin/)?smallprint ).*", text, re.M) for text in (short, long)
    ]
    assert [line.removeprefix(".venv/bin/") for line in typed[0]] == typed[1]
    for text in (short, long):
        assert re.findall(r"^(\d)\. ", text, re.M) == list("12345")


def test_every_benchmark_is_documented_and_none_is_invented() -> None:
    recipes = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    told = re.findall(r"^\| `([\w-]+)` \|", section(recipes, "Benchmarks"), re.M)
    assert sorted(told) == sorted(BENCHMARKS)


def test_every_preference_and_reason_has_words_in_every_language() -> None:
    for language in LANGUAGES:
        known = catalogue(language)
        wanted = {f"preference.{name}" for name in Preferences.model_fields}
        wanted |= {f"reason.{name}" for name in get_args(Reason)}
        assert not {key for key in wanted if not known.get(key)}


def test_every_promise_names_a_test_that_exists() -> None:
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    promises = re.findall(r"^\| (?!promise|---)(.+?) \| (.+?) \|$", text, re.M)
    assert len(promises) > 12
    for promise, shown in promises:
        files = re.findall(r"`(tests/[\w/]+\.py)`", shown)
        assert files, promise
        assert all((ROOT / name).is_file() for name in files), shown
