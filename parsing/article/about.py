"""What a page says about itself: title, date, language, and where its article stands."""

from __future__ import annotations

import datetime
import logging
import re
from collections.abc import Sequence
from html import escape

import trafilatura
from htmldate import find_date
from selectolax.lexbor import LexborHTMLParser, LexborNode

from parsing.article.inline import words
from parsing.article.layout import is_furniture
from parsing.article.walk import Block
from parsing.language import detect

# Landmarks of an article, from the surest to the widest.
_LANDMARKS = ("[itemprop=articleBody]", "article", "main, [role=main]")
_LEAST = 200  # characters: less is a teaser
_SHARE = 0.4  # of the next wider landmark: less is one card of many
_HEAD = 200_000  # characters of a page in which its date stands
# A page without landmarks is read as a whole where it has more characters or blocks than this, or where
# less than this share of its words would be left.
_GUESSED = 300_000
_MOST_GUESSED = 1_000
_LEFT = 0.3
_SITE = re.compile(r"\s[|–—·]\s[^|–—·]{2,60}$")
LONGEST_TITLE = 300
_DETECTED = 200  # characters from which the words tell the language better than the page's label
_DATED = "time, [class*=date i], [class*=publish i], [class*=byline i], [class*=meta i]"
_BY_HAND = 12  # places of a date that are looked at
_OPENING = 4  # blocks of an article among which its date may stand alone
_LONGEST_DATE = 100  # characters of a line that is one
# "SAN JOSE, Calif., September 16, 2026 -- …": a press release begins so.
_DATELINE = re.compile(r".{3,80}?\b20\d\d\b(?=\s{0,3}\)?\s{0,3}(?:--|—|–|/))")
_DAY = re.compile(r"\b\d{1,2}\b.{1,20}\b20\d\d\b|\b20\d\d-\d\d-\d\d\b")

# Both tell on the log what a hostile page makes them stumble over; the answer is None all the same.
for _name in ("htmldate", "trafilatura"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


def main_of(body: LexborNode) -> LexborNode | None:
    """The element that holds the article by its tag or role; None where the page has no such landmark."""
    best: tuple[int, LexborNode] | None = None
    whole = len(body.text(deep=True).strip())
    for landmark in _LANDMARKS:
        sizes = [(len(node.text(deep=True).strip()), node) for node in body.css(landmark)[:200]]
        found = max(sizes, key=lambda one: one[0], default=None)
        teaser = found is not None and found[0] < min(_LEAST, _SHARE * whole)
        if found is None or teaser or is_furniture(found[1]):
            continue
        if best is None or best[0] < _SHARE * found[0]:
            best = found
    return best[1] if best else None


def guess_main(html: str, blocks: Sequence[Block]) -> None:
    """Tell article from boilerplate on a page without landmarks, as trafilatura sees it."""
    if len(html) > _GUESSED or len(blocks) > _MOST_GUESSED:
        return
    found = trafilatura.extract(
        html, include_comments=False, include_tables=True, fast=True, favor_recall=True
    )
    if not found:
        return
    kept = _squashed(found)
    own = [
        block for block in blocks if block.grid is None and block.where != "caption" and not block.furniture
    ]
    left = [block for block in own if _squashed(block.text)[:80] in kept]
    if sum(len(block.text) for block in left) < _LEFT * sum(len(block.text) for block in own):
        return
    for block in own:
        block.main = False
    for block in left:
        block.main = True


def _squashed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def title_of(tree: LexborHTMLParser, main: LexborNode | None) -> str | None:
    """The article's title: its only first heading, else what it gives to previews, else the page's."""
    for place in (main, tree.body):
        heads = place.css("h1") if place is not None else []
        if len(heads) == 1 and (text := _line(words(heads[0]).text)):
            return text
    for selector in ('meta[property="og:title"]', 'meta[name="twitter:title"]'):
        node = tree.css_first(selector)
        if node is not None and (text := _line(node.attributes.get("content") or "")):
            return _SITE.sub("", text)
    node = tree.css_first("title")
    return _SITE.sub("", _line(words(node).text)) or None if node is not None else None


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_TITLE]


def date_of(
    html: str, tree: LexborHTMLParser, blocks: Sequence[Block], url: str | None
) -> datetime.date | None:
    """The day on which the page says that it was published; a date in the running text is none."""
    found = _found(html[:_HEAD], url=url, extensive=False)
    if found is not None:
        return found
    places = [" ".join(node.text(deep=True).split()) for node in tree.css(_DATED)[:_BY_HAND]]
    first = [block.text for block in blocks if block.main and not block.level][:_OPENING]
    places += [text for text in first if not text.endswith((".", "!", "?", ":"))]
    places += [line.group() for text in first if (line := _DATELINE.match(text))]
    for said in places:
        if len(said) <= _LONGEST_DATE and _DAY.search(said):
            found = _found(f"<html><body><p>{escape(said)}</p></body></html>", url=None, extensive=True)
            if found is not None:
                return found
    return None


def _found(html: str, *, url: str | None, extensive: bool) -> datetime.date | None:
    try:
        said = find_date(html, url=url, original_date=True, extensive_search=extensive)
        return datetime.date.fromisoformat(said) if said else None
    except Exception:  # a library over hostile pages: whatever it stumbles over, there is no date
        return None


def language_of(tree: LexborHTMLParser, text: str) -> str:
    """The language of a text; a short one is in that of the page's label."""
    root = tree.css_first("html")
    label = ((root.attributes.get("lang") if root is not None else None) or "").lower()[:2]
    if len(text) < _DETECTED and label:
        return label
    return detect(text)
