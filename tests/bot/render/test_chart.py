"""Charts: what they show, in words and in pixels."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from bot.render import chart, plots
from bot.render.plots import ALT, MOST_BARS, MOST_DELTAS, Plot
from bot.telling.case import Case
from bot.telling.guidelines import text_faults
from bot.telling.tables import Bar, Table, table
from bot.wording import LANGUAGES, Language, words
from knowledge.deltas import Delta
from knowledge.rounds import Comparability
from knowledge.row import Row
from tests.bot.cases import CASES
from tests.bot.making import AMD_8, NVIDIA_V60, NVIDIA_V61, RUBIN, claim, group, made, row

EACH = pytest.mark.parametrize("language", LANGUAGES)
EDGE = 6  # this many pixels along the paper's edge stay empty


def bar(value: float, **other: str) -> Bar:
    """A bar of GPT-OSS-120B offline, unless told otherwise."""
    fields = {
        "system": "72 GB300",
        "kind": "GB300",
        "size": "72 GPUs",
        "submitter": "CoreWeave",
        "round": "v6.1",
        "category": "Available",
        "benchmark": "GPT-OSS-120B offline",
        "unit": "tokens/s per accelerator (derived, unverified)",
    }
    return Bar(value, **{**fields, **other})


def table_of(
    *bars: Bar, title: str = "MLPerf® Inference v6.1, Closed, Available, GPT-OSS-120B offline"
) -> Table:
    """A table that has nothing but bars."""
    return Table(title, "", (), (), derived=True, bars=bars)


def delta(before: Row, after: Row, ratio: float) -> Delta:
    """A change between two rows."""
    return Delta(before, after, ratio, Comparability("official", True), ("round",), ())


def drawn(plot: Plot | None) -> Plot:
    """The plot, which there must be."""
    assert plot is not None
    return plot


def pixels(plot: Plot | None, theme: chart.Theme = "light") -> np.ndarray:
    """The picture as (height, width, RGB); a picture whose edge is not empty is cut off."""
    made = chart.png(drawn(plot), theme)
    picture = np.asarray(Image.open(io.BytesIO(made.png)).convert("RGB"))
    assert picture.shape == (made.height, made.width, 3)
    ground = picture[0, 0]
    for edge in (picture[:EDGE], picture[-EDGE:], picture[:, :EDGE], picture[:, -EDGE:]):
        assert (edge == ground).all(), "something is cut off at the edge"
    assert (picture != ground).any(), "the picture is empty"
    return picture


def lengths(picture: np.ndarray, colour: str) -> list[int]:
    """The lengths in pixels of the lanes of one colour, from the top down."""
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    hit = (np.abs(picture.astype(int) - wanted) <= 8).all(axis=2)
    found: list[int] = []
    inside = False
    for line in hit:
        if line.sum() > 1 and not inside:
            xs = np.flatnonzero(line)
            found.append(int(xs[-1] - xs[0] + 1))
        inside = bool(line.sum() > 1)
    return found


def test_bars_are_as_long_as_their_figures() -> None:
    picture = pixels(plots.bars(table_of(bar(1000.0), bar(500.0, system="8 GB300")), words("en")))
    first, second = lengths(picture, chart.THEMES["light"].sides[0])
    assert first == pytest.approx(2 * second, abs=3)


def test_a_bar_that_is_tiny_beside_another_is_still_seen() -> None:
    picture = pixels(plots.bars(table_of(bar(1e9), bar(1e-4, system="8 GB300")), words("en")))
    assert lengths(picture, chart.THEMES["light"].sides[0])[1] >= 2


def test_two_benchmarks_never_share_a_scale() -> None:
    plot = drawn(
        plots.bars(table_of(bar(16000.0), bar(18.0, benchmark="Qwen3-VL-235B-A22B interactive")), words("en"))
    )
    assert [panel.high for panel in plot.panels] == [16000.0, 18.0]
    assert [panel.head.split(",")[0] for panel in plot.panels] == [
        "GPT-OSS-120B offline",
        "Qwen3-VL-235B-A22B interactive",
    ]


def test_sides_are_told_apart_by_colour_and_hatch_and_named() -> None:
    plot = drawn(plots.bars(table_of(bar(2.0), bar(1.0, kind="MI355X", system="72 MI355X")), words("en")))
    first, second = plot.panels[0].lanes
    assert first.style != second.style
    assert chart.HATCHES[first.style] != chart.HATCHES[second.style]
    assert "72 GB300" in first.label
    assert "72 MI355X" in second.label


@EACH
def test_more_bars_than_a_picture_holds_are_counted(language: Language) -> None:
    w = words(language)
    plot = drawn(plots.bars(table_of(*(bar(float(n + 1), submitter=f"S{n}") for n in range(15))), w))
    assert len(plot.panels[0].lanes) == MOST_BARS
    assert plot.more == w.count("chart.more", 3)
    assert plot.more in plot.alt
    pixels(plot)


def test_no_bar_no_chart() -> None:
    assert plots.bars(table_of(), words("en")) is None
    assert plots.bars(table_of(bar(float("nan")), bar(float("inf"))), words("en")) is None
    assert plots.changes([], words("en")) is None


@pytest.mark.parametrize(
    "text",
    [
        "$x^2$ \\frac{1}{2} 100 % _a_ ^b",
        "超微 日本 한국",
        "Очень длинное название отправителя результатов",
        "🚀🔥",
        "a" * 300,
        "word " * 80,
        "",
        "<b>&amp;\"'",
    ],
)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_any_text_is_drawn_whole_or_cut_inside_the_paper(text: str, theme: chart.Theme) -> None:
    shown = table_of(bar(2.0, submitter=text, category=text), title=f"MLPerf® Inference v6.1, {text}")
    plot = drawn(plots.bars(shown, words("de")))
    pixels(plot, theme)
    assert len(plot.alt) <= ALT
    ET.fromstring(chart.svg(plot, theme))


@EACH
def test_a_change_starts_at_its_own_hundred_percent(language: Language) -> None:
    w = words(language)
    up, same, down = (delta(NVIDIA_V60, NVIDIA_V61, ratio) for ratio in (1.491, 1.0, 0.98))
    plot = drawn(plots.changes([up, same, down], w))
    lanes = plot.panels[0].lanes
    assert [lane.figure for lane in lanes] == [w.signed(share, 1) for share in (0.491, 0.0, -0.02)]
    assert all(lane.dots[0].hollow and lane.dots[0].at == 1.0 for lane in lanes)
    assert plot.panels[0].low == 0.98
    assert plot.panels[0].high == 1.491
    for figure in (w.figure(400437.0 / 72), w.figure(596944.0 / 72), w.signed(0.491, 1)):
        assert figure in plot.alt
    pixels(plot)


def test_a_small_change_looks_small() -> None:
    panel = drawn(plots.changes([delta(NVIDIA_V60, NVIDIA_V61, 0.98)], words("en"))).panels[0]
    assert panel.high - panel.low == pytest.approx(plots.LEAST_SPAN)


def test_a_change_tells_near_sizes_categories_and_units() -> None:
    near = Delta(
        replace(AMD_8, round="v6.0", availability="preview", accelerators=7, per_accelerator=AMD_8.value / 7),
        AMD_8,
        1.05,
        Comparability("ours", True),
        ("round", "scale", "availability"),
        (),
    )
    late = row("AMD", "MI355X", 8, 16.1, scenario="singlestream", unit="ms", lower_is_better=True)
    first, second = drawn(plots.changes([near, delta(late, late, 1.2)], words("en"))).panels[0].lanes
    assert "7 vs 8 MI355X" in first.label
    assert "Preview to Available" in first.detail
    assert "lower is better" in second.detail


def test_many_changes_are_cut_with_a_word() -> None:
    plot = drawn(plots.changes([delta(NVIDIA_V60, NVIDIA_V61, 1.1)] * (MOST_DELTAS + 1), words("en")))
    assert len(plot.panels[0].lanes) == MOST_DELTAS
    assert plot.more.startswith("1 ")


@EACH
def test_the_claim_is_marked_among_the_ratios(language: Language) -> None:
    w = words(language)
    told = claim("multiple", "3.7x", 3.7, "3.7", qualifier="up_to")
    pair = group(RUBIN, NVIDIA_V61, "availability")
    plot = drawn(plots.ratios(Case(told, made("frame", rows=(RUBIN, NVIDIA_V61), others=(pair,)), w)))
    equal, claimed = plot.panels[0].marks
    assert (equal.at, claimed.at, claimed.dashed) == (1.0, 3.7, True)
    assert "3.7" in claimed.label or "3,7" in claimed.label
    assert plot.panels[0].lanes[0].figure == w.ratio(pair.ratio)
    assert plot.title.startswith(w("chart.ratios_title_differ", sides="", title="x").split(":")[0])
    pixels(plot, "dark")


def test_a_claim_of_lower_latency_stands_on_the_scale_of_speed() -> None:
    late = {"scenario": "singlestream", "unit": "ms", "lower_is_better": True}
    fast, slow = row("AMD", "MI355X", 8, 10.0, **late), row("NVIDIA", "B300", 8, 20.0, **late)
    told = claim("percent", "40 % lower", 0.6, "40", direction="lower", metric="latency")
    reading = made("not_reproduced", rows=(fast, slow), like_for_like=(group(fast, slow),))
    panel = drawn(plots.ratios(Case(told, reading, words("en")))).panels[0]
    assert panel.marks[1].at == pytest.approx(1 / 0.6)
    assert panel.lanes[0].dots[0].at == pytest.approx(2.0)
    assert "50" in panel.lanes[0].figure


@pytest.mark.parametrize("told", CASES, ids=[case.name for case in CASES])
@EACH
def test_the_alt_text_carries_the_numbers_and_keeps_the_guidelines(told: object, language: Language) -> None:
    case = Case(told.claim, told.reading, words(language))  # type: ignore[attr-defined]
    shown = table(case)
    found = [plots.bars(shown, case.w) if shown else None, plots.ratios(case)]
    for plot in filter(None, found):
        assert re.search(r"MLPerf® Inference v\d\.\d", plot.alt)
        assert len(plot.alt) <= ALT
        assert all(lane.figure in plot.alt for panel in plot.panels for lane in panel.lanes)
        assert "verif" in plot.alt or not any(bar.derived for bar in (shown.bars if shown else ()))
        assert not text_faults(plot.alt)
        assert not text_faults(f"{plot.title}\n{plot.note}")


def test_the_same_plot_gives_the_same_bytes_also_from_several_threads() -> None:
    plot = drawn(plots.bars(table_of(bar(2.0), bar(1.0, kind="MI355X")), words("en")))
    with ThreadPoolExecutor(4) as pool:
        pictures = {made.png for made in pool.map(chart.png, [plot] * 4)}
        drawings = set(pool.map(chart.svg, [plot] * 3))
    assert len(pictures) == 1
    assert len(drawings) == 1
    assert not re.search(rb"tEXt|iTXt|tIME", pictures.pop())


def test_an_svg_names_itself_and_runs_nothing() -> None:
    text = chart.svg(drawn(plots.bars(table_of(bar(2.0, submitter='"><script>')), words("en"))))
    root = ET.fromstring(text)
    assert root.get("role") == "img"
    assert "72 GB300" in (root.get("aria-label") or "")
    assert "<script" not in text


def test_the_settings_of_the_users_matplotlib_stay_and_do_not_matter() -> None:
    import matplotlib as mpl

    plot = drawn(plots.bars(table_of(bar(2.0)), words("en")))
    before = chart.png(plot).png
    with mpl.rc_context({"font.size": 40, "savefig.dpi": 20, "text.color": "red"}):
        assert chart.png(plot).png == before
        assert mpl.rcParams["font.size"] == 40


def test_matplotlib_is_loaded_by_the_first_chart_only() -> None:
    code = "import sys, bot.render.chart; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, as WCAG 2.2 defines it."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everything_stands_out_from_its_ground(theme: chart.Theme) -> None:
    colours = chart.THEMES[theme]
    assert min(contrast(colours.ground, text) for text in (colours.ink, colours.muted)) >= 7
    assert min(contrast(colours.ground, mark) for mark in (*colours.sides, colours.rule)) >= 3
