"""Languages are data: one file each, picked up by its presence, and none in the way of another."""

from __future__ import annotations

from importlib import resources

import pytest

from parsing.language import detect
from parsing.numbers import parse
from parsing.reader import Reader
from parsing.terms import languages
from tests.parsing.sentences import cases

FRENCH = list(cases("*.fr.txt"))


def test_every_file_is_a_language() -> None:
    files = {
        f.name.removesuffix(".toml")
        for f in resources.files("parsing.terms").iterdir()
        if f.name.endswith(".toml")
    }
    assert set(languages()) == files == {"en", "de", "fr"}


def test_every_language_has_the_labels_of_the_english_one() -> None:
    """Of what every claim needs; a label that one language lacks finds nothing there."""
    code = languages()["en"]
    told = {p.label for p in code.phrases if not p.label.startswith(("head:", "tail:"))}
    for section in ("qualifier.", "unit.", "scenario.", "metric.", "record.ever", "sign.times", "value."):
        wanted = {label for label in told if label.startswith(section)}
        for terms in languages().values():
            has = {p.label for p in terms.phrases}
            allowed = {"metric.per_cost", "unit.tokens", "unit.ms"} if terms.code != "en" else set()
            assert wanted - has <= allowed, (terms.code, wanted - has)


@pytest.mark.parametrize("code", ["de", "fr"])
def test_a_text_is_in_its_language(code: str) -> None:
    texts = [case.text for case in cases(f"*.{code}.txt") if len(case.text.split()) > 8]
    assert len(texts) > 30
    right = sum(detect(text) == code for text in texts)
    assert right >= 0.97 * len(texts)


def test_english_texts_are_not_french() -> None:
    assert not [case.where for case in cases("*.en.txt") if detect(case.text) == "fr"]


def test_there_are_enough_french_sentences() -> None:
    kinds = {expected.kind for case in FRENCH for expected in case.expected}
    assert kinds >= {"multiple", "percent", "absolute", "record", "scaling", "cost", "outperforms"}
    assert len(FRENCH) >= 60
    assert sum(not case.expected for case in FRENCH) >= 15


def test_french_words_do_not_reach_other_texts(reader: Reader) -> None:
    """ "plus", "or", "a" and "on" keep their English meaning in English, "des" and "die" their German one."""
    (claim,) = reader.read("B200 plus H100 or A100: on a par? No, B200 is 2x faster than H100.")
    assert claim.value == 2
    reader.read("Le B200 est deux fois plus rapide que le H100.")
    english = reader.lexicon.page("en")
    assert english is reader.lexicon.page("de")
    assert english is not reader.lexicon.page("fr")
    assert not any("fois" in pair for pair in english.pairs)
    assert not any("schneller" in pair for pair in reader.lexicon.page("fr").pairs)


@pytest.mark.parametrize("blank", ["\u202f", "\u00a0", "\u2009"])
@pytest.mark.parametrize(
    "text",
    [
        "Eight H100 reach 1{b}016{b}380 tokens/s.",
        "Acht H100 schaffen 1{b}016{b}380 Tokens/s.",
        "Huit H100 délivrent 1{b}016{b}380 jetons/s.",
    ],
)
def test_narrow_blanks_group_digits_in_every_language(reader: Reader, text: str, blank: str) -> None:
    (claim,) = reader.read(text.format(b=blank))
    assert claim.value == 1_016_380
    assert claim.printed is not None
    assert claim.printed.text == f"1{blank}016{blank}380"


def test_a_plain_blank_groups_digits_in_french_only(reader: Reader) -> None:
    (claim,) = reader.read("Les huit cartes H100 délivrent 24 525 jetons/s sur Llama 2 70B.")
    assert claim.value == 24525
    (claim,) = reader.read("With 8 525 tokens/s is what H100 gives on Llama 2 70B.")
    assert claim.value == 525


@pytest.mark.parametrize(
    "text", ["Llama 3\u00a0405B on H100 is 2x faster than A100.", "GB300\u00a0512 is 2x faster than A100."]
)
def test_blanks_of_names_group_nothing(reader: Reader, text: str) -> None:
    tokens = reader.explain(text)
    assert [c.value for c in tokens.claims] == [2]


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("5\u202f750,5", ",", 5750.5),
        ("2\u202f494\u202f310", ",", 2494310),
        ("2\u202f494\u202f310", ".", 2494310),
        ("1\u202f016.25", ".", 1016.25),
    ],
)
def test_groups_with_blanks(text: str, decimal: str, value: float) -> None:
    parsed = parse(text, decimal)
    assert parsed is not None
    assert parsed.value == value
