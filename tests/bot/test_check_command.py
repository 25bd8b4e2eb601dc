"""`smallprint check`: a file or an address in, text or JSON out, one line where it cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import main
from tests.site import HERE

PAGE = str(HERE / "pages" / "02-blogs-nvidia.html")


def test_a_file_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["check", PAGE])
    assert end.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("True, but not like for like: 1 of the 2 checkable claims on this page.")
    assert "The MLPerf name and logo are registered" in out


def test_a_file_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["check", PAGE, "--json", "--lang", "de"])
    assert end.value.code == 0
    found = json.loads(capsys.readouterr().out)
    assert found["title"].startswith("GB300 Is 1.48x")
    assert found["language"] == "de"
    assert found["result_ids"] == ["6.1-0012", "6.1-0030"]
    assert [(c["where"], c["also"], c["reading"]["verdict"]) for c in found["claims"]] == [
        ("title", ["text"], "frame"),
        ("text", [], "holds"),
    ]
    assert found["reply"]["text"].startswith("Stimmt, aber nicht Gleiches mit Gleichem")


@pytest.mark.parametrize(
    ("page", "line"),
    [
        ("https://127.0.0.1/post", "private network"),
        ("http://169.254.169.254/latest/meta-data", "private network"),
        ("https://localhost./", "private network"),
        ("https://2130706433/", "no public name"),
        ("https://blog.example:22/", "port"),
        ("https://user@blog.example/", "user name"),
        ("http://blog.example/post", "not encrypted"),
        ("no-such-file.html", "No such file"),
    ],
)
def test_what_cannot_be_read_is_one_line(page: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["check", page])
    assert end.value.code == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert line in told.err


def test_a_page_that_cannot_be_parsed_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "deep.html"
    page.write_text("<div>" * 10_000)
    with pytest.raises(SystemExit) as end:
        main(["check", str(page), "--lang", "de"])
    assert end.value.code == 1
    assert "so gebaut, dass sie sich nicht lesen lässt" in capsys.readouterr().err


def test_a_file_that_is_too_large_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "large.html"
    page.write_bytes(b" " * (5 * 2**20 + 1))
    with pytest.raises(SystemExit) as end:
        main(["check", str(page)])
    assert end.value.code == 1
    assert "larger than is read" in capsys.readouterr().err


def test_a_wrong_language_is_wrong_usage() -> None:
    with pytest.raises(SystemExit) as end:
        main(["check", PAGE, "--lang", "xx"])
    assert end.value.code == 2
