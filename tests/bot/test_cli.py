"""The command line as people and programs use it: real processes, real bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from bot.cli import main

FRAME = "Per GPU, GB300 leads MI355X by about 48 % on GPT-OSS-120B offline in MLPerf Inference v6.1."
COMMAND = [sys.executable, "-c", "from bot.cli import main; main()"]


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process, with bytes as its standard input."""

    def command(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        captured = capfd.readouterr()
        return Done(int(ended.value.code or 0), captured.out, captured.err)

    return command


def process(
    *arguments: str | bytes, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as a process of its own."""
    env = {**os.environ, **environment}
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, check=False, env=env)


def test_a_real_process_answers() -> None:
    done = process("ask", FRAME)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith("True, but not like for like: ")


def test_a_process_survives_a_terminal_that_speaks_no_utf8() -> None:
    done = process("ask", FRAME, LC_ALL="C", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "MLPerf® Inference" in done.stdout.decode()


def test_arguments_that_are_no_utf8() -> None:
    done = process("ask", b"GB300 is 2x\xff\xfe faster", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["text"]


def test_a_closed_pipe_is_no_error() -> None:
    lines = json.dumps({"id": 1, "text": FRAME}) + "\n"
    with subprocess.Popen(
        [*COMMAND, "ask", "--jsonl", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        running.stdin.write(lines.encode() * 50)
        running.stdin.close()
        assert running.stderr.read() == b""


@pytest.mark.parametrize("text", ["Nothing here.", "", "🚀🚀🚀"])
@pytest.mark.parametrize("command", ["ask", "read", "fair"])
def test_no_claim_is_an_answer(run: Run, command: str, text: str) -> None:
    done = run(command, text)
    assert (done.code, done.err) == (0, "")
    assert done.out.strip()


def test_ask_json_is_one_object(run: Run) -> None:
    done = run("ask", FRAME, "--json")
    found = json.loads(done.out)
    assert done.out.count("\n") == 1
    assert list(found) == ["text", "language", "claims", "reply"]
    assert list(json.loads(run("ask", "Nothing.", "--json").out)["claims"]) == []


def test_read_json_has_no_reading(run: Run) -> None:
    found = json.loads(run("read", FRAME, "--json").out)
    assert list(found) == ["text", "language", "claims"]
    assert "reading" not in found["claims"][0]


def test_standard_input(run: Run) -> None:
    for arguments in (("ask", "-"), ("ask",)):
        assert run(*arguments, stdin=FRAME.encode()).out.startswith("True, but not like for like")
    broken = run("ask", "-", stdin=b"GB300 \xff\x00 is 2x faster than H100 \xc3")
    assert (broken.code, broken.err) == (0, "")


def test_explain_names_words_and_rule(run: Run) -> None:
    done = run("ask", FRAME, "--explain")
    assert "kind: percent" in done.out
    assert "Rule " in done.out
    assert "subject.accelerator: GB300" in run("read", FRAME, "--explain").out


def test_details_add_links_and_the_receipt(run: Run) -> None:
    done = run("ask", FRAME, "--details")
    assert "https://github.com/mlcommons/inference_results_v6.1/tree/main/closed/CoreWeave" in done.out
    assert "Receipt: sp1:" in done.out


def test_the_language_can_be_chosen(run: Run) -> None:
    assert run("ask", FRAME, "--lang", "de").out.startswith("Stimmt, aber nicht Gleiches mit Gleichem: ")


def test_json_lines_go_on_after_bad_ones(run: Run) -> None:
    lines = [
        json.dumps({"id": "a", "text": FRAME}).encode(),
        b"not json",
        b"",
        b"[1, 2]",
        b'{"id": "b"}',
        b'{"id": "c", "text": 5}',
        b'{"id": "d", "text": "x", "lang": "fr"}',
        b'{"id": "e", "text": "x", "date": "yesterday"}',
        b'{"id": "f", "text": "x", "markup": "html"}',
        b'{"id": "g", "text": "x", "title": 3}',
        b'{"id": "h", "text": "\xff"}',
        b"[" * 5000,
        json.dumps({"id": {"any": 1}, "text": "\ud800 Nothing."}).encode(),
        json.dumps({"id": "z", "text": "Nichts.", "lang": "de", "title": "T", "date": "2026-10-01"}).encode(),
    ]
    done = run("ask", "--jsonl", "-", stdin=b"\n".join(lines))
    answered = [json.loads(line) for line in done.out.splitlines()]
    assert [item["id"] for item in answered] == ["a", {"any": 1}, "z"]
    assert answered[2]["language"] == "de"
    assert [line.split(":")[1].strip() for line in done.err.splitlines()] == [
        f"line {n}" for n in (2, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    ]
    assert done.code == 0


def test_json_lines_from_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps({"id": 7, "text": FRAME}) + "\n", "utf-8")
    assert json.loads(run("read", "--jsonl", str(file)).out)["id"] == 7


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "x", "--lang", "fr"),
        ("ask", "x", "--markup", "html"),
        ("ask", "x", "--date", "yesterday"),
        ("ask", "x", "--jsonl", "-"),
        ("ask", "x", "y"),
        ("ask", "--nonsense"),
        ("nonsense",),
        ("rank", "--model", "deepseek-r1"),
        ("rank", "--model", "deepseek-r1", "--scenario", "bananas"),
        ("rank", "--model", "deepseek-r1", "--scenario", "server", "--accelerators", "many"),
        ("rows", "--round", "v99"),
        ("rows", "--json", "--csv"),
        ("compare", "GB300"),
        ("load",),
        ("deltas",),
        ("deltas", "--since", "v99.0"),
        ("deltas", "--since", "v6.1", "--until", "v6.0"),
        ("digest", "--since", "v99.0"),
        ("chat", "--lang", "fr"),
    ],
)
def test_wrong_usage_is_2(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert done.err.strip()
    assert done.out == ""
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "--jsonl", "missing.jsonl"),
        ("ask", "--jsonl", "."),
        ("load", "missing.csv"),
        ("rank", "--model", "nonsense", "--scenario", "server"),
    ],
)
def test_a_failure_is_1_with_one_line(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.code == 1
    assert done.err.startswith("smallprint: ")
    assert done.err.count("\n") == 1
    assert done.out == ""


def test_an_unexpected_failure_is_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("something\nnobody thought of")

    monkeypatch.setattr("bot.commands.texts.run", broken)
    done = run("ask", "x")
    assert (done.code, done.out) == (1, "")
    assert (
        done.err
        == "smallprint: unexpected failure, please report it: RuntimeError: something nobody thought of\n"
    )


def test_version_and_help(run: Run) -> None:
    assert run("--version").out.startswith("smallprint ")
    assert "not affiliated with or endorsed by mlcommons" in run("--help").out.casefold()
    assert run().code == 2


BAD_FILES = {
    "truncated": b'[{"ID": "6.0-0001", "Submitter": "AM',
    "empty": b"",
    "a missing column": b"Organization,Division\nAMD,closed\n",
    "an object": b'{"a": {"b": 1}}',
    "a number": b"5",
    "no text": bytes(range(256)),
}


@pytest.mark.parametrize("content", BAD_FILES.values(), ids=BAD_FILES)
@pytest.mark.parametrize("name", ["results.json", "summary.csv"])
def test_a_bad_file_is_one_line_and_changes_nothing(
    run: Run, tmp_path: Path, content: bytes, name: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    before = run("rows", "--json").out
    done = run("load", str(file))
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert name in done.err
    assert run("rows", "--json").out == before


def test_a_place_that_cannot_be_written_still_answers() -> None:
    done = process("ask", FRAME, SMALLPRINT_KNOWLEDGE="/proc/no/such/knowledge.db")
    assert done.stdout.decode().startswith("True, but not like for like")
    assert done.returncode == 0
    assert done.stderr.count(b"\n") == 1


def test_a_full_disk_still_answers(tmp_path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000));"
    done = subprocess.run(
        [sys.executable, "-c", f"{limit} from bot.cli import main; main()", "ask", FRAME],
        capture_output=True,
        check=False,
        env={**os.environ, "SMALLPRINT_KNOWLEDGE": str(tmp_path / "knowledge.db")},
    )
    assert b"Traceback" not in done.stderr
    assert done.stdout.decode().startswith("True, but not like for like")
    assert done.returncode == 0
    assert done.stderr.count(b"\n") == 1


def test_doctor_looks_at_everything(run: Run) -> None:
    done = run("doctor")
    assert done.code == 0
    for name in ("program", "knowledge file", "data version", "rows", "a test question", "notices"):
        assert name in done.out
    assert "v6.1: 492" in done.out


def test_chat_reads_lines_until_the_end(run: Run) -> None:
    done = run("chat", stdin=f"{FRAME}\nand server?\n\xff\nquit\nnot reached\n".encode("latin-1"))
    assert done.code == 0
    assert "GPT-OSS-120B server" in done.out
    assert "not reached" not in done.out


def test_a_wrong_setting_is_one_line() -> None:
    done = process("ask", FRAME, SMALLPRINT_LANG="klingon")
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert b"SMALLPRINT_LANG" in done.stderr


def test_help_needs_no_rows_and_no_reader() -> None:
    tell = "import atexit, sys; atexit.register(lambda: print(sorted(sys.modules)));"
    code = f"{tell} from bot.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, check=True)
    for heavy in (b"'spacy'", b"'sqlite_utils'", b"'babel'", b"'pydantic'"):
        assert heavy not in done.stdout
