"""One tokenizer: letters and digits apart, hyphens and dots as gaps, every offset kept."""

from __future__ import annotations

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from parsing.lexicon import Lexicon
from parsing.tokens import SharedTokenizer, fold, split_glue, tokenize
from tests.parsing.vocabulary import SMALL


def words(text: str) -> list[str]:
    return [t.low for t in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GPT-OSS-120B", ["gpt", "oss", "120", "b"]),
        ("GPT‑OSS 120b", ["gpt", "oss", "120", "b"]),
        ("8xMI355X", ["8", "x", "mi", "355", "x"]),
        ("2,8-fach", ["2,8", "fach"]),
        ("1,016,380 tokens/s", ["1,016,380", "tokens", "/", "s"]),
        ("5–6×", ["5", "6", "x"]),
        ("3.7X– 4X", ["3.7", "x", "-", "4", "x"]),
        ("NVIDIA® GB300™", ["nvidia", "gb", "300"]),
        ("+/- 5 %", ["+", "/", "-", "5", "%"]),
        ("AMD’s", ["amd", "s"]),
        ("2018—nine", ["2018", "—", "nine"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_the_gap_tells_what_stood_before() -> None:
    gaps = {t.low: t.gap for t in tokenize("AMD's GB300-Rack v6.0\nFLUX.1 end")}
    assert gaps["s"] == "'"
    assert gaps["rack"] == "-"
    assert gaps["flux"] == "\n"
    assert gaps["1"] == "."
    assert gaps["300"] == ""


@given(st.text(max_size=200))
@settings(deadline=None)
def test_offsets_and_length_are_kept(text: str) -> None:
    assert len(fold(text)) == len(text)
    last = 0
    for token in tokenize(text):
        assert last <= token.start < token.end <= len(text)
        assert fold(text)[token.start : token.end] == token.low or token.low == "—"
        last = token.end


def test_footnote_marks_come_off_known_names_only() -> None:
    glue = Lexicon(SMALL).glue
    assert [t.low for t in split_glue(tokenize("Arc Pro B601"), glue)] == ["arc", "pro", "b", "60", "1"]
    assert [t.low for t in split_glue(tokenize("MI350Ps"), glue)] == ["mi", "350", "p", "s"]
    assert [t.low for t in split_glue(tokenize("B6011"), glue)] == ["b", "6011"]


def test_both_languages_use_it() -> None:
    for code in ("en", "de"):
        nlp = spacy.blank(code)
        nlp.tokenizer = SharedTokenizer(nlp.vocab)
        assert [t.text for t in nlp("2,8-fach auf 8xMI355X")] == [
            "2,8",
            "fach",
            "auf",
            "8",
            "x",
            "mi",
            "355",
            "x",
        ]
