"""Number styles, magnitudes and the step of the last printed digit."""

from __future__ import annotations

import pytest

from parsing.language import decimal_sign, detect
from parsing.numbers import Value, parse, scaled
from parsing.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "decimal", "value", "step"),
    [
        ("3.7", ".", 3.7, 0.1),
        ("2.77", ".", 2.77, 0.01),
        ("3,7", ".", 3.7, 0.1),
        ("3,7", ",", 3.7, 0.1),
        ("2.77", ",", 2.77, 0.01),
        ("2,907", ".", 2907, 1),
        ("2.907", ",", 2907, 1),
        ("2.907", ".", 2.907, 0.001),
        ("1,016,380", ".", 1016380, 10),
        ("1,016,380", ",", 1016380, 10),
        ("1.136.100", ",", 1136100, 100),
        ("103480", ".", 103480, 10),
        ("21,028.20", ".", 21028.2, 0.01),
        ("1'136'100", ".", 1136100, 100),
        ("1000000", ".", 1000000, 1000000),
        ("100", ".", 100, 1),
        ("0.059", ".", 0.059, 0.001),
    ],
)
def test_parse(text: str, decimal: str, value: float, step: float) -> None:
    parsed = parse(text, decimal)
    assert parsed is not None
    assert parsed.value == pytest.approx(value)
    assert parsed.step == pytest.approx(step)


@pytest.mark.parametrize("text", ["1.2.3.4", "1,2,3", "9" * 400, "12.34,56.7"])
def test_no_number(text: str) -> None:
    assert parse(text) is None


def test_magnitudes_scale_the_step() -> None:
    assert scaled(Value(5.75, 0.01), 1e6) == Value(5750000, pytest.approx(10000))
    assert scaled(Value(420, 1), 1e3) == Value(420000, 1000)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("GB300 is 2.7x faster than H200.", "en"),
        ("GB300 ist 2,7-mal so schnell wie H200.", "de"),
        ("Red Hat's entry hits 5,777 tokens/sec offline on a single H100", "en"),
        ("Stimmt das so: „up to 3.7x faster“? Wie ist das gemessen?", "de"),
        ("", "en"),
        ("2.7x", "en"),
        ("KI-Benchmarks: Nvidias A100 bricht dort gleich 16 Weltleistungsrekorde", "de"),
    ],
)
def test_language(text: str, code: str) -> None:
    assert detect(text) == code


@pytest.mark.parametrize(
    ("text", "code", "sign"),
    [
        ("2.907 Tokens", "de", ","),
        ("2.907 Tokens und 1,016,380 tokens", "de", "."),
        ("1.136.100 tokens", "en", ","),
        ("2,907 tokens", "en", "."),
        ("1,234.5 and 1.136.100", "en", "."),
    ],
)
def test_the_numbers_of_a_message_show_its_style(text: str, code: str, sign: str) -> None:
    assert decimal_sign(tokenize(text), code) == sign
