"""Draws a `Plot` as a PNG or SVG, light or dark.

Every figure is printed beside its lane, so that nothing is told by length or colour alone. Call it off
the event loop: a chart takes about a tenth of a second, and matplotlib draws one at a time.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from bot.render.plots import Lane, Panel, Plot
from bot.telling.naming import cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Theme = Literal["light", "dark"]

# All lengths are pixels of the finished picture; chats show it at about half its width.
WIDTH = 1000
EDGE = 28
FIGURE = 150  # the column of figures to the right of the lanes
BAR = 22
DPI = 100
TITLE_LINES = 3
TEXT_LINES = 2

# Tried in this order for signs that the first lacks; DejaVu comes with matplotlib, the rest where installed.
FONTS = (
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans KR",
    "Noto Sans",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "Hiragino Sans",
    "Arial Unicode MS",
)
UNKNOWN = "\u25a1"  # for a sign that no font has; the alt text has the sign itself


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture with its alt text, in pixels."""

    png: bytes
    alt: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Colours:
    """A theme; `sides` and `HATCHES` together tell sides apart."""

    ground: str
    ink: str
    muted: str
    rule: str
    sides: tuple[str, ...]


# Text has a contrast of at least 7 against its ground, sides and lines of at least 3 (WCAG 2.2).
THEMES: dict[Theme, Colours] = {
    "light": Colours(
        "#ffffff", "#1d1c1d", "#555256", "#8a868c", ("#1f6fb5", "#b45309", "#4d7c0f", "#7e3fa8")
    ),
    "dark": Colours("#1f2024", "#f2f2f3", "#b9bbc1", "#868992", ("#6cb2f0", "#f0a35a", "#a3c95c", "#cf9ff0")),
}
HATCHES = ("", "////", "....", "xxxx")

_lock = threading.Lock()  # matplotlib's fonts and settings belong to the process


def png(plot: Plot, theme: Theme = "light") -> Chart:
    """The chart as PNG; the same plot gives the same bytes with the same matplotlib."""
    with _drawn(plot, theme) as (figure, height):
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
    return Chart(out.getvalue(), plot.alt, WIDTH, height)


def svg(plot: Plot, theme: Theme = "light") -> str:
    """The chart as an SVG element for an HTML page, with the alt text as its label; letters are drawn."""
    with _drawn(plot, theme) as (figure, _):
        out = io.StringIO()
        figure.savefig(out, format="svg", dpi=DPI, metadata=dict.fromkeys(("Date", "Creator")))
    text = out.getvalue()
    label = f'<svg role="img" aria-label="{escape(plot.alt)}" '
    return label + text[text.index("<svg ") + len("<svg ") :]


@contextmanager
def _drawn(plot: Plot, theme: Theme) -> Iterator[tuple[Any, int]]:
    """The figure of a plot and its height, while nobody else draws."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with _lock, mpl.rc_context():
        mpl.rcdefaults()  # the style of the machine's user is not ours
        mpl.rcParams.update(
            {
                "svg.hashsalt": "smallprint",
                "hatch.linewidth": 2.0,
                "font.family": _installed(),
                "text.hinting": "no_hinting",  # letters are drawn as wide as they were measured
            }
        )
        paper = Paper(THEMES[theme])
        draw(paper, plot)
        height = round(paper.y + EDGE)
        figure = Figure(figsize=(WIDTH / DPI, height / DPI), dpi=DPI, facecolor=paper.colours.ground)
        FigureCanvasAgg(figure)
        paper.onto(figure.add_axes((0, 0, 1, 1)), height)
        yield figure, height


@lru_cache(maxsize=1)
def _installed() -> list[str]:
    from matplotlib.font_manager import fontManager

    have = {entry.name for entry in fontManager.ttflist}
    return [name for name in FONTS if name in have]


@lru_cache(maxsize=1)
def _signs() -> frozenset[int]:
    """The characters that the fonts have."""
    from matplotlib.font_manager import findfont, get_font

    return frozenset(sign for name in _installed() for sign in get_font(findfont(name)).get_charmap())


def drawable(text: str) -> str:
    """The text in one line, each sign that no font has replaced."""
    signs = _signs()
    return "".join(sign if ord(sign) in signs else UNKNOWN for sign in " ".join(text.split()))


@dataclass
class Paper:
    """What is to be drawn, from the top down; `y` is where the next thing goes."""

    colours: Colours
    y: float = EDGE
    shapes: list[dict[str, Any]] = field(default_factory=list)
    texts: list[dict[str, Any]] = field(default_factory=list)

    def width(self, text: str, size: float, bold: bool) -> float:
        """How wide a text is."""
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import text_to_path

        # The size is taken in points and the width given in them: both in pixels comes to the same.
        font = FontProperties(size=size, weight="bold" if bold else "normal")
        return text_to_path.get_text_width_height_descent(drawable(text), font, ismath=False)[0]

    def fitted(self, text: str, size: float, bold: bool, room: float) -> str:
        """The text, cut where it is wider than `room`."""
        while len(text) > 1 and (wide := self.width(text, size, bold)) > room:
            text = cut(text, max(1, min(len(text) - 1, int(len(text) * room / wide))))
        return text

    def wrapped(self, text: str, size: float, bold: bool, room: float, most: int) -> list[str]:
        """The text in at most `most` lines, broken between words; the last one is cut."""
        lines: list[str] = []
        words = text.split()
        while words and len(lines) < most - 1:
            line = words.pop(0)
            while words and self.width(f"{line} {words[0]}", size, bold) <= room:
                line = f"{line} {words.pop(0)}"
            if self.width(line, size, bold) > room:
                # One word wider than the paper: break it wherever it fits.
                fits = max(1, int(len(line) * room / self.width(line, size, bold)) - 1)
                line, rest = line[:fits], line[fits:]
                words.insert(0, rest)
            lines.append(line)
        if words:
            lines.append(self.fitted(" ".join(words), size, bold, room))
        return lines

    def paragraph(
        self,
        text: str,
        size: float,
        *,
        bold: bool = False,
        muted: bool = False,
        room: float = WIDTH - 2 * EDGE,
        most: int = TEXT_LINES,
    ) -> None:
        """Lines of text at the left edge, below what stands there."""
        for line in self.wrapped(text, size, bold, room, most):
            self.put(line, EDGE, self.y + size, size, bold=bold, muted=muted)
            self.y += size * 1.35

    def put(self, text: str, x: float, base: float, size: float, **how: Any) -> None:
        """A text on its base line; `how`: bold, muted, align."""
        self.texts.append(
            {
                "s": drawable(text),
                "x": x,
                "y": base,
                "fontsize": size * 72 / DPI,
                "fontweight": "bold" if how.get("bold") else "normal",
                "color": self.colours.muted if how.get("muted") else self.colours.ink,
                "ha": how.get("align", "left"),
            }
        )

    def onto(self, axes: Axes, height: float) -> None:
        """Draw everything, in pixels from the top left corner."""
        from matplotlib.lines import Line2D
        from matplotlib.patches import Ellipse, Rectangle

        axes.set_axis_off()
        axes.set_xlim(0, WIDTH)
        axes.set_ylim(height, 0)
        kinds = {"bar": Rectangle, "dot": Ellipse}
        for shape in self.shapes:
            made = dict(shape)
            kind = made.pop("kind")
            if kind == "line":
                axes.add_line(Line2D(**made))
            else:
                axes.add_patch(kinds[kind](**made))
        for text in self.texts:
            axes.text(va="baseline", parse_math=False, clip_on=False, **text)


def draw(paper: Paper, plot: Plot) -> None:
    """The whole chart: title, panels, what is left out, note."""
    paper.paragraph(plot.title, 25, bold=True, most=TITLE_LINES)
    for panel in plot.panels:
        paper.y += 12 if panel is plot.panels[0] else 24
        draw_panel(paper, panel)
    if plot.more:
        paper.y += 10
        paper.paragraph(plot.more, 20, muted=True)
    paper.y += 12
    paper.paragraph(plot.note, 17, muted=True)


def draw_panel(paper: Paper, panel: Panel) -> None:
    """One scale: its head, the names of its upright lines, its lanes."""
    if panel.head:
        paper.paragraph(panel.head, 20, muted=True)
    right = WIDTH - EDGE - FIGURE
    pad = 0.0 if panel.low == 0 and not panel.marks else 12.0
    span = panel.high - panel.low

    def at(value: float) -> float:
        share = (value - panel.low) / span if span > 0 else 0.5 if panel.marks else 1.0
        return EDGE + pad + share * (right - EDGE - 2 * pad)

    for mark in panel.marks:
        name = paper.fitted(mark.label, 18, False, WIDTH - 2 * EDGE)
        half = paper.width(name, 18, False) / 2
        x = min(max(at(mark.at), EDGE + half), WIDTH - EDGE - half)
        paper.put(name, x, paper.y + 20, 18, muted=not mark.dashed, bold=mark.dashed, align="center")
        paper.y += 26
    beside = all(fits_beside(paper, lane) for lane in panel.lanes)
    group = None
    for lane in panel.lanes:
        paper.y += 8 if lane.group == group else 16
        group = lane.group
        draw_lane(paper, lane, at, beside=beside)
        for mark in panel.marks:
            # Only along the track: a line through the words would strike them out.
            rule(paper, at(mark.at), paper.y - BAR - 6, paper.y + 2, dashed=mark.dashed)


def rule(paper: Paper, x: float, top: float, bottom: float, *, dashed: bool) -> None:
    """An upright line; the claim's is dashed and stronger."""
    paper.shapes.append(
        {
            "kind": "line",
            "xdata": (x, x),
            "ydata": (top, bottom),
            "color": paper.colours.ink if dashed else paper.colours.rule,
            "linewidth": 2.4 if dashed else 1.4,
            "linestyle": (0, (3, 1.5)) if dashed else "-",
            "zorder": 1,
        }
    )


def fits_beside(paper: Paper, lane: Lane) -> bool:
    """Whether a lane's detail fits into the line of its label."""
    return paper.width(lane.label, 20, True) + 14 + paper.width(lane.detail, 18, False) <= WIDTH - 2 * EDGE


def draw_lane(paper: Paper, lane: Lane, at: Callable[[float], float], *, beside: bool) -> None:
    """One lane: its words, then its bar or dots with the figure to the right."""
    room = WIDTH - 2 * EDGE
    label = paper.fitted(lane.label, 20, True, room)
    used = paper.width(label, 20, True)
    paper.put(label, EDGE, paper.y + 20, 20, bold=True)
    if lane.detail and beside:
        paper.put(lane.detail, EDGE + used + 14, paper.y + 20, 18, muted=True)
    paper.y += 29
    if lane.detail and not beside:
        paper.put(paper.fitted(lane.detail, 18, False, room), EDGE, paper.y + 16, 18, muted=True)
        paper.y += 25
    middle = paper.y + BAR / 2
    paper.put(lane.figure, WIDTH - EDGE, middle + 8, 22, bold=True, align="right")
    draw_track(paper, lane, at, middle)
    paper.y += BAR + 4


def draw_track(paper: Paper, lane: Lane, at: Callable[[float], float], middle: float) -> None:
    """A bar from start to end, or a line with its dots."""
    colours = paper.colours
    colour = colours.sides[lane.style % len(colours.sides)]
    left, right = sorted((at(lane.start), at(lane.end)))
    if not lane.dots:
        # A result that is small beside the others is still seen to be there.
        paper.shapes.append(
            {
                "kind": "bar",
                "xy": (left, middle - BAR / 2),
                "width": max(2.0, right - left),
                "height": BAR,
                "facecolor": colour,
                "edgecolor": colours.ground,
                "linewidth": 0.0,
                "hatch": HATCHES[lane.style % len(HATCHES)],
                "zorder": 2,
            }
        )
        return
    line = {"color": colour, "linewidth": 4.0, "solid_capstyle": "butt", "zorder": 2}
    paper.shapes.append({"kind": "line", "xdata": (left, right), "ydata": (middle, middle), **line})
    for dot in lane.dots:
        size = BAR * (1.0 if dot.hollow else 0.72)
        paper.shapes.append(
            {
                "kind": "dot",
                "xy": (at(dot.at), middle),
                "width": size,
                "height": size,
                "facecolor": colours.ground if dot.hollow else colour,
                "edgecolor": colour,
                "linewidth": 2.4,
                "zorder": 3,
            }
        )
