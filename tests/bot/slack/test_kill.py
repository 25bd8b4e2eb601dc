"""`smallprint run` is killed while people ask: each is answered once (`make bench` does more of it)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.bot.slack.killing import play
from tests.conftest import needs
from tests.postgres import server


@pytest.mark.parametrize(("manifest", "direct"), [("thread", False), ("minimal", True)])
def test_every_question_is_answered_once(tmp_path: Path, manifest: str, direct: bool) -> None:
    outcome = asyncio.run(play(tmp_path, manifest=manifest, events=30, kills=2, direct=direct))
    assert (outcome.doubled, outcome.unanswered) == (0, 0)


def test_who_may_not_look_back_never_answers_twice(tmp_path: Path) -> None:
    outcome = asyncio.run(play(tmp_path, manifest="minimal", events=30, kills=2, seed=2))
    assert outcome.doubled == 0
    assert outcome.unanswered <= outcome.lost <= outcome.kills * 2


def test_two_replicas_on_postgresql(tmp_path: Path) -> None:
    needs("postgresql")
    state = server().database()
    outcome = asyncio.run(play(tmp_path, state=state, replicas=2, events=30, kills=2))
    assert (outcome.doubled, outcome.unanswered) == (0, 0)
