"""What replies say, verdict by verdict and kind by kind, in both languages."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from bot.render.text import render
from bot.reply import build
from bot.telling import fair
from bot.telling.case import Case
from bot.telling.guidelines import faults, sentence_faults
from bot.telling.phrases import phrase
from bot.wording import LANGUAGES, Language, words
from knowledge.reading import Verdict
from parsing.claim import Kind
from tests.bot.cases import CASES, LEADS, Told
from tests.bot.making import claim, made

BOTH = pytest.mark.parametrize("language", LANGUAGES)
FIRST_LINES = tomllib.loads(Path(__file__).with_name("first_lines.toml").read_text("utf-8"))
EACH = pytest.mark.parametrize("told", CASES, ids=[told.name for told in CASES])


def text_of(told: Told, language: Language, *, details: bool = False) -> str:
    """The rendered reply to one case."""
    return render(build([told.claim], [told.reading], language), details=details)


@EACH
@BOTH
def test_the_first_line(told: Told, language: Language) -> None:
    assert text_of(told, language).splitlines()[0] == FIRST_LINES[told.name][language]


@EACH
@BOTH
@pytest.mark.parametrize("details", [False, True], ids=["channel", "details"])
def test_the_guidelines_are_kept(told: Told, language: Language, details: bool) -> None:
    reply = build([told.claim], [told.reading], language, data_version="1-0123456789ab")
    assert faults(reply, [told.claim], [told.reading], render(reply, details=details)) == []


@EACH
@BOTH
def test_the_fair_version_keeps_the_guidelines(told: Told, language: Language) -> None:
    told_fairly = fair.version(told.claim, told.reading, language)
    if told_fairly:
        shown = fair.rows(Case(told.claim, told.reading, words(language)))
        assert sentence_faults(told_fairly, shown) == []
    else:
        assert told.reading.verdict in ("not_measured", "no_rows", "depends") or not told.reading.rows


def test_every_verdict_and_every_kind_has_a_case() -> None:
    assert set(FIRST_LINES) == {told.name for told in CASES} | {"the footnote", "no claim"}
    assert {told.reading.verdict for told in CASES} == set(get_args(Verdict))
    assert {told.claim.kind for told in CASES} == set(get_args(Kind))


@pytest.mark.parametrize("verdict", get_args(Verdict))
@pytest.mark.parametrize("kind", get_args(Kind))
@BOTH
def test_a_reading_without_anything_still_reads_well(verdict: str, kind: str, language: Language) -> None:
    bare = claim(kind, "something", 2.0, "2")
    text = render(build([bare], [made(verdict)], language), details=True)
    assert text.splitlines()[0].startswith(words(language)(f"verdict.{verdict}", what="").strip())
    assert faults(build([bare], [made(verdict)], language), [bare], [made(verdict)], text) == []


def test_the_whole_reply_in_english() -> None:
    frame = next(told for told in CASES if told.name == "frame, scale")
    head, *_ = text_of(frame, "en").split("\n\nVerified")
    assert head == (
        'True, but not like for like: "about 48 % per GPU" compares 72 GB300 with 512 MI355X. '
        "At equal scale GB300 leads by 15 % (72 GPUs) and 9 % (8 GPUs).\n"
        "\n"
        "MLPerf® Inference v6.1, Closed, Available, GPT-OSS-120B offline      "
        "tokens/s per accelerator (derived, unverified)\n"
        "       GPUs  GB300                          MI355X                              lead\n"
        "         72  16,635  CoreWeave GB300 NVL72  14,443  AMD 9x8xMI355X              GB300 +15 %\n"
        "          8  16,530  Nebius GB300 NVL72     15,227  AMD smci355-ccs-aus-m13-13  GB300 +9 %\n"
        "  72 vs 512  16,635  CoreWeave GB300 NVL72  11,229  Crusoe Cloud 64x8 MI355X    GB300 +48 %"
        "  the claim\n"
        "\n"
        "The claim's two rows differ in scale (72 and 512 accelerators)."
    )


@BOTH
def test_the_footnote(language: Language) -> None:
    frame = next(told for told in CASES if told.name == "frame, scale")
    footnote = text_of(frame, language).rsplit("\n\n", 1)[1]
    assert footnote == FIRST_LINES["the footnote"][language]


def test_several_claims_have_a_part_each_and_one_footnote() -> None:
    some = [told for told in CASES if told.name in ("frame, scale", "holds, absolute", "software")]
    claims, readings = [told.claim for told in some], [told.reading for told in some]
    reply = build(claims, readings, "en")
    text = render(reply)
    assert len(reply.parts) == 3
    assert faults(reply, claims, readings, text) == []
    assert text.count("The MLPerf name and logo") == 1
    assert reply.parts[-1].claim.kind == "absolute"
    assert reply.fallback.endswith("(+2 more claims)")
    assert len(reply.fallback) <= 240


@BOTH
def test_a_text_without_a_claim_is_told_what_is_looked_for(language: Language) -> None:
    for language, begins in (
        ("en", "No claim about benchmark results"),
        ("de", "Keine Behauptung über Benchmark"),
    ):
        reply = build([], [], language)
        assert render(reply).startswith(begins)
        assert faults(reply, [], [], render(reply)) == []


def test_the_channel_shows_three_lines_and_the_details_at_most_six() -> None:
    for told in CASES:
        for part in build([told.claim], [told.reading], "en").parts:
            if part.table is not None:
                assert part.table.shown <= 3
                assert len(part.table.lines) <= 6


def test_a_menu_offers_only_values_with_rows() -> None:
    told = next(told for told in CASES if told.name == "depends")
    menus = build([told.claim], [told.reading], "en").parts[0].menus
    assert [(menu.field, [choice.value for choice in menu.choices]) for menu in menus] == [
        ("model", ["gpt-oss-120b", "deepseek-r1"]),
        ("scenario", ["offline", "server"]),
    ]
    assert menus[0].choices[0].label == "GPT-OSS-120B"


def test_a_part_keeps_fields_and_none_of_the_words() -> None:
    told = next(told for told in CASES if told.name == "frame, scale")
    kept = build([LEADS], [told.reading], "en").parts[0].claim
    assert kept.quote == ""
    assert kept.words == {}
    assert kept.subject.accelerator == "GB300"


def test_the_receipt_names_rows_data_and_program() -> None:
    told = next(told for told in CASES if told.name == "frame, scale")
    receipt = build([told.claim], [told.reading], "en", data_version="1-0123456789ab").receipt
    assert receipt is not None
    assert set(receipt.row_keys) >= {row.key for row in told.reading.rows}
    assert receipt.data_version == "1-0123456789ab"


@pytest.mark.parametrize(
    "quote",
    [
        "<!channel> fastest ever",
        "@everyone the fastest",
        "an MLPerf-Rekord",
        "MLPerf's fastest",
        "audited and fastest",
        "None {value} nan",
        "a\x00b\u202ec\ud800",
        "x" * 4000,
        "",
    ],
)
@BOTH
def test_hostile_words_of_a_claim_do_no_harm(quote: str, language: Language) -> None:
    hostile = claim("record", quote)
    reading = made("depends", missing=({"what": quote, "field": "subject.accelerator", "value": quote},))
    reply = build([hostile], [reading], language)
    assert faults(reply, [hostile], [reading], render(reply, details=True)) == []


def test_an_unverified_value_beside_rows_carries_the_sentence() -> None:
    told = next(told for told in CASES if told.name == "holds, absolute")
    unverified = told.claim.model_copy(update={"verified": False})
    reply = build([unverified], [told.reading], "en")
    text = render(reply)
    assert "Unverified results have not been through an MLPerf® review" in text
    bare = replace(reply, footnote=replace(reply.footnote, unverified=""))
    assert faults(bare, [unverified], [told.reading], render(bare)) != []


@pytest.mark.parametrize(
    ("note", "english", "german"),
    [
        (
            (
                "beaten_later",
                {
                    "round": "v6.1",
                    "submitter": "NVIDIA",
                    "accelerator": "VR200",
                    "accelerators": 72,
                    "value": 1175890.22,
                    "unit": "tokens/s",
                },
            ),
            "Beaten since: NVIDIA with 72 Vera Rubin reached 1,175,890 tokens/s in v6.1.",
            "Inzwischen übertroffen: NVIDIA erreichte mit 72 Vera Rubin in v6.1 1.175.890 Tokens/s.",
        ),
        (
            ("record_tied", {"submitters": ("Dell_MangoBoost", "HPE")}),
            "The very same figure is also reached by Dell + MangoBoost and HPE.",
            "Genau dieselbe Zahl erreichen auch Dell + MangoBoost und HPE.",
        ),
        (
            ("maximum", {"value": 147289.0}),
            "The largest such figure in the rows is 147,289.",
            "Die größte solche Zahl in den Zeilen ist 147.289.",
        ),
        (
            ("older_round", {"round": "v6.0"}),
            "The newest round does not give this number; v6.0 does.",
            "Die neueste Runde ergibt diese Zahl nicht; v6.0 ergibt sie.",
        ),
        (
            ("stands_elsewhere", {"fields": ("submitter", "accelerators")}),
            "The row differs from the text in submitter and number of accelerators.",
            "Die Zeile weicht vom Text ab in Einreicher und Zahl der Beschleuniger.",
        ),
        (("stands_elsewhere", {"fields": ()}), None, None),
        (("nobody_knows_this", {"x": 1}), None, None),
    ],
)
def test_notes_are_told_in_words(
    note: tuple[str, dict[str, object]], english: str | None, german: str | None
) -> None:
    bare = claim("record", "the fastest")
    for language, expected in (("en", english), ("de", german)):
        part = build([bare], [made("holds", notes=(note,))], language).parts[0]
        assert part.notes == ((expected,) if expected else ())


@pytest.mark.parametrize(
    ("quote", "quoted"),
    [
        ("the highest throughput ever recorded in MLPerf", '"the highest throughput ever recorded"'),
        ("den höchsten Durchsatz bei MLPerf Inference", '"den höchsten Durchsatz"'),
        ("MLPerf record", "the claim"),
        ("an audited record", "the claim"),
        ("  spread \n over lines ", '"spread over lines"'),
    ],
)
def test_a_quotation_leaves_out_what_is_not_quoted(quote: str, quoted: str) -> None:
    assert phrase(claim("record", quote), words("en")) == quoted
