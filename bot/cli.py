"""The command line. Imports of rows and reader happen inside the commands, so that `--help` is quick."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

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

Text = Annotated[str | None, typer.Argument(help="The text, or - for standard input.")]
Jsonl = Annotated[
    str | None, typer.Option(help="Read texts from a file (or -) of JSON lines and write one a line.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Title = Annotated[str | None, typer.Option(help="Title of the article, as context.")]
Date = Annotated[str | None, typer.Option(help="Date of the article, YYYY-MM-DD, as context.")]
Lang = Annotated[str | None, typer.Option(help="Language of the answer: en or de (default: the text's).")]
MarkupOption = Annotated[str, typer.Option(help="Markup of the text: plain, slack or discord.")]
Explain = Annotated[bool, typer.Option("--explain", help="Add the words behind each field and the rule.")]


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
) -> None:
    """Read the claims of a text and answer from the published rows."""
    from bot.commands import texts

    texts.run("ask", texts.Options(text, as_json, jsonl, lang, title, date, markup, explain))


@app.command()
def read(
    text: Text = None,
    as_json: Json = False,
    jsonl: Jsonl = None,
    lang: Lang = None,
    title: Title = None,
    date: Date = None,
    markup: MarkupOption = "plain",
    explain: Explain = False,
) -> None:
    """Print the claims of a text, without judging them."""
    from bot.commands import texts

    texts.run("read", texts.Options(text, as_json, jsonl, lang, title, date, markup, explain))


def main(arguments: list[str] | None = None) -> None:
    """Entry point: one clear line on standard error and exit 1 for a failure, 2 for wrong usage."""
    from bot.errors import UserError

    try:
        app(args=arguments)
    except UserError as error:
        print(f"smallprint: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output is gone; nothing more to say, and no second error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        # The last resort: a person gets one line; SMALLPRINT_DEBUG=1 shows a developer where it happened.
        if os.environ.get("SMALLPRINT_DEBUG") == "1":
            raise
        print(f"smallprint: {type(error).__name__}: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)
