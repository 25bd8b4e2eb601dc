"""What layouts call their parts, as data (`page.toml`), and questions to a node about them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from selectolax.lexbor import LexborNode

_PART = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST_NAME = 400  # characters of a class attribute that are looked at


@dataclass(frozen=True, slots=True)
class Layout:
    """The words of `page.toml`."""

    furniture: frozenset[str]
    furniture_roles: frozenset[str]
    notes: frozenset[str]
    notes_roles: frozenset[str]
    notes_headings: frozenset[str]
    citation: tuple[str, ...]
    captions: frozenset[str]


@cache
def layout() -> Layout:
    """The table of words, read once."""
    data = tomllib.loads(resources.files(__package__).joinpath("page.toml").read_text("utf-8"))
    return Layout(
        furniture=frozenset(data["furniture"]["classes"]),
        furniture_roles=frozenset(data["furniture"]["roles"]),
        notes=frozenset(data["footnotes"]["classes"]),
        notes_roles=frozenset(data["footnotes"]["roles"]),
        notes_headings=frozenset(heading.casefold() for heading in data["footnotes"]["headings"]),
        citation=tuple(data["citation"]["words"]),
        captions=frozenset(data["caption"]["classes"]),
    )


def named(node: LexborNode) -> frozenset[str]:
    """The words of a node's class names and ID: "post-Related__list" is post, related, list."""
    attributes = node.attributes
    given = " ".join(filter(None, (attributes.get("class"), attributes.get("id"))))[:_LONGEST_NAME]
    if not given:
        return frozenset()
    return frozenset(_PART.findall(_CAMEL.sub(" ", given).lower().replace("_", " ")))


def is_furniture(node: LexborNode) -> bool:
    """Whether a node is by its name or role no part of an article: a banner, a menu, related posts."""
    role = node.attributes.get("role") or ""
    if role in layout().furniture_roles or node.attributes.get("aria-modal") == "true":
        return True
    return bool(named(node) & layout().furniture)


def holds_notes(node: LexborNode) -> bool:
    """Whether a node is by its name or role a place of footnotes."""
    role = node.attributes.get("role") or ""
    return role in layout().notes_roles or bool(named(node) & layout().notes)


def is_caption(node: LexborNode) -> bool:
    """Whether a node tells what a figure shows."""
    return node.tag == "figcaption" or bool(named(node) & layout().captions)
