"""Sync against a server of published rounds: what is new comes in whole, what is wrong changes nothing."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from knowledge import clock
from knowledge.errors import KnowledgeError, StoreError, SyncError
from knowledge.history import corrections
from knowledge.store import Store
from knowledge.sync import SyncReport, last_checked, rollback, sync
from knowledge.sync.fetch import Absent, Fetched, Folder, Server, Validators, fetcher
from knowledge.sync.plan import Plan, following, named
from knowledge.sync.plausible import check, with_page
from parsing.reader import Reader
from tests.fakes.publisher import Answer, Lines, Publisher, path_of, published, publisher
from tests.knowledge.making import bound_by_permissions, made

DAY = date(2027, 4, 2)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A knowledge file with the packaged rows, built once."""
    path = tmp_path_factory.mktemp("built") / "knowledge.db"
    with Store.open(path):
        return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, built: bytes) -> Iterator[Path]:
    """A knowledge file of its own for a test, on a day on which v7.0 is out."""
    file = tmp_path / "knowledge.db"
    file.write_bytes(built)
    with clock.frozen(DAY):
        yield file


@pytest.fixture
def server() -> Iterator[Publisher]:
    with publisher() as served:
        yield served


def outcomes(report: SyncReport) -> dict[str, str]:
    return {look.round: look.outcome for look in report.looks}


def state(path: Path) -> dict[str, bytes]:
    """Every file beside the knowledge file, but for the lock."""
    return {p.name: p.read_bytes() for p in path.parent.iterdir() if p.suffix != ".lock"}


def faster(lines: Lines) -> None:
    lines[0]["Result"] = "205000.0"


def without_last(lines: Lines) -> Lines:
    return lines[:-1]


# --- what is new comes in -----------------------------------------------------------------------------


def test_a_new_round_is_found_loaded_and_not_fetched_again(path: Path, server: Publisher) -> None:
    server.put("v7.0", published())
    first = sync(path, base=server.base)
    assert outcomes(first)["v7.0"] == "loaded"
    assert outcomes(first)["v5.0"] == "skipped"
    assert outcomes(first)["v6.1"] == outcomes(first)["v6.2"] == "absent"
    assert first.load is not None
    assert (first.load.count("added"), first.load.count("withdrawn")) == (8, 0)
    assert first.changed
    assert first.version == first.load.after != first.load.before
    assert any("v7.0 is not in the calendar" in line for line in first.warnings)
    for file in path.parent.iterdir():
        os.utime(file, (1, 1))
    again = sync(path, base=server.base)
    assert outcomes(again)["v7.0"] == "same"
    assert not again.changed
    assert again.version == first.version
    assert (last_checked(path) or 0) > 1
    assert [one.status for one in server.asked("v7.0")] == [200, 304]
    assert server.asked("v7.0")[1].headers["if-none-match"]


def test_a_server_without_entity_tags_is_compared_by_content(path: Path, server: Publisher) -> None:
    server.put("v7.0", published(), etag=False)
    sync(path, base=server.base)
    before = state(path)
    assert outcomes(sync(path, base=server.base))["v7.0"] == "same"
    assert [one.status for one in server.asked("v7.0")] == [200, 200]
    assert state(path) == before


def test_last_modified_is_sent_back(path: Path, server: Publisher) -> None:
    day = "Thu, 01 Apr 2027 09:00:00 GMT"
    server.put("v7.0", published(), etag=False, headers={"Last-Modified": day})
    for _ in range(2):
        sync(path, base=server.base)
    assert server.asked("v7.0")[1].headers["if-modified-since"] == day


def test_the_reader_knows_a_new_accelerator_without_a_restart(path: Path, server: Publisher) -> None:
    text = "On DeepSeek-R1 server, Northwind Kestrel is 2x faster than GB300 per GPU."
    running = Store.open(path)
    (before,) = Reader(running.vocabulary()).read(text)
    assert before.subject.accelerator is None
    server.put("v7.0", published())
    sync(path, base=server.base)
    assert running.stale()
    reopened = running.reopened()
    (after,) = Reader(reopened.vocabulary()).read(text)
    assert (after.subject.accelerator, after.baseline.accelerator) == ("Northwind Kestrel", "GB300")
    assert not reopened.stale()
    assert not any(row.round == "v7.0" for row in running.rows)  # the old one goes on with what it had


def test_a_changed_and_a_withdrawn_row_are_history(path: Path, server: Publisher) -> None:
    server.put("v7.0", published())
    sync(path, base=server.base)
    server.put("v7.0", published(change=faster))
    with clock.frozen(DAY + timedelta(days=1)):
        changed = sync(path, base=server.base)
    server.put("v7.0", published(change=without_last))
    with clock.frozen(DAY + timedelta(days=2)):
        sync(path, base=server.base, only=["7.0"])
    assert changed.load is not None
    assert changed.load.count("changed") == 1
    with Store.open(path) as store:
        told = [one for one in corrections(store.history()) if one.round == "v7.0"]
        assert {row.published for row in store.rows if row.round == "v7.0"} == {DAY.isoformat()}
    assert [(one.what, one.at[:10]) for one in told] == [
        ("changed", "2027-04-03"),
        ("changed", "2027-04-04"),
        ("withdrawn", "2027-04-04"),
    ]
    (value,) = (change for change in told[0].changes if change.field == "value")
    assert (value.old, value.new) == (201000.0, 205000.0)
    (gone,) = told[2].changes
    assert gone.old["submitter"] == "Northwind"
    assert gone.source == server.base


def test_a_folder_serves_as_well(path: Path, tmp_path: Path) -> None:
    for number, file in enumerate((path_of("v7.0", "summary.csv"), "v7.0/summary.csv")):
        target = tmp_path / str(number) / file
        target.parent.mkdir(parents=True)
        target.write_text(published(), encoding="utf-8")
    assert outcomes(sync(path, base=str(tmp_path / "0")))["v7.0"] == "loaded"
    assert outcomes(sync(path, base=(tmp_path / "1").as_uri()))["v7.0"] == "same"


def test_a_base_may_be_the_whole_address(path: Path, tmp_path: Path) -> None:
    (tmp_path / "v7.0.csv").write_text(published(), encoding="utf-8")
    report = sync(path, base=f"{tmp_path}/{{round}}.csv")
    assert outcomes(report)["v7.0"] == "loaded"


def test_the_published_files_are_what_is_stored(path: Path, shared: Path) -> None:
    """The summaries as MLCommons publishes them change nothing in the packaged rows."""
    before = path.read_bytes()
    report = sync(path, base=str(shared / "data" / "mlcommons"))
    assert {name for name, outcome in outcomes(report).items() if outcome == "same"} == {
        "v4.1", "v5.1", "v6.0", "v6.1",
    }  # fmt: skip
    assert not report.changed
    assert path.read_bytes() == before


# --- what is wrong changes nothing --------------------------------------------------------------------

SUMMARY = published()
FASTER = published(change=faster)
HALF_LINES = "".join(SUMMARY.splitlines(keepends=True)[:5])
NEW_FORMAT = "Vendor,Chip,Benchmark,Score\nAMD,MI555X,gpt-oss-120b,201000\n"
HTML = "<!DOCTYPE html><title>Sign in</title>"


def other_round(lines: Lines) -> None:
    for line in lines:
        line["version"] = "v6.1"


def samples(lines: Lines) -> None:
    for line in lines:
        line["Result"] = str(float(line["Result"]) / 4096)


def renamed_column(text: str) -> str:
    return text.replace(",Result,", ",Throughput,", 1)


BAD: dict[str, tuple[str, dict[str, Any], str]] = {
    "half a file": (FASTER, {"cut": 900}, r"v7\.0.*cut off after 900 of [\d,]+ bytes"),
    "half a file without a length": (FASTER, {"cut": 900, "length": False}, r"v7\.0 summary\.csv: "),
    "half of the lines without a length": (HALF_LINES, {"length": False}, r"4 of 8 stored rows are not"),
    "a server's failure": ("", {"status": 500}, r"the server answers 500"),
    "forbidden": ("", {"status": 403}, r"the server answers 403"),
    "too many requests": ("", {"status": 429}, r"the server answers 429"),
    "a page": (HTML, {"kind": "text/html"}, r"the server sends text/html, not JSON or CSV"),
    "a page called text": (HTML, {}, r"not a known format .*DOCTYPE"),
    "a picture": ("\x89PNG", {"kind": "image/png"}, r"the server sends image/png"),
    "packed": (FASTER, {"headers": {"Content-Encoding": "gzip"}}, r"sends it packed \(gzip\)"),
    "a new format": (NEW_FORMAT, {}, r"v7\.0 summary\.csv: not a known .*Vendor, Chip, Benchmark, Score"),
    "a renamed column": (
        renamed_column(SUMMARY),
        {},
        r"column 'Result' missing \(found: Organization, .*Throughput",
    ),
    "another round": (published(change=other_round), {}, r"v7\.0: the file says that it is of v6\.1"),
    "another unit": (published(change=samples), {}, r"8 of 8 stored rows have another value"),
    "empty": ("", {}, r"is empty"),
    "too large": (FASTER + " " * 3_000_000, {}, r"larger than 2,000,000 bytes"),
    "another checksum": (
        FASTER,
        {"headers": {"Repr-Digest": f"sha-256=:{base64.b64encode(bytes(32)).decode()}:"}},
        r"its sha-256 checksum is not the one that the server states",
    ),
    "redirected away": (
        "",
        {"status": 302, "headers": {"Location": "ftp://example.com/summary.csv"}},
        r"redirects to ftp",
    ),
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan with a small size limit."""
    plan = dataclasses.replace(Plan.load(), most_bytes=2_000_000)
    monkeypatch.setattr(Plan, "load", lambda: plan)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", BAD)
def test_a_bad_answer_changes_nothing_and_says_why(name: str, path: Path, server: Publisher) -> None:
    server.put("v7.0", SUMMARY)
    sync(path, base=server.base)
    before = state(path)
    content, how, reason = BAD[name]
    server.put("v7.0", content, **how)
    with pytest.raises(KnowledgeError, match=reason) as error:
        sync(path, base=server.base)
    line = str(error.value)
    assert line.endswith("nothing was changed")
    assert "\n" not in line
    assert state(path) == before


def test_one_bad_file_keeps_the_good_ones_out_too(path: Path, server: Publisher) -> None:
    server.put("v6.2", published(change=lambda lines: [{**line, "version": "v6.2"} for line in lines]))
    server.put("v7.0", published(), cut=500)
    before = state(path)
    with pytest.raises(SyncError, match="cut off"):
        sync(path, base=server.base)
    assert state(path) == before
    assert outcomes(sync(path, base=server.base, only=["v6.2"])) == {"v6.2": "loaded"}


def test_a_new_round_with_a_unit_gone_wrong_is_refused(path: Path, server: Publisher) -> None:
    known = [line["accelerator_model_name"] == "NVIDIA GB300" for line in lines_of(SUMMARY)]
    assert sum(known) == 3
    server.put("v7.0", published(change=samples))
    with pytest.raises(SyncError, match=r"3 results are 50 times off every stored one, such as v7\.0/"):
        sync(path, base=server.base)


def lines_of(text: str) -> Lines:
    import csv

    return list(csv.DictReader(text.splitlines()))


def test_a_stated_checksum_that_is_right_is_taken(path: Path, server: Publisher) -> None:
    stated = base64.b64encode(hashlib.sha256(SUMMARY.encode()).digest()).decode()
    server.put("v7.0", SUMMARY, headers={"Content-Digest": f"sha-256=:{stated}:"})
    assert outcomes(sync(path, base=server.base))["v7.0"] == "loaded"


@pytest.mark.parametrize(
    ("base", "reason"),
    [
        ("http://127.0.0.1:9", r"cannot be reached"),
        ("ftp://example.com", r"not an https address and no folder"),
        ("https://me:secret@example.com", r"no user name or password"),
        ("no/such/folder", r"no such folder"),
    ],
)
def test_a_wrong_base_is_one_clear_line(path: Path, base: str, reason: str) -> None:
    before = state(path)
    with pytest.raises(SyncError, match=reason) as error:
        sync(path, base=base)
    assert "secret" not in str(error.value)
    assert state(path) == before


def test_a_base_that_holds_nothing_says_so(path: Path, server: Publisher) -> None:
    with pytest.raises(SyncError, match=r"holds no summary of v4\.1, .*v7\.0; nothing was changed"):
        sync(path, base=server.base)


def test_a_server_that_falls_silent_is_left(path: Path, server: Publisher) -> None:
    held = threading.Event()
    server.put("v7.0", published(), wait=held)
    plan = dataclasses.replace(Plan.load(), silence=0.3)
    with pytest.raises(SyncError, match=r"no answer for"):
        Server(plan, secure=False)(f"{server.base}/{path_of('v7.0', 'summary.csv')}", Validators())
    held.set()


def test_a_server_that_drips_is_left_too(server: Publisher) -> None:
    server.put("v7.0", published(), drip=0.02)
    plan = dataclasses.replace(Plan.load(), seconds=0.2)
    with pytest.raises(SyncError, match=r"not finished after 0 s"):
        Server(plan, secure=False)(f"{server.base}/{path_of('v7.0', 'summary.csv')}", Validators())


def test_https_does_not_lead_to_http(server: Publisher) -> None:
    """The rule is the same whatever the first address was, so it is shown on one that can be served here."""
    place = f"/{path_of('v7.0', 'summary.csv')}"
    server.put("v6.2", b"", status=302, headers={"Location": f"{server.base}{place}"})
    server.put("v7.0", published())
    moved = f"{server.base}/{path_of('v6.2', 'summary.csv')}"
    assert isinstance(Server(Plan.load(), secure=False)(moved, Validators()), Fetched)
    with pytest.raises(SyncError, match="redirects to http, which is not followed"):
        Server(Plan.load(), secure=True)(moved, Validators())


def test_what_gets_the_files_depends_on_the_base(tmp_path: Path) -> None:
    plan = Plan.load()
    assert fetcher("https://example.com/rounds", plan) == Server(plan, secure=True)
    assert fetcher("http://127.0.0.1:8000", plan) == Server(plan, secure=False)
    assert fetcher(str(tmp_path), plan) == Folder(plan)
    assert fetcher(plan.base, plan) == Server(plan, secure=True)
    assert isinstance(Folder(plan)(str(tmp_path / "nothing"), Validators()), Absent)


def test_two_at_once_load_it_once(path: Path, server: Publisher) -> None:
    server.put("v7.0", published())
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda _: sync(path, base=server.base, only=["v7.0"]), range(2)))
    assert {outcomes(report)["v7.0"] for report in reports} <= {"loaded", "same"}
    with Store.open(path) as store:
        assert sum(row.round == "v7.0" for row in store.rows) == 8
        assert sum(change.round == "v7.0" for change in store.history()) == 8
        assert {report.version for report in reports} == {store.version}


def test_a_file_that_cannot_be_written_is_said(path: Path, server: Publisher) -> None:
    server.put("v7.0", published())
    before = path.read_bytes()
    path.parent.chmod(0o500)
    try:
        with bound_by_permissions(), pytest.raises(StoreError, match=r"nothing was changed"):
            sync(path, base=server.base)
    finally:
        path.parent.chmod(0o700)
    assert path.read_bytes() == before


# --- rollback -------------------------------------------------------------------------------------------


def test_a_rolled_back_file_stays_away_until_it_changes(path: Path, server: Publisher) -> None:
    server.put("v7.0", published())
    good = sync(path, base=server.base).version
    server.put("v7.0", published(change=faster))
    wrong = sync(path, base=server.base).version
    assert rollback(path) == (wrong, good)
    assert outcomes(sync(path, base=server.base))["v7.0"] == "held"
    with Store.open(path) as store:
        assert store.version == good
    server.put("v7.0", published(change=without_last))
    assert outcomes(sync(path, base=server.base))["v7.0"] == "loaded"


def test_rolling_back_twice_undoes_it(path: Path, server: Publisher) -> None:
    server.put("v7.0", published())
    sync(path, base=server.base)
    server.put("v7.0", published(change=faster))
    newest = sync(path, base=server.base).version
    rollback(path)
    assert rollback(path)[1] == newest
    assert outcomes(sync(path, base=server.base))["v7.0"] == "same"


def test_without_an_earlier_file_there_is_no_rollback(path: Path) -> None:
    with pytest.raises(KnowledgeError, match="no earlier file is kept"):
        rollback(path)


# --- what is remembered --------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"{", b'{"seen": 3}', b'{"seen": {"a": {}}, "held": {}}', b"\xff"])
def test_a_damaged_memory_only_costs_a_fetch(path: Path, server: Publisher, content: bytes) -> None:
    server.put("v7.0", published())
    sync(path, base=server.base)
    path.with_name("knowledge.db.sync.json").write_bytes(content)
    assert outcomes(sync(path, base=server.base))["v7.0"] == "same"
    assert [one.status for one in server.asked("v7.0")] == [200, 200]
    assert json.loads(path.with_name("knowledge.db.sync.json").read_bytes())["seen"]


def test_a_store_that_lost_the_round_fetches_it_again(path: Path, server: Publisher, built: bytes) -> None:
    server.put("v7.0", published())
    sync(path, base=server.base)
    path.write_bytes(built)
    assert outcomes(sync(path, base=server.base))["v7.0"] == "loaded"


# --- the pieces --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (["v6.1", "v5.1"], ("v6.2", "v7.0")),
        (["v9.1", "v10.0"], ("v10.1", "v11.0")),
        ([], ()),
        (["next"], ()),
    ],
)
def test_the_rounds_that_may_come_next(known: list[str], expected: tuple[str, ...]) -> None:
    assert following(known) == expected


def test_a_round_is_named_with_or_without_its_v() -> None:
    assert named("7.0") == named(" V7.0 ") == "v7.0"
    for text in ("", "seven", "v7", "v7.0/../..", "v7.0\n"):
        if text.strip() != "v7.0":
            with pytest.raises(SyncError, match="is no round"):
                named(text)


def test_two_copies_that_saw_a_round_on_different_days_have_one_version(
    path: Path, tmp_path: Path, built: bytes, server: Publisher
) -> None:
    server.put("v7.0", published())
    other = tmp_path / "other.db"
    other.write_bytes(built)
    first = sync(path, base=server.base)
    with clock.frozen(DAY + timedelta(days=3)):
        second = sync(other, base=server.base)
    assert first.version == second.version
    assert first.checksum == second.checksum != ""


def test_a_proxy_is_the_way_out(path: Path, server: Publisher) -> None:
    """A proxy is asked for the whole address, and no name is looked up here."""
    base = "http://rounds.example"
    server.answers[f"{base}/{path_of('v7.0', 'summary.csv')}"] = Answer(published().encode())
    assert outcomes(sync(path, base=base, proxy=server.base))["v7.0"] == "loaded"
    assert all(one.path.startswith(base) for one in server.requests)


def test_what_the_results_page_said_stays_with_the_same_value() -> None:
    old = made(1, value=100.0, value_fine=100.0004, result_id="5.1-0088", flags=("id_differs",))
    new = made(1, value=100.0, result_id="5.1-0089")
    kept = with_page(new, old)
    assert (kept.value_fine, kept.result_id, kept.flags) == (100.0004, "5.1-0088", ("id_differs",))
    moved = with_page(made(1, value=90.0, result_id="5.1-0089"), old)
    assert (moved.value_fine, moved.result_id) == (None, "5.1-0088")
    assert with_page(new, None) is new


def rows_after(change: Callable[[list[Any]], list[Any]]) -> list[Any]:
    return change([made(n, round="v6.1") for n in range(1, 101)])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda rows: rows[:94], "6 of 100 stored rows"),
        (
            lambda rows: [dataclasses.replace(row, value=row.value * 1.1) for row in rows[:21]] + rows[21:],
            "21 of 100 stored rows have another value",
        ),
    ],
)
def test_too_many_differences_are_refused(change: Callable[[list[Any]], list[Any]], reason: str) -> None:
    stored = rows_after(lambda rows: rows)
    with pytest.raises(SyncError, match=reason):
        check("v6.1", rows_after(change), stored, Plan.load())
    assert check("v6.1", stored[:95], stored, Plan.load()) == []


def test_one_odd_result_is_told_and_taken() -> None:
    stored = rows_after(lambda rows: rows)
    odd = dataclasses.replace(stored[0], key="v6.1/new", per_accelerator=1e9)
    (line,) = check("v6.1", [*stored, odd], stored, Plan.load())
    assert line.startswith("far from every stored result: v6.1/new: 1e+09 tokens/s an accelerator")
