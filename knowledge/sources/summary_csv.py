"""summary.csv: v6.1's results, one line each, with column names of their own.

There is no public ID. Were power measured, the exporter would write a second line with the watts in
`Result` (trap T13): such lines become the power of the line with the same location.
"""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.errors import SourceError
from knowledge.sources.record import Fields, Record, required

COLUMNS = (
    "Organization",
    "Availability",
    "Division",
    "SystemType",
    "SystemName",
    "Platform",
    "Model",
    "MlperfModel",
    "Scenario",
    "Result",
    "number_of_nodes",
    "host_processor_model_name",
    "host_processors_per_node",
    "accelerator_model_name",
    "accelerators_per_node",
    "total_accelerators",
    "Location",
    "framework",
    "version",
    "Units",
    "weight_data_types",
)


def records(file: str, table: list[list[str]]) -> Iterator[Record]:
    """The results of a table with a head line. Raises SourceError for missing columns and short lines."""
    head = [name.strip() for name in table[0]]
    required(file, "the head line", COLUMNS, head)
    if len(table) == 1:
        raise SourceError(f"{file}: holds no results")
    for number, line in enumerate(table[1:], 2):
        if not any(line):
            continue
        if len(line) != len(head):
            raise SourceError(f"{file}: line {number}: {len(line)} columns, the head line has {len(head)}")
        yield record(Fields(file, f"line {number}", dict(zip(head, line, strict=True))), "summary.csv")


def record(row: Fields, published_as: str) -> Record:
    """One result with summary.csv's column names."""
    round_ = row.text("version")
    return Record(
        file=row.file,
        place=row.place,
        source=f"mlcommons/inference_results_{round_} {published_as}",
        round=round_,
        result_id=None,
        submitter=row.text("Organization"),
        division=row.text("Division").lower(),
        availability=row.text("Availability").lower(),
        system_type=row.text("SystemType").lower(),
        system=row.text("SystemName"),
        platform=row.text("Platform"),
        nodes=row.count("number_of_nodes") or 1,
        sockets=row.count("host_processors_per_node"),
        processor=row.text("host_processor_model_name"),
        accelerator=row.text("accelerator_model_name"),
        per_node=row.count("accelerators_per_node"),
        total=row.count("total_accelerators"),
        model=row.text("MlperfModel"),
        used_model=row.optional("Model"),
        scenario=row.text("Scenario"),
        value_text=row.text("Result"),
        unit=row.text("Units"),
        accuracy=row.text("Accuracy"),
        power_run=row.text("has_power") == "True",
        framework=row.optional("framework"),
        weights=row.optional("weight_data_types"),
        notes=row.text("notes"),
        inferred=row.text("inferred") == "1",
        location=row.text("Location").removeprefix("./") or None,
    )
