"""`digest`: what is new in the published rows since a round, as text, JSON, a page, CSV or a chart."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

import typer

from bot import answer
from bot.commands.filters import known_round
from bot.commands.options import Fields
from bot.commands.rows import filtered
from bot.digest import Digest, Options, digest, html, news, since_round, table
from bot.errors import UserError
from bot.settings import settings
from bot.wording import Language, words
from knowledge import clock

Format = Literal["text", "json", "html", "csv", "png"]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: fields of the rows, the round since which, the smallest change in percent."""

    fields: Fields
    since: str | None
    least: float
    full: bool


def made(wish: Wish, lang: Language) -> Digest:
    """The digest of the stored rows, also where nothing is new."""
    store = answer.desk().store
    since = known_round(wish.since, store.rounds, "--since") if wish.since is not None else None
    mark = since_round(store.rows, store.rounds, since) if since else None
    found = news(store, mark, clock.today(), early=settings().early)
    told = digest(found, options(wish), lang)
    assert told is not None  # a quiet week is asked to be told
    return told


def options(wish: Wish) -> Options:
    """The wish as a subscription has it."""
    wanted = filtered(**wish.fields)
    return Options(
        models=(wanted.model,) if wanted.model else (),
        accelerators=wanted.chips,
        submitters=(wanted.submitter,) if wanted.submitter else (),
        scenarios=(wanted.scenario,) if wanted.scenario else (),
        least=wish.least,
        quiet="say",
    )


def run(wish: Wish, form: str, lang: Language, out: Path | None) -> None:
    """Print the digest in one form, or write it into a file.

    Raises BadParameter for a form that is none and for a picture on a terminal, UserError where there
    is nothing to draw, OSError where the file cannot be written.
    """
    if form not in get_args(Format):
        raise typer.BadParameter(f"choose one of {', '.join(get_args(Format))}", param_hint="--format")
    if form == "png" and out is None and sys.stdout.isatty():
        raise typer.BadParameter("name a file for the picture", param_hint="--out")
    content = drawn(made(wish, lang), cast("Format", form), full=wish.full)
    if out is not None:
        out.write_bytes(content)
    else:
        sys.stdout.buffer.write(content)


def drawn(told: Digest, form: Format, *, full: bool) -> bytes:
    """The digest in one form. Raises UserError where there is nothing to draw."""
    match form:
        case "text":
            content = text(told, full=full)
        case "json":
            content = answer.to_json(told.as_json())
        case "csv":
            content = table.dumps(told.changes).rstrip("\n")
        case "html":
            content = html.page(told, svg(told))
        case "png":
            return png(told)
    return f"{content}\n".encode()


def text(told: Digest, *, full: bool) -> str:
    """The digest in plain text: lines below their heads, then what must be said with them."""
    page = told.page(full=full)
    heads = {section.head for section in told.sections if section.head}
    lines = [
        line if line in heads else f"  {line}"
        for section in told.sections
        for line in section.lines(full=full)
    ]
    below = page.lines[len(lines) :]
    note = page.footnote.text if page.footnote else ""
    blocks = (page.title, "\n".join(lines), "\n".join(below), note)
    return "\n\n".join(block for block in blocks if block)


def svg(told: Digest) -> str:
    """The changes as an SVG element, empty where there are none."""
    from bot.render import chart, plots

    plot = plots.changes(told.changes, words(told.language))
    return chart.svg(plot) if plot else ""


def png(told: Digest) -> bytes:
    """The changes as a picture. Raises UserError where there are none."""
    from bot.render import chart, plots

    plot = plots.changes(told.changes, words(told.language))
    if plot is None:
        raise UserError("no change to draw")
    return chart.png(plot).png
