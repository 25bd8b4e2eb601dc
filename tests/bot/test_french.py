"""French texts are read; replies to them are in English, or in the language that is asked for."""

from __future__ import annotations

from bot import answer
from bot.wording import LANGUAGES
from parsing.language import detect

TEXT = (
    "Dans MLPerf Inference v6.0, le GB300 NVL72 est jusqu'à 2,7 fois plus rapide que le H200 "
    "sur DeepSeek-R1 hors ligne."
)


def test_a_french_text_is_answered_in_english() -> None:
    assert detect(TEXT) == "fr"
    assert "fr" not in LANGUAGES
    found = answer.answer(TEXT)
    assert [claim.value for claim in found.claims] == [2.7]
    assert found.language == "en"
    assert found.reply == answer.answer(TEXT, lang="en").reply


def test_a_french_text_is_answered_in_german_where_that_is_asked_for() -> None:
    assert answer.answer(TEXT, lang="de").language == "de"
    assert answer.language_of(TEXT, "fr") == "en"
