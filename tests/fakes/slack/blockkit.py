"""Block Kit, checked as strictly as Slack does: what is wrong with a list of blocks, and where.

A check takes a value, its JSON pointer and the list that problems are written to. Unknown keys are problems
too: Slack refuses them, while its client libraries only warn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.fakes.slack import limits

Problems = list[str]
Check = Callable[[Any, str, Problems], None]


def problem(problems: Problems, pointer: str, words: str) -> None:
    """Write down a problem in the form of Slack's response_metadata."""
    problems.append(f"[ERROR] {words} [json-pointer:{pointer}]")


def string(most: int, least: int = 1) -> Check:
    """A string of `least` to `most` characters."""

    def check(value: Any, pointer: str, problems: Problems) -> None:
        if not isinstance(value, str):
            problem(problems, pointer, "must be a string")
        elif len(value) > most:
            problem(problems, pointer, f"must be less than {most + 1} characters")
        elif len(value) < least:
            problem(problems, pointer, f"must be more than {least - 1} characters")

    return check


def one_of(*allowed: Any) -> Check:
    """One of a few values."""

    def check(value: Any, pointer: str, problems: Problems) -> None:
        if value not in allowed:
            problem(problems, pointer, f"must be one of {allowed}")

    return check


def number(least: int, most: int) -> Check:
    """A whole number of a range."""

    def check(value: Any, pointer: str, problems: Problems) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            problem(problems, pointer, f"must be a whole number from {least} to {most}")

    return check


def figure(value: Any, pointer: str, problems: Problems) -> None:
    """Any number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        problem(problems, pointer, "must be a number")


def flag(value: Any, pointer: str, problems: Problems) -> None:
    """True or false."""
    if not isinstance(value, bool):
        problem(problems, pointer, "must be a boolean")


def items(check_one: Check, most: int, least: int = 1) -> Check:
    """A list of `least` to `most` things that `check_one` likes."""

    def check(value: Any, pointer: str, problems: Problems) -> None:
        if not isinstance(value, list):
            problem(problems, pointer, "must be an array")
            return
        if len(value) > most:
            problem(problems, pointer, f"no more than {most} items allowed")
        if len(value) < least:
            problem(problems, pointer, f"must have at least {least} items")
        for place, one in enumerate(value):
            check_one(one, f"{pointer}/{place}", problems)

    return check


def shape(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    """An object with these keys and no others (its own `type` aside)."""
    every = {**required, **(optional or {})}

    def check(value: Any, pointer: str, problems: Problems) -> None:
        if not isinstance(value, dict):
            problem(problems, pointer, "must be an object")
            return
        for key in required.keys() - value.keys():
            problem(problems, pointer, f"missing required field: {key}")
        for key in value.keys() - every.keys() - {"type"}:
            problem(problems, f"{pointer}/{key}", "unexpected field")
        for key in every.keys() & value.keys():
            every[key](value[key], f"{pointer}/{key}", problems)

    return check


def typed(kinds: dict[str, Check], what: str) -> Check:
    """An object whose `type` is one of `kinds`."""

    def check(value: Any, pointer: str, problems: Problems) -> None:
        kind = value.get("type") if isinstance(value, dict) else None
        if kind not in kinds:
            problem(problems, pointer, f"unsupported {what}: {kind!r}")
            return
        kinds[kind](value, pointer, problems)

    return check


def text(most: int, *kinds: str) -> Check:
    """A text object of at most `most` characters; of both kinds unless told."""
    plain = shape({"text": string(most)}, {"emoji": flag})
    marked = shape({"text": string(most)}, {"verbatim": flag})
    both = {"plain_text": plain, "mrkdwn": marked}
    return typed({kind: both[kind] for kind in kinds or both}, "text object")


def plain_text(most: int) -> Check:
    """A text object without markup."""
    return text(most, "plain_text")


ACTION_ID = string(limits.ACTION_ID)
CONFIRM = shape(
    {
        "title": plain_text(limits.CONFIRM_TITLE),
        "text": text(limits.CONFIRM_TEXT),
        "confirm": plain_text(limits.CONFIRM_BUTTON),
        "deny": plain_text(limits.CONFIRM_BUTTON),
    },
    {"style": one_of("primary", "danger")},
)


def option(*kinds: str) -> Check:
    """An entry of a menu."""
    return shape(
        {"text": text(limits.OPTION_TEXT, *kinds), "value": string(limits.OPTION_VALUE)},
        {"description": text(limits.OPTION_DESCRIPTION), "url": string(limits.BUTTON_URL)},
    )


OPTION = option("plain_text")
OPTIONS = items(OPTION, limits.SELECT_OPTIONS)
GROUPS = items(
    shape({"label": plain_text(limits.OPTION_TEXT), "options": OPTIONS}),
    limits.SELECT_OPTIONS,
)
ANY_MENU: dict[str, Check] = {
    "action_id": ACTION_ID,
    "placeholder": plain_text(limits.PLACEHOLDER),
    "confirm": CONFIRM,
    "focus_on_load": flag,
}
FEEDBACK_BUTTON = shape(
    {"text": plain_text(limits.BUTTON_TEXT), "value": string(limits.BUTTON_VALUE)},
    {"accessibility_label": string(limits.ACCESSIBILITY_LABEL)},
)
WHOLE_ID = string(limits.BLOCK_ID)

ELEMENTS: dict[str, Check] = {
    "button": shape(
        {"text": plain_text(limits.BUTTON_TEXT)},
        {
            "action_id": ACTION_ID,
            "value": string(limits.BUTTON_VALUE),
            "url": string(limits.BUTTON_URL),
            "style": one_of("primary", "danger"),
            "confirm": CONFIRM,
            "accessibility_label": string(limits.ACCESSIBILITY_LABEL),
        },
    ),
    "feedback_buttons": shape(
        {"positive_button": FEEDBACK_BUTTON, "negative_button": FEEDBACK_BUTTON}, {"action_id": ACTION_ID}
    ),
    "icon_button": shape(
        {"icon": one_of("trash"), "text": plain_text(limits.BUTTON_TEXT)},
        {
            "action_id": ACTION_ID,
            "value": string(limits.BUTTON_VALUE),
            "confirm": CONFIRM,
            "accessibility_label": string(limits.ACCESSIBILITY_LABEL),
            "visible_to_user_ids": items(string(limits.BLOCK_ID), limits.VISIBLE_TO_USERS),
        },
    ),
    "static_select": shape(
        {}, {**ANY_MENU, "options": OPTIONS, "option_groups": GROUPS, "initial_option": OPTION}
    ),
    "multi_static_select": shape(
        {},
        {
            **ANY_MENU,
            "options": OPTIONS,
            "option_groups": GROUPS,
            "initial_options": OPTIONS,
            "max_selected_items": number(1, limits.SELECT_OPTIONS),
        },
    ),
    "overflow": shape(
        {"options": items(OPTION, limits.OVERFLOW_OPTIONS)}, {"action_id": ACTION_ID, "confirm": CONFIRM}
    ),
    "checkboxes": shape(
        {"options": items(option(), limits.CHOICE_OPTIONS)},
        {
            "action_id": ACTION_ID,
            "initial_options": items(option(), limits.CHOICE_OPTIONS),
            "confirm": CONFIRM,
            "focus_on_load": flag,
        },
    ),
    "radio_buttons": shape(
        {"options": items(option(), limits.CHOICE_OPTIONS)},
        {"action_id": ACTION_ID, "initial_option": option(), "confirm": CONFIRM, "focus_on_load": flag},
    ),
    "plain_text_input": shape(
        {},
        {
            **ANY_MENU,
            "initial_value": string(limits.TEXT_INPUT, 0),
            "multiline": flag,
            "min_length": number(0, limits.TEXT_INPUT),
            "max_length": number(1, limits.TEXT_INPUT),
            "dispatch_action_config": shape(
                {}, {"trigger_actions_on": items(one_of("on_enter_pressed", "on_character_entered"), 2)}
            ),
        },
    ),
    "timepicker": shape({}, {**ANY_MENU, "initial_time": string(5), "timezone": string(100)}),
    "datepicker": shape({}, {**ANY_MENU, "initial_date": string(10)}),
    "channels_select": shape({}, {**ANY_MENU, "initial_channel": WHOLE_ID, "response_url_enabled": flag}),
    "conversations_select": shape(
        {},
        {
            **ANY_MENU,
            "initial_conversation": WHOLE_ID,
            "default_to_current_conversation": flag,
            "response_url_enabled": flag,
            "filter": shape(
                {},
                {
                    "include": items(one_of("im", "mpim", "private", "public"), 4),
                    "exclude_external_shared_channels": flag,
                    "exclude_bot_users": flag,
                },
            ),
        },
    ),
    "users_select": shape({}, {**ANY_MENU, "initial_user": WHOLE_ID}),
    "multi_channels_select": shape(
        {}, {**ANY_MENU, "initial_channels": items(WHOLE_ID, 100), "max_selected_items": number(1, 100)}
    ),
    "multi_conversations_select": shape(
        {}, {**ANY_MENU, "initial_conversations": items(WHOLE_ID, 100), "max_selected_items": number(1, 100)}
    ),
    "multi_users_select": shape(
        {}, {**ANY_MENU, "initial_users": items(WHOLE_ID, 100), "max_selected_items": number(1, 100)}
    ),
    "image": shape(
        {"alt_text": string(limits.ALT_TEXT)},
        {
            "image_url": string(limits.IMAGE_URL),
            "slack_file": shape({}, {"id": WHOLE_ID, "url": string(3000)}),
        },
    ),
}
BUTTONS = {"button"}
MENUS = {name for name in ELEMENTS if name.endswith("_select")} | {"overflow", "timepicker", "datepicker"}
CHOICES = {"checkboxes", "radio_buttons"}


def element(names: set[str]) -> Check:
    """An element of one of these types."""
    return typed({name: ELEMENTS[name] for name in names}, "element")


STYLE = shape({}, dict.fromkeys(("bold", "italic", "strike", "code", "underline"), flag))
RICH_PARTS: dict[str, Check] = {
    "text": shape({"text": string(limits.SECTION_TEXT)}, {"style": STYLE}),
    "link": shape(
        {"url": string(limits.BUTTON_URL)},
        {"text": string(limits.SECTION_TEXT), "style": STYLE, "unsafe": flag},
    ),
    "emoji": shape({"name": string(limits.BLOCK_ID)}, {"unicode": string(100), "style": STYLE}),
    "user": shape({"user_id": WHOLE_ID}, {"style": STYLE}),
    "channel": shape({"channel_id": WHOLE_ID}, {"style": STYLE}),
    "date": shape(
        {"timestamp": figure, "format": string(255)},
        {"url": string(3000), "fallback": string(255), "style": STYLE},
    ),
    "broadcast": shape({"range": one_of("here", "channel", "everyone")}),
}
RICH_PART = typed(RICH_PARTS, "rich text element")
RICH_SECTION = shape({"elements": items(RICH_PART, 1000, 0)})
RICH_TEXT = shape(
    {
        "elements": items(
            typed(
                {
                    "rich_text_section": RICH_SECTION,
                    "rich_text_quote": shape({"elements": items(RICH_PART, 1000)}, {"border": number(0, 1)}),
                    "rich_text_preformatted": shape(
                        {"elements": items(RICH_PART, 1000)}, {"border": number(0, 1), "language": string(50)}
                    ),
                    "rich_text_list": shape(
                        {
                            "elements": items(typed({"rich_text_section": RICH_SECTION}, "list item"), 1000),
                            "style": one_of("bullet", "ordered"),
                        },
                        {"indent": number(0, 8), "offset": number(0, 1000), "border": number(0, 1)},
                    ),
                },
                "rich text object",
            ),
            1000,
        )
    },
    {"block_id": WHOLE_ID},
)
CELL: dict[str, Check] = {"raw_text": shape({"text": string(limits.TABLE_TEXT)}), "rich_text": RICH_TEXT}
NUMBER_CELL = shape({"value": figure}, {"text": string(255)})
ALIGN = shape({}, {"align": one_of("left", "center", "right"), "is_wrapped": flag})
POINTS = items(shape({"label": string(limits.CHART_LABEL), "value": figure}), limits.CHART_CATEGORIES)
AXIS = shape(
    {"categories": items(string(limits.CHART_LABEL), limits.CHART_CATEGORIES)},
    {"x_label": string(limits.AXIS_LABEL), "y_label": string(limits.AXIS_LABEL)},
)
SERIES_CHART = shape(
    {
        "series": items(shape({"name": string(limits.CHART_LABEL), "data": POINTS}), limits.CHART_SERIES),
        "axis_config": AXIS,
    }
)
CHART = typed(
    {
        "bar": SERIES_CHART,
        "line": SERIES_CHART,
        "area": SERIES_CHART,
        "pie": shape(
            {
                "segments": items(
                    shape({"label": string(limits.CHART_LABEL), "value": figure}), limits.CHART_SERIES
                )
            }
        ),
    },
    "chart",
)


def block(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    """A block: an object that may have a block_id."""
    return shape(required, {"block_id": WHOLE_ID, **(optional or {})})


ALWAYS: dict[str, Check] = {
    "section": block(
        {},
        {
            "text": text(limits.SECTION_TEXT),
            "fields": items(text(limits.SECTION_FIELD_TEXT), limits.SECTION_FIELDS),
            "accessory": element(BUTTONS | MENUS | CHOICES | {"image"}),
            "expand": flag,
        },
    ),
    "header": block({"text": plain_text(limits.HEADER_TEXT)}, {"level": number(1, 4)}),
    "divider": block({}),
    "context": block(
        {
            "elements": items(
                typed(
                    {
                        "image": ELEMENTS["image"],
                        "mrkdwn": text(limits.SECTION_TEXT),
                        "plain_text": text(limits.SECTION_TEXT),
                    },
                    "element",
                ),
                limits.CONTEXT_ELEMENTS,
            )
        }
    ),
    "actions": block({"elements": items(element(BUTTONS | MENUS | CHOICES), limits.ACTIONS_ELEMENTS)}),
    "image": block(
        {"alt_text": string(limits.ALT_TEXT)},
        {
            "image_url": string(limits.IMAGE_URL),
            "slack_file": shape({}, {"id": WHOLE_ID, "url": string(limits.IMAGE_URL)}),
            "title": plain_text(limits.IMAGE_TITLE),
        },
    ),
    "input": block(
        {
            "label": plain_text(limits.INPUT_LABEL),
            "element": element((MENUS | CHOICES | {"plain_text_input"}) - {"overflow"}),
        },
        {"hint": plain_text(limits.INPUT_HINT), "optional": flag, "dispatch_action": flag},
    ),
    "rich_text": RICH_TEXT,
}
IN_MESSAGES: dict[str, Check] = {
    "context_actions": block(
        {"elements": items(element({"feedback_buttons", "icon_button"}), limits.CONTEXT_ACTIONS_ELEMENTS)}
    ),
    "markdown": block({"text": string(limits.MARKDOWN_TEXT)}),
    "table": block(
        {"rows": items(items(typed(CELL, "cell"), limits.TABLE_COLUMNS), limits.TABLE_ROWS)},
        {"column_settings": items(ALIGN, limits.TABLE_COLUMNS)},
    ),
    "data_table": block(
        {
            "rows": items(
                items(typed({**CELL, "raw_number": NUMBER_CELL}, "cell"), limits.DATA_TABLE_COLUMNS),
                limits.DATA_TABLE_ROWS,
                2,
            ),
            "caption": string(limits.SECTION_TEXT),
        },
        {
            "page_size": number(1, limits.DATA_TABLE_PAGE),
            "row_header_column_index": number(0, limits.DATA_TABLE_COLUMNS - 1),
        },
    ),
    "data_visualization": block({"title": string(limits.CHART_TITLE), "chart": CHART}),
}
# docs.slack.dev/reference/block-kit/blocks names the surfaces of each block: no tables in modals.
IN_MODALS: dict[str, Check] = {
    "alert": block({"text": text(200)}, {"level": one_of("default", "info", "success", "warning", "error")}),
}
IN_HOME: dict[str, Check] = {
    name: IN_MESSAGES[name] for name in ("table", "data_table", "data_visualization")
}
SURFACES: dict[str, Check] = {
    "message": typed({**ALWAYS, **IN_MESSAGES}, "block"),
    "modal": typed({**ALWAYS, **IN_MODALS}, "block"),
    "home": typed({**ALWAYS, **IN_HOME}, "block"),
}
INTERACTIVE = set(ELEMENTS) - {"image"}
# Their text has limits of its own, and is not counted among that of all blocks.
COUNTED_APART = {"table", "data_table", "data_visualization"}


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside of a value, outermost first."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(one)


def characters(value: Any) -> int:
    """The length of all texts inside of a value."""
    return sum(len(one["text"]) for one in objects(value) if isinstance(one.get("text"), str))


def check_section(one: dict[str, Any], pointer: str, problems: Problems) -> None:
    """A section has a text or fields."""
    if "text" not in one and "fields" not in one:
        problem(problems, pointer, "a section needs text or fields")


def check_table(one: dict[str, Any], pointer: str, problems: Problems) -> None:
    """The rows of a table are of one length, its text within the limit."""
    rows = one.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return
    if len({len(row) for row in rows}) > 1:
        problem(problems, pointer, "all rows must have the same number of cells")
    most = limits.TABLE_TEXT if one["type"] == "table" else limits.DATA_TABLE_TEXT
    if characters(rows) > most:
        problem(problems, f"{pointer}/rows", f"more than {most} characters")


def check_chart(one: dict[str, Any], pointer: str, problems: Problems) -> None:
    """Every series of a chart has one point for each category, in their order."""
    chart = one.get("chart")
    if not isinstance(chart, dict) or chart.get("type") == "pie" or problems:
        return
    categories = chart["axis_config"]["categories"]
    for place, series in enumerate(chart["series"]):
        if [point["label"] for point in series["data"]] != categories:
            problem(problems, f"{pointer}/chart/series/{place}", "must have a point for each category")


def check_image(one: dict[str, Any], pointer: str, problems: Problems) -> None:
    """An image comes from one place."""
    if ("image_url" in one) == ("slack_file" in one):
        problem(problems, pointer, "an image needs either image_url or slack_file")


def check_menu(one: dict[str, Any], pointer: str, problems: Problems) -> None:
    """A menu has options or groups of them."""
    if ("options" in one) == ("option_groups" in one):
        problem(problems, pointer, "a menu needs either options or option_groups")


FURTHER: dict[str, Check] = {
    "section": check_section,
    "table": check_table,
    "data_table": check_table,
    "data_visualization": check_chart,
    "image": check_image,
    "static_select": check_menu,
    "multi_static_select": check_menu,
}


def check_together(blocks: list[dict[str, Any]], problems: Problems) -> None:
    """What holds for all blocks of a surface: IDs are unique, and some blocks may come only so often."""
    kinds = [one["type"] for one in blocks]
    ids = [one["block_id"] for one in blocks if one.get("block_id")]
    if len(ids) != len(set(ids)):
        problem(problems, "/blocks", "block_id must be unique")
    for place, one in enumerate(blocks):
        actions = [part["action_id"] for part in objects(one) if isinstance(part.get("action_id"), str)]
        if len(actions) != len(set(actions)):
            problem(problems, f"/blocks/{place}", "action_id must be unique in a block")
    if kinds.count("table") > limits.TABLES:
        problem(problems, "/blocks", "only_one_table_allowed")
    if kinds.count("data_visualization") > limits.CHARTS:
        problem(problems, "/blocks", f"no more than {limits.CHARTS} data_visualization blocks")
    if sum(len(one["text"]) for one in blocks if one["type"] == "markdown") > limits.MARKDOWN_TEXT:
        problem(problems, "/blocks", f"markdown of more than {limits.MARKDOWN_TEXT} characters")


def check_blocks(blocks: Any, surface: str = "message") -> Problems:
    """What Slack would object to in `blocks` on a surface ("message", "modal", "home")."""
    problems: Problems = []
    most = limits.MESSAGE_BLOCKS if surface == "message" else limits.VIEW_BLOCKS
    items(SURFACES[surface], most, 0)(blocks, "/blocks", problems)
    if problems:
        return problems
    for place, one in enumerate(blocks):
        for part in objects(one):
            further = FURTHER.get(str(part.get("type")))
            if further is not None:
                further(part, f"/blocks/{place}", problems)
    if not problems:
        check_together(blocks, problems)
    return problems


def too_long(blocks: list[dict[str, Any]]) -> bool:
    """Whether all blocks together are longer than Slack takes (msg_blocks_too_long)."""
    counted = [one for one in blocks if one["type"] not in COUNTED_APART]
    return characters(counted) > limits.BLOCKS_TEXT


def check_view(view: Any) -> Problems:
    """What Slack would object to in a view."""
    common: dict[str, Check] = {
        "private_metadata": string(limits.PRIVATE_METADATA, 0),
        "callback_id": string(limits.CALLBACK_ID),
        "external_id": string(limits.CALLBACK_ID, 0),
        "blocks": lambda value, pointer, problems: None,
    }
    modal: dict[str, Check] = {
        **common,
        "title": plain_text(limits.VIEW_TITLE),
        "submit": plain_text(limits.VIEW_TITLE),
        "close": plain_text(limits.VIEW_TITLE),
        "clear_on_close": flag,
        "notify_on_close": flag,
    }
    kinds = {
        "modal": shape({"title": modal["title"], "blocks": modal["blocks"]}, modal),
        "home": shape({}, common),
    }
    problems: Problems = []
    typed(kinds, "view")(view, "/view", problems)
    if problems:
        return problems
    problems = check_blocks(view.get("blocks"), view["type"])
    inputs = not problems and any(one["type"] == "input" for one in view["blocks"])
    if view["type"] == "modal" and inputs and "submit" not in view:
        problem(problems, "/view/submit", "a modal with an input needs a submit button")
    return problems
