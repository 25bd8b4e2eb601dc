"""`make pictures`: the pictures of the documents, made of what the program gives today."""

from __future__ import annotations

from pathlib import Path

from bot import answer
from bot.render import chart, plots
from bot.render.plots import Plot
from bot.telling.case import Case
from bot.wording import words
from knowledge.deltas import deltas
from tests.bot.test_explore import served
from tests.browser import browser
from tests.conftest import ROOT

FOLDER = ROOT / "docs" / "pictures"
FRAME = "In MLPerf® Inference v6.1, GB300 leads MI355X by 48 % per GPU on GPT-OSS-120B offline."
SPREAD = "B300 is up to 1.3x faster than B200 in MLPerf® Inference v6.0."


def charts() -> dict[str, Plot | None]:
    """One chart of each kind."""
    w = words("en")
    store = answer.desk().store
    framed, spread = answer.answer(FRAME), answer.answer(SPREAD)
    table = framed.reply.chart
    moved = deltas(store.rows, store.names, store.rounds, since="v6.0", submitters=["AMD", "Lambda", "Intel"])
    return {
        "chart-bars": plots.bars(table, w) if table else None,
        "chart-changes": plots.changes(moved, w),
        "chart-ratios": plots.ratios(Case(spread.claims[0], spread.readings[0], w)),
    }


def explore(folder: Path) -> None:
    """The site: rows with facets, the ranking, a row's page."""
    with served() as address, browser() as page:
        page.size(1200, 900)
        for name, path in (
            ("explore-rows", "/knowledge/rows?round=v6.1&model=gpt-oss-120b&scenario=offline"),
            ("explore-rank", "/knowledge/rank?model=gpt-oss-120b&scenario=offline&round=v6.1"),
        ):
            page.open(address + path)
            (folder / f"{name}.png").write_bytes(page.picture())
        page.click("td.col-row a")
        (folder / "explore-row.png").write_bytes(page.picture())


def main() -> None:
    """Draw every picture into docs/pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name, plot in charts().items():
        assert plot is not None, name
        (FOLDER / f"{name}.png").write_bytes(chart.png(plot).png)
    explore(FOLDER)


if __name__ == "__main__":
    main()
