"""Which caveats belong to a reading: facts of its rows and of how the claim met them."""

from __future__ import annotations

from collections.abc import Iterable

from knowledge.comparison import Pair
from knowledge.matching import near_scale
from knowledge.reading import Caveat
from knowledge.row import Row
from knowledge.scope import Party
from knowledge.table import Table
from parsing.claim import Claim

ORDER: tuple[Caveat, ...] = (
    "not_mlperf",
    "unverified",
    "atypical_row",
    "id_differs",
    "software",
    "comparability_ours",
    "near_scale",
    "rack_slice",
    "preview",
    "open_division",
    "count_corrected",
    "mixed_accelerators",
    "single_scenario",
    "truncated",
    "unit_differs",
    "inferred_result",
    "retired_or_changed_benchmark",
    "power_not_measured",
    "cpu_only",
    "round_not_loaded",
    "derived_metric",
)


def of_rows(rows: Iterable[Row], claim: Claim) -> set[Caveat]:
    """Caveats that rows carry by themselves."""
    found: set[Caveat] = set()
    for row in rows:
        if "count_corrected" in row.flags:
            found.add("count_corrected")
        if "atypical" in row.flags:
            found.add("atypical_row")
        if row.inferred:
            found.add("inferred_result")
        if row.availability in ("preview", "rdi"):
            found.add("preview")
        if row.division == "open":
            found.add("open_division")
        if row.parts:
            found.add("mixed_accelerators")
        if row.accelerators == 0:
            found.add("cpu_only")
        if claim.result_ids and row.result_id and not _cited(row, claim):
            found.add("id_differs")
    return found


def _cited(row: Row, claim: Claim) -> bool:
    cited = {name.lower().lstrip("v") for name in claim.result_ids}
    return (row.result_id or "").lower().lstrip("v") in cited


def of_pair(pair: Pair, claim: Claim, table: Table, parties: tuple[Party, Party]) -> set[Caveat]:
    """Caveats of a comparison."""
    found = of_rows((pair.subject, pair.baseline), claim)
    if pair.subject.per_accelerator is not None and pair.baseline.per_accelerator is not None:
        found.add("derived_metric")
    if near_scale(pair):
        found.add("near_scale")
    if pair.subject.round != pair.baseline.round:
        found.add("software")
        status = _comparability(pair, table)
        if status == "ours":
            found.add("comparability_ours")
        if status == "note":
            found.add("retired_or_changed_benchmark")
    for row, party in zip((pair.subject, pair.baseline), parties, strict=True):
        if party.rack is not None and row.accelerators not in (0, party.rack):
            found.add("rack_slice")
    return found


def _comparability(pair: Pair, table: Table) -> str:
    row = pair.subject
    return table.calendar.compare(
        row.model, row.scenario, row.system_type, pair.baseline.round, row.round
    ).status


def ordered(codes: Iterable[Caveat]) -> tuple[Caveat, ...]:
    """Codes once each, the weightiest first."""
    have = set(codes)
    return tuple(code for code in ORDER if code in have)
