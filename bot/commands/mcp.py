"""`mcp`: the rows for an assistant, over the Model Context Protocol on standard input and output.

Each tool gives the JSON of the command of the same name, made by the same code; none changes anything.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, ParamSpec

import typer

from bot.commands import rows as tables
from bot.commands import texts
from bot.errors import UserError
from bot.reply import program_version
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

P = ParamSpec("P")

EXTRA = "mcp"
LONGEST = 100_000  # characters of a text: an article, with room
MOST_ROWS = 200  # rows of one answer; an assistant reads no more at once

INSTRUCTIONS = (
    "Published MLPerf® result rows and exact arithmetic over them. Ask before you state how fast one "
    "accelerator is beside another; repeat verdict, caveats and footnote of the reply. Per-accelerator "
    "figures are derived and not verified by MLCommons Association. Not affiliated with or endorsed by "
    "MLCommons."
)

# A reader and its store belong to one thread at a time; the server calls tools from several.
_one = threading.Lock()


def run() -> None:
    """Serve until standard input ends. Raises UserError where the extra is missing."""
    if find_spec("mcp") is None:
        raise UserError(f"mcp needs the protocol's SDK, which is an extra: pip install 'smallprint[{EXTRA}]'")
    server().run("stdio")


def server() -> MCPServer:
    """The server with its six tools. Raises ImportError without the extra."""
    from mcp.server.mcpserver import MCPServer
    from mcp.types import ToolAnnotations

    made = MCPServer(
        "smallprint",
        title="Smallprint",
        version=program_version(),
        instructions=INSTRUCTIONS,
        log_level="WARNING",
    )
    only_reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    for tool in (ask, fair, rank, compare, deltas, rows):
        made.add_tool(told(tool), annotations=only_reads, structured_output=False)
    return made


def told(tool: Callable[P, str]) -> Callable[P, str]:
    """A tool whose refusals are one line for the assistant, as on the command line."""
    from functools import wraps

    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def answered(*args: P.args, **kwargs: P.kwargs) -> str:
        try:
            with _one:
                return tool(*args, **kwargs)
        except (UserError, KnowledgeError) as error:
            raise ToolError(str(error)) from None
        except typer.BadParameter as error:
            raise ToolError(error.format_message()) from None

    return answered


def options(
    text: str, title: str | None, date: str | None, lang: str | None, *, as_json: bool
) -> texts.Options:
    """The options of a text, checked. Raises UserError for a text too long, BadParameter for wrong ones."""
    if len(text) > LONGEST:
        raise UserError(f"a text of {len(text):,} characters; at most {LONGEST:,} are read")
    found = texts.Options(text, as_json, None, lang, title, date)
    texts.check(found)
    return found


def ask(text: str, title: str | None = None, date: str | None = None, lang: str | None = None) -> str:
    """Read the benchmark claims of a text and judge them by the published MLPerf® result rows.

    Gives the claims with their readings (verdict, rows, like-for-like ratios, caveats) and the reply as text.
    title and date (YYYY-MM-DD) of the article are context; lang is en or de.
    """
    return texts.one("ask", options(text, title, date, lang, as_json=True))


def fair(text: str, title: str | None = None, date: str | None = None, lang: str | None = None) -> str:
    """The fair version of a text: one like-for-like sentence a claim, with the footnote, ready to paste."""
    return texts.one("fair", options(text, title, date, lang, as_json=False))


def rank(
    model: str,
    scenario: str,
    round: str | None = None,
    submitter: str | None = None,
    accelerator: str | None = None,
    accelerators: int | None = None,
    division: str | None = None,
    availability: str | None = None,
    by_total: bool = False,
    limit: int = 20,
) -> str:
    """Places in one benchmark, one row a system, per accelerator (derived, unverified) or by system total.

    Names in any spelling; without a round the newest that has rows.
    """
    wanted = tables.filtered(
        model=model,
        scenario=scenario,
        round_name=round,
        submitter=submitter,
        accelerator=accelerator,
        accelerators=accelerators,
        division=division,
        availability=availability,
    )
    return tables.rank(wanted, by_total=by_total, as_json=True, lang="en", limit=shown(limit))


def compare(
    first: str,
    second: str,
    model: str | None = None,
    scenario: str | None = None,
    round: str | None = None,
    submitter: str | None = None,
    accelerators: int | None = None,
    division: str | None = None,
) -> str:
    """Compare two accelerators, families or submitters like for like, size by size: a reading."""
    if not first.strip() or not second.strip():
        raise UserError("two names are needed, such as GB300 and MI355X")
    wanted = tables.filtered(
        model=model,
        scenario=scenario,
        round_name=round,
        submitter=submitter,
        accelerators=accelerators,
        division=division,
    )
    return tables.compare(first, second, wanted, as_json=True, lang="en")


def deltas(
    since: str,
    until: str | None = None,
    model: str | None = None,
    scenario: str | None = None,
    submitter: str | None = None,
    accelerator: str | None = None,
    accelerators: int | None = None,
    division: str | None = None,
    least: float = 0.0,
) -> str:
    """What moved between rounds: same submitter, same accelerator, same count; least is in percent."""
    wanted = tables.filtered(
        model=model,
        scenario=scenario,
        submitter=submitter,
        accelerator=accelerator,
        accelerators=accelerators,
        division=division,
    )
    return tables.moved(
        wanted, since=since, until=until, least=least / 100, as_json=True, lang="en", limit=MOST_ROWS
    )


def rows(
    words: list[str] | None = None,
    model: str | None = None,
    scenario: str | None = None,
    round: str | None = None,
    submitter: str | None = None,
    accelerator: str | None = None,
    accelerators: int | None = None,
    division: str | None = None,
    availability: str | None = None,
    limit: int = 50,
) -> str:
    """Stored result rows, newest round first. words: free words that a row must have (v6.1, GB300, 72)."""
    wanted = tables.filtered(
        model=model,
        scenario=scenario,
        round_name=round,
        submitter=submitter,
        accelerator=accelerator,
        accelerators=accelerators,
        division=division,
        availability=availability,
        words=words or (),
    )
    return tables.rows(wanted, as_json=True, as_csv=False, lang="en", limit=shown(limit))


def shown(limit: int) -> int:
    """How many rows an answer has. Raises UserError for none."""
    if limit < 1:
        raise UserError("limit must be at least 1")
    return min(limit, MOST_ROWS)
