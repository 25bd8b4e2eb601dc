"""How a claim is dressed does not change it: random dress over claims of our own, all at once.

`test_properties.py` takes one kind of dress at a time; here case, spaces, hyphens, signs, markup, emoji
and what stands before and after are drawn together, and numbers are written in every style.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parsing.claim import Claim
from parsing.markup import plain
from parsing.reader import Reader

Markup = Literal["plain", "slack", "discord"]
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FIXED = ("quote", "span", "words", "printed", "printed_max")

CLAIMS = (
    "B300 is up to 1.6x faster than B200 on Mixtral 8x7B offline in MLPerf v6.0.",
    "Nebius reached 98,856 tokens/s on Llama 2 70B server with eight B200 GPUs.",
    "MI325X is 12% behind H200 on Llama 2 70B interactive.",
    "The MI355X gains 28% offline and 38% in server mode over the previous round.",
    "L40S beats L4 on Whisper offline.",
    "HPE has the highest throughput ever measured on DeepSeek-R1 server.",
    "GB200 NVL72 scales to 72 GPUs with 93% scaling efficiency on Llama 3.1 405B.",
    "B200 ist auf Llama 2 70B rund 2,9-mal so schnell wie H100.",
    "Acht MI355X schaffen bei GPT-OSS-120B offline knapp 1,05 Millionen Tokens pro Sekunde.",
    "Mit der B300 sinken die Kosten pro Token um 35 %.",
    "Le B300 est jusqu'à 1,6 fois plus rapide que le B200 sur DeepSeek-R1 hors ligne.",
    "Avec huit cartes B200, Lambda délivre près de 98 856 jetons/s sur Llama 2 70B.",
)
LINES: dict[Markup, tuple[tuple[str, str], ...]] = {
    "plain": (("", ""), ("- ", ""), ("**", "**"), ("✅ ", ""), ("> ", ""), ("1. ", ""), ("", " 🎉🎉")),
    "slack": (("", ""), ("• ", ""), ("*", "*"), ("&gt; ", ""), (":fire: ", " :fire:"), ("_", "_")),
    "discord": (("", ""), ("- ", ""), ("**", "**"), ("> ", ""), ("🚀 ", ""), ("||", "||"), ("*", "*")),
}
AROUND = ("", "Good morning.\n\n", "Hi all!\n\n", "\n\n", "See below:\n\n")


def meaning(claims: list[Claim]) -> list[dict[str, Any]]:
    """What claims say, without the words that say it."""
    return [{k: v for k, v in c.model_dump().items() if k not in FIXED} for c in claims]


@st.composite
def dressed(draw: st.DrawFn) -> tuple[str, str, Markup]:
    """A claim, the same in some dress, the markup of the dress."""
    claim = draw(st.sampled_from(CLAIMS))
    text = claim
    hyphen, times = draw(st.sampled_from("-‐‑–")), draw(st.sampled_from("x×"))
    text = re.sub(r"(?<=\w)-(?=\w)", hyphen, text)
    text = re.sub(r"(?<=\d)x(?= faster)", times, text)
    text = re.sub(r"(?<=\d) ?%", draw(st.sampled_from(["%", "\u202f%", "\u00a0%"])), text)
    text = re.sub("'", draw(st.sampled_from("'’")), text)
    space = draw(st.sampled_from([" ", "  ", "\u00a0", "\n"]))
    where = draw(st.integers(0, text.count(" ")))
    parts = text.split(" ")
    # not between two numbers: there a kind of blank may mean a group of digits
    if 0 < where < len(parts) and not (parts[where - 1][-1].isdigit() and parts[where][0].isdigit()):
        text = " ".join(parts[:where]) + space + " ".join(parts[where:])
    text = draw(st.sampled_from([str, str.upper, str.lower]))(text) if "fois" not in claim else text
    markup = draw(st.sampled_from(list(LINES)))
    before, after = draw(st.sampled_from(LINES[markup])) if "\n" not in text else ("", "")
    return claim, draw(st.sampled_from(AROUND)) + before + text + after, markup


@given(dressed())
@QUICK
def test_dress_changes_no_claim(reader: Reader, case: tuple[str, str, Markup]) -> None:
    claim, text, markup = case
    expected = meaning(reader.read(claim))
    assert expected, claim
    found = reader.read(text, markup=markup)
    assert meaning(found) == expected
    source = plain(text, markup).text
    for one in found:
        assert source[one.span[0] : one.span[1]] == one.quote


def written(number: int, style: str) -> str:
    """A whole number with the thousands of a style."""
    return f"{number:,}".replace(",", {"en": ",", "de": ".", "fr": "\u202f", "ch": "'", "": ""}[style])


@given(st.integers(10_000, 99_999_999), st.sampled_from(["en", "de", "fr", "ch", ""]))
@QUICK
def test_whole_numbers_survive_every_style(reader: Reader, number: int, style: str) -> None:
    sentence = {
        "de": "Acht H100 schaffen bei GPT-J im Offline-Szenario {n} Tokens pro Sekunde.",
        "fr": "Huit cartes H100 délivrent {n} jetons par seconde sur GPT-J hors ligne.",
    }.get(style, "Eight H100 deliver {n} tokens per second on GPT-J offline.")
    (claim,) = reader.read(sentence.format(n=written(number, style)))
    assert claim.value == number
    assert claim.printed is not None
    assert claim.printed.text == written(number, style)


@given(st.integers(1, 999), st.integers(0, 99), st.sampled_from(["million", "Millionen", "millions de"]))
@QUICK
def test_millions_survive_every_style(reader: Reader, whole: int, hundredths: int, word: str) -> None:
    point = f"{whole}.{hundredths:02d}"
    number = point if word == "million" else point.replace(".", ",")
    sentence = {
        "million": f"Eight H100 deliver {number} million tokens/s on GPT-J offline.",
        "Millionen": f"Acht H100 schaffen bei GPT-J im Offline-Szenario {number} Millionen Tokens/s.",
        "millions de": f"Huit cartes H100 délivrent {number} millions de jetons/s sur GPT-J hors ligne.",
    }[word]
    (claim,) = reader.read(sentence)
    assert claim.value is not None
    assert abs(claim.value - (whole * 100 + hundredths) * 10_000) < 1
