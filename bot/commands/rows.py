"""`rows`, `rank`, `compare` and `deltas`: the stored rows, asked for directly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import date
from typing import Any, cast

from bot import answer
from bot.commands.filters import Filter, known_span, made
from bot.commands.grid import grid, with_footnote
from bot.errors import UserError
from bot.render.text import table_text
from bot.reply import rows_of
from bot.telling import case, comparisons, naming, tables
from bot.telling.tables import Cell
from bot.wording import Language, Words, words
from knowledge import clock, rows_csv
from knowledge.deltas import Delta, Summary, deltas, hardware, summaries
from knowledge.ranking import systems
from knowledge.row import Row
from knowledge.table import Bench, Table, score, total
from parsing.claim import Claim, Side

# As many lines as a screen holds; --json and --csv give all.
SCREEN = 40


def filtered(**options: Any) -> Filter:
    """The Filter of a command's options, in the names that the store knows."""
    desk = answer.desk()
    return made(desk.store.names, desk.lookup, desk.store.rounds, **options)


def rows(wanted: Filter, *, as_json: bool, as_csv: bool, lang: Language, limit: int | None) -> str:
    """The stored rows that fit, newest round first."""
    found = [row for row in answer.desk().store.rows if wanted.passes(row)]
    young = {row.round: day for row in found if (day := first_day(row.published)) is not None}
    w = words(lang)
    waiting = [w("no_rows.embargo", value=name, date=w.day(day)) for name, day in young.items()]
    found = [row for row in found if row.round not in young]
    if as_json or as_csv:
        for line in waiting:
            answer.notify(line)
    found.sort(key=lambda row: (row.published, row.model, row.scenario, score(row)), reverse=True)
    if as_json:
        return answer.to_json([row.as_json() for row in found[:limit]])
    if as_csv:
        return rows_csv.dumps(found[:limit]).rstrip("\n")
    if not found:
        return "\n".join(waiting) or w("command.no_rows")
    shown = found[: limit or SCREEN]
    heads = (
        w("command.round"),
        w("command.submitter"),
        w("table.system"),
        w("command.accelerator"),
        w("command.benchmark"),
        w("command.total"),
        w("command.per_accelerator"),
    )
    text = grid(heads, (listed(row, w) for row in shown))
    if len(found) > len(shown):
        text += "\n" + w.count("command.more", len(found) - len(shown))
    return with_footnote("\n".join([text, *waiting]), shown, w)


def first_day(published: str) -> date | None:
    """The day from which results published on that (ISO) day are quoted, None where they may be today."""
    from bot.settings import settings

    if settings().early:
        return None
    return answer.desk().store.rounds.quotable(date.fromisoformat(published), clock.today())


def listed(row: Row, w: Words) -> list[str | Cell]:
    """One row of a list."""
    marks = naming.marks(row, w)
    per = w.figure(row.per_accelerator) if row.per_accelerator is not None else w("table.none")
    return [
        row.round,
        naming.submitter(row.submitter),
        naming.system(row) + (f" ({marks})" if marks else ""),
        naming.counted_chip(row, w),
        naming.benchmark(row),
        Cell(w.exact(row.value), naming.unit(row, w)),
        Cell(per),
    ]


def rank(wanted: Filter, *, by_total: bool, as_json: bool, lang: Language, limit: int) -> str:
    """Places in one benchmark, one row a system: per accelerator, or by published system result.

    Without a round it is the newest that has rows; without a division Closed. Raises UserError
    where the benchmark is not said or has no rows.
    """
    table = answer.desk().table
    if wanted.model is None or wanted.scenario is None:
        raise UserError("name the benchmark: --model and --scenario")
    bench = table.benches.get((wanted.model, wanted.scenario))
    if bench is None:
        raise UserError(f"no stored row of {wanted.model} {wanted.scenario}")
    wanted = replace(wanted, division=wanted.division or "closed")
    found = ranked(bench, table, wanted, by_total=by_total)
    w = words(lang)
    if as_json:
        return answer.to_json([{"place": n, **row.as_json()} for n, row in found[:limit]])
    if not found:
        day = first_day(table.published[wanted.round]) if wanted.round in table.published else None
        return w("no_rows.embargo", value=wanted.round, date=w.day(day)) if day else w("command.no_rows")
    shown = [row for _, row in found[:limit]]
    title = w("command.rank_title", title=tables.title(shown, w))
    heads = (
        w("command.place"),
        naming.noun(shown[0], w, 2),
        w("table.system"),
        tables.unit_head(shown, w, derived=False),
        w("command.per_accelerator"),
    )
    lines: list[list[str | Cell]] = [
        [
            Cell(w.number(n)),
            Cell(naming.count_text(row, w)),
            naming.who(row, w, chip_too=True),
            Cell(w.exact(row.value)),
            Cell(w.figure(row.per_accelerator) if row.per_accelerator is not None else w("table.none")),
        ]
        for n, row in found[:limit]
    ]
    text = f"{title}\n{grid(heads, lines)}"
    if len(found) > limit:
        text += "\n" + w.count("command.more", len(found) - limit)
    return with_footnote(text, shown, w)


def ranked(bench: Bench, table: Table, wanted: Filter, *, by_total: bool) -> list[tuple[int, Row]]:
    """Systems with their places, best first; equal results share a place. Young rounds are passed over."""
    names = [wanted.round] if wanted.round else list(table.rounds)
    for name in names:
        if name in table.published and first_day(table.published[name]) is not None:
            continue
        rows = systems(bench, [name], division=wanted.division or "closed", system_type="datacenter,edge")
        rows = [row for row in rows if wanted.passes(row)]
        if not by_total:
            rows = [row for row in rows if row.per_accelerator is not None or row.lower_is_better]
        if rows:
            value = total if by_total else score
            rows.sort(key=value, reverse=True)
            return [(1 + sum(value(other) > value(row) for other in rows), row) for row in rows]
    return []


def side(text: str) -> Side:
    """What a side of `compare` names: a submitter, a system, else an accelerator as it stands."""
    name = answer.desk().lookup.find(text)
    match name.kind if name else None:
        case "submitter" | "vendor":
            return Side(submitter=name.canonical if name else None)
        case "system":
            return Side(accelerator=name.accelerator, system=name.canonical) if name else Side()
        case "accelerator" | "family":
            return Side(accelerator=name.canonical if name else None)
        case _:
            return Side(accelerator=text)


def narrowed(found: Side, wanted: Filter) -> Side:
    """A side with the count and the submitter that the options ask for."""
    owner = found.submitter or wanted.submitter
    return found.model_copy(update={"accelerators": wanted.accelerators, "submitter": owner})


def compare(first: str, second: str, wanted: Filter, *, as_json: bool, lang: Language) -> str:
    """Two sides like for like, size by size, in the newest round with both unless one is named."""
    sides = [narrowed(side(text), wanted) for text in (first, second)]
    claim = Claim(
        quote=f"{first} / {second}",
        span=(0, 0),
        kind="outperforms",
        direction="higher",
        subject=sides[0],
        baseline=sides[1],
        model=wanted.model,
        scenario=cast(Any, wanted.scenario),
        round=wanted.round,
        division=cast(Any, wanted.division),
        mlperf=True,
    )
    found = answer.answer_claims([claim], language=lang)
    reading, w = found.readings[0], words(lang)
    if as_json:
        return answer.to_json(reading.model_dump(mode="json"))
    told = case.Case(claim, reading, w)
    pairs = told.groups or told.others or ([told.pair] if told.pair else [])
    if not pairs:
        return found.reply.parts[0].headline.first
    spread = [*reading.like_for_like, *reading.others]
    text = table_text(tables.pairs_table(told, pairs, marked=False), details=True)
    lines = [pair_spread(pair, spread, w) for pair in pairs]
    below = [w("lfl.none"), found.reply.parts[0].caveat] if not told.groups else []
    notes = [*below, *lines, *found.reply.parts[0].notes]
    text = "\n\n".join(part for part in (text, "\n".join(note for note in notes if note)) if part)
    shown = [row for pair in pairs for row in (pair.first, pair.second)]
    return with_footnote(text, shown or rows_of([told]), w)


def pair_spread(pair: comparisons.Comparison, groups: Sequence[Any], w: Words) -> str:
    """How far all row pairs behind one comparison spread, where there are several."""
    for group in groups:
        if group.pairs > 1 and group.rows and group.rows[0].key == pair.first.key:
            where = comparisons.where(pair, ["model", "scenario", "count", "round"], w)
            low, high = w.ratio(group.min), w.ratio(group.max)
            return f"{where}: " + w("command.pairs", n=w.number(group.pairs), low=low, high=high)
    return ""


def moved(
    wanted: Filter,
    *,
    since: str,
    until: str | None,
    least: float,
    as_json: bool,
    lang: Language,
    limit: int,
    as_csv: bool = False,
    annualised: bool = False,
    summary: bool = False,
) -> str:
    """What moved between rounds on unchanged hardware, equal sizes first, the largest change first.

    annualised: also as a change a year. summary: composites by accelerator and model instead.
    Raises BadParameter for rounds that are none, or stand in the wrong order.
    """
    found = changes(wanted, since=since, until=until, least=least)
    w = words(lang)
    if summary:
        some = summaries(found)
        if as_json:
            return answer.to_json([asdict(one) for one in some])
        return summary_text(some[:limit], found, w, since=since, left=len(some) - limit)
    if as_json:
        return answer.to_json([delta.as_json(annualised=annualised) for delta in found])
    if as_csv:
        from bot.digest import table

        return table.dumps(found, annualised=annualised).rstrip("\n")
    if not found:
        return w("command.no_deltas", since=since)
    return deltas_text(found, since, w, limit, annualised=annualised)


def changes(wanted: Filter, *, since: str, until: str | None, least: float) -> list[Delta]:
    """The changes that are asked for, between published rounds."""
    from bot.settings import settings

    store = answer.desk().store
    first, last = known_span(since, until, store.rounds)
    found = deltas(
        store.rows,
        store.names,
        store.rounds,
        since=first,
        until=last,
        models=[wanted.model] if wanted.model else (),
        scenarios=[wanted.scenario] if wanted.scenario else (),
        accelerators=wanted.chips,
        submitters=[wanted.submitter] if wanted.submitter else (),
        division=wanted.division or "closed",
        least=least,
        early=settings().early,
    )
    if wanted.accelerators is not None:
        found = [delta for delta in found if delta.after.accelerators == wanted.accelerators]
    return found


def deltas_text(found: Sequence[Delta], since: str, w: Words, limit: int, *, annualised: bool = False) -> str:
    """Changes as two tables, equal sizes, then near ones; below them the software of both sides."""
    heads = (
        w("command.change"),
        *([w("command.annualised")] if annualised else []),
        w("command.submitter"),
        w("command.accelerator"),
        w("command.benchmark"),
        w("command.before"),
        w("command.after"),
        "",
    )
    division = " / ".join(naming.distinct(naming.division(delta.after, w) for delta in found))
    blocks = [w("command.deltas_title", since=since, division=division)]
    told: list[Delta] = []
    for near in (False, True):
        some = [delta for delta in found if delta.near_scale is near]
        if not some:
            continue
        if near:
            blocks.append("\n" + w("command.near"))
        lines: Iterable[list[str | Cell]] = (delta_line(delta, w) for delta in some[:limit])
        if annualised:
            years = (Cell(w.signed(delta.annualised, 1)) for delta in some[:limit])
            lines = ([line[0], year, *line[1:]] for line, year in zip(lines, years, strict=True))
        blocks.append(grid(heads, lines))
        if len(some) > limit:
            blocks.append(w.count("command.more", len(some) - limit))
        told += some[:limit]
    blocks += software_lines(told, w)
    return with_footnote("\n".join(blocks), [row for d in told for row in (d.before, d.after)], w)


def software_lines(found: Sequence[Delta], w: Words) -> list[str]:
    """The framework and weight types of both sides, once for all changes that share them."""
    who: dict[tuple[str, str], list[str]] = {}
    for delta in found:
        sides = software(delta.before, w), software(delta.after, w)
        name = f"{naming.submitter(delta.after.submitter)} {naming.counted_chip(delta.after, w)}"
        who.setdefault(sides, []).append(name)
    if not who:
        return []
    lines = [
        "  " + w("command.software_line", who=", ".join(naming.distinct(names)), before=before, after=after)
        for (before, after), names in who.items()
    ]
    return ["\n" + w("command.software"), *lines]


def software(row: Row, w: Words) -> str:
    """Framework and weight types as published."""
    known = [naming.harmless(text, 60) for text in (row.framework, row.weights) if text]
    return ", ".join(known) or w("caveats.software_unknown")


def summary_text(found: Sequence[Summary], every: Sequence[Delta], w: Words, *, since: str, left: int) -> str:
    """Composites as a table: how many, least, quartiles, most, how many fell."""
    if not found:
        return w("command.no_deltas", since=since)
    heads = (
        w("command.accelerator"),
        w("command.model"),
        *(
            w(f"command.summary.{name}")
            for name in ("n", "minimum", "lower", "median", "upper", "maximum", "fell")
        ),
    )
    lines: list[list[str | Cell]] = [
        [
            naming.harmless(one.accelerator),
            naming.model(one.model),
            Cell(w.number(one.n)),
            *(
                Cell(w.signed(getattr(one, name), 1))
                for name in ("minimum", "lower", "median", "upper", "maximum")
            ),
            Cell(w.number(one.fell)),
        ]
        for one in found
    ]
    division = " / ".join(naming.distinct(naming.division(delta.after, w) for delta in every))
    title = w("command.deltas_title", since=since, division=division)
    text = f"{title}\n{w('command.summary_title')}\n{grid(heads, lines)}"
    if left > 0:
        text += "\n" + w.count("command.more", left)
    told = {(one.accelerator, one.model) for one in found}
    rows = [
        row
        for delta in every
        if not delta.near_scale and (hardware(delta.after), delta.after.model) in told
        for row in (delta.before, delta.after)
    ]
    return with_footnote(text, rows, w)


def delta_line(delta: Delta, w: Words) -> list[str | Cell]:
    """One change: by how much, whose, on what, in what, from and to."""
    before, after = delta.before, delta.after
    size = naming.counted_chip(after, w)
    if delta.near_scale:
        size = w("where.counts", first=naming.count_text(before, w), second=size)
    return [
        Cell(w.signed(delta.gain, 1)),
        naming.submitter(after.submitter),
        size,
        naming.benchmark(after),
        Cell(tables.figure(before, w, derived=delta.per_accelerator), before.round),
        Cell(tables.figure(after, w, derived=delta.per_accelerator), after.round),
        f"{tables.unit_head([after], w, derived=delta.per_accelerator)}, {categories(delta, w)}",
    ]


def categories(delta: Delta, w: Words) -> str:
    """The category of both sides, once where it is the same."""
    old, new = (naming.availability(row, w) for row in (delta.before, delta.after))
    return old if old == new else w("where.rounds", old=old, new=new)
