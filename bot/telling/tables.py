"""The table of a reply: what the rows say, side by side, per accelerator or as published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.telling import comparisons, naming
from bot.telling.case import Case
from bot.telling.comparisons import Comparison
from bot.wording import Words
from knowledge.row import Row

SHOWN = 3
MOST = 6


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure and the words beside it; either may be empty."""

    figure: str = ""
    words: str = ""

    @property
    def text(self) -> str:
        """Both in one line."""
        return " ".join(part for part in (self.figure, self.words) if part)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table. `claim` marks the rows that the claim rests on; `keys` are row keys."""

    cells: tuple[Cell, ...]
    keys: tuple[str, ...] = ()
    claim: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """One row's figure for a chart. Only bars of one benchmark and unit may share an axis.

    `system` is the accelerators that took part ("72 GB300"), `kind` what they are ("GB300"), `size` how
    many ("72 GPUs"); `category` is the availability, with the division where that is not Closed; `derived`
    tells a figure per accelerator from a published result; `mark` says what the row is to the claim.
    """

    value: float
    system: str
    kind: str
    size: str
    submitter: str
    round: str
    category: str
    benchmark: str
    unit: str
    derived: bool = False
    mark: str = ""

    @property
    def label(self) -> str:
        """Everything that tells the bar from another one of its benchmark."""
        return ", ".join((self.system, self.submitter, self.round, self.category))


@dataclass(frozen=True)
class Table:
    """A reading as a table.

    `title` names suite, rounds, division, availability, benchmark; `unit` what the figures
    are, and whether they are published results or derived. The first `shown` lines belong in
    the channel, all of them in the details. `bars` are the same figures for a chart.
    """

    title: str
    unit: str
    heads: tuple[str, ...]
    lines: tuple[Line, ...]
    shown: int = SHOWN
    derived: bool = False
    bars: tuple[Bar, ...] = field(default=(), repr=False)

    @property
    def keys(self) -> frozenset[str]:
        """The rows that stand in the channel's lines."""
        return frozenset(key for line in self.lines[: self.shown] for key in line.keys)


def table(case: Case) -> Table | None:
    """The table of one claim; None where there are no rows to show."""
    kind = case.claim.kind
    undecided = case.reading.verdict == "depends"
    if kind == "absolute" or (kind == "record" and (undecided or not case.reading.by_scale)):
        return single(case, case.reading.rows)
    if kind == "scaling" and (case.groups or case.pair):
        return pairs_table(case, ranked(case), efficiency=True)
    if case.reading.by_scale and case.pair is None:
        return sizes(case)
    found = ranked(case)
    if found:
        return pairs_table(case, found)
    return sizes(case) if case.reading.by_scale else single(case, case.reading.rows)


def ranked(case: Case) -> list[Comparison]:
    """The comparisons to show: the claim's own first, then what balances it best.

    After the claim's pair come the like-for-like comparisons: one of each end, then by size.
    """
    others = [
        pair for pair in [*case.groups, *case.others] if not (case.pair and comparisons.same(pair, case.pair))
    ]
    others.sort(key=lambda p: not any(comparisons.same(p, g) for g in case.groups))
    if len(others) > SHOWN - 1:
        low = min(others, key=lambda p: p.ratio)
        others = [low, *(pair for pair in others if pair is not low)]
    found = [*([case.pair] if case.pair else []), *others][:MOST]
    # In the table the claim's pair stands below the like-for-like ones, as their contrast.
    head, tail = found[:SHOWN], found[SHOWN:]
    if case.pair and not case.claim_in_groups:
        head = [*head[1:], head[0]]
    return [*head, *tail]


def _all(pairs: Sequence[Comparison]) -> list[Row]:
    return [row for pair in pairs for row in (pair.first, pair.second)]


def per_accelerator(rows: Sequence[Row]) -> bool:
    """Whether all rows have a per-accelerator figure."""
    return bool(rows) and all(row.per_accelerator is not None for row in rows)


def unit_head(rows: Sequence[Row], w: Words, *, derived: bool) -> str:
    """The unit with what kind of figure it is."""
    unit = w.join(naming.distinct(naming.unit(row, w) for row in rows))
    if derived:
        return w("table.derived", unit=unit)
    lower = any(row.lower_is_better for row in rows)
    return w("table.published_lower" if lower else "table.published", unit=unit)


def title(rows: Sequence[Row], w: Words) -> str:
    """Suite, rounds, division, availability, benchmark."""
    rounds = " / ".join(sorted(naming.distinct(row.round for row in rows)))
    models = naming.distinct(naming.model(row.model) + naming.target(row) for row in rows)
    scenarios = naming.distinct(naming.scenario(row.scenario) for row in rows)
    parts = [
        w("table.suite", round=rounds),
        " / ".join(naming.distinct(naming.division(row, w) for row in rows)),
        " / ".join(naming.distinct(naming.availability(row, w) for row in rows)),
        f"{' / '.join(models)} {' / '.join(scenarios)}",
    ]
    return ", ".join(parts)


def figure(row: Row, w: Words, *, derived: bool) -> str:
    """A row's figure in the table."""
    if derived and row.per_accelerator is not None:
        return w.figure(row.per_accelerator)
    return w.exact(row.value)


def bars(
    rows: Sequence[Row], w: Words, *, derived: bool, marks: Mapping[str, str] | None = None
) -> tuple[Bar, ...]:
    """The rows' figures for a chart, each row once; `marks` says by key what a row is to the claim."""
    return tuple(
        _bar(row, w, derived, (marks or {}).get(row.key, ""))
        for row in {row.key: row for row in rows}.values()
    )


def _bar(row: Row, w: Words, derived: bool, mark: str) -> Bar:
    derived = derived and row.per_accelerator is not None
    division = "" if row.division == "closed" else f", {naming.division(row, w)}"
    return Bar(
        value=row.per_accelerator if derived and row.per_accelerator is not None else row.value,
        derived=derived,
        system=naming.counted_chip(row, w),
        kind=naming.accelerator(row),
        size=naming.counted(row, w),
        submitter=naming.submitter(row.submitter),
        round=row.round,
        category=naming.availability(row, w) + division,
        benchmark=naming.benchmark(row),
        unit=unit_head([row], w, derived=derived),
        mark=mark,
    )


def pairs_table(
    case: Case, pairs: Sequence[Comparison], *, efficiency: bool = False, marked: bool = True
) -> Table:
    """Comparisons: where, first side, second side, lead; `marked` says which is the claim's own."""
    w = case.w
    rows = _all(pairs)
    derived = per_accelerator(rows)
    by: comparisons.By = "count" if efficiency else comparisons.told_apart(pairs)
    fields = [name for name in comparisons.varying(pairs) if name in ("model", "scenario", "round", "target")]
    if by == "round" and len({(p.first.round, p.second.round) for p in pairs}) == 1:
        fields = [name for name in fields if name != "round"]
    lines = tuple(_pair_line(case, pair, by, fields, derived, efficiency) for pair in pairs)
    sides = ("", "") if by == "system" else _side_heads(pairs, by, w)
    heads = (
        *([w("table.where")] if fields else []),
        _size_head(rows, w),
        *sides,
        w("table.efficiency") if efficiency else w("table.lead"),
        *([""] if marked else []),
    )
    if not marked:
        lines = tuple(Line(line.cells[:-1], line.keys) for line in lines)
    unit = unit_head(rows, w, derived=derived)
    marks = {key: _mark(case) for line in lines if line.claim for key in line.keys}
    drawn = bars(rows, w, derived=derived, marks=marks)
    return Table(title(rows, w), unit, heads, lines, derived=derived, bars=drawn)


def _side_heads(pairs: Sequence[Comparison], by: comparisons.By, w: Words) -> tuple[str, str]:
    firsts = naming.distinct(comparisons.side(pair.first, by, w) for pair in pairs)
    seconds = naming.distinct(comparisons.side(pair.second, by, w) for pair in pairs)
    return firsts[0] if len(firsts) == 1 else "", seconds[0] if len(seconds) == 1 else ""


def _size_head(rows: Sequence[Row], w: Words) -> str:
    nouns = naming.distinct(naming.noun(row, w, 2) for row in rows)
    return nouns[0] if len(nouns) == 1 else w("noun.chip.other")


def _pair_line(
    case: Case, pair: Comparison, by: comparisons.By, fields: Sequence[str], derived: bool, efficiency: bool
) -> Line:
    w = case.w
    size = naming.count_text(pair.first, w)
    if pair.first.accelerators != pair.second.accelerators:
        size = w("where.counts", first=size, second=naming.count_text(pair.second, w))
    chip_too = by != "accelerator"
    claim = case.pair is not None and comparisons.same(pair, case.pair)
    cells = [
        *([Cell(words=comparisons.where(pair, fields, w))] if fields else []),
        Cell(figure=size),
        *(
            Cell(figure(row, w, derived=derived), naming.who(row, w, chip_too=chip_too))
            for row in (pair.first, pair.second)
        ),
        Cell(words=_lead(case, pair, by, efficiency)),
        Cell(words=_mark(case) if claim else ""),
    ]
    return Line(tuple(cells), (pair.first.key, pair.second.key), claim)


def _mark(case: Case) -> str:
    """What the row of the claim's pair is called; where no pair gives the number it is only the nearest."""
    if case.reading.verdict not in ("contradicted", "not_reproduced"):
        return case.w("table.claim")
    return case.w("table.nearest") if case.claim.value is not None else ""


def _lead(case: Case, pair: Comparison, by: comparisons.By, efficiency: bool) -> str:
    """The last column: who leads by how much, or the efficiency."""
    if efficiency:
        return case.share(pair.ratio)
    style = case.style([pair])
    if by == "round":
        return case.change(pair.ratio, style)
    value = case.margin(pair.ratio, style)
    plus = case.w("figure.plus", value=value) if style == "percent" else value
    return f"{comparisons.winner(pair, by, case.w)} {plus}"


def sizes(case: Case) -> Table | None:
    """System sizes: the best row per accelerator of each side."""
    w = case.w
    lines = [line for line in case.reading.by_scale if line.rival is not None]
    lines += [line for line in case.reading.by_scale if line.rival is None]
    if not lines:
        return None
    lines.sort(key=lambda line: (line.rival is None, line.subject_leads, -line.accelerators))
    lines = lines[:MOST]
    rows = [row for line in lines for row in (line.leader, line.rival) if row is not None]
    derived = per_accelerator(rows)
    several = len({(line.model, line.scenario, line.round) for line in lines}) > 1
    told = []
    for line in lines:
        pair = None
        if line.rival is not None:
            ratio = comparisons.ratio_of(line.leader, line.rival)
            pair = Comparison(line.leader, line.rival, ratio)
        lead = _lead(case, pair, comparisons.told_apart([pair]), False) if pair else w("table.no_rival")
        where = [Cell(words=f"{naming.benchmark(line.leader)}, {line.round}")] if several else []
        cells = (
            *where,
            Cell(figure=naming.count_text(line.leader, w)),
            *(
                Cell(figure(row, w, derived=derived), naming.who(row, w, chip_too=True))
                if row
                else Cell(words="–")
                for row in (line.leader, line.rival)
            ),
            Cell(words=lead),
        )
        keys = tuple(row.key for row in (line.leader, line.rival) if row is not None)
        told.append(Line(cells, keys, line.subject_leads))
    heads = (
        *([w("table.where")] if several else []),
        _size_head(rows, w),
        w("table.best"),
        w("table.next"),
        w("table.lead"),
    )
    unit = unit_head(rows, w, derived=derived)
    drawn = bars(rows, w, derived=derived)
    return Table(title(rows, w), unit, heads, tuple(told), derived=derived, bars=drawn)


def single(case: Case, rows: Sequence[Row]) -> Table | None:
    """Rows one by one: the published result, and per accelerator beside it under its own head."""
    if not rows:
        return None
    w = case.w
    rows = list(rows)[:MOST]
    derived = any(row.per_accelerator is not None for row in rows)
    several = len({(row.model, row.scenario, row.round) for row in rows}) > 1
    lines = []
    for row in rows:
        per = w.figure(row.per_accelerator) if row.per_accelerator is not None else w("table.none")
        cells = (
            *([Cell(words=f"{naming.benchmark(row)}, {row.round}")] if several else []),
            Cell(figure=naming.count_text(row, w)),
            Cell(words=naming.who(row, w, chip_too=True)),
            Cell(figure=w.exact(row.value)),
            *([Cell(figure=per)] if derived else []),
        )
        lines.append(Line(cells, (row.key,), True))
    heads = (
        *([w("table.where")] if several else []),
        _size_head(rows, w),
        w("table.system"),
        unit_head(rows, w, derived=False),
        *([w("table.derived_short")] if derived else []),
    )
    drawn = bars(rows, w, derived=False)
    return Table(title(rows, w), "", heads, tuple(lines), derived=derived, bars=drawn)
