"""The digest: what is new in the published rows since a channel was told last, and when it is due.

Pure: no chat, no clock, no state of its own. `news(store, mark, today)` finds what is new, `digest(news,
options)` puts it into words, `due(now, subscriptions, log)` says who gets it.
"""

from __future__ import annotations

from bot.digest.digest import Digest, Section, digest
from bot.digest.mark import Mark, since_round
from bot.digest.news import News, news
from bot.digest.options import Options, parsed
from bot.digest.schedule import Due, Subscription, due

__all__ = [
    "Digest",
    "Due",
    "Mark",
    "News",
    "Options",
    "Section",
    "Subscription",
    "digest",
    "due",
    "news",
    "parsed",
    "since_round",
]
