"""`smallprint explore`: the rows in a real browser, and what the site refuses."""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot import answer
from bot.answer import desk
from bot.explore import database
from bot.explore.links import encoded, row_page, row_path
from bot.explore.site import Site, base_path, figure, hidden
from bot.render import discord, slack, text
from bot.settings import settings
from bot.telling.footnote import TRADEMARK, UNVERIFIED
from bot.telling.guidelines import text_faults
from knowledge.rounds import Rounds
from knowledge.store import Store
from tests.browser import Page, browser
from tests.conftest import ROOT, needs
from tests.knowledge.making import Box

START = 30.0


@contextmanager
def served(**environment: str) -> Iterator[str]:
    """The address of `smallprint explore` on a free port, as a process of its own."""
    import os

    command = [sys.executable, "-c", "from bot.cli import main; main()", "explore", "--port", "0"]
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        told = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", told)
        assert found, told
        yield found[0]
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def window() -> Iterator[Page]:
    needs("chromium")
    with browser() as page:
        yield page


@pytest.fixture
def page(window: Page) -> Iterator[Page]:
    """A page on which nothing may go wrong."""
    window.errors.clear()
    yield window
    assert not window.errors


def get(address: str) -> tuple[int, str]:
    """Status and text of an address."""
    try:
        with urllib.request.urlopen(address, timeout=START) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


# In the browser


def test_a_facet_narrows_the_rows(page: Page, address: str) -> None:
    page.open(f"{address}/knowledge/rows")
    everything = heading_count(page)
    assert everything == len(desk().store.rows)
    page.click(".facet-results a[href*='round=v6.0']")
    assert heading_count(page) == sum(row.round == "v6.0" for row in desk().store.rows)


def heading_count(page: Page) -> int:
    """The number of rows that a table's heading tells."""
    found = re.search(r"([\d,]+) rows", page.texts("h3")[0])
    assert found
    return int(found[1].replace(",", ""))


def test_the_canned_ranking_is_that_of_the_command(page: Page, address: str) -> None:
    from bot.commands import rows as command

    page.open(f"{address}/knowledge/rank?model=gpt-oss-120b&scenario=offline&round=v6.1")
    places = page.texts("td.col-place")
    submitters = page.texts("td.col-submitter")
    wanted = command.filtered(model="gpt-oss-120b", scenario="offline", round_name="v6.1")
    table = desk().table
    bench = table.benches["gpt-oss-120b", "offline"]
    ranked = command.ranked(bench, table, wanted, by_total=False)
    assert len(ranked) > 10
    assert [int(place) for place in places] == [place for place, _ in ranked]
    assert sorted(submitters) == sorted(row.submitter for _, row in ranked)


def test_a_row_has_a_page_with_its_figures_source_and_footnote(page: Page, address: str) -> None:
    row = next(
        row
        for row in desk().store.rows
        if (row.submitter, row.accelerators, row.model, row.scenario, row.round)
        == ("Crusoe", 512, "gpt-oss-120b", "offline", "v6.1")
    )
    page.open(f"{address}/knowledge/rank?model=gpt-oss-120b&scenario=offline&round=v6.1")
    page.click(f"a[href='{row_path(row.key)}']")
    text = page.text
    assert page.texts("h1") == ["Crusoe 512 MI355X, GPT-OSS-120B offline, v6.1"]
    assert row.per_accelerator is not None
    for told in (f"{row.value:,.0f}", f"{row.per_accelerator:,.0f}", row.system, "derived, unverified"):
        assert told in text
    assert "mlcommons/inference_results_v6.1" in text
    assert TRADEMARK in text
    assert UNVERIFIED in text
    assert "Retrieved from https://" in text


def test_a_query_that_takes_too_long_is_stopped(window: Page, address: str) -> None:
    endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    began = time.monotonic()
    window.open(f"{address}/knowledge?sql={urllib.parse.quote(endless)}")
    assert "time limit" in window.text
    assert time.monotonic() - began < 10


# What it shows and refuses


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/knowledge",
        "/knowledge/rows",
        "/knowledge/places",
        "/knowledge/all_deltas",
        "/knowledge/history",
        "/knowledge/deltas?until=v6.1",
        "/knowledge/compare?first=GB300&second=MI355X",
        "/knowledge/rows?_search=coreweave",
    ],
)
def test_every_page_carries_the_footnote_and_keeps_the_guidelines(address: str, path: str) -> None:
    from selectolax.lexbor import LexborHTMLParser

    status, html = get(address + path)
    assert status == 200
    body = LexborHTMLParser(html)
    for node in body.css("script, style, textarea, pre, td, th, svg"):
        node.decompose()
    text = " ".join((body.text(separator=" ")).split())
    assert TRADEMARK in text
    assert not text_faults(text)


def test_compare_and_deltas_give_the_figures_of_the_rows(address: str) -> None:
    asked = "first=gb300&second=mi355x&model=gpt-oss-120b&scenario=offline&round=v6.1"
    status, text = get(f"{address}/knowledge/compare.json?{asked}&_shape=objects")
    ratios = {
        line["accelerators"]: line["ratio (derived, unverified)"]
        for line in json.loads(text)["rows"]
        if line["availability"] == "available"
    }
    assert ratios == {72: 1.152, 8: 1.086}
    asked = "until=v6.1&submitter=AMD&accelerator=MI355X&model=gpt-oss-120b&scenario=server&least=1"
    status, text = get(f"{address}/knowledge/deltas.json?{asked}&_shape=objects")
    changes = {
        (line["accelerators_before"], line["accelerators"]): line["change in percent (derived, unverified)"]
        for line in json.loads(text)["rows"]
    }
    assert changes[8, 8] == pytest.approx(37.9, abs=0.1)
    assert status == 200


@pytest.mark.parametrize(
    "path", ["/-/databases", "/-/databases.json", "/-/threads", "/-/settings", "/-/actor"]
)
def test_pages_about_the_machine_are_not_served(address: str, path: str) -> None:
    assert get(address + path)[0] == 404


@pytest.mark.parametrize(
    "sql", ["delete from rows", "attach 'x' as y", "pragma journal_mode=wal", "drop table rows"]
)
def test_nothing_can_be_written(address: str, sql: str) -> None:
    status, _ = get(f"{address}/knowledge?sql={urllib.parse.quote(sql)}")
    assert status == 400
    assert get(f"{address}/knowledge.db")[0] in (403, 404)


def few(folder: Path) -> Store:
    """A store of two models' offline rows, where the number of rows proves nothing."""
    models = ("gpt-oss-120b", "llama3.1-405b")
    some = tuple(row for row in desk().store.rows if row.model in models and row.scenario == "offline")
    return Store.open(folder / "few.db", package=Box(some))


def test_a_round_in_its_first_two_weeks_is_not_shown(tmp_path: Path) -> None:
    store, rounds = few(tmp_path), Rounds.load()
    published = rounds.get("v6.1")
    assert published is not None
    today = published.published + dt.timedelta(days=3)
    for early, there in ((False, False), (True, True)):
        path = tmp_path / f"{early}.db"
        database.write(path, store, today, early=early)
        with sqlite3.connect(path) as connection:
            for table, column in (("rows", "round"), ("places", "round"), ("all_deltas", "until")):
                found = {value for (value,) in connection.execute(f"select distinct {column} from {table}")}
                assert ("v6.1" in found) is there
                assert "v6.0" in found


def test_the_site_of_a_later_day_shows_what_may_be_quoted_by_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    import httpx

    monkeypatch.setenv("SMALLPRINT_TODAY", "2026-09-20")
    store = few(tmp_path)
    site = Site(store)

    async def rows_of(name: str) -> int:
        transport = httpx.ASGITransport(app=site)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            answer = await client.get(f"/knowledge/rows.json?round={name}&_size=1")
            return int(answer.json()["filtered_table_rows_count"])

    async def both() -> tuple[int, int]:
        before = await rows_of("v6.1")
        monkeypatch.setenv("SMALLPRINT_TODAY", "2026-10-20")
        return before, await rows_of("v6.1")

    try:
        before, after = asyncio.run(both())
    finally:
        site.close()
    assert before == 0
    assert after == sum(row.round == "v6.1" for row in store.rows) > 10


@pytest.mark.parametrize(
    ("value", "derived", "shown"),
    [
        (16634.86111111111, True, "16,635"),
        (1197710.0, False, "1,197,710"),
        (4837.63, False, "4,837.63"),
        (0.028571428571428, True, "0.0286"),
        (1.152, True, "1.15"),
    ],
)
def test_a_derived_figure_is_rounded_and_a_published_one_is_not(
    value: float, derived: bool, shown: str
) -> None:
    assert figure(value, derived=derived) == shown


# Addresses


@pytest.mark.parametrize("key", ["v6.1/closed/AMD/x y", "v5.0-0001/ä~+%", "", "🚀"])
def test_a_row_page_has_the_address_that_the_site_gives_it(key: str) -> None:
    from datasette.utils import tilde_decode, tilde_encode

    assert encoded(key) == tilde_encode(key)
    assert tilde_decode(encoded(key)) == key


@pytest.mark.parametrize(
    ("base", "page"),
    [
        ("", None),
        ("https://rows.example.com", "https://rows.example.com/knowledge/rows/v6~2E1~2Fa"),
        ("https://example.com/small/", "https://example.com/small/knowledge/rows/v6~2E1~2Fa"),
    ],
)
def test_replies_link_to_row_pages_where_the_address_is_set(
    monkeypatch: pytest.MonkeyPatch, base: str, page: str | None
) -> None:
    monkeypatch.setenv("SMALLPRINT_PUBLIC_URL", base)
    settings.cache_clear()
    try:
        assert row_page("v6.1/a") == page
    finally:
        settings.cache_clear()


def test_rows_of_a_reply_lead_to_their_pages_on_every_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = "In v6.1, GB300 beats MI355X by 48 % per GPU on GPT-OSS-120B offline."
    monkeypatch.setenv("SMALLPRINT_PUBLIC_URL", "https://rows.example.com")
    settings.cache_clear()
    try:
        reply = answer.answer(claim).reply
    finally:
        settings.cache_clear()
    items = reply.parts[0].evidence
    assert [item.page for item in items] == [
        f"https://rows.example.com{row_path(item.key)}" for item in items
    ]
    drawn = {
        "text": text.render(reply, details=True),
        "Slack": json.dumps(slack.message(reply, reply_id="1", poster=None).blocks),
        "Discord": discord.message(reply, reply_id="1").embeds[0]["description"],
    }
    for name, shown in drawn.items():
        assert all(str(item.page) in shown for item in items), name
    assert all(str(item.url) in drawn["text"] for item in items)


def test_rows_of_a_reply_lead_to_their_source_where_no_site_is_named() -> None:
    items = (
        answer.answer("GB300 beats MI355X by 15 % on GPT-OSS-120B offline in v6.1.").reply.parts[0].evidence
    )
    assert items
    assert all(item.page is None and item.link == item.url for item in items)


def test_a_site_below_a_path_is_served_there() -> None:
    with served(SMALLPRINT_PUBLIC_URL="https://example.com/small") as address:
        status, html = get(f"{address}/small/knowledge/rank")
        assert status == 200
        assert 'href="/small/smallprint/site.css' in html
        assert get(f"{address}/small/-/databases")[0] == 404


def test_only_style_sheets_of_datasettes_own_pages_are_served() -> None:
    assert base_path(None) == "/"
    assert base_path("https://example.com/a") == "/a/"
    assert hidden("/-/versions", None)
    assert hidden("/a/-/versions", "https://example.com/a")
    assert not hidden("/-/static/app.css", None)
    assert not hidden("/knowledge/rows/-~2F", None)


# The command


def test_a_taken_port_and_a_host_that_is_none_are_told_in_one_line(address: str) -> None:
    port = address.rpartition(":")[2]
    for arguments in (["--port", port], ["--host", "no such host"]):
        command = [sys.executable, "-c", "from bot.cli import main; main()", "explore", *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert re.fullmatch(r"smallprint: cannot listen on .*\n", done.stderr)


def test_without_the_extra_a_line_says_how_to_get_it() -> None:
    code = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'datasette' else find(name, *more)\n"
        "from bot.cli import main; main(['explore'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert (
        done.stderr
        == "smallprint: explore needs Datasette, which is an extra: pip install 'smallprint[explore]'\n"
    )
