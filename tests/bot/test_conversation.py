"""Follow-ups change one thing and keep the rest."""

from __future__ import annotations

import pytest

from bot import answer
from bot.commands.chat import Talk
from bot.conversation import changed, chosen, follow_up
from bot.lookup import Lookup
from knowledge.names import Names
from knowledge.rounds import Rounds
from tests.bot.cases import LEADS
from tests.bot.making import claim

LOOKUP = Lookup(Names.load().vocabulary_names(()))


def fields(text: str) -> dict[str, object] | None:
    """What a follow-up makes of the claim "GB300 leads MI355X", as the fields that differ."""
    change = follow_up(text, LOOKUP, Rounds.load())
    if change is None:
        return None
    (after,) = changed([LEADS], change)
    before = answer.fields_only(LEADS).model_dump()
    flat = {}
    for name, value in after.model_dump().items():
        if name in ("subject", "baseline"):
            flat |= {f"{name}.{k}": v for k, v in value.items() if v != before[name][k]}
        elif value != before[name]:
            flat[name] = value
    return flat


EIGHT = {"subject.accelerators": 8, "baseline.accelerators": 8}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("and server?", {"scenario": "server"}),
        ("and Server", {"scenario": "server"}),
        ("what about interactive?", {"scenario": "interactive"}),
        ("und interaktiv?", {"scenario": "interactive"}),
        ("at 8 GPUs", EIGHT),
        ("with 8 gpus?", EIGHT),
        ("bei 8 GPUs", EIGHT),
        ("at 8", EIGHT),
        ("8x", EIGHT),
        ("und in v6.0?", {"round": "v6.0"}),
        ("in 6.0", {"round": "v6.0"}),
        ("compare with B300", {"baseline.accelerator": "B300"}),
        ("verglichen mit B300?", {"baseline.accelerator": "B300"}),
        ("vs H200", {"baseline.accelerator": "H200"}),
        ("and B200?", {"subject.accelerator": "B200"}),
        ("and DeepSeek-R1?", {"model": "deepseek-r1"}),
        ("on Llama 2 70B server", {"model": "llama2-70b", "scenario": "server"}),
        ("from Nebius", {"subject.submitter": "Nebius"}),
        ("in the open division", {"division": "open"}),
        ("Preview only", {"availability": "preview"}),
        ("server at 8 GPUs in v6.0", {"scenario": "server", "round": "v6.0", **EIGHT}),
    ],
)
def test_a_follow_up_changes_its_fields_and_no_other(text: str, expected: dict[str, object]) -> None:
    assert fields(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "thanks",
        "danke",
        "and?",
        "GB300 is 2x faster than H100",
        "why is that so",
        "in v9.9",
        "the weather at 8",
        "x" * 10000,
        "and " * 50 + "server",
        "server \x00 🚀 foo",
    ],
)
def test_what_says_anything_else_is_no_follow_up(text: str) -> None:
    assert fields(text) is None


def test_an_absolute_keeps_an_empty_baseline() -> None:
    change = follow_up("at 8 GPUs", LOOKUP, Rounds.load())
    assert change is not None
    (after,) = changed([claim("absolute", "100 tokens/s", 100.0, "100")], change)
    assert after.subject.accelerators == 8
    assert not after.baseline


def test_a_choice_from_a_menu_fills_its_field() -> None:
    (model,) = chosen([LEADS], "model", "deepseek-r1")
    (chip,) = chosen([LEADS], "baseline.accelerator", "B300")
    (count,) = chosen([LEADS], "subject.accelerators", "72")
    assert (model.model, chip.baseline.accelerator, count.subject.accelerators) == ("deepseek-r1", "B300", 72)
    for wrong in ("nonsense", "subject.nonsense", "other.accelerator"):
        with pytest.raises(KeyError):
            chosen([LEADS], wrong, "x")


def test_a_conversation_with_follow_ups_and_commands() -> None:
    talk = Talk()
    assert "paste a claim first" in talk.reply("details")
    assert talk.reply("   ") == ""
    first = talk.reply(
        "GB300 leads MI355X by about 48 % per GPU on GPT-OSS-120B offline in MLPerf Inference v6.1."
    )
    assert first.startswith("True, but not like for like")
    assert "GPT-OSS-120B server" in talk.reply("and server?")
    at_eight = talk.reply("at 8 GPUs")
    assert "GPT-OSS-120B server" in at_eight
    assert "(8 GPUs)" in at_eight
    assert "B300" in talk.reply("compare with B300").splitlines()[0] + talk.reply("details")
    assert "kind: percent" in talk.reply("why")
    assert "follow-ups" in talk.reply("help").casefold()
    assert talk.reply("receipt").startswith("sp1:")
    assert talk.reply("history").splitlines()[0].startswith("1. details")
    assert "In MLPerf® Inference" in talk.reply("fair") or "no fair version" in talk.reply("fair")


def test_a_line_without_a_claim_keeps_what_was_spoken_of() -> None:
    talk = Talk()
    talk.reply("GB300 leads MI355X by about 48 % per GPU on GPT-OSS-120B offline in v6.1.")
    before = talk.last
    talk.reply("asdf")
    assert talk.last is before
    assert talk.reply("and server?")
    assert talk.last is not None
    assert [c.scenario for c in talk.last.claims] == ["server"]
