"""Every number of a text is in a claim, or it is told why it is in none."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.telling.explain import fields
from parsing.reader import Explanation, Reader
from parsing.tokens import fold
from parsing.unread import REASONS
from tests.parsing.sentences import cases

QUICK = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

TEXTS = (
    "On 9 September 2026 we ran 72 GB300 at 1.2.3 with CUDA 12.9: 5.75M tokens/s, 2.7x the 8x H200 of v5.1.",
    "| System | GPUs | Offline tokens/s |\n|---|---|---|\n| B300 | 8 | 109,001 |\n| B200 | 8 | 98,856 |",
    "IDs 6.0-0002 and 6.1-0017; 3 racks of 24 trays, 1024x1024 images, page 12, a 7 minute read.",
    "MI555X beats B200 by 12 % (v6.1), costs $2.49 an hour, 30 % less than list price, and needs 1,400 W.",
    "Llama 3.1 405B, Llama 2 70B and GPT-OSS-120B: 3.7x, 1.4x and 0.9x; from 2,907 to 8,064 tokens/s.",
    "Am 9. September liefen 11 Knoten mit 87 MI355X: 1.042.110 Tokens/s, 2,7-mal so viel wie im Jahr 2024.",
    "Le 9 septembre, 512 cartes MI355X délivrent 5,75 millions de jetons/s, soit 28 % de plus que la v6.0.",
)
WORDS = """2.7x|45%|1,016,380|2.494.310|tokens/s|H100|GB300 NVL72|than|of|v6.0|8x|up to|MLPerf|6.0-0002|five
2026|1.2.3|7|-|(|)|,|.|x|+|/|%|Llama 2 70B|MI555X|405B|per GPU|faster|36 months|$2|GB|1024x1024|→|:|'|3rd|9"""
PIECES = st.sampled_from(re.split(r"[|\n]", WORDS))


def missing(explained: Explanation) -> str:
    """The digits that are in no quote and in no reason."""
    spans = [c.span for c in explained.claims] + [u.span for u in explained.unread]
    told = {i for start, end in spans for i in range(start, end)}
    return "".join(
        char for i, char in enumerate(fold(explained.text)) if char in "0123456789" and i not in told
    )


@pytest.mark.parametrize("text", TEXTS)
def test_every_number_is_accounted_for(reader: Reader, text: str) -> None:
    explained = reader.explain(text)
    assert explained.unread
    assert not missing(explained)
    assert {u.reason for u in explained.unread} <= REASONS
    for left in explained.unread:
        assert explained.text[left.span[0] : left.span[1]] == left.text


def test_every_number_of_the_sentences_is_accounted_for(reader: Reader) -> None:
    lacking = []
    for case in cases():
        explained = reader.explain(case.text, title=case.title, markup=case.markup)  # type: ignore[arg-type]
        if missing(explained):
            lacking.append(f"{case.where}: {missing(explained)}")
        assert {u.reason for u in explained.unread} <= REASONS, case.where
    assert not lacking


@given(st.lists(PIECES, max_size=40), st.sampled_from(["", " ", "\n"]))
@example(["9" * 60, "1.2.3.4", "3,,4", "0x7"], " ")
@QUICK
def test_every_number_of_any_text_is_accounted_for(reader: Reader, pieces: list[str], between: str) -> None:
    explained = reader.explain(between.join(pieces))
    assert not missing(explained)


def test_explaining_changes_no_claim(reader: Reader) -> None:
    for text in TEXTS:
        explained = [claim.model_copy(update={"words": {}}) for claim in reader.explain(text).claims]
        assert explained == [claim.model_copy(update={"words": {}}) for claim in reader.read(text)]


@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [
        ("It ran on 512 MI355X.", "512", "counted"),
        ("It came out on 9 September.", "9", "date"),
        ("It is called GB300 NVL72.", "GB300 NVL72", "name"),
        ("See MLPerf Inference v6.1.", "v6.1", "round"),
        ("The entry is 6.0-0002.", "6.0-0002", "result_id"),
        ("Nobody has seen an ZZ12 yet.", "ZZ12", "word"),
        ("Our build is 1.2.3 now.", "1.2.3", "unreadable"),
        (TEXTS[1], "8", "table"),
    ],
)
def test_reasons_that_only_the_whole_text_shows(reader: Reader, text: str, number: str, reason: str) -> None:
    unread = {u.text: u.reason for u in reader.explain(text).unread}
    assert unread[number] == reason


# what a rule gives from several words at once ("one B200 reaches": a figure per accelerator)
IMPLIED = {"per_accelerator"}
# what a title gives without being marked as context
OF_THE_TITLE = {"mlperf", "suite", "model"}


def test_every_field_has_its_words(reader: Reader) -> None:
    """Each field names the words it came from, or is marked as context; all words stand in the text."""
    lacking = []
    for case in cases():
        explained = reader.explain(case.text, title=case.title, markup=case.markup)  # type: ignore[arg-type]
        for claim in explained.claims:
            assert all(words in explained.text for words in claim.words.values()), case.where
            allowed = IMPLIED | OF_THE_TITLE if case.title else IMPLIED
            said = {name for name, _ in fields(claim)} - set(claim.from_context) - allowed
            lacking += [f"{case.where}: {name}" for name in said - set(claim.words)]
    assert not lacking


def test_the_words_of_a_count_are_its_number(reader: Reader) -> None:
    (claim,) = reader.explain("Eight MI355X are 28% faster offline than eight B200 on Llama 2 70B.").claims
    assert claim.words["subject.accelerators"] == "Eight"
    assert claim.words["direction"] == "faster"
    assert claim.words["metric"]
