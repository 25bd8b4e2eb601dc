"""Replies as Discord's messages: what they say, that limits are kept, that no text in them is markup."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.page import Page
from bot.render import discord as render
from bot.render.discord import Message
from bot.render.discord.limits import CONTENT, ROWS, TOGETHER, length, size
from bot.render.discord.tables import WIDTH, columns, drawn
from bot.render.discord.text import address, code, escaped, linked
from bot.reply import Action, Part, Reply, build
from bot.telling import guidelines
from bot.telling.evidence import Evidence
from bot.telling.footnote import TRADEMARK, Footnote
from bot.telling.headline import Headline
from bot.telling.missing import Choice, Menu
from bot.telling.tables import Cell, Line, Table
from bot.wording import LANGUAGES, Language, words
from tests.bot.cases import CASES, Told

ID = "abcdefgh-12345678_ABCD"
EACH = pytest.mark.parametrize("told", CASES, ids=lambda told: told.name)
FRAME = next(told for told in CASES if told.name == "frame, scale")
DEPENDS = next(told for told in CASES if told.name == "depends")


def reply_of(told: Told, language: Language = "en") -> Reply:
    """The reply to one case."""
    return build([told.claim], [told.reading], language, data_version="test")


def posted(reply: Reply, **other: Any) -> Message:
    """A reply as it stands in a channel."""
    return render.message(reply, reply_id=ID, **other)


def shown(markdown: str) -> str:
    """Markdown as a reader sees it, for what we write: escapes, bold, links and fences are gone."""
    plain = re.sub(r"(?<!\\)\[((?:[^\]\\]|\\.)*)\]\([^)]*\)", r"\1", markdown)
    plain = re.sub(r"(?<!\\)\*\*|```\n?", "", plain)
    return re.sub(r"\\([^A-Za-z0-9\s])", r"\1", plain).replace("\u200b", "")


def read_aloud(message: Message) -> str:
    """The whole message as text, the footnote as its own last paragraph."""
    bodies = [shown(embed.get("description", "")) for embed in message.embeds]
    notes = [embed["footer"]["text"] for embed in message.embeds if "footer" in embed]
    return "\n\n".join(text for text in (shown(message.content), *bodies, *notes) if text)


def labels(message: Message) -> list[list[str]]:
    """The labels of the buttons, row by row."""
    return [[item.get("label", "") for item in row["components"]] for row in message.rows]


def blocks(message: Message) -> list[str]:
    """The code blocks of a message."""
    return [
        block
        for embed in message.embeds
        for block in re.findall(r"```\n(.*?)\n```", embed["description"], re.S)
    ]


# -- what a reply says


@pytest.mark.parametrize("language", LANGUAGES)
@EACH
def test_every_kind_of_reply_keeps_limits_and_guidelines(told: Told, language: Language) -> None:
    reply = reply_of(told, language)
    for details in (False, True):
        found = posted(reply, details=details)
        assert not found.faults
        assert not guidelines.faults(reply, [told.claim], [told.reading], read_aloud(found))
    assert read_aloud(found).startswith(reply.parts[0].headline.word)


@EACH
def test_tables_fit_a_phone_and_lose_no_figure(told: Told) -> None:
    for language in LANGUAGES:
        reply = reply_of(told, language)
        found = blocks(posted(reply))
        assert all(len(line) <= WIDTH for block in found for line in block.splitlines())
        table = reply.parts[0].table
        for line in table.lines[: table.shown] if table else ():
            for cell in line.cells:
                assert code(cell.figure) in found[0]
                assert all(word in found[0] for word in cell.words.split() if word != "–")


def test_a_narrow_table_is_drawn_as_columns() -> None:
    lines = (Line((Cell("8"), Cell("1.5"))), Line((Cell("72"), Cell("12.25"))))
    assert columns(("GPUs", "lead"), lines) == "GPUs   lead\n   8    1.5\n  72  12.25"
    assert drawn(Table("", "", ("GPUs", "lead"), lines), 1).count("\n") == 1
    assert drawn(Table("", "", ("GPUs",), ()), 3) == ""


def test_the_wide_table_tells_line_by_line() -> None:
    found = blocks(posted(reply_of(FRAME)))[0].splitlines()
    assert found[:3] == [
        "GPUs 72 · GB300 +15 %",
        " GB300  16,635  CoreWeave GB300 NVL72",
        " MI355X 14,443  AMD 9x8xMI355X",
    ]
    assert "  the claim" in found


def test_details_hold_as_many_lines_as_fit_and_count_the_rest() -> None:
    reply = reply_of(FRAME)
    lines = [Line((Cell(str(n)), Cell("1.5", "GB300 of somebody"))) for n in range(200)]

    def drawn_in_details(count: int) -> tuple[int, str]:
        table = Table("T", "per GPU", ("GPUs", "lead"), tuple(lines[:count]))
        found = render.details(replace(reply, parts=(replace(reply.parts[0], table=table),)), ID)
        assert not found.faults
        return sum(block.count("1.5") for block in blocks(found)), read_aloud(found)

    assert drawn_in_details(25)[0] == 25
    shown_lines, text = drawn_in_details(200)
    assert 30 <= shown_lines < 200
    assert f"… {200 - shown_lines} more rows" in text


def test_buttons_hold_an_id_and_no_word() -> None:
    found = posted(reply_of(FRAME))
    assert labels(found) == [
        ["Details", "Chart", "Fair version", "Why this word?"],
        ["Helpful", "Not helpful", "Remove"],
    ]
    assert [item["custom_id"] for item in found.rows[0]["components"]] == [
        f"v1:{name}:{ID}" for name in ("details", "chart", "fair", "why")
    ]
    private = labels(posted(reply_of(FRAME), private=True))
    assert private == [["Details", "Chart", "Fair version", "Why this word?", "Share in channel"]]
    assert "Share in channel" not in labels(posted(reply_of(FRAME), private=True, shareable=False))[0]


def test_menus_offer_values_with_rows() -> None:
    found = posted(reply_of(DEPENDS))
    menus = [row["components"][0] for row in found.rows[:-2]]
    assert [menu["custom_id"] for menu in menus] == [f"v1:choose:{ID}:model", f"v1:choose:{ID}:scenario"]
    assert {option["value"] for option in menus[1]["options"]} == {"offline", "server"}


def test_what_several_claims_say_is_said_once_each() -> None:
    several = [told for told in CASES if told.reading.verdict in ("frame", "holds", "no_rows")]
    reply = build([t.claim for t in several], [t.reading for t in several], "en")
    found = posted(reply)
    assert not found.faults
    text = read_aloud(found)
    assert f"(+{len(several) - 1} more claims)" in text
    assert "more claim" in text.split("\n\n", 1)[1]
    assert text.count(TRADEMARK) == 1


def test_pages_and_what_buttons_open() -> None:
    reply = reply_of(FRAME, "de")
    details, why, fair = render.details(reply, ID), render.why(reply), render.fair(reply)
    for found in (details, why, fair, render.notice("de", ID), render.page(Page("de", "Hilfe", ("a", "b")))):
        assert not found.faults
    assert "Beleg" in details.content or reply.receipt is None or reply.receipt.text[:8] in details.content
    assert "Stimmt, aber nicht Gleiches mit Gleichem" in read_aloud(why)
    assert TRADEMARK in fair.embeds[0]["description"]
    assert not guidelines.text_faults(read_aloud(fair))
    assert labels(render.notice("de", ID)) == [["Noch einmal lesen"]]
    page = render.page(Page("en", "Help", ("x",)), reply_id=ID)
    assert (page.content, labels(page)) == ("**Help**", [["Remove"]])


def test_a_long_page_is_shortened_and_says_so() -> None:
    table = Table("T", "u", ("a", "b"), tuple(Line((Cell("1" * 30), Cell("w " * 60))) for _ in range(90)))
    found = render.page(Page("en", "Title", tuple("line " * 100 for _ in range(60)), table))
    assert not found.faults
    assert "more lines" in read_aloud(found)
    assert "more rows" in read_aloud(found)


def test_a_footnote_of_many_sources_keeps_what_is_required() -> None:
    note = Footnote(tuple(f"Source {n} {'x' * 300}." for n in range(20)), "Method.", "", TRADEMARK)
    found = posted(replace(reply_of(FRAME), footnote=note))
    assert not found.faults
    last = found.embeds[-1]["footer"]["text"]
    assert last.endswith(f"Method. {TRADEMARK}")
    assert "more sources." in last


# -- hostile text

HOSTILE = [
    "@everyone @here <@1> <@!1> <@&1> <#1> </x:1> <:a:1> <t:1:R>",
    "[free](https://evil.example) https://evil.example discord.gg/abc",
    "```\nend``` `x` **b** __u__ ~~s~~ ||spoiler||",
    "# head\n-# small\n> quote\n- list\n1. list\n>>> all",
    "\\[a](https://e.example) \\\\@everyone",
    "a\u202eb\u200b\x00\ud800",
]
WILD = st.one_of(
    st.text(max_size=300),
    st.lists(
        st.sampled_from(["`", "```", "\\", "@everyone", "<@1>", "](http://a.b)", "[", "\n# ", "*", "|"]),
        max_size=40,
    ).map("".join),
)


def unescaped(markdown: str) -> str:
    """What is left of escaped text once each escape is taken out: none of it may be markup."""
    return re.sub(r"\\[^A-Za-z0-9\s]", "x", markdown)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_literal(text: str) -> None:
    told = escaped(text)
    assert not re.search(r"@(everyone|here)|<@|[`*_~|<>\[\]]|^\s*(#|-#|- )", unescaped(told), re.M)
    assert "https://" not in told
    assert "discord.gg" not in told


@settings(max_examples=150, deadline=None)
@given(WILD, st.integers(1, 400))
def test_escaped_text_never_formats_and_keeps_its_length(text: str, most: int) -> None:
    told = escaped(text, most)
    assert length(told) <= most
    assert not re.search(r"[`*_~|<>\[\]]|@(?!\u200b)|://", unescaped(told))
    assert not re.search(r"^ *(?:[#+-]|\d+[.)])", unescaped(told), re.M)
    assert not told.endswith("\\") or told.endswith("\\\\")


@settings(max_examples=150, deadline=None)
@given(WILD, st.one_of(st.none(), st.text(max_size=80), st.just("https://a.example/x)(y z\n[]")))
def test_links_cannot_be_left(label: str, url: str | None) -> None:
    target = address(url)
    assert target is None or not re.search(r"[()\s<>\[\]\\`]", target)
    if target is None:
        assert "](" not in unescaped(linked(label, url))


def hostile(text: str) -> Reply:
    """A reply in which every word is `text`."""
    cells = (Cell(text[:40], text), Cell("1", text), Cell(words=text))
    part: Part = replace(
        reply_of(FRAME).parts[0],
        headline=Headline(text, (text, text)),
        table=Table(text, text, (text, text[:8], text), (Line(cells, ("k",)),) * 4),
        caveat=text,
        caveats=(text,) * 9,
        notes=(text,) * 9,
        menus=(Menu("model", text, (Choice(text, text), Choice("a", text))),) * 7,
        evidence=(Evidence("k", text, text, None, text), Evidence("k", text, "https://a.example/)x", None))
        * 5,
        why=text,
        fair=text,
    )
    return replace(
        reply_of(FRAME),
        parts=(part,) * 9,
        lead=text,
        fallback=text,
        footnote=Footnote((text,) * 9, text, text, TRADEMARK),
        actions=tuple(Action(name, text) for name in ("details", "chart", "fair", "why", "remove")),
    )


@settings(max_examples=25, deadline=None)
@given(WILD.map(lambda text: (text * 20)[:2000]))
def test_a_reply_of_hostile_text_keeps_limits_and_fences(text: str) -> None:
    reply = hostile(text)
    for found in (
        posted(reply),
        posted(reply, details=True),
        posted(reply, private=True),
        render.details(reply, ID),
        render.why(reply),
        render.fair(reply),
        render.page(Page("en", text, (text,) * 50, reply.parts[0].table, reply.footnote)),
    ):
        assert not found.faults
        assert length(found.plain) <= CONTENT
        assert found.plain.count("```") % 2 == 0
        assert size(found.embeds) <= TOGETHER
        assert length(found.content) <= CONTENT
        assert len(found.rows) <= ROWS
        for embed in found.embeds:
            body = embed.get("description", "")
            assert body.count("```") % 2 == 0
            assert not re.search(r"@(everyone|here)|<@[!&]?\d", body)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_edge_fits_its_place(language: Language) -> None:
    w = words(language)
    names, about = w.under("discord.name"), w.under("discord.about")
    assert all(
        re.fullmatch(r"[-\w]{1,32}", name) and name == name.lower()
        for key, name in names.items()
        if key != "menu"
    )
    assert all(1 <= len(text) <= 100 for text in about.values())
    assert len(w("discord.name.menu")) <= 32


def test_a_head_above_lines_is_bold() -> None:
    found = render.page(Page("en", "News", ("New *silicon*:", "• one"), heads=frozenset({"New *silicon*:"})))
    assert found.embeds[0]["description"] == "**New \\*silicon\\*:**\n• one"


def test_a_digest_opens_in_full() -> None:
    found = render.page(Page("de", "Bericht", ("eine Zeile",)), reply_id=ID, digest=True)
    assert labels(found) == [["Alle", "Entfernen"]]
    assert [item["custom_id"] for item in found.rows[0]["components"]] == [
        f"v1:details:{ID}",
        f"v1:remove:{ID}",
    ]


@EACH
def test_without_embeds_the_whole_reply_is_text(told: Told) -> None:
    found = posted(reply_of(told))
    text = shown(found.plain)
    assert text.startswith(reply_of(told).parts[0].headline.word)
    assert reply_of(told).footnote.trademark in text
    assert all(block in text for block in blocks(found))


def test_a_moment_is_shown_in_the_readers_zone() -> None:
    assert render.moment(1_790_000_000.9, "d") == "<t:1790000000:d>"
