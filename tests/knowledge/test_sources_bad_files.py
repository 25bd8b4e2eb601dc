"""Files that cannot be read: one clear line each (file, row, what), and nothing half-loaded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.errors import SourceError
from knowledge.sources import load

DATA = Path(__file__).parent / "data"
JSON = (DATA / "summary_results_v6.0.json").read_text(encoding="utf-8")
OBJECTS = (DATA / "summary_v6.1.json").read_text(encoding="utf-8")
CSV = (DATA / "summary_v6.1.csv").read_text(encoding="utf-8")
WIDE = (DATA / "tableau_crosstab_v5.0.csv").read_text(encoding="utf-8")
LONG = (DATA / "tableau_crosstab_v6.0.tsv").read_bytes()[:-1].decode("utf-16")


def entries(change: Callable[[list[dict[str, Any]]], Any]) -> str:
    """The results file of v6.0 after a change."""
    data = json.loads(JSON)
    return json.dumps(change(data) or data)


def without(name: str) -> str:
    return entries(lambda data: [{k: v for k, v in data[0].items() if k != name}, *data[1:]])


def with_result(value: Any) -> str:
    return entries(lambda data: [data[0], {**data[1], "Performance_Result": value}])


BAD = {
    "empty": (b"", r"is empty"),
    "blank": (b" \n\t\n", r"is empty"),
    "only a byte order mark": (b"\xff\xfe", r"is empty"),
    "truncated JSON": (JSON[: len(JSON) // 2], r"is cut off|is no valid JSON"),
    "JSON cut in a string": (JSON[: JSON.index("Acme Cluster") + 4], r"is cut off"),
    "JSON cut after a comma": (JSON[: JSON.index('"6.0-9002"')], r"is cut off|is no valid JSON"),
    "broken JSON": (JSON.replace('"Nodes": 11', '"Nodes": eleven'), r"is no valid JSON \(line \d+"),
    "deep JSON": ("[" * 200_000, r"is no valid JSON"),
    "empty list": ("[]", r"holds no results"),
    "list of numbers": ("[1, 2]", r"row 1: expected an object, found str"),
    "one result instead of a list": (
        entries(lambda d: d[0]),
        r"expected a list of results, found one object",
    ),
    "a wrapped list": (entries(lambda d: {"results": d}), r"expected a list of results, found one object"),
    "results by number": (entries(lambda d: {"0": d[0]}), r"expected a list of results, found an object"),
    "empty object": ("{}", r"expected a list of results"),
    "missing column": (without("Submitter"), r"row 1: column 'Submitter' missing \(found: ID, "),
    "missing result": (without("Performance_Result"), r"row 1: column 'Performance_Result' missing"),
    "negative result": (with_result(-5.0), r"row 2 \(Acme, yolo-95, Offline\): result -5\.0 is negative"),
    "zero": (with_result(0), r"row 2 .*: result 0 is zero"),
    "NaN": (with_result(float("nan")), r"holds NaN, which is no number"),
    "infinite": (with_result(float("inf")), r"holds Infinity, which is no number"),
    "NaN as text": (with_result("nan"), r"row 2 .*: result 'nan' is not finite"),
    "overflow": (JSON.replace("1.74887", "1e999"), r"row 2 .*: result '1e999' is not finite"),
    "no number": (with_result("fast"), r"row 2 .*: result 'fast' is no number"),
    "no result": (with_result(None), r"row 2 .*: result '' is no number"),
    "a list as result": (with_result([1]), r"row 2: Performance_Result holds list, not a value"),
    "nodes no number": (
        entries(lambda d: [{**d[0], "Nodes": "many"}]),
        r"row 1: Nodes is 'many', not a number",
    ),
    "half a node": (entries(lambda d: [{**d[0], "Nodes": 1.5}]), r"row 1: Nodes is '1\.5', not a count"),
    "duplicate": (entries(lambda d: [*d, d[0]]), r"row 6 .*: repeats row 1 \("),
    "no round": (entries(lambda d: [{**d[0], "version": "next"}]), r"row 1 .*: 'next' is no round"),
    "object without a column": (
        OBJECTS.replace('"Organization"', '"Company"', 1),
        r"row 0: column 'Organization' missing \(found: .*Company",
    ),
    "CSV without a column": (
        CSV.replace("Result,", "Score,", 1),
        r"head line: column 'Result' missing \(found: Organization, ",
    ),
    "CSV without two columns": (
        CSV.replace("Result,", "Score,", 1).replace("Organization,", "Org,", 1),
        r"columns 'Organization', 'Result' missing",
    ),
    "CSV head only": (CSV.splitlines()[0] + "\n", r"holds no results"),
    "CSV cut in a line": (CSV[: CSV.rindex("multistream")], r"line 15: 19 columns, the head line has 31"),
    "CSV cut in quotes": (CSV[: CSV.index("SXM-270GB, Ten") + 8], r"is cut off or no valid table"),
    "CSV negative": (
        CSV.replace("111247.0", "-111247.0"),
        r"line 2 \(Acme, .*\): result -111247\.0 is negative",
    ),
    "CSV NaN": (CSV.replace("111247.0", "NaN"), r"line 2 .*: result 'NaN' is not finite"),
    "CSV duplicate": (CSV + CSV.splitlines()[1] + "\n", r"line 16 .*: repeats line 2 \(closed/Acme/"),
    "wide without a column": (
        WIDE.replace("Organization", "Organisation"),
        r"line 5: column 'Organization' missing \(found: Public ID, ",
    ),
    "wide without results": ("\n".join(WIDE.splitlines()[:5]) + "\n", r"holds no results"),
    "wide cut in a block": (
        "\n".join(WIDE.splitlines()[:7]) + "\n",
        r"line 6: the line 'Avg\. .*missing",
    ),
    "wide negative": (
        WIDE.replace('"98,858.00"', '"-98,858.00"'),
        r"line 6 .*: result -98,858\.00 is negative",
    ),
    "wide duplicate": (WIDE + "\n".join(WIDE.splitlines()[5:9]) + "\n", r"line 18 .*: repeats line 6"),
    "wide without an ID": (WIDE.replace("5.0-9001", "first"), r"line 6: 'first' is no result ID"),
    "long without a column": (LONG.replace("Organization", "Org"), r"column 'Organization' missing"),
    "long with a short line": (LONG + "v6.0-9010\tAMD\r\n", r"line 4: 2 columns, the head line has 24"),
    "another table": ("name,score\nGB300,5\n", r"not a known format .*\(first line: name, score\)"),
    "plain text": ("GB300 is faster.\n", r"not a known format"),
    "Latin-1": ("Größe,1\n".encode("latin-1"), r"neither UTF-8 nor UTF-16 text \(byte 2: 0xf6\)"),
    "UTF-16 without its mark": (CSV.encode("utf-16-le"), r"NUL"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", r"neither UTF-8 nor UTF-16"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gives_one_clear_line(name: str, tmp_path: Path) -> None:
    content, message = BAD[name]
    path = tmp_path / "published.dat"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SourceError, match=message) as error:
        load([DATA / "summary_results_v5.1.json", path])
    line = str(error.value)
    assert line.startswith("published.dat: ")
    assert "\n" not in line
    assert len(line) < 700


def test_a_file_that_is_not_there_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"gone\.csv: cannot be read"):
        load(tmp_path / "gone.csv")
    with pytest.raises(SourceError, match="cannot be read"):
        load(tmp_path)
    with pytest.raises(SourceError, match="no file to load"):
        load([])


def test_two_files_that_contradict_one_another(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text(CSV.replace("111247.0", "111248.0"), encoding="utf-8")
    with pytest.raises(
        SourceError, match=r"other\.csv: line 2 .*111248\.0, but summary_v6\.1\.csv has 111247\.0"
    ):
        load([DATA / "summary_v6.1.csv", path])


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(["json", "objects", "csv", "wide", "long"]),
    at=st.integers(0, 20_000),
    bytes_=st.binary(max_size=6),
)
def test_damage_anywhere_is_rows_or_a_source_error(tmp_path: Path, kind: str, at: int, bytes_: bytes) -> None:
    """Whatever bytes are written over a file, it gives rows or one clear line."""
    good = {"json": JSON, "objects": OBJECTS, "csv": CSV, "wide": WIDE, "long": LONG}[kind].encode()
    at %= len(good)
    path = tmp_path / "published.dat"
    path.write_bytes(good[:at] + bytes_ + good[at + len(bytes_) + 1 :])
    try:
        found = load(path).rows
    except SourceError as error:
        found = ()
        line = str(error)
    assert found or "\n" not in line
