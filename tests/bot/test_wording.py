"""The catalogues: the same keys and placeholders in each language, and a sentence for every code."""

from __future__ import annotations

import re
import string
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.reply import ACTIONS
from bot.telling.headline import REASONS
from bot.telling.missing import FIELDS, GAPS
from bot.telling.notes import IN_HEADLINE
from bot.wording import LANGUAGES, Language, catalogue, words
from knowledge.reading import Caveat, Difference, Reading, Verdict
from parsing.claim import Availability, Division, Qualifier

EACH = pytest.mark.parametrize("language", LANGUAGES)


def placeholders(sentence: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_language_has_the_same_keys() -> None:
    for language in LANGUAGES:
        assert set(catalogue(language)) == set(catalogue("en")), language


@EACH
def test_every_sentence_has_the_placeholders_of_the_english_one(language: Language) -> None:
    english = catalogue("en")
    differing = [
        key
        for key, sentence in catalogue(language).items()
        if placeholders(sentence) != placeholders(english[key])
    ]
    assert not differing


@pytest.mark.parametrize(
    ("prefix", "codes"),
    [
        ("verdict", get_args(Verdict)),
        ("why", get_args(Verdict)),
        ("caveat", get_args(Caveat)),
        ("qualifier", tuple(code for code in get_args(Qualifier) if code != "exact")),
        ("availability", get_args(Availability)),
        ("division", get_args(Division)),
        ("missing.field", FIELDS),
        ("no_rows", GAPS),
        ("not_measured", tuple(REASONS.values())),
        ("action", ACTIONS),
    ],
)
@EACH
def test_every_code_has_a_sentence(language: Language, prefix: str, codes: tuple[str, ...]) -> None:
    missing = [code for code in codes if not catalogue(language).get(f"{prefix}.{code}", "").strip()]
    assert not missing


@EACH
def test_every_note_of_a_reading_is_told(language: Language) -> None:
    documented = set(re.findall(r"- `(\w+)` \{", Reading.__doc__ or ""))
    sentences = {key.removeprefix("note.") for key in catalogue(language) if key.startswith("note.")}
    assert len(documented) > 10
    assert documented <= sentences | IN_HEADLINE


@EACH
def test_every_difference_has_a_name_and_its_two_sides(language: Language) -> None:
    for code in get_args(Difference):
        assert catalogue(language)[f"difference.{code}.name"]
        assert placeholders(catalogue(language)[f"difference.{code}.sides"]) == {"first", "second"}


def test_the_headline_words_are_those_of_the_design() -> None:
    pairs = {
        "holds": ("Holds", "Trifft zu"),
        "best_case": ("Best case only", "Nur im besten Fall"),
        "software": ("Same hardware, newer round", "Gleiche Hardware, neuere Runde"),
        "frame": ("True, but not like for like", "Stimmt, aber nicht Gleiches mit Gleichem"),
        "frame_preview": ("Directional (Preview)", "Nur Richtung (Preview)"),
        "contradicted": ("The rows say otherwise", "Die Zeilen sagen anderes"),
        "not_reproduced": ("No row pair gives this number", "Kein Zeilenpaar ergibt diese Zahl"),
        "not_measured": ("Not something the results measure", "Wird dort nicht gemessen"),
        "no_rows": ("Rows missing: {what}", "Zeilen fehlen: {what}"),
        "depends": ("Depends on {what}", "Hängt ab von {what}"),
    }
    found = {
        key.removeprefix("verdict."): (sentence, catalogue("de")[key])
        for key, sentence in catalogue("en").items()
        if key.startswith("verdict.")
    }
    assert found == pairs


@pytest.mark.parametrize(
    ("english", "german", "say"),
    [
        ("1,175,890", "1.175.890", lambda w: w.exact(1175890.2208168241)),
        ("349.29", "349,29", lambda w: w.exact(349.2921988473666)),
        ("18,627.6", "18.627,6", lambda w: w.exact(18627.6)),
        ("0.0585", "0,0585", lambda w: w.exact(0.0585)),
        ("16,635", "16.635", lambda w: w.figure(16634.86)),
        ("1.91x", "1,91x", lambda w: w.ratio(1.913)),
        ("30.4x", "30,4x", lambda w: w.ratio(30.3741)),
        ("+48 %", "+48 %", lambda w: w.signed(0.4814)),
        ("−3 %", "−3 %", lambda w: w.signed(-0.0323)),
        ("+8.85 %", "+8,85 %", lambda w: w.signed(0.0885, 2)),
        ("0.5 %", "0,5 %", lambda w: w.percent(0.005)),
        ("30 November 2026", "30. November 2026", lambda w: w.day("2026-11-30")),
        ("a, b and c", "a, b und c", lambda w: w.join(["a", "b", "", "c"])),
        ("1e+20", "1e+20", lambda w: w.number(1e20)),
    ],
)
def test_figures_and_dates_follow_the_locale(english: str, german: str, say: object) -> None:
    assert callable(say)
    assert say(words("en")) == english
    assert say(words("de")) == german


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_no_number_breaks_a_figure(value: float) -> None:
    for language in LANGUAGES:
        w = words(language)
        for text in (w.number(value, 2), w.figure(value), w.exact(value), w.ratio(value), w.percent(value)):
            assert text
            assert len(text) < 40


@given(st.floats(min_value=0.01, max_value=1e9))
def test_a_figure_reads_back_in_both_languages(value: float) -> None:
    english, german = words("en").exact(value), words("de").exact(value)
    assert float(english.replace(",", "")) == float(german.replace(".", "").replace(",", "."))
    assert float(english.replace(",", "")) == pytest.approx(value, rel=0.01, abs=0.0001)
