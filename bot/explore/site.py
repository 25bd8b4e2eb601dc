"""The site: Datasette over a read-only copy of the stored rows, made again when they change."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
import tomllib
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from bot.explore import database
from bot.explore.links import DATABASE, row_path
from bot.reply import program_version
from bot.telling.footnote import TRADEMARK, UNVERIFIED
from bot.wording import words
from knowledge import clock
from knowledge.links import results_url
from knowledge.row import Row
from knowledge.store import Store

# One query may take this long; a whole table is read in a few milliseconds.
QUERY_MS = 1000
FACET_MS = 1000
MOST_ROWS = 1000
LARGEST_CSV_MB = 20

# Columns of tables and queries that hold the key of a row.
LINKED = frozenset({"row", "first_row", "second_row", "before_row", "after_row"})

# Columns of figures that we divided out; some hold published figures too, where no accelerator is counted.
DERIVED = re.compile(r"\(derived, unverified\)$|^(per_accelerator|before|after)$")

# Of Datasette's own pages only the style sheets and scripts are served: the others speak of the machine.
_OWN, _SERVED = "/-/", ("/-/static/", "/-/static-plugins/")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Site:
    """The ASGI application over a store.

    A change of the knowledge file, or a new day (on which a round may be quoted for the first time),
    is seen at the next request. `early` shows rounds in their first two weeks. Call `close` at the end.
    """

    def __init__(self, store: Store, *, early: bool = False, public_url: str | None = None) -> None:
        self._store = store
        self._early = early
        self._public = public_url
        self._folder = Path(tempfile.mkdtemp(prefix="smallprint-explore-"))
        self._lock = asyncio.Lock()
        self._made = 0
        self._today = clock.today()
        self._app = self._make()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        if hidden(str(scope["path"]), self._public):
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b"Not found\n"})
            return
        async with self._lock:
            if self._store.stale() or clock.today() != self._today:
                await asyncio.to_thread(self._refresh)
        await self._app(scope, receive, send)

    def close(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _refresh(self) -> None:
        self._store = self._store.reopened()
        self._today = clock.today()
        self._app = self._make()

    def _make(self) -> App:
        # A folder for each copy: pages that are being written still read the one before.
        self._made += 1
        folder = self._folder / str(self._made)
        folder.mkdir()
        path = folder / f"{DATABASE}.db"
        rows = database.write(path, self._store, self._today, early=self._early)
        shutil.rmtree(self._folder / str(self._made - 2), ignore_errors=True)
        return datasette(path, rows, self._store.version, self._public)


def hidden(path: str, public_url: str | None) -> bool:
    """Whether a path is one of Datasette's own pages, which are not served."""
    below = path.removeprefix(base_path(public_url).rstrip("/"))
    return below.startswith(_OWN) and not below.startswith(_SERVED)


def base_path(public_url: str | None) -> str:
    """The path below which the site stands, with a slash at its end."""
    return f"{urlsplit(public_url or '').path.rstrip('/')}/"


def datasette(path: Path, rows: tuple[Row, ...], version: str, public_url: str | None) -> App:
    """Datasette over the file at `path`, which it cannot change. Raises ImportError without the extra."""
    from datasette.app import Datasette  # type: ignore[import-untyped]

    own = Path(str(files("bot.explore")))
    made = Datasette(
        immutables=[str(path)],
        metadata=metadata(),
        template_dir=str(own / "templates"),
        static_mounts=[("smallprint", str(own / "static"))],
        settings={
            "base_url": base_path(public_url),
            "force_https_urls": urlsplit(public_url or "").scheme == "https",
            "sql_time_limit_ms": QUERY_MS,
            "facet_time_limit_ms": FACET_MS,
            "max_returned_rows": MOST_ROWS,
            "max_csv_mb": LARGEST_CSV_MB,
            "suggest_facets": False,
            "allow_download": False,
            "default_cache_ttl": 0,
        },
    )
    made.jinja_env.globals.update(
        smallprint_footnote=footnote(rows), smallprint_version=program_version(), smallprint_data=version
    )
    _quiet()
    _register(_Links())
    app: App = made.app()
    return app


class _Links:
    """A plugin for Datasette: keys of rows become links to their pages, figures become legible."""

    __name__ = "smallprint_links"

    def __init__(self) -> None:
        from datasette import hookimpl  # type: ignore[import-untyped]

        # The decorator marks a function; on a class body it would need the extra at import.
        self.render_cell = hookimpl(_render_cell)


def _render_cell(value: object, column: str, table: str | None, datasette: Any) -> Markup | None:
    if isinstance(value, float):
        return Markup(figure(value, derived=DERIVED.search(column) is not None))
    if column not in LINKED or not isinstance(value, str) or table is not None:
        return None  # on a table's page Datasette links foreign keys itself
    return Markup('<a href="{}" title="{}">row</a>').format(datasette.urls.path(row_path(value)), value)


def figure(value: float, *, derived: bool) -> str:
    """A figure as the pages show it: a derived one as replies round it, a published one with all its places.

    JSON and CSV have every figure in full.
    """
    return words("en").figure(value) if derived else f"{value:,}".removesuffix(".0")


def _quiet() -> None:
    """Keep Datasette from printing every refused query with all its variables."""
    import datasette.handle_exception  # type: ignore[import-untyped]

    datasette.handle_exception.rich = None


def _register(plugin: _Links) -> None:
    from datasette.plugins import pm  # type: ignore[import-untyped]

    if not pm.has_plugin(plugin.__name__):
        pm.register(plugin, plugin.__name__)


def metadata() -> dict[str, Any]:
    """Datasette's metadata from `site.toml`."""
    told = _told()
    return {
        "title": told["title"],
        "description": told["description"],
        "extra_css_urls": ["/smallprint/site.css"],
        "databases": {DATABASE: {"tables": told["tables"], "queries": told["queries"]}},
    }


def footnote(rows: Iterable[Row]) -> str:
    """The footnote of every page: sources with the day of our copy, the derived figures, the trademark."""
    listed = list(rows)
    w = words("en")
    if not listed:
        return TRADEMARK
    source = _told()["footer"]["source"].format(
        rounds=w.join(sorted({row.round for row in listed})),
        urls=w.join(sorted({results_url(row) for row in listed})),
        date=w.day(max(row.retrieved for row in listed)),
    )
    return f"{source} {w('footnote.method', statement=UNVERIFIED)} {TRADEMARK}"


def _told() -> dict[str, Any]:
    return tomllib.loads(files("bot.explore").joinpath("site.toml").read_text("utf-8"))
