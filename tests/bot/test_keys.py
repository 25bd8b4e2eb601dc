"""Keys: what one seals all open, what is missing is said in one line that holds no secret."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.deployment import deployment
from bot.errors import UserError
from bot.keys import Keys, KeysError
from bot.settings import Settings

OLD, NEW = Keys.new(), Keys.new()
POSTGRES = "postgresql://bot:secret@db/smallprint"


def test_the_first_key_seals_and_all_open() -> None:
    sealed = Keys([OLD]).seal("grün")
    both = Keys.parse(f"# keys of the bot\n{NEW},\n{OLD}\n")
    assert both.open(sealed) == "grün"
    assert Keys([NEW]).open(both.rotate(sealed)) == "grün"
    with pytest.raises(KeysError, match="none of the keys"):
        Keys([NEW]).open(sealed)
    with pytest.raises(KeysError, match="none of the keys"):
        Keys([NEW]).rotate(sealed)


def test_equal_texts_seal_differently_and_hash_alike() -> None:
    keys = Keys([OLD])
    assert keys.seal("x") != keys.seal("x")
    assert keys.digest("x") == keys.digest("x") != keys.digest("y")
    assert Keys([NEW]).digest("x") != keys.digest("x")
    assert Keys([NEW, OLD]).digests("x") == (Keys([NEW]).digest("x"), keys.digest("x"))


@pytest.mark.parametrize(
    "given", ["", " , ", "# nothing\n", "not-a-key", pytest.param(f"{OLD},short", id="a key and none")]
)
def test_no_key_is_one_clear_line(given: str) -> None:
    with pytest.raises(KeysError, match="smallprint keys new") as raised:
        Keys.parse(given)
    assert OLD not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_key_file_is_made_once_and_its_owners_only(tmp_path: Path) -> None:
    file = tmp_path / "new" / "state.key"
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: Keys.beside(file), range(8)))
    sealed = made[0].seal("x")
    assert all(keys.open(sealed) == "x" for keys in made)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_a_key_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(KeysError, match=r"key file .*none: No such file"):
        Keys.read(tmp_path / "none")


def test_an_sqlite_state_gets_a_key_file_beside_it(tmp_path: Path) -> None:
    given = Settings(SMALLPRINT_STATE=f"sqlite:///{tmp_path}/state.db")  # type: ignore[call-arg]
    first = deployment(given)
    assert (tmp_path / "state.key").exists()
    assert deployment(given).keys.open(first.keys.seal("x")) == "x"
    assert (first.executor, first.version) == ("only", "1")


def test_postgresql_wants_a_key_and_a_name() -> None:
    with pytest.raises(KeysError, match="PostgreSQL needs SMALLPRINT_KEYS"):
        deployment(Settings(SMALLPRINT_STATE=POSTGRES))  # type: ignore[call-arg]
    with pytest.raises(UserError, match="SMALLPRINT_EXECUTOR"):
        deployment(Settings(SMALLPRINT_STATE=POSTGRES, SMALLPRINT_KEYS=SecretStr(NEW)))  # type: ignore[call-arg]
    found = deployment(
        Settings(SMALLPRINT_STATE=POSTGRES, SMALLPRINT_KEYS=NEW, SMALLPRINT_EXECUTOR="bot-0")  # type: ignore[call-arg]
    )
    assert found.executor == "bot-0"
    assert NEW not in repr(found)


def test_both_settings_are_one_too_many(tmp_path: Path) -> None:
    given = Settings(SMALLPRINT_KEYS=NEW, SMALLPRINT_KEYS_FILE=tmp_path / "k")  # type: ignore[call-arg]
    with pytest.raises(KeysError, match="keep one"):
        deployment(given)
