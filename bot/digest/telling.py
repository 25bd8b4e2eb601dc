"""What is new in sentences: one line a thing, the most informative first, each naming its rows in full."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log

from bot.digest.news import Corrected
from bot.telling import naming, tables
from bot.wording import Words
from knowledge.arrivals import Arrival, Best, Largest, Spread
from knowledge.deltas import Delta
from knowledge.preview import FollowUp
from knowledge.row import Row
from knowledge.table import score

# So many results of one Preview system stand in its line; the rest is counted.
MOST_RESULTS = 4


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a digest and the rows that it states. weight: how much it tells; derived: whether it
    holds a figure that MLCommons has not published as such."""

    text: str
    rows: tuple[Row, ...]
    weight: float = 0.0
    derived: bool = False


def system(row: Row, w: Words) -> str:
    """A row's owner, size and system: "NVIDIA, 72 GB300 (GB300 NVL72)"."""
    return w(
        "digest.system",
        submitter=naming.submitter(row.submitter),
        chips=naming.counted_chip(row, w),
        system=naming.system(row),
    )


def category(row: Row, w: Words) -> str:
    """Division and availability: "Closed, Available"."""
    return f"{naming.division(row, w)}, {naming.availability(row, w)}"


# Software gains on unchanged hardware


def moved(found: Iterable[Delta], w: Words) -> list[Item]:
    """Changes by system and model, scenarios together; what must be read with care comes last."""
    groups: dict[tuple[object, ...], list[Delta]] = defaultdict(list)
    for delta in found:
        old, new = delta.before, delta.after
        key = (
            (new.submitter, new.model, new.accuracy_target, naming.system(old), naming.system(new)),
            (naming.counted_chip(old, w), naming.counted_chip(new, w), old.round, new.round),
            delta.availability,
            _flaws(delta),
        )
        groups[key].append(delta)
    items = [_moved(sorted(some, key=lambda d: -abs(log(d.ratio))), w) for some in groups.values()]
    return sorted(items, key=lambda item: -item.weight)


def _flaws(delta: Delta) -> tuple[str, ...]:
    """What makes a change less telling than it looks."""
    caveats = ("near_scale", "preview", "atypical_row", "inferred_result")
    return tuple(code for code in (*caveats, "method") if code in delta.caveats or code in delta.differences)


def _moved(some: Sequence[Delta], w: Words) -> Item:
    first = some[0]
    old, new = first.before, first.after
    where = system(new, w)
    if naming.system(old) != naming.system(new) or first.near_scale:
        where = w("where.rounds", old=system(old, w), new=where)
    flaws = _flaws(first)
    text = w(
        "digest.moved",
        system=where,
        model=naming.model(new.model) + naming.target(new),
        changes=", ".join(f"{naming.scenario(d.after.scenario)} {_change(d.gain, w)}" for d in some),
        rounds=w("where.rounds", old=old.round, new=new.round),
        category=_categories(old, new, w),
    )
    notes = [w(f"digest.flaw.{code}") for code in flaws if w.has(f"digest.flaw.{code}")]
    rows = tuple(row for delta in some for row in (delta.before, delta.after))
    # What grew most tells most, but never before a change that nothing stands against; what has a figure
    # per accelerator comes before what has none.
    weight = abs(log(first.ratio)) - 100 * len(flaws) - (0 if first.per_accelerator else 10)
    return Item("; ".join([text, *notes]), rows, weight, derived=True)


def _change(gain: float, w: Words) -> str:
    """A change with its sign; what rounds to nothing is no fall."""
    return w.signed(round(gain, 3) or 0.0, 1)


def _categories(old: Row, new: Row, w: Words) -> str:
    if old.availability == new.availability:
        return category(new, w)
    names = (naming.availability(row, w) for row in (old, new))
    return f"{naming.division(new, w)}, " + w("where.rounds", **dict(zip(("old", "new"), names, strict=True)))


# New silicon


def accelerators(found: Iterable[Arrival], w: Words) -> list[Item]:
    """Accelerators with their first results, each with its largest system."""
    return [_arrived(one, "digest.accelerator", naming.chip(one.name), w) for one in found]


def submitters(found: Iterable[Arrival], w: Words) -> list[Item]:
    """Submitters with their first results."""
    return [_arrived(one, "digest.submitter", naming.submitter(one.name), w) for one in found]


def _arrived(one: Arrival, key: str, name: str, w: Words) -> Item:
    row = one.rows[0]
    results = w.count("digest.results", len(one.rows))
    return Item(w(key, name=name, result=result(row, w), results=results), (row,), row.accelerators)


def result(row: Row, w: Words) -> str:
    """A published result in words."""
    return w(
        "digest.result",
        system=system(row, w),
        benchmark=naming.benchmark(row),
        value=w.exact(row.value),
        unit=naming.unit(row, w),
        round=row.round,
        category=category(row, w),
    )


def sizes(found: Iterable[Largest], w: Words) -> list[Item]:
    """Systems larger than every one before of their accelerator."""
    return [
        Item(
            w(
                "digest.largest_overall" if one.overall else "digest.largest",
                chip=naming.accelerator(one.row),
                result=result(one.row, w),
                former=w.number(one.former.accelerators),
            ),
            (one.row,),
            one.row.accelerators,
        )
        for one in found
    ]


def bests(found: Iterable[Best], w: Words) -> list[Item]:
    """Figures per accelerator above every one before at their size."""
    return [
        Item(
            w(
                "digest.best",
                size=naming.counted(one.row, w),
                benchmark=naming.benchmark(one.row),
                system=system(one.row, w),
                value=w.figure(score(one.row)),
                unit=naming.unit(one.row, w),
                round=one.row.round,
                category=category(one.row, w),
                change=_change(one.ratio - 1, w),
                former=system(one.former, w),
                former_round=one.former.round,
                former_category=category(one.former, w),
            ),
            (one.row, one.former),
            log(one.ratio),
            derived=True,
        )
        for one in found
        if not any("atypical" in flag for flag in one.row.flags)
    ]


# Preview follow-up


def previews(found: Iterable[FollowUp], w: Words) -> list[Item]:
    """Preview systems by what became of them: what fell short first, then what is missing, then what came."""
    groups: dict[tuple[object, ...], list[FollowUp]] = defaultdict(list)
    for one in found:
        later = one.later
        key = (
            system(one.preview, w),
            one.preview.round,
            one.outcome,
            later and (later.round, system(later, w)),
        )
        groups[key].append(one)
    items = [_preview(sorted(some, key=lambda one: one.ratio or 0.0), w) for some in groups.values()]
    return sorted(items, key=lambda item: -item.weight)


def _preview(some: Sequence[FollowUp], w: Words) -> Item:
    first = some[0]
    shown = some[:MOST_RESULTS]
    more = w.count("digest.more_results", len(some) - len(shown)) if len(some) > len(shown) else ""
    preview = w(
        "digest.preview", system=system(first.preview, w), division=naming.division(first.preview, w),
        round=first.preview.round,
    )  # fmt: skip
    if first.later is None:
        benchmarks = ", ".join(naming.distinct(naming.benchmark(one.preview) for one in shown))
        text = w("digest.preview_missing", preview=preview, benchmarks=benchmarks + more)
        return Item(text, tuple(one.preview for one in shown), 1.0)
    shares = ", ".join(f"{naming.benchmark(one.preview)} {_share(one, w)}" for one in shown)
    text = w(
        f"digest.preview_{first.outcome}",
        preview=preview,
        later=w("digest.later", system=system(first.later, w), round=first.later.round),
        shares=shares + more,
    )
    rows = tuple(row for one in shown for row in (one.preview, one.later) if row is not None)
    return Item(text, rows, 2.0 if first.outcome == "below" else 0.0, derived=True)


def _share(one: FollowUp, w: Words) -> str:
    share = w.percent(one.ratio or 0.0, 1)
    return w("digest.other_target", share=share) if one.target_differs else share


# Corrections


def corrected(found: Iterable[Corrected], w: Words) -> list[Item]:
    """Published results that were changed, withdrawn, or added later, the largest change first."""
    items = [_corrected(one, w) for one in found]
    return sorted(items, key=lambda item: -item.weight)


def _corrected(one: Corrected, w: Words) -> Item:
    row, what = one.row, one.correction.what
    if what != "changed":
        return Item(w(f"digest.{what}", result=result(row, w)), (row,), 1.0 if what == "withdrawn" else 0.0)
    told, weight = [], 0.0
    for change in one.correction.changes:
        values = {name: _value(change.field, getattr(change, name), row, w) for name in ("old", "new")}
        told.append(w("digest.field", field=w(f"digest.fields.{change.field}"), **values))
        if change.field == "value" and change.old and change.new:
            weight = 1 + abs(log(float(change.new) / float(change.old)))
    return Item(w("digest.changed", result=result(row, w), changes="; ".join(told)), (row,), weight)


def _value(field: str | None, value: object, row: Row, w: Words) -> str:
    if isinstance(value, float | int) and not isinstance(value, bool):
        figure = w.exact(float(value))
        return f"{figure} {naming.unit(row, w)}" if field == "value" else figure
    return naming.name_text(field or "", str(value), w)


# Around them


def spread(found: Iterable[Spread], w: Words) -> list[Item]:
    """How far submitters of the same system lie apart, in one benchmark and round."""
    items = []
    for one in found:
        best, last = one.rows[0], one.rows[-1]
        text = w(
            "digest.spread",
            chips=naming.counted_chip(best, w),
            benchmark=naming.benchmark(best),
            round=best.round,
            category=category(best, w),
            n=w.number(len(one.rows)),
            ratio=w.ratio(one.ratio),
            best=_owner(best, w),
            last=_owner(last, w),
        )
        items.append(Item(text, (best, last), log(one.ratio), derived=True))
    return items


def _owner(row: Row, w: Words) -> str:
    """A submitter with its system and figure."""
    derived = row.per_accelerator is not None
    return w(
        "digest.owner",
        submitter=naming.submitter(row.submitter),
        system=naming.system(row),
        value=tables.figure(row, w, derived=derived),
        unit=tables.unit_head([row], w, derived=derived),
    )


def claims(counts: dict[str, int], w: Words) -> Iterator[str]:
    """The claims checked here, by verdict, the most frequent first."""
    known = {verdict: n for verdict, n in counts.items() if n > 0 and w.has(f"digest.verdict.{verdict}")}
    if known:
        some = sorted(known.items(), key=lambda item: (-item[1], item[0]))
        listed = ", ".join(f"{w(f'digest.verdict.{verdict}')} {w.number(n)}" for verdict, n in some)
        yield w("digest.claims", n=w.number(sum(known.values())), verdicts=listed)
