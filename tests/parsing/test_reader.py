"""The front doors: one message, an article, and the explanation of a reading."""

from __future__ import annotations

import pytest

from parsing.document import SEPARATOR, Document, Passage
from parsing.lexicon import Lexicon
from parsing.reader import Reader
from parsing.terms import languages
from parsing.vocabulary import Name, Vocabulary


def test_title_is_context_and_no_claim(reader: Reader) -> None:
    title = "GB300 NVL72 is 45% faster on DeepSeek-R1 in MLPerf Inference v6.0"
    assert reader.read("More tomorrow.", title=title) == []
    (claim,) = reader.read("Offline the lead over GB200 NVL72 is 12%.", title=title)
    assert (claim.value, claim.model, claim.round) == (1.12, "deepseek-r1", "v6.0")
    assert {"model", "round"} <= set(claim.from_context)
    assert claim.mlperf is True


def test_a_message_is_a_document_of_one_passage(reader: Reader) -> None:
    text = "MI355X is 2.7x faster than MI325X on Llama 2 70B."
    document = Document((Passage(text),), title="MLPerf Inference v5.1")
    assert reader.read_document(document) == reader.read(text, title="MLPerf Inference v5.1")


def test_spans_of_a_document_refer_to_its_text(reader: Reader) -> None:
    passages = (
        Passage("Nothing here."),
        Passage("B200 is 3x faster than H100.", heading="GPT-J offline"),
        Passage("| B300 | 109,001 tokens/s |", headers=("System", "Offline"), where="table"),
    )
    document = Document(passages)
    claims = reader.read_document(document)
    assert [c.value for c in claims] == [3, 109001]
    for claim in claims:
        assert document.text[claim.span[0] : claim.span[1]] == claim.quote
        assert document.passage_at(claim.span[0]) == (1 if claim.value == 3 else 2)
    assert (claims[0].model, claims[0].scenario) == ("gpt-j", "offline")
    assert document.starts[1] == len(passages[0].text) + len(SEPARATOR)


def test_words_behind_each_field(reader: Reader) -> None:
    text = "On Llama 2 70B server, eight MI355X are up to 2.7x faster than MI325X in MLPerf Inference v6.0."
    (claim,) = reader.read(text)
    assert claim.words["qualifier"] == "up to"
    assert claim.words["value"] == "2.7x"
    assert claim.words["model"] == "Llama 2 70B"
    assert claim.words["scenario"] == "server"
    assert claim.words["round"] == "v6.0"
    assert claim.words["subject.accelerator"] == "MI355X"
    assert claim.words["baseline.accelerator"] == "MI325X"
    for words in claim.words.values():
        assert words in text


@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [
        ("The node has 8x MI355X.", "8x", "count"),
        ("B300 brings 1.5x HBM capacity.", "1.5x", "spec"),
        ("2.5x as many submissions came in.", "2.5x", "participation"),
        ("Accuracy is 99.9% of the reference.", "99.9%", "accuracy"),
        ("At least 25 tokens per second must flow.", "25 tokens per second", "benchmark_rule"),
        ("It costs $2.49, 30% below list price.", "30%", "price"),
        ("That is a 12 minute read.", "12 minute", "page_furniture"),
        ("Three times a day it rains.", "Three times", "no_relation"),
        ("A lead of 42% was expected in 1989, of course.", "1989", "no_unit"),
    ],
)
def test_why_a_number_is_no_claim(reader: Reader, text: str, number: str, reason: str) -> None:
    unread = {u.text: u for u in reader.explain(text).unread}
    assert unread[number].reason == reason
    start, end = unread[number].span
    assert text[start:end] == number


def test_an_unknown_chip_keeps_its_name(reader: Reader) -> None:
    (claim,) = reader.read("MI999X is 1.5x faster than GB300 on GPT-OSS-120B.")
    assert claim.subject.accelerator == "MI999X"
    assert claim.baseline.accelerator == "GB300"


def test_a_name_of_the_next_round_is_known_the_day_it_is_loaded() -> None:
    names = (
        Name("Zeta Z9", "accelerator", "Zeta Z9", "Zeta"),
        Name("H100", "accelerator", "H100", "NVIDIA"),
        Name("Omni 7", "model", "omni-7"),
    )
    later = Reader(Vocabulary(names, ("v7.0",), (), "next"))
    (claim,) = later.read("In v7.0, Zeta Z9 is 3x faster than H100 on Omni 7 offline.")
    assert (claim.subject.accelerator, claim.model, claim.round) == ("Zeta Z9", "omni-7", "v7.0")


def test_an_empty_vocabulary_reads_too() -> None:
    (claim,) = Reader(Vocabulary(())).read("It is 2.7x faster than before.")
    assert claim.value == 2.7


def test_the_string_store_does_not_grow(reader: Reader) -> None:
    lexicon: Lexicon = reader.lexicon
    reader.read("Warm up: GB300 is 2x faster than H100.")
    before = len(lexicon.vocab.strings)
    for i in range(2_000):
        reader.read(f"Word{i} unseen{i * 7} is {i}.5x faster{i} than chip{i}.")
    assert len(lexicon.vocab.strings) == before


def test_every_language_has_what_a_language_needs() -> None:
    for terms in languages().values():
        labels = {p.label for p in terms.phrases}
        for needed in (
            "qualifier.up_to",
            "baseline.mark",
            "compare.more",
            "sign.times",
            "record.superlative",
            "value.number",
        ):
            assert needed in labels, (terms.code, needed)
        assert terms.typical
        assert terms.decimal in ".,"
