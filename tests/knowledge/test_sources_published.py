"""The published files themselves: every trap against its right value, and our packaged rows against them."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from knowledge import rows_csv
from knowledge.links import result_ids
from knowledge.row import Part, Row
from knowledge.sources import LoadResult, load
from tests.knowledge.shared import shared

COUNTS = {"v4.1": 937, "v5.0": 859, "v5.1": 1448, "v6.0": 520, "v6.1": 492}


def published() -> LoadResult:
    """All published files, loaded once."""
    return _load(shared("data") / "mlcommons")


@lru_cache(maxsize=1)
def _load(folder: Path) -> LoadResult:
    return load([p for p in sorted(folder.rglob("*")) if p.is_file()], retrieved="2026-11-30")


def some(round_: str, result_id: str | None = None, **fields: object) -> list[Row]:
    """Published rows by round, ID and any fields."""
    return [
        row
        for row in published().rows
        if row.round == round_
        and (result_id is None or row.result_id == result_id)
        and all(getattr(row, name) == value for name, value in fields.items())
    ]


def one(round_: str, result_id: str | None = None, **fields: object) -> Row:
    """The one published row that has these fields."""
    found = some(round_, result_id, **fields)
    assert len(found) == 1, [(r.key, r.value) for r in found]
    return found[0]


def test_row_counts_and_no_complaint() -> None:
    assert Counter(row.round for row in published().rows) == COUNTS
    assert len({row.key for row in published().rows}) == sum(COUNTS.values())
    assert published().warnings == ()


def test_packaged_rows_are_the_published_ones() -> None:
    assert tuple(rows_csv.packaged()) == published().rows


def test_packaged_files_have_the_bytes_that_the_loader_makes() -> None:
    folder = Path(rows_csv.__file__).parent / "rows"
    for name in COUNTS:
        rows = [row for row in published().rows if row.round == name]
        assert (folder / f"{name}.csv").read_bytes() == rows_csv.dumps(rows).encode()


def test_v51_json_and_crosstab_agree_on_all_closed_datacenter_rows() -> None:
    """554 results; only the IDs of three systems are permuted (traps T16, T17)."""
    folder = shared("data") / "mlcommons" / "v5.1"
    closed = [
        row
        for row in load(folder / "summary_results.json").rows
        if row.division == "closed" and row.system_type == "datacenter"
    ]
    page = load(folder / "tableau_crosstab.csv").rows
    assert len(page) == len(closed) == 554

    def place(row: Row) -> tuple[object, ...]:
        system = re.sub(r"[,\s]+", "", row.system).casefold()
        # the page's name of 5.1-0094 says another count (trap T7)
        system = re.sub(r"\(\d+xb200-sxm", "(b200-sxm", system)
        benchmark = (row.model, row.accuracy_target, row.scenario, row.unit)
        return (row.submitter, system, *benchmark, row.accelerators)

    def listed(rows: list[Row] | tuple[Row, ...]) -> list[tuple[tuple[object, ...], Row]]:
        return sorted(((place(row), row) for row in rows), key=lambda p: (str(p[0]), p[1].value))

    ids: Counter[tuple[str | None, str | None]] = Counter()
    for (left, ours), (right, theirs) in zip(listed(closed), listed(page), strict=True):
        assert left == right
        assert theirs.value == pytest.approx(ours.value, rel=5e-6, abs=0.00501)
        if ours.result_id != theirs.result_id:
            ids[theirs.result_id, ours.result_id] += 1
    assert ids == {
        ("5.1-0087", "5.1-0088"): 12,
        ("5.1-0088", "5.1-0089"): 7,
        ("5.1-0089", "5.1-0087"): 7,
    }


# --- the traps, by number of the row-by-row check ----------------------------------------------------------


def test_t2_v60_values_are_the_json_s_and_phantom_rows_do_not_exist() -> None:
    assert (
        one("v6.0", "6.0-0051", model="llama2-70b", scenario="server", accuracy_target="99").value == 6662.33
    )
    assert (
        one("v6.0", "6.0-0052", model="llama2-70b", scenario="server", accuracy_target="99").value == 6952.97
    )
    assert some("v6.0", "6.0-0095", model="qwen3-vl-235b-a22b")


def test_t3_t4_t5_units() -> None:
    assert one("v6.0", "6.0-0101", model="llama3.1-8b", scenario="offline").value == 4617.4
    tokens = {"llama3.1-405b", "llama3.1-8b", "deepseek-r1", "whisper", "llama2-70b", "gpt-oss-120b"}
    closed = [r for r in published().rows if r.division == "closed" and not r.lower_is_better]
    assert {r.unit for r in closed if r.model in tokens} == {"tokens/s"}
    corrected = Counter(
        r.round for r in published().rows if "unit_corrected" in r.flags and r.model != "whisper"
    )
    assert corrected == {"v5.0": 30, "v5.1": 8}


def test_t6_counts() -> None:
    assert one("v5.0", "5.0-0058", model="llama3.1-405b", scenario="server").accelerators == 72
    clusters = some("v6.0", "6.0-0001") + some("v6.0", "6.0-0003")
    assert {(r.accelerators_published, r.accelerators) for r in clusters} == {(88, 87), (96, 94)}
    server = one("v6.0", "6.0-0001", scenario="server", accuracy_target="99")
    assert server.per_accelerator == pytest.approx(1016380 / 87)
    assert one("v5.0", "5.0-0054", scenario="offline", accuracy_target="99").accelerators == 32


def test_t7_counts_in_names_are_not_counts() -> None:
    assert {r.accelerators for r in some("v6.0", "6.0-0076")} == {288}
    assert {r.accelerators for r in some("v6.0", "6.0-0079")} == {1}
    assert {r.accelerators for r in some("v6.0", "6.0-0082")} == {8}
    assert {r.accelerators for r in some("v5.1", "5.1-0094")} == {8}
    named = [r for r in published().rows if "name_count_wrong" in r.flags]
    assert {(r.round, r.submitter, r.accelerators) for r in named} == {
        ("v6.0", "NVIDIA", 288),
        ("v6.0", "Nebius", 1),
        ("v6.0", "Nebius", 8),
        ("v6.1", "NVIDIA", 288),
        ("v6.1", "HPE", 16),
    }


def test_t8_mixed_systems() -> None:
    mixed = [r for r in published().rows if r.parts]
    assert len(mixed) == 22
    assert all(r.accelerator is None and r.per_accelerator is None for r in mixed)
    assert all(sum(p.count for p in r.parts) == r.accelerators for r in mixed)
    assert {(r.round, r.result_id or r.submitter): r.parts for r in mixed} == {
        ("v5.1", "5.1-0065"): (Part("MI300X", 32), Part("MI325X", 16)),
        ("v5.1", "5.1-0091"): (Part("MI325X", 16), Part("MI300X", 8)),
        ("v6.0", "6.0-0031"): (Part("MI300X", 8), Part("MI325X", 8), Part("MI355X", 8)),
        ("v6.1", "Cisco"): (Part("H200", 8), Part("MI350X", 8)),
        ("v6.1", "Dell_MangoBoost"): (Part("MI300X", 16), Part("MI355X", 16)),
    }


def test_t9_dual_cards() -> None:
    dual = some("v6.0", accelerator="Arc Pro B60 Dual", model="llama3.1-8b", scenario="offline")
    single = some("v6.0", accelerator="Arc Pro B60", model="llama3.1-8b", scenario="offline")
    assert pytest.approx(max(r.per_accelerator or 0 for r in dual), abs=0.05) == 1690.6
    assert pytest.approx(max(r.per_accelerator or 0 for r in single), abs=0.05) == 836.9


def test_t10_t11_accelerators_not_used_or_not_named() -> None:
    gb10 = some("v6.0", "6.0-0028")
    assert len(gb10) == 6
    assert {(r.accelerator, r.accelerators, r.processors) for r in gb10} == {(None, 0, 1)}
    assert all("cpu_only_submission" in r.flags for r in gb10)
    used = some("v6.1", submitter="Dell", accelerator="GB10")
    assert {(r.accelerators, r.processors) for r in used} == {(1, 1)}
    assert {(r.accelerator, r.accelerators) for r in some("v6.0", "6.0-0067")} == {("Arc 140T", 1)}
    assert {(r.accelerator, r.accelerators) for r in some("v5.1", "5.1-0387")} == {("Arc 140T", 1)}
    assert one("v6.1", model="e2e-rag-db").accelerators == 0
    assert one("v6.1", model="e2e-rag-qna").accelerators == 4


def test_t12_inferred_is_real_in_v51_only() -> None:
    assert Counter(r.round for r in published().rows if r.inferred) == {"v5.1": 536}


def test_t14_latency_statistic() -> None:
    wan = some("v6.1", model="wan-2.2-t2v-a14b", scenario="singlestream")
    assert {r.unit for r in wan} == {"s"}
    means = Counter((r.submitter, r.accelerator) for r in wan if "latency_mean" in r.flags)
    assert means == {
        ("Cisco", "B300"): 1,
        ("Dell", "GB300"): 1,
        ("GigaComputing", "B300"): 2,
        ("NVIDIA", "B300"): 1,
        ("NVIDIA", "GB200"): 1,
        ("NVIDIA", "GB300"): 1,
        ("Oracle", "GB300"): 2,
    }
    rest = Counter((r.submitter, r.accelerator) for r in wan if "latency_p90" in r.flags)
    assert rest == {
        ("AMD", "MI350X"): 1,
        ("AMD", "MI355X"): 1,
        ("Dell_AMD", "MI350P"): 1,
        ("HPE", "MI355X"): 1,
        ("Oracle", "MI355X"): 1,
        ("VibeHPC", "B300"): 1,
    }


def test_t15_sockets() -> None:
    assert max(r.processors or 0 for r in published().rows) == 4
    corrected = Counter((r.round, r.submitter) for r in published().rows if "sockets_corrected" in r.flags)
    assert corrected == {("v6.0", "AMD"): 18, ("v6.0", "Dell"): 6, ("v6.1", "AMD"): 9, ("v6.1", "Dell"): 6}


def test_t16_ids() -> None:
    assert all(r.result_id is None or r.result_id[0].isdigit() for r in published().rows)
    assert all(r.result_id is None for r in some("v6.1"))
    differing = [r for r in published().rows if "id_differs" in r.flags]
    assert Counter((result_ids(r), r.platform) for r in differing) == {
        (("5.1-0087", "5.1-0088"), "SYS-422GS-NBRT-LCC_B200-SXM-180GBx8_TRT"): 12,
        (("5.1-0088", "5.1-0089"), "SYS-A21GE-NBRT_B200-SXM-180GBx8_TRT"): 7,
        (("5.1-0089", "5.1-0087"), "SYS-422GA-NBRT-LCC_B200-SXM-180GBx8_TRT"): 7,
    }


def test_t17_digits() -> None:
    row = one("v5.1", "5.1-0001", model="llama2-70b", accuracy_target="99", scenario="server")
    assert (row.value, row.value_fine, row.value_text) == (24593.8, 24593.77, "24593.8")
    assert all(r.value_fine == pytest.approx(r.value, rel=5e-6) for r in published().rows if r.value_fine)


def test_t18_open_rows_under_another_model() -> None:
    other = [r for r in published().rows if "used_other_model" in r.flags]
    llama = Counter(r.round for r in other if (r.used_model or "").startswith("llama3_1-70b"))
    assert llama == {"v5.1": 19, "v6.0": 2}
    assert sum("Llama-2-7b" in (r.used_model or "") for r in other) == 5
    assert sum(r.model == "resnet50" for r in other) == 792
    assert {r.division for r in other} == {"open"}
    assert one("v6.1", submitter="Lambda", model="qwen3.6-27b").used_model == "Kimi-K2.6"


def test_t19_duplicates_are_marked_within_one_submitter_only() -> None:
    marked = Counter(r.submitter for r in published().rows if "duplicate_platform" in r.flags)
    assert marked == {"GATEOverflow": 368}
    assert len(some("v5.1", submitter="GATEOverflow")) == 841
    painting = some("v5.1", model="pointpainting")
    assert sorted("duplicate_platform" in r.flags for r in painting) == [False, True]


def test_t20_t21_both_types_and_power() -> None:
    assert len(some("v4.1", system_type="datacenter,edge")) == 13
    power = Counter((r.round, r.result_id) for r in published().rows if "power_run" in r.flags)
    assert sum(n for (name, _), n in power.items() if name == "v4.1") == 31
    assert power["v4.1", "4.1-0049"] == 26
    assert (power["v5.1", "5.1-0061"], power["v5.1", "5.1-0062"]) == (5, 7)
    assert {r.variant for r in some("v4.1", "4.1-0049")} == {"SXM, MaxQ"}


def test_t22_variants_outside_the_accelerator_column() -> None:
    assert {r.variant for r in some("v6.0", "6.0-0053") + some("v6.0", "6.0-0054")} == {
        "Server Edition, 450 W"
    }
    assert {r.variant for r in some("v6.0", "6.0-0051") + some("v6.0", "6.0-0052")} == {
        "Server Edition, 600 W"
    }
    assert {r.variant for r in some("v4.1", "4.1-0045") + some("v4.1", "4.1-0046")} == {"SXM, CTS"}
    assert {r.variant for r in some("v6.0", "6.0-0033")} == {"power cap 1000 W"}


def test_t23_text() -> None:
    assert {r.system for r in some("v5.1", "5.1-0094")} == {"NVIDIA DGX B200 (8x B200-SXM-180GB, TensorRT)"}
    assert all(r.system == r.system.strip() for r in published().rows)
    assert any("—" in r.system for r in some("v6.1", submitter="Crusoe"))
    assert {r.division for r in published().rows} == {"closed", "open"}
    assert {r.availability for r in published().rows} == {"available", "preview", "rdi"}
    assert {r.scenario for r in published().rows} == {
        "offline",
        "server",
        "interactive",
        "singlestream",
        "multistream",
    }


def test_t24_v50_interactive_offline_is_kept_apart() -> None:
    apart = some("v5.0", model="llama2-70b-interactive")
    assert len(apart) == 39
    assert {(r.scenario, r.flags[-1]) for r in apart} == {("offline", "offline_of_interactive")}
    plain = {
        (r.result_id, r.accuracy_target): r.value
        for r in some("v5.0", model="llama2-70b", scenario="offline")
    }
    differing = [r for r in apart if plain.get((r.result_id, r.accuracy_target)) != r.value]
    assert len(differing) == 37
    assert len(some("v5.0", model="llama2-70b", scenario="interactive")) == 39


@pytest.mark.parametrize(
    ("round_", "fields", "values"),
    [
        ("v5.0", {"result_id": "5.0-0003"}, [326670.0]),
        ("v5.1", {"result_id": "5.1-0047"}, [78463.5, 78463.5]),
        ("v6.0", {"result_id": "6.0-0042"}, [156781.0, 307874.0]),
        ("v6.1", {"submitter": "VibeHPC"}, [33415.2, 36639.6]),
        ("v6.1", {"submitter": "Oracle"}, [0.0138372, 0.399763]),
        ("v6.0", {"result_id": "6.0-0044"}, [18889.4]),
        ("v4.1", {"result_id": "4.1-0003"}, [2647.04]),
        ("v6.0", {"result_id": "6.0-0055"}, [10.5618, 10.5706]),
        ("v6.1", {"submitter": "HPE"}, [76.664, 146.207]),
        ("v5.1", {"result_id": "5.1-0035"}, [76.4481]),
        ("v5.1", {"result_id": "5.1-0042"}, [54.578]),
        ("v6.1", {"submitter": "Krai"}, [9.22168]),
        ("v6.1", {"submitter": "Orrick Industries LLC"}, [274927.0]),
    ],
)
def test_atypical_rows(round_: str, fields: dict[str, object], values: list[float]) -> None:
    marked = sorted(r.value for r in some(round_, **fields) if "atypical" in r.flags)
    assert marked == pytest.approx(values, rel=1e-5)


def test_names_of_two_rounds_are_one() -> None:
    assert {r.submitter for r in published().rows} >= {"CoreWeave", "Lambda", "Oracle", "RedHat_Supermicro"}
    assert len({r.submitter for r in published().rows}) == 52
    assert Counter(r.round for r in some("v6.1", accelerator="VR200"))["v6.1"] == 8
    previews = {(r.submitter, r.accelerators) for r in some("v6.1", availability="preview")}
    assert previews == {("NVIDIA", 72), ("Nebius", 36)}
