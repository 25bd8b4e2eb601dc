"""The command line. Imports of rows and reader happen inside the commands, so that `--help` is quick."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from bot.commands.options import Fields, filtering

if TYPE_CHECKING:
    from bot.wording import Language

app = typer.Typer(
    name="smallprint",
    help="Reads benchmark claims and answers with the published MLPerf® result rows, like for like. "
    "Not affiliated with or endorsed by MLCommons.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Text = Annotated[str | None, typer.Argument(metavar="TEXT", help="The text, or - for standard input.")]
Jsonl = Annotated[
    str | None, typer.Option(help="Read texts from a file (or -) of JSON lines and write one a line.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Title = Annotated[str | None, typer.Option(help="Title of the article, as context.")]
Date = Annotated[str | None, typer.Option(help="Date of the article, YYYY-MM-DD, as context.")]
Lang = Annotated[str | None, typer.Option(help="Language of the answer: en or de (default: the text's).")]
MarkupOption = Annotated[str, typer.Option(help="Markup of the text: plain, slack or discord.")]
Explain = Annotated[bool, typer.Option("--explain", help="Add the words behind each field and the rule.")]
Why = Annotated[
    bool, typer.Option("--explain", help="Add the words behind each field, and why a number is no claim.")
]
Details = Annotated[bool, typer.Option("--details", help="Add every row, caveat, link and the receipt.")]
OutLang = Annotated[str | None, typer.Option("--lang", help="Language of the table: en or de.")]
Least = Annotated[float, typer.Option(min=0, help="Smallest change told, in percent.")]
Limit = Annotated[int, typer.Option(min=1, help="Lines at most.")]

# The options of a filter, in the order in which the help lists them.
EVERY = (
    "model", "scenario", "round_name", "submitter", "accelerator", "accelerators", "division", "availability"
)  # fmt: skip


def version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        from bot.reply import program_version

        print(f"smallprint {program_version()}")
        raise typer.Exit


@app.callback()
def root(
    show_version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=version, help="Print the version.")
    ] = False,
) -> None:
    """Reads benchmark claims and answers with the published MLPerf® result rows, like for like.

    Not affiliated with or endorsed by MLCommons.
    """


@app.command()
def ask(
    text: Text = None,
    as_json: Json = False,
    jsonl: Jsonl = None,
    lang: Lang = None,
    title: Title = None,
    date: Date = None,
    markup: MarkupOption = "plain",
    explain: Explain = False,
    details: Details = False,
) -> None:
    """Read the claims of a text and answer from the published rows."""
    from bot.commands import texts

    texts.run("ask", texts.Options(text, as_json, jsonl, lang, title, date, markup, explain, details))


@app.command()
def read(
    text: Text = None,
    as_json: Json = False,
    jsonl: Jsonl = None,
    lang: Lang = None,
    title: Title = None,
    date: Date = None,
    markup: MarkupOption = "plain",
    explain: Why = False,
) -> None:
    """Print the claims of a text, without judging them."""
    from bot.commands import texts

    texts.run("read", texts.Options(text, as_json, jsonl, lang, title, date, markup, explain))


@app.command()
def fair(
    text: Text = None,
    lang: Lang = None,
    title: Title = None,
    date: Date = None,
    markup: MarkupOption = "plain",
) -> None:
    """Print the fair version of a text: one like-for-like sentence a claim, with the footnote."""
    from bot.commands import texts

    texts.run("fair", texts.Options(text, False, None, lang, title, date, markup))


@app.command()
def check(
    page: Annotated[str, typer.Argument(metavar="URL|FILE", help="A web page, or a file with one.")],
    as_json: Json = False,
    lang: Lang = None,
    details: Details = False,
) -> None:
    """Read the claims of a web page, each once, and answer from the published rows."""
    from bot.commands import check as command

    if lang is not None:
        language(lang)
    print(command.run(printable(page), as_json=as_json, lang=lang, details=details))


@app.command()
@filtering(*EVERY)
def rows(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILTER]...", help="Words that a row must have: v6.1 GB300 offline 72 …"),
    ] = None,
    *,
    fields: Fields,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV in the project's schema.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Rows at most.")] = None,
    lang: OutLang = None,
) -> None:
    """List stored rows."""
    from bot.commands import rows as command

    if as_json and as_csv:
        raise typer.BadParameter("choose --json or --csv")
    wanted = command.filtered(**fields, words=words or ())
    print(command.rows(wanted, as_json=as_json, as_csv=as_csv, lang=language(lang), limit=limit))


@app.command()
@filtering(*EVERY[2:], needed=EVERY[:2])
def rank(
    *,
    fields: Fields,
    by_total: Annotated[
        bool, typer.Option("--total", help="Places by published system result, not per accelerator.")
    ] = False,
    as_json: Json = False,
    limit: Limit = 20,
    lang: OutLang = None,
) -> None:
    """Places of the systems in one benchmark, per accelerator, in the newest round with rows."""
    from bot.commands import rows as command

    wanted = command.filtered(**fields)
    print(command.rank(wanted, by_total=by_total, as_json=as_json, lang=language(lang), limit=limit))


@app.command()
@filtering("model", "scenario", "round_name", "submitter", "accelerators", "division")
def compare(
    first: Annotated[str, typer.Argument(metavar="FIRST", help="Accelerator, family or submitter.")],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="What it is compared with.")],
    *,
    fields: Fields,
    as_json: Json = False,
    lang: OutLang = None,
) -> None:
    """Compare two sides like for like, size by size."""
    from bot.commands import rows as command

    if not first.strip() or not second.strip():
        raise typer.BadParameter("two names are needed, such as GB300 and MI355X")
    wanted = command.filtered(**fields)
    print(command.compare(printable(first), printable(second), wanted, as_json=as_json, lang=language(lang)))


@app.command()
@filtering("model", "scenario", "submitter", "accelerator", "accelerators", "division")
def deltas(
    since: Annotated[str, typer.Option(help="From this round on, such as v6.0.")],
    until: Annotated[str | None, typer.Option(help="Up to this round (default: the newest).")] = None,
    *,
    fields: Fields,
    least: Least = 0.0,
    annualised: Annotated[
        bool, typer.Option("--annualised", help="Add the change a year, had it gone on like this.")
    ] = False,
    summary: Annotated[
        bool,
        typer.Option("--summary", help="Composites by accelerator and model: n, quartiles, how many fell."),
    ] = False,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, both sides of each change.")] = False,
    limit: Limit = 30,
    lang: OutLang = None,
) -> None:
    """What moved between rounds: same submitter, same accelerator, same count."""
    from bot.commands import rows as command

    if as_csv and (as_json or summary):
        raise typer.BadParameter("choose --json, --csv or --summary")
    print(
        command.moved(
            command.filtered(**fields),
            since=since,
            until=until,
            least=least / 100,
            as_json=as_json,
            lang=language(lang),
            limit=limit,
            as_csv=as_csv,
            annualised=annualised,
            summary=summary,
        )
    )


@app.command()
@filtering("model", "scenario", "submitter", "accelerator")
def digest(
    since: Annotated[
        str | None, typer.Option(help="What is new after this round (default: the one before the newest).")
    ] = None,
    *,
    fields: Fields,
    least: Least = 0.0,
    form: Annotated[
        str, typer.Option("--format", help="text, json, html, csv (changes) or png (chart).")
    ] = "text",
    full: Annotated[bool, typer.Option("--all", help="Every line, not only the first ten.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write into this file, not to standard output.")] = None,
    lang: OutLang = None,
) -> None:
    """What is new in the published rows, as the weekly digest tells it."""
    from bot.commands import digest as command

    wish = command.Wish(fields=fields, since=since, least=least, full=full)
    command.run(wish, form, language(lang), out)


@app.command()
def sync(
    base: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="ADDRESS", help="A server or a folder (default: as the settings say)."
        ),
    ] = None,
    round_names: Annotated[
        list[str] | None, typer.Option("--round", help="Only this round; may be given again.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Fetch new and changed rounds from where MLCommons publishes them, and check and store them."""
    from bot.commands import sync as command

    print(command.sync(base=base, rounds=round_names or (), as_json=as_json))


@app.command()
def rollback() -> None:
    """Put the stored rows back as they were before the last sync or load; again undoes it."""
    from bot.commands import sync as command

    print(command.rollback())


@app.command()
def load(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Published summary files.")],
    csv_folder: Annotated[
        Path | None, typer.Option("--csv", help="Write rows as CSV into this folder, not into the store.")
    ] = None,
) -> None:
    """Load published result files, in any supported format, into the knowledge file."""
    from bot.commands import keep

    print(keep.load(files, csv_folder=csv_folder))


@app.command()
def chat(lang: Lang = None) -> None:
    """Talk in the terminal: claims, follow-ups, help."""
    from bot.commands import chat as command

    command.run(language(lang) if lang else None)


@app.command()
def explore(
    host: Annotated[
        str, typer.Option(help="Address to listen on; only this machine can reach the default.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8001,
) -> None:
    """Show the stored rows in a browser, read-only: facets, ranking, comparison, deltas, a page a row."""
    from bot.commands import explore as command

    command.run(host, port)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The zip file to make.")],
) -> None:
    """Copy knowledge, state and waiting work into one file while the bot runs (SQLite)."""
    from bot.commands import backup as command

    print(command.backup(file))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `backup` made.")],
    replace: Annotated[bool, typer.Option("--replace", help="Replace what is there.")] = False,
) -> None:
    """Put the files of a backup in their places; the bot must not run."""
    from bot.commands import backup as command

    print(command.restore(file, replace=replace))


@app.command()
def keys(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="new or rotate.")],
) -> None:
    """Print a new key (new), or seal all that is stored with the first of the keys (rotate)."""
    if action == "new":
        from bot.keys import Keys

        print(Keys.new())
    elif action == "rotate":
        from bot.commands import keys as command

        print(command.rotate())
    else:
        raise typer.BadParameter("choose new or rotate", param_hint="ACTION")


@app.command()
def run() -> None:
    """Run the bot in Slack and Discord, whichever has a token, until it is told to stop."""
    from bot.commands import run as command

    command.run()


@app.command()
def healthy() -> None:
    """Ask the bot that runs on this machine whether it is ready (for a container's health check)."""
    from bot.commands import run as command

    print(command.healthy())


@app.command()
def mcp() -> None:
    """Serve the rows to an assistant, read-only: the Model Context Protocol on standard input and output."""
    from bot.commands import mcp as command

    command.run()


@app.command()
def doctor() -> None:
    """Check this installation: rows, state, keys, clock, Slack and Discord; say what is to be done."""
    from bot.commands import doctor as command

    text, well = command.doctor()
    print(text)
    if not well:
        raise typer.Exit(1)


def language(given: str | None) -> Language:
    """The language of a command's output: as given, else that of the settings, else English."""
    if given is None:
        from bot.settings import settings

        return settings().lang or "en"
    if given not in ("en", "de"):
        raise typer.BadParameter("choose en or de", param_hint="--lang")
    return cast("Language", given)


def printable(text: str) -> str:
    """A command line argument with bytes that are no UTF-8 replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def main(arguments: list[str] | None = None) -> None:
    """Entry point: one clear line on standard error and exit 1 for a failure, 2 for wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        # An answer is UTF-8 whatever the terminal says; a character that cannot be written is replaced.
        cast(Any, stream).reconfigure(encoding="utf-8", errors="replace")
    try:
        try:
            app(args=arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output is gone; nothing more to say, and no second error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("SMALLPRINT_DEBUG") == "1":
            raise
        print(f"smallprint: {line(error)}", file=sys.stderr)
        sys.exit(1)


def line(error: Exception) -> str:
    """A failure in one line: our own errors say it themselves, others with their name."""
    from bot.errors import UserError
    from knowledge.errors import KnowledgeError

    text = " ".join(str(error).split())
    if isinstance(error, UserError | KnowledgeError):
        return text
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'file'}: {error.strerror}"
    return f"unexpected failure, please report it: {type(error).__name__}: {text}"
