"""A Reply or a Page as one Slack message: what stands in the channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.page import Page
from bot.render.slack import limits
from bot.render.slack.elements import (
    Element,
    button,
    clean,
    escaped,
    glue,
    linked,
    option,
    plain,
    rich,
    row_of,
    select,
    small,
    words,
)
from bot.render.slack.limits import Block
from bot.render.slack.tables import drawn, told
from bot.reply import Action, ActionName, Part, Reply
from bot.telling.evidence import Evidence
from bot.telling.footnote import Footnote
from bot.telling.missing import Menu
from bot.telling.naming import cut
from bot.wording import Words
from bot.wording import words as catalogue

# The version that stands in each action's ID. Buttons of old messages are pressed years later: an ID
# that was ever sent is never given another meaning.
VERSION = "v1"
EVENT = "smallprint_reply"  # the type of our metadata
NAME = "Smallprint"  # the notification of a message that has no words of its own

FULL_PARTS = 3  # claims told in full in a channel; the next ones with their headline
LEAD = 1_500  # characters said where there is no claim
HEADLINES = 5  # claims told with their headline only
LINKS = 6  # evidence links a claim
MENU_SIZE = 4_000  # characters of all menus of a message together
FOOTNOTE_SIZE = 3_500  # characters of a footnote's sources
CLOSING = 600  # characters of each of its fixed sentences
BUTTON_SIZE = 500  # characters kept free for the button below a page
# What a page holds, from ample to scarce: lines of its table, lines of text, characters of each.
PAGE_STEPS = ((20, 40, limits.TEXT), (10, 20, 1_000), (5, 10, 300), (1, 3, 300))

BUTTONS: tuple[ActionName, ...] = ("details", "chart", "fair", "why")


@dataclass(frozen=True, slots=True)
class Message:
    """What chat.postMessage gets.

    text: for notifications and screen readers, escaped. blocks: Block Kit. metadata: type and
    payload by which the message is found again, {} where it never has to be.
    """

    text: str
    blocks: list[Block]
    metadata: dict[str, Any] = field(default_factory=dict)


def action(name: str) -> str:
    """The action ID of a button or menu as it is sent today."""
    return f"{VERSION}.{name}"


def metadata(reply_id: str) -> dict[str, Any]:
    """What travels with a reply so that it can be found again. It holds our own ID only."""
    return {"event_type": EVENT, "event_payload": {"key": reply_id}}


def message(
    reply: Reply,
    *,
    reply_id: str,
    poster: str | None,
    details: bool = False,
    private: bool = False,
    tables: bool = True,
) -> Message:
    """A Reply as a message that keeps every limit of `limits`.

    poster: who may remove it, and alone sees that button. details: every table line and caveat.
    private: seen by one person only; it has a button to share it. tables: False draws tables as
    text, for a workspace that does not take the block yet. What does not fit is left out from
    the end, and the message says how much that is.
    """
    w = catalogue(reply.language)
    foot = [*footnote(reply.footnote, w), *actions(reply, reply_id, poster, w, private=private)]
    blocks: list[Block] = []
    for full in range(min(FULL_PARTS, len(reply.parts)), -1, -1):
        blocks = [*body(reply, reply_id, w, full, details=details, tables=tables), *foot]
        if limits.fits(blocks):
            break
    return Message(notice(reply), blocks, metadata(reply_id))


def notice(reply: Reply) -> str:
    """The notification's line, and for screen readers what else the first headline says."""
    rest = [reply.parts[0].headline.rest, reply.parts[0].caveat] if reply.parts else []
    return escaped("\n".join(part for part in (reply.fallback, *rest) if part)) or NAME


def body(reply: Reply, reply_id: str, w: Words, full: int, *, details: bool, tables: bool) -> list[Block]:
    """All above the footnote: `full` claims in full, some headlines, and how many more there are."""
    blocks = [rich([words(reply.lead, most=LEAD)])] if reply.lead else []
    said: set[str] = set()
    room = MENU_SIZE
    for number, part in enumerate(reply.parts[:full]):
        blocks += [rich(headline(part))]
        blocks += facts(part, w, said, details=details, tables=tables)
        menu = menu_row(part.menus, f"{reply_id}.{number}", w, room)
        room -= limits.size(menu)
        blocks += menu
    brief = reply.parts[full : full + HEADLINES]
    blocks += [rich([words(part.headline.first, most=300)]) for part in brief]
    if more := len(reply.parts) - full - len(brief):
        blocks.append(small(w.count("slack.more_claims", more)))
    return blocks


def headline(part: Part) -> list[Element]:
    """The verdict word in bold, what follows it, and on the next line what the first has no room for."""
    first, rest = part.headline.first, part.headline.rest
    word = part.headline.word if first.startswith(part.headline.word) else ""
    tail = first[len(word) :]
    runs = [words(word, bold=True)] if word else []
    if tail.strip():
        runs += [glue(" "), words(tail)] if word else [words(tail)]
    return [*runs, glue("\n"), words(rest)] if rest else runs


def facts(part: Part, w: Words, said: set[str], *, details: bool, tables: bool) -> list[Block]:
    """Table, caveats and links of one claim; a caveat that was `said` before is not said again."""
    blocks: list[Block] = []
    if part.table is not None:
        most = len(part.table.lines) if details else part.table.shown
        blocks += (drawn if tables else told)(part.table, w, most)
    below = [*(part.caveats if details else (part.caveat,)), *(part.notes if details else part.notes[:1])]
    fresh = [line for line in dict.fromkeys(below) if line and line not in said]
    said.update(fresh)
    lines: list[Sequence[Element]] = [[words(line)] for line in fresh]
    if links := evidence_line(part.evidence, w):
        lines.append(links)
    return [*blocks, *([rich(*lines)] if lines else [])]


def evidence_line(items: Sequence[Evidence], w: Words) -> list[Element]:
    """The rows behind a claim, each a link to its page on our site, else to where it was published."""
    if not items:
        return []
    shown: list[Element] = [words(w("slack.rows")), glue(" ")]
    for n, item in enumerate(items[:LINKS]):
        shown += [*([glue(" · ")] if n else []), linked(item.label or item.text, item.link)]
    rest = len(items) - LINKS
    return [*shown, glue(" "), words(w.count("slack.more_rows", rest))] if rest > 0 else shown


def menu_row(menus: Sequence[Menu], block_id: str, w: Words, room: int) -> list[Block]:
    """One menu a missing field; the block's ID says which reply it belongs to."""
    found = []
    for menu in menus[: limits.ACTIONS_ELEMENTS]:
        options: list[Element] = []
        for choice in menu.choices:
            one = option(choice.label, choice.value)
            if not 1 <= len(choice.value) <= limits.OPTION_VALUE or len(options) == limits.OPTIONS:
                continue
            if limits.size(one) > room:
                break
            room -= limits.size(one)
            options.append(one)
        if options:
            rest = len(menu.choices) - len(options)
            label = w("slack.choose", label=menu.label)
            label = f"{label} {w.count('slack.more_choices', rest)}" if rest else label
            found.append(select(cut(action(f"choose.{menu.field}"), limits.IDENTIFIER), label, options))
    return [row_of(*found, block_id=cut(block_id, limits.IDENTIFIER))] if found else []


def footnote(note: Footnote, w: Words) -> list[Block]:
    """The footnote as text of the message: never behind a button, never in a picture."""
    if not note.text:
        return []
    shown: list[str] = []
    for source in note.sources:
        if shown and sum(map(len, shown)) + len(source) > FOOTNOTE_SIZE:
            break
        shown.append(clean(source, FOOTNOTE_SIZE - 500))
    rest = len(note.sources) - len(shown)
    more = w.count("slack.more_sources", rest) if rest else ""
    closing = " ".join(
        clean(part, CLOSING) for part in (more, note.method, note.unverified, note.trademark) if part
    )
    first = " ".join(shown)
    if len(first) + 1 + len(closing) <= limits.TEXT:
        return [small(f"{first} {closing}")]
    return [small(*shown[: limits.CONTEXT_ELEMENTS - 1], closing)]


def actions(reply: Reply, reply_id: str, poster: str | None, w: Words, *, private: bool) -> list[Block]:
    """Buttons below a reply; whether it helped, and for the poster alone a way to take it away."""
    have = {one.name: one for one in reply.actions}
    found = [button(have[name].label, action(name), reply_id) for name in BUTTONS if name in have]
    if private:
        # A chart would be seen by all: it comes with the answer once that is shared.
        found = [one for one in found if one["action_id"] != action("chart")]
        return [row_of(*found, button(w("slack.share"), action("share"), reply_id))]
    rest = [*feedback(have, reply_id), *removal(have, reply_id, poster)]
    return [
        *([row_of(*found)] if found else []),
        *([{"type": "context_actions", "elements": rest}] if rest else []),
    ]


def feedback(have: dict[ActionName, Action], reply_id: str) -> list[Element]:
    """The pair of buttons that says whether a reply helped."""
    if "helpful" not in have or "not_helpful" not in have:
        return []

    def one(name: ActionName) -> Element:
        label = have[name].label
        return {
            "text": plain(label, limits.BUTTON_LABEL),
            "accessibility_label": clean(label, limits.BUTTON_LABEL),
            # Both buttons share an action ID, so the value has to say which one it was.
            "value": f"{name}.{reply_id}",
        }

    return [
        {
            "type": "feedback_buttons",
            "action_id": action("feedback"),
            "positive_button": one("helpful"),
            "negative_button": one("not_helpful"),
        }
    ]


def removal(have: dict[ActionName, Action], reply_id: str, poster: str | None) -> list[Element]:
    """The bin, for the poster's eyes only; a reply to nobody has none."""
    if "remove" not in have or not poster:
        return []
    label = have["remove"].label
    return [
        {
            "type": "icon_button",
            "icon": "trash",
            "text": plain(label, limits.BUTTON_LABEL),
            "accessibility_label": clean(label, limits.BUTTON_LABEL),
            "action_id": action("remove"),
            "value": reply_id,
            "visible_to_user_ids": [poster],
        }
    ]


def page(page: Page, *, tables: bool = True, reply_id: str = "", more: bool = False) -> Message:
    """A Page as a message. reply_id: by which it is found again; `more`: there is more of it to open."""
    blocks = page_blocks(page, tables=tables)
    if more:
        label = catalogue(page.language)("digest.all")
        blocks = [*blocks, row_of(button(label, action("details"), reply_id))]
    found = metadata(reply_id) if reply_id else {}
    return Message(escaped(page.fallback) or NAME, blocks, found)


def page_blocks(page: Page, *, tables: bool = True) -> list[Block]:
    """A Page's title, lines, table and footnote, cut from the end of its table where it is too long."""
    w = catalogue(page.language)
    lines = [line for line in page.lines if clean(line)]
    above = rich([words(page.title, bold=True, most=300)])
    foot = footnote(page.footnote, w) if page.footnote else []
    blocks: list[Block] = []
    for most, texts, length in PAGE_STEPS:
        told_lines = [[words(line, bold=line in page.heads, most=length)] for line in lines[:texts]]
        if more := len(lines) - len(told_lines):
            told_lines.append([words(w.count("slack.more_lines", more))])
        blocks = [above, *([rich(*told_lines)] if told_lines else [])]
        if page.table:
            blocks += (drawn if tables else told)(page.table, w, most)
        blocks += foot
        if limits.fits(blocks, spare=BUTTON_SIZE):
            break
    return blocks
