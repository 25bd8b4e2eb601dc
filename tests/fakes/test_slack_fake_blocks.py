"""The Block Kit rules of the fake Slack, each limit from both sides, beside an independent library."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes.slack import limits, oracle
from tests.fakes.slack.blockkit import check_blocks, check_view, too_long

Block = dict[str, Any]


def words(length: int, kind: str = "mrkdwn") -> Block:
    """A text object."""
    return {"type": kind, "text": "x" * length}


def plain(length: int) -> Block:
    """A text object without markup."""
    return words(length, "plain_text")


def actions(count: int = 1, **more: Any) -> Block:
    """A block of buttons."""
    buttons = [
        {"type": "button", "action_id": f"a{number}", "text": plain(5), **more} for number in range(count)
    ]
    return {"type": "actions", "elements": buttons}


def menu(kind: str, count: int, length: int = 5) -> Block:
    """A section with a menu."""
    options = [{"text": plain(length), "value": str(number)} for number in range(count)]
    element: Block = {"type": kind, "action_id": "a", "options": options}
    if kind == "static_select":
        element["placeholder"] = plain(5)
    return {"type": "section", "text": words(5), "accessory": element}


def feedback(length: int, users: int = 1) -> Block:
    """Feedback buttons and a trash button."""
    side = {"text": plain(length), "value": "v"}
    return {
        "type": "context_actions",
        "elements": [
            {"type": "feedback_buttons", "action_id": "f", "positive_button": side, "negative_button": side},
            {
                "type": "icon_button",
                "action_id": "t",
                "icon": "trash",
                "text": plain(5),
                "visible_to_user_ids": [f"U{number}" for number in range(users)],
            },
        ],
    }


def table(rows: int, columns: int, length: int = 1) -> Block:
    """A table of plain texts."""
    cell = {"type": "raw_text", "text": "x" * length}
    return {"type": "table", "rows": [[cell] * columns] * rows}


def data_table(rows: int, columns: int = 2) -> Block:
    """A data table."""
    return {**table(rows, columns), "type": "data_table", "caption": "rows"}


# What is just allowed, and what is just too much; whether the other library knows the limit, too.
LIMITS = [
    (
        "section text",
        {"type": "section", "text": words(3000)},
        {"type": "section", "text": words(3001)},
        True,
    ),
    (
        "fields",
        {"type": "section", "fields": [words(2000)] * 5 + [words(1)] * 5},
        {"type": "section", "fields": [words(1)] * 11},
        True,
    ),
    (
        "field text",
        {"type": "section", "fields": [words(2000)]},
        {"type": "section", "fields": [words(2001)]},
        True,
    ),
    ("header", {"type": "header", "text": plain(150)}, {"type": "header", "text": plain(151)}, True),
    (
        "context",
        {"type": "context", "elements": [words(1)] * 10},
        {"type": "context", "elements": [words(1)] * 11},
        True,
    ),
    ("buttons", actions(25), actions(26), True),
    ("button text", actions(1, text=plain(75)), actions(1, text=plain(76)), True),
    ("button value", actions(1, value="x" * 2000), actions(1, value="x" * 2001), True),
    ("button url", actions(1, url="x" * 3000), actions(1, url="x" * 3001), True),
    ("action id", actions(1, action_id="x" * 255), actions(1, action_id="x" * 256), True),
    ("select", menu("static_select", 100), menu("static_select", 101), True),
    ("option text", menu("static_select", 2, 75), menu("static_select", 2, 76), True),
    ("overflow", menu("overflow", 5), menu("overflow", 6), True),
    ("feedback text", feedback(75), feedback(76), True),
    ("visible to", feedback(5, 10), feedback(5, 11), True),
    ("table rows", table(100, 3), table(101, 3), True),
    ("table columns", table(3, 20), table(3, 21), True),
    ("table text", table(10, 10, 100), table(10, 10, 101), False),
    ("data table", data_table(101), data_table(102), False),
    ("data table columns", data_table(2, 20), data_table(2, 21), True),
    (
        "markdown",
        {"type": "markdown", "text": "x" * 12_000},
        {"type": "markdown", "text": "x" * 12_001},
        True,
    ),
    (
        "alt text",
        {"type": "image", "image_url": "https://x.example/", "alt_text": "x" * 2000},
        {"type": "image", "image_url": "https://x.example/", "alt_text": "x" * 2001},
        True,
    ),
]


@pytest.mark.parametrize(
    ("good", "bad", "known"), [one[1:] for one in LIMITS], ids=[one[0] for one in LIMITS]
)
def test_each_limit_from_both_sides(good: Block, bad: Block, known: bool) -> None:
    assert not check_blocks([good])
    assert not oracle.objections([good])
    assert check_blocks([bad])
    assert bool(oracle.objections([bad])) is known


@pytest.mark.parametrize(
    "blocks",
    [
        [{"type": "section"}],
        [{"type": "section", "text": words(1), "color": "red"}],
        [{"type": "section", "text": "bare"}],
        [{"type": "section", "text": words(0)}],
        [{"type": "header", "text": words(5)}],
        [{"type": "alert", "text": words(5)}],
        [{"type": "fancy"}],
        ["text"],
        "text",
        [table(2, 2), table(2, 2)],
        [
            {
                "type": "table",
                "rows": [[{"type": "raw_text", "text": "x"}] * 2, [{"type": "raw_text", "text": "x"}]],
            }
        ],
        [{"type": "data_table", "rows": data_table(2)["rows"]}],
        [{"type": "divider", "block_id": "b"}, {"type": "divider", "block_id": "b"}],
        [actions(1, style="red")],
        [{"type": "actions", "elements": [actions()["elements"][0]] * 2}],
        [{"type": "image", "alt_text": "x"}],
        [{"type": "divider"}] * (limits.MESSAGE_BLOCKS + 1),
    ],
)
def test_blocks_that_slack_refuses(blocks: Any) -> None:
    assert check_blocks(blocks)


def test_a_problem_says_where_it_is() -> None:
    (problem,) = check_blocks([{"type": "divider"}, {"type": "section", "text": words(3001)}])
    assert problem == "[ERROR] must be less than 3001 characters [json-pointer:/blocks/1/text/text]"


def test_all_blocks_together_have_a_limit_that_tables_do_not_count_for() -> None:
    section = {"type": "section", "text": words(2800)}
    assert not too_long([section] * 4)
    assert too_long([section] * 5)
    assert not too_long([section] * 4 + [table(10, 10, 90)])


def test_the_library_has_an_opinion_on_what_we_post() -> None:
    for block in (
        actions(),
        menu("overflow", 2),
        menu("static_select", 2),
        feedback(5),
        table(2, 2),
        data_table(2),
    ):
        assert oracle.has_opinion(block)


def view(**more: Any) -> Block:
    """A modal."""
    return {"type": "modal", "title": plain(5), "blocks": [{"type": "section", "text": words(5)}], **more}


INPUT = {
    "type": "input",
    "label": plain(5),
    "element": {"type": "plain_text_input", "action_id": "a"},
}


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (view(title=plain(24)), view(title=plain(25))),
        (view(private_metadata="x" * 3000), view(private_metadata="x" * 3001)),
        (view(callback_id="x" * 255), view(callback_id="x" * 256)),
        (view(blocks=[INPUT], submit=plain(5)), view(blocks=[INPUT])),
        (view(blocks=[{"type": "divider"}] * 100), view(blocks=[{"type": "divider"}] * 101)),
        (view(), view(colour="red")),
        (view(), view(blocks=[table(2, 2)])),
        ({"type": "home", "blocks": [table(2, 2)]}, {"type": "home", "blocks": [feedback(5)]}),
        ({"type": "home", "blocks": [INPUT]}, {"type": "home", "blocks": [], "title": plain(5)}),
    ],
)
def test_views(good: Block, bad: Block) -> None:
    assert not check_view(good)
    assert not oracle.objections(good["blocks"], good["type"])
    assert check_view(bad)
