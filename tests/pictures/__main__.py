"""`make pictures`: the pictures of the documents, made of what the program gives today."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot import answer
from bot.render import chart, plots
from bot.render import slack as blocks
from bot.render.plots import Plot
from bot.telling.case import Case
from bot.wording import words
from knowledge.deltas import deltas
from tests.bot.test_explore import served
from tests.browser import browser
from tests.conftest import ROOT
from tests.pictures import discord, replies, slack

FOLDER = ROOT / "docs" / "pictures"
IN_DISCORD = ("frame", "contradicted", "no-rows")
SPREAD = "B300 is up to 1.3x faster than B200 in MLPerf® Inference v6.0."


def charts() -> dict[str, Plot | None]:
    """One chart of each kind."""
    w = words("en")
    store = answer.desk().store
    spread = answer.answer(SPREAD)
    table = replies.reply("frame").chart
    moved = deltas(store.rows, store.names, store.rounds, since="v6.0", submitters=["AMD", "Lambda", "Intel"])
    return {
        "chart-bars": plots.bars(table, w) if table else None,
        "chart-changes": plots.changes(moved, w),
        "chart-ratios": plots.ratios(Case(spread.claims[0], spread.readings[0], w)),
    }


def slack_messages(folder: Path) -> None:
    """Each reply and the digest, as Slack draws their blocks."""
    digest = blocks.page(replies.digest().page(), reply_id=replies.ID, more=True)
    with slack.window() as page:
        for name in replies.CLAIMS:
            posted = blocks.message(replies.reply(name), reply_id=replies.ID, poster=replies.POSTER)
            (folder / f"slack-{name}.png").write_bytes(slack.picture(page, posted.blocks))
        (folder / "slack-digest.png").write_bytes(slack.picture(page, digest.blocks))


def discord_messages(folder: Path) -> None:
    """Three of the replies and the digest, as Discord draws them."""
    claims = {name: replies.CLAIMS[name] for name in IN_DISCORD}
    for name, picture in asyncio.run(discord.pictures(claims, replies.digest().page())).items():
        (folder / f"discord-{name}.png").write_bytes(picture)


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
    slack_messages(FOLDER)
    discord_messages(FOLDER)
    explore(FOLDER)


if __name__ == "__main__":
    main()
