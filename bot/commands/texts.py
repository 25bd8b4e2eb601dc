"""`ask`, `read` and `fair`: one text from the command line, or many as JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Literal

import typer

from bot import answer

Command = Literal["ask", "read", "fair"]


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
    details: bool = False

    @property
    def context(self) -> dict[str, Any]:
        """Title, date and markup, as the front doors take them."""
        return {"title": self.title, "date": self.date, "markup": self.markup}


def run(command: Command, options: Options) -> None:
    """Run a command on its text or texts. Raises BadParameter for wrong usage."""
    check(options)
    if options.jsonl is not None:
        if options.text is not None:
            raise typer.BadParameter("give a text or --jsonl, not both")
        lines(command, options)
        return
    if options.text is None and sys.stdin.isatty():
        raise typer.BadParameter("no text given")
    text = stdin_text() if options.text in (None, "-") else argument(options.text or "")
    print(one(command, replace(options, text=text)))


def check(options: Options) -> None:
    """Refuse an unknown language, markup or date as wrong usage."""
    if options.lang not in (None, "en", "de"):
        raise typer.BadParameter("choose en or de", param_hint="--lang")
    if options.markup not in ("plain", "slack", "discord"):
        raise typer.BadParameter("choose plain, slack or discord", param_hint="--markup")
    try:
        answer.day(options.date)
    except ValueError:
        raise typer.BadParameter("write the date as YYYY-MM-DD", param_hint="--date") from None


def argument(text: str) -> str:
    """A command line argument with bytes that are no UTF-8 replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def stdin_text() -> str:
    """Standard input as text; bytes that are no UTF-8 are replaced."""
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def one(command: Command, options: Options) -> str:
    """What a command prints for one text."""
    if options.as_json:
        return answer.to_json(object_for(command, options))
    if command == "read":
        return read_text(options)
    found = answer.answer(options.text or "", lang=options.lang, **options.context)
    if command == "fair":
        from bot.telling import fair

        return fair.versions(found.claims, found.readings, found.language)
    from bot.render.text import render

    text = render(found.reply, details=options.details)
    return f"{text}\n\n{explained(found)}" if options.explain and found.claims else text


def explained(found: answer.Answer) -> str:
    """The words behind each field of each claim, and the rule behind its verdict."""
    from bot.telling import explain
    from bot.wording import words

    w = words(found.language)
    blocks = [
        "\n".join([*explain.claim_lines(claim, w), explain.reading_line(reading, w)])
        for claim, reading in zip(found.claims, found.readings, strict=True)
    ]
    return "\n\n".join(blocks)


def read_text(options: Options) -> str:
    """The claims of a text for people: a line a claim, its fields with `explain`."""
    from bot.telling import explain
    from bot.wording import words

    told = answer.explain(options.text or "", **options.context)
    w = words(answer.language_of(told.text, options.lang))
    claims, left = told.claims, explain.unread_lines(told.unread, w) if options.explain else []
    if options.explain:
        blocks = [explain.claim_lines(claim, w) for claim in claims] or [[w("reply.nothing_short")]]
        return "\n\n".join("\n".join(block) for block in [*blocks, left] if block)
    if not claims:
        return w("reply.nothing_short")
    return "\n".join(explain.claim_line(claim, w) for claim in claims)


def object_for(command: Command, options: Options) -> dict[str, Any]:
    """The JSON object for one text."""
    text = options.text or ""
    if command == "read":
        told = answer.explain(text, **options.context)
        found = answer.read_document(
            told.text, list(told.claims), answer.language_of(told.text, options.lang)
        )
        return {**found, "unread": [asdict(number) for number in told.unread]} if options.explain else found
    return answer.document(answer.answer(text, lang=options.lang, **options.context))


def lines(command: Command, options: Options) -> None:
    """Answer a file of JSON lines; a bad line is reported and the rest go on."""
    with source(options.jsonl or "-") as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                item = parse(line)
                asked = of_line(item, options)
                check(asked)
            except (ValueError, typer.BadParameter) as wrong:
                print(f"smallprint: line {number}: {wrong}", file=sys.stderr)
                continue
            print(answer.to_json({"id": item.get("id"), **object_for(command, asked)}), flush=True)


def of_line(item: dict[str, Any], options: Options) -> Options:
    """The options with what a line says of its own text."""
    return replace(
        options,
        text=item["text"],
        title=item.get("title") or options.title,
        date=item.get("date") or options.date,
        lang=item.get("lang") or options.lang,
        markup=item.get("markup") or options.markup,
    )


@contextmanager
def source(name: str) -> Iterator[BinaryIO]:
    """The stream of JSON lines. Raises OSError where the file cannot be read."""
    if name == "-":
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as stream:
        yield stream


def parse(line: bytes) -> dict[str, Any]:
    """One line as an object with a text. Raises ValueError with a plain reason."""
    try:
        item = json.loads(line.decode("utf-8-sig"))
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
