"""The claims of tables: each figure with the model, scenario and system of its row and column."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.claim import Claim, Printed, Side
from parsing.context import Context
from parsing.draft import half
from parsing.frame import Frame
from parsing.markup import Line
from parsing.tables import Figure, figures, tables
from parsing.things import Thing

Span = tuple[int, int]
_TIMES = {
    "minutes": "time_to_train",
    "hours": "time_to_train",
    "s": "latency",
    "ms": "latency",
    "µs": "latency",
}


def table_claims(frame: Frame, lines: Sequence[Line], context: Context) -> tuple[list[Claim], list[Span]]:
    """The claims of all tables of a passage, and the token spans that they took."""
    claims: list[Claim] = []
    closed: list[Span] = []
    for table in tables(frame, lines):
        read = list(figures(frame, table, context.unit))
        if read:
            closed.append((table[0][0].start if table[0] else table[1][0].start, table[-1][-1].end + 1))
            claims.extend(_claim(frame, figure, context) for figure in read)
    return claims, closed


def _side(figure: Figure, thing: Thing | None, context: Context, said: set[str]) -> Side:
    side = half(thing).side() if thing is not None else Side()
    update: dict[str, object] = {
        "accelerators": figure.accelerators or side.accelerators,
        "nodes": figure.nodes or side.nodes,
    }
    if side.submitter is None and context.submitter:
        update["submitter"] = context.submitter
        said.add("subject.submitter")
    if side.vendor is None and side.accelerator is None and context.vendor:
        update["vendor"] = context.vendor
        said.add("subject.vendor")
    if thing is None and context.subject is not None and context.subject.accelerators:
        update["accelerator"] = " | ".join(context.subject.accelerators)
        said.add("subject.accelerator")
        if context.subject.count and not (figure.accelerators or figure.nodes):
            update["accelerators"] = context.subject.count
            said.add("subject.accelerators")
    return side.model_copy(update=update)


def _claim(frame: Frame, figure: Figure, context: Context) -> Claim:
    number = figure.number
    metric = _TIMES.get(figure.unit, "throughput")
    said: set[str] = set()
    side = _side(figure, figure.thing, context, said)
    round_ = context.rounds[0] if len(context.rounds) == 1 else None
    if round_:
        said.add("round")
    several = (side.accelerators or 0) > 1 or (side.nodes or 0) >= 1
    ratio = figure.form == "x"
    chars = frame.chars(figure.cell.start, figure.cell.end)
    return Claim(
        quote=frame.text[chars[0] : chars[1]],
        span=chars,
        kind="multiple" if ratio else "absolute",
        value=number.value.value,
        printed=Printed(text=number.text, value=number.value.value, step=number.step),
        qualifier="exact",
        direction="lower" if metric != "throughput" and not ratio else "higher",
        metric=metric,
        unit=None if ratio else figure.unit,
        per_accelerator=False if several and metric != "latency" and not ratio else None,
        subject=side,
        baseline=half(figure.rival).side() if figure.rival is not None else Side(),
        model=figure.model or (context.models[0] if len(context.models) == 1 else None),
        scenario=figure.scenario,
        round=round_,
        division=figure.division or context.division,
        result_ids=figure.result_ids,
        from_context=tuple(sorted(said)),
        mlperf=context.mlperf,
        suite=context.suite,
    )
