"""What the pictures show: claims with the answers that the program gives today, and the newest digest."""

from __future__ import annotations

from bot import answer
from bot.digest import Digest, Options, news, since_round
from bot.digest import digest as told
from bot.reply import Reply
from knowledge import clock

ID, POSTER = "0" * 32, "U0"

CLAIMS = {
    "frame": "In MLPerf® Inference v6.1, GB300 leads MI355X by 48 % per GPU on GPT-OSS-120B offline.",
    "software": "AMD's MI355X got 38 % faster on GPT-OSS-120B server from v6.0 to v6.1.",
    "contradicted": "In MLPerf® Inference v6.1, MI355X beats GB300 per GPU on GPT-OSS-120B offline.",
    "no-rows": "MI455X is 3x faster than GB300 on GPT-OSS-120B offline in MLPerf® Inference v6.1.",
}


def reply(name: str) -> Reply:
    """The reply to one of the claims."""
    return answer.answer(CLAIMS[name]).reply


def digest() -> Digest:
    """What v6.1 brought after v6.0."""
    store = answer.desk().store
    found = told(news(store, since_round(store.rows, store.rounds, "v6.0"), clock.today()), Options())
    assert found is not None
    return found
