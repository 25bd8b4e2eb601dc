"""The page that draws Slack's blocks: an element for everything that our renderer sends."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from bot.events import Place
from bot.page import Page as Told
from bot.preferences import Preferences, Scope
from bot.render.slack import message, page, views
from bot.render.slack.limits import nodes
from bot.reply import build
from bot.state.records import Content, SentReply
from tests.bot.cases import CASES
from tests.browser import Page
from tests.conftest import needs
from tests.pictures import replies, slack

# Texts stand in what holds them: a menu shows one of its options, a button its label as a title.
WITHIN = {"plain_text", "mrkdwn"}


@pytest.fixture(scope="module")
def window() -> Iterator[Page]:
    needs("chromium")
    with slack.window() as found:
        yield found


def sent() -> list[dict[str, Any]]:
    """The blocks of every kind of message and view."""
    told = Told("en", "What is new", ("Software gains:", "One", "Two"), heads=frozenset({"Software gains:"}))
    found = [*page(told, reply_id=replies.ID, more=True).blocks, *views.page(told)["blocks"]]
    for case in CASES:
        reply = build([case.claim], [case.reading], "en", data_version="test")
        for tables in (True, False):
            found += message(reply, reply_id=replies.ID, poster=replies.POSTER, tables=tables).blocks
        for view in (views.details(reply, replies.ID), views.why(reply), views.fair(reply)):
            found += view["blocks"]
    for scope in get_args(Scope):
        found += views.settings("en", Preferences(), scope)["blocks"]
    home = views.home("en", preferences=Preferences(), recent=[read()], subscriptions=["C1"])
    return [*found, *home["blocks"], *views.expired("en", text="3x")["blocks"]]


def read() -> SentReply:
    """A reading as the Home tab lists it."""
    content = Content("en", verdicts={"frame": 2})
    place = Place("slack", "T1", "C1")
    return SentReply(replies.ID, "answer", "w", place, "1.2", "U1", "posted", "1.3", content, 1e9)


def test_everything_that_is_sent_is_drawn(window: Page) -> None:
    blocks = sent()
    slack.show(window, blocks)
    wanted = Counter(str(node["type"]) for node in nodes(blocks) if "type" in node)
    assert len(wanted) > 15
    for kind, count in wanted.items():
        if kind not in WITHIN:
            assert window.run(f"document.querySelectorAll('#blocks .{kind}').length") == count, kind
    assert not window.errors


def test_every_word_of_a_reply_is_drawn_as_it_stands(window: Page) -> None:
    reply = replies.reply("frame")
    slack.show(window, message(reply, reply_id=replies.ID, poster=None).blocks)
    for text in (reply.parts[0].headline.first, reply.parts[0].caveat, reply.footnote.text):
        assert text in window.text
    assert window.texts(".data_table thead th")[1:3] == ["GB300", "MI355X"]


@pytest.mark.parametrize(
    ("mrkdwn", "html"),
    [
        ("*bold* and _it_", "<b>bold</b> and <i>it</i>"),
        ("`a &lt; b`", "<code>a &lt; b</code>"),
        ("&lt;!channel&gt; &amp; 2 * 3 * 4", "&lt;!channel&gt; &amp; 2 * 3 * 4"),
        ("<https://a.example/?b&amp;c|row>", '<a class="link" href="https://a.example/?b&amp;c">row</a>'),
        ("<!date^0^{date_num} {time}|then>", '<time class="date">01/01/1970 12:00 AM</time>'),
    ],
)
def test_marks_are_drawn(window: Page, mrkdwn: str, html: str) -> None:
    slack.show(window, [{"type": "section", "text": {"type": "mrkdwn", "text": mrkdwn}}])
    assert window.run("document.querySelector('.mrkdwn').innerHTML.replace('\\u202f', ' ')") == html


def test_a_type_that_the_page_does_not_know_is_told(window: Page) -> None:
    with pytest.raises(RuntimeError, match="carousel"):
        slack.show(window, json.loads('[{"type": "carousel"}]'))
