"""`check`: the claims of a page, from the web or from a file, with their readings."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot import answer
from bot.errors import UserError
from bot.links.checking import ArticleAnswer, check_html, check_url, document
from bot.links.fetch import Fetcher
from bot.links.policy import FetchError, FetchPolicy
from bot.settings import settings
from bot.wording import words


def run(target: str, *, as_json: bool, lang: str | None, details: bool = False) -> str:
    """What `check` prints. Raises UserError with one line where the page cannot be read."""
    try:
        found = asyncio.run(_fetched(target, lang)) if _is_link(target) else _from_file(target, lang)
    except FetchError as error:
        w = words("de" if (lang or settings().lang) == "de" else "en")
        raise UserError(f"{target}: {w(f'links.reason.{error.reason}')}") from None
    if as_json:
        return answer.to_json(document(found))
    from bot.render.text import render

    return render(found.reply, details=details)


def _is_link(target: str) -> bool:
    return target.lower().startswith(("http://", "https://"))


async def _fetched(url: str, lang: str | None) -> ArticleAnswer:
    return await check_url(url, lang=lang, fetcher=Fetcher(FetchPolicy(proxy=settings().proxy)))


def _from_file(name: str, lang: str | None) -> ArticleAnswer:
    with Path(name).open("rb") as file:
        html = file.read(FetchPolicy().most_bytes + 1)
    if len(html) > FetchPolicy().most_bytes:
        raise FetchError("too_large")
    return check_html(html, lang=lang)
