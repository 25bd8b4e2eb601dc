"""`smallprint run` is killed in the middle of its answers: each question is answered once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.bot.discord.killing import play


def test_every_question_is_answered_once(tmp_path: Path) -> None:
    outcome = asyncio.run(play(tmp_path))
    assert (outcome.doubled, outcome.unanswered, outcome.strays) == (0, 0, 0), outcome
