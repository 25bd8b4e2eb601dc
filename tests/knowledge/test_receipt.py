"""Receipts: short, checked, and honest about what has changed since."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.errors import ReceiptError
from knowledge.receipt import Receipt

KEYS = tuple(f"v6.1/closed/S/results/System-{n}/model/Offline" for n in range(500))
RECEIPT = Receipt("2-3f9a0c12b4e7", "0.1.0", (KEYS[7], KEYS[3]))


def test_a_receipt_comes_back_from_its_short_form() -> None:
    assert Receipt.parse(RECEIPT.text, KEYS) == RECEIPT
    assert Receipt.parse(f"  {RECEIPT.text}\n", KEYS) == RECEIPT
    assert len(RECEIPT.text) < 60
    assert " " not in RECEIPT.text


def test_a_receipt_without_rows_is_one_too() -> None:
    receipt = Receipt("2-3f9a0c12b4e7", "0.1.0.dev3+g12ab")
    assert Receipt.parse(receipt.text, []) == receipt


@given(st.lists(st.sampled_from(KEYS), max_size=12, unique=True))
def test_any_rows_come_back_in_their_order(keys: list[str]) -> None:
    receipt = Receipt("1-000000000000", "1.0", tuple(keys))
    assert Receipt.parse(receipt.text, KEYS) == receipt


@given(st.integers(0, len(RECEIPT.text) - 1), st.sampled_from("0123456789abcdef.:-x"))
def test_a_slip_of_the_pen_is_noticed(place: int, sign: str) -> None:
    text = RECEIPT.text
    wrong = text[:place] + sign + text[place + 1 :]
    if wrong == text:
        return
    with pytest.raises(ReceiptError) as error:
        Receipt.parse(wrong, KEYS)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text", ["", "sp1", "sp1:::", "hello", "sp2:0:1-0:x:y", "sp1:" + "9" * 100_000, "\x00\ud83d"]
)
def test_what_is_no_receipt_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ReceiptError, match="no receipt"):
        Receipt.parse(text, KEYS)


def test_rows_that_are_gone_are_told() -> None:
    with pytest.raises(ReceiptError, match=r"1 of 2 rows .*2-3f9a0c12b4e7.* not stored"):
        Receipt.parse(RECEIPT.text, KEYS[:5])


def test_what_differs_is_named() -> None:
    assert RECEIPT.differs(data_version="2-3f9a0c12b4e7", program_version="0.1.0") == ()
    assert RECEIPT.differs(data_version="2-ffffffffffff", program_version="0.1.0") == ("data",)
    assert RECEIPT.differs(data_version="2-ffffffffffff", program_version="0.2.0") == ("data", "program")
