"""From what a file states to a Row: names, counts, units and flags.

What is wrong in the published files stands as data in `knowledge/corrections.toml`.
"""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from knowledge.names import AcceleratorName, Names
from knowledge.rounds import Rounds
from knowledge.row import Part, Row
from knowledge.sources.record import Record


@lru_cache(maxsize=1)
def corrections() -> dict[str, Any]:
    """`corrections.toml`, read once a process."""
    return tomllib.loads(files("knowledge").joinpath("corrections.toml").read_text(encoding="utf-8"))


def value_of(record: Record) -> float:
    """The result as a number. Raises SourceError if it is none, not finite or not above zero."""
    try:
        value = float(record.value_text.replace(",", ""))
    except ValueError:
        raise record.fault(f"result {record.value_text!r} is no number") from None
    if not math.isfinite(value):
        raise record.fault(f"result {record.value_text!r} is not finite")
    if value <= 0:
        raise record.fault(f"result {record.value_text} is {'negative' if value < 0 else 'zero'}")
    return value


def is_power_line(record: Record) -> bool:
    """Whether the line holds the power of another line instead of a result (trap T13)."""
    return record.unit.lower() in ("watts", "millijoules")


def build(record: Record, names: Names, rounds: Rounds, retrieved: str) -> Row:
    """The row of one record. Raises SourceError for a result that cannot be one."""
    value = value_of(record)
    unit, latency = _unit(record)
    model, scenario = _benchmark(record, names)
    flags: list[str] = []
    chip = _accelerator(record, names, flags)
    published = rounds.get(record.round)
    row = Row(
        key="/".join((record.round, record.location or _cell(record))),
        suite="inference",
        round=record.round,
        result_id=record.page_id or record.result_id,
        submitter=names.submitter(record.submitter),
        division=record.division,
        availability=record.availability,
        system_type=record.system_type.replace(" ", ""),
        system=record.system,
        platform=record.platform,
        nodes=record.nodes,
        accelerator=chip.accelerator,
        variant=chip.variant,
        accelerators=0,
        accelerators_published=record.total if record.total is not None else record.per_node,
        parts=chip.parts,
        processors=record.sockets or None,
        processor=record.processor or None,
        model=model,
        accuracy_target=names.model(record.model).accuracy_target,
        used_model=record.used_model,
        scenario=scenario,
        value=value,
        value_fine=record.value_fine,
        value_text=record.value_text,
        unit=unit,
        lower_is_better=latency,
        per_accelerator=None,
        watts=record.power if record.power_unit.lower() == "watts" else None,
        framework=record.framework,
        weights=record.weights,
        inferred=record.inferred and record.round in corrections()["inferred"]["rounds"],
        flags=(),
        location=record.location,
        source=record.source,
        # a round that the calendar does not know was published on the day it was first seen, or before
        published=published.published.isoformat() if published else retrieved,
        retrieved=retrieved,
    )
    row = _counted(row, record, chip, flags)
    row = _corrected(row, record, flags)
    _mark(row, record, names, flags)
    row = replace(row, flags=tuple(sorted(set(flags))))
    if row.accelerator and row.accelerators and not row.lower_is_better:
        row = replace(row, per_accelerator=row.value / row.accelerators)
    return row


def _cell(record: Record) -> str:
    """What stands in for a location where the file has none."""
    return f"{record.result_id}/{record.model}/{record.scenario}"


def _unit(record: Record) -> tuple[str, bool]:
    """The unit in our own spelling, and whether it is a latency."""
    latency = re.fullmatch(r"latency \((\w+)\)", record.unit.lower())
    return (latency.group(1), True) if latency else (record.unit.lower(), False)


def _benchmark(record: Record, names: Names) -> tuple[str, str]:
    """Model and scenario; v5.0's Interactive benchmark is a scenario in its Server column only (T24)."""
    model = names.model(record.model).model
    scenario = re.sub(r"[\W_]", "", record.scenario.lower())
    base = model.removesuffix("-interactive")
    return (base, "interactive") if base != model and scenario == "server" else (model, scenario)


def _accelerator(record: Record, names: Names, flags: list[str]) -> AcceleratorName:
    """The accelerators that took part, by name."""
    chip = names.accelerator(record.accelerator, record.system)
    rules = corrections()
    if re.search(rules["cpu_only"]["notes"], record.notes, re.IGNORECASE):
        flags.append("cpu_only_submission")
        return AcceleratorName()
    if chip.accelerator is None and not chip.parts:
        for entry in rules["integrated"]:
            if re.search(entry["processor"], record.processor):
                flags.append("integrated_gpu")
                return names.accelerator(entry["accelerator"])
    return chip


def _counted(row: Row, record: Record, chip: AcceleratorName, flags: list[str]) -> Row:
    """The row with the number of accelerators that took part (traps T6, T8, T10, T11)."""
    per_node, published = record.per_node or 0, row.accelerators_published
    accelerators = record.total if record.total is not None else per_node * row.nodes
    if chip.accelerator is None and not chip.parts:
        accelerators = 0
    elif chip.count is not None:
        accelerators = chip.count
    parts = chip.parts
    if parts and not any(part.count for part in parts) and row.nodes % len(parts) == 0:
        # every kind fills as many nodes as the others
        parts = tuple(Part(p.accelerator, per_node * row.nodes // len(parts)) for p in parts)
    if parts:
        flags.append("mixed_accelerators")
        accelerators = sum(part.count for part in parts) or accelerators
    if accelerators and record.total is None and row.nodes > 1:
        flags.append("count_per_node")
    if published is not None and published != accelerators:
        flags.append("count_corrected")
    return replace(row, accelerators=accelerators, parts=parts)


def _corrected(row: Row, record: Record, flags: list[str]) -> Row:
    """The row after the listed corrections of counts, sockets, units and models."""
    rules = corrections()
    for entry in rules["unit"]:
        if row.model in entry["models"] and not row.lower_is_better and row.unit != entry["unit"]:
            row = replace(row, unit=entry["unit"])
            flags.append("unit_corrected")
    for entry in rules["count"]:
        if matches(row, entry["where"]) and row.accelerators != entry["accelerators"]:
            row = replace(row, accelerators=entry["accelerators"])
            flags.append("count_corrected")
    for entry in rules["unused"]:
        if matches(row, entry["where"]):
            row = replace(row, accelerator=None, variant=None, accelerators=0, parts=())
            flags += ["accelerators_unused", "count_corrected"]
    for entry in rules["sockets"]:
        if matches(row, entry["where"]):
            row = replace(row, processors=entry["processors"])
            flags.append("sockets_corrected")
    for entry in rules["used"]:
        if matches(row, entry["where"]):
            row = replace(row, used_model=entry["model"])
    return row


def _mark(row: Row, record: Record, names: Names, flags: list[str]) -> None:
    """Add the flags that tell of a row and change nothing in it."""
    rules = corrections()
    if row.used_model and names.model(row.used_model).model != row.model:
        flags.append("used_other_model")
    if row.inferred:
        flags.append("inferred_result")
    if record.power_run:
        flags.append("power_run")
        if record.power is not None and row.watts is None:
            flags.append("energy_per_stream")
    if row.model.endswith("-interactive"):
        flags.append("offline_of_interactive")
    if row.accelerator and names.gpus_per_card(row.accelerator) > 1:
        flags.append("dual_gpu_card")
    if record.page_id and record.page_id != record.result_id:
        flags.append("id_differs")
    named = sum(int(a) * int(b or 1) for a, b in re.findall(rules["counts"]["in_names"], row.system))
    if named and row.accelerators and named != row.accelerators:
        flags.append("name_count_wrong")
    flags += [
        entry["flag"]
        for entry in rules["latency"]
        if matches(row, entry["where"]) and entry.get("exported", record.inferred) == record.inferred
    ]
    if any(matches(row, entry["where"]) for entry in rules["atypical"]):
        flags.append("atypical")


def matches(row: Row, where: dict[str, Any]) -> bool:
    """Whether the row's fields have the values named; a list means any of them."""
    return all(
        getattr(row, field) in value if isinstance(value, list) else getattr(row, field) == value
        for field, value in where.items()
    )
