"""A linked page: how long from its HTML to the readings of its claims."""

from __future__ import annotations

import gc
from collections.abc import Iterator

from tests.benchmarks.harness import Figure, median_seconds
from tests.benchmarks.reader import PARAGRAPH
from tests.site import LARGE, pages

CHARACTERS = 10_000
MODELS = ("Llama 2 70B", "GPT-OSS-120B", "DeepSeek-R1")
HEAD = (
    "<tr><th rowspan=2>Model</th><th colspan=2>8x {chip}, tokens/s</th></tr>"
    "<tr><th>Offline</th><th>Server</th></tr>"
)
ROW = "<tr><td>{model}<sup><a href='#n{note}'>{note}</a></sup></td><td>{first:,}</td><td>{second:,}</td></tr>"


def table(chip: str, first: int) -> str:
    """A table of results with a head of two rows and a footnote in each row."""
    rows = (
        ROW.format(model=model, note=n, first=first + 900 * n, second=first + 500 * n)
        for n, model in enumerate(MODELS, 1)
    )
    head = f"<caption>MLPerf Inference v6.1, 8x {chip}</caption>{HEAD.format(chip=chip)}"
    return f"<table>{head}{''.join(rows)}</table>"


def article() -> str:
    """A post of ten thousand characters with three tables and three footnotes, as a vendor's page."""
    # Each paragraph is a little different: what a page says twice is read once.
    paragraphs = [
        PARAGRAPH.strip().replace("109,001", f"{109_001 + 7 * n:,}").replace("2.7x", f"{1.7 + n / 10:.1f}x")
        for n in range(CHARACTERS // len(PARAGRAPH) + 1)
    ]
    parts = [f"<h2>Part {n}</h2><p>{text}</p>" for n, text in enumerate(paragraphs)]
    for at, chip in ((3, "B300"), (9, "MI355X"), (15, "B200")):
        parts.insert(at, table(chip, 90_000))
    notes = "".join(
        f"<p id='n{n}'>{n}. MLPerf Inference v6.1 Closed, {model}. Entry 6.1-000{n}.</p>"
        for n, model in enumerate(MODELS, 1)
    )
    menu = "<nav>" + "<a href='/x'>A menu entry</a>" * 60 + "</nav>"
    body = f"<main><article><h1>MLPerf Inference v6.1 results</h1>{''.join(parts)}</article></main>"
    return f"<html lang='en'><body>{menu}{body}<div class='footnotes'>{notes}</div></body></html>"


def the_article() -> Iterator[Figure]:
    """The page of a post, warm, on one core, step by step; and one of four megabytes."""
    from bot import answer
    from bot.links.checking import check_html
    from parsing.article import read_article, read_claims

    html, reader = article(), answer.desk().reader
    found = check_html(html)
    gc.freeze()
    parsed = read_article(html)
    parse = 1000 * median_seconds(lambda: read_article(html), 20)
    read = 1000 * median_seconds(lambda: read_claims(parsed, reader), 20)
    claims = [one.claim for one in found.located]
    judged = 1000 * median_seconds(lambda: answer.desk().judge.readings(claims, article=None), 20)
    note = (
        f"{parse:.0f} + {read:.0f} + {judged:.0f} ms; {len(claims)} claims, {len(html):,} characters of HTML"
    )
    yield Figure(
        "an article with three tables: parse, read, readings", parse + read + judged, "ms", 150, note
    )
    whole = 1000 * median_seconds(lambda: check_html(html), 10)
    yield Figure("the same with its reply", whole, "ms", 250)
    large = next(page for page in pages() if page.name == LARGE).html
    took = 1000 * median_seconds(lambda: check_html(large), 3)
    yield Figure(f"a page of {len(large) / 2**20:.1f} MB with its reply", took, "ms", 3000)
