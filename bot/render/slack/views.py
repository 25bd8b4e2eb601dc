"""What opens over a channel (modals), and the app's Home: Slack's views, as plain dictionaries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from bot.page import Page
from bot.preferences import Preferences, Scope, scopes_of, typed
from bot.render.slack import limits
from bot.render.slack.elements import (
    Element,
    address,
    button,
    clean,
    copyable,
    escaped,
    option,
    plain,
    rich,
    row_of,
    select,
    small,
    title,
    words,
)
from bot.render.slack.limits import Block
from bot.render.slack.message import action, footnote, headline
from bot.render.slack.tables import told
from bot.reply import Part, Reply
from bot.state.records import SentReply
from bot.telling.evidence import Evidence
from bot.wording import Language, Words
from bot.wording import words as catalogue

View = dict[str, Any]

DETAIL_ROWS = 6  # lines of all tables together, until somebody asks for all
DETAIL_PARTS = 12  # claims with all their details
EVIDENCE_LINES = 12
PAGE_LINES = 100  # lines of a page, each of so many characters
PAGE_LINE = 250
PAGE_TABLE = 40
RECENT = 10  # readings on the Home tab
SUBSCRIPTIONS = 20


def modal(heading: str, blocks: Sequence[Block], w: Words, **other: Any) -> View:
    """A modal with a title and a way to close it; cut to the blocks that a view can hold."""
    shown = list(blocks)
    if len(shown) > limits.VIEW_BLOCKS:
        rest = len(shown) - limits.VIEW_BLOCKS + 1
        shown = [*shown[: limits.VIEW_BLOCKS - 1], small(w.count("slack.more_lines", rest))]
    return {
        "type": "modal",
        "title": plain(heading, limits.VIEW_TITLE),
        "close": plain(w("slack.close"), limits.VIEW_TITLE),
        "blocks": shown,
        **other,
    }


def details(reply: Reply, reply_id: str, *, everything: bool = False) -> View:
    """All that a reply has: caveats, notes, rows, software; at most six table lines unless `everything`."""
    w = catalogue(reply.language)
    blocks: list[Block] = [rich([words(reply.lead)])] if reply.lead else []
    room = DETAIL_ROWS
    for part in reply.parts[:DETAIL_PARTS]:
        lines = len(part.table.lines) if part.table else 0
        most = lines if everything else max(0, min(room, lines))
        room -= most
        blocks += part_blocks(part, w, most)
    if (more := len(reply.parts) - DETAIL_PARTS) > 0:
        blocks.append(small(w.count("slack.more_claims", more)))
    total = sum(len(part.table.lines) for part in reply.parts[:DETAIL_PARTS] if part.table)
    below: list[Block] = []
    if total > DETAIL_ROWS and not everything:
        below.append(row_of(button(w.count("slack.all", total), action("all"), reply_id)))
    if reply.receipt:
        below.append(small(w("reply.receipt", receipt=reply.receipt.text)))
    below += footnote(reply.footnote, w)
    room = limits.VIEW_BLOCKS - len(below)
    if len(blocks) > room:
        blocks = [*blocks[: room - 1], small(w.count("slack.more_lines", len(blocks) - room + 1))]
    return modal(w("action.details"), [*blocks, *below], w)


def part_blocks(part: Part, w: Words, most: int) -> list[Block]:
    """One claim: headline, `most` table lines, all caveats and notes, its rows, why this word."""
    below = [*part.caveats, *part.notes, *part.derived]
    lines: list[Sequence[Element]] = [[words(line)] for line in dict.fromkeys(below) if line]
    rows = [evidence_line(item) for item in part.evidence[:EVIDENCE_LINES]]
    if rest := len(part.evidence) - len(rows):
        rows.append([words(w.count("slack.more_rows", rest))])
    return [
        rich(headline(part)),
        *(told(part.table, w, most) if part.table and most else []),
        *([rich(*lines)] if lines else []),
        *([rich(*rows)] if rows else []),
        rich([words(part.why)]),
        {"type": "divider"},
    ]


def evidence_line(item: Evidence) -> list[Element]:
    """A row in full, as a link to its page on our site, else to where it was published."""
    target = address(item.link)
    if target is None:
        return [words(item.text)]
    return [{"type": "link", "url": target, "text": clean(item.text, 500) or target}]


def why(reply: Reply) -> View:
    """Why this word, claim by claim."""
    w = catalogue(reply.language)
    blocks: list[Block] = []
    for part in reply.parts[:DETAIL_PARTS]:
        blocks += [rich([words(part.headline.word, bold=True)], [words(part.why)])]
        if part.caveats:
            blocks.append(small(*part.caveats))
    if (more := len(reply.parts) - DETAIL_PARTS) > 0:
        blocks.append(small(w.count("slack.more_claims", more)))
    return modal(w("action.why"), blocks or [rich([words(reply.lead or w("fair.none"))])], w)


def fair(reply: Reply) -> View:
    """The fair version, ready to be copied, with its whole footnote."""
    w = catalogue(reply.language)
    if not reply.fair:
        return modal(w("action.fair"), [rich([words(w("fair.none"))])], w)
    note = reply.footnote.text
    sentences: list[str] = []
    left = len(reply.fair.splitlines())
    size = len(note) + 2
    for sentence in reply.fair.splitlines():
        size += len(sentence) + 1
        if size > limits.TEXT and sentences:
            break
        sentences.append(sentence)
        left -= 1
    blocks = [small(w("slack.copy")), copyable("\n".join(sentences) + "\n\n" + note)]
    if left:
        blocks.append(small(w.count("slack.more_claims", left)))
    return modal(w("action.fair"), blocks, w)


def page(page: Page) -> View:
    """All of a page, such as a digest of which the channel has the first lines."""
    w = catalogue(page.language)
    lines = [[words(line, most=PAGE_LINE)] for line in page.lines if clean(line)]
    blocks: list[Block] = [rich([words(page.title, bold=True, most=300)])]
    blocks += [rich(*lines[n : n + 10]) for n in range(0, min(len(lines), PAGE_LINES), 10)]
    if (more := len(lines) - PAGE_LINES) > 0:
        blocks.append(small(w.count("slack.more_lines", more)))
    blocks += told(page.table, w, PAGE_TABLE) if page.table and page.table.lines else []
    blocks += footnote(page.footnote, w) if page.footnote else []
    return modal(w("action.details"), blocks, w)


def notice(language: Language, text: str, *, heading: str = "") -> View:
    """A modal with one thing to say."""
    w = catalogue(language)
    return modal(heading or w("slack.name"), [rich([words(text)])], w)


def expired(language: Language, *, text: str = "", metadata: str = "") -> View:
    """A reading whose fields are not kept any more, with a way to read the text again.

    text: the message as it stands today, where it could be looked up. metadata: what the edge
    needs to know again when it is sent.
    """
    w = catalogue(language)
    entry: Element = {"type": "plain_text_input", "action_id": "text", "multiline": True}
    if text:
        entry["initial_value"] = clean(text, limits.TEXT)
    field = {"type": "input", "block_id": "text", "label": plain(w("slack.text")), "element": entry}
    return modal(
        w("slack.expired"),
        [rich([words(w("page.expired"))]), field],
        w,
        submit=plain(w("page.read_again"), limits.VIEW_TITLE),
        callback_id=action("read_again"),
        private_metadata=metadata[: limits.PRIVATE_METADATA],
    )


def settings(
    language: Language, preferences: Preferences, scope: Scope, *, where: str = "", metadata: str = ""
) -> View:
    """A form of everything that can be set at a level; `where` says of what, such as a channel's name."""
    w = catalogue(language)
    names = [name for name in Preferences.model_fields if scope in scopes_of(name)]
    blocks = [
        rich([words(where or w(f"scope.{scope}"), bold=True)]),
        *(setting(name, getattr(preferences, name), w) for name in names),
    ]
    return modal(
        w("slack.settings"),
        blocks,
        w,
        submit=plain(w("slack.save"), limits.VIEW_TITLE),
        callback_id=action("settings"),
        private_metadata=metadata[: limits.PRIVATE_METADATA],
    )


def setting(name: str, value: object, w: Words) -> Block:
    """One setting as an input; its block ID is the setting's name."""
    choices = choices_of(name, w)
    entry: Element
    if choices:
        entry = select(name, w("slack.choose", label=name), choices)
        entry["initial_option"] = next(one for one in choices if one["value"] == typed(value))
    else:
        entry = {"type": "plain_text_input", "action_id": name}
        if typed(value):
            entry["initial_value"] = clean(typed(value), limits.TEXT)
    return {
        "type": "input",
        "block_id": name,
        "optional": not choices,
        "label": plain(w(f"preference.{name}"), limits.INPUT_LABEL),
        "element": entry,
    }


def choices_of(name: str, w: Words) -> list[Element]:
    """The values that a setting can have, where they are few; empty where it is typed."""
    kind = Preferences.model_fields[name].annotation
    if kind is bool:
        return [option(w("page.on"), "on"), option(w("page.off"), "off")]
    if get_origin(kind) is Literal:
        return [option(w(f"slack.value.{value}"), value) for value in get_args(kind)]
    return []


def home(
    language: Language,
    *,
    preferences: Preferences,
    intro: Sequence[str] = (),
    privacy: Sequence[str] = (),
    recent: Sequence[SentReply] = (),
    subscriptions: Sequence[str] = (),
) -> View:
    """The Home tab of one person: own settings, a channel's settings, digests, recent readings, privacy.

    intro, privacy: the lines of those pages. subscriptions: the IDs of the channels with a digest.
    """
    w = catalogue(language)
    return {
        "type": "home",
        "blocks": [
            title(w("slack.name")),
            rich(*([words(line)] for line in intro or [w("slack.name")])),
            *personal(preferences, w),
            title(w("slack.home_digests")),
            rich(
                *([{"type": "channel", "channel_id": channel}] for channel in subscriptions[:SUBSCRIPTIONS]),
                *([] if subscriptions else [[words(w("slack.home_no_digest"))]]),
            ),
            title(w("slack.home_recent")),
            *(readings(recent, w) or [rich([words(w("slack.home_none"))])]),
            title(w("slack.home_privacy")),
            rich(*([words(line)] for line in privacy or [w("slack.name")])),
            row_of(
                button(
                    w("slack.forget"),
                    action("forget"),
                    "forget",
                    confirm={
                        "title": plain(w("slack.forget")),
                        "text": plain(w("slack.forget_sure")),
                        "confirm": plain(w("slack.yes")),
                        "deny": plain(w("slack.no")),
                    },
                )
            ),
        ],
    }


def personal(preferences: Preferences, w: Words) -> list[Block]:
    """A person's own settings, changed at once, and a way into those of a channel."""
    menus = []
    for name in Preferences.model_fields:
        if "person" in scopes_of(name):
            choices = choices_of(name, w)
            menu = select(action(f"set.{name}"), w(f"preference.{name}"), choices)
            menu["initial_option"] = next(
                one for one in choices if one["value"] == typed(getattr(preferences, name))
            )
            menus.append((name, menu))
    channel: Element = {
        "type": "conversations_select",
        "action_id": action("channel"),
        "placeholder": plain(w("slack.home_channel"), limits.PLACEHOLDER),
        "filter": {"include": ["public", "private"], "exclude_bot_users": True},
    }
    blocks: list[Block] = [title(w("slack.settings"))]
    for name, menu in menus:
        blocks.append(
            {"type": "section", "text": plain(w(f"preference.{name}")), "accessory": menu, "block_id": name}
        )
    return [*blocks, row_of(channel)]


def readings(recent: Sequence[SentReply], w: Words) -> list[Block]:
    """The latest readings, each with its day in the reader's own zone and a way to its details."""
    blocks: list[Block] = []
    for record in recent[:RECENT]:
        verdicts: Mapping[str, int] = record.content.verdicts if record.content else {}
        found = [
            (f"{w.number(n)}× " if n > 1 else "") + w(f"verdict.{verdict}", what="…")
            for verdict, n in verdicts.items()
            if w.has(f"verdict.{verdict}")
        ]
        day = w.day(dt.datetime.fromtimestamp(record.created, dt.UTC).date())
        moment = f"<!date^{int(record.created)}^{{date_short_pretty}} {{time}}|{day}>"
        text = f"{moment} · {escaped(w.join(found) or w('slack.home_silent'), 500)}"
        blocks.append(
            {
                "type": "section",
                "text": {"type": "mrkdwn", "text": text, "verbatim": True},
                "accessory": button(w("action.details"), action("details"), record.id),
            }
        )
    return blocks
