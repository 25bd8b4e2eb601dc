"""The fair version: one sentence that states the like-for-like result, ready to paste."""

from __future__ import annotations

from collections.abc import Sequence

from bot.telling import comparisons, naming
from bot.telling.case import Case
from bot.telling.comparisons import Comparison
from bot.telling.footnote import footnote
from bot.wording import Language, Words, words
from knowledge.reading import Reading
from knowledge.row import Row
from parsing.claim import Claim


def version(claim: Claim, reading: Reading, language: Language) -> str:
    """The fair sentence with its full footnote; empty where the rows support none."""
    case = Case(claim, reading, words(language))
    told = sentence(case)
    if not told:
        return ""
    note = footnote(rows(case), case.w, derived=derived(case), unverified=False)
    return f"{told}\n\n{note.text}"


def sentence(case: Case) -> str:
    """The like-for-like result in one sentence, empty where the rows support none."""
    reading = case.reading
    if reading.verdict in ("not_measured", "no_rows", "depends"):
        return ""
    if case.claim.kind in ("absolute", "record") and reading.rows:
        return published(case, reading.rows[0])
    pair = chosen(case)
    return compare(case, pair) if pair is not None else ""


def chosen(case: Case) -> Comparison | None:
    """The comparison to state: the claim's own if like-for-like, else the largest like-for-like one, else the
    claim's pair with all its differences."""
    if case.pair is not None and (case.claim_in_groups or not case.groups):
        return case.pair
    return case.groups[0] if case.groups else None


def rows(case: Case) -> list[Row]:
    """The rows that the sentence states."""
    if case.claim.kind in ("absolute", "record") and case.reading.rows:
        return [case.reading.rows[0]]
    pair = chosen(case)
    return [pair.first, pair.second] if pair else []


def derived(case: Case) -> bool:
    """Whether the sentence holds a figure per accelerator or a ratio."""
    found = rows(case)
    return len(found) == 2 or any(row.per_accelerator is not None for row in found)


def published(case: Case, row: Row) -> str:
    """One published result with its figure per accelerator."""
    w = case.w
    facts = {
        **row_facts(case, row),
        "suite": w("table.suite", round=row.round),
        "benchmark": naming.benchmark(row),
        "category": category([row], case),
        "value": w.exact(row.value),
        "unit": naming.unit(row, w),
    }
    if row.per_accelerator is None:
        return w("fair.result", **facts)
    return w("fair.result_per_accelerator", per=w.figure(row.per_accelerator), **facts)


def row_facts(case: Case, row: Row) -> dict[str, str]:
    """Submitter, chips and system of a row."""
    return {
        "submitter": naming.submitter(row.submitter),
        "chips": naming.counted_chip(row, case.w),
        "system": naming.system(row, 60),
    }


def compare(case: Case, pair: Comparison) -> str:
    """Two rows side by side, the better first, with what differs said of each."""
    w = case.w
    first, second = (pair.first, pair.second) if pair.ratio >= 1 else (pair.second, pair.first)
    per = first.per_accelerator is not None and second.per_accelerator is not None
    unit = naming.unit(first, w)
    kind = "compare" if per else "compare_latency" if first.lower_is_better else "compare_system"
    rounds = naming.distinct([first.round, second.round])
    return w(
        f"fair.{kind}",
        suite=w("table.suite", round=w.join(rounds)),
        benchmark=naming.benchmark(first),
        category=category([first, second], case),
        first=side(case, first, second),
        second=side(case, second, first),
        first_value=value(first, per, w),
        second_value=value(second, per, w),
        unit=unit,
        ratio=w.ratio(comparisons.margin(pair.ratio)),
    )


def value(row: Row, per: bool, w: Words) -> str:
    """A row's figure: derived per accelerator, or the published result."""
    return w.figure(row.per_accelerator) if per and row.per_accelerator is not None else w.exact(row.value)


def side(case: Case, row: Row, other: Row) -> str:
    """One side: "72 GB300 (CoreWeave GB300 NVL72)", with round, division and category where they differ."""
    w = case.w
    extra = [f"{naming.submitter(row.submitter)}, {naming.system(row, 60)}"]
    if row.variant != other.variant and row.variant:
        extra.append(naming.harmless(row.variant))
    if row.round != other.round:
        extra.append(row.round)
    if row.division != other.division:
        extra.append(naming.division(row, w))
    if row.availability != other.availability:
        extra.append(naming.availability(row, w))
    return f"{naming.counted_chip(row, w)} ({', '.join(extra)})"


def category(found: Sequence[Row], case: Case) -> str:
    """Division and availability, each once."""
    divisions = naming.distinct(naming.division(row, case.w) for row in found)
    categories = naming.distinct(naming.availability(row, case.w) for row in found)
    return f"{' / '.join(divisions)}, {' / '.join(categories)}"


def versions(claims: Sequence[Claim], readings: Sequence[Reading], language: Language) -> str:
    """The fair sentences of several claims with one footnote; that there is none, where there is none."""
    w = words(language)
    cases = [Case(claim, reading, w) for claim, reading in zip(claims, readings, strict=True)]
    told = {sentence(case): case for case in cases if sentence(case)}
    if not told:
        return w("fair.none")
    shown = [row for case in told.values() for row in rows(case)]
    note = footnote(shown, w, derived=any(derived(case) for case in told.values()), unverified=False)
    return "\n".join([*told, "", note.text])
