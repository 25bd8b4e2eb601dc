"""All claims of a passage in their own words: every kind in turn, then what lists share."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

from parsing.binding import coordinated
from parsing.context import Context, suite
from parsing.frame import Frame
from parsing.spans.bare import bare, unit_nearby
from parsing.spans.counts import won
from parsing.spans.found import Found, Measure, Rejected
from parsing.spans.local import past_bracket
from parsing.spans.measures import measures
from parsing.spans.multiples import multiple
from parsing.spans.outperforms import outperforms
from parsing.spans.percents import Relation, elliptic, percent
from parsing.spans.rates import absolute, rate
from parsing.spans.records import records
from parsing.spans.scaling import linear

Span = tuple[int, int]
_AT = attrgetter("at")
_LINEAR = frozenset({"scaling.linear", "scaling.near_linear"})


def find(frame: Frame, context: Context, closed: Sequence[Span], rejected: list[Rejected]) -> list[Found]:
    """Everything in a frame that is said of results; `closed` are token spans read elsewhere (tables)."""
    every = [m for m in measures(frame) if not any(a <= m.start < b for a, b in closed)]
    found = _measured(frame, every, context, rejected)
    _bare_numbers(frame, every, found, context, rejected)
    measured = sorted(found, key=_AT)
    for low, high in frame.sentences:
        if any(a <= low < b for a, b in closed):
            continue
        here = measured[bisect_left(measured, low, key=_AT) : bisect_left(measured, high, key=_AT)]
        found.extend(records(frame, low, high))
        found.extend(outperforms(frame, low, high, here))
        if not frame.said(low).isdisjoint(_LINEAR):
            found.extend(linear(frame, low, high, here))
    found.sort(key=_AT)
    for left, right in pairwise(found):
        _share(frame, left, right)
    return found


def _measured(frame: Frame, every: list[Measure], context: Context, rejected: list[Rejected]) -> list[Found]:
    found: list[Found] = []
    relation: Relation | None = None
    ends = _list_ends(frame, every)
    for at, measure in enumerate(every):
        result: Found | Rejected | None = None
        if measure.form == "x":
            result = multiple(frame, measure)
        elif measure.form == "%":
            joined = at > 0 and (
                _listed(frame, every[at - 1], measure) or _elliptic(frame, every[at - 1], measure)
            )
            result, relation = percent(frame, measure, relation if joined else None, ends[at])
        elif measure.form in ("rate", "time"):
            result = rate(frame, measure, _training(frame, measure, context))
        else:
            result = won(frame, measure.low)
        if isinstance(result, Found):
            found.append(result)
        else:
            rejected.append(result or Rejected(measure.start, measure.end, "no_unit"))
    return found


def _listed(frame: Frame, left: Measure, right: Measure) -> bool:
    """Whether two measures of one form stand in one list."""
    return left.form == right.form and coordinated(frame, past_bracket(frame, left.end), right.start)


def _elliptic(frame: Frame, left: Measure, right: Measure) -> bool:
    """Whether a second percentage of the sentence leaves its relation to the first."""
    together = frame.sentence(left.start) == frame.sentence(right.start)
    return left.form == "%" and together and elliptic(frame, right)


def _list_ends(frame: Frame, every: list[Measure]) -> list[int]:
    """For each measure where its list ends, in its sentence."""
    ends = [m.end for m in every]
    for at in range(len(every) - 2, -1, -1):
        left, right = every[at], every[at + 1]
        if _listed(frame, left, right) and frame.sentence(left.start) == frame.sentence(right.start):
            ends[at] = ends[at + 1]
    return ends


def _bare_numbers(
    frame: Frame, every: list[Measure], found: list[Found], context: Context, rejected: list[Rejected]
) -> None:
    """Numbers whose unit another figure says ("over 1M, 1M, 785k tokens/sec"), or a heading."""
    alone = {r.start: r for r in rejected if r.reason == "no_unit"}
    figures = [f for f in found if f.kind == "absolute" and f.value and f.unit]
    if not alone or not (figures or context.unit):
        return
    rates = [f for f in figures if f.unit and f.unit.endswith("/s")]
    said: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)  # figures with units, by sentence
    for f in figures:
        said[frame.sentence_of[f.at]].append((f.value or 0, f.unit or ""))
    starts, taken = {f.at for f in found}, set[int]()
    for at in range(len(every) - 1, -1, -1):
        measure = every[at]
        if measure.start not in alone:
            continue
        units = said[frame.sentence_of[measure.start]]
        unit = None if units else unit_nearby(frame, measure, rates, context)
        if unit:
            units = [(measure.value / 2, unit)]
        after = every[at + 1] if at + 1 < len(every) else None
        listed = after is not None and after.start in starts and _joined(frame, measure, after)
        unit = bare(frame, measure.low, units, listed=listed)
        if unit:
            claim = absolute(frame, Measure(measure.start, measure.end, "rate", measure.low, unit=unit), unit)
            claim.context.add("unit")
            found.append(claim)
            starts.add(claim.at)
            if claim.value:
                said[frame.sentence_of[claim.at]].append((claim.value, unit))
            taken.add(id(alone[measure.start]))
    rejected[:] = [r for r in rejected if id(r) not in taken]


def _joined(frame: Frame, left: Measure, right: Measure) -> bool:
    """Whether two numbers stand in one list, or one is set against the other ("16.1 instead of 27.4 s")."""
    if coordinated(frame, left.end, right.start):
        return True
    between = range(left.end, right.start)
    return 0 < len(between) <= 2 and frame.within(left.end, right.start, "baseline.mark", "when.to")


def _share(frame: Frame, left: Found, right: Found) -> None:
    """What the second of two listed values takes from the first: its qualifier, and that it is money."""
    if left.value is None or right.value is None or left.kind in ("record", "count"):
        return
    if coordinated(frame, left.till, right.start) and right.qualifier == "exact" and left.kind == right.kind:
        said = frame.section_at(right.start, "qualifier.") is not None
        right.qualifier = right.qualifier if said else left.qualifier
    same = frame.sentence(left.at) == frame.sentence(right.at)
    money = left.kind == "cost" and right.kind in ("multiple", "percent") and right.metric == "throughput"
    end = min(frame.sentence(right.at)[1], right.till + 5)
    if money and same and not frame.within(right.at, end, "metric.throughput"):
        right.kind, right.metric = "cost", "cost"


def _training(frame: Frame, measure: Measure, context: Context) -> bool:
    """Whether minutes here are training times."""
    _, high = frame.sentence(measure.start)
    return context.training or suite(frame, 0, high) == "training"
