"""`smallprint read --explain`: the words behind each field, and why a number is no claim."""

from __future__ import annotations

import json

import pytest

from bot import answer
from bot.commands.texts import Options, one
from bot.telling import explain
from bot.wording import LANGUAGES, Language, catalogue, words
from parsing.unread import REASONS

TEXT = (
    "On 9 September, eight MI355X GPUs ran GPT-OSS-120B 28% faster offline in v6.1 than in v6.0, "
    "with 288 GB of memory. A node holds 8x MI355X."
)


def test_each_number_that_is_no_claim_has_a_sentence() -> None:
    told = one("read", Options(TEXT, explain=True))
    assert "value: 1.28 ← 28%" in told
    assert "9 [3, 4): it belongs to a date." in told
    assert "8x [" in told
    assert "it counts what follows" in told


def test_a_text_without_claims_is_explained_too() -> None:
    told = one("read", Options("A node holds 8x MI355X.", explain=True, lang="de"))
    assert told.startswith("Keine Behauptung")
    assert "Sie zählt, was folgt" in told


def test_without_the_flag_nothing_is_added() -> None:
    assert "September" not in one("read", Options(TEXT))
    assert "unread" not in json.loads(one("read", Options(TEXT, as_json=True)))


def test_json_tells_the_reason_codes() -> None:
    found = json.loads(one("read", Options(TEXT, as_json=True, explain=True)))
    told = {number["text"]: number["reason"] for number in found["unread"]}
    assert told["8x"] == "count"
    assert set(told.values()) <= REASONS
    for number in found["unread"]:
        start, end = number["span"]
        assert found["text"][start:end] == number["text"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_code_has_a_sentence(language: Language) -> None:
    told = {key.removeprefix("unread.") for key in catalogue(language) if key.startswith("unread.")}
    assert told == REASONS


def test_nothing_in_a_number_can_ping() -> None:
    found = answer.explain("<!channel> 5 @everyone 7x")
    lines = explain.unread_lines(found.unread, words("en"))
    assert len(lines) == 1 + len(found.unread)
