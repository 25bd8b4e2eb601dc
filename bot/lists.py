"""Rankings, comparisons and deltas as pages, asked for in free words: "rank gpt-oss server v6.1"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot import answer
from bot.commands.filters import Filter, meaning
from bot.commands.rows import delta_line, narrowed, ranked, side
from bot.conversation import lexicon
from bot.page import Page
from bot.reply import rows_of
from bot.telling import case, naming, tables
from bot.telling.footnote import footnote
from bot.telling.tables import Cell, Line, Table
from bot.wording import Language, Words, words
from knowledge.deltas import deltas
from knowledge.row import Row
from parsing.claim import Claim, Side

MOST_WORDS = 30  # a list is asked for in a few words; what follows is not looked at
LONGEST_NAME = 5  # words of the longest name, such as "Llama 3.1 405B Instruct"
SHOWN = 10  # lines of a list in chat
MOST = 40


@dataclass(frozen=True, slots=True)
class Wish:
    """What a list is asked for: the fields that rows must have, and the words that say nothing we know."""

    filter: Filter
    unknown: tuple[str, ...]


def wish(text: str) -> Wish:
    """Free words as a Filter, longest names first; what nobody knows is kept, to be told."""
    desk = answer.desk()
    names, rounds = desk.store.names, desk.store.rounds
    rest = [word.strip(",;?!") for word in text.split()[:MOST_WORDS]]
    found: dict[str, object] = {}
    unknown: list[str] = []
    while rest:
        for length in range(min(LONGEST_NAME, len(rest)), 0, -1):
            field, value = meaning(" ".join(rest[:length]), names, desk.lookup, rounds)
            if field is not None:
                found[field] = value
                break
        else:
            length = 1
            if rest[0] and rest[0].casefold() not in lexicon().fillers:
                unknown.append(naming.harmless(rest[0]))
        rest = rest[length:]
    return Wish(Filter(**found), tuple(unknown))  # type: ignore[arg-type]


def _unknown(asked: Wish, w: Words) -> tuple[str, ...]:
    if not asked.unknown:
        return ()
    return (w("page.unknown", words=w.join(f"“{word}”" for word in asked.unknown[:5])),)


def _page(w: Words, title: str, rows: Sequence[Row], table: Table, lines: Sequence[str]) -> Page:
    note = footnote(rows, w, derived=True, unverified=False)
    return Page(w.language, title, tuple(line for line in lines if line), table, note)


def rank(text: str, language: Language) -> Page:
    """Places of the systems in one benchmark, per accelerator, in the newest round with rows."""
    w, asked = words(language), wish(text)
    table = answer.desk().table
    wanted = replace(asked.filter, division=asked.filter.division or "closed")
    bench = table.benches.get((wanted.model or "", wanted.scenario or ""))
    if wanted.model is None or wanted.scenario is None:
        return Page(language, w("page.rank_what"), _unknown(asked, w))
    found = ranked(bench, table, wanted, by_total=False) if bench else []
    if not found:
        return Page(language, w("page.no_rows"), _unknown(asked, w))
    listed = found[:MOST]
    rows = [row for _, row in listed]
    lines = tuple(
        Line(
            (
                Cell(w.number(place)),
                Cell(words=naming.who(row, w, chip_too=True)),
                Cell(naming.count_text(row, w)),
                Cell(w.exact(row.value) if row.per_accelerator is None else w.figure(row.per_accelerator)),
            ),
            (row.key,),
        )
        for place, row in listed
    )
    derived = all(row.per_accelerator is not None for row in rows)
    title = tables.title(rows, w)
    drawn = Table(
        title,
        tables.unit_head(rows, w, derived=derived),
        (w("command.place"), w("table.system"), naming.noun(rows[0], w, 2), ""),
        lines,
        shown=SHOWN,
        derived=derived,
        bars=tables.bars(rows[:SHOWN], w, derived=derived),
    )
    more = w.count("command.more", len(found) - MOST) if len(found) > MOST else ""
    return _page(w, w("command.rank_title", title=title), rows, drawn, [*_unknown(asked, w), more])


def compare(text: str, language: Language) -> Page:
    """Two sides like for like, size by size: "GB300 vs MI355X gpt-oss offline"."""
    w = words(language)
    first, second = (wish(part) for part in _halves(text))
    asked = Wish(_both(first.filter, second.filter), (*first.unknown, *second.unknown))
    sides = [_side(one) for one in (first, second)]
    if not all(sides):
        return Page(language, w("page.compare_what"), _unknown(asked, w))
    claim = Claim(
        quote="",
        span=(0, 0),
        kind="outperforms",
        direction="higher",
        subject=narrowed(sides[0], asked.filter),
        baseline=narrowed(sides[1], asked.filter),
        model=asked.filter.model,
        scenario=asked.filter.scenario,
        round=asked.filter.round,
        division=asked.filter.division,
        mlperf=True,
    )
    return comparison(claim, w, _unknown(asked, w))


def comparison(claim: Claim, w: Words, lines: Sequence[str]) -> Page:
    """The like-for-like comparisons behind a claim without a number."""
    found = answer.answer_claims([claim], language=w.language)
    told = case.Case(claim, found.readings[0], w)
    pairs = told.groups or told.others or ([told.pair] if told.pair else [])
    part = found.reply.parts[0]
    if not pairs:
        return Page(w.language, part.headline.first, tuple(lines))
    table = tables.pairs_table(told, pairs, marked=False)
    rows = [row for pair in pairs for row in (pair.first, pair.second)]
    below = [w("lfl.none"), part.caveat] if not told.groups else []
    return _page(w, part.headline.first, rows or rows_of([told]), table, [*lines, *below, *part.notes])


def _halves(text: str) -> tuple[str, str]:
    """What stands before and after the word that sets one against the other."""
    found = lexicon().between.search(text)
    return (text[: found.start()], text[found.end() :]) if found else (text, "")


def _both(first: Filter, second: Filter) -> Filter:
    """What is said on either side of a comparison and holds for both."""
    return Filter(
        model=first.model or second.model,
        scenario=first.scenario or second.scenario,
        round=first.round or second.round,
        accelerators=first.accelerators or second.accelerators,
        division=first.division or second.division,
    )


def _side(one: Wish) -> Side:
    if one.filter.chips:
        return Side(accelerator=one.filter.chips[0], submitter=one.filter.submitter)
    return side(one.filter.submitter) if one.filter.submitter else Side()


def moved(text: str, language: Language, *, early: bool = False) -> Page:
    """What moved between rounds on unchanged hardware: "deltas since v6.0 B200"."""
    w, asked = words(language), wish(text)
    store, wanted = answer.desk().store, asked.filter
    since = wanted.round or store.rounds.names()[-2]
    found = deltas(
        store.rows,
        store.names,
        store.rounds,
        since=since,
        models=[wanted.model] if wanted.model else (),
        scenarios=[wanted.scenario] if wanted.scenario else (),
        accelerators=wanted.chips,
        submitters=[wanted.submitter] if wanted.submitter else (),
        division=wanted.division or "closed",
        early=early,
    )
    found = [delta for delta in found if not delta.near_scale][:MOST]
    if not found:
        return Page(language, w("command.no_deltas", since=since), _unknown(asked, w))
    lines = tuple(
        Line(
            tuple(c if isinstance(c, Cell) else Cell(words=c) for c in delta_line(delta, w)),
            (delta.before.key, delta.after.key),
        )
        for delta in found
    )
    heads = ("change", "submitter", "accelerator", "benchmark", "before", "after")
    rows = [row for delta in found for row in (delta.before, delta.after)]
    division = " / ".join(naming.distinct(naming.division(row, w) for row in rows))
    title = w("command.deltas_title", since=since, division=division)
    unit = tables.unit_head(rows, w, derived=all(delta.per_accelerator for delta in found))
    table = Table(
        title, unit, (*(w(f"command.{head}") for head in heads), ""), lines, shown=SHOWN, derived=True
    )
    return _page(w, title, rows, table, _unknown(asked, w))
