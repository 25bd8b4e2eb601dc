"""The claims of tables: each figure with the model, scenario and system of its row and column."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.claim import Claim, Printed, Side
from parsing.context import Context
from parsing.draft import half
from parsing.frame import Frame
from parsing.markup import Line
from parsing.tables import Figure, figures, tables

Span = tuple[int, int]
_TIMES = {
    "minutes": "time_to_train",
    "hours": "time_to_train",
    "s": "latency",
    "ms": "latency",
    "µs": "latency",
}


def table_claims(
    frame: Frame, lines: Sequence[Line], context: Context, headers: Sequence[str] = ()
) -> tuple[list[Claim], list[Span]]:
    """The claims of all tables of a passage, and the token spans that they took."""
    claims: list[Claim] = []
    closed: list[Span] = []
    for table in tables(frame, lines, headers):
        read = list(figures(frame, table))
        if read:
            closed.append((table[0][0].start if table[0] else table[1][0].start, table[-1][-1].end + 1))
            claims.extend(_claim(frame, figure, context) for figure in read)
    return claims, closed


def _claim(frame: Frame, figure: Figure, context: Context) -> Claim:
    number = figure.number
    metric = _TIMES.get(figure.unit, "throughput")
    said = set()
    side = half(figure.thing).side() if figure.thing is not None else Side()
    update: dict[str, object] = {
        "accelerators": figure.accelerators or side.accelerators,
        "nodes": figure.nodes or side.nodes,
    }
    if side.submitter is None and context.submitter:
        update["submitter"] = context.submitter
        said.add("subject.submitter")
    if side.vendor is None and context.vendor:
        update["vendor"] = context.vendor
        said.add("subject.vendor")
    round_ = context.rounds[0] if len(context.rounds) == 1 else None
    if round_:
        said.add("round")
    side = side.model_copy(update=update)
    several = (side.accelerators or 0) > 1 or (side.nodes or 0) >= 1
    chars = frame.chars(figure.cell.start, figure.cell.end)
    return Claim(
        quote=frame.text[chars[0] : chars[1]],
        span=chars,
        kind="absolute",
        value=number.value.value,
        printed=Printed(text=number.text, value=number.value.value, step=number.step),
        qualifier="exact",
        direction="lower" if metric != "throughput" else "higher",
        metric=metric,
        unit=figure.unit,
        per_accelerator=False if several and metric != "latency" else None,
        subject=side,
        model=figure.model or (context.models[0] if len(context.models) == 1 else None),
        scenario=figure.scenario,
        round=round_,
        division=figure.division or context.division,
        result_ids=figure.result_ids,
        from_context=tuple(sorted(said)),
        mlperf=context.mlperf,
        suite=context.suite,
    )
