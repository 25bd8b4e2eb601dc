"""summary_results.json: the list of results of v4.1, v5.1 and v6.0, one object a result.

`a#` counts accelerators of one node; v6.0 adds `Total Accelerators`. Numbers stay text until the
row is built, so that a value is kept as it was published.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knowledge.errors import SourceError
from knowledge.sources import summary_csv
from knowledge.sources.record import Fields, Record, required

COLUMNS = (
    "ID",
    "Submitter",
    "Availability",
    "Category",
    "Suite",
    "System",
    "Platform",
    "UsedModel",
    "Model",
    "Scenario",
    "Nodes",
    "Processor",
    "host_processors_per_node",
    "Accelerator",
    "a#",
    "Location",
    "Software",
    "version",
    "Performance_Result",
    "Performance_Units",
)


def records(file: str, data: Any) -> Iterator[Record]:
    """The results of a JSON file: a list of objects, or v6.1's object of objects.

    Raises SourceError for any other shape, a missing column (named) or a column that is no number.
    """
    if isinstance(data, dict):
        yield from _object_of_objects(file, data)
        return
    if not isinstance(data, list):
        raise SourceError(f"{file}: expected a list of results, found {type(data).__name__}")
    if not data:
        raise SourceError(f"{file}: holds no results")
    for number, entry in enumerate(data, 1):
        if not isinstance(entry, dict):
            raise SourceError(f"{file}: row {number}: expected an object, found {type(entry).__name__}")
        required(file, f"row {number}", COLUMNS, list(entry))
        yield _record(Fields(file, f"row {number}", entry))


def _object_of_objects(file: str, data: dict[str, Any]) -> Iterator[Record]:
    """v6.1's summary.json: the columns of summary.csv, rows under the keys "0", "1", …"""
    if not data or not all(isinstance(entry, dict) for entry in data.values()):
        keys = ", ".join(list(data)[:6]) or "nothing"
        raise SourceError(f"{file}: expected a list of results, found one object with {keys}")
    if not any("Organization" in entry or "MlperfModel" in entry for entry in data.values()):
        raise SourceError(f"{file}: expected a list of results, found an object of objects")
    for number, entry in data.items():
        required(file, f"row {number}", summary_csv.COLUMNS, list(entry))
        yield summary_csv.record(Fields(file, f"row {number}", entry), "summary.json")


def _record(row: Fields) -> Record:
    round_ = row.text("version")
    power = row.optional("Power_Result")
    return Record(
        file=row.file,
        place=row.place,
        source=f"mlcommons/inference_results_{round_} summary_results.json",
        round=round_,
        result_id=row.text("ID").removeprefix("v") or None,
        submitter=row.text("Submitter"),
        division=row.text("Category").lower(),
        availability=row.text("Availability").lower(),
        system_type=row.text("Suite").lower(),
        system=row.text("System"),
        platform=row.text("Platform"),
        nodes=row.count("Nodes") or 1,
        sockets=row.count("host_processors_per_node"),
        processor=row.text("Processor"),
        accelerator=row.text("Accelerator"),
        per_node=row.count("a#"),
        total=row.count("Total Accelerators"),
        model=row.text("Model"),
        used_model=row.optional("UsedModel"),
        scenario=row.text("Scenario"),
        value_text=row.text("Performance_Result"),
        unit=row.text("Performance_Units"),
        accuracy=row.text("Accuracy"),
        power=_watts(row, power),
        power_unit=row.text("Power_Units"),
        power_run=row.text("has_power") == "True",
        framework=row.optional("Software"),
        weights=row.optional("weight_data_types"),
        notes=row.text("Notes"),
        inferred=row.text("inferred") == "1",
        location=row.text("Location").removeprefix("./") or None,
    )


def _watts(row: Fields, text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        raise row.fault(f"Power_Result is {text!r}, not a number") from None
