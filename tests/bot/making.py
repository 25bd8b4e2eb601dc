"""Rows, claims and readings made by hand for the tests of replies; the figures are published ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from knowledge.reading import Group, Place, Rank, Reading, ScaleLine
from knowledge.row import Row
from knowledge.table import score
from parsing.claim import Claim, Printed, Side

PUBLISHED = {"v5.0": "2025-04-02", "v5.1": "2025-09-09", "v6.0": "2026-04-01", "v6.1": "2026-09-16"}


def row(submitter: str, chip: str | None, count: int, value: float, **other: Any) -> Row:
    """One published result; GPT-OSS-120B offline of v6.1, Closed, Available, unless told otherwise."""
    made = Row(
        key="",
        suite="inference",
        round="v6.1",
        result_id=None,
        submitter=submitter,
        division="closed",
        availability="available",
        system_type="datacenter",
        system=f"{submitter} {chip} system",
        platform=f"{chip}x{count}",
        nodes=1,
        accelerator=chip,
        variant=None,
        accelerators=count,
        accelerators_published=count,
        parts=(),
        processors=2,
        processor="AMD EPYC 9575F",
        model="gpt-oss-120b",
        accuracy_target=None,
        used_model=None,
        scenario="offline",
        value=value,
        value_fine=None,
        value_text=str(value),
        unit="tokens/s",
        lower_is_better=False,
        per_accelerator=None,
        watts=None,
        framework="vLLM 0.11",
        weights="fp4",
        inferred=False,
        flags=(),
        location="closed/x",
        source="mlcommons/inference_results_v6.1 summary.csv",
        published="2026-09-16",
        retrieved="2026-11-30",
    )
    made = replace(made, **other)
    derives = count and not made.lower_is_better and made.accelerator
    return replace(
        made,
        key=f"{made.round}/{submitter}/{chip}x{count}/{made.model}/{made.scenario}/{made.division}",
        published=PUBLISHED[made.round],
        per_accelerator=made.value / count if derives else None,
    )


def claim(
    kind: str, quote: str, value: float | None = None, printed: str | None = None, **other: Any
) -> Claim:
    """A claim; `printed` is its number as the text prints it, with a point for decimals."""
    step: float | None = None
    number = 0.0
    if printed is not None:
        digits = printed.replace(",", "")
        try:
            number = float(digits)
            step = 10.0 ** -len(digits.split(".")[1]) if "." in digits else 1.0
        except ValueError:
            number = value or 0.0
        if value and step and round(value / number) in (1000, 1000000):  # "5.75 million" is multiplied out
            step *= value / number
            number = value
    made = None if printed is None else Printed(text=printed, value=number, step=step)
    fields: dict[str, Any] = {"quote": quote, "span": (0, len(quote)), "kind": kind, "value": value}
    return Claim.model_validate({**fields, "printed": made, **other})


def group(first: Row, second: Row, *differences: str, pairs: int = 1) -> Group:
    """Two rows as a group of comparisons."""
    ratio = score(first) / score(second)
    same = first.accelerators == second.accelerators
    return Group(
        round=first.round if first.round == second.round else (second.round, first.round),
        model=first.model,
        scenario=first.scenario,
        accelerators=first.accelerators if same else (first.accelerators, second.accelerators),
        ratio=ratio,
        rows=(first, second),
        pairs=pairs,
        min=ratio,
        max=ratio,
        differences=tuple(differences),
    )


def line(leader: Row, rival: Row | None, *, subject: bool) -> ScaleLine:
    """One size of a record; `subject` says that the claim's side leads."""
    return ScaleLine(
        accelerators=leader.accelerators,
        round=leader.round,
        model=leader.model,
        scenario=leader.scenario,
        leader=leader,
        rival=rival,
        ratio=score(leader) / score(rival) if rival else None,
        contested=rival is not None,
        subject_leads=subject,
    )


def rank(system: tuple[int, int], each: tuple[int, int] | None, same: tuple[int, int] | None = None) -> Rank:
    """Places as (place, of): by system total, per accelerator, per accelerator at the same size."""

    def place(found: tuple[int, int] | None) -> Place | None:
        return Place(place=found[0], of=found[1], scope="test") if found else None

    return Rank(
        system_all=place(system), per_accelerator_all=place(each), per_accelerator_same_scale=place(same)
    )


GB300 = Side(accelerator="GB300")
MI355X = Side(accelerator="MI355X")

COREWEAVE_72 = row(
    "CoreWeave", "GB300", 72, 1197710.0, system="CoreWeave GB300 NVL72 (72x GB300-288GB_aarch64)"
)
NEBIUS_8 = row("Nebius", "GB300", 8, 132236.0, system="Nebius GB300 NVL72 (8x GB300-288GB, TensorRT)")
AMD_72 = row("AMD", "MI355X", 72, 1039900.0, system="9x8xMI355X_2xEPYC_9575F")
AMD_8 = row("AMD", "MI355X", 8, 121818.0, system="smci355-ccs-aus-m13-13 (AS -4126GS-NMR-LCC)")
CRUSOE_512 = row(
    "Crusoe", "MI355X", 512, 5749440.0, system="Crusoe Cloud 64x8 MI355X (512 GPU) — gpt-oss-120b / vLLM"
)

R1 = {"model": "deepseek-r1", "scenario": "server"}
NVIDIA_V60 = row("NVIDIA", "GB300", 72, 400437.0, round="v6.0", result_id="6.0-0076", **R1)
NVIDIA_V51 = row("NVIDIA", "GB300", 72, 209328.0, round="v5.1", result_id="5.1-0072", **R1)
NEBIUS_V60 = row("Nebius", "GB300", 8, 64510.0, round="v6.0", result_id="6.0-0082", **R1)
RUBIN = row("NVIDIA", "VR200", 72, 1175890.2208168241, availability="preview", **R1)
NVIDIA_V61 = row("NVIDIA", "GB300", 72, 596944.0, **R1)


def made(verdict: str, **other: Any) -> Reading:
    """A reading."""
    return Reading.model_validate({"verdict": verdict, **other})
