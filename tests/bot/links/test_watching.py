"""Which links are vendors', in every way to write them, and how they are found in messages."""

from __future__ import annotations

import time

import pytest

from bot.links.address import AddressError, canonical, sent
from bot.links.finding import MOST, Link, links_in
from bot.links.robots import fits, parse
from bot.links.watchlist import watchlist

POST = "https://developer.nvidia.com/blog/a-post"


@pytest.mark.parametrize(
    "link",
    [
        POST,
        f"{POST}/",
        f"{POST}//",
        f"{POST}#results",
        f"{POST}?utm_source=slack&utm_medium=social&fbclid=1",
        "http://developer.nvidia.com/blog/a-post",
        "HTTPS://Developer.NVIDIA.com/blog/a-post",
        "https://developer.nvidia.com./blog/a-post",
        "https://developer.nvidia.com:443/blog/a-post",
        "https://developer.nvidia.com/blog/x/../a-post",
        "https://developer.nvidia.com/blog//a-post",
        "https://www.developer.nvidia.com/blog/a%2Dpost",
        f"  {POST}  ",
    ],
)
def test_every_way_to_write_a_link_is_the_same_link(link: str) -> None:
    assert canonical(link) == POST


@pytest.mark.parametrize(
    "link",
    [
        "https://developer.nvidia.com/blog/b",
        "https://developer.nvidia.com/blog/A-post",
        "https://nvidia.com/blog/a-post",
    ],
)
def test_another_page_is_another_link(link: str) -> None:
    assert canonical(link) != POST


def test_parameters_on_the_list_tell_pages_apart_and_no_other_is_sent() -> None:
    link = "https://example.com/read?utm_source=x&id=7&lang=de&token=s"
    assert canonical(link, ("id",)) == "https://example.com/read?id=7"
    assert canonical("https://example.com/read?lang=de&id=7", ("id", "lang")) == canonical(
        link, ("lang", "id")
    )
    assert str(sent(link, ("id",))) == "https://example.com/read?id=7"
    assert str(sent("http://example.com/read/?a=1#x")) == "http://example.com/read/"


def test_a_host_in_other_letters_is_the_host_in_ascii() -> None:
    assert canonical("https://bücher.example/a") == canonical("https://xn--bcher-kva.example/a")


@pytest.mark.parametrize(
    "link",
    [
        "",
        "nonsense",
        "ftp://example.com/a",
        "https://",
        "https://exa mple.com/",
        "https://example.com:99999/",
        "https://[::1",
        "javascript:alert(1)",
        "https://example.com/" + "a" * 3_000,
        "https://example.com\\@evil.example/",
        "https://example.com/\x00",
    ],
)
def test_what_is_no_address_is_an_address_error(link: str) -> None:
    with pytest.raises(AddressError):
        canonical(link)


@pytest.mark.parametrize(
    ("link", "vendor"),
    [
        (POST, "NVIDIA"),
        ("https://blogs.nvidia.com/blog/x/", "NVIDIA"),
        ("https://rocm.blogs.amd.com/ai/x/README.html", "AMD"),
        ("https://www.amd.com/en/blogs/2026/x.html", "AMD"),
        ("https://amd.com/de/blogs/2026/x.html", "AMD"),
        ("https://community.intel.com/t5/Blogs/Tech/x", "Intel"),
        ("https://www.redhat.com/en/blog/x", "Red Hat"),
        ("https://mlcommons.org/2026/09/results", "MLCommons"),
        ("https://www.mangoboost.io/resources/x", "MangoBoost"),
    ],
)
def test_a_post_is_its_vendors(link: str, vendor: str) -> None:
    entry = watchlist().match(link)
    assert entry is not None
    assert entry.vendor == vendor


@pytest.mark.parametrize(
    "link",
    [
        "https://developer.nvidia.com/blog",
        "https://developer.nvidia.com/blog/",
        "https://developer.nvidia.com/cuda-downloads",
        "https://www.amd.com/en/products/x.html",
        "https://example.com/blog/x",
        "https://developer.nvidia.com.evil.example/blog/x",
        "https://evil-developer.nvidia.com/blog/x",
        "https://user@developer.nvidia.com/blog/x",
        f"{POST}?preview=true",
        f"{POST}?preview_id=12&preview_nonce=ab",
        f"{POST}?Token=abc",
        "https://developer.nvidia.com/blog/login",
        "https://developer.nvidia.com/blog/drafts/x",
        "mailto:x@developer.nvidia.com",
        "https://www.theregister.com/2026/09/16/x",
    ],
)
def test_any_other_link_is_nobodys(link: str) -> None:
    assert watchlist().match(link) is None


def test_press_is_read_where_it_is_wanted() -> None:
    entry = watchlist().match("https://www.theregister.com/2026/09/16/x", press=True)
    assert entry is not None
    assert entry.press
    assert not entry.first_hand


def test_a_workspace_adds_and_removes_hosts() -> None:
    known, own = watchlist(), "https://blog.example.com/2026/x"
    assert known.match(own) is None
    for added in ("blog.example.com", "Blog.Example.com/2026", "https://blog.example.com/"):
        entry = known.match(own, added=(added,))
        assert entry is not None
        assert not entry.first_hand
    assert known.match(own, added=("blog.example.com/2025",)) is None
    assert known.match(POST, removed=("developer.nvidia.com",)) is None
    assert known.match(POST, removed=("developer.nvidia.com/blog",)) is None
    assert known.match(POST, removed=("developer.nvidia.com/news",)) is not None
    assert known.match(own, added=("blog.example.com",), removed=("blog.example.com",)) is None


def test_first_hand_is_who_writes_of_his_own_results() -> None:
    entries = watchlist().entries
    assert len([entry for entry in entries if not entry.press]) >= 23
    assert {entry.vendor for entry in entries if not entry.press and not entry.first_hand} == {"MLCommons"}


SLACK = [
    ("see <https://a.example/x>", ["https://a.example/x"]),
    ("see <https://a.example/x|this post>", ["https://a.example/x"]),
    ("<https://a.example/x?a=1&amp;b=2>", ["https://a.example/x?a=1&b=2"]),
    ("<@U1> <!here> <#C1|general> <mailto:a@b.example|a@b.example>", []),
    ("`https://a.example/x` and ```\nhttps://b.example\n```", []),
    ("<https://a.example/x> <https://a.example/x/|again>", ["https://a.example/x"]),
]
DISCORD = [
    ("https://a.example/x, and more", [("https://a.example/x", False)]),
    ("<https://a.example/x>", [("https://a.example/x", True)]),
    ("[label](https://a.example/x)", [("https://a.example/x", False)]),
    ("[label](<https://a.example/x>)", [("https://a.example/x", True)]),
    ("(https://a.example/x_(y))", [("https://a.example/x_(y)", False)]),
    ("||https://a.example/x||", [("https://a.example/x", False)]),
    ("`https://a.example/x`", []),
    ("**https://a.example/x**", [("https://a.example/x", False)]),
    ("<@1> <#2> <:x:3>", []),
]
PLAIN = [
    ("Read https://a.example/x. Then https://b.example/y!", ["https://a.example/x", "https://b.example/y"]),
    ("https://a.example/x?utm_source=1", ["https://a.example/x?utm_source=1"]),
    ("no link here, http:// neither", []),
]


@pytest.mark.parametrize(("text", "found"), SLACK)
def test_links_in_slack(text: str, found: list[str]) -> None:
    assert links_in(text, "slack") == [Link(url) for url in found]


@pytest.mark.parametrize(("text", "found"), DISCORD)
def test_links_in_discord(text: str, found: list[tuple[str, bool]]) -> None:
    assert links_in(text, "discord") == [Link(url, wrapped) for url, wrapped in found]


@pytest.mark.parametrize(("text", "found"), PLAIN)
def test_links_in_plain_text(text: str, found: list[str]) -> None:
    assert links_in(text) == [Link(url) for url in found]


@pytest.mark.parametrize(
    "text",
    [
        "<https://" * 8_000,
        "https://a.example/" + "(" * 40_000,
        "`" * 40_000,
        "```x" * 10_000,
        "https://a.b/x" + ")" * 40_000,
        " ".join(f"https://a.example/{n}" for n in range(2_000)),
    ],
)
@pytest.mark.parametrize("markup", ["slack", "discord", "plain"])
def test_a_hostile_message_takes_no_time(text: str, markup: str) -> None:
    start = time.perf_counter()
    assert len(links_in(text, markup)) <= MOST  # type: ignore[arg-type]
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    ("pattern", "path", "fitting"),
    [
        ("/a", "/abc", True),
        ("/a$", "/abc", False),
        ("/a*c", "/abbbc/d", True),
        ("/a*c$", "/abbbc/d", False),
        ("/a*c$", "/abcbc", True),
        ("*", "/", True),
        ("/*?", "/x?y", True),
        ("/*?", "/x", False),
        ("/a*bc$", "/abc", True),
        ("/ab*b$", "/ab", False),
    ],
)
def test_a_rule_of_robots_txt_fits(pattern: str, path: str, fitting: bool) -> None:
    assert fits(pattern, path) is fitting


def test_the_longest_rule_decides_and_an_empty_one_forbids_nothing() -> None:
    rules = parse(
        "User-agent: a\nUser-agent: *\nDisallow: /x\nAllow: /x/y # but this\n\nUser-agent: b\nDisallow: /"
    )
    assert not rules.allows("/x/z")
    assert rules.allows("/x/y/z")
    assert rules.allows("/other")
    assert parse("User-agent: *\nDisallow:").allows("/x")
    assert parse("\x00\xff nonsense : : :\nAllow").allows("/x")
