"""What must hold for any text: nothing raises, offsets give back the quote, dress does not change a claim."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from parsing.claim import Claim
from parsing.markup import plain
from parsing.reader import Reader
from tests.parsing.sentences import cases

Markup = Literal["plain", "slack", "discord"]
MARKUPS: tuple[Markup, ...] = ("plain", "slack", "discord")
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

CLAIMS = (
    "GB300 NVL72 is up to 2.7x faster than H200 NVL8 on DeepSeek-R1 offline in MLPerf v6.0.",
    "On GB200 NVL72, DeepSeek-R1 offline throughput per GPU rose from 3,120 tokens/s in MLPerf v5.1 "
    "to 5,240 in v6.0, a 1.68x gain.",
    "MI355X reaches 97% of B200 on Llama 2 70B server and 119% on Llama 2 70B interactive.",
    "Crusoe reached 5.75 million tokens/s on GPT-OSS-120B offline with 512 MI355X GPUs in MLPerf v6.1.",
    "CoreWeave gained 19.8% per GPU on DeepSeek-R1 server across its GB200 NVL72 racks from v6.0 to v6.1.",
    "In v6.1 Dell keeps 93% scaling efficiency on Llama 2 70B server from 8 to 64 MI325X GPUs.",
    "Lenovo holds first place in Whisper offline with eight L40S.",
    "Google takes the highest throughput on Stable Diffusion XL offline in v5.1.",
    "The cost per token fell by over 60% on the same rack.",
    "Mit Mixtral 8x7B ist die B300 bis zu 1,6-mal so schnell wie die H200.",
    "Die MI325X verbesserte sich bei Llama 2 70B zwischen v5.0 und v5.1 im Server-Modus um das 1,22-fache.",
    "Acht MI355X kommen bei GPT-OSS-120B offline auf knapp 1,05 Millionen Tokens/s.",
)
FIXED = ("quote", "span", "words", "printed", "printed_max")


def meaning(claims: list[Claim]) -> list[dict[str, Any]]:
    """What claims say, without the words that say it."""
    return [{k: v for k, v in c.model_dump().items() if k not in FIXED} for c in claims]


def same(reader: Reader, claim: str, dressed: str, markup: Markup = "plain") -> None:
    expected = meaning(reader.read(claim))
    assert expected, claim
    assert meaning(reader.read(dressed, markup=markup)) == expected, dressed


@given(
    st.text(st.characters(exclude_categories=()), max_size=400),
    st.sampled_from(MARKUPS),
    st.none() | st.text(max_size=60),
)
@example("", "plain", None)
@example("\x00\x00", "plain", None)
@example("\ud800 2.7x \udfff", "slack", "\udc00")
@example("9" * 400 + "x faster than H100", "plain", None)
@example("1e999x", "plain", None)
@example("‮H100 هو أسرع 2.7x‬ من A100", "discord", None)
@example("😀" * 300, "slack", None)
@QUICK
def test_no_text_raises(reader: Reader, text: str, markup: Markup, title: str | None) -> None:
    for claim in reader.read(text, title=title, markup=markup):
        start, end = claim.span
        assert plain(text, markup).text[start:end] == claim.quote


WORDS = """2.7x|45%|1,016,380|tokens/s|H100|GB300 NVL72|than|of|v6.0|8x|up to|MLPerf|6.0-0002
five|doubled|record|nobody
offline|server|Llama 2 70B|per GPU|&amp;|<https://a.b|c>|:zap:|**|```|um|mal|schneller als|from|to|and|was"""
PIECES = st.sampled_from([*"().,;:|/*_~<>`-—→×%+#@\n", *re.split(r"[|\n]", WORDS), "| a | b |\n|---|---|\n"])


@given(st.lists(PIECES, max_size=60), st.sampled_from(MARKUPS))
@QUICK
def test_no_pieces_of_claims_raise(reader: Reader, pieces: list[str], markup: Markup) -> None:
    text = " ".join(pieces)
    source = plain(text, markup)
    for claim in reader.read(text, markup=markup):
        assert source.text[claim.span[0] : claim.span[1]] == claim.quote
        assert claim.quote.strip()


@pytest.mark.parametrize("claim", CLAIMS)
def test_case_changes_nothing(reader: Reader, claim: str) -> None:
    same(reader, claim, claim.upper())
    same(reader, claim, claim.lower())


@given(st.sampled_from(CLAIMS), st.data())
@QUICK
def test_kinds_of_space_and_line_breaks_change_nothing(
    reader: Reader, claim: str, data: st.DataObject
) -> None:
    # tabs are left out: they part the cells of a pasted table
    spaces = data.draw(
        st.lists(
            st.sampled_from(" \u00a0\u202f\u2009\n"), min_size=claim.count(" "), max_size=claim.count(" ")
        )
    )
    parts = claim.split(" ")
    same(reader, claim, "".join(p + s for p, s in zip(parts, [*spaces, ""], strict=True)))


@given(st.sampled_from(CLAIMS), st.sampled_from("‐‑‒–−"))
@QUICK
def test_kinds_of_hyphen_change_nothing(reader: Reader, claim: str, hyphen: str) -> None:
    same(reader, claim, re.sub(r"(?<=\w)-(?=\w)", hyphen, claim))


@given(st.sampled_from(CLAIMS), st.sampled_from(["×", "X", "x"]))
@QUICK
def test_kinds_of_times_sign_change_nothing(reader: Reader, claim: str, sign: str) -> None:
    same(reader, claim, re.sub(r"(?<=\d)x\b", sign, claim))


WRAPS: dict[Markup, tuple[tuple[str, str], ...]] = {
    "slack": (
        ("*", "*"),
        ("_", "_"),
        ("`", "`"),
        ("<https://example.com/a?b=2.7x|", ">"),
        (":rocket: ", " :tada:"),
        ("&gt; ", ""),
    ),
    "discord": (
        ("**", "**"),
        ("*", "*"),
        ("`", "`"),
        ("[", "](https://example.com/3.7x)"),
        ("🚀 ", " 🎉"),
        ("> ", ""),
        ("||", "||"),
    ),
    "plain": (("**", "**"), ("- ", ""), ("\u201c", "\u201d"), ("✅ ", ""), ("[", "](https://example.com/)")),
}


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("markup", MARKUPS)
def test_markup_around_a_claim_changes_nothing(reader: Reader, claim: str, markup: Markup) -> None:
    for before, after in WRAPS[markup]:
        same(reader, claim, before + claim + after, markup)


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("markup", MARKUPS)
def test_bold_numbers_change_nothing(reader: Reader, claim: str, markup: Markup) -> None:
    mark = "*" if markup == "slack" else "**"
    dressed = re.sub(r"(?<![\w.,-])(\d[\d.,]*\d(?:x|%)?)(?![\w-])", rf"{mark}\1{mark}", claim)
    same(reader, claim, dressed, markup)


@given(st.integers(1_000, 99_999_999))
@QUICK
def test_number_styles_agree(reader: Reader, number: int) -> None:
    english = f"{number:,}"
    german = english.replace(",", ".")
    for text in (
        f"Eight H100 deliver {english} tokens/s on GPT-J offline.",
        f"Acht H100 schaffen {german} Tokens pro Sekunde bei GPT-J im Offline-Szenario.",
        f"Eight H100 deliver {number} tokens/s on GPT-J offline.",
    ):
        (claim,) = reader.read(text)
        assert claim.value == number, text


@given(st.integers(101, 9_999))
@QUICK
def test_decimal_signs_agree(reader: Reader, hundredths: int) -> None:
    point = f"{hundredths / 100:.2f}"
    comma = point.replace(".", ",")
    for text in (
        f"B200 is {point}x faster than H100.",
        f"B200 is {comma}x faster than H100.",
        f"B200 ist {comma}-mal so schnell wie H100.",
        f"B200 ist um den Faktor {point} schneller als H100.",
    ):
        (claim,) = reader.read(text)
        assert claim.value == hundredths / 100, text
        assert claim.printed is not None
        assert claim.printed.step == pytest.approx(0.01)


def test_offsets_of_the_plain_text_lead_back_to_the_source() -> None:
    text = "&gt; *GB300* &amp; <https://example.com/x|the *2.7x* claim> :zap: done"
    source = plain(text, "slack")
    at = source.text.index("2.7x")
    assert text[source.source(at) :].startswith("2.7x")
    assert text[source.source(source.text.index("done")) :].startswith("done")


@pytest.mark.parametrize("size", [10_000, 100_000])
def test_a_long_text_is_read_to_its_end(reader: Reader, size: int) -> None:
    filler = "Nothing to see in this line of text, which goes on and on. "
    text = filler * (size // len(filler)) + CLAIMS[0]
    assert [c.value for c in reader.read(text)] == [2.7]


@pytest.mark.parametrize(
    "pattern",
    [
        "1,",
        "1.",
        "x",
        "|",
        "*",
        "_",
        "<",
        "[",
        "(",
        "&",
        ":a",
        "-",
        "~",
        "2.7x ",
        "8x ",
        "of ",
        "v6.",
        "1 ",
        "`",
    ],
)
def test_repeated_signs_are_read_at_all(reader: Reader, pattern: str) -> None:
    for markup in MARKUPS:
        reader.read(pattern * 10_000, markup=markup)


def test_a_second_reading_gives_the_same(reader: Reader) -> None:
    for case in cases("mixed*"):
        assert reader.read(case.text, title=case.title) == reader.read(case.text, title=case.title)
