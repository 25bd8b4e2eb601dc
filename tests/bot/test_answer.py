"""The front doors: what goes in, what comes out, and input that nobody should send."""

from __future__ import annotations

import datetime as dt
import json
import threading

import pytest

from bot import answer
from bot.render.text import render
from tests.bot.cases import LEADS

FRAME = "Per GPU, GB300 leads MI355X by about 48 % on GPT-OSS-120B offline in MLPerf Inference v6.1."


def test_a_document_has_the_keys_of_the_contract() -> None:
    found = answer.document(answer.answer(FRAME))
    assert set(found) == {"text", "language", "claims", "reply"}
    assert found["language"] == "en"
    assert found["reply"]["text"].startswith("True, but not like for like")
    claim = found["claims"][0]
    start, end = claim["span"]
    assert found["text"][start:end] == claim["quote"]
    assert claim["reading"]["verdict"] == "frame"
    assert claim["reading"]["rows"][0]["submitter"] == "CoreWeave"
    json.loads(answer.to_json(found))


def test_spans_count_in_the_plain_text_of_a_marked_up_message() -> None:
    told = answer.answer("*GB300* leads <https://example.com|MI355X> by about 48 % per GPU", markup="slack")
    for claim in told.claims:
        assert told.text[claim.span[0] : claim.span[1]] == claim.quote


def test_the_language_is_the_texts_own_unless_said() -> None:
    german = "Bei GPT-OSS-120B offline ist GB300 in v6.1 pro GPU rund 48 % schneller als MI355X."
    assert answer.ask(german).language == "de"
    assert answer.ask(german, lang="en").language == "en"
    assert render(answer.ask(german)).startswith("Stimmt, aber nicht Gleiches mit Gleichem")


def test_the_same_question_gives_the_same_answer() -> None:
    first, second = (answer.to_json(answer.document(answer.answer(FRAME))) for _ in range(2))
    assert first == second


def test_every_thread_has_a_desk_of_its_own() -> None:
    desks = [answer.desk(), answer.desk()]
    thread = threading.Thread(target=lambda: desks.append(answer.desk()))
    thread.start()
    thread.join()
    assert desks[0] is desks[1]
    assert desks[2] is not desks[0]


def test_packed_claims_hold_fields_and_no_words() -> None:
    packed = answer.pack([LEADS])
    assert "leads MI355X by" not in packed
    (back,) = answer.unpack(packed)
    assert back == answer.fields_only(LEADS)
    assert answer.unpack(answer.pack([])) == []


@pytest.mark.parametrize("packed", ["", "{}", "null", "[1]", '[{"kind": "nonsense"}]', "[" * 100000])
def test_what_is_no_packed_claim_is_refused(packed: str) -> None:
    with pytest.raises((ValueError, TypeError, RecursionError)):
        answer.unpack(packed)


def test_a_packed_claim_gets_the_same_verdict() -> None:
    told = answer.answer(FRAME)
    again = answer.answer_claims(answer.unpack(answer.pack(told.claims)))
    assert [r.verdict for r in again.readings] == [r.verdict for r in told.readings]
    assert [r.rows for r in again.readings] == [r.rows for r in told.readings]


@pytest.mark.parametrize(
    "date",
    ["2026-10-01", dt.date(2026, 10, 1), dt.datetime(2026, 10, 1, 12), "2026-10-01T08:00:00Z", None, ""],
)
def test_dates_in_any_form(date: object) -> None:
    assert answer.day(date) in (dt.date(2026, 10, 1), None)


def test_what_is_no_date_is_refused() -> None:
    with pytest.raises(ValueError, match="Invalid isoformat"):
        answer.day("yesterday")


def test_json_has_no_numbers_that_json_does_not_know() -> None:
    text = answer.to_json({"a": float("inf"), "b": [float("nan"), 1.5], "c": ("x",)})
    assert json.loads(text) == {"a": None, "b": [None, 1.5], "c": ["x"]}


HOSTILE = {
    "empty": "",
    "blank": " \n\t ",
    "long": "GB300 is 2x faster than H100. " * 3400,
    "one long word": "x" * 100_000,
    "emoji": "🚀🔥💯" * 50,
    "nul": "GB300 is\x00 2x faster\x00 than H100",
    "surrogates": "GB300 is 2x \ud800 faster than H100",
    "right to left": "‮GB300 أسرع 2x من H100‬",
    "400 digits": "GB300 is " + "9" * 400 + "x faster than H100",
    "infinite": "GB300 is 1e999x faster than H100",
    "not a number": "GB300 is NaNx faster than H100",
    "unknown chip": "QuantumX9 is 12x faster than GB300",
    "unknown model": "GB300 is 3x faster than H100 on FrobnicatorLM-900B offline",
    "unstored round": "GB300 was 2x faster than H100 in MLPerf Inference v9.9",
    "old round": "H100 was 4.5x faster than A100 in MLPerf Inference v2.1",
    "markup": "<!channel> *GB300* is _2x_ faster than `H100` <@U123|x> <https://x.y|z>",
    "braces": "{0} {value} %s GB300 is 2x faster than H100 {",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("markup", ["plain", "slack", "discord"])
def test_hostile_text_gets_an_honest_answer(text: str, markup: answer.Markup) -> None:
    told = answer.answer(text, title=text[:300], markup=markup)
    json.loads(answer.to_json(answer.document(told)))
    said = render(told.reply, details=True)
    assert said.strip()
    said.encode("utf-8")
    assert "\x00" not in said
    assert "<!channel>" not in said


@pytest.mark.parametrize("name", ["unknown chip", "unknown model", "unstored round", "old round"])
def test_what_is_not_stored_is_never_decided(name: str) -> None:
    readings = answer.answer(HOSTILE[name]).readings
    assert readings
    assert {reading.verdict for reading in readings} <= {"no_rows", "depends"}


UNREADABLE = (
    "GB300 is 1e999x faster than B300 on Whisper offline in v6.1.",
    f"GB300 is {'7' * 400}x faster than B300 on Whisper offline in v6.1.",
    "GB300 is a hundred times faster than B300 on Whisper offline in v6.1.",
    "GB300 beats B300 by a thousand percent on Whisper offline in v6.1.",
    "GB300 is infinitely faster than B300 on Whisper offline in v6.1.",
    "GB300 is 88,88,88x faster than B300 on Whisper offline in v6.1.",
    "GB300 is faster than B300 by 7 million tokens/s on Whisper offline in v6.1.",
    "GB300 ist in v6.1 bei Whisper offline hundertmal schneller als B300.",
    "GB300 ist in v6.1 bei Whisper offline um tausend Prozent schneller als B300.",
    "It is not true that B300 is 1.26x faster than B200 on DeepSeek-R1 server in v6.1.",
    "B300 is not 2x faster than B200 on DeepSeek-R1 server in v6.1.",
)


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_number_that_is_not_read_is_never_dropped_from_a_claim_that_holds(text: str) -> None:
    verdicts = {reading.verdict for reading in answer.answer(text).readings}
    assert not verdicts & {"holds", "best_case", "software", "frame"}


def test_a_makers_figure_that_is_another_submitters_does_not_hold() -> None:
    asked = answer.answer("NVIDIA submitted 603,023 tokens/s on DeepSeek-R1 Server in v6.1.")
    assert [(r.verdict, r.differences) for r in asked.readings] == [("frame", ("submitter",))]


def test_a_repeated_claim_is_answered_once() -> None:
    once = answer.answer(FRAME)
    often = answer.answer(f"{FRAME} " * 30)
    assert len(often.claims) == 30
    assert len(often.reply.parts) == len(once.reply.parts)
