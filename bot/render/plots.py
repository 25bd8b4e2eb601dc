"""What the three charts show: bars of a table, changes between rounds, ratios beside the claim.

Pure: tables, deltas and readings in, a `Plot` out, with every text in the reader's language and
an alt text that carries the numbers. `bot.render.chart` draws it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.telling import comparisons, naming, tables
from bot.telling.case import Case
from bot.telling.comparisons import Comparison
from bot.telling.tables import Bar, Table
from bot.wording import Words
from knowledge.deltas import Delta
from knowledge.reading import Group
from knowledge.tolerance import measure

# More lanes than this make a picture that nobody reads in a chat; a line says what was left out.
MOST_BARS = 12
MOST_DELTAS = 10

# Slack takes alt texts of up to 1,000 characters for a file, Discord of 1,024 for an attachment.
ALT = 1000

# A scale of changes spans at least this share, so that a small change looks small.
LEAST_SPAN = 0.25

# Below this many comparisons a range says nothing that the bars do not.
RANGE_FROM = 3


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a lane; a hollow one is where something started."""

    at: float
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Lane:
    """One line of a chart: words, a figure, and what is drawn from `start` to `end` in the panel's scale.

    Without dots it is a bar, with dots a thin line between them. `style` tells sides apart (colour and
    hatch); a lane of another `group` than the one above stands apart.
    """

    label: str
    detail: str
    figure: str
    start: float
    end: float
    dots: tuple[Dot, ...] = ()
    style: int = 0
    group: str = ""

    def told(self, *, brief: bool = False) -> str:
        """The lane in words, for the alt text; in brief without its detail."""
        words = self.label if brief or not self.detail else f"{self.label}, {self.detail}"
        return f"{words}: {self.figure}"


@dataclass(frozen=True, slots=True)
class Mark:
    """An upright line through all lanes of a panel, with its name; the claim's is dashed."""

    at: float
    label: str
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """Lanes on one scale from `low` to `high`: one benchmark, one unit."""

    head: str
    lanes: tuple[Lane, ...]
    low: float
    high: float
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart before it is drawn. `more` says what was left out, `alt` says it all without a picture."""

    title: str
    panels: tuple[Panel, ...]
    more: str
    note: str
    alt: str


# Bars


def bars(table: Table, w: Words) -> Plot | None:
    """The rows of a table as bars, a panel for each benchmark and unit; None where there is none to draw."""
    every = [bar for bar in table.bars if math.isfinite(bar.value) and bar.value >= 0]
    if not every:
        return None
    shown = every[:MOST_BARS]
    styles = _styles(shown)
    derived = any(bar.derived for bar in shown)
    scales = list(dict.fromkeys((bar.benchmark, bar.unit) for bar in shown))
    panels = tuple(
        _bar_panel(
            # The title names the benchmark already where there is one.
            f"{benchmark}, {unit}" if len(scales) > 1 else unit,
            [bar for bar in shown if (bar.benchmark, bar.unit) == (benchmark, unit)],
            styles,
            w,
        )
        for benchmark, unit in scales
    )
    return _plot("chart.bars", table.title, panels, len(every) - len(shown), derived, w)


def _bar_panel(head: str, some: Sequence[Bar], styles: dict[Bar, int], w: Words) -> Panel:
    lanes = tuple(
        Lane(
            label=f"{bar.system}, {bar.submitter}",
            detail=", ".join(part for part in (bar.round, bar.category, bar.mark) if part),
            figure=w.figure(bar.value),
            start=0.0,
            end=bar.value,
            style=styles[bar],
            group=bar.size,
        )
        for bar in some
    )
    return Panel(head, lanes, 0.0, max(bar.value for bar in some) or 1.0)


def _styles(some: Sequence[Bar]) -> dict[Bar, int]:
    """A style for each bar, by what tells the sides apart: the chip, else the round, else the submitter."""
    for name in ("kind", "round", "submitter"):
        values = list(dict.fromkeys(str(getattr(bar, name)) for bar in some))
        if len(values) > 1:
            return {bar: values.index(str(getattr(bar, name))) for bar in some}
    return dict.fromkeys(some, 0)


# Changes


def changes(found: Sequence[Delta], w: Words) -> Plot | None:
    """Changes between rounds as dumbbells, each from its own 100 %; None where there is none."""
    if not found:
        return None
    shown = found[:MOST_DELTAS]
    lanes = tuple(_change(delta, w) for delta in shown)
    low, high = min(1.0, *(lane.end for lane in lanes)), max(1.0, *(lane.end for lane in lanes))
    if high - low < LEAST_SPAN:
        low, high = (low, low + LEAST_SPAN) if high > 1 else (high - LEAST_SPAN, high)
    rounds = naming.distinct(
        sorted({name for delta in shown for name in (delta.before.round, delta.after.round)})
    )
    derived = any(delta.per_accelerator for delta in shown)
    title = w(
        "chart.changes_title",
        suite=w("table.suite", round=" / ".join(rounds)),
        division=" / ".join(naming.distinct(naming.division(delta.after, w) for delta in shown)),
    )
    panel = Panel(
        head=w("table.derived_short" if derived else "chart.derived"),
        lanes=lanes,
        low=low,
        high=high,
        marks=(Mark(1.0, w("chart.before")),),
    )
    return _plot("chart.changes", title, (panel,), len(found) - len(shown), derived, w)


def _change(delta: Delta, w: Words) -> Lane:
    before, after = delta.before, delta.after
    size = naming.counted_chip(after, w)
    if delta.near_scale:
        size = w("where.counts", first=naming.count_text(before, w), second=size)
    unit = naming.unit(after, w) if delta.per_accelerator else tables.unit_head([after], w, derived=False)
    categories = naming.distinct(naming.availability(row, w) for row in (before, after))
    category = categories[0]
    if len(categories) > 1:
        category = w("where.rounds", old=categories[0], new=categories[1])
    figures = w(
        "chart.change",
        before=tables.figure(before, w, derived=delta.per_accelerator),
        old=before.round,
        after=tables.figure(after, w, derived=delta.per_accelerator),
        new=after.round,
        unit=unit,
    )
    return Lane(
        label=f"{naming.submitter(after.submitter)}, {size}, {naming.benchmark(after)}",
        detail=f"{figures}, {category}",
        figure=w.signed(delta.gain, 1),
        start=1.0,
        end=delta.ratio,
        dots=(Dot(1.0, hollow=True), Dot(delta.ratio)),
        style=0 if delta.ratio >= 1 else 1,
    )


# Ratios


def ratios(case: Case) -> Plot | None:
    """The like-for-like ratios of a reading with the claim marked; where there are none, those that differ.

    None for a claim that compares nothing.
    """
    w, reading = case.w, case.reading
    groups = [group for group in reading.like_for_like or reading.others if len(group.rows) > 1]
    if not groups or case.claim.kind not in ("multiple", "percent", "outperforms", "scaling"):
        return None
    groups.sort(key=lambda group: -group.ratio)
    pairs = [comparisons.of_group(group) for group in groups]
    kept = [pair for pair in pairs if pair is not None]
    lanes = tuple(
        _ratio(case, group, pair, kept) for group, pair in zip(groups[:MOST_BARS], kept, strict=False)
    )
    marks = tuple(_marks(case, groups[0].rows[0].lower_is_better))
    spots = [spot for lane in lanes for spot in (lane.start, lane.end)] + [mark.at for mark in marks]
    derived = tables.per_accelerator([row for group in groups for row in group.rows])
    head = w("table.derived_short" if derived else "chart.derived")
    panel = Panel(head, lanes, min(spots), max(spots), marks)
    title = w(
        "chart.ratios_title" if reading.like_for_like else "chart.ratios_title_differ",
        sides=_sides(kept, w),
        title=tables.title([row for group in groups for row in group.rows], w),
    )
    return _plot("chart.ratios", title, (panel,), len(groups) - len(lanes), True, w)


def _sides(pairs: Sequence[Comparison], w: Words) -> str:
    """What is over what, as an addition to a title, where each side has one name."""
    by = comparisons.told_apart(pairs)
    firsts, seconds = (
        naming.distinct(comparisons.side(row, by, w) for row in rows)
        for rows in ([pair.first for pair in pairs], [pair.second for pair in pairs])
    )
    if by == "system" or len(firsts) != 1 or len(seconds) != 1:
        return ""
    return w("chart.sides", first=firsts[0], second=seconds[0])


def _ratio(case: Case, group: Group, pair: Comparison, pairs: Sequence[Comparison]) -> Lane:
    w = case.w
    # Submitters stand with their systems in the detail.
    fields = [name for name in comparisons.varying(pairs) if name not in ("count", "submitter")]
    where = comparisons.where(pair, [*fields, "count"], w)
    sides = w(
        "where.counts",
        first=naming.who(pair.first, w, chip_too=True),
        second=naming.who(pair.second, w, chip_too=True),
    )
    spread = ""
    if group.pairs > 1:
        spread = w(
            "command.pairs",
            n=w.number(group.pairs),
            low=_shown(case, group.min),
            high=_shown(case, group.max),
        )
    return Lane(
        label=where,
        detail="; ".join(part for part in (sides, spread) if part),
        figure=_shown(case, group.ratio),
        start=min(group.min, group.ratio),
        end=max(group.max, group.ratio),
        dots=(Dot(group.ratio),),
    )


def _shown(case: Case, ratio: float) -> str:
    """A ratio in the form of the claim: 1.15 is +15 % beside a percent claim."""
    lower = any(row.lower_is_better for row in case.reading.rows)
    return case.claimed(measure(case.claim, latency=lower)(ratio))


def _marks(case: Case, latency: bool) -> Iterable[Mark]:
    """Where both sides are equal, and where the claim stands on the same scale."""
    equal = case.share(1.0) if case.claim.kind == "scaling" else case.w("chart.equal")
    yield Mark(1.0, equal)
    if case.claim.value:
        # The way from a ratio to the claim's number is its own inverse.
        at = measure(case.claim, latency=latency)(case.claim.value)
        yield Mark(at, case.w("chart.claim", phrase=case.phrase), dashed=True)


# What all have


def best(case: Case, table: Table | None) -> Plot | None:
    """The chart that tells most of one claim: the range of several comparisons, else its table's bars."""
    several = len(case.reading.like_for_like) >= RANGE_FROM
    found = ratios(case) if several and case.claim.value is not None else None
    return found or (bars(table, case.w) if table else None)


def _plot(key: str, title: str, panels: tuple[Panel, ...], left: int, derived: bool, w: Words) -> Plot:
    more = w.count("chart.more", left) if left else ""
    note = w("chart.note_derived" if derived else "chart.note_published")
    start = f"{w(key)} {title}."
    return Plot(title, panels, more, note, _alt(start, panels, more, w("chart.alt_cut")))


def _alt(start: str, panels: Sequence[Panel], more: str, cut: str) -> str:
    """The chart in words: in full where an alt text holds it, else in brief, at last its first lanes."""
    parts: list[str] = []
    for brief in (False, True):
        parts = [
            part
            for panel in panels
            for part in (
                ", ".join(filter(None, (panel.head, *(mark.label for mark in panel.marks)))),
                *(lane.told(brief=brief) for lane in panel.lanes),
            )
            if part
        ]
        text = " ".join([start, *(f"{part}." for part in [*parts, more] if part)])
        if len(text) <= ALT:
            return text
    text = naming.cut(start, ALT - len(cut) - 1)
    for part in parts:
        if len(text) + len(part) + len(cut) + 3 > ALT:
            break
        text = f"{text} {part}."
    return f"{text} {cut}"
