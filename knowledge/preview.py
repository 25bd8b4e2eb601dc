"""What became of Preview results: whether each came back as Available, and with how much of its figure.

Source: MLCommons' submission rules. A Preview system must be shown as Available in the next round with an
equal or better result, where a loss of up to 2 % is accepted. Rows cannot tell a broken promise from a
benchmark that was left out, so a missing later row is only that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from knowledge.deltas import hardware, measures_power
from knowledge.rounds import Comparability, Rounds
from knowledge.row import Row
from knowledge.table import score, size

KEPT = 0.98  # the least share of a Preview result that must be shown again

# met, below: came back with at least 98 % of it, or with less. missing: rounds that compare were
# published since, and none has such a row. retired: rounds were published, and none has this benchmark in
# a form that compares. waiting: no later round was published, may be quoted, or is read for its rules yet.
Outcome = Literal["met", "below", "missing", "retired", "waiting"]


@dataclass(frozen=True, slots=True)
class FollowUp:
    """One Preview result and the first later Available one of the same submitter, hardware and size.

    ratio: later over Preview, per accelerator (a CPU: per socket), above 1 is better; None without one.
    rounds: the later rounds whose results compare. target_differs: the accuracy targets differ, because
    the later round has only one of them.
    """

    preview: Row
    later: Row | None
    outcome: Outcome
    ratio: float | None
    rounds: tuple[str, ...]

    @property
    def target_differs(self) -> bool:
        """Whether the two results were measured at different accuracy targets."""
        return self.later is not None and self.later.accuracy_target != self.preview.accuracy_target

    def as_json(self) -> dict[str, Any]:
        """The follow-up as a plain object."""
        return {
            "outcome": self.outcome,
            "ratio": self.ratio,
            "rounds": list(self.rounds),
            "preview": self.preview.as_json(),
            "later": self.later.as_json() if self.later else None,
        }


_Line = tuple[object, ...]


def followups(
    rows: Iterable[Row], rounds: Rounds, *, today: date, early: bool = False
) -> tuple[FollowUp, ...]:
    """The follow-up of each Preview row that may be quoted, oldest round first.

    Rounds younger than two weeks on the day `today` are left out unless `early`.
    """
    lines: dict[_Line, list[Row]] = defaultdict(list)
    stored: dict[tuple[str, str], date] = {}
    for row in rows:
        published = date.fromisoformat(row.published)
        if early or rounds.quotable(published, today, row.suite) is None:
            lines[_line(row)].append(row)
            stored[row.suite, row.round] = published
    previews = [row for line in lines.values() for row in line if row.availability == "preview"]
    found = [_followed(row, lines[_line(row)], stored, rounds) for row in previews]
    return tuple(sorted(found, key=lambda f: (f.preview.published, f.preview.key)))


def _line(row: Row) -> _Line:
    """What must stay the same from the Preview result to the later one."""
    what = row.suite, row.submitter, hardware(row), size(row), row.model, row.scenario
    return (*what, row.division, row.system_type, measures_power(row))


def _followed(preview: Row, line: list[Row], stored: dict[tuple[str, str], date], rounds: Rounds) -> FollowUp:
    first = date.fromisoformat(preview.published)
    since = [
        name
        for (suite, name), published in sorted(stored.items(), key=lambda item: item[1])
        if suite == preview.suite and published > first
    ]
    compared = {name: _compare(preview, name, rounds) for name in since}
    later = tuple(name for name in since if compared[name].comparable)
    for name in later:
        back = [row for row in line if row.round == name and row.availability == "available"]
        if back:
            same = [row for row in back if row.accuracy_target == preview.accuracy_target]
            best = max(same or back, key=score)
            ratio = score(best) / score(preview)
            return FollowUp(preview, best, "met" if ratio >= KEPT else "below", ratio, later)
    read = any(one.code != "rules_unread" for one in compared.values())
    return FollowUp(preview, None, "missing" if later else "retired" if read else "waiting", None, later)


def _compare(preview: Row, name: str, rounds: Rounds) -> Comparability:
    return rounds.compare(
        preview.model, preview.scenario, preview.system_type, preview.round, name, preview.suite
    )
