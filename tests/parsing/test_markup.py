"""Slack mrkdwn, Discord markdown and pasted Markdown to plain text; lines keep their kind."""

from __future__ import annotations

from typing import Literal

import pytest

from parsing.markup import plain

Markup = Literal["plain", "slack", "discord"]


@pytest.mark.parametrize(
    ("markup", "text", "expected"),
    [
        ("slack", "*bold* _it_ ~no~ `code`", "bold it no code"),
        ("slack", "a &lt;b&gt; &amp; c", "a <b> & c"),
        ("slack", "<https://e.com/3.7x|the *claim*> here", "the claim here"),
        ("slack", "<@U123> <!channel> <#C1|general> hi", "      hi"),
        ("slack", "~16k tokens/s", "~16k tokens/s"),
        ("slack", "see https://e.com/v6.0/2.7x now", "see   now"),
        ("slack", "GPU_name stays", "GPU_name stays"),
        ("discord", "**up** __to__ ~~no~~ ||hidden||", "up to no hidden"),
        ("discord", "[label **x**](https://e.com)", "label x"),
        ("discord", "<:zap:123> <@42> ok", "    ok"),
        ("plain", r"2.7 $\times$ and $2.1\times$", "2.7 × and 2.1×"),
        ("plain", "GPUs¹ and 2.77x³", "GPUs and 2.77x"),
        ("plain", "Durch\u00adsatz a\u200bb", "Durchsatz ab"),
        ("plain", "a\x00b", "a b"),
    ],
)
def test_plain(markup: Markup, text: str, expected: str) -> None:
    assert plain(text, markup).text == expected


def test_lines_keep_their_kind() -> None:
    text = "*Results*\n> quoted\n• point\n1. first\n\n| a | b |\n|---|---|\n-\ntext"
    kinds = [line.kind for line in plain(text, "slack").lines]
    assert kinds == ["heading", "quote", "bullet", "bullet", "blank", "row", "rule", "rule", "text"]


def test_decoration_hides_no_heading() -> None:
    assert plain("*Results* :zap: :tada:\nx", "slack").lines[0].kind == "heading"


def test_every_character_leads_back_to_the_source() -> None:
    text = "&gt; *a* <https://e.com|b `c`> &amp; :zap: d\n**e**"
    source = plain(text, "slack")
    for i, char in enumerate(source.text):
        if char.isalpha():
            assert text[source.source(i)] == char
