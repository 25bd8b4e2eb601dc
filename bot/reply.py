"""The neutral Reply: everything an answer says, in parts that each platform draws its own way.

Nothing here knows a chat platform, and nothing is looked up: `build` is a pure function of
claims and readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from typing import Literal, get_args

from bot.telling import caveats, fair, naming, notes
from bot.telling.case import Case
from bot.telling.evidence import Evidence, evidence
from bot.telling.footnote import Footnote, footnote
from bot.telling.headline import FIRST_LINE, Headline, headline
from bot.telling.missing import Menu, menus
from bot.telling.tables import Table, table
from bot.wording import Language, Words, words
from knowledge.reading import Reading, Verdict
from knowledge.receipt import Receipt
from knowledge.row import Row
from parsing.claim import Claim

# What a person can do with a reply; each platform draws those that it can.
ActionName = Literal["details", "chart", "fair", "why", "helpful", "not_helpful", "remove"]
ACTIONS: tuple[ActionName, ...] = get_args(ActionName)


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do: its name for the program, its label for the reader."""

    name: ActionName
    label: str


@dataclass(frozen=True)
class Part:
    """What a reply says to one claim.

    `caveat` is the one that matters most, `caveats` all of them with that one first. `claim`
    holds the claim's fields without the text's words, for buttons and follow-ups.
    """

    claim: Claim
    verdict: Verdict
    headline: Headline
    table: Table | None
    caveat: str
    caveats: tuple[str, ...]
    notes: tuple[str, ...]
    derived: tuple[str, ...]
    menus: tuple[Menu, ...]
    evidence: tuple[Evidence, ...]
    why: str
    fair: str


@dataclass(frozen=True)
class Reply:
    """A whole answer, a part a claim: comparisons first, then the figures that stand by themselves.

    `lead` is said where there is no claim.

    `fallback` is the text of a notification and of a screen reader's first line; `receipt` names
    rows, data and program, so that the same answer can be given again.
    """

    language: Language
    parts: tuple[Part, ...]
    lead: str
    footnote: Footnote
    actions: tuple[Action, ...]
    fallback: str
    receipt: Receipt | None = None

    @property
    def chart(self) -> Table | None:
        """The first table with bars to draw, None where there is none."""
        return next((p.table for p in self.parts if p.table is not None and p.table.bars), None)

    @property
    def fair(self) -> str:
        """The fair versions of all claims that have one, a sentence each."""
        return "\n".join(part.fair for part in self.parts if part.fair)


def build(
    claims: Sequence[Claim],
    readings: Sequence[Reading],
    language: Language,
    *,
    data_version: str = "",
) -> Reply:
    """The Reply to claims and their readings, one part each.

    `data_version` is the store's, for the receipt; without it there is none.
    Raises ValueError where there are not as many readings as claims.
    """
    w = words(language)
    cases = [Case(claim, reading, w) for claim, reading in zip(claims, readings, strict=True)]
    # What compares goes before the bare figures, which are often only its two sides.
    cases.sort(key=lambda case: case.claim.kind == "absolute")
    parts = parts_of(cases)
    shown = rows_of(cases)
    return Reply(
        language,
        parts,
        "" if parts else w("reply.nothing"),
        footnote(
            shown,
            w,
            derived=any(derives(part, case) for part, case in zip(parts, cases, strict=True)),
            unverified=any(claim.verified is False for claim in claims),
        ),
        actions(parts, w),
        fallback(parts, w),
        Receipt(data_version, program_version(), tuple(row.key for row in shown)) if data_version else None,
    )


@lru_cache(maxsize=1)
def program_version() -> str:
    """The version of the installed program."""
    return version("smallprint")


def parts_of(cases: Sequence[Case]) -> tuple[Part, ...]:
    """The parts; a figure whose row stands in a table above is told without a table of its own."""
    parts: list[Part] = []
    drawn: set[str] = set()
    for case in cases:
        part = part_of(case)
        keys = part.table.keys if part.table else frozenset()
        if case.claim.kind == "absolute" and keys and keys <= drawn:
            part = replace(part, table=None)
        drawn |= keys
        parts.append(part)
    return tuple(parts)


def part_of(case: Case) -> Part:
    """What the reply says to one claim."""
    told = caveats.lines(case)
    derived = tuple(notes.derived_line(item, case) for item in case.reading.derived)
    return Part(
        claim=case.claim.model_copy(update={"quote": "", "span": (0, 0), "words": {}, "from_context": ()}),
        verdict=case.reading.verdict,
        headline=headline(case),
        table=table(case),
        caveat=told[0] if told else "",
        caveats=tuple(told),
        notes=tuple(notes.lines(case)),
        derived=derived,
        menus=menus(case),
        evidence=evidence(case),
        why=why(case),
        fair=fair.sentence(case),
    )


def rows_of(cases: Sequence[Case]) -> list[Row]:
    """Every row that the reply shows or rests on."""
    found: dict[str, Row] = {}
    for case in cases:
        reading = case.reading
        rows = [
            *reading.rows,
            *(row for group in (*reading.like_for_like, *reading.others) for row in group.rows),
            *(row for line in reading.by_scale for row in (line.leader, line.rival) if row is not None),
        ]
        shown = table(case)
        keys = {key for line in shown.lines for key in line.keys} if shown else set()
        for row in rows:
            if row.key in keys or row in reading.rows:
                found.setdefault(row.key, row)
    return list(found.values())


def derives(part: Part, case: Case) -> bool:
    """Whether a part shows figures that MLCommons has not published as such."""
    return bool(part.derived or (part.table and part.table.derived) or case.reading.recomputed is not None)


def why(case: Case) -> str:
    """Why this word: the verdict's meaning, in the reader's language."""
    return case.w(f"why.{case.reading.verdict}")


def actions(parts: Sequence[Part], w: Words) -> tuple[Action, ...]:
    """What a person can do with the reply."""
    have: dict[ActionName, bool] = {
        "details": any(p.table or p.caveats for p in parts),
        "chart": any(p.table and p.table.bars for p in parts),
        "fair": any(p.fair for p in parts),
        "why": bool(parts),
        "helpful": bool(parts),
        "not_helpful": bool(parts),
        "remove": True,
    }
    return tuple(Action(name, w(f"action.{name}")) for name in ACTIONS if have[name])


def fallback(parts: Sequence[Part], w: Words) -> str:
    """One line for notifications: the first headline, and how many more claims there are."""
    if not parts:
        return w("reply.nothing_short")
    more = w.count("reply.more", len(parts) - 1) if len(parts) > 1 else ""
    line = (
        naming.cut(parts[0].headline.first, FIRST_LINE - len(more) - 1) if more else parts[0].headline.first
    )
    return f"{line} {more}".strip()
