"""The rules of the house: what no file may hold, and what every change must keep."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FLOORS, PARTS, ROOT, needs

LONGEST_FUNCTION = 60

# Put together here, so that this file does not hold what it looks for.
HOSTS = (
    "py" + "pi.org",
    "pythonhosted" + ".org",
    "npm" + "js.org",
    "crates" + ".io",
    "gol" + "ang.org",
    "anaconda" + ".org",
    "deb.deb" + "ian.org",
)
# Programs of one maintainers' workplace: whoever has only this repository could not follow a word of it.
WORKPLACE = re.compile(
    "|".join(
        (
            "score_" + "(?:claims|readings|verdicts)",
            "lint_" + "replies",
            "issues " + "show",
            "before" + "-stop",
            r"\." + "library/",
            r"duplicates " + "--change",
        )
    )
)
MACHINE_PATH = re.compile(r"(?<![\w.${}-])/(?:work|root|home/\w+|opt/\w+)/\w")
TRADEMARK = "The MLPerf name and logo are registered and unregistered trademarks"
NAME_MISUSED = re.compile(r"MLPerf(?!®)|MLPerf®(?:s\b|['’]s|-\w|[.,;:!?)])|\w-MLPerf")
# A labelled sentence shorter than this many letters and digits may be anybody's.
OWN = 30


def tracked() -> list[Path]:
    """All files of the repository that are in the work tree."""
    needs("git")
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    )
    paths = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    return [path for path in paths if path.is_file()]


def texts(*suffixes: str) -> list[tuple[str, str]]:
    """Name and content of the tracked text files, all or those with a suffix."""
    found = []
    for path in tracked():
        if suffixes and path.suffix not in suffixes:
            continue
        try:
            found.append((str(path.relative_to(ROOT)), path.read_text("utf-8")))
        except UnicodeDecodeError:
            continue
    return found


def functions() -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of the three floors and the tests, by the place where it stands."""
    return {
        f"{name}:{node.lineno} {node.name}": node
        for name, text in texts(".py")
        for node in ast.walk(ast.parse(text, name))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def run_import_linter(folder: Path) -> subprocess.CompletedProcess[str]:
    """The import contracts of pyproject.toml over the floors that lie in `folder`."""
    tool = Path(sys.executable).parent / "lint-imports"
    command = [str(tool), "--no-cache", "--config", str(folder / "pyproject.toml")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_imports_only_point_down() -> None:
    done = run_import_linter(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("floor", "line"),
    [
        ("parsing", "import knowledge.row"),
        ("parsing", "import bot"),
        ("knowledge", "import bot"),
        ("parsing", "import slack_bolt"),
        ("knowledge", "import discord"),
        ("bot", "import slack_sdk"),
    ],
)
def test_an_import_that_points_up_is_found(tmp_path: Path, floor: str, line: str) -> None:
    for name in FLOORS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "rows"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / floor / "intruder.py").write_text(line + "\n")
    done = run_import_linter(tmp_path)
    assert done.returncode != 0
    assert f"{floor}.intruder" in done.stdout


def test_no_file_names_a_registry_or_a_path_of_a_machine() -> None:
    found = []
    for name, text in texts():
        found += [f"{name}: {host}" for host in HOSTS if host in text]
        found += [f"{name}: {path[0]}" for path in MACHINE_PATH.finditer(text)]
    assert not found


def test_no_file_names_a_tool_of_the_workplace() -> None:
    found = [f"{name}: {tool[0]}" for name, text in texts() for tool in WORKPLACE.finditer(text)]
    assert not found


@pytest.mark.parametrize("words", ["run score_" + "claims.py", "as `issues " + "show` says"])
def test_a_tool_of_the_workplace_is_seen(words: str) -> None:
    assert WORKPLACE.search(words)


def test_constraints_are_versions_and_nothing_else() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert lines
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)] == []


def test_every_use_of_the_name_carries_its_sign() -> None:
    found = []
    for name, text in texts(".md", ".toml", ".yaml", ""):
        flat = re.sub(r"\s+", " ", text).replace(TRADEMARK, "")
        found += [
            f"{name}: …{flat[max(0, hit.start() - 30) : hit.end() + 20]}…"
            for hit in NAME_MISUSED.finditer(flat)
        ]
    assert not found


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("MLPerf® Inference v6.1", False),
        ("the MLPerf® results", False),
        ("the MLPerf results", True),
        ("MLPerf®-Zeilen", True),
        ("MLPerf®'s rows", True),
        ("many MLPerf®s", True),
        ("pre-MLPerf®", True),
        ("as in MLPerf®.", True),
    ],
)
def test_a_misused_name_is_seen(text: str, wrong: bool) -> None:
    assert bool(NAME_MISUSED.search(text)) is wrong


@pytest.mark.parametrize("folder", ["work", "root", "home/someone", "opt/wheels"])
def test_a_path_of_a_machine_is_seen(folder: str) -> None:
    assert MACHINE_PATH.search(f"open('/{folder}/file')")
    assert not MACHINE_PATH.search(f"https://example.com/a/{folder}/file")


def test_no_published_file_and_no_labelled_claim_is_copied_in(shared: Path) -> None:
    theirs = {
        hashlib.sha256(path.read_bytes()).digest(): path.name
        for path in shared.rglob("*")
        if path.is_file() and path.stat().st_size
    }
    ours = {path: hashlib.sha256(path.read_bytes()).digest() for path in tracked()}
    assert not [f"{path.name} is {theirs[digest]}" for path, digest in ours.items() if digest in theirs]


def letters(text: str) -> str:
    """The letters and digits of a text: signs, spaces and case make no new sentence."""
    return re.sub(r"[\W_]+", "", text).casefold()


def sentences(folder: Path) -> set[str]:
    """The sentences of all labelled passages and their titles, without those too short to be told apart."""
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    passages = [item.get(field) or "" for item in map(json.loads, lines) for field in ("text", "title")]
    parts = (part for text in passages for part in re.split(r"(?<=[.!?])\s+|\n", text))
    return {part for part in parts if len(letters(part)) >= OWN}


def test_no_labelled_sentence_stands_in_a_file(shared: Path) -> None:
    files = [(name, letters(text)) for name, text in texts() if not name.startswith("knowledge/rows/")]
    labelled = sentences(shared / "claims")
    assert len(labelled) > 100
    found = [
        f"{name}: {one[:60]}" for one in sorted(labelled) for name, text in files if letters(one) in text
    ]
    assert not found


def is_table(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function only names values and yields them: a table of cases, which may be long."""
    return all(
        isinstance(part, ast.Assign)
        or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Yield | ast.Constant))
        for part in node.body
    )


def test_functions_fit_a_screen() -> None:
    lengths = {
        place: (node.end_lineno or 0) - node.lineno + 1
        for place, node in functions().items()
        if not (place.startswith("tests/") and is_table(node))
    }
    assert lengths
    assert not {place: length for place, length in lengths.items() if length > LONGEST_FUNCTION}


def too_complex(*paths: Path) -> list[str]:
    """The functions over the complexity of pyproject.toml, also where a comment would excuse them."""
    tool = Path(sys.executable).parent / "ruff"
    command = [
        str(tool),
        "check",
        "--no-cache",
        "--ignore-noqa",
        "--select",
        "C901",
        "--output-format",
        "json",
    ]
    done = subprocess.run(
        [*command, "--config", str(ROOT / "pyproject.toml"), *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    return [f"{Path(one['filename']).name}: {one['message']}" for one in json.loads(done.stdout)]


@pytest.mark.parametrize("floor", FLOORS)
def test_no_function_of_a_floor_is_too_complex(floor: str) -> None:
    assert not too_complex(ROOT / floor)


def test_a_function_that_is_too_complex_is_seen(tmp_path: Path) -> None:
    branches = "".join(f"    if a == {n}:\n        return {n}\n" for n in range(13))
    (tmp_path / "knot.py").write_text(f"def knot(a: int) -> int:  # noqa: C901\n{branches}    return a\n")
    assert len(too_complex(tmp_path)) == 1


def packaged_toml() -> dict[str, dict[str, Any]]:
    """The data files of the three floors, read."""
    return {name: tomllib.loads(text) for name, text in texts(".toml") if name.split("/")[0] in FLOORS}


def labels(table: dict[str, Any], prefix: str = "") -> set[str]:
    """The dotted keys of a table down to what is no table."""
    found: set[str] = set()
    for key, value in table.items():
        found |= labels(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key}
    return found


def test_every_packaged_toml_file_can_be_read() -> None:
    found = packaged_toml()
    assert len(found) >= 8
    assert not [name for name, table in found.items() if not table]


# Their keys are words of the language, or endings that only some languages have.
OF_THE_LANGUAGE = ("number", "magnitude", "multiple", "count", "suffix")


@pytest.mark.parametrize("folder", ["parsing/terms", "bot/wording"])
def test_every_language_has_the_same_labels(folder: str) -> None:
    """A label without words in a language is there with an empty list: its translator has seen it."""
    tables = {
        Path(name).stem: {key: part for key, part in table.items() if key not in OF_THE_LANGUAGE}
        for name, table in packaged_toml().items()
        if re.fullmatch(rf"{folder}/[a-z]{{2}}\.toml", name)
    }
    assert tables.keys() >= {"en", "de"}
    every = set().union(*map(labels, tables.values()))
    lacking = {code: sorted(every - labels(table)) for code, table in tables.items()}
    assert not [f"{code}: {label}" for code, found in lacking.items() for label in found]


def test_a_mock_has_a_spec() -> None:
    found = []
    for name, text in texts(".py"):
        for node in ast.walk(ast.parse(text, name)):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).rsplit(".", 1)[-1]
                given = {keyword.arg for keyword in node.keywords}
                if called in {"Mock", "MagicMock", "AsyncMock"} and not given & {"spec", "spec_set"}:
                    found.append(f"{name}:{node.lineno}")
    assert not found


def test_the_wheel_holds_every_file_of_the_floors(tmp_path: Path) -> None:
    files = [path.relative_to(ROOT) for path in tracked()]
    for path in files:
        (tmp_path / "src" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, tmp_path / "src" / path)
    offline = ["--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", *offline, "--wheel-dir", "wheel", "./src"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    inside = zipfile.ZipFile(wheel).namelist()
    expected = {str(path) for path in files if path.parts[0] in FLOORS}
    assert not expected - set(inside)
    assert {Path(name).name for name in inside if "/licenses/" in name} == {"LICENSE", "NOTICE"}


def test_a_missing_part_skips_here_and_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARTS, "moon", lambda: False)
    monkeypatch.delenv("SMALLPRINT_NO_SKIP", raising=False)
    with pytest.raises(pytest.skip.Exception, match="needs moon"):
        needs("moon")
    monkeypatch.setenv("SMALLPRINT_NO_SKIP", "1")
    with pytest.raises(pytest.fail.Exception, match="needs moon"):
        needs("moon")
