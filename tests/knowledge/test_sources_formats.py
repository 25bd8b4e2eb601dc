"""Each published format and each of its traps, on small files written for these tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knowledge import clock
from knowledge.errors import SourceError
from knowledge.links import result_ids, row_url
from knowledge.row import Part, Row
from knowledge.sources import load

DATA = Path(__file__).parent / "data"


def rows_of(*names: str) -> dict[str, Row]:
    """Rows of the files by ID, else by platform; scenario and model are added where one has several."""
    found: dict[str, Row] = {}
    for row in load([DATA / name for name in names], retrieved="2026-11-30").rows:
        name = row.result_id or row.platform
        found[name if name not in found else f"{name} {row.model} {row.scenario}"] = row
    return found


# --- results JSON: list of objects ----------------------------------------------------------------------


def test_counts_of_one_node_are_multiplied() -> None:
    row = rows_of("summary_results_v5.1.json")["5.1-9002"]
    assert (row.nodes, row.accelerators_published, row.accelerators) == (18, 4, 72)
    assert row.per_accelerator == pytest.approx(420659 / 72)
    assert {"count_per_node", "count_corrected"} <= set(row.flags)


def test_mixed_systems_keep_parts_and_have_no_figure_for_one_accelerator() -> None:
    row = rows_of("summary_results_v5.1.json")["5.1-9003"]
    assert row.parts == (Part("MI300X", 32), Part("MI325X", 16))
    assert (row.accelerator, row.accelerators, row.per_accelerator) == (None, 48, None)
    assert "mixed_accelerators" in row.flags
    assert "name_count_wrong" not in row.flags


def test_a_cpu_row_has_no_accelerator_and_interactive_queries_are_tokens() -> None:
    row = rows_of("summary_results_v5.1.json")["5.1-9004"]
    assert (row.accelerator, row.accelerators, row.per_accelerator) == (None, 0, None)
    assert (row.model, row.unit, row.processors) == ("llama3.1-8b", "tokens/s", 2)
    assert row.flags == ("unit_corrected",)


def test_latency_is_lower_is_better_and_has_no_figure_for_one_accelerator() -> None:
    row = rows_of("summary_results_v5.1.json")["5.1-9010"]
    assert (row.value, row.unit, row.lower_is_better, row.per_accelerator) == (1.341022, "ms", True, None)
    assert (row.accelerator, row.accelerators, row.accelerators_published) == ("Arc 140T", 1, None)


def test_inferred_results_and_the_same_result_under_two_platforms() -> None:
    rows = rows_of("summary_results_v5.1.json")
    first, second = rows["5.1-9005"], rows["5.1-9006"]
    assert first.inferred
    assert first.flags == ("inferred_result",)
    assert second.flags == ("duplicate_platform", "inferred_result")


def test_an_open_row_under_another_model() -> None:
    row = rows_of("summary_results_v5.1.json")["5.1-9007"]
    assert (row.model, row.used_model) == ("llama2-70b", "llama3_1-70b-fp8_dyn")
    assert "used_other_model" in row.flags
    assert "used_other_model" not in rows_of("summary_results_v5.1.json")["5.1-9005"].flags


def test_power_runs_hold_watts() -> None:
    rows = rows_of("summary_results_v5.1.json", "summary_results_v4.1.json")
    assert rows["5.1-9008"].watts == pytest.approx(10400.9988793425)
    assert "power_run" in rows["5.1-9008"].flags
    assert rows["4.1-9003"].watts is None
    assert rows["4.1-9003"].flags == ("energy_per_stream", "power_run")


def test_a_dual_card_counts_cards_and_whisper_is_tokens() -> None:
    row = rows_of("summary_results_v5.1.json")["5.1-9009"]
    assert (row.accelerator, row.accelerators, row.unit) == ("Arc Pro B60 Dual", 4, "tokens/s")
    assert row.per_accelerator == pytest.approx(845.3)
    assert "dual_gpu_card" in row.flags


def test_odd_blanks_and_hyphens_are_plain() -> None:
    rows = rows_of("summary_results_v5.1.json")
    assert rows["5.1-9011"].submitter == "Acme Labs"
    assert rows["5.1-9011"].system == "Acme X (8x B200-SXM-180GB, TensorRT)"
    assert rows["5.1-9002"].system == "(72x GB300-288GB_aarch64, TensorRT)"


def test_ids_lose_their_v_and_a_system_may_be_of_both_types() -> None:
    rows = rows_of("summary_results_v4.1.json")
    both = rows["4.1-9002"]
    assert (both.system_type, both.variant, both.accuracy_target) == ("datacenter,edge", "SXM, MaxQ", "99")
    assert both.published == "2024-08-28"
    assert (rows["4.1-9001"].accelerator, rows["4.1-9001"].accelerators) == ("T4", 1)


def test_v60_counts_come_from_the_text() -> None:
    row = rows_of("summary_results_v6.0.json")["6.0-9001"]
    assert (row.accelerators_published, row.accelerators) == (88, 87)
    assert row.per_accelerator == pytest.approx(1016380 / 87)
    assert row.processors == 2
    assert row.flags == ("count_corrected", "sockets_corrected")


def test_v60_accelerators_that_took_no_part_and_one_inside_the_processor() -> None:
    rows = rows_of("summary_results_v6.0.json")
    cpu, inside = rows["6.0-9002"], rows["6.0-9003"]
    assert (cpu.accelerator, cpu.accelerators, cpu.accelerators_published) == (None, 0, 1)
    assert cpu.flags == ("count_corrected", "cpu_only_submission")
    assert (inside.accelerator, inside.accelerators) == ("Arc 140T", 1)
    assert "integrated_gpu" in inside.flags


def test_v60_inferred_is_an_artefact_and_names_do_not_count() -> None:
    row = rows_of("summary_results_v6.0.json")["6.0-9004"]
    assert (row.scenario, row.inferred, row.accelerators) == ("interactive", False, 288)
    assert row.flags == ("name_count_wrong",)


def test_v60_power_cap_and_latency_in_seconds() -> None:
    row = rows_of("summary_results_v6.0.json")["6.0-9005"]
    assert (row.variant, row.unit, row.value, row.lower_is_better) == ("power cap 1000 W", "s", 27.4, True)


def test_location_key_and_link() -> None:
    row = rows_of("summary_results_v6.0.json")["6.0-9001"]
    assert row.location == "closed/AMD/results/87xMI355X/llama2-70b-99/Server/performance/run_1"
    assert row.key == f"v6.0/{row.location}"
    assert row_url(row) == f"https://github.com/mlcommons/inference_results_v6.0/tree/main/{row.location}"


# --- v6.1: CSV and object of objects --------------------------------------------------------------------


def test_v61_csv_and_json_give_the_same_rows() -> None:
    table = load(DATA / "summary_v6.1.csv", retrieved="2026-11-30").rows
    objects = load(DATA / "summary_v6.1.json", retrieved="2026-11-30").rows
    assert len(table) == 14
    assert [(r.key, r.value, r.flags, r.accelerators) for r in table] == [
        (r.key, r.value, r.flags, r.accelerators) for r in objects
    ]
    assert {r.source for r in table} == {"mlcommons/inference_results_v6.1 summary.csv"}


def test_v61_two_files_of_one_round_may_repeat_one_another() -> None:
    assert len(load([DATA / "summary_v6.1.csv", DATA / "summary_v6.1.json"]).rows) == 14


def test_v61_names_scenarios_and_submitters() -> None:
    rows = rows_of("summary_v6.1.csv")
    assert rows["lower"].submitter == "NVIDIA"
    assert (rows["lower"].model, rows["lower"].accelerator) == ("qwen3-vl-235b-a22b", "B300")
    assert rows["ms-a"].scenario == "multistream"
    assert rows["ms-a"].inferred is False
    assert (rows["vr"].accelerator, rows["vr"].availability, rows["vr"].accelerators) == (
        "VR200",
        "preview",
        36,
    )
    assert rows["vr"].system == "Acme Cloud — VR200 (36x VR200)"
    assert rows["B300x8"].result_id is None
    assert result_ids(rows["B300x8"]) == ()


def test_v61_counts() -> None:
    rows = rows_of("summary_v6.1.csv")
    assert (rows["B300x16"].accelerators, rows["B300x16"].flags) == (16, ("name_count_wrong",))
    assert (rows["cpu"].accelerator, rows["cpu"].accelerators, rows["cpu"].processors) == (None, 0, 4)
    assert rows["two-makers"].parts == (Part("H200", 8), Part("MI350X", 8))
    assert rows["two-makers"].accelerators == 16
    assert rows["four"].parts == (Part("MI300X", 16), Part("MI355X", 16))
    assert rows["four"].flags == ("mixed_accelerators",)


def test_v61_cards_that_the_vector_database_did_not_use() -> None:
    rows = rows_of("summary_v6.1.csv")
    database = next(r for r in rows.values() if r.model == "e2e-rag-db")
    answering = next(r for r in rows.values() if r.model == "e2e-rag-qna")
    assert (database.accelerator, database.accelerators, database.per_accelerator) == (None, 0, None)
    assert "accelerators_unused" in database.flags
    assert (answering.accelerator, answering.accelerators, answering.unit) == ("Arc Pro B70", 4, "tasks/s")


def test_v61_latency_statistic_and_the_model_that_ran() -> None:
    rows = rows_of("summary_v6.1.csv")
    assert rows["wan-mean"].flags == ("latency_mean",)
    assert rows["wan-p90"].flags == ("latency_p90",)
    assert (rows["kimi"].availability, rows["kimi"].used_model) == ("rdi", "Kimi-K2.6")
    assert "used_other_model" in rows["kimi"].flags


def test_a_second_line_with_watts_is_power_and_no_result(tmp_path: Path) -> None:
    lines = (DATA / "summary_v6.1.csv").read_text(encoding="utf-8").splitlines()
    watts = lines[1].replace("111247.0", "7100.5").replace("Tokens/s", "Watts")
    path = tmp_path / "summary.csv"
    path.write_text("\n".join([lines[0], watts, lines[1]]) + "\n", encoding="utf-8")
    (row,) = load(path).rows
    assert (row.value, row.watts) == (111247.0, 7100.5)
    assert "power_run" in row.flags


def test_a_power_line_alone_is_an_error(tmp_path: Path) -> None:
    lines = (DATA / "summary_v6.1.csv").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "summary.csv"
    path.write_text(f"{lines[0]}\n{lines[1].replace('Tokens/s', 'Watts')}\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"summary\.csv: line 2 .*Watts without a result"):
        load(path)


# --- crosstabs -----------------------------------------------------------------------------------------


def test_v50_wide_crosstab() -> None:
    rows = rows_of("tableau_crosstab_v5.0.csv")
    assert len(rows) == 8
    assert rows["5.0-9001"].submitter == "CoreWeave"
    rack = rows["5.0-9002"]
    assert (rack.availability, rack.model, rack.unit) == ("preview", "llama3.1-405b", "tokens/s")
    assert (rack.accelerators_published, rack.accelerators) == (4, 72)
    assert (rack.value, rack.value_text) == (13886.8, "13,886.80")
    assert (rack.division, rack.system_type, rack.location, row_url(rack)) == (
        "closed",
        "datacenter",
        None,
        None,
    )
    assert rack.key == "v5.0/5.0-9002/llama3.1-405b/Offline"
    cpu = rows["5.0-9003"]
    assert (cpu.accelerator, cpu.accelerators, cpu.model) == (None, 0, "resnet50")


def test_v50_interactive_benchmark() -> None:
    rows = load(DATA / "tableau_crosstab_v5.0.csv").rows
    of_llama = {(r.model, r.scenario): r for r in rows if r.model.startswith("llama2")}
    assert of_llama["llama2-70b", "interactive"].value == 62266.0
    assert of_llama["llama2-70b", "offline"].value == 98858.0
    apart = of_llama["llama2-70b-interactive", "offline"]
    assert apart.value == 97000.5
    assert apart.flags == ("offline_of_interactive",)


def test_v51_crosstab_gives_finer_digits_to_the_json() -> None:
    result = load([DATA / "tableau_crosstab_v5.1.csv", DATA / "summary_results_v5.1.json"])
    assert not [w for w in result.warnings if "crosstab" in w]
    server = next(r for r in result.rows if r.result_id == "5.1-9001" and r.scenario == "server")
    assert (server.value, server.value_fine) == (24593.8, 24593.77)
    offline = next(r for r in result.rows if r.result_id == "5.1-9001" and r.scenario == "offline")
    assert (offline.value, offline.value_fine) == (102725.0, None)
    assert "crosstab" in server.source


def test_v51_crosstab_alone_gives_its_own_rows() -> None:
    rows = rows_of("tableau_crosstab_v5.1.csv")
    assert rows["5.1-9002"].unit == "tokens/s"
    assert rows["5.1-9002"].accelerators == 72
    assert rows["5.1-9004"].model == "llama3.1-8b"


def test_a_crosstab_value_that_differs_is_told_and_not_taken(tmp_path: Path) -> None:
    page = tmp_path / "page.csv"
    text = (DATA / "tableau_crosstab_v5.1.csv").read_text(encoding="utf-8")
    page.write_text(text.replace("24,593.77", "24,999.00"), encoding="utf-8")
    result = load([page, DATA / "summary_results_v5.1.json"])
    told = [w for w in result.warnings if "24,999.00" in w]
    assert len(told) == 1
    server = next(r for r in result.rows if r.result_id == "5.1-9001" and r.scenario == "server")
    assert (server.value, server.value_fine) == (24593.8, None)


def permuted(tmp_path: Path) -> list[Path]:
    """A results file and a page on which one of v5.1's permuted IDs stands."""
    entries = json.loads((DATA / "summary_results_v5.1.json").read_text(encoding="utf-8"))
    entries[0]["ID"] = entries[1]["ID"] = "5.1-0088"
    paths = [tmp_path / "summary_results.json", tmp_path / "page.csv"]
    paths[0].write_text(json.dumps(entries), encoding="utf-8")
    text = (DATA / "tableau_crosstab_v5.1.csv").read_text(encoding="utf-8")
    paths[1].write_text(text.replace("5.1-9001", "5.1-0087"), encoding="utf-8")
    return paths


def test_permuted_ids_are_matched_and_both_are_known(tmp_path: Path) -> None:
    result = load(permuted(tmp_path))
    assert not [w for w in result.warnings if "page.csv" in w]
    row = next(r for r in result.rows if "id_differs" in r.flags)
    assert row.result_id == "5.1-0087"
    assert result_ids(row) == ("5.1-0087", "5.1-0088")


def test_v60_long_crosstab_is_read_beside_the_json_only() -> None:
    result = load([DATA / "summary_results_v6.0.json", DATA / "tableau_crosstab_v6.0.tsv"])
    assert len(result.rows) == 5  # the crosstab's averages make no rows
    assert not [w for w in result.warnings if "tsv" in w]
    assert next(r for r in result.rows if r.result_id == "6.0-9001").value == 1016380.0
    with pytest.raises(SourceError, match=r"\.tsv: holds averages .* results file of v6\.0"):
        load(DATA / "tableau_crosstab_v6.0.tsv")


def test_v60_long_crosstab_that_counts_otherwise_is_told(tmp_path: Path) -> None:
    text = (DATA / "tableau_crosstab_v6.0.tsv").read_bytes()[:-1].decode("utf-16")
    other = tmp_path / "other.tsv"
    other.write_bytes(text.replace("\t87\t", "\t86\t").encode("utf-16"))
    result = load([DATA / "summary_results_v6.0.json", other])
    assert [w for w in result.warnings if "other.tsv counts 86" in w]


# --- the door --------------------------------------------------------------------------------------------


def test_files_are_known_by_content_not_by_name(tmp_path: Path) -> None:
    disguised = tmp_path / "results.txt"
    disguised.write_bytes((DATA / "summary_results_v6.0.json").read_bytes())
    assert len(load(disguised).rows) == 5


def test_order_of_files_does_not_matter() -> None:
    paths = sorted(DATA.iterdir())
    one = load(paths, retrieved="2026-11-30")
    other = load(reversed(paths), retrieved="2026-11-30")
    assert [r.key for r in one.rows] == [r.key for r in other.rows]
    assert [(r.value, r.value_fine) for r in one.rows] == [(r.value, r.value_fine) for r in other.rows]


def test_retrieved_is_today_unless_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(clock.VARIABLE, "2027-03-04")
    assert {r.retrieved for r in load(DATA / "summary_v6.1.csv").rows} == {"2027-03-04"}


def test_a_round_that_the_calendar_does_not_know_is_published_when_first_seen(tmp_path: Path) -> None:
    path = tmp_path / "summary.csv"
    text = (DATA / "summary_v6.1.csv").read_text(encoding="utf-8")
    path.write_text(text.replace(",v6.1,", ",v7.0,"), encoding="utf-8")
    result = load(path, retrieved="2027-04-02")
    assert {(r.round, r.published) for r in result.rows} == {("v7.0", "2027-04-02")}
    assert any("v7.0 is not in the calendar" in w for w in result.warnings)


def test_new_names_are_told(tmp_path: Path) -> None:
    path = tmp_path / "summary.csv"
    text = (DATA / "summary_v6.1.csv").read_text(encoding="utf-8")
    path.write_text(text.replace("NVIDIA VR200", "NVIDIA VR300"), encoding="utf-8")
    result = load(path)
    assert "new accelerator 'VR300': known under its printed name" in result.warnings
    assert any(r.accelerator == "VR300" for r in result.rows)
