"""Bad days of the store: damage, newer programs, locks, folders and disks that take nothing.

Each gives one clear line and a store that answers; nothing that was there is lost.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge import files, schema
from knowledge.errors import StoreError
from knowledge.store import Store
from tests.conftest import ROOT
from tests.knowledge.making import bound_by_permissions, box, made, names_in, of_round

BOX = box()
MINE = tuple(replace(row, value=row.value * 2) for row in of_round(BOX.given, "v6.1"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the packaged rows, and v6.1 as a user has loaded it."""
    path = tmp_path / "knowledge.db"
    Store.open(path, package=BOX).load(MINE, source="my copy")
    files.previous(path).unlink()
    return path


def one_line(store: Store) -> str:
    """The one notice of a store that had trouble."""
    (line,) = store.notices
    assert "\n" not in line
    assert len(line) < 400
    assert "Traceback" not in line
    return line


def middle(data: bytes) -> bytes:
    half = len(data) // 2
    return data[:half] + b"\xde\xad\xbe\xef" * 512 + data[half + 2048 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "zero bytes": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 3],
    "one byte short": lambda data: data[:-1],
    "garbage in the middle": middle,
    "garbage at the start": lambda data: b"\xff" * 4096 + data[4096:],
    "a value changed, the pages whole": lambda data: data.replace(b"my copy", b"my cops"),
    "no database": lambda data: b"rows, rows, rows\n" * 1000,
    "half a header": lambda data: data[:50],
    "all zeros": lambda data: bytes(len(data)),
    "a web page": lambda data: b"<!DOCTYPE html><html>404</html>",
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_file_is_moved_aside_and_built_again(path: Path, kind: str) -> None:
    damaged = DAMAGES[kind](path.read_bytes())
    assert damaged != path.read_bytes()
    path.write_bytes(damaged)
    heard: list[str] = []
    store = Store.open(path, package=BOX, notify=heard.append)
    line = one_line(store)
    assert heard == [line]
    assert line.startswith(f"{path}: damaged (it")
    assert "rebuilt from the packaged rows" in line
    assert not store.in_memory
    (aside,) = [name for name in names_in(path.parent) if name.startswith("knowledge.db.damaged-")]
    assert aside in line
    assert (path.parent / aside).read_bytes() == damaged
    assert of_round(store.rows, "v6.0") == of_round(BOX.given, "v6.0")
    assert of_round(store.rows, "v6.1") in (of_round(BOX.given, "v6.1"), MINE)
    again = Store.open(path, package=BOX)
    assert again.notices == ()
    assert again.rows == store.rows
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_history_and_loaded_rounds_are_carried_over_where_readable(path: Path) -> None:
    before = Store.open(path, package=BOX)
    history = before.history()
    data = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'names'").fetchone()
    data[(page - 1) * size : page * size] = b"\x55" * size
    path.write_bytes(data)
    store = Store.open(path, package=BOX)
    line = one_line(store)
    assert store.rows == before.rows
    assert of_round(store.rows, "v6.1") == MINE
    assert store.history() == history
    assert "loaded rounds kept: v6.1" in line
    assert f"{len(history):,} lines of history kept" in line


def test_rows_that_cannot_be_read_come_from_the_package_and_are_not_told_as_new(path: Path) -> None:
    before = Store.open(path, package=BOX)
    history = before.history()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE rows SET value = value + 1 WHERE round = 'v6.1' AND scenario = 'offline'")
        connection.commit()
    store = Store.open(path, package=BOX)
    assert "its content is not what was written" in one_line(store)
    assert store.rows == BOX.given
    assert store.history() == history


SMALL = box(4)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a small knowledge file."""
    path = tmp_path_factory.mktemp("whole") / "knowledge.db"
    Store.open(path, package=SMALL).close()
    return path.read_bytes()


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_damage_is_taken_for_rows(
    whole: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damage") / "knowledge.db"
    place = data.draw(st.integers(0, len(whole) - 1))
    junk = data.draw(st.binary(min_size=1, max_size=64))
    damaged = (whole[:place] + junk + whole[place + len(junk) :])[: len(whole)]
    path.write_bytes(damaged)
    newer = schema.SCHEMA < struct.unpack_from(">I", damaged, 60)[0] < 10_000
    if newer and damaged[:16] == whole[:16]:
        with pytest.raises(StoreError):
            Store.open(path, package=SMALL)
        return
    store = Store.open(path, package=SMALL)
    assert store.rows == SMALL.given
    assert len(store.notices) == (damaged != whole)
    store.search("GB300")
    store.history()


# --- other programs' files ------------------------------------------------------------------------


def newer(path: Path) -> None:
    """Make it a file of a newer program."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.SCHEMA + 1}")
    files._seal(path)


def test_a_newer_schema_is_refused_in_one_line(path: Path) -> None:
    newer(path)
    before = path.read_bytes()
    with pytest.raises(StoreError) as error:
        Store.open(path, package=BOX)
    line = str(error.value)
    assert f"schema {schema.SCHEMA + 1}" in line
    assert "--rebuild" in line
    assert "\n" not in line
    with pytest.raises(StoreError, match="--rebuild"):
        Store(path, (), "", package=BOX, signature=None).load(MINE, source="mine")
    assert path.read_bytes() == before
    assert names_in(path.parent) == {"knowledge.db"}


def test_rebuild_takes_a_newer_file_aside_and_keeps_its_history(path: Path) -> None:
    newer(path)
    before = path.read_bytes()
    store = Store.open(path, package=BOX, rebuild=True)
    assert "another program version" in one_line(store)
    assert store.rows == BOX.given
    (aside,) = [name for name in names_in(path.parent) if ".newer-" in name]
    assert (path.parent / aside).read_bytes() == before
    assert [c.what for c in store.history(MINE[0].key)][:1] == ["added"]


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_database_of_another_program_is_left_alone(tmp_path: Path, rebuild: bool) -> None:
    path = tmp_path / "accounts.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE accounts (name TEXT)")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Store.open(path, package=BOX, rebuild=rebuild)
    assert path.read_bytes() == before
    assert names_in(tmp_path) == {"accounts.db"}


def test_a_locked_file_is_left_alone_and_answered_from_memory(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "READ_PATIENCE", 0.05)
    before = path.read_bytes()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        store = Store.open(path, package=BOX)
        assert "locked by another program" in one_line(store)
        assert store.in_memory
        assert store.rows == BOX.given
        with pytest.raises(StoreError, match="nothing was changed"):
            store.load(MINE, source="mine")
    assert path.read_bytes() == before
    assert Store.open(path, package=BOX).notices == ()


def test_a_writer_that_never_ends_is_not_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LOCK_PATIENCE", 0.05)
    store = Store.open(path, package=BOX)
    with files.writing(path):
        with pytest.raises(StoreError, match=r"another process .* nothing was changed"):
            store.load(BOX.given, source="second writer")
        assert Store.open(path, package=BOX).notices == ()  # readers do not wait for writers
        other = Store.open(path, package=box(3))
        assert "another process" in one_line(other)
        assert other.in_memory


# --- folders and disks that take nothing ----------------------------------------------------------


def memory_answers(store: Store) -> None:
    """A store without a file does all that reading asks of it."""
    assert store.in_memory
    assert store.row(store.rows[0].key) == store.rows[0]
    assert store.search("GB300")
    assert store.search_names("GB300")
    assert store.history(store.rows[0].key)[0].what == "added"
    assert [loaded.round for loaded in store.loaded()] == ["v6.0", "v6.1"]
    assert not store.stale()
    assert store.reopened() is store


def test_a_read_only_folder_is_answered_from_memory(tmp_path: Path) -> None:
    folder = tmp_path / "sealed"
    folder.mkdir()
    folder.chmod(0o555)
    with bound_by_permissions():
        store = Store.open(folder / "knowledge.db", package=BOX)
        line = one_line(store)
        assert "permission denied" in line
        assert "held in memory" in line
        assert store.rows == BOX.given
        memory_answers(store)
        with pytest.raises(StoreError, match=r"permission denied.*nothing was changed"):
            store.load(MINE, source="mine")
    assert names_in(folder) == set()
    folder.chmod(0o755)
    assert Store.open(folder / "knowledge.db", package=BOX).version == store.version


def test_a_read_only_folder_with_a_whole_file_is_simply_read(path: Path) -> None:
    version = Store.open(path, package=BOX).version
    path.chmod(0o444)
    path.with_name("knowledge.db.lock").unlink()
    path.parent.chmod(0o555)
    with bound_by_permissions():
        store = Store.open(path, package=BOX)
        assert store.notices == ()
        assert not store.in_memory
        assert store.version == version
        assert store.search("GB300")
    path.parent.chmod(0o755)


def test_a_read_only_folder_with_an_outdated_file_answers_with_the_new_rows(path: Path) -> None:
    newer_rows = box(5, ["v6.0", "v6.1", "v7.0"])
    path.parent.chmod(0o555)
    with bound_by_permissions():
        store = Store.open(path, package=newer_rows)
        assert "permission denied" in one_line(store)
        assert of_round(store.rows, "v7.0") == of_round(newer_rows.given, "v7.0")
        assert of_round(store.rows, "v6.1") == MINE
    path.parent.chmod(0o755)


def test_a_damaged_file_in_a_read_only_folder_is_told_in_one_line(path: Path) -> None:
    damaged = middle(path.read_bytes())
    path.write_bytes(damaged)
    path.parent.chmod(0o555)
    with bound_by_permissions():
        store = Store.open(path, package=BOX)
        line = one_line(store)
        assert "damaged" in line
        assert "permission denied" in line
        assert of_round(store.rows, "v6.0") == of_round(BOX.given, "v6.0")
    path.parent.chmod(0o755)
    assert path.read_bytes() == damaged


def test_a_file_that_may_not_be_read_is_left_alone(path: Path) -> None:
    before = path.read_bytes()
    path.chmod(0)
    with bound_by_permissions():
        store = Store.open(path, package=BOX)
    assert "permission denied" in one_line(store)
    assert store.rows == BOX.given
    path.chmod(0o600)
    assert path.read_bytes() == before


@pytest.mark.parametrize("where", ["a folder stands there", "a file stands where the folder should"])
def test_a_path_that_cannot_be_a_file_is_one_clear_line(tmp_path: Path, where: str) -> None:
    if where == "a folder stands there":
        path = tmp_path / "knowledge.db"
        path.mkdir()
    else:
        (tmp_path / "data").write_text("not a folder")
        path = tmp_path / "data" / "knowledge.db"
    store = Store.open(path, package=BOX)
    one_line(store)
    memory_answers(store)
    assert store.rows == BOX.given


FULL_DISK = """
import resource, sys
from pathlib import Path
from knowledge.errors import StoreError
from knowledge.store import Store
from tests.knowledge.making import box
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
store = Store.open(Path(sys.argv[1]), package=box())
print(store.in_memory, len(store.rows), len(store.search("GB300", limit=5)), *store.notices, sep="|")
try:
    store.load(box(30, ["v7.0"]).given, source="sync")
except StoreError as error:
    print(error)
"""


def on_a_full_disk(path: Path, room: int) -> list[str]:
    """What a process says that may write `room` bytes into a file and no more (setrlimit)."""
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path), str(room)],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout.splitlines()


@pytest.mark.parametrize("room", [0, 4096, 100_000, 400_000])
def test_a_full_disk_at_the_first_start_is_answered_from_memory(tmp_path: Path, room: int) -> None:
    path = tmp_path / "knowledge.db"
    opening, loading = on_a_full_disk(path, room)
    in_memory, rows, hits, line = opening.split("|")
    assert (in_memory, int(rows), int(hits)) == ("True", len(BOX.given), 5)
    assert "cannot be read or written" in line
    assert "nothing was changed" in loading
    assert names_in(tmp_path) == set()


@pytest.mark.parametrize("room", [0, 4096, 100_000, 400_000])
def test_a_full_disk_while_loading_changes_nothing(path: Path, room: int) -> None:
    before = path.read_bytes()
    opening, loading = on_a_full_disk(path, room)
    assert opening == f"False|{len(BOX.given)}|5"
    assert "cannot be read or written" in loading
    assert "nothing was changed" in loading
    assert path.read_bytes() == before
    assert names_in(path.parent) == {"knowledge.db"}


def test_a_full_disk_leaves_a_damaged_file_where_it_is(path: Path) -> None:
    damaged = middle(path.read_bytes())
    path.write_bytes(damaged)
    opening, _ = on_a_full_disk(path, 4096)
    assert "damaged" in opening
    assert path.read_bytes() == damaged
    assert names_in(path.parent) == {"knowledge.db"}


def test_the_file_going_away_while_it_is_open_is_no_trouble(path: Path) -> None:
    store = Store.open(path, package=BOX)
    path.unlink()
    assert store.stale()
    assert store.search("GB300")
    with suppress(StoreError):
        store.history()
    assert store.reopened().notices == ()


def test_a_file_damaged_while_it_is_open_is_one_clear_line(path: Path) -> None:
    store = Store.open(path, package=BOX)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.write(b"\x00" * size)
    with pytest.raises(StoreError) as error:
        store.search("GB300")
    assert "\n" not in str(error.value)
    assert store.row(made(1).key) is not None
    assert "damaged" in one_line(store.reopened())


def test_a_path_that_is_no_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    pipe = tmp_path / "knowledge.db"
    os.mkfifo(pipe)
    with pytest.raises(StoreError, match="not a regular file"):
        Store.open(pipe, package=BOX)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
