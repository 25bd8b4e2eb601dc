"""What moved between rounds on unchanged hardware.

A delta is one submitter's result on one kind of system, in one benchmark, against the same in
its round before. Best row against best row; per accelerator; a latency's ratio is inverted, so
that above 1 is always better.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from math import log
from statistics import quantiles
from typing import Any

from knowledge import clock
from knowledge.comparison import pair
from knowledge.errors import KnowledgeError
from knowledge.names import Names
from knowledge.reading import Caveat, Difference
from knowledge.rounds import Comparability, Rounds
from knowledge.row import Row
from knowledge.table import score
from knowledge.wanted import Wanted

DAYS_OF_A_YEAR = 365.25
NEAR = 1.15  # two sizes within 15 % of each other are near, and listed apart


@dataclass(frozen=True, slots=True)
class Delta:
    """One result and the same submitter's result on the same hardware in an earlier round.

    ratio: after over before, per accelerator where the rows have such a figure, else by system;
    above 1 is better. comparability: why the two rounds compare. differences and caveats: codes
    as a Reading's; "round" is always among the former.
    """

    before: Row
    after: Row
    ratio: float
    comparability: Comparability
    differences: tuple[Difference, ...]
    caveats: tuple[Caveat, ...]

    @property
    def near_scale(self) -> bool:
        """Whether the sizes differ (by 15 % at most)."""
        return "scale" in self.differences

    @property
    def gain(self) -> float:
        """The change as a fraction: 0.282 is +28.2 %, below zero is a fall."""
        return self.ratio - 1

    @property
    def annualised(self) -> float:
        """The change a year, had it gone on like this: ratio to the power of 365.25 / days, minus 1."""
        old, new = (date.fromisoformat(row.published) for row in (self.before, self.after))
        return float(self.ratio ** (DAYS_OF_A_YEAR / (new - old).days)) - 1

    @property
    def per_accelerator(self) -> bool:
        """Whether the ratio is of figures per accelerator."""
        return self.before.per_accelerator is not None and self.after.per_accelerator is not None

    @property
    def availability(self) -> tuple[str, str]:
        """The category before and after ("preview", "available")."""
        return self.before.availability, self.after.availability

    @property
    def software_changed(self) -> bool:
        """Whether the published framework or weight types differ."""
        old, new = self.before, self.after
        return (old.framework, old.weights) != (new.framework, new.weights)

    def as_json(self, *, annualised: bool = False) -> dict[str, Any]:
        """The delta as a plain object, with both rows; the change a year only where it is asked for."""
        return {
            "ratio": self.ratio,
            **({"annualised": self.annualised} if annualised else {}),
            "per_accelerator": self.per_accelerator,
            "near_scale": self.near_scale,
            "comparability": self.comparability.status,
            "differences": list(self.differences),
            "caveats": list(self.caveats),
            "before": self.before.as_json(),
            "after": self.after.as_json(),
        }


@dataclass(frozen=True, slots=True)
class _Line:
    """What stays the same along a line of results, but for the size."""

    suite: str
    submitter: str
    hardware: tuple[object, ...]
    model: str
    used_model: str | None
    accuracy_target: str | None
    scenario: str
    division: str
    system_type: str
    power: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """The changes of one accelerator in one model, as a composite: figures as `Delta.gain`.

    lower and upper are the quartiles, by linear interpolation between the values. fell: how many
    results became worse.
    """

    accelerator: str
    model: str
    n: int
    minimum: float
    lower: float
    median: float
    upper: float
    maximum: float
    fell: int


def summaries(found: Iterable[Delta]) -> list[Summary]:
    """One composite for each accelerator and model, over all scenarios, sizes and submitters.

    Near sizes are left out: what changed there may be the size. The most results come first.
    """
    groups: dict[tuple[str, str], list[float]] = defaultdict(list)
    for delta in found:
        if not delta.near_scale:
            groups[hardware(delta.after), delta.after.model].append(delta.gain)
    told = [_summary(*where, gains) for where, gains in groups.items()]
    return sorted(told, key=lambda one: (-one.n, one.accelerator, one.model))


def _summary(accelerator: str, model: str, gains: list[float]) -> Summary:
    lower, median, upper = quantiles(gains, method="inclusive") if len(gains) > 1 else gains * 3
    fell = sum(gain < 0 for gain in gains)
    return Summary(accelerator, model, len(gains), min(gains), lower, median, upper, max(gains), fell)


def hardware(row: Row) -> str:
    """What computed, in canonical names: accelerator and variant, the kinds of a mixed system, or the CPU."""
    if row.parts:
        return " + ".join(part.accelerator for part in row.parts)
    name = row.accelerator or row.processor or row.system
    return f"{name} {row.variant}" if row.variant else name


Cells = dict[str, dict[int, list[Row]]]  # round, then number of accelerators


def deltas(
    rows: Iterable[Row],
    names: Names,
    rounds: Rounds,
    *,
    since: str,
    until: str | None = None,
    models: Iterable[str] = (),
    scenarios: Iterable[str] = (),
    accelerators: Iterable[str] = (),
    submitters: Iterable[str] = (),
    division: str | None = "closed",
    least: float = 0.0,
    today: date | None = None,
    early: bool = False,
) -> list[Delta]:
    """Every change from round `since` up to round `until` (None: the newest stored one).

    A result is set against the latest earlier one from `since` on, so that over several rounds
    each step stands by itself. Filters take any spelling; an empty one lets all pass; `division`
    None lets both pass; `least` is the smallest change told, up or down, as a fraction. Rounds
    younger than two weeks on the day `today` are left out unless `early`.

    The same sizes come first, then near ones, each by size of the change.
    Raises KnowledgeError for a round that was never published.
    """
    first, last = _day(since, rounds), _day(until, rounds) if until else date.max
    wanted = Wanted.of(
        names,
        models=models,
        scenarios=scenarios,
        accelerators=accelerators,
        submitters=submitters,
        division=division,
    )
    day = today or clock.today()

    @cache
    def told_of(suite: str, published: str) -> bool:
        at = date.fromisoformat(published)
        return first <= at <= last and (early or rounds.quotable(at, day, suite) is None)

    lines: dict[_Line, Cells] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in rows:
        if told_of(row.suite, row.published) and wanted.passes(row):
            lines[_line(row)][row.round][row.accelerators].append(row)
    found = [delta for cells in lines.values() if len(cells) > 1 for delta in _of_line(cells, rounds)]
    told = [delta for delta in found if abs(delta.gain) >= least]
    return sorted(told, key=lambda d: (d.near_scale, -abs(log(d.ratio)), d.after.key, d.before.key))


def _day(name: str, rounds: Rounds) -> date:
    found = rounds.get(name)
    if found is None:
        raise KnowledgeError(
            f"{name!r} is no published round; the newest are {', '.join(rounds.names()[-4:])}"
        )
    return found.published


def _line(row: Row) -> _Line:
    if row.accelerator or row.parts:
        hardware: tuple[object, ...] = (row.accelerator, row.variant, row.parts)
    else:  # a CPU: its size is the number of sockets
        hardware = (row.processor, row.processors, row.nodes)
    return _Line(
        row.suite,
        row.submitter,
        hardware,
        row.model,
        row.used_model if row.division == "open" else None,  # Open may run another model under the name
        row.accuracy_target,
        row.scenario,
        row.division,
        row.system_type,
        measures_power(row),
    )


def measures_power(row: Row) -> bool:
    """Whether the row is of a power run, which compares with other power runs only (rule 28)."""
    return row.watts is not None or "power_run" in row.flags


def _of_line(cells: Cells, rounds: Rounds) -> Iterator[Delta]:
    """The deltas along one line: each size against its own past, else against a near size's."""
    order = sorted(cells, key=lambda name: next(iter(cells[name].values()))[0].published)
    for place, name in enumerate(order):
        earlier = [cells[past] for past in reversed(order[:place])]
        for count, rows in cells[name].items():
            same = [past[count] for past in earlier if count in past]
            near = same or [past[size] for past in earlier if (size := _nearest(count, past, cells[name]))]
            for before in near:
                if found := list(_between(before, rows, rounds)):
                    yield from found
                    break


def _nearest(count: int, past: dict[int, list[Row]], now: dict[int, list[Row]]) -> int:
    """The size of an earlier round that stands for `count`, 0 where none does.

    A size that was submitted again has its own successor and stands for no other.
    """
    gone = [size for size in past if size not in now and size and max(size, count) <= NEAR * min(size, count)]
    return min(gone, key=lambda size: abs(size - count), default=0)


def _between(before: list[Row], after: list[Row], rounds: Rounds) -> Iterator[Delta]:
    """Best row against best row, category by category; what is left of the old ones stands in."""
    old, new = _best(before), _best(after)
    left = [row for category, row in old.items() if category not in new]
    for category, row in new.items():
        past = old.get(category) or max(left, key=score, default=None)
        if past is None:
            continue
        compared = rounds.compare(row.model, row.scenario, row.system_type, past.round, row.round, row.suite)
        if compared.comparable:
            both = pair(row, past, rounds, best=True)
            yield Delta(past, row, both.ratio, compared, both.differences, _caveats(past, row, compared))


def _best(rows: list[Row]) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for row in sorted(rows, key=score):
        found[row.availability] = row
    return found


def _caveats(before: Row, after: Row, compared: Comparability) -> tuple[Caveat, ...]:
    """What must be said with the delta, in this order."""
    said: dict[Caveat, bool] = {
        "near_scale": before.accelerators != after.accelerators,
        "preview": "preview" in (before.availability, after.availability),
        "open_division": after.division == "open",
        "comparability_ours": compared.status == "ours",
        "atypical_row": any("atypical" in flag for row in (before, after) for flag in row.flags),
        "inferred_result": before.inferred or after.inferred,
        "mixed_accelerators": bool(after.parts),
        "cpu_only": not after.accelerator and not after.parts,
        "derived_metric": before.per_accelerator is not None and after.per_accelerator is not None,
        "software": (before.framework, before.weights) != (after.framework, after.weights),
    }
    return tuple(code for code, holds in said.items() if holds)
