"""Pages as a reader sees them: passages, tables, footnotes, dates, and pages that want to do harm."""

from __future__ import annotations

import datetime
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsing.article import ArticleError, Located, read_article, read_claims, result_ids
from parsing.article.decoding import decoded
from parsing.reader import Reader


def body(inner: str, head: str = "") -> str:
    """A page with this in its article."""
    return f"<html lang='en'><head>{head}</head><body><article>{inner}</article></body></html>"


def texts(html: str) -> list[tuple[str, str]]:
    """Place and text of every passage."""
    return [(passage.where, passage.text) for passage in read_article(html).passages]


def claims(html: str, reader: Reader) -> list[Located]:
    """The claims of a page."""
    return read_claims(read_article(html), reader)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("2.77x<sup>3</sup> faster", "2.77x faster"),
        ("eight GPUs<sup><a href='#n1'>1</a></sup>.", "eight GPUs."),
        ("v5.1<sup>2</sup> and v6.0<sup>[3]</sup>", "v5.1 and v6.0"),
        ("GPUs¹ and racks²³", "GPUs and racks"),
        ("3.1x<sup>1,2</sup> more<sup>*</sup>", "3.1x more"),
        ("Xeon<sup>®</sup> 6<sup>th</sup> gen", "Xeon® 6th gen"),
        ("10<sup>6</sup> and 10⁹", "10^6 and 10^9"),
        ("2.7<b>x</b> fas<i>ter</i>", "2.7x faster"),
        ("a&nbsp;b&#8203;c&shy;d", "a\u00a0bcd"),
        ("line<br>break<br/><br>here", "line\nbreak\nhere"),
        ("  many \n\t blanks ", "many blanks"),
        ("a<script>b</script><style>c</style>d", "ad"),
        ("x <a href='https://a.example'>1</a> y", "x 1 y"),
        ("see part <a href='#part2'>2</a> of it", "see part 2 of it"),
    ],
)
def test_words_of_a_paragraph(html: str, text: str) -> None:
    assert texts(body(f"<p>{html}</p>")) == [("text", text)]


def test_passages_know_their_heading_and_place() -> None:
    html = body(
        "<h1>T</h1><p>a</p><h2>One</h2><p>b:</p><ul><li>c</li><li>d<ul><li>e</li></ul></li></ul>"
        "<h3>Two</h3><figure><img><figcaption>f</figcaption></figure>bare text<dl><dt>g</dt><dd>h</dd></dl>"
    )
    found = [(p.text, p.where, p.heading) for p in read_article(html).passages]
    assert found == [
        ("T", "title", None),
        ("a", "text", None),
        ("One", "text", None),
        ("b:", "text", "One"),
        ("c", "list", "One: b:"),
        ("d", "list", "One: b:"),
        ("e", "list", "One: b:"),
        ("Two", "text", None),
        ("f", "caption", "Two"),
        ("bare text", "text", "Two"),
        ("g", "list", "Two"),
        ("h", "list", "Two"),
    ]


def test_furniture_is_left_out() -> None:
    html = (
        "<body><nav>n</nav><div role='dialog'>cookies</div><header>h</header><main><article><h1>T</h1>"
        f"<p>{'word ' * 60}</p><div class='related-posts'>r</div><aside><a href=x>link</a></aside>"
        "<div class='newsletterSignup'>s</div><p><a href=y>Read more: 3x</a></p><button>b</button></article>"
        "</main><footer>f</footer></body>"
    )
    assert [where for where, _ in texts(html)] == ["title", "text"]


def test_hidden_and_lazy_parts_are_read_once() -> None:
    html = body(
        "<p>first of all paragraphs</p><div hidden><p>opened by a click only</p></div>"
        "<noscript><p>opened by a click only</p></noscript>"
        "<details><summary>s</summary><p>folded text</p></details>"
    )
    assert [text for _, text in texts(html)] == [
        "first of all paragraphs",
        "opened by a click only",
        "s",
        "folded text",
    ]


def test_each_cell_knows_its_heads() -> None:
    html = body(
        "<table><caption>C</caption><thead><tr><th rowspan=2>Model</th><th colspan=2>8x B300</th>"
        "<th>72x GB300</th></tr><tr><th>Offline</th><th>Server</th><th>Offline</th></tr></thead><tbody>"
        "<tr><th rowspan=2>A</th><td>1,000</td><td>2,000</td><td>3,000</td></tr>"
        "<tr><td>4,000</td><td>5,000</td><td>6,000</td></tr>"
        "<tr><td colspan=4>Group</td></tr><tr><td>B</td><td>7,000</td><td>8,000</td><td>9,000</td></tr>"
        "</tbody></table>"
    )
    article = read_article(html)
    (grid,) = article.tables
    assert grid.caption == "C"
    assert grid.heads == ("Model", "8x B300, Offline", "8x B300, Server", "72x GB300, Offline")
    heads = {cell.text: cell.headers for row in grid.cells for cell in row}
    assert heads["5,000"] == ("8x B300, Server", "A")
    assert heads["9,000"] == ("72x GB300, Offline", "Group, B")
    assert [cell.text for cell in grid.cells[1]] == ["A", "4,000", "5,000", "6,000"]
    table = next(p for p in article.passages if p.where == "table")
    assert table.headers == grid.heads
    assert table.heading == "C"
    assert table.text.splitlines()[0] == "| Model | 8x B300, Offline | 8x B300, Server | 72x GB300, Offline |"
    assert table.text.splitlines()[3] == "| Group, B | 7,000 | 8,000 | 9,000 |"


def test_a_table_without_heads_and_a_table_that_lays_out_the_page() -> None:
    plain = body("<table><tr><td>Model</td><td>Offline</td></tr><tr><td>A</td><td>1,000</td></tr></table>")
    assert read_article(plain).tables[0].heads == ("Model", "Offline")
    pairs = body("<table><tr><td>GPU</td><td>8x B300</td></tr><tr><td>CPU</td><td>2x Xeon</td></tr></table>")
    assert read_article(pairs).tables[0].heads == ()
    layout = body(
        "<table role=presentation><tr><td>left</td><td>right</td></tr><tr><td>a</td><td>b</td></tr></table>"
    )
    assert read_article(layout).tables == ()
    inner = "<table><tr><td>A</td><td>B</td></tr><tr><td>C</td><td>1</td></tr></table>"
    outer = body(f"<table><tr><td><p>one</p></td><td>{inner}</td></tr></table>")
    assert [where for where, _ in texts(outer)] == ["text", "table"]


FOOTNOTES = [
    "<p>S<sup><a href='#a'>1</a></sup></p><ol><li id='a'>N <a href='#r'>↩</a></li></ol>",
    "<p>S<a href='#_ftn1'>[1]</a></p><div id='_ftn1'><a href='#_ftnref1'>[1]</a> N</div>",
    "<p>S<sup>1</sup></p><div class='footnotes'><p>1. N</p></div>",
    "<p>S<a href='#fn:1' class='footnote-ref'>1</a></p>"
    "<ol class='footnotes'><li id='fn:1'><p>N <a href='#x'>↩</a></p></li></ol>",
    "<p>S<a href='#x7'>7</a></p><div id='x7'>7 N</div>",
    "<p>S<sup>1</sup></p><p><sup>1</sup> N</p>",
    "<p>S¹</p><p>¹ N</p>",
    "<p>S*</p><p>* N</p>",
    "<p>S†</p><p><small>† N</small></p>",
    "<p>S [1]</p><h2>References</h2><p>[1] N</p>",
    "<p>S<sup>1</sup></p><h3>Fußnoten</h3><ol><li>N</li></ol>",
    "<p>S<sup>2</sup></p><section role='doc-endnotes'><ol start=2><li>N</li></ol></section>",
    "<p>S<sup id='cite_ref-1'><a href='#cite_note-1'>[1]</a></sup></p>"
    "<ol class='references'><li id='cite_note-1'>^ N</li></ol>",
]


@pytest.mark.parametrize("html", FOOTNOTES)
@pytest.mark.parametrize("outside", [False, True])
def test_a_footnote_is_tied_to_the_sentence_that_cites_it(html: str, outside: bool) -> None:
    said = html.replace("S", "We measured a very large system").replace(
        "N", "Entry 6.1-0001 of the closed division."
    )
    first, end, rest = said.partition("</p>")
    page = f"<body><article>{first}{end}{'' if outside else rest}</article>{rest if outside else ''}</body>"
    article = read_article(page)
    assert [p.text.strip() for p in article.passages if p.where == "text"] == [
        "We measured a very large system"
    ]
    (note,) = article.notes
    assert note.text.removeprefix("^ ") == "Entry 6.1-0001 of the closed division."
    assert note.result_ids == ("6.1-0001",)
    (cited,) = article.cited
    assert (cited.passage, cited.note) == (0, 0)
    assert article.passages[0].text[: cited.at].strip() == "We measured a very large system"


def test_a_footnote_completes_only_the_sentence_that_cites_it(reader: Reader) -> None:
    html = body(
        "<p>In MLPerf Inference v6.1, GB300 is 1.5x faster than MI355X.<sup>1</sup> "
        "B300 is 1.2x faster than B200.<sup>2</sup></p>"
        "<div class=footnotes><p>1 GPT-OSS-120B, offline. IDs 6.1-0001 to 6.1-0003.</p>"
        "<p>2 DeepSeek-R1, server. ID 6.1-0009.</p></div>"
    )
    first, second = claims(html, reader)
    assert first.claim.result_ids == ("6.1-0001", "6.1-0002", "6.1-0003")
    assert (first.claim.model, first.claim.scenario) == ("gpt-oss-120b", "offline")
    assert {"model", "scenario"} <= set(first.claim.from_context)
    assert second.claim.result_ids == ("6.1-0009",)
    assert (second.claim.model, second.claim.scenario) == ("deepseek-r1", "server")


def test_a_mark_in_a_table_holds_for_its_cell_its_row_or_its_column(reader: Reader) -> None:
    html = body(
        "<p>MLPerf Inference v6.1 with 8x B300, tokens/s:</p><table><tr><th>Model</th>"
        "<th>Offline<sup>1</sup></th><th>Server</th></tr><tr><td>GPT-OSS-120B<sup>2</sup></td><td>106,637</td><td>100,630<sup>3</sup></td></tr>"
        "<tr><td>Llama 2 70B</td><td>109,277</td><td>106,949</td></tr></table><div class=footnotes>"
        + "".join(f"<p>{n} Entry 6.1-000{n}.</p>" for n in (1, 2, 3))
        + "</div>"
    )
    found = {one.claim.value: one.claim.result_ids for one in claims(html, reader)}
    assert found == {
        106637: ("6.1-0001", "6.1-0002"),
        100630: ("6.1-0002", "6.1-0003"),
        109277: ("6.1-0001",),
        106949: (),
    }


def test_a_caption_below_a_table_belongs_to_it(reader: Reader) -> None:
    html = body(
        "<p>One submission, two scenarios, on DeepSeek-R1.</p><table><tr><td></td><td>GB300 x72</td></tr>"
        "<tr><td>Offline</td><td>679,740</td></tr><tr><td>Server</td><td>596,944</td></tr></table>"
        "<p>Table 1. Tokens per second, DeepSeek-R1. MLPerf Inference v6.1, entry 6.1-0081, "
        "accessed today.</p>"
    )
    assert [passage.where for passage in read_article(html).passages] == ["text", "table", "caption"]
    found = [(one.claim.value, one.claim.scenario, one.claim.result_ids) for one in claims(html, reader)]
    assert found == [(679740, "offline", ("6.1-0081",)), (596944, "server", ("6.1-0081",))]


def test_an_article_is_about_the_newest_round_that_its_opening_names(reader: Reader) -> None:
    opening = "<p>Results of MLPerf Inference v6.1 are out.</p><p>Half a year ago v6.0 was.</p>"
    claim = "<h2>x</h2><p>GB300 is 1.5x faster than MI355X on GPT-OSS-120B offline.</p>"
    assert [one.claim.round for one in claims(body(opening + claim), reader)] == ["v6.1"]
    history = (
        "<p>In MLPerf Inference v5.1 it began.</p>" + "<p>More.</p>" * 3 + claim + "<p>Then v6.1 came.</p>"
    )
    assert [one.claim.round for one in claims(body(history), reader)] == [None]


def test_a_section_goes_on_in_its_next_paragraph(reader: Reader) -> None:
    first = (
        "<p>In MLPerf Inference v6.1, eight B300 GPUs reached 106,637 tokens/s on GPT-OSS-120B offline.</p>"
    )
    (_, second) = claims(body(f"{first}<p>That is 1.2x the throughput of eight B200 GPUs.</p>"), reader)
    assert (second.claim.subject.accelerator, second.claim.model) == ("B300", "gpt-oss-120b")


def test_a_rounded_repetition_is_the_same_claim_and_a_near_number_is_not(reader: Reader) -> None:
    title = "<h1>GB300 is 3x faster than MI355X</h1>"
    page = f"{title}<p>In MLPerf Inference v6.1 GB300 is {{}} faster than MI355X.</p>"
    assert len(claims(body(page.format("2.77x")), reader)) == 1
    assert len(claims(body(page.format("2.6x")), reader)) == 2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("6.1-0001", ["6.1-0001"]),
        ("4.1-0013 to 4.1-0016", ["4.1-0013", "4.1-0014", "4.1-0015", "4.1-0016"]),
        ("6.1-0011–0013", ["6.1-0011", "6.1-0012", "6.1-0013"]),
        ("6.1-0011, -0012 and 6.1-0020", ["6.1-0011", "6.1-0012", "6.1-0020"]),
        ("5.1-0069, 0071, 0072", ["5.1-0069", "5.1-0071", "5.1-0072"]),
        ("ID 0.5-12", ["0.5-12"]),
        ("6.1-0011, 2026", ["6.1-0011"]),
        ("v1.16.1-0011 16.1-0011 6.1-00111 1.5-20x 2.5-3.5x", []),
        ("6.1-0001 to 6.1-9999", ["6.1-0001", "6.1-9999"]),
        ("6.1-0005 bis 6.1-0004", ["6.1-0005", "6.1-0004"]),
    ],
)
def test_result_ids(text: str, found: list[str]) -> None:
    assert list(result_ids(text)) == found


@pytest.mark.parametrize(
    ("head", "inner"),
    [
        ("<meta property='article:published_time' content='2026-04-02T08:00:00Z'>", ""),
        (
            '<script type=\'application/ld+json\'>{"@type":"Article","datePublished":"2026-04-02"}</script>',
            "",
        ),
        ("", "<time datetime='2026-04-02'>yesterday</time>"),
        ("", "<p class='byline'>By A. Writer, April 2, 2026</p>"),
        ("", "<p>2 Apr 2026</p>"),
        ("", "<p>2. April 2026</p>"),
        ("", "<p>BERLIN, Germany, April 2, 2026 -- A company, maker of servers, announces results.</p>"),
    ],
)
def test_the_date_of_a_page(head: str, inner: str) -> None:
    html = body(
        f"<h1>T</h1>{inner}<p>Results of 9 March 2025, retrieved on 1 May 2026, are compared.</p>", head
    )
    assert read_article(html).published == datetime.date(2026, 4, 2)


def test_a_date_in_the_text_is_not_the_pages() -> None:
    assert (
        read_article(body("<h1>T</h1><p>In the round of 9 March 2025 the largest system won.</p>")).published
        is None
    )


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>A | Site</title><article><h1>B</h1></article>", "B"),
        ("<title>A | Site</title><h1>x</h1><h1>y</h1>", "A"),
        ("<title>A - b | Site</title><meta property='og:title' content='C | Blog'>", "C"),
        ("<title> </title><p>x</p>", None),
        ("", None),
    ],
)
def test_the_title_of_a_page(html: str, title: str | None) -> None:
    assert read_article(html).title == title


@pytest.mark.parametrize(
    ("html", "charset"),
    [
        ("Größe 3×".encode(), None),
        ("Größe 3×".encode(), "klingon"),
        ("Größe 3×".encode(), "utf-16"),
        ("Größe 3×".encode("latin-1"), "iso-8859-1"),
        ("Größe 3×".encode("cp1252"), None),
        (b"\xef\xbb\xbf" + "Größe 3×".encode(), "iso-8859-1"),
        ("\ufeffGröße 3×".encode("utf-16-le"), None),
        (b"<meta charset='iso-8859-1'>" + "Größe 3×".encode("latin-1"), None),
        (b"<meta charset='idna'>" + "Größe 3×".encode(), None),
    ],
)
def test_a_page_is_decoded(html: bytes, charset: str | None) -> None:
    assert decoded(html, charset).endswith("Größe 3×")


def test_an_article_that_never_names_the_benchmark_has_no_claims(reader: Reader) -> None:
    assert claims(body("<p>GB300 is 1.5x faster than MI355X on GPT-OSS-120B offline.</p>"), reader) == []


def test_what_is_said_of_other_things_is_no_claim(reader: Reader) -> None:
    html = body(
        "<h1>Our MLPerf Inference v6.1 results</h1>"
        "<p>GB300 is 1.5x faster than MI355X on GPT-OSS-120B offline.</p>"
        "<p>Checkpoints load 5x quicker, and rollout takes 40% less time.</p>"
    )
    assert [one.claim.value for one in claims(html, reader)] == [1.5]


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000,
        "<b>" * 50_000,
        "<svg>" + "<td>" * 50_000,
        "<svg><script>" + "<div>" * 50_000,
        "<!-- --!>" + "<div>" * 50_000 + "-->",
        "<p " + " ".join(f"a{n}=1" for n in range(50_000)) + ">",
        '<p ="' + " ".join(f"a{n}" for n in range(50_000)) + '">',
    ],
)
def test_a_page_that_would_take_a_parser_long_is_refused(html: str) -> None:
    start = time.perf_counter()
    with pytest.raises(ArticleError):
        read_article(html)
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    "html",
    [
        "<p>x" * 50_000,
        "<li>" * 50_000,
        "<script>" * 50_000,
        "<!--" * 50_000,
        "<" * 300_000,
        "<a<" * 100_000,
        "<p>" + "x<sup>1</sup>" * 20_000,
        "<table>" + ("<tr>" + "<td colspan=1000 rowspan=65000>x" * 20) * 2_000,
        "<div class='" + "a " * 200_000 + "'>x</div>",
        ("<span>" * 200 + "x" + "</span>" * 200) * 300,
        ("<ul><li>" * 120 + "x" + "</li></ul>" * 120) * 50,
        "6.1-0001, " * 30_000,
        "<time>2026 1</time>" * 20_000,
        "<title>" + "x" * 300_000,
    ],
)
def test_a_hostile_page_takes_no_time(html: str) -> None:
    start = time.perf_counter()
    read_article(html)
    assert time.perf_counter() - start < 4


TAGS = (
    "p", "div", "span", "sup", "a", "ul", "li", "ol", "table", "tr", "td", "th", "h1", "h2", "article",
    "section", "b", "br", "aside", "figure", "figcaption", "svg",
)  # fmt: skip
WORDS = (
    "MLPerf",
    "3.1x",
    "1,234",
    "*",
    "[1]",
    "6.1-0001",
    "GB300",
    "&amp;",
    "<",
    "\x00",
    "\ud800",
    "ß",
    "|",
    "\n",
)


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=0, max_value=1 << 32))
def test_no_page_breaks_it(seed: int) -> None:
    chance = random.Random(seed)
    attributes = ("", " id=a", " href='#a'", " colspan=3", " rowspan=2", " class=footnotes", " start=x")
    parts = []
    for _ in range(chance.randint(1, 80)):
        tag = chance.choice(TAGS)
        parts.append(
            chance.choice((f"<{tag}{chance.choice(attributes)}>", f"</{tag}>", chance.choice(WORDS)))
        )
    html = "".join(parts)
    article = read_article(html)
    for cited in article.cited:
        assert 0 <= cited.at <= len(article.passages[cited.passage].text)
        assert cited.note < len(article.notes)
    assert all(passage.text for passage in article.passages)
    read_article(html.encode("utf-8", "surrogatepass"))
