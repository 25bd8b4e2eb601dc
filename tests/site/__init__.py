"""A site of our own: pages in the layouts of vendors' hosts, with what a careful reader finds on them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parsing.article import Located

HERE = Path(__file__).parent
LARGE = "25-four-megabytes"


@dataclass
class Label:
    """One claim as a reader would note it down; a field that is left out is not compared."""

    line: str
    where: str
    also: set[str]
    kind: str
    value: float | None
    ids: set[str] | None
    fields: dict[str, str] = field(default_factory=dict)

    def fits(self, found: Located) -> bool:
        """Whether a claim that was read is this one."""
        claim = found.claim
        if (claim.kind, found.where) != (self.kind, self.where) or set(found.also) != self.also:
            return False
        if self.value is not None and (claim.value is None or abs(claim.value / self.value - 1) > 1e-6):
            return False
        data = claim.model_dump(mode="json")
        return all(str(_at(data, name)) == value for name, value in self.fields.items())


@dataclass
class Page:
    """One page of the site."""

    name: str
    host: str
    path: str
    published: str | None
    ids: set[str]
    labels: list[Label]

    @property
    def html(self) -> bytes:
        """The page as a server sends it."""
        return large() if self.name == LARGE else (HERE / "pages" / f"{self.name}.html").read_bytes()


def _at(data: dict[str, Any], path: str) -> Any:
    for part in path.split("."):
        data = data[part]
    return data


def _label(line: str) -> Label:
    where, kind, value, *rest = line.split(" ")
    first, *also = where.split("+")
    fields = dict(part.split("=", 1) for part in rest)
    ids = fields.pop("ids", None)
    named = None if ids is None else set(filter(None, ids.split(",")))
    return Label(line, first, set(also), kind, None if value == "-" else float(value), named, fields)


def pages() -> Iterator[Page]:
    """All pages of the site."""
    for name, item in tomllib.loads((HERE / "labels.toml").read_text("utf-8")).items():
        labels = [_label(line) for line in item["claims"]]
        yield Page(name, item["host"], item["path"], item.get("published"), set(item["ids"]), labels)


def large() -> bytes:
    """A page of four megabytes, nearly all of it pictures, scripts and styles written into it."""
    picture = "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAA" * 4_500
    figure = f'<figure><img src="{picture}" alt=""></figure>'
    state = (
        "<script>window.__STATE__ = {"
        + ",".join(f'"k{n}":"<b>{n}x faster</b>"' for n in range(60_000))
        + "}</script>"
    )
    filler = "<p>Our engineers describe how the cluster was wired, cooled and scheduled.</p>"
    first = (
        "<p>In MLPerf Inference v6.1, 72 GB300 GPUs reached 1,124,500 tokens/s on GPT-OSS-120B offline."
        "<sup>1</sup></p>"
    )
    last = "<p>In the server scenario, 72 GB300 GPUs reached 1,120,710 tokens/s on GPT-OSS-120B.</p>"
    note = "<p><sup>1</sup> MLPerf Inference v6.1 Closed, result ID 6.1-0012.</p>"
    parts = [first, *(filler.replace("Our", f"Team {n}: our") + figure for n in range(20)), last, note]
    body = f"<main><article><h1>Everything at Once</h1>{''.join(parts)}</article></main>"
    head = f"<head><title>Everything at Once</title>{state}</head>"
    return f"<html lang='en'>{head}<body>{body}</body></html>".encode()
