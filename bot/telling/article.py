"""The reply to a whole page: how many claims can be checked, their verdicts in one table, worst first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.reply import Action, Part, Reply, derives, fallback, parts_of, program_version, rows_of
from bot.telling import caveats, naming
from bot.telling.case import Case
from bot.telling.footnote import Footnote, footnote
from bot.telling.headline import Headline
from bot.telling.headline import word as verdict_word
from bot.telling.tables import Cell, Line, Table
from bot.wording import Language, Words, words
from knowledge.reading import Reading, Verdict
from knowledge.receipt import Receipt
from knowledge.row import Row
from parsing.claim import Claim, Side

SHOWN = 5
ROWS = 3  # rows of a claim that its line names
# From the most misleading reading to the one that says least.
ORDER: tuple[Verdict, ...] = (
    "contradicted",
    "frame",
    "best_case",
    "software",
    "not_reproduced",
    "not_measured",
    "depends",
    "no_rows",
    "holds",
)


def build(
    claims: Sequence[Claim],
    readings: Sequence[Reading],
    language: Language,
    *,
    cites: bool = True,
    data_version: str = "",
) -> Reply:
    """The Reply to the claims of one page, as one part with a line a claim.

    `cites` says whether the page gives result IDs. Without claims the reply says so. Raises ValueError
    where there are not as many readings as claims.
    """
    w = words(language)
    cases = [Case(claim, reading, w) for claim, reading in zip(claims, readings, strict=True)]
    cases.sort(key=lambda case: ORDER.index(case.reading.verdict))
    if not cases:
        remove = Action("remove", w("action.remove"))
        return Reply(language, (), w("article.nothing"), Footnote(), (remove,), w("article.nothing"))
    parts = parts_of(cases)
    shown = rows_of(cases[:SHOWN])
    part = summary(cases, parts, w, cites=cites)
    note = footnote(
        shown,
        w,
        derived=any(derives(part, case) for part, case in zip(parts, cases, strict=True)),
        unverified=any(claim.verified is False for claim in claims),
    )
    keys = tuple(row.key for row in rows_of(cases))
    receipt = Receipt(data_version, program_version(), keys) if data_version else None
    return Reply(language, (part,), "", note, actions(parts, w), fallback([part], w), receipt)


def summary(cases: Sequence[Case], parts: Sequence[Part], w: Words, *, cites: bool) -> Part:
    """All claims as one part: counts in its headline, a line each in its table, their headlines as notes."""
    worst = parts[0]
    headlines = tuple(part.headline.first for part in parts)
    no_ids = "" if cites else w("article.no_ids")
    told = caveats.lines(cases[0])
    lines = tuple(line for line in (no_ids, *told) if line)
    return Part(
        claim=worst.claim,
        verdict=worst.verdict,
        headline=headline(cases, w),
        table=table(cases, w),
        caveat=lines[0] if lines else "",
        caveats=lines,
        notes=(w("article.worst", headline=headlines[0]), *headlines[1:]),
        derived=tuple(line for part in parts for line in part.derived),
        menus=(),
        evidence=tuple({item.key: item for part in parts for item in part.evidence}.values()),
        why="\n".join(dict.fromkeys(part.why for part in parts)),
        fair="\n".join(part.fair for part in parts if part.fair),
    )


def headline(cases: Sequence[Case], w: Words) -> Headline:
    """The worst verdict, how many claims have it, and how the others read."""
    counts = Counter(case.reading.verdict for case in cases)
    worst, *others = sorted(counts, key=ORDER.index)
    word = w(f"digest.verdict.{worst}")
    said, every = w.number(counts[worst]), w.number(len(cases))
    if len(cases) == 1:
        first = w("article.checked.one")
    elif not others:
        first = w("article.checked.all", all=every)
    else:
        first = w("article.checked.some", n=said, all=every)
    items = [w("article.item", verdict=w(f"digest.verdict.{one}"), n=w.number(counts[one])) for one in others]
    rest = w("article.others", items=w.join(items)) if items else ""
    return Headline(f"{word[0].upper()}{word[1:]}:", tuple(s for s in (first, rest) if s))


def table(cases: Sequence[Case], w: Words) -> Table:
    """A line a claim: verdict, claim, rows it rests on, what they differ in."""
    lines = tuple(line(case, w) for case in cases)
    rows = rows_of(cases[:SHOWN])
    heads = tuple(w(f"article.{name}") for name in ("verdict", "claim", "rows", "differs"))
    return Table(title(rows, w), "", heads, lines, shown=SHOWN, derived=False)


def title(rows: Sequence[Row], w: Words) -> str:
    """Suite, rounds, divisions and categories of all rows; the benchmark stands in each line."""
    if not rows:
        return ""
    return w(
        "article.title",
        rounds=" / ".join(sorted(naming.distinct(row.round for row in rows))),
        division=" / ".join(naming.distinct(naming.division(row, w) for row in rows)),
        availability=" / ".join(naming.distinct(naming.availability(row, w) for row in rows)),
    )


def line(case: Case, w: Words) -> Line:
    """One claim of the page."""
    reading = case.reading
    rows = list(reading.rows[:ROWS])
    differs = w.join([w(f"difference.{code}.name") for code in reading.differences])
    cells = (
        Cell(words=verdict_word(reading, w, case)),
        Cell(words=said(case, w)),
        Cell(words=rests_on(rows, w) or w("table.none")),
        Cell(words=differs or w("table.none")),
    )
    return Line(cells, tuple(row.key for row in rows), False)


def said(case: Case, w: Words) -> str:
    """The claim's number and what it is about: "48 % per GPU", GB300."""
    subject = subject_of(case.claim.subject)
    return w("article.said", phrase=case.phrase, subject=subject) if subject else case.phrase


def subject_of(side: Side) -> str:
    """The accelerator, system or company that a claim is about."""
    found = side.accelerator or side.system or side.submitter or side.vendor
    return naming.harmless(naming.trademark(found), 40) if found else ""


def rests_on(rows: Sequence[Row], w: Words) -> str:
    """Rows in one cell: benchmark, then submitter, system, accelerators and round of each."""
    told = []
    for benchmark in naming.distinct(naming.benchmark(row) for row in rows):
        here = [row for row in rows if naming.benchmark(row) == benchmark]
        several = len({(row.round, row.availability, row.division) for row in here}) > 1
        items = [row_text(row, w, several=several) for row in here]
        told.append(f"{benchmark}: {'; '.join(items)}")
    return ". ".join(told)


def row_text(row: Row, w: Words, *, several: bool) -> str:
    """One row; round, division and category where the rows of a claim are not of one."""
    more = [row.round, naming.division(row, w), naming.availability(row, w)] if several else [row.round]
    system = naming.who(row, w, chip_too=False)
    return w("article.row", system=system, chips=naming.counted_chip(row, w), more=", ".join(more))


def actions(parts: Sequence[Part], w: Words) -> tuple[Action, ...]:
    """What a person can do with the reply: "details" shows every claim as a reply of its own."""
    return (
        Action("details", w("article.show_all")),
        *([Action("fair", w("action.fair"))] if any(part.fair for part in parts) else []),
        Action("why", w("action.why")),
        Action("helpful", w("action.helpful")),
        Action("not_helpful", w("action.not_helpful")),
        Action("remove", w("action.remove")),
    )
