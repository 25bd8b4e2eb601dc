"""The like-for-like sentence: who leads by how much when nothing else differs."""

from __future__ import annotations

from collections.abc import Sequence

from bot.telling import comparisons, naming
from bot.telling.case import Case
from bot.telling.comparisons import Comparison

# More comparisons than this are told as a range.
MOST_ITEMS = 3


def sentence(case: Case) -> str:
    """What the like-for-like comparisons say; that there is none, where there is none."""
    if not case.groups:
        return case.w("lfl.none") if case.reading.rows or case.others else ""
    return tell(case, case.groups)


def tell(case: Case, pairs: Sequence[Comparison]) -> str:
    """Name the winner and the lead of comparisons, each where it stands, or their range."""
    by = comparisons.told_apart(pairs)
    if by == "round":
        return newer_round(case, pairs)
    start = "scale" if "scale" in case.reading.differences else "plain"
    if len(pairs) == 1 and comparisons.level(pairs[0]):
        return level(case, pairs[0], start)
    ahead = {pair.ratio >= 1 for pair in pairs}
    if len(pairs) > MOST_ITEMS:
        return spread(case, pairs, one_winner=len(ahead) == 1)
    if len(ahead) == 1:
        style = case.style(pairs)
        winner = comparisons.winner(pairs[0], by, case.w)
        return case.w(f"lead.{start}.{style}", winner=winner, values=items(case, pairs))
    return case.w(f"lead.{start}.mixed", values=items(case, pairs, named=True))


def fields(pairs: Sequence[Comparison]) -> list[str]:
    """What tells these comparisons apart; of a single one its size."""
    found = [name for name in comparisons.varying(pairs) if name != "submitter"]
    return found if len(pairs) > 1 and found else ["count"]


def items(case: Case, pairs: Sequence[Comparison], *, named: bool = False) -> str:
    """The leads one by one: "15 % (72 GPUs) and 9 % (8 GPUs)"."""
    style = case.style(pairs)
    told = []
    for pair in pairs:
        value = case.margin(pair.ratio, style)
        place = comparisons.where(pair, fields(pairs), case.w)
        if named:
            winner = comparisons.winner(pair, comparisons.told_apart(pairs), case.w)
            told.append(case.w(f"item.named.{style}", winner=winner, value=value, where=place))
        else:
            told.append(case.w("item.plain", value=value, where=place))
    return case.w.join(told)


def level(case: Case, pair: Comparison, start: str) -> str:
    """Two sides that are as good as equal."""
    by = comparisons.told_apart([pair])
    return case.w(
        f"lead.{start}.level",
        first=comparisons.side(pair.first, by, case.w),
        second=comparisons.side(pair.second, by, case.w),
        where=comparisons.where(pair, ["count"], case.w),
    )


def spread(case: Case, pairs: Sequence[Comparison], *, one_winner: bool) -> str:
    """Many comparisons as a range."""
    by = comparisons.told_apart(pairs)
    style = case.style(pairs)
    low, high = (f(pairs, key=lambda p: p.ratio) for f in (min, max))
    n = case.w.number(len(pairs))
    if one_winner:
        near, far = sorted((comparisons.margin(low.ratio), comparisons.margin(high.ratio)))
        winner = comparisons.winner(high, by, case.w)
        values = {"low": case.margin(near, style), "high": case.margin(far, style)}
        return case.w(f"spread.one.{style}", n=n, winner=winner, **values)
    return case.w(
        f"spread.both.{style}",
        n=n,
        first=comparisons.winner(high, by, case.w),
        high=case.margin(high.ratio, style),
        second=comparisons.winner(low, by, case.w),
        low=case.margin(low.ratio, style),
    )


def newer_round(case: Case, pairs: Sequence[Comparison]) -> str:
    """The same hardware in a newer round, with the submitter it belongs to."""
    style = case.style(pairs)
    old, new = pairs[0].second.round, pairs[0].first.round
    if len(pairs) > MOST_ITEMS:
        low, high = min(p.ratio for p in pairs), max(p.ratio for p in pairs)
        return case.w(
            "rounds.spread",
            n=case.w.number(len(pairs)),
            low=case.change(low, style),
            high=case.change(high, style),
            old=old,
            new=new,
        )
    told = []
    for pair in pairs:
        place = [naming.submitter(pair.first.submitter), comparisons.where(pair, fields(pairs), case.w)]
        told.append(case.w("item.plain", value=case.change(pair.ratio, style), where=", ".join(place)))
    return case.w("rounds.items", values=case.w.join(told), old=old, new=new)
