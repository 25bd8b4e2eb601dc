"""The table of sentences: every line of `sentences/` must be read as it says."""

from __future__ import annotations

import pytest

from parsing.reader import Reader
from tests.parsing.sentences import Case, cases, faults

# the tables of claims without a number stand in test_words.py, those of French in test_languages.py
ELSEWHERE = ("records", "outperforms", "french")
CASES = [c for c in cases() if not c.where.startswith(ELSEWHERE)]


@pytest.mark.parametrize("case", CASES, ids=[c.where for c in CASES])
def test_sentence(case: Case, reader: Reader) -> None:
    assert not faults(case, reader), case.text


def test_the_table_is_whole() -> None:
    assert len(CASES) > 250
    assert sum(not c.expected for c in CASES) > 60
