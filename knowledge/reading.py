"""The Reading: what the published rows say to one claim."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_serializer

from knowledge.row import Row

Verdict = Literal[
    "holds",
    "best_case",
    "software",
    "frame",
    "contradicted",
    "not_reproduced",
    "not_measured",
    "no_rows",
    "depends",
]
Basis = Literal["system", "per_accelerator"]
Difference = Literal[
    "scale",
    "round",
    "availability",
    "division",
    "system_type",
    "submitter",
    "accelerator_variant",
    "model_variant",
    "method",
]
Caveat = Literal[
    "derived_metric",
    "single_scenario",
    "software",
    "comparability_ours",
    "near_scale",
    "mixed_accelerators",
    "rack_slice",
    "preview",
    "power_not_measured",
    "inferred_result",
    "id_differs",
    "count_corrected",
    "retired_or_changed_benchmark",
    "truncated",
    "not_mlperf",
    "unverified",
    "open_division",
    "unit_differs",
    "atypical_row",
    "round_not_loaded",
    "cpu_only",
]


class Value(BaseModel):
    """Base of all parts: frozen, and rows inside are written as plain objects."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)


def rows_as_json(rows: tuple[Row, ...]) -> list[dict[str, Any]]:
    """Rows as plain objects."""
    return [row.as_json() for row in rows]


class Group(Value):
    """The comparisons at one round (or pair of rounds), model, scenario and accelerator count.

    `ratio` is subject over baseline per accelerator (latency inverted, so above 1 is better
    for the subject), from the best row of each side; `rows` are those two, subject first.
    `round` is one round or `(from, to)`; `accelerators` the count both sides share, or
    `(subject, baseline)` where they differ. `pairs`, `min`, `max` tell of all row pairs.
    `differences` is empty when like-for-like.
    """

    round: str | tuple[str, str]
    model: str
    scenario: str
    accelerators: int | tuple[int, int]
    ratio: float
    rows: tuple[Row, ...]
    pairs: int
    min: float
    max: float
    submitter: str | None = None
    differences: tuple[Difference, ...] = ()

    @field_serializer("rows")
    def _rows(self, rows: tuple[Row, ...]) -> list[dict[str, Any]]:
        return rows_as_json(rows)


class Range(Value):
    """Spread of the groups' ratios."""

    n: int
    min: float
    median: float
    max: float


class Place(Value):
    """A rank: place (1 is first) of `of` systems in the scope that `scope` says in words."""

    place: int
    of: int
    scope: str


class Rank(Value):
    """The four places of a record or an absolute; None where a row has no such place."""

    system_all: Place | None = None
    system_same_scale: Place | None = None
    per_accelerator_all: Place | None = None
    per_accelerator_same_scale: Place | None = None


class ScaleLine(Value):
    """One system size of a record, `outperforms` or universal claim, best rows per accelerator.

    `ratio` is leader over rival per accelerator (system value where per accelerator makes no
    sense), None where only one side has rows (`contested` is then False). `subject_leads`
    says whether the claim's subject is the leader.
    """

    accelerators: int
    round: str
    model: str
    scenario: str
    leader: Row
    rival: Row | None
    ratio: float | None
    contested: bool
    subject_leads: bool

    @field_serializer("leader", "rival")
    def _row(self, row: Row | None) -> dict[str, Any] | None:
        return row.as_json() if row else None


class Derived(Value):
    """Arithmetic that follows from rows but is in none of them."""

    what: str
    value: float
    assumption: str


class Missing(Value):
    """One thing that would decide the claim.

    `field` names the claim's field (model, scenario, round, subject.accelerator,
    baseline.accelerator, …), `value` the thing not stored (for `no_rows`), `choices` the
    values that have rows (for `depends`).
    """

    what: str
    field: str
    value: str | None = None
    choices: tuple[str, ...] = ()
    assumption: str | None = None


class Reading(Value):
    """What the rows say to one claim. See `docs/verdicts.md` for the words.

    `recomputed` and `per_accelerator` follow the claim (a percent claim's 1.48 is a ratio;
    an absolute's are in its unit). `rows` are the row or pair that the claim rests on,
    subject first.

    `notes` are facts for the reply in (code, values) form, worded there; rules are the design's:

    - `not_measured` {what}: other_benchmark, unverified, wins, latency, cost or power
    - `assumed_round` {round}: no round was said, the newest with both sides answered (rule 7)
    - `older_round` {round}: only this older round gives the number (rule 41)
    - `accuracy_target` {target}: the rows are of accuracy target 99 (rule 35)
    - `rows_agree` {count}: so many more rows carry an absolute's figure (rule 47)
    - `nearest` {value}: the figure of the row nearest to an absolute that no row carries (rule 33)
    - `stands_elsewhere` {fields}: submitter, accelerators, nodes, scenario: what differs on the row
      that carries the figure; empty where only its division does (rules 25 and 27)
    - `maximum` {value}: an "up to" absolute is below this largest figure (rule 34)
    - `universal` {met, of}: rows that reach an absolute said of every row (rule 31)
    - `record` {benchmarks, place, by_total}: benchmarks tested, place in the record's scope (rule 19)
    - `record_mixed` {passed, of}: benchmarks in which a record without one is true (rule 45)
    - `record_tied` {submitters}: rivals with the very same figure (rule 19)
    - `beaten_later` {round, submitter, accelerator, accelerators, value, unit}: the best row of a
      later round that beats a record which ends at its text's date or figures (rule 36)
    - `universal_record` {contested, lost}: system sizes with a rival, and those it leads (rule 31)
    - `size_record` {own, largest}: accelerators of the subject's and of the largest system (rule 19)
    """

    verdict: Verdict
    basis: Basis | None = None
    recomputed: float | None = None
    per_accelerator: float | None = None
    rows: tuple[Row, ...] = ()
    differences: tuple[Difference, ...] = ()
    like_for_like: tuple[Group, ...] = ()
    others: tuple[Group, ...] = ()
    range: Range | None = None
    rank: Rank | None = None
    by_scale: tuple[ScaleLine, ...] = ()
    rule: str = ""
    why: str = ""
    derived: tuple[Derived, ...] = ()
    missing: tuple[Missing, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    notes: tuple[tuple[str, dict[str, Any]], ...] = Field(default=())

    @field_serializer("rows")
    def _rows(self, rows: tuple[Row, ...]) -> list[dict[str, Any]]:
        return rows_as_json(rows)
