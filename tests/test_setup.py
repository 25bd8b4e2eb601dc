"""The set-up on a machine that lacks something, and the text that `make try` hands over."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, needs


def script(path: Path, text: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def set_up(python: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the set-up script with one Python."""
    environment = {**os.environ, "PYTHON": str(python)}
    command = ["sh", str(ROOT / ".ci" / "venv"), str(folder / ".venv")]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("lacking", "line"),
    [("exit 127", "needs Python 3.11 or newer"), ("exit 1", "needs Python 3.11 or newer")],
    ids=["no Python", "an old Python"],
)
def test_a_machine_without_python_gets_one_clear_line(tmp_path: Path, lacking: str, line: str) -> None:
    done = set_up(script(tmp_path / "python", lacking), tmp_path)
    assert done.returncode == 1
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / ".venv").exists()


def test_a_python_without_venv_gets_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "ensurepip.py").write_text("raise ImportError")
    python = script(tmp_path / "python", f'PYTHONPATH="{tmp_path}/lib" exec "{sys.executable}" "$@"\n')
    done = set_up(python, tmp_path)
    assert done.returncode == 1
    assert "has no venv module" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize(
    "text",
    [
        'it\'s 3.7x "faster"',
        "$5 a token, $(shell id) and ${HOME} and `id`",
        "-38 % cost; a\\b | c & d > e # f",
        "um das 2,77‑fache schneller 🚀",
    ],
)
def test_make_try_hands_the_text_over_as_it_stands(tmp_path: Path, text: str) -> None:
    needs("make")
    script(tmp_path / "bin" / "smallprint", 'for word in "$@"; do printf "%s\\n" "$word"; done\n')
    (tmp_path / ".ready").touch()
    command = ["make", "--no-print-directory", "try", f"VENV={tmp_path}", f"TEXT={text}"]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))
    }
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["ask", "--", text]
