"""Pages in, answers out: over a real server, from the cache, for the core."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar, get_args

import pytest
from aiohttp import web

from bot import answer
from bot.events import Event, Place
from bot.keys import Keys
from bot.links.cache import MemoryCache, unpacked
from bot.links.checking import FAILED, FRESH, Checker, check_html, check_url, document, here
from bot.links.fetch import Fetcher
from bot.links.policy import FetchError, Reason
from bot.links.vendor import Links
from bot.preferences import Preferences
from bot.render.discord.message import message as discord_message
from bot.render.slack import limits as slack_limits
from bot.render.slack.message import message as slack_message
from bot.render.text import render
from bot.state import State
from bot.telling.guidelines import faults, text_faults
from bot.wording import LANGUAGES, Language, words
from tests.bot.figures import value
from tests.bot.links.servers import Dns, html, site
from tests.site import pages

T = TypeVar("T")
SITE = {page.name: page for page in pages()}
FRAME = "GB300 is 48% faster per GPU than MI355X on GPT-OSS-120B offline."
FINE = "eight B300 GPUs of NVIDIA reached 106,637 tokens/s on GPT-OSS-120B offline."
NOTHING = "<html><body><article><p>Our campus is 3x larger than the old one.</p></article></body></html>"


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, in a time that no test needs."""
    return asyncio.run(asyncio.wait_for(work, 20))


class Clock:
    """A clock that the test moves."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("name", SITE)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_answer_to_a_page_keeps_the_guidelines(name: str, lang: str) -> None:
    found = check_html(SITE[name].html, lang=lang)
    for details in (False, True):
        text = render(found.reply, details=details)
        assert text_faults(text) == []
    shown = [line for part in found.reply.parts if part.table for line in part.table.lines[:5]]
    keys = [set(line.keys) for line in shown]
    told = [
        (one.claim, reading)
        for one, reading in zip(found.located, found.readings, strict=True)
        if {row.key for row in reading.rows[:3]} in keys
    ]
    assert len(told) >= len(shown)
    claims, readings = [claim for claim, _ in told], [reading for _, reading in told]
    assert faults(found.reply, claims, readings, render(found.reply)) == []


@pytest.mark.parametrize("name", SITE)
@pytest.mark.parametrize("details", [False, True])
def test_every_platform_draws_it_within_its_limits(name: str, details: bool) -> None:
    """The renderers know nothing of pages: the answer is a Reply like any other."""
    reply = check_html(SITE[name].html).reply
    slack = slack_message(reply, reply_id="r1", poster="U1", details=details)
    assert slack_limits.faults(slack.blocks) == []
    assert discord_message(reply, reply_id="r1", details=details).faults == []


def test_the_most_misleading_claim_comes_first_and_five_are_shown() -> None:
    found = check_html(SITE["10-nebius"].html)
    (part,) = found.reply.parts
    assert part.table is not None
    assert part.table.shown == 5
    assert len(part.table.lines) == len(found.located) == 13
    assert found.reply.actions[0].label == "Show all"
    mixed = check_html(f"<article><h1>MLPerf Inference v6.1</h1><p>{FRAME}</p><p>In it, {FINE}</p></article>")
    (part,) = mixed.reply.parts
    assert part.table is not None
    verdicts = [line.cells[0].text for line in part.table.lines]
    assert verdicts == ["True, but not like for like", "Holds"]
    assert part.headline.first.startswith("True, but not like for like: 1 of the 2 checkable claims")


def test_a_page_without_result_ids_is_told_so() -> None:
    line = "gives no result IDs"
    assert line in render(check_html(SITE["17-supermicro"].html).reply)
    assert line not in render(check_html(SITE["04-amd-blogs"].html).reply)


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [("en", "No MLPerf® claim found"), ("de", "Keine Behauptung über MLPerf® Ergebnisse")],
)
def test_a_page_about_something_else_has_no_claim(lang: str, sentence: str) -> None:
    for page in (NOTHING, SITE["24-not-about-results"].html, b"", b"\x00\xff", "<p>"):
        found = check_html(page, lang=lang)
        assert found.located == ()
        assert sentence in render(found.reply)


def test_title_text_and_table_are_one_claim() -> None:
    text = (
        "<title>t</title><article><h1>GB300 is 1.48x faster than MI355X</h1>"
        "<p>In MLPerf Inference v6.1, GB300 is 48% faster than MI355X on GPT-OSS-120B offline.</p>"
        "<ul><li>GB300 is 48% faster than MI355X</li></ul></article>"
    )
    (one,) = check_html(text).located
    assert (one.where, one.also) == ("title", ["text", "list"])
    assert (one.claim.model, one.claim.scenario, one.claim.round) == ("gpt-oss-120b", "offline", "v6.1")


def test_the_same_number_of_two_models_is_two_claims() -> None:
    text = (
        "<article><h1>MLPerf Inference v6.1</h1>"
        "<p>GB300 is 1.5x faster than MI355X on DeepSeek-R1 offline.</p>"
        "<p>GB300 is 1.5x faster than MI355X on GPT-OSS-120B offline.</p></article>"
    )
    assert [one.claim.model for one in check_html(text).located] == ["deepseek-r1", "gpt-oss-120b"]


def test_the_json_is_that_of_the_contract() -> None:
    found = document(check_html(SITE["01-developer-nvidia"].html, url="https://developer.nvidia.com/blog/x"))
    assert set(found) == {
        "url", "title", "published", "language", "result_ids", "text", "claims", "reply",
    }  # fmt: skip
    assert found["published"] == "2026-09-18"
    for claim in found["claims"]:
        start, end = claim["span"]
        assert found["text"][start:end] == claim["quote"]
        assert claim["where"] in ("title", "text", "list", "table", "caption", "footnote")
        assert isinstance(claim["also"], list)
        assert claim["reading"]["verdict"]
    json.loads(answer.to_json(found))


def test_a_page_is_fetched_and_read() -> None:
    async def checked() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            if request.path == "/old":
                raise web.HTTPMovedPermanently("/new?utm_source=x")
            return html(FINE)

        async with site(page) as server:
            found = await check_url(server.url("/old"), fetcher=Fetcher(server.policy()))
            assert found.url == f"https://site.example:{server.port}/new"
            assert [reading.verdict for reading in found.readings] == ["holds"]
            assert found.text

    run(checked())


def test_a_hundred_who_ask_at_once_are_one_request_and_nothing_of_the_text_is_kept() -> None:
    async def checked() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            await asyncio.sleep(0.02)
            return html(FRAME)

        clock = Clock()
        cache = MemoryCache(clock)
        async with site(page) as server:
            checker = Checker(Fetcher(server.policy()), cache, clock=clock)
            links = [server.url(f"/a?utm_id={n}") for n in range(100)]
            answers = await asyncio.gather(*(checker.check(link) for link in links))
            assert server.pages == ["/a"]
            assert {tuple(r.verdict for r in found.readings) for found in answers} == {("frame",)}
            assert len({render(found.reply) for found in answers}) == 1
            (kept,) = [value for _, value in cache._kept.values()]
            assert "faster" not in kept
            assert "48%" not in kept
            assert unpacked(kept) is not None
            assert unpacked(kept.replace('"version": "', '"version": "0.')) is None
            assert unpacked("[]") is None
            assert unpacked(kept[:-9]) is None

    run(checked())


def test_a_page_that_was_read_is_asked_for_again_only_after_a_while() -> None:
    async def checked() -> None:
        conditions: list[str | None] = []

        async def page(request: web.Request) -> web.StreamResponse:
            conditions.append(request.headers.get("If-None-Match"))
            if conditions[-1] == '"1"':
                return web.Response(status=304)
            return html(FRAME, ETag='"1"')

        clock = Clock()
        async with site(page) as server:
            checker = Checker(Fetcher(server.policy()), clock=clock)
            first = await checker.check(server.url("/a"))
            clock.now += FRESH - 1
            await checker.check(server.url("/a"))
            assert conditions == [None]
            clock.now += 2
            again = await checker.check(server.url("/a"))
            assert conditions == [None, '"1"']
            assert render(again.reply) == render(first.reply)
            await checker.check(server.url("/a"))
            assert len(conditions) == 2

    run(checked())


def test_a_page_that_failed_is_left_alone_for_a_while() -> None:
    async def checked() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            return web.Response(status=500)

        clock = Clock()
        async with site(page) as server:
            checker = Checker(Fetcher(server.policy()), clock=clock)
            before = value("smallprint_fetches_failed_total", reason="server")
            for _ in range(20):
                with pytest.raises(FetchError, match="server"):
                    await checker.check(server.url("/a"))
            assert server.pages == ["/a"]
            assert value("smallprint_fetches_failed_total", reason="server") == before + 1
            clock.now += FAILED + 1
            with pytest.raises(FetchError):
                await checker.check(server.url("/a"))
            assert server.pages == ["/a", "/a"]

    run(checked())


def test_the_state_is_a_cache(tmp_path: Path) -> None:
    async def checked() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            return html(FRAME)

        keys = Keys([Keys.new()])
        state = await State.open(f"sqlite:///{tmp_path / 'state.db'}", keys=keys)
        try:
            async with site(page) as server:
                for _ in range(3):  # three processes, one after another
                    found = await Checker(Fetcher(server.policy()), state).check(server.url("/a"))
                    assert [reading.verdict for reading in found.readings] == ["frame"]
                assert server.pages == ["/a"]
        finally:
            await state.close()
        stored = (tmp_path / "state.db").read_bytes()
        assert b"site.example" not in stored
        assert b"gpt-oss" not in stored

    run(checked())


@pytest.mark.parametrize(
    ("link", "query"),
    [
        ("https://developer.nvidia.com/blog/x?a=1&utm_source=y", ()),
        ("https://other.example/x?id=1&utm_source=y&fbclid=z&token=t", ("id",)),
    ],
)
def test_only_harmless_parameters_are_sent(link: str, query: tuple[str, ...]) -> None:
    assert Checker().query_of(link) == query


def links(fetcher: Fetcher) -> Links:
    """The links of a core that runs everything on the spot."""
    return Links(Checker(fetcher), digest=Keys([Keys.new()]).digest, run=here)


def test_the_core_sees_vendors_links_each_page_once() -> None:
    room = links(Fetcher())
    found = room.watched(
        [
            "https://developer.nvidia.com/blog/x/?utm_source=a",
            "http://www.developer.nvidia.com/blog/x#b",
            "https://www.theregister.com/2026/x",
            "https://example.com/x",
        ],
        Preferences(),
    )
    assert [link.url for link in found] == ["https://developer.nvidia.com/blog/x/"]
    assert len(found[0].key) == 64
    assert len(room.watched(["https://www.theregister.com/2026/x"], Preferences(links_press=True))) == 1
    assert (
        room.watched(
            ["https://developer.nvidia.com/blog/x"], Preferences(hosts_removed=("developer.nvidia.com",))
        )
        == []
    )
    assert (
        len(room.watched(["https://blog.example.org/x"], Preferences(hosts_added=("blog.example.org",)))) == 1
    )


@pytest.mark.parametrize("first", ["/blog/old", "/blog/new"])
def test_a_link_and_what_it_redirects_to_are_the_same_link(first: str) -> None:
    async def checked() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            if request.path == "/blog/old":
                raise web.HTTPMovedPermanently("/blog/new")
            return html(FRAME)

        async with site(page) as server:
            room = links(Fetcher(server.policy(Dns(developer_nvidia_com=[["127.0.0.1"]]))))

            def watched(path: str) -> Any:
                return room.watched([server.url(path, "developer.nvidia.com")], Preferences())

            before = watched(first)[0].key
            for path in (first, "/blog/old", "/blog/new"):
                await room.check_all(watched(path), "en")
            assert watched("/blog/old")[0].key == watched("/blog/new")[0].key == before

    run(checked())


def test_a_link_that_its_writer_wrapped_is_left_alone() -> None:
    event = Event(
        id="1",
        kind="message",
        place=Place(platform="discord", workspace="1", channel="2"),
        message="3",
        author="4",
        text="<https://a.example/x> https://b.example/y",
        links=("https://a.example/x", "https://c.example/z"),
    )
    assert links(Fetcher()).links_of(event) == ["https://b.example/y", "https://c.example/z"]


def test_what_watched_pages_claim_is_one_answer_and_failures_are_silent() -> None:
    async def checked() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            match request.path:
                case "/blog/a":
                    return html(FRAME)
                case "/blog/b":
                    return html(FINE)
                case "/blog/c":
                    return web.Response(text=NOTHING, content_type="text/html")
                case "/blog/away":
                    raise web.HTTPFound(f"http://site.example:{request.url.port}/blog/a")
            return web.Response(status=404)

        async with site(page) as server:
            name = "developer.nvidia.com"
            dns = Dns(developer_nvidia_com=[["127.0.0.1"]], site_example=[["127.0.0.1"]])
            room = links(Fetcher(server.policy(dns)))

            async def check(*paths: str) -> Any:
                urls = [server.url(path, name) for path in paths]
                return await room.check_all(room.watched(urls, Preferences()), "en")

            both = await check("/blog/a", "/blog/b", "/blog/gone")
            assert sorted(both.verdicts) == ["frame", "holds"]
            assert both.refused is None
            assert len(both.content.links) == 3
            assert len(answer.unpack(both.content.claims)) == 2
            assert (await check("/blog/c")).refused.reason == "not_about_results"
            assert (await check("/blog/gone")).refused.reason == "not_readable"
            assert (await check("/blog/away")).refused.reason == "not_readable"
            asked = await room.check(server.url("/blog/gone", name), "de")
            assert asked.reply.lead == "Die Seite gibt es nicht."
            assert (await room.check("https://127.0.0.1/", "en")).refused.reason == "not_readable"
            assert (await room.check("nonsense", "en")).refused.reason == "not_readable"

    run(checked())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_its_sentence(language: Language) -> None:
    told = {words(language)(f"links.reason.{reason}") for reason in get_args(Reason)}
    assert len(told) == len(get_args(Reason))
    assert all(sentence.endswith(".") for sentence in told)
