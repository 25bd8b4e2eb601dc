"""One reader for all tests of the room: building its lexicon takes a moment."""

from __future__ import annotations

import pytest

from parsing.reader import Reader
from tests.parsing.vocabulary import SMALL


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader(SMALL)
