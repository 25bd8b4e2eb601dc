"""Slack's limits, each once and with its source, and a reader that says where blocks break them.

Sources: (B) docs.slack.dev/reference/block-kit, checked against the models of slack_sdk and the
table of slackblocks 3; (T) docs.slack.dev/reference/block-kit/blocks/table-block and
data-table-block; (P) docs.slack.dev/reference/methods/chat.postMessage; (I) the public threads
slackapi/bolt-js 2509 and 2867. Where two sources differ, the smaller figure stands here.
Lengths are characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

Block = dict[str, Any]
Surface = Literal["message", "modal", "home"]

MESSAGE_BLOCKS = 50  # B
VIEW_BLOCKS = 100  # B, modal and Home
# No document names the limit of all blocks together; from about 12,000 characters on Slack answers
# msg_blocks_too_long (I). All strings count here, also identifiers.
TOGETHER = 10_000
TEXT = 3_000  # B, a text object, and what we put into one piece of rich text
MESSAGE_TEXT = 4_000  # P, the recommended length; from 40,000 on Slack cuts it
CONTEXT_ELEMENTS = 10  # B
ACTIONS_ELEMENTS = 25  # B
CONTEXT_ACTIONS_ELEMENTS = 5  # B
BUTTON_LABEL = 75  # B
BUTTON_VALUE = 2_000  # B
IDENTIFIER = 255  # B, action_id, block_id, callback_id
URL = 3_000  # B
OPTIONS = 100  # B
OPTION_LABEL = 75  # B
OPTION_VALUE = 150  # B
PLACEHOLDER = 150  # B
VISIBLE_TO = 10  # B, icon_button
TABLE_LINES = 100  # T, without the head
TABLE_COLUMNS = 20  # T
TABLE_CHARACTERS = 10_000  # T, the older of the two tables; the newer one takes 20,000
PAGE_SIZE = 100  # T
VIEW_TITLE = 24  # B, title, submit, close
PRIVATE_METADATA = 3_000  # B
ALT_TEXT = 1_000  # docs.slack.dev/reference/methods/files.getUploadURLExternal
HEADER = 150  # B
INPUT_LABEL = 2_000  # B

# Which blocks a surface takes (B).
_EVERYWHERE = frozenset(("actions", "context", "divider", "header", "input", "rich_text", "section"))
SURFACES: dict[Surface, frozenset[str]] = {
    "message": _EVERYWHERE | {"context_actions", "data_table"},
    "modal": _EVERYWHERE,
    "home": _EVERYWHERE | {"data_table"},
}

_LENGTHS = {
    "action_id": IDENTIFIER,
    "block_id": IDENTIFIER,
    "callback_id": IDENTIFIER,
    "url": URL,
    "accessibility_label": BUTTON_LABEL,
}
_COUNTS = {
    "actions": ACTIONS_ELEMENTS,
    "context": CONTEXT_ELEMENTS,
    "context_actions": CONTEXT_ACTIONS_ELEMENTS,
}
_LABELLED = ("button", "icon_button")


def size(value: object) -> int:
    """The characters of all strings in blocks, the measure of `TOGETHER`."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(size(item) for item in value.values())
    if isinstance(value, list | tuple):
        return sum(size(item) for item in value)
    return 0


def fits(blocks: Sequence[Block], *, spare: int = 0) -> bool:
    """Whether the blocks go into one message, with `spare` characters and a block left over."""
    return len(blocks) + bool(spare) <= MESSAGE_BLOCKS and size(blocks) + spare <= TOGETHER


def faults(blocks: Sequence[Block], surface: Surface = "message") -> list[str]:
    """Where blocks break a limit, in words; empty where they keep them all."""
    found = []
    if len(blocks) > (MESSAGE_BLOCKS if surface == "message" else VIEW_BLOCKS):
        found.append(f"{len(blocks)} blocks")
    if surface == "message" and size(blocks) > TOGETHER:
        found.append(f"{size(blocks)} characters in all")
    for block in blocks:
        if block["type"] not in SURFACES[surface]:
            found.append(f"{block['type']} in a {surface}")
        if len(block.get("elements", ())) > _COUNTS.get(block["type"], len(block.get("elements", ()))):
            found.append(f"{block['type']} with {len(block['elements'])} elements")
        if block["type"] == "data_table":
            found += _table_faults(block)
        for node in nodes(block):
            found += _node_faults(node)
    return found


def nodes(value: object) -> Iterator[dict[str, Any]]:
    """Every object inside of blocks, the outermost first."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from nodes(item)
    elif isinstance(value, list):
        for item in value:
            yield from nodes(item)


def _node_faults(node: dict[str, Any]) -> Iterator[str]:
    for key, most in _LENGTHS.items():
        if len(node.get(key) or "") > most:
            yield f"{key} of {len(node[key])} characters"
    kind = node.get("type")
    if isinstance(node.get("text"), str) and not 1 <= len(node["text"]) <= TEXT:
        yield f"text of {len(node['text'])} characters"
    if kind in _LABELLED and len(node["text"]["text"]) > BUTTON_LABEL:
        yield f"label of {len(node['text']['text'])} characters"
    if kind in _LABELLED and len(node.get("value", "")) > BUTTON_VALUE:
        yield f"value of {len(node['value'])} characters"
    if len(node.get("visible_to_user_ids", ())) > VISIBLE_TO:
        yield "visible to too many"
    if kind == "static_select":
        yield from _select_faults(node)


def _select_faults(node: dict[str, Any]) -> Iterator[str]:
    if not 1 <= len(node["options"]) <= OPTIONS:
        yield f"{len(node['options'])} options"
    if len(node["placeholder"]["text"]) > PLACEHOLDER:
        yield "placeholder too long"
    for option in node["options"]:
        if len(option["text"]["text"]) > OPTION_LABEL or len(option["value"]) > OPTION_VALUE:
            yield f"option {option['value']!r} too long"


def _table_faults(block: Block) -> Iterator[str]:
    rows = block["rows"]
    if not 2 <= len(rows) <= TABLE_LINES + 1:
        yield f"table of {len(rows)} rows"
    if len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= TABLE_COLUMNS:
        yield "table with uneven or too many columns"
    if sum(size(cell["text"]) for row in rows for cell in row) > TABLE_CHARACTERS:
        yield "table too long"
    if not block["caption"]:
        yield "table without a caption"
