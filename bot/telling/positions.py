"""Places of a record: by system total, per accelerator, and size by size."""

from __future__ import annotations

from bot.telling import comparisons, naming
from bot.telling.case import Case
from bot.telling.comparisons import Comparison
from knowledge.reading import Rank, ScaleLine
from knowledge.row import Row


def sentence(case: Case) -> str:
    """The places of the row that a record or an absolute rests on."""
    rank = case.reading.rank
    if rank is None:
        return ""
    told = places(rank, case)
    if not told:
        return ""
    scope = scope_text(case)
    if not case.reading.rows or case.claim.kind == "absolute":
        return case.w("rank.plain", places=case.w.join(told), scope=scope)
    row = case.reading.rows[0]
    return case.w(
        "rank.row",
        submitter=naming.submitter(row.submitter),
        chips=naming.counted_chip(row, case.w),
        places=case.w.join(told),
        scope=scope,
    )


def scope_text(case: Case) -> str:
    """Among which rounds the places count: the row's own for an absolute, those of the record else."""
    claim, rows = case.claim, case.reading.rows
    said = claim.round or claim.subject.round
    if claim.kind == "absolute" and rows:
        return rows[0].round
    return naming.harmless(said) if said else case.w("rank.all_rounds")


def places(rank: Rank, case: Case) -> list[str]:
    """The places in words: those over all sizes, and those at the row's own size where rivals are."""
    told = []
    for name in ("system_all", "per_accelerator_all", "per_accelerator_same_scale"):
        place = getattr(rank, name)
        if place is None or place.of < 2:
            continue
        if name == "per_accelerator_same_scale" and case.claim.kind == "absolute":
            continue
        n = case.w.number(place.place)
        told.append(case.w(f"rank.{name}", place=n, of=case.w.number(place.of)))
    return told


def contested(case: Case) -> list[ScaleLine]:
    """The sizes at which both sides have rows."""
    return [line for line in case.reading.by_scale if line.contested and line.rival is not None]


def true_at(line: ScaleLine, case: Case) -> bool:
    """Whether the claim is true at this size: its side leads, or trails where it says so."""
    trails = case.claim.kind == "outperforms" and case.claim.direction == "lower"
    return line.subject_leads is not trails


def by_size(case: Case) -> str:
    """One size that tells: where the claim is false, else the largest contested one."""
    lines = contested(case)
    if not lines:
        return case.w("size.none") if case.reading.by_scale and case.claim.kind == "record" else ""
    behind = [line for line in lines if not true_at(line, case)]
    line = max(behind or lines, key=lambda item: (item.ratio or 1.0) if behind else item.accelerators)
    if line.rival is None:
        return ""
    pair = Comparison(line.leader, line.rival, comparisons.ratio_of(line.leader, line.rival))
    by = comparisons.told_apart([pair])
    style = case.style([pair])
    key = "size.level" if comparisons.level(pair) else f"size.{style}"
    return case.w(
        key,
        where=size_text(line, case),
        leader=with_submitter(line.leader, by, case),
        rival=with_submitter(line.rival, by, case),
        value=case.margin(pair.ratio, style),
    )


def size_text(line: ScaleLine, case: Case) -> str:
    """A size with its benchmark and round: "16 GPUs, GPT-OSS-120B offline, v6.1"."""
    size = naming.counted(line.leader, case.w)
    return f"{size}, {naming.benchmark(line.leader)}, {line.round}"


def with_submitter(row: Row, by: comparisons.By, case: Case) -> str:
    """A side with the submitter that it belongs to."""
    name = naming.submitter(row.submitter)
    if by == "submitter":
        return name
    return f"{comparisons.side(row, by, case.w)} ({name})"


def share(case: Case) -> str:
    """In how many of the contested sizes the claim is true."""
    lines = contested(case)
    won = sum(true_at(line, case) for line in lines)
    n, of = case.w.number(won), case.w.number(len(lines))
    return case.w("best.share", phrase=case.phrase, n=n, of=of)
