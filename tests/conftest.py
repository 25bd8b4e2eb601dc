"""What all tests share: the parts that a machine may lack, and the folder of published files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import browser, postgres

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("parsing", "knowledge", "bot")
SHARED = ROOT.parent / "shared"

# A part of the system that no wheel brings: how to see whether it is there.
PARTS: dict[str, Callable[[], bool]] = {
    "shared": lambda: (SHARED / "data" / "mlcommons").is_dir(),
    "make": lambda: shutil.which("make") is not None,
    "chromium": lambda: browser.path() is not None,
    "postgresql": postgres.here,
    "git": lambda: shutil.which("git") is not None and (ROOT / ".git").exists(),
}


def pytest_configure(config: pytest.Config) -> None:
    """Give the whole run a knowledge file of its own: no test touches that of the person who runs it."""
    if hasattr(config, "workerinput"):
        return  # a worker of xdist inherits the folder of the run that started it
    folder = tempfile.mkdtemp(prefix="smallprint-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["SMALLPRINT_KNOWLEDGE"] = str(Path(folder) / "knowledge.db")
    for name in ("SMALLPRINT_TODAY", "SMALLPRINT_DEBUG"):
        os.environ.pop(name, None)


def needs(part: str) -> None:
    """Skip the running test, by the name of the part, where the part is missing.

    With SMALLPRINT_NO_SKIP=1 (as in CI) a missing part is a failure: nothing is left
    untested without somebody noticing. Raises KeyError for a part that PARTS does not know.
    """
    if PARTS[part]():
        return
    message = f"needs {part}, which this machine does not have"
    if os.environ.get("SMALLPRINT_NO_SKIP") == "1":
        pytest.fail(message + " (SMALLPRINT_NO_SKIP=1)", pytrace=False)
    pytest.skip(message)


@pytest.fixture
def shared() -> Path:
    """The folder beside the checkout with the published files and the labelled claims."""
    needs("shared")
    return SHARED
