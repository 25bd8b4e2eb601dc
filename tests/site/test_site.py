"""The site as a whole: how much of it is read, and how much of what is read stands there."""

from __future__ import annotations

import time

import pytest

from bot import answer
from bot.links.watchlist import watchlist
from parsing.article import Article, Located, read_article, read_claims
from tests.site import LARGE, Page, pages

PRECISION, RECALL, IDS = 0.95, 0.92, 0.98
ALL = {page.name: page for page in pages()}
Read = dict[str, tuple[Article, list[Located]]]


@pytest.fixture(scope="module")
def read() -> Read:
    """Every page with its claims."""
    found = {}
    for page in ALL.values():
        article = read_article(page.html, url=f"https://{page.host}{page.path}")
        found[page.name] = article, read_claims(article, answer.desk().reader)
    return found


def matched(page: Page, found: list[Located]) -> tuple[list[tuple[str, Located]], list[str], list[Located]]:
    """Labels with their claims, labels without, claims without."""
    left, pairs, missing = list(found), [], []
    for label in page.labels:
        one = next((item for item in left if label.fits(item)), None)
        if one is None:
            missing.append(label.line)
        else:
            left.remove(one)
            pairs.append((label.line, one))
    return pairs, missing, left


def test_there_are_25_pages_and_all_but_one_are_of_watched_hosts() -> None:
    assert len(ALL) == 25
    assert all(watchlist().match(f"https://{page.host}{page.path}") for page in ALL.values())
    assert len({page.host for page in ALL.values()}) >= 21


def test_claims_are_found_and_nothing_else(read: Read) -> None:
    right = wrong = missed = 0
    told = []
    for page in ALL.values():
        pairs, missing, left = matched(page, read[page.name][1])
        right, wrong, missed = right + len(pairs), wrong + len(left), missed + len(missing)
        told += [f"{page.name}: missing {line}" for line in missing]
        told += [
            f"{page.name}: extra {one.where} {one.also} {one.claim.kind} {one.claim.quote!r}" for one in left
        ]
    precision, recall = right / (right + wrong), right / (right + missed)
    assert precision >= PRECISION, "\n".join(told)
    assert recall >= RECALL, "\n".join(told)


def test_footnotes_give_their_ids_to_the_sentences_that_cite_them(read: Read) -> None:
    right = every = 0
    wrong = []
    for page in ALL.values():
        article, found = read[page.name]
        right += len(page.ids & set(article.result_ids))
        every += len(page.ids | set(article.result_ids))
        for label in page.labels:
            one = next((item for item in found if label.fits(item)), None)
            if one is not None and label.ids is not None:
                every += 1
                right += set(one.claim.result_ids) == label.ids
                if set(one.claim.result_ids) != label.ids:
                    wrong.append(f"{label.line}: {one.claim.result_ids}")
    assert every > 30
    assert right / every >= IDS, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name, page in ALL.items() if page.published])
def test_the_date_of_a_page_is_found(read: Read, name: str) -> None:
    published = read[name][0].published
    assert published is not None
    assert published.isoformat() == ALL[name].published


def test_a_german_page_is_german(read: Read) -> None:
    assert {name for name, (article, _) in read.items() if article.language == "de"} == {"23-german"}


def test_a_page_of_four_megabytes_is_read_in_time() -> None:
    html = ALL[LARGE].html
    assert len(html) > 3_900_000
    start = time.perf_counter()
    article = read_article(html)
    assert time.perf_counter() - start < 3
    assert len(article.passages) == 24
