"""`sync` and `rollback`: published rounds into the knowledge file, and back again."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import date

import typer

from bot import answer
from bot.settings import settings
from knowledge import clock
from knowledge.errors import SyncError
from knowledge.rounds import Rounds
from knowledge.store import Store
from knowledge.sync import Look, SyncReport, named
from knowledge.sync import rollback as roll_back
from knowledge.sync import sync as run_sync


def sync(*, base: str | None, rounds: Sequence[str], as_json: bool) -> str:
    """Look for new and changed rounds, and say what was found of each.

    base: where to look, else as the settings say. Raises BadParameter for what is no round, else
    KnowledgeError, with nothing changed.
    """
    try:
        only = [named(name) for name in rounds]
    except SyncError as error:
        raise typer.BadParameter(str(error), param_hint="--round") from None
    report = run_sync(
        base=base or settings().published, only=only, proxy=settings().proxy, notify=answer.notify
    )
    for warning in report.warnings:
        print(f"smallprint: {warning}", file=sys.stderr)
    if as_json:
        return json.dumps(as_plain(report), ensure_ascii=False)
    lines = [line(look, report) for look in report.looks]
    return "\n".join([*lines, f"Data version {report.version}."])


def as_plain(report: SyncReport) -> dict[str, object]:
    """What a sync did, as a plain object."""
    return {
        "base": report.base,
        "changed": report.changed,
        "version": report.version,
        "checksum": report.checksum,
        "rounds": [
            {"round": look.round, "outcome": look.outcome, "address": look.address, **counts(look, report)}
            for look in report.looks
        ],
        "warnings": list(report.warnings),
    }


def counts(look: Look, report: SyncReport) -> dict[str, int]:
    """How many rows of a round were added, changed and withdrawn; empty where none was."""
    if report.load is None or look.outcome != "loaded":
        return {}
    happened = [change for change in report.load.changes if change.round == look.round]
    kinds = ("added", "changed", "withdrawn")
    return {what: len({change.key for change in happened if change.what == what}) for what in kinds}


def line(look: Look, report: SyncReport) -> str:
    """What was found of one round."""
    match look.outcome:
        case "loaded":
            told = ", ".join(f"{n} {what}" for what, n in counts(look, report).items())
            return f"{look.round}: {told} ({look.address}){embargo(look.round)}"
        case "same":
            return f"{look.round}: unchanged ({look.address})"
        case "absent":
            return f"{look.round}: nothing published there"
        case "skipped":
            return f"{look.round}: not looked for; {look.why}"
        case "held":
            return f"{look.round}: left as it is; this file was rolled back here ({look.address})"


def embargo(name: str) -> str:
    """The day from which a young round is quoted, as the end of a line; empty for an older one."""
    day = waiting(name)
    return f"; quoted from {day.isoformat()} on" if day else ""


def waiting(name: str) -> date | None:
    """The first day on which a stored round may be quoted, None if it may be today."""
    if settings().early:
        return None
    with Store.open(notify=answer.notify) as store:
        rounds: Rounds = store.rounds
        return rounds.quotable(name, clock.today())


def rollback() -> str:
    """Exchange the knowledge file with the one before its last change."""
    before, after = roll_back(notify=answer.notify)
    return f"Data version {before} was replaced by {after}. Doing it again undoes it."
