"""Replies as Slack's blocks: what they say, that they keep every limit, that no text in them is markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.page import Page
from bot.preferences import Preferences, value_of
from bot.render.slack import Message, faults, message, page, views
from bot.render.slack.elements import address, clean, escaped
from bot.render.slack.limits import OPTIONS, TOGETHER, Surface, nodes, size
from bot.reply import Action, Part, Reply, build
from bot.state.records import Content, SentReply
from bot.telling import guidelines
from bot.telling.evidence import Evidence
from bot.telling.footnote import TRADEMARK, Footnote
from bot.telling.headline import Headline
from bot.telling.missing import FIELDS, Choice, Menu
from bot.telling.tables import Cell, Line, Table
from bot.wording import LANGUAGES, Language, words
from tests.bot.cases import CASES, Told
from tests.fakes.slack.blockkit import check_blocks, check_view, too_long
from tests.fakes.slack.oracle import objections

ID = "0123456789abcdef0123456789abcdef"
FRAME = next(told for told in CASES if told.name == "frame, scale")
EACH = pytest.mark.parametrize("told", CASES, ids=lambda told: told.name)


def reply_of(told: Told, language: Language = "en") -> Reply:
    """The reply to one case."""
    return build([told.claim], [told.reading], language, data_version="test")


def posted(reply: Reply, **other: Any) -> Message:
    """A reply as it stands in a channel."""
    return message(reply, reply_id=ID, poster="U1", **other)


def wrong(found: Message) -> list[str]:
    """What we, the strict fake and slackblocks object to."""
    return [
        *faults(found.blocks),
        *check_blocks(found.blocks),
        *objections(found.blocks),
        *(["too long"] if too_long(found.blocks) else []),
        *([f"text of {len(found.text)}"] if not 1 <= len(found.text) <= 4000 else []),
    ]


def wrong_view(view: dict[str, Any]) -> list[str]:
    """What we, the strict fake and slackblocks object to in a view."""
    surface: Surface = view["type"]
    blocks = view["blocks"]
    return [*faults(blocks, surface), *check_view(view), *objections(blocks, surface)]


def runs(value: object) -> Iterator[str]:
    """Every text that a reader sees, in order."""
    for node in nodes(value):
        if isinstance(node.get("text"), str):
            yield node["text"]


def read_aloud(blocks: list[dict[str, Any]]) -> str:
    """Blocks as plain text: paragraphs, the lines of tables, the footnote as its own last paragraph."""
    said = []
    for block in blocks:
        if block["type"] == "data_table":
            said.append("\n".join("  ".join(cell["text"] for cell in row) for row in block["rows"]))
        elif block["type"] in ("rich_text", "context"):
            said.append("".join(runs(block)))
    return "\n\n".join(said)


def of_type(blocks: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The blocks or elements of one type."""
    return [node for node in nodes(blocks) if node.get("type") == kind]


# -- what a reply says


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reply_keeps_the_limits_and_the_guidelines(told: Told, language: Language) -> None:
    reply = reply_of(told, language)
    for options in ({}, {"details": True}, {"tables": False}, {"private": True}):
        found = posted(reply, **options)
        assert wrong(found) == []
        text = read_aloud(found.blocks)
        assert guidelines.faults(reply, [told.claim], [told.reading], text) == []
    for view in (views.details(reply, ID), views.why(reply), views.fair(reply)):
        assert wrong_view(view) == []


@EACH
def test_the_first_line_begins_with_the_verdict_word_in_bold(told: Told) -> None:
    reply = reply_of(told)
    section = posted(reply).blocks[0]["elements"][0]
    first, *rest = section["elements"]
    assert first["text"] == reply.parts[0].headline.word
    assert first["style"] == {"bold": True}
    line = "".join(run["text"] for run in section["elements"]).split("\n")[0]
    assert line == reply.parts[0].headline.first
    assert all("style" not in run for run in rest)


def test_a_table_has_row_labels_and_says_what_its_figures_are() -> None:
    blocks = posted(reply_of(FRAME)).blocks
    (table,) = of_type(blocks, "data_table")
    assert table["row_header_column_index"] == 0
    assert "per accelerator (derived, unverified)" in table["caption"]
    assert "MLPerf® Inference v6.1" in table["caption"]
    assert table["caption"] in read_aloud(blocks)  # legible too, not for screen readers only
    heads, *lines = ([cell["text"] for cell in row] for row in table["rows"])
    assert heads == ["GPUs", "GB300", "MI355X", "lead"]
    assert lines[-1] == [
        "72 vs 512",
        "16,635 CoreWeave GB300 NVL72",
        "11,229 Crusoe Cloud 64x8 MI355X",
        "GB300 +48 %, the claim",
    ]
    assert len(lines) == 3


def test_the_rest_of_a_reply_stands_in_its_order() -> None:
    blocks = posted(reply_of(FRAME)).blocks
    assert [block["type"] for block in blocks] == [
        "rich_text",
        "context",
        "data_table",
        "rich_text",
        "context",
        "actions",
        "context_actions",
    ]
    assert "scale (72 and 512 accelerators)" in "".join(runs(blocks[3]))
    links = of_type(blocks, "link")
    assert {"CoreWeave 72 GB300, v6.1", "Crusoe 512 MI355X, v6.1"} <= {
        run["text"] for run in [*links, *of_type(blocks, "text")]
    }
    assert "".join(runs(blocks[4])).endswith(TRADEMARK)


def test_buttons_hold_the_reply_s_id_and_nothing_else() -> None:
    blocks = posted(reply_of(FRAME)).blocks
    buttons = {one["action_id"]: one["value"] for one in of_type(blocks, "button")}
    assert buttons == {"v1.details": ID, "v1.chart": ID, "v1.fair": ID, "v1.why": ID}
    (feedback,) = of_type(blocks, "feedback_buttons")
    assert feedback["action_id"] == "v1.feedback"
    assert feedback["positive_button"]["value"] == f"helpful.{ID}"
    assert feedback["negative_button"]["value"] == f"not_helpful.{ID}"
    (bin_,) = of_type(blocks, "icon_button")
    assert (bin_["action_id"], bin_["value"]) == ("v1.remove", ID)
    assert bin_["visible_to_user_ids"] == ["U1"]


def test_who_is_nobody_gets_no_bin_and_who_is_alone_can_share() -> None:
    reply = reply_of(FRAME)
    assert not of_type(message(reply, reply_id=ID, poster=None).blocks, "icon_button")
    private = posted(reply, private=True).blocks
    assert not of_type(private, "icon_button")
    assert not of_type(private, "feedback_buttons")
    assert [one["action_id"] for one in of_type(private, "button")][-1] == "v1.share"


def test_metadata_holds_our_own_id_only() -> None:
    assert posted(reply_of(FRAME)).metadata == {
        "event_type": "smallprint_reply",
        "event_payload": {"key": ID},
    }


def test_menus_offer_what_has_rows() -> None:
    told = next(told for told in CASES if told.reading.verdict == "depends" and told.reading.missing)
    reply = reply_of(told)
    blocks = posted(reply).blocks
    menus = of_type(blocks, "static_select")
    assert [menu["action_id"] for menu in menus] == [
        f"v1.choose.{menu.field}" for part in reply.parts for menu in part.menus
    ]
    choices = [option["value"] for option in menus[0]["options"]]
    assert choices == [choice.value for choice in reply.parts[0].menus[0].choices]
    (block,) = [one for one in blocks if one["type"] == "actions" and "block_id" in one]
    assert block["block_id"] == f"{ID}.0"


def test_a_menu_too_long_says_how_many_it_leaves_out() -> None:
    choices = tuple(Choice(f"model {n}", f"m{n}") for n in range(OPTIONS + 20))
    reply = reply_of(FRAME)
    part = replace(reply.parts[0], menus=(Menu("model", "model", choices),))
    blocks = posted(replace(reply, parts=(part,))).blocks
    (menu,) = of_type(blocks, "static_select")
    assert len(menu["options"]) == OPTIONS
    assert menu["placeholder"]["text"] == "Choose model (… 20 more)"


def test_many_claims_are_told_in_full_then_in_brief_then_counted() -> None:
    reply = build([told.claim for told in CASES], [told.reading for told in CASES], "en")
    found = posted(reply)
    assert wrong(found) == []
    assert len(of_type(found.blocks, "data_table")) <= 3
    assert f"… {len(reply.parts) - 8} more claims" in read_aloud(found.blocks)
    assert found.text.startswith(reply.parts[0].headline.word)


def test_nothing_found_is_said_without_a_table_or_a_footnote() -> None:
    found = posted(build([], [], "de"))
    assert wrong(found) == []
    assert found.text.startswith("Keine Behauptung")
    assert {block["type"] for block in found.blocks} == {"rich_text", "context_actions"}


def test_details_show_six_rows_until_all_are_asked_for() -> None:
    several = [told for told in CASES if told.reading.verdict in ("frame", "best_case", "contradicted")]
    reply = build([told.claim for told in several], [told.reading for told in several], "en")
    total = sum(len(part.table.lines) for part in reply.parts[:12] if part.table)
    assert total > 6
    view = views.details(reply, ID)
    (more,) = of_type(view["blocks"], "button")
    assert more["action_id"] == "v1.all"
    assert str(total) in more["text"]["text"]
    whole = views.details(reply, ID, everything=True)
    assert not of_type(whole["blocks"], "button")
    assert len(list(runs(whole))) > len(list(runs(view)))
    assert wrong_view(view) == wrong_view(whole) == []


def test_the_fair_version_can_be_copied_with_its_footnote() -> None:
    reply = reply_of(FRAME)
    (copy,) = of_type(views.fair(reply)["blocks"], "rich_text_preformatted")
    assert copy["elements"][0]["text"] == f"{reply.fair}\n\n{reply.footnote.text}"


# -- pages, settings, Home


def table_of(lines: int, cell: str = "1,234") -> Table:
    """A table of some lines."""
    one = Line((Cell(words="1"), Cell(cell, "CoreWeave"), Cell(words="GB300")))
    return Table("MLPerf® Inference v6.1", "tokens/s", ("place", "", ""), (one,) * lines)


@pytest.mark.parametrize("tables", [True, False])
def test_a_page_is_cut_with_a_count_rather_than_refused(tables: bool) -> None:
    long = Page("en", "Places", ("a line " * 400,) * 60, table_of(90, "9" * 200))
    found = page(long, tables=tables)
    assert wrong(found) == []
    said = read_aloud(found.blocks)
    assert "more lines" in said
    assert re.search(r"… 8\d more rows", said)


def test_a_digest_has_a_button_for_all_of_it() -> None:
    digest = Page("en", "What moved", tuple(f"line {n}" for n in range(300)), table_of(90))
    found = page(digest, reply_id=ID, more=True)
    assert [one["value"] for one in of_type(found.blocks, "button")] == [ID]
    assert found.metadata == posted(reply_of(FRAME)).metadata
    view = views.page(digest)
    assert wrong_view(view) == []
    assert "line 99" in "".join(runs(view))
    assert "… 200 more lines" in "".join(runs(view))
    assert page(digest).metadata == {}
    assert not of_type(page(digest).blocks, "button")


def test_a_head_above_lines_is_bold_and_a_digest_s_button_says_all() -> None:
    digest = Page("de", "Neu", ("Neue Chips:", "• einer"), heads=frozenset({"Neue Chips:"}))
    found = page(digest, reply_id=ID, more=True).blocks
    assert [run["text"] for run in of_type(found, "text") if run.get("style")] == ["Neu", "Neue Chips:"]
    assert of_type(found, "button")[0]["text"]["text"] == "Alle"


def test_a_page_s_columns_without_a_head_get_one() -> None:
    (table,) = of_type(page(Page("en", "Places", (), table_of(2))).blocks, "data_table")
    assert [cell["text"] for cell in table["rows"][0]] == ["place", "system 1"]
    assert [cell["text"] for cell in table["rows"][1]] == ["1", "1,234 CoreWeave, GB300"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scope", ["workspace", "channel", "person"])
def test_every_setting_of_a_level_has_its_input(language: Language, scope: Any) -> None:
    preferences = Preferences(quiet_hours="19:00-07:30", hosts_added=("blog.example.com",), links=True)
    view = views.settings(language, preferences, scope, where="#general", metadata="{}")
    assert wrong_view(view) == []
    shown = {block["block_id"]: block["element"] for block in view["blocks"] if block["type"] == "input"}
    assert set(shown) == {name for name in Preferences.model_fields if scope in views.scopes_of(name)}
    if scope == "channel":
        assert shown["links"]["initial_option"]["value"] == "on"
        assert shown["quiet_hours"]["initial_value"] == "19:00-07:30"


def test_what_is_typed_for_a_setting_becomes_its_kind() -> None:
    assert value_of("links", "on") is True
    assert value_of("links_days", " 14 ") == 14
    assert value_of("hosts_added", "Blog.example.com, x.example") == ("blog.example.com", "x.example")
    assert value_of("quiet_hours", "") is None
    with pytest.raises(ValueError, match="links_days: a whole number"):
        value_of("links_days", "²")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_home_tab_has_settings_readings_with_the_reader_s_own_time_and_privacy(
    language: Language,
) -> None:
    sent = SentReply(
        ID, "answer", "w", PLACE, "1.2", "U1", "posted", "1.3", Content(language, verdicts={"frame": 2}), 1e9
    )
    view = views.home(
        language,
        preferences=Preferences(language="de"),
        intro=("Hello",),
        privacy=("Nothing is kept.",),
        recent=[sent] * 30,
        subscriptions=["C1"],
    )
    assert wrong_view(view) == []
    said = " ".join(runs(view))
    assert "<!date^1000000000^{date_short_pretty} {time}|9" in said
    assert words(language)("verdict.frame") in said
    assert of_type(view["blocks"], "static_select")[0]["initial_option"]["value"] == "de"
    assert wrong_view(views.home(language, preferences=Preferences())) == []


def test_an_expired_reading_offers_to_read_again() -> None:
    view = views.expired("en", text="3.7x <!channel>", metadata="{}")
    assert wrong_view(view) == []
    assert of_type(view["blocks"], "plain_text_input")[0]["initial_value"] == "3.7x <!channel>"
    assert view["submit"]["text"] == "Read it again"
    assert wrong_view(views.expired("de")) == wrong_view(views.notice("de", "Nichts.")) == []


# -- hostile text

HOSTILE = (
    "<!channel> <!here> <@U0123456> <#C01|x> <https://evil.example|https://mlcommons.org>",
    "*bold* _it_ ~no~ `code` ```pre``` :tada: > quote",
    "&lt;!channel&gt; & < > \u202egnp.exe \u200b\u200d\ufeff \u2028 \x00 \ud800",
    "a\n\n\nb\r\nc\td",
    "x" * 5000,
    "<" * 4000,
    "",
    " ",
)
PLACE: Any = None
text = st.one_of(
    st.sampled_from(HOSTILE), st.text(max_size=60), st.sampled_from(HOSTILE).map(lambda s: s * 3)
)
tables = st.builds(
    Table,
    text,
    text,
    st.lists(text, min_size=1, max_size=30).map(tuple),
    st.lists(
        st.builds(Line, st.lists(st.builds(Cell, text, text), max_size=30).map(tuple)), max_size=120
    ).map(tuple),
    st.integers(0, 130),
)
menus = st.builds(
    Menu, st.sampled_from(FIELDS), text, st.lists(st.builds(Choice, text, text), max_size=130).map(tuple)
)
evidence = st.builds(Evidence, text, text, st.none() | text, st.none(), text)
texts = st.lists(text, max_size=4).map(tuple)
headlines = st.builds(Headline, text, texts)
parts = st.builds(
    Part,
    claim=st.just(FRAME.claim),
    verdict=st.just("frame"),
    headline=headlines,
    table=st.none() | tables,
    caveat=text,
    caveats=texts,
    notes=texts,
    derived=texts,
    menus=st.lists(menus, max_size=3, unique_by=lambda menu: menu.field).map(tuple),
    evidence=st.lists(evidence, max_size=15).map(tuple),
    why=text,
    fair=text,
)
replies = st.builds(
    Reply,
    language=st.sampled_from(LANGUAGES),
    parts=st.lists(parts, max_size=10).map(tuple),
    lead=text,
    footnote=st.builds(Footnote, texts, text, text, st.sampled_from((TRADEMARK, ""))),
    actions=st.just(
        tuple(Action(name, name) for name in ("details", "fair", "helpful", "not_helpful", "remove"))
    ),
    fallback=text,
)


def assert_literal(blocks: object) -> None:
    """No text object is markup, no link but a web address, nothing hidden, no element that pings."""
    for node in nodes(blocks):
        assert node.get("type") not in ("mrkdwn", "markdown", "user", "usergroup", "channel", "broadcast")
        if node.get("type") == "link":
            assert re.match(r"https?://[^\s<>|]+$", node["url"])
        if isinstance(node.get("text"), str):
            assert not re.search(
                "[\x00-\x09\x0b-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", node["text"]
            )


@settings(max_examples=60, deadline=None)
@given(replies, st.booleans(), st.booleans())
def test_no_text_can_ping_break_out_or_break_a_limit(reply: Reply, details: bool, tables: bool) -> None:
    found = message(reply, reply_id=ID, poster="U1", details=details, tables=tables)
    assert wrong(found) == []
    assert_literal(found.blocks)
    assert "<" not in found.text
    assert ">" not in found.text
    assert size(found.blocks) <= TOGETHER
    for view in (
        views.details(reply, ID, everything=details),
        views.why(reply),
        views.fair(reply),
        views.expired(reply.language, text=reply.lead),
    ):
        assert wrong_view(view) == []
        assert_literal(view["blocks"])


@settings(max_examples=60, deadline=None)
@given(text, texts, st.none() | tables, st.booleans())
def test_no_text_of_a_page_can_ping_or_break_a_limit(
    title: str, lines: tuple[str, ...], table: Table | None, drawn: bool
) -> None:
    whole = Page("en", title, lines, table)
    found = page(whole, tables=drawn, reply_id=ID, more=True)
    assert wrong(found) == []
    assert wrong_view(views.page(whole)) == []
    assert_literal(views.page(whole)["blocks"])
    assert_literal(found.blocks)
    assert "<" not in found.text


@given(st.text() | st.sampled_from(HOSTILE), st.integers(1, 4000))
def test_escaped_text_holds_no_markup_and_keeps_its_length(given: str, most: int) -> None:
    found = escaped(given, most)
    assert len(found) <= most
    assert not re.search(r"[<>]|&(?!amp;|lt;|gt;)", found)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/x|y<z>", "https://a.example/x%7Cy%3Cz%3E"),
        ("https://a.example/%7Cx?a=1&b=2#c", "https://a.example/%7Cx?a=1&b=2#c"),
        ("https://a.example/ü x", "https://a.example/%C3%BC%20x"),
        ("javascript:alert(1)", None),
        ("https://", None),
        ("https://[bad", None),
        ("https://a.example/\u202ex", None),
        ("https://a.example/" + "x" * 3000, None),
        ("", None),
        (None, None),
    ],
)
def test_only_web_addresses_are_linked(url: str | None, expected: str | None) -> None:
    assert address(url) == expected


def test_clean_text_keeps_line_ends_and_loses_what_hides() -> None:
    assert clean("a\nb\u202ec\u200bd\x00e") == "a\nb c d e"
