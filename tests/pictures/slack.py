"""Messages as Slack draws them: our own page (`slack.html`) over the Block Kit JSON that would be sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser import Page, browser

PAGE = Path(__file__).with_name("slack.html")
WIDTH, HEIGHT = 780, 600  # of a channel's column on a notebook
SCALE = 1.5  # pixels a unit: legible on the screens of today


@contextmanager
def window() -> Iterator[Page]:
    """A browser that shows the page."""
    with browser() as page:
        page.size(WIDTH, HEIGHT, scale=SCALE)
        page.open(PAGE.as_uri())
        yield page


def show(page: Page, blocks: Sequence[dict[str, Any]]) -> None:
    """Draw blocks. Raises RuntimeError for a type that the page cannot draw."""
    page.run(f"show({json.dumps(list(blocks))})")


def picture(page: Page, blocks: Sequence[dict[str, Any]]) -> bytes:
    """A message as PNG."""
    show(page, blocks)
    return page.picture("#message")
