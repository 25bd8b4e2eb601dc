"""`ask` and `read`: one text from the command line, or many as JSON lines."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

import typer

from bot import answer
from bot.errors import UserError

Command = Literal["ask", "read"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says; `text` None or "-" means standard input."""

    text: str | None = None
    as_json: bool = False
    jsonl: str | None = None
    lang: str | None = None
    title: str | None = None
    date: str | None = None
    markup: str = "plain"
    explain: bool = False


def run(command: Command, options: Options) -> None:
    """Run `ask` or `read`. Raises BadParameter for wrong usage, UserError for a failure."""
    check(options)
    if options.jsonl is not None:
        if options.text is not None:
            raise typer.BadParameter("give a text or --jsonl, not both")
        lines(command, options)
        return
    if options.text is None and sys.stdin.isatty():
        raise typer.BadParameter("no text given")
    text = stdin_text() if options.text in (None, "-") else argument(options.text)
    one(command, replace(options, text=text))


def check(options: Options) -> None:
    """Refuse an unknown language, markup or date as wrong usage."""
    if options.lang not in (None, "en", "de"):
        raise typer.BadParameter("choose en or de", param_hint="--lang")
    if options.markup not in ("plain", "slack", "discord"):
        raise typer.BadParameter("choose plain, slack or discord", param_hint="--markup")
    try:
        answer.iso(options.date)
    except ValueError:
        raise typer.BadParameter("write the date as YYYY-MM-DD", param_hint="--date") from None


def argument(text: str) -> str:
    """A command line argument with bytes that are no UTF-8 replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def stdin_text() -> str:
    """Standard input as text; bytes that are no UTF-8 are replaced."""
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def one(command: Command, options: Options) -> None:
    """Answer one text."""
    result = object_for(command, options)
    if options.as_json:
        print(answer.to_json(result))
    elif command == "ask":
        print(result["reply"]["text"])
    else:
        print(answer.to_json(result))


def object_for(command: Command, options: Options) -> dict[str, Any]:
    """The JSON object for one text."""
    text = options.text or ""
    markup = cast(answer.Markup, options.markup)
    if command == "ask":
        found = answer.answer(text, title=options.title, date=options.date, lang=options.lang, markup=markup)
        return answer.document(found)
    claims = answer.read(text, title=options.title, date=options.date, markup=markup)
    plain = answer.plain_text(text, markup)
    return answer.read_document(plain, claims, answer.language_of(plain, options.lang))


def lines(command: Command, options: Options) -> None:
    """Answer a file of JSON lines; a bad line is reported and the rest go on."""
    with source(cast(str, options.jsonl)) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                item = parse(line)
                asked = replace(
                    options,
                    text=item["text"],
                    title=item.get("title") or options.title,
                    date=item.get("date") or options.date,
                    lang=item.get("lang") or options.lang,
                    markup=item.get("markup") or options.markup,
                )
                check(asked)
            except (ValueError, typer.BadParameter) as wrong:
                print(f"smallprint: line {number}: {wrong}", file=sys.stderr)
                continue
            print(answer.to_json({"id": item.get("id"), **object_for(command, asked)}), flush=True)


def source(name: str) -> BinaryIO:
    """The stream of JSON lines. Raises UserError where the file cannot be read."""
    if name == "-":
        return sys.stdin.buffer
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise UserError(f"cannot read {name}: {error.strerror}") from None


def parse(line: bytes) -> dict[str, Any]:
    """One line as an object with a text. Raises ValueError with a plain reason."""
    try:
        item = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise ValueError("not valid UTF-8") from None
    except (ValueError, RecursionError):
        raise ValueError("not valid JSON") from None
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        raise ValueError('not a JSON object with a "text"')
    for key in ("title", "date", "lang", "markup"):
        if not isinstance(item.get(key), str | None):
            raise ValueError(f'"{key}" is not a text')
    return item
