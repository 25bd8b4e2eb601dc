"""A Reply or a Page as one Discord message: text, embeds, buttons and menus as plain dictionaries.

The first claim's headline is the message's own text, which every client and notification shows, also
where embeds are turned off; an embed a claim holds the table and what goes with it; the footnote is the
last embed's, legible and never behind a button.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.page import Page
from bot.render.discord import limits
from bot.render.discord.limits import Embed, Row
from bot.render.discord.tables import drawn
from bot.render.discord.text import NOTHING, bold, clean, code, escaped, linked
from bot.reply import ActionName, Part, Reply
from bot.telling.evidence import Evidence
from bot.telling.footnote import Footnote
from bot.telling.missing import Menu
from bot.telling.tables import Table
from bot.wording import Language, Words
from bot.wording import words as catalogue

# Stands in each custom_id. Buttons of old messages are pressed years later: an ID that was ever sent
# is never given another meaning.
VERSION = "v1"

FULL_PARTS = 3  # claims told in full; the next ones with their headline
HEADLINES = 5
LINKS = 6  # evidence links a claim
MENUS = 3  # of the five rows, two hold the buttons
FOOTNOTE = 1_900  # characters of a footnote; Discord takes 2,048
CLOSING = 500  # characters of each of its fixed sentences
PLAIN_FOOTNOTE = 1_000  # characters of a footnote where there may be no embeds
FENCE = "```"
CUT = "\n…"
DETAIL_LINES = (60, 30, 12, 6)  # table lines of a claim in the details, from ample to scarce
BUTTONS: tuple[ActionName, ...] = ("details", "chart", "fair", "why")
AFTER: tuple[ActionName, ...] = ("helpful", "not_helpful", "remove")
SECONDARY, DANGER = 2, 4  # button styles (developers/components/reference.mdx)
# From ample to scarce: claims in full, lines of a page's table, its lines of text, characters of each.
PAGE_STEPS = ((20, 30, 1_000), (10, 20, 400), (5, 10, 200), (1, 5, 100))


@dataclass(frozen=True, slots=True)
class Message:
    """What a channel's message is made of: `content` in markdown, embeds, action rows as Discord's JSON."""

    content: str
    embeds: tuple[Embed, ...] = ()
    rows: tuple[Row, ...] = ()

    @property
    def plain(self) -> str:
        """The whole message as text, for a channel in which Discord takes embeds away.

        The footnote always stands; lines that do not fit are left out from the end.
        """
        notes = [embed["footer"]["text"] for embed in self.embeds if "footer" in embed]
        foot = f"\n-# {escaped(notes[-1].replace(chr(10), ' '), PLAIN_FOOTNOTE)}" if notes else ""
        room = limits.CONTENT - limits.length(foot) - len(FENCE) - len(CUT)
        told, fenced = "", False
        lines = [self.content, *(embed.get("description", "") for embed in self.embeds)]
        for line in "\n".join(filter(None, lines)).splitlines():
            fence = line == FENCE
            if limits.length(told) + limits.length(line) + 1 > room:
                told += f"{FENCE}{CUT}" if fenced else CUT
                break
            fenced ^= fence
            told += f"{line}\n"
        return (told.strip() + foot)[: limits.CONTENT]

    @property
    def faults(self) -> list[str]:
        """Where it breaks a limit; empty where it keeps them all."""
        return limits.faults(self.content, self.embeds, self.rows)


def custom_id(name: str, reply_id: str, more: str = "") -> str:
    """The ID of a button or menu as it is sent today; it holds no word of the claim."""
    return ":".join(part for part in (VERSION, name, reply_id, more) if part)[: limits.CUSTOM_ID]


def message(
    reply: Reply, *, reply_id: str, details: bool = False, private: bool = False, shareable: bool = True
) -> Message:
    """A Reply as a message that keeps every limit of `limits`.

    details: every table line and caveat. private: seen by one person only, with a button to share it
    where that is possible. What does not fit is left out from the end, and the message says so.
    """
    w = catalogue(reply.language)
    rows = buttons(reply, reply_id, w, private=private, shareable=shareable)
    embeds: list[Embed] = []
    for full in range(min(FULL_PARTS, len(reply.parts)), -1, -1):
        embeds = fitting(reply, w, full, DETAIL_LINES if details else (None,))
        if not limits.faults("-", embeds, ()):
            break
    return Message(content(reply), tuple(embeds), (*menus(reply, reply_id, w), *rows))


def content(reply: Reply) -> str:
    """The headline of the first claim, its verdict word first; the lead where there is no claim."""
    if not reply.parts:
        return escaped(reply.lead or reply.fallback) or NOTHING
    more = reply.fallback.removeprefix(reply.parts[0].headline.first).strip()
    tail = more if more.startswith("(+") else ""
    return "\n".join(part for part in (headline(reply.parts[0]), escaped(tail, 100)) if part) or NOTHING


def headline(part: Part, most: int = 800) -> str:
    """The verdict word in bold, what follows it, and below it what the first line has no room for."""
    first, word = part.headline.first, part.headline.word
    head = bold(word, 120) if word and first.startswith(word) else ""
    tail = escaped(first[len(word) :] if head else first, most)
    told = f"{head} {tail}".strip() if head else tail
    return "\n".join(line for line in (told, escaped(part.headline.rest, most)) if line)


def fitting(reply: Reply, w: Words, full: int, steps: Sequence[int | None]) -> list[Embed]:
    """The body with the most lines of the steps that fit; with those of the last where none does."""
    embeds: list[Embed] = []
    for most in steps:
        embeds = body(reply, w, full, most)
        if not limits.faults("-", embeds, ()):
            break
    return embeds


def body(reply: Reply, w: Words, full: int, most: int | None) -> list[Embed]:
    """An embed a claim, `full` of them; then headlines, how many more there are, and the footnote.

    most: table lines of each, with all caveats; None for what belongs in a channel.
    """
    found: list[Embed] = []
    said: set[str] = set()
    for number, part in enumerate(reply.parts[:full]):
        lines = facts(part, w, said, most)
        if number:
            lines.insert(0, headline(part))
        if lines:
            found.append({"description": "\n".join(lines)})
    later = max(full, 1)  # the first claim's headline is the message's own text
    rest = [headline(part, 200) for part in reply.parts[later : later + HEADLINES]]
    if more := len(reply.parts) - later - len(rest):
        rest.append(escaped(w.count("discord.more_claims", more)))
    if rest:
        found.append({"description": "\n".join(rest)})
    return signed(found, reply.footnote, w)


def signed(embeds: list[Embed], note: Footnote | None, w: Words) -> list[Embed]:
    """The embeds with the footnote at the end of the last one."""
    text = footnote(note, w) if note else ""
    if not text:
        return embeds
    last = embeds.pop() if embeds else {}
    return [*embeds, {**last, "footer": {"text": text}}]


def footnote(note: Footnote, w: Words) -> str:
    """The footnote; a footer is literal text. Sources that do not fit are counted, the rest always stands."""
    closing = [clean(part, CLOSING) for part in (note.method, note.unverified, note.trademark) if part]
    room = FOOTNOTE - sum(map(limits.length, closing)) - len(closing) - 40
    shown: list[str] = []
    for source in note.sources:
        one = clean(source, max(room, 300) if not shown else 10_000)
        if shown and limits.length(one) > room:
            break
        room -= limits.length(one) + 1
        shown.append(one)
    rest = len(note.sources) - len(shown)
    more = [w.count("discord.more_sources", rest)] if rest else []
    return clean(" ".join([*shown, *more, *closing]), limits.FOOTER)


def facts(part: Part, w: Words, said: set[str], most: int | None) -> list[str]:
    """Table, caveats and links of one claim; a caveat that was `said` before is not said again."""
    told, details = [], most is not None
    if part.table is not None:
        told += table(part.table, w, part.table.shown if most is None else most)
    below = [*(part.caveats if details else (part.caveat,)), *(part.notes if details else part.notes[:1])]
    if details:
        below += [*part.derived, part.why]
    fresh = [line for line in dict.fromkeys(below) if line and line not in said]
    said.update(fresh)
    told += [escaped(line, 500) for line in fresh]
    return [*told, *evidence(part.evidence, w)]


def table(found: Table, w: Words, most: int, said: str = "") -> list[str]:
    """Title, unless it was `said` before, and unit as text; the lines in a code block."""
    lines = drawn(found, most)
    told = ["" if found.title in said else bold(found.title), escaped(found.unit, 200)]
    if lines:
        told.append(f"```\n{lines}\n```")
    rest = len(found.lines) - min(most, len(found.lines))
    if rest:
        told.append(escaped(w.count("discord.more_rows", rest)))
    return [line for line in told if line]


def evidence(items: Sequence[Evidence], w: Words) -> list[str]:
    """The rows behind a claim, each a link to its page on our site, else to where it was published."""
    shown = [linked(item.label or item.text, item.link) for item in items[:LINKS]]
    if not shown:
        return []
    rest = len(items) - len(shown)
    more = f" {escaped(w.count('discord.more_rows', rest))}" if rest else ""
    return [f"{escaped(w('discord.rows'))} {' · '.join(shown)}{more}"]


def button(label: str, name: str, reply_id: str, *, danger: bool = False) -> dict[str, Any]:
    """A button as Discord's JSON."""
    return {
        "type": 2,
        "style": DANGER if danger else SECONDARY,
        "label": clean(label, limits.BUTTON_LABEL) or name,
        "custom_id": custom_id(name, reply_id),
    }


def row_of(items: Iterable[dict[str, Any]]) -> list[Row]:
    """An action row; none where there is nothing in it."""
    found = list(items)
    return [{"type": 1, "components": found}] if found else []


def buttons(reply: Reply, reply_id: str, w: Words, *, private: bool, shareable: bool) -> list[Row]:
    """What can be done with a reply; what one person sees alone can be shared, not removed."""
    have = {one.name: one.label for one in reply.actions}
    first = [button(have[name], name, reply_id) for name in BUTTONS if name in have]
    if private:
        share = [button(w("discord.share"), "share", reply_id)] if shareable and reply.parts else []
        return row_of([*first, *share])
    return [
        *row_of(first),
        *row_of(button(have[name], name, reply_id) for name in AFTER if name in have),
    ]


def menus(reply: Reply, reply_id: str, w: Words) -> list[Row]:
    """A menu for each field that the first undecided claim leaves out, filled with values that have rows."""
    part = next((part for part in reply.parts if part.menus), None)
    found: list[Row] = []
    fields = {menu.field: menu for menu in (part.menus if part else ())}
    for menu in fields.values():
        if len(found) < MENUS and (options := choices(menu)):
            select = {
                "type": 3,
                "custom_id": custom_id("choose", reply_id, menu.field),
                "placeholder": clean(w("discord.choose", label=menu.label), limits.PLACEHOLDER),
                "options": options,
            }
            found += row_of([select])
    return found


def choices(menu: Menu) -> list[dict[str, str]]:
    """A menu's options, each value once."""
    fits = {
        choice.value: clean(choice.label, limits.OPTION_LABEL) or choice.value
        for choice in menu.choices
        if 1 <= len(choice.value) <= limits.OPTION_VALUE
    }
    return [{"label": label, "value": value} for value, label in list(fits.items())[: limits.OPTIONS]]


def page(found: Page, *, reply_id: str | None = None, digest: bool = False) -> Message:
    """A Page as a message; in a channel (`reply_id`) with a button that takes it away.

    digest: there is more of it than stands in the channel, so that it has a button for the details.
    """
    w = catalogue(found.language)
    embeds: list[Embed] = []
    for most, texts, length in PAGE_STEPS:
        lines = [
            bold(line, length) if line in found.heads else escaped(line, length)
            for line in found.lines[:texts]
        ]
        if rest := len(found.lines) - texts:
            lines += [escaped(w.count("discord.more_lines", rest))] if rest > 0 else []
        if found.table:
            lines += table(found.table, w, most, found.title)
        text = "\n".join(line for line in lines if line)
        embeds = signed([{"description": text}] if text else [], found.footnote, w)
        if not limits.faults("-", embeds, ()):
            break
    labels = {**({"details": w("digest.all")} if digest else {}), "remove": w("action.remove")}
    rows = row_of(button(label, name, reply_id) for name, label in labels.items()) if reply_id else []
    return Message(bold(found.title) or NOTHING, tuple(embeds), tuple(rows))


def details(reply: Reply, reply_id: str) -> Message:
    """All that a reply has, for one person: every caveat and note, more table lines, the receipt."""
    w = catalogue(reply.language)
    found = message(reply, reply_id=reply_id, details=True)
    receipt = w("reply.receipt", receipt=reply.receipt.text) if reply.receipt else ""
    told = "\n".join(part for part in (found.content, escaped(receipt, 300)) if part)
    return Message(told if limits.length(told) <= limits.CONTENT else found.content, found.embeds)


def why(reply: Reply) -> Message:
    """Why this word, claim by claim."""
    w = catalogue(reply.language)
    told = [f"{bold(part.headline.word, 120)}\n{escaped(part.why, 400)}" for part in reply.parts[:HEADLINES]]
    if more := len(reply.parts) - len(told):
        told.append(escaped(w.count("discord.more_claims", more)))
    text = "\n".join(told) or escaped(reply.lead or w("fair.none"))
    return Message(bold(w("action.why")), ({"description": text},))


def fair(reply: Reply) -> Message:
    """The fair version in a code block, to be copied, with its whole footnote below it."""
    w = catalogue(reply.language)
    if not reply.fair:
        return Message(escaped(w("fair.none")))
    note = reply.footnote.text
    text, shown = "", 0
    sentences = reply.fair.splitlines()
    for sentence in sentences:
        if shown and limits.length(text) + limits.length(sentence) + limits.length(note) > 3_900:
            break
        text, shown = f"{text}{sentence}\n", shown + 1
    block = code(clean(f"{text}\n{note}", 3_900))[:4_000]
    rest = len(sentences) - shown
    below = escaped(w.count("discord.more_claims", rest)) if rest else ""
    return Message(bold(w("action.fair")), ({"description": f"```\n{block}\n```{below}"},))


def notice(language: Language, reply_id: str = "") -> Message:
    """A reading whose fields are not kept any more, with a button to read the message again."""
    w = catalogue(language)
    rows = row_of([button(w("discord.again"), "again", reply_id)]) if reply_id else []
    return Message(escaped(w("page.expired")), (), tuple(rows))
