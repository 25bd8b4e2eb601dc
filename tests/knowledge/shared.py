"""Where the published files lie beside the checkout, for tests that need them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared(name: str) -> Path:
    """A folder of `../shared`; skips by name where it is missing, fails where SMALLPRINT_NO_SKIP=1."""
    folder = Path(__file__).parents[3] / "shared" / name
    if not folder.is_dir():
        if os.environ.get("SMALLPRINT_NO_SKIP") == "1":
            pytest.fail(f"../shared/{name} is missing and SMALLPRINT_NO_SKIP is set")
        pytest.skip(f"../shared/{name} is not beside this checkout")
    return folder
