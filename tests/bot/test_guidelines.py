"""The checker sees each fault, and every reply to the labelled claims keeps the guidelines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot import answer
from bot.render.text import render
from bot.reply import Reply, build
from bot.telling import fair
from bot.telling.case import Case
from bot.telling.footnote import TRADEMARK
from bot.telling.guidelines import faults, sentence_faults, text_faults
from bot.wording import LANGUAGES, Language, words
from tests.bot.cases import CASES, Told

FRAME = next(told for told in CASES if told.name == "frame, scale")


def reply_of(told: Told) -> Reply:
    """The reply to one case."""
    return build([told.claim], [told.reading], "en")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty"),
        ("MLPerf results", "the name without its sign, or altered"),
        ("MLPerf®-Zeilen", "the name without its sign, or altered"),
        ("MLPerf®'s best", "the name without its sign, or altered"),
        ("It is in MLPerf®.", "the name used as a noun"),
        ("an audited result", "a word that is never said"),
        ("a geprüfte Zahl", "a word that is never said"),
        ("the row is overdue", "a word that is never said"),
        ("hello <!channel>", "can ping"),
        ("hello @everyone", "can ping"),
        ("it is None", "raw program text"),
        ("a {value} left", "raw program text"),
        ("the median is 2x", "an average not called composite"),
        (f"{TRADEMARK} {TRADEMARK}", "the trademark sentence more than once"),
    ],
)
def test_a_fault_of_any_text_is_seen(text: str, fault: str) -> None:
    assert fault in text_faults(text)


@pytest.mark.parametrize(
    ("gone", "fault"),
    [
        ("CoreWeave", "the main text lacks submitter CoreWeave"),
        ("Crusoe", "the main text lacks submitter Crusoe"),
        ("MLPerf® Inference v6.1", "the main text lacks suite and version v6.1"),
        ("GPT-OSS-120B", "the main text lacks benchmark gpt-oss-120b"),
        ("offline", "the main text lacks scenario offline"),
        ("512", "the main text lacks count 512"),
        ("Closed", "the main text lacks division closed"),
        ("Available", "the main text lacks category available"),
        ("scale (72 and 512 accelerators)", "the difference in scale is not named"),
        (TRADEMARK, "no trademark sentence"),
        ("Retrieved from", "no source and date"),
        ("result ID not available in our source", "no word on the missing result ID"),
        (
            "Result not verified by MLCommons Association.",
            "a derived figure without the unverified statement",
        ),
    ],
)
def test_a_reply_that_leaves_something_out_is_seen(gone: str, fault: str) -> None:
    reply = reply_of(FRAME)
    text = render(reply)
    assert faults(reply, [FRAME.claim], [FRAME.reading], text) == []
    without = text.replace("At equal scale ", "").replace(gone, "")
    assert fault in faults(reply, [FRAME.claim], [FRAME.reading], without)


def test_a_long_first_line_is_seen() -> None:
    reply = reply_of(FRAME)
    text = "x" * 241 + "\n" + render(reply)
    assert "first line of 241 characters" in faults(reply, [FRAME.claim], [FRAME.reading], text)


def test_two_benchmarks_in_one_comparison_are_seen() -> None:
    group = FRAME.reading.like_for_like[0]
    other = replace(group.rows[1], scenario="server")
    mixed = FRAME.reading.model_copy(
        update={"like_for_like": (group.model_copy(update={"rows": (group.rows[0], other)}),)}
    )
    reply = reply_of(FRAME)
    found = faults(reply, [FRAME.claim], [mixed], render(reply))
    assert "rows of two benchmarks in one comparison" in found


def labelled(shared: Path, name: str) -> list[dict[str, str]]:
    """The labelled passages of a file."""
    lines = (shared / "claims" / name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


@pytest.mark.parametrize("name", ["golden.jsonl", "dev.jsonl"])
@pytest.mark.parametrize("language", [None, *LANGUAGES])
def test_every_reply_to_a_labelled_passage_keeps_the_guidelines(
    shared: Path, name: str, language: Language | None
) -> None:
    found: dict[str, list[str]] = {}
    for item in labelled(shared, name):
        markup = item.get("markup") or "plain"
        told = answer.answer(
            item["text"],
            title=item.get("title"),
            date=item.get("date"),
            lang=language,
            markup=markup,
        )
        wrong = []
        for details in (False, True):
            wrong += faults(told.reply, told.claims, told.readings, render(told.reply, details=details))
        for claim, reading in zip(told.claims, told.readings, strict=True):
            case = Case(claim, reading, words(told.language))
            if version := fair.version(claim, reading, told.language):
                wrong += sentence_faults(version, fair.rows(case))
        if wrong:
            found[item["id"]] = wrong
    assert not found


OWN = (
    "B300 is 20 % faster than B200 on Llama 2 70B offline in MLPerf Inference v6.0.",
    "GB300 NVL72 delivered twice the DeepSeek-R1 server throughput of GB200 NVL72.",
    "NVIDIA leads every benchmark in MLPerf Inference v6.1.",
    "Our system reached 100,000 tokens/s on Llama 2 70B with 8 B200 GPUs.",
    "MI355X liegt bei Llama 2 70B im Server-Szenario 3 % hinter B200 (v6.0).",
    "H200 ist bei Mixtral doppelt so schnell wie H100.",
    "QuantumX9 is 12x faster than GB300.",
    "Costs per token fell by 70 % compared with H100.",
    "Nothing is claimed here.",
)


@pytest.mark.parametrize("text", OWN)
def test_replies_to_our_own_sentences_keep_the_guidelines(text: str) -> None:
    told = answer.answer(text)
    assert faults(told.reply, told.claims, told.readings, render(told.reply)) == []
