"""What a deployment's settings come to: the state's URL, its keys, this replica's name, the retention."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from bot.errors import UserError
from bot.keys import Keys, KeysError
from bot.settings import Settings, settings
from bot.state.engine import backend_of, parsed
from bot.state.records import Retention
from knowledge.store import default_path

STATE_FILE = "state.db"
ONLY_REPLICA = "only"  # the name of a replica beside which there is none


@dataclass(frozen=True)
class Deployment:
    """Everything that opening the stores takes. keep_work: seconds."""

    url: str = field(repr=False)  # it may hold a password
    keys: Keys
    executor: str
    version: str
    retention: Retention
    keep_work: float


def deployment(given: Settings | None = None) -> Deployment:
    """The deployment of the environment's settings.

    Makes the key file of an SQLite state where there is none. Raises UserError, with what to set,
    where a setting is missing.
    """
    wanted = given or settings()
    url = state_url(wanted)
    return Deployment(
        url=url,
        keys=keys_of(wanted, url),
        executor=executor(wanted, url),
        version=wanted.work_version,
        retention=Retention(replies=wanted.keep_replies, fields=wanted.keep_fields, cache=wanted.keep_cache),
        keep_work=wanted.keep_work * 3600.0,
    )


def state_url(wanted: Settings) -> str:
    """The state's URL: as set, else a file beside the knowledge file. Raises StateError."""
    if wanted.state:
        url = wanted.state
    else:
        folder = default_path().resolve().parent
        folder.mkdir(parents=True, exist_ok=True)
        url = f"sqlite:///{folder / STATE_FILE}"
    parsed(url)
    return url


def keys_of(wanted: Settings, url: str) -> Keys:
    """The keys that are set; for an SQLite state without any, those of a file beside it.

    A server's database is reached by several replicas and copied by its operator: a key that one
    of them made up would be missing in the others. So there it has to be set. Raises KeysError.
    """
    if wanted.keys is not None and wanted.keys_file is not None:
        raise KeysError("SMALLPRINT_KEYS and SMALLPRINT_KEYS_FILE are both set; keep one")
    if wanted.keys is not None:
        return Keys.parse(wanted.keys.get_secret_value())
    if wanted.keys_file is not None:
        return Keys.read(wanted.keys_file)
    file = key_file(url)
    if file is None:
        raise KeysError(
            "PostgreSQL needs SMALLPRINT_KEYS or SMALLPRINT_KEYS_FILE, the same for all replicas; "
            "`smallprint keys new` prints a key"
        )
    return Keys.beside(file)


def database_file(url: str) -> Path | None:
    """The file of an SQLite state; None for PostgreSQL. Raises StateError."""
    return Path(parsed(url).database or "") if backend_of(url) == "sqlite" else None


def key_file(url: str) -> Path | None:
    """The key file that belongs to an SQLite state; None for PostgreSQL."""
    file = database_file(url)
    return file.with_suffix(".key") if file is not None else None


def executor(wanted: Settings, url: str) -> str:
    """This replica's name. Raises UserError where there may be others and it has none."""
    if wanted.executor:
        return wanted.executor
    if backend_of(url) == "sqlite":
        return ONLY_REPLICA
    raise UserError("PostgreSQL needs SMALLPRINT_EXECUTOR: this replica's name, the same after every restart")
