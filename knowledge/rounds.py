"""The calendar of published rounds, and which of their results compare.

All facts stand in `rounds.toml` (MLCommons' announcements and compatibility table, and our own
reading of the submission checker where that table does not reach yet).
"""

from __future__ import annotations

import calendar
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from knowledge.row import Row

Status = Literal["same", "official", "ours", "note", "no"]


@dataclass(frozen=True, slots=True)
class Round:
    """A published round; `published` is the day of MLCommons' announcement.

    listed: whether `rounds.toml` has it. One that is only stored counts as published on the day on
    which it was first seen.
    """

    name: str
    suite: str
    published: date
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Comparability:
    """Whether results of one benchmark and scenario compare between two rounds.

    status: `same` round; `official` (MLCommons' table covers it); `ours` (that table does not reach
    there yet, the rules are equal by our reading); `note` (comparable, but statistic, harness or
    rules changed: the pair has the difference `method`); `no`.
    code: a word for the reason (changed, not_in_round, scenario_not_in_round, unknown_round, rules_unread,
    unknown_benchmark, speculative_decoding, harness, statistic), empty if nothing is to be said.
    """

    status: Status
    reason: str = ""
    code: str = ""

    @property
    def comparable(self) -> bool:
        """Whether a pair may be built at all (rule 16)."""
        return self.status != "no"


def _months_before(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


class Rounds:
    """The rounds and benchmarks of `rounds.toml`."""

    def __init__(self, data: dict[str, Any], stored: Iterable[Round] = ()) -> None:
        self._data = data
        self._official: dict[str, str] = data["official"]
        self._days = int(data["two_weeks"]["days"])
        self._rounds: dict[tuple[str, str], Round] = {}
        self._retrieved: dict[tuple[str, str], date] = {}
        listed = [Round(entry["name"], entry["suite"], entry["published"]) for entry in data["round"]]
        for found in sorted([*listed, *stored], key=lambda r: (r.suite, r.published)):
            self._rounds[found.suite, found.name] = found
        for entry in data["round"]:
            if "retrieved" in entry:
                self._retrieved[entry["suite"], entry["name"]] = entry["retrieved"]
        self._benchmarks = {(b["suite"], b["model"]): b for b in data["benchmark"]}
        self._notes: list[dict[str, Any]] = data["note"]
        self._compared: dict[tuple[str, ...], Comparability] = {}

    @classmethod
    @lru_cache(maxsize=1)
    def load(cls) -> Rounds:
        """The rounds as packaged; read once a process."""
        text = files("knowledge").joinpath("rounds.toml").read_text(encoding="utf-8")
        return cls(tomllib.loads(text))

    def extended(self, rows: Iterable[Row]) -> Rounds:
        """These rounds and those of stored rows that `rounds.toml` does not list yet."""
        new = {
            (row.suite, row.round): Round(row.round, row.suite, date.fromisoformat(row.published), False)
            for row in rows
            if (row.suite, row.round) not in self._rounds
        }
        return Rounds(self._data, new.values()) if new else self

    # --- calendar ---------------------------------------------------------------------------------

    def all(self, suite: str = "inference") -> tuple[Round, ...]:
        """All published rounds of a suite, oldest first, whether their rows are stored or not."""
        return tuple(r for r in self._rounds.values() if r.suite == suite)

    def names(self, suite: str = "inference") -> tuple[str, ...]:
        """The names of all published rounds of a suite, oldest first."""
        return tuple(r.name for r in self.all(suite))

    def get(self, name: str, suite: str = "inference") -> Round | None:
        """The round of that name ("v6.1" or "6.1"), None if no such round was published."""
        return self._rounds.get((suite, "v" + name.strip().lower().removeprefix("v")))

    def retrieved(self, name: str, suite: str = "inference") -> date | None:
        """When our packaged copy of the round was taken, None for a round that is not packaged."""
        found = self.get(name, suite)
        return self._retrieved.get((suite, found.name)) if found else None

    def newest(self, before: date | None = None, suite: str = "inference") -> Round | None:
        """The newest round, or the newest published on or before a day."""
        listed = [r for r in self.all(suite) if before is None or r.published <= before]
        return listed[-1] if listed else None

    def previous(self, name: str, suite: str = "inference") -> Round | None:
        """The round before the named one, None for the first and for an unknown one."""
        found = self.get(name, suite)
        earlier = [r for r in self.all(suite) if found and r.published < found.published]
        return earlier[-1] if earlier else None

    def ago(self, reference: str | date, months: int, suite: str = "inference") -> Round | None:
        """The round nearest to so many months before a round or a day ("half a year ago")."""
        if isinstance(reference, str):
            found = self.get(reference, suite)
            if found is None:
                return None
            day, listed = found.published, [r for r in self.all(suite) if r.published < found.published]
        else:
            day, listed = reference, [r for r in self.all(suite) if r.published <= reference]
        target = _months_before(day, months)
        return min(listed, key=lambda r: abs((r.published - target).days), default=None)

    def quotable(self, round_: str | date, today: date, suite: str = "inference") -> date | None:
        """None if the round may be quoted today, else the first day on which it may.

        `round_` is a round's name or its day of publication (for a round that is not listed here).
        Source: MLCommons' messaging guidelines, two weeks for those who did not submit.
        """
        if isinstance(round_, str):
            found = self.get(round_, suite)
            if found is None:
                return None
            round_ = found.published
        first = round_ + timedelta(days=self._days)
        return first if today < first else None

    # --- benchmarks -------------------------------------------------------------------------------

    def models(self, name: str, suite: str = "inference") -> tuple[str, ...]:
        """The benchmarks of a round, as canonical models."""
        return tuple(m for s, m in self._benchmarks if s == suite and self.has(m, name, suite=suite))

    def rounds_of(self, model: str, suite: str = "inference") -> tuple[str, ...]:
        """The rounds that have a benchmark, oldest first."""
        return tuple(r.name for r in self.all(suite) if self.has(model, r.name, suite=suite))

    def has(
        self,
        model: str,
        name: str,
        scenario: str | None = None,
        system_type: str | None = None,
        suite: str = "inference",
    ) -> bool:
        """Whether a round has a benchmark (and scenario); `system_type` unsaid means any."""
        found, entry = self.get(name, suite), self._benchmarks.get((suite, model))
        if found is None or entry is None or not self._scenario_runs(entry, scenario, found):
            return False
        return any(self._run(entry, kind, found) is not None for kind in self._kinds(system_type))

    def compare(
        self,
        model: str,
        scenario: str,
        system_type: str,
        a: str,
        b: str,
        suite: str = "inference",
    ) -> Comparability:
        """Whether results of one benchmark and scenario compare between rounds `a` and `b`.

        `system_type` is a row's ("datacenter", "edge", "datacenter,edge"); the order of the rounds
        does not matter. Source: MLCommons' compatibility table, ROWS-CHECKED "Which rounds compare".
        """
        asked = (model, scenario, system_type, a, b, suite)
        if asked not in self._compared:
            self._compared[asked] = self._compare(*asked)
        return self._compared[asked]

    def _compare(
        self, model: str, scenario: str, system_type: str, a: str, b: str, suite: str
    ) -> Comparability:
        first, last = self.get(a, suite), self.get(b, suite)
        if first is None or last is None:
            return Comparability("no", f"{a if first is None else b} is no known round", "unknown_round")
        if first == last:
            return Comparability("same")
        if first.published > last.published:
            first, last = last, first
        if not (first.listed and last.listed):
            # Whether the benchmark's rules stayed the same is read by a person before results are compared.
            new = last if first.listed else first
            return Comparability("no", f"the rules of {new.name} were not read yet", "rules_unread")
        entry = self._benchmarks.get((suite, model))
        if entry is None:
            return Comparability("no", f"{model} is no known benchmark", "unknown_benchmark")
        for found in (first, last):
            if not self._scenario_runs(entry, scenario, found):
                reason = f"the {scenario} scenario of {model} is not in {found.name}"
                return Comparability("no", reason, "scenario_not_in_round")
        return self._compare_runs(entry, scenario, system_type, first, last)

    def _compare_runs(
        self, entry: dict[str, Any], scenario: str, system_type: str, first: Round, last: Round
    ) -> Comparability:
        model, missing = entry["model"], None
        for kind in self._kinds(system_type):
            runs = self._run(entry, kind, first), self._run(entry, kind, last)
            if None in runs:
                missing = missing or (first if runs[0] is None else last)
            elif runs[0] == runs[1]:
                note = self._note(entry, scenario, first, last)
                beyond = last.published > self._covered(entry["suite"])
                return note or Comparability("ours" if beyond else "official")
            else:
                return Comparability("no", f"{model} changed between {first.name} and {last.name}", "changed")
        where = f" ({system_type})" if system_type else ""
        name = missing.name if missing else first.name
        return Comparability("no", f"{model}{where} is not in {name}", "not_in_round")

    def _note(self, entry: dict[str, Any], scenario: str, first: Round, last: Round) -> Comparability | None:
        """The first change that lies between the two rounds."""
        for note in self._notes:
            if (note["suite"], note["model"]) != (entry["suite"], entry["model"]):
                continue
            before, after = (self._rounds[note["suite"], name].published for name in note["between"])
            named = "scenarios" not in note or scenario in note["scenarios"]
            if named and first.published <= before and after <= last.published:
                return Comparability("note", note["reason"], note["code"])
        return None

    def _covered(self, suite: str) -> date:
        """The day up to which MLCommons' compatibility table reaches."""
        found = self.get(self._official[suite], suite)
        return found.published if found else date.max

    @staticmethod
    def _kinds(system_type: str | None) -> Iterator[str]:
        for kind in ("datacenter", "edge"):
            if not system_type or kind in system_type.split(","):
                yield kind

    def _scenario_runs(self, entry: dict[str, Any], scenario: str | None, round_: Round) -> bool:
        since = entry.get("since", {}).get(scenario)
        return since is None or round_.published >= self._rounds[entry["suite"], since].published

    def _run(self, entry: dict[str, Any], kind: str, round_: Round) -> int | None:
        """Which of the benchmark's runs a round belongs to; rounds after the table continue the last."""
        runs = entry.get(kind, [])
        for number, (start, end) in enumerate(runs):
            days = [self._rounds[entry["suite"], name].published for name in (start, end)]
            if days[0] <= round_.published <= days[1]:
                return number
        if round_.name in entry.get("later", {}).get(kind, []):
            return max(len(runs) - 1, 0)
        return None
