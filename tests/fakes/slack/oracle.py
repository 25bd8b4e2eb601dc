"""A second opinion on blocks, from a library that knows Slack's limits independently of `limits.py`.

`slackblocks` raises when a block that it builds breaks a limit. Its own parser leaves out nested elements,
so that blocks are built here from their JSON; what it does not model is left to `blockkit.py` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import slackblocks
from slackblocks import InvalidUsageError

Part = dict[str, Any]


def text(part: Part) -> Any:
    """A text object."""
    return slackblocks.Text(part["text"], type_=slackblocks.TextType(part["type"]))


def option(part: Part) -> Any:
    """An entry of a menu."""
    description = part.get("description")
    return slackblocks.Option(
        text=text(part["text"]), value=part["value"], description=description and text(description)
    )


def feedback(part: Part) -> Any:
    """One of two feedback buttons."""
    return slackblocks.FeedbackButton(
        text=text(part["text"]), value=part["value"], accessibility_label=part.get("accessibility_label")
    )


ELEMENTS: dict[str, Callable[[Part], Any]] = {
    "button": lambda part: slackblocks.Button(
        text=text(part["text"]),
        action_id=part.get("action_id", "none"),
        url=part.get("url"),
        value=part.get("value"),
        accessibility_label=part.get("accessibility_label"),
    ),
    "overflow": lambda part: slackblocks.OverflowMenu(
        action_id=part["action_id"], options=[option(one) for one in part["options"]]
    ),
    "static_select": lambda part: slackblocks.StaticSelectMenu(
        action_id=part["action_id"],
        placeholder=text(part["placeholder"]),
        options=[option(one) for one in part["options"]],
    ),
    "feedback_buttons": lambda part: slackblocks.FeedbackButtons(
        feedback(part["positive_button"]), feedback(part["negative_button"]), part.get("action_id")
    ),
    "icon_button": lambda part: slackblocks.IconButton(
        text=text(part["text"]),
        action_id=part.get("action_id"),
        value=part.get("value"),
        accessibility_label=part.get("accessibility_label"),
        visible_to_user_ids=part.get("visible_to_user_ids"),
    ),
}


def element(part: Part) -> Any:
    """An interactive element. Raises NotImplementedError for what the library is not asked about."""
    build = ELEMENTS.get(part["type"])
    if build is None or (part["type"] == "static_select" and not {"options", "placeholder"} <= part.keys()):
        raise NotImplementedError(part["type"])
    return build(part)


def cell(part: Part) -> Any:
    """A cell of a table of plain texts."""
    if part["type"] != "raw_text":
        raise NotImplementedError(part["type"])
    return slackblocks.RawText(part["text"])


def rows(part: Part) -> list[list[Any]]:
    """The cells of a table."""
    return [[cell(one) for one in row] for row in part["rows"]]


def section(part: Part) -> Any:
    """A section, with its accessory."""
    return slackblocks.SectionBlock(
        text=text(part["text"]) if "text" in part else None,
        fields=[text(one) for one in part["fields"]] if "fields" in part else None,
        accessory=element(part["accessory"]) if "accessory" in part else None,
        block_id=part.get("block_id"),
    )


BLOCKS: dict[str, Callable[[Part], Any]] = {
    "section": section,
    "actions": lambda part: slackblocks.ActionsBlock([element(one) for one in part["elements"]]),
    "context_actions": lambda part: slackblocks.ContextActionsBlock(
        [element(one) for one in part["elements"]]
    ),
    "table": lambda part: slackblocks.TableBlock(rows(part)),
    "data_table": lambda part: slackblocks.DataTableBlock(
        rows(part), part["caption"], part.get("page_size", 5), part.get("row_header_column_index", 0)
    ),
}


SURFACES: dict[str, Callable[[list[Any]], Any]] = {
    "message": lambda blocks: slackblocks.Message(channel="C1", text="text", blocks=blocks),
    "modal": lambda blocks: slackblocks.ModalView(title="title", submit="submit", blocks=blocks),
    "home": slackblocks.HomeTabView,
}


def build_block(part: Part) -> Any:
    """A block of the library. Raises InvalidUsageError (a broken limit) or NotImplementedError."""
    build = BLOCKS.get(part["type"])
    return build(part) if build else slackblocks.Block.from_dict(part)


def objections(blocks: list[Part], surface: str = "message") -> list[str]:
    """What the library objects to in blocks whose form is right; where it has no opinion, nothing."""
    found, built = [], []
    for place, part in enumerate(blocks):
        try:
            built.append(build_block(part))
        except InvalidUsageError as error:
            found.append(f"[ERROR] slackblocks: {error} [json-pointer:/blocks/{place}]")
        except NotImplementedError:
            continue
    if built and not found:
        try:
            SURFACES[surface](built)
        except InvalidUsageError as error:
            found.append(f"[ERROR] slackblocks: {error} [json-pointer:/blocks]")
    return found


def has_opinion(part: Part) -> bool:
    """Whether the library models a block at all."""
    try:
        build_block(part)
    except NotImplementedError:
        return False
    except InvalidUsageError:
        return True
    return True
