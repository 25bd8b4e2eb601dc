"""The store: built, read, refreshed, loaded, rolled back, searched."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import fields, replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge import clock, files, schema, store
from knowledge.errors import StoreError
from knowledge.history import Change
from knowledge.row import Part, Row
from knowledge.store import Store
from tests.conftest import ROOT
from tests.knowledge.making import Box, box, made, mixed, names_in, of_round, without

BOX = box()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test keeps its knowledge file."""
    return tmp_path / "knowledge.db"


def opened(path: Path, package: Box = BOX, *, rebuild: bool = False) -> Store:
    """A store with which nothing is wrong."""
    found = Store.open(path, package=package, rebuild=rebuild)
    assert found.notices == ()
    assert not found.in_memory
    return found


# --- built at the first start, read ever after ----------------------------------------------------


def test_the_first_start_builds_the_file_and_the_next_one_reads_it(path: Path) -> None:
    first = opened(path)
    stamp = path.stat()
    second = opened(path)
    assert second.rows == first.rows == BOX.given
    assert second.version == first.version
    assert path.stat().st_mtime_ns == stamp.st_mtime_ns
    assert path.stat().st_ino == stamp.st_ino
    assert names_in(path.parent) == {"knowledge.db"}


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    assert opened(tmp_path / "a" / "b" / "rows?mode=rw#1 %20.db").rows == BOX.given


def test_readers_cannot_write(path: Path) -> None:
    found = opened(path)
    assert found._opened is not None
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        found._opened.execute("DELETE FROM rows")


def test_every_field_of_a_row_comes_back_as_it_was(path: Path) -> None:
    row = mixed()
    found = opened(path, Box((row,))).row(row.key)
    assert found == row
    assert found.parts == (Part("H200", 8), Part("MI350X", 8))
    assert [type(getattr(found, f.name)) for f in fields(Row)] == [
        type(getattr(row, f.name)) for f in fields(Row)
    ]


@settings(max_examples=200, deadline=None)
@given(
    value=st.floats(allow_nan=False, allow_infinity=False),
    text=st.text(st.characters(exclude_categories=["Cs"])),
    flags=st.lists(st.from_regex(r"[a-z_]{1,12}", fullmatch=True)),
    count=st.integers(0, 2**40),
)
def test_a_row_survives_the_columns(value: float, text: str, flags: list[str], count: int) -> None:
    row = made(1, value=value, system=text, framework=text, flags=tuple(flags), nodes=count)
    with closing(sqlite3.connect(":memory:")) as connection:
        schema.migrate(connection)
        schema.insert(connection, "rows", schema.FIELDS, [schema.from_row(row)])
        assert [schema.to_row(v) for v in connection.execute(schema.select(schema.FIELDS, "rows"))] == [row]


def test_rows_are_found_by_key(path: Path) -> None:
    found = opened(path)
    assert found.row(BOX.given[3].key) == BOX.given[3]
    assert found.row("v6.1/no/such/row") is None


# --- the path -------------------------------------------------------------------------------------


def test_the_path_is_the_setting_else_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv(store.VARIABLE, raising=False)
    assert store.default_path() == tmp_path / ".local/share/smallprint/knowledge.db"
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    assert store.default_path() == tmp_path / ".local/share/smallprint/knowledge.db"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert store.default_path() == tmp_path / "data/smallprint/knowledge.db"
    monkeypatch.setenv(store.VARIABLE, "~/mine.db")
    assert store.default_path() == tmp_path / "mine.db"
    assert Store.open(package=BOX).path == tmp_path / "mine.db"
    assert (tmp_path / "mine.db").is_file()


def test_no_home_folder_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.VARIABLE, "~nobody-of-this-name/rows.db")
    with pytest.raises(StoreError, match=f"set {store.VARIABLE} to a path"):
        Store.open(package=BOX)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "disk" / "rows.db", tmp_path / "link.db"
    real.parent.mkdir()
    link.symlink_to(real)
    opened(link)
    assert link.is_symlink()
    assert real.is_file()


# --- the data version -----------------------------------------------------------------------------


def test_the_data_version_is_of_the_results_alone(tmp_path: Path) -> None:
    version = opened(tmp_path / "a.db").version
    elsewhere = tuple(replace(r, source="another copy", retrieved="2026-12-24") for r in reversed(BOX.given))
    assert opened(tmp_path / "b.db", Box(elsewhere)).version == version
    changed = (*BOX.given[:-1], replace(BOX.given[-1], value=BOX.given[-1].value + 1e-9))
    assert opened(tmp_path / "c.db", Box(changed)).version != version
    assert version.startswith(f"{schema.SCHEMA}-")


# --- loading: whole rounds, with history ----------------------------------------------------------


def test_loading_replaces_a_round_and_tells_what_happened(path: Path) -> None:
    with clock.frozen(date(2026, 11, 30)):
        before = opened(path)
    old = of_round(BOX.given, "v6.1")
    fixed = replace(old[0], value=123.5, value_text="123.5", weights=None, retrieved="2026-12-01")
    extra = made(500)
    with clock.frozen(date(2026, 12, 1)):
        report = before.load((fixed, extra, *old[2:]), source="corrected.json")
    assert (report.count("added"), report.count("changed"), report.count("withdrawn")) == (1, 1, 1)
    assert report.unchanged == len(old) - 2
    assert report.rounds == (("inference", "v6.1"),)
    assert report.before == before.version != report.after

    after = before.reopened()
    assert after.version == report.after
    assert after.row(fixed.key) == fixed
    assert after.row(extra.key) == extra
    assert after.row(old[1].key) is None
    assert of_round(after.rows, "v6.0") == of_round(BOX.given, "v6.0")

    at, source = "2026-12-01T12:00:00+00:00", "corrected.json"
    place = ("inference", "v6.1")
    assert after.history(fixed.key)[1:] == (
        Change(fixed.key, *place, "changed", "value", old[0].value, 123.5, at, source),
        Change(fixed.key, *place, "changed", "value_text", old[0].value_text, "123.5", at, source),
        Change(fixed.key, *place, "changed", "weights", "fp4", None, at, source),
    )
    assert after.history(fixed.key)[0].what == "added"
    assert after.history(fixed.key)[0].at == "2026-11-30T12:00:00+00:00"
    assert after.history(extra.key) == (Change(extra.key, *place, "added", None, None, None, at, source),)
    assert after.history(old[1].key)[-1] == Change(
        old[1].key, *place, "withdrawn", None, old[1].as_json(), None, at, source
    )
    assert after.history() == before.history() + report.changes


def test_loading_what_is_stored_already_writes_nothing_and_keeps_the_first_date(path: Path) -> None:
    found = opened(path)
    stamp = path.stat()
    again = [replace(row, retrieved="2027-01-01", source="same rows, later") for row in BOX.given]
    report = found.load(again, source="sync")
    assert report.changes == ()
    assert report.unchanged == len(BOX.given)
    assert report.before == report.after == found.version
    assert path.stat().st_mtime_ns == stamp.st_mtime_ns
    assert not found.stale()
    assert found.reopened() is found


def test_a_new_round_is_added_to_the_others(path: Path) -> None:
    found = opened(path)
    new = box(5, ["v7.0"]).given
    found.load(new, source="v7.0/summary.csv")
    after = found.reopened()
    assert after.rows == (*BOX.given, *new)
    assert [(r.round, r.origin, r.rows) for r in after.loaded()] == [
        ("v6.0", "packaged", 41),
        ("v6.1", "packaged", 41),
        ("v7.0", "loaded", 6),
    ]


def test_rounds_of_two_suites_with_one_number_are_two_rounds(path: Path) -> None:
    found = opened(path)
    training = replace(made(1), suite="training", key="training/v6.1/closed/x")
    found.load([training], source="training")
    assert set(found.reopened().rows) == {*BOX.given, training}


def test_a_reader_keeps_its_file_until_it_reopens(path: Path) -> None:
    reader = opened(path)
    opened(path).load(of_round(BOX.given, "v6.1")[1:], source="sync")
    gone = of_round(BOX.given, "v6.1")[0]
    assert reader.stale()
    assert reader.row(gone.key) == gone
    assert [change.what for change in reader.history(gone.key)] == ["added"]
    assert gone in reader.search(gone.platform)
    after = reader.reopened()
    assert after.row(gone.key) is None
    assert gone not in after.search(gone.platform)
    assert not after.stale()
    reader.close()
    with pytest.raises(StoreError, match="closed"):
        reader.history()
    assert reader.row(gone.key) == gone


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([], "no rows"),
        ([made(1), made(2), made(1)], "stands twice"),
        ([made(1, value=float("nan"))], "is no result"),
        ([made(1, value=float("inf"))], "is no result"),
        ([made(1, system="half \ud83d of a character")], "not Unicode"),
    ],
)
def test_rows_that_cannot_stand_change_nothing(path: Path, rows: list[Row], line: str) -> None:
    found = opened(path)
    bytes_before = path.read_bytes()
    with pytest.raises(StoreError, match=line) as error:
        found.load(rows, source="bad")
    assert "\n" not in str(error.value)
    assert path.read_bytes() == bytes_before
    assert names_in(path.parent) == {"knowledge.db"}


def test_rollback_exchanges_the_file_with_the_one_before(path: Path) -> None:
    first = opened(path)
    with pytest.raises(StoreError, match="no earlier file"):
        first.rollback()
    first.load(box(3, ["v7.0"]).given, source="sync")
    second = first.reopened()
    second.rollback()
    back = second.reopened()
    assert back.version == first.version
    assert back.rows == first.rows
    back.rollback()
    assert back.reopened().version == second.version
    assert names_in(path.parent) == {"knowledge.db", "knowledge.db.previous"}


def test_rollback_refuses_a_damaged_file(path: Path) -> None:
    found = opened(path)
    found.load(box(3, ["v7.0"]).given, source="sync")
    earlier = files.previous(path)
    earlier.write_bytes(earlier.read_bytes()[:-1000])
    now = path.read_bytes()
    with pytest.raises(StoreError, match="nothing was changed"):
        found.rollback()
    assert path.read_bytes() == now


# --- refreshing from a newer program --------------------------------------------------------------


def test_other_packaged_rows_refresh_the_file_and_stand_in_the_history(path: Path) -> None:
    before = opened(path)
    corrected = replace(BOX.given[0], value=7.0)
    newer = Box((corrected, *BOX.given[1:], *box(2, ["v7.0"]).given))
    after = opened(path, newer)
    assert set(after.rows) == set(newer.given)
    assert [c.field for c in after.history(corrected.key)] == [None, "value"]
    assert after.version != before.version
    assert before.stale()
    stamp = path.stat().st_mtime_ns
    opened(path, newer)
    assert path.stat().st_mtime_ns == stamp


def test_rounds_that_a_user_loaded_stay_when_the_packaged_ones_change(path: Path) -> None:
    mine = tuple(replace(row, value=row.value * 2) for row in of_round(BOX.given, "v6.1"))
    opened(path).load(mine, source="my copy")
    newer = tuple(replace(row, value=row.value + 1) for row in BOX.given)
    after = opened(path, Box(newer))
    assert of_round(after.rows, "v6.1") == mine
    assert of_round(after.rows, "v6.0") == of_round(newer, "v6.0")


def test_rebuild_starts_again_and_keeps_what_was_there(path: Path) -> None:
    found = opened(path)
    extra = box(2, ["v7.0"]).given
    found.load(extra, source="sync")
    rebuilt = opened(path, rebuild=True)
    assert rebuilt.rows == BOX.given
    assert rebuilt.version == found.version
    assert [c.what for c in rebuilt.history(extra[0].key)] == ["added", "withdrawn"]
    assert rebuilt.history(BOX.given[0].key) == found.history(BOX.given[0].key)
    rebuilt.rollback()
    assert set(extra) < set(opened(path).rows)


# --- the tables -----------------------------------------------------------------------------------


def test_migrations_are_named_in_a_table(path: Path) -> None:
    opened(path)
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]
        assert names == ["001_rows_and_their_history", "002_search_over_rows_and_names"]
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_every_field_has_its_column(path: Path) -> None:
    """A field added to the Row needs a migration; released ones never change."""
    opened(path)
    wanted = {
        "rows": schema.FIELDS,
        "history": ("id", *schema.CHANGE_FIELDS),
        "names": ("id", *schema.NAME_FIELDS),
        "rounds": schema.LOADED_FIELDS,
    }
    with closing(sqlite3.connect(path)) as connection:
        for table, columns in wanted.items():
            found = tuple(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))
            assert found == columns


def test_an_older_file_is_brought_up_to_date(path: Path) -> None:
    contents = files.Contents(
        rows=BOX.given[:5],
        rounds=(
            files.Loaded("inference", "v6.0", "loaded", "me", "2026-01-01", 5, files.checksum(BOX.given[:5])),
        ),
        package=BOX.fingerprint(),
    )
    with closing(sqlite3.connect(path)) as connection:
        schema.migrate(connection, until=1)
        schema.insert(connection, "rows", schema.FIELDS, map(schema.from_row, contents.rows))
        rounds = [[getattr(r, name) for name in schema.LOADED_FIELDS] for r in contents.rounds]
        schema.insert(connection, "rounds", schema.LOADED_FIELDS, rounds)
        meta = [("version", contents.version), ("package", contents.package)]
        schema.insert(connection, "meta", ("name", "value"), meta)
        connection.commit()
    files._seal(path)
    found = opened(path)
    assert found.rows == contents.rows
    assert found.search("GB300")
    assert files.previous(path).is_file()


# --- search ---------------------------------------------------------------------------------------


def test_search_finds_rows_by_the_beginnings_of_words(path: Path) -> None:
    found = opened(path)
    row = BOX.given[12]
    assert found.search("Machine 12")[0].system == row.system
    assert {r.platform for r in found.search("system-12")} == {row.platform}
    assert found.search("gb300-nvl8")  # written with a hyphen that does not break
    assert {r.submitter for r in found.search("SUB3")} == {"Sub3"}
    assert found.search("GB300 nosuchword") == ()
    assert len(found.search("GB300", limit=3)) == 3


def test_search_finds_names(path: Path) -> None:
    names = opened(path).search_names("mi355")
    assert ("MI355X", "accelerator") in {(name.canonical, name.kind) for name in names}


@pytest.mark.parametrize(
    "text",
    ["", " ", "\x00", '"', "'; DROP TABLE rows; --", "NEAR(", "a OR b AND", "*", "rows:x", "^a", "\ud83d",
     "🚀🚀", "-", "{}", "x" * 100_000, "a " * 50_000, "½ ² ٣", "\u0308\u0301", "ﷺ", "a\x00b"],
)  # fmt: skip
def test_search_takes_any_text(path: Path, text: str) -> None:
    found = opened(path)
    assert isinstance(found.search(text), tuple)
    assert isinstance(found.search_names(text), tuple)
    assert isinstance(found.history(text), tuple)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=40))
def test_no_text_makes_search_fail(searched: Store, text: str) -> None:
    assert isinstance(searched.search(text), tuple)


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One store for all generated texts."""
    return opened(tmp_path_factory.mktemp("searched") / "knowledge.db")


# --- the vocabulary -------------------------------------------------------------------------------


def test_a_chip_that_first_appears_in_a_loaded_round_is_known_after_it(path: Path) -> None:
    found = opened(path)
    assert "QX900" not in {name.canonical for name in found.vocabulary().names}
    found.load([made(1, round="v7.0", accelerator="QX900", submitter="Newcomer")], source="sync")
    after = found.reopened()
    assert ("QX900", "accelerator") in {(n.canonical, n.kind) for n in after.vocabulary().names}
    assert ("Newcomer", "submitter") in {(n.canonical, n.kind) for n in after.vocabulary().names}
    assert after.vocabulary().version != found.vocabulary().version
    assert {"v4.1", "v6.0", "v6.1"} <= set(found.vocabulary().rounds)
    assert after.vocabulary().rounds[-1] == "v7.0"
    assert after.vocabulary().training_rounds


# --- several processes ----------------------------------------------------------------------------

CHILD = """
import sys, time
from pathlib import Path
from knowledge.store import Store
from tests.knowledge.making import box
path, word = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True); sys.stdin.readline()
store = Store.open(path, package=box())
for number in range(int(sys.argv[3])):
    rounds = box(3 + number % 5, ["v" + word]).given
    store.load(rounds, source=word)
store = store.reopened()
print(store.version, len(store.rows), store.in_memory, *store.notices, sep="|")
"""


def children(path: Path, words: list[str], loads: int) -> list[subprocess.Popen[str]]:
    """Processes that stand ready to open (and load into) one file."""
    made = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path), word, str(loads)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for word in words
    ]  # fmt: skip
    for child in made:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    return made


def finish(running: list[subprocess.Popen[str]]) -> list[str]:
    """Let them go, and what they say at the end."""
    for child in running:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    ends = [child.communicate(timeout=120) for child in running]
    assert [error for _, error in ends] == [""] * len(running)
    return [said.strip() for said, _ in ends]


def test_processes_that_start_at_once_do_not_break_each_other(path: Path) -> None:
    said = finish(children(path, ["1", "2", "3", "4"], 0))
    assert said == [f"{opened(path).version}|{len(BOX.given)}|False"] * 4
    assert names_in(path.parent) == {"knowledge.db"}


def test_processes_that_load_at_once_lose_nothing(path: Path) -> None:
    finish(children(path, ["7.0", "7.1", "7.2"], 3))
    found = opened(path)
    assert len(found.rows) == len(BOX.given) + 3 * 6
    assert {r.round for r in found.rows} == {"v6.0", "v6.1", "v7.0", "v7.1", "v7.2"}
    assert names_in(path.parent) == {"knowledge.db", "knowledge.db.previous"}


def test_a_process_killed_while_writing_leaves_a_whole_file(path: Path) -> None:
    opened(path)
    for wait in (0.05, 0.12, 0.2, 0.27, 0.33):
        (child,) = children(path, ["7.0"], 10_000)
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(wait)
        child.kill()
        child.communicate()
        found = opened(path)
        assert set(BOX.given) <= set(found.rows)
        found.load(without(found.rows, BOX.given[0].key), source="next writer")
        assert names_in(path.parent) <= {"knowledge.db", "knowledge.db.previous"}
        opened(path).load(BOX.given, source="again")
