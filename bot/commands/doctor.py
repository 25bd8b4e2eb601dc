"""`smallprint doctor`: the state of this installation, and what to do where it is not well.

It starts nothing and changes nothing: a state, a key or a table that the first start would make is only
named. Every question has an end, so that a platform or a server out of reach is one line.
"""

from __future__ import annotations

import asyncio
import os
import platform
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot import answer
from bot.deployment import database_file, executor, key_file, keys_of, state_url
from bot.errors import UserError
from bot.jobs.database import unfinished
from bot.keys import KeysError
from bot.reply import program_version
from bot.settings import Settings, settings
from bot.state import State
from bot.state.engine import make_engine, named
from bot.state.schema import standing
from knowledge import clock
from knowledge.errors import KnowledgeError
from knowledge.store import Store
from knowledge.sync import last_checked

QUESTION = "GB300 leads MI355X by 48 % per GPU on GPT-OSS-120B offline in MLPerf® Inference v6.1."
PATIENCE = 15.0  # seconds for a chat platform, and for the databases
SKEW = 60.0  # seconds by which this clock may differ from that of the database
DAY = 86_400.0
OLD = 7  # days; `smallprint run` looks for new rows every day
BRING_BACK = "bring the database back: its server, its rights, or a backup (`smallprint restore`)"
OTHER_KEYS = (
    "put the keys back with which it was made; new ones stand before them until `smallprint keys rotate`"
)
PLATFORMS = ("Slack", "Discord")
NOT_SET_UP = "not set up"
AT_FIRST = "made at the first start"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. todo: what to do about it, a line each; notes: what else to say."""

    name: str
    text: str = ""
    todo: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def fine(self) -> bool:
        """Whether nothing has to be done."""
        return not self.todo


def doctor() -> tuple[str, bool]:
    """The state of this installation, a line each, and whether all is well. Raises UserError."""
    given = settings()
    around = asyncio.run(outside(given))
    served = any(check.name in PLATFORMS and check.text != NOT_SET_UP for check in around)
    checks = [*_installed(served), *around]
    return told(checks), all(check.fine for check in checks)


def told(checks: Sequence[Check]) -> str:
    """Checks as lines: `ok` or `look`, the name, what was found; what to do and what else stands below."""
    width = max(len(check.name) for check in checks)
    below = " " * (width + 8)
    lines = []
    for check in checks:
        first, *rest = [line for line in (check.text, *check.todo, *check.notes) if line]
        lines.append(f"{'ok  ' if check.fine else 'look'}  {check.name.ljust(width)}  {first}")
        lines += [f"{below}{line}" for line in rest]
    return "\n".join(lines)


# -- the program and its rows


def _installed(served: bool) -> list[Check]:
    program = Check("program", f"smallprint {program_version()}, Python {platform.python_version()}")
    try:
        with Store.open(notify=answer.notify) as store:
            return [program, *_rows(store), _age(store, served), _day(store)]
    except KnowledgeError as error:
        return [program, Check("knowledge file", todo=[str(error)])]


def _rows(store: Store) -> list[Check]:
    rounds: dict[str, int] = {}
    for row in store.rows:
        rounds[row.round] = rounds.get(row.round, 0) + 1
    verdicts = [reading.verdict for reading in answer.answer(QUESTION).readings]
    held = ["the rows are held in memory: make this file writable, or set SMALLPRINT_KNOWLEDGE"]
    return [
        Check("knowledge file", str(store.path), held if store.in_memory else ()),
        Check("data version", store.version),
        Check("rows", ", ".join(f"{name}: {n}" for name, n in sorted(rounds.items()))),
        Check("a test question", ", ".join(verdicts), () if verdicts else ["no claim found: install anew"]),
        Check("notices", "" if store.notices else "none", store.notices),
    ]


def _age(store: Store, served: bool) -> Check:
    """When the rows were last looked at; who only asks at a terminal looks when they want to."""
    looked = last_checked(store.path)
    days = 0 if looked is None else max(0, int((time.time() - looked) // DAY))
    late = [f"nothing looked for new rounds in {OLD} days: run `smallprint sync`, and read what it says"]
    return Check(
        "age of the rows", f"{days} days since they were checked", late if served and days > OLD else ()
    )


def _day(store: Store) -> Check:
    """Whether this machine's day can be right: no round was published in the future."""
    today, newest = clock.today(), max(one.published for one in store.rounds.all())
    wrong = [f"the newest round is of {newest}: set the clock, and unset {clock.VARIABLE}"]
    return Check("today", today.isoformat(), wrong if today < newest else ())


# -- what a deployment stands on


async def outside(given: Settings) -> list[Check]:
    """State, keys, waiting work and the platforms, all asked at once."""
    stores, *platforms = await asyncio.gather(_stores(given), _slack(given), _discord(given))
    return [*stores, *platforms]


async def _stores(given: Settings) -> list[Check]:
    try:
        url = state_url(given)
        replica = Check("replica", executor(given, url))
    except UserError as error:
        return [Check("state", todo=[str(error)])]
    file, keys = database_file(url), _keys(given, url)
    if file is not None and not file.exists():
        return [replica, _to_be_made(file), keys]
    if not keys.fine or keys.text == AT_FIRST:
        return [replica, Check("state", f"{named(url)}, not opened without its keys"), keys]
    return [replica, await _opened(given, url), keys, await _work(url)]


def _to_be_made(file: Path) -> Check:
    """A state that is not there yet: whether it can be made."""
    folder = next(one for one in file.absolute().parents if one.exists())
    closed = [f"{folder} cannot be written: give it to this user, or set SMALLPRINT_STATE"]
    return Check("state", f"{file}, {AT_FIRST}", () if os.access(folder, os.W_OK) else closed)


def _keys(given: Settings, url: str) -> Check:
    """Whether there are keys; none is made."""
    file, own = key_file(url), given.keys is None and given.keys_file is None
    database = database_file(url)
    if own and file is not None and not file.exists():
        lost = [f"{file} is missing: put it back, or what the state holds cannot be read"]
        return Check("keys", AT_FIRST, lost if database is not None and database.exists() else ())
    try:
        keys_of(given, url)
    except UserError as error:
        return Check("keys", todo=[str(error)])
    return Check("keys", str(file) if own else "as set")


async def _opened(given: Settings, url: str) -> Check:
    """Whether the state can be read and written, with these keys, and its server's clock."""
    state = State(make_engine(url), keys_of(given, url), time.time)
    try:
        found = await standing(state.engine)
        if found == "empty":
            return Check("state", f"{named(url)}, {AT_FIRST}")
        await state.ready()
        await state.check_keys()
        theirs = await state.server_time()
    except KeysError as error:
        return Check("state", named(url), [str(error), OTHER_KEYS])
    except UserError as error:
        return Check("state", named(url), [str(error), BRING_BACK])
    finally:
        await state.close()
    off = 0.0 if theirs is None else time.time() - theirs
    skewed = [f"this clock is {off:+.0f} s off the database's: set it, or digests come at the wrong time"]
    older = ["an older program's; the next start brings it up to date"] if found == "older" else ()
    return Check("state", named(url), skewed if abs(off) > SKEW else (), older)


async def _work(url: str) -> Check:
    try:
        count = await unfinished(url)
    except UserError as error:
        return Check("waiting work", todo=[str(error), BRING_BACK])
    return Check("waiting work", AT_FIRST if count is None else str(count))


# -- chat platforms


async def _slack(given: Settings) -> Check:
    from bot.slack.checks import examine
    from bot.slack.settings import slack_settings

    try:
        found = slack_settings()
    except UserError as error:
        return Check("Slack", todo=[str(error)])
    if not found.wanted and not found.faults():
        return Check("Slack", NOT_SET_UP)
    return await _asked("Slack", examine(found, proxy=given.proxy))


async def _discord(given: Settings) -> Check:
    from bot.discord.checks import examine
    from bot.discord.settings import discord_settings

    try:
        found = discord_settings()
    except UserError as error:
        return Check("Discord", todo=[str(error)])
    if not found.wanted:
        return Check("Discord", NOT_SET_UP)
    return await _asked("Discord", examine(found, proxy=given.proxy))


async def _asked(name: str, question: Awaitable[tuple[list[str], list[str]]]) -> Check:
    try:
        async with asyncio.timeout(PATIENCE):
            todo, notes = await question
    except TimeoutError:
        return Check(name, todo=[f"no answer in {PATIENCE:.0f} s: look at network and proxy"])
    return Check(name, "" if todo else "answers, and takes what is set", todo, notes)
