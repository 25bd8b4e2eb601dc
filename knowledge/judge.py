"""The front door: a claim in, a Reading out, in the order of verdicts that the design lays down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from knowledge import clock
from knowledge.judging import absolutes, costs, outperforms, ratios, records, scaling
from knowledge.judging.question import Question
from knowledge.reading import Caveat, Missing, Reading
from knowledge.scope import not_stored
from knowledge.table import Table
from knowledge.tolerance import within
from parsing.claim import Claim

ONE_PASS = ("absolute",)


class Judge:
    """Reads claims against one table. Pure: the same claim, table and dates give the same reading."""

    def __init__(self, table: Table, *, early: bool = False) -> None:
        """`early` switches off the two-week rule (a submitter's own deployment)."""
        self.table = table
        self.early = early

    def readings(
        self, claims: Sequence[Claim], *, article: date | None = None, today: date | None = None
    ) -> list[Reading]:
        """Read the claims of one text together: its figures tell which round its records end at (rule 36)."""
        claims = _one_suite(claims)
        printed = next((c.value for c in claims if c.kind in ("multiple", "percent") and c.value), None)
        asked = [
            Question(
                claim,
                self.table,
                today or clock.today(),
                article,
                printed_ratio=printed,
                early=self.early,
            )
            for claim in claims
        ]
        done = {i: judge(q) for i, q in enumerate(asked) if q.claim.kind in ONE_PASS}
        seen = {
            row.round for reading in done.values() if reading.verdict == "holds" for row in reading.rows[:1]
        }
        found = max(seen, key=lambda name: self.table.published[name]) if seen else None
        return [done[i] if i in done else judge(replace(q, seen_round=found)) for i, q in enumerate(asked)]

    def reading(self, claim: Claim, *, article: date | None = None, today: date | None = None) -> Reading:
        """Read one claim by itself."""
        return self.readings([claim], article=article, today=today)[0]


def _training(claim: Claim) -> bool:
    return claim.suite == "training" or claim.metric == "time_to_train"


def _one_suite(claims: Sequence[Claim]) -> Sequence[Claim]:
    """Beside training times a claim that names neither suite nor scenario is about training too."""
    inference = any(claim.suite == "inference" or claim.scenario for claim in claims)
    if inference or not any(claim.metric == "time_to_train" for claim in claims):
        return claims
    return [claim.model_copy(update={"suite": "training"}) for claim in claims]


def judge(question: Question) -> Reading:
    """Read one claim: what is not measured, then what is not stored, then its kind."""
    early = _not_measured(question) or _not_loaded(question)
    if early is not None:
        return early
    claim = question.claim
    if within(claim) is not None:
        return outperforms.read(question)
    match claim.kind:
        case "multiple" | "percent":
            return ratios.read(question)
        case "absolute":
            return absolutes.read(question)
        case "record":
            return records.read(question)
        case "scaling":
            return scaling.read(question)
        case "outperforms" | "count":
            return outperforms.read(question)
        case "cost":
            return costs.read(question)


def _not_measured(question: Question) -> Reading | None:
    """Another benchmark, an unverified value, or a quantity that the rows do not hold."""
    claim = question.claim
    reason: tuple[str, tuple[Caveat, ...], str] | None = None
    if claim.mlperf is False:
        reason = ("other_benchmark", ("not_mlperf",), "The text ties it to another benchmark.")
    elif claim.kind == "cost" or claim.metric == "cost":
        return costs.read(question)
    elif claim.verified is False:
        reason = ("unverified", ("unverified",), "The text itself calls the value unverified.")
    elif claim.metric == "power_efficiency":
        return costs.no_power(question)
    elif claim.kind == "count" and not (claim.subject.accelerators and claim.baseline.accelerators):
        reason = ("wins", (), "Wins and records are counted by the vendor, not by the rows.")
    elif claim.metric == "latency" and claim.scenario in ("offline", "server", "interactive"):
        reason = ("latency", (), "The rows of this scenario hold rates, not times.")
    elif claim.metric == "latency" and _rates_only(question):
        reason = ("latency", (), "The rows of this benchmark hold rates, not times.")
    if reason is None:
        return None
    what, found, why = reason
    return Reading(
        verdict="not_measured", rule="28", why=why, caveats=found, notes=(("not_measured", {"what": what}),)
    )


def _rates_only(question: Question) -> bool:
    """Whether a latency claim speaks of benchmarks that have no latency rows."""
    claim, table = question.claim, question.table
    models = [table.names.claim_model(m) or m for m in claim.models]
    known = [m for m in models if m in table.models]
    return bool(known) and not table.select(known, ("singlestream", "multistream"))


def _not_loaded(question: Question) -> Reading | None:
    """Training, and names that the store does not hold; rounds too young to be quoted."""
    claim = question.claim
    if _training(claim):
        label = " ".join(word for word in ("Training", claim.round or claim.subject.round or "") if word)
        missing: tuple[Missing, ...] = (Missing(what="suite", field="suite", value=label),)
        return Reading(
            verdict="no_rows",
            missing=missing,
            rule="39",
            why="Training results are not loaded.",
            caveats=("round_not_loaded",),
        )
    missing = not_stored(claim, question.table) or question.embargoed()
    if not missing:
        return None
    caveats: tuple[Caveat, ...] = (
        ("round_not_loaded",) if any(m.what in ("round", "embargo") for m in missing) else ()
    )
    return Reading(
        verdict="no_rows",
        missing=missing,
        rule="52" if missing[0].what == "embargo" else "44",
        why="Something that the claim names is not stored.",
        caveats=caveats,
    )
