"""Claims without a number: records, places, comparisons, parity, and what only sounds like them."""

from __future__ import annotations

import pytest

from knowledge.store import Store
from parsing.reader import Reader
from tests.parsing.sentences import Case, cases, faults

TABLES = ("records.*.txt", "outperforms.*.txt")
CASES = [case for table in TABLES for case in cases(table)]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(Store.open(tmp_path_factory.mktemp("words") / "knowledge.db").vocabulary())


@pytest.mark.parametrize("case", CASES, ids=[case.where for case in CASES])
def test_claim_without_a_number(case: Case, reader: Reader) -> None:
    assert not faults(case, reader), case.text


def test_half_of_the_sentences_claim_nothing() -> None:
    silent = sum(not case.expected for case in CASES)
    assert len(CASES) >= 120
    assert 0.4 < silent / len(CASES) < 0.6
