"""Which rounds are looked for, and where: the facts of `sync.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from knowledge.errors import SyncError

_ROUND = re.compile(r"v(\d{1,3})\.(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Share:
    """So many rows of a round: a share of it, but always `rows`."""

    share: float
    rows: int

    def of(self, count: int) -> int:
        """How many of `count` rows."""
        return max(self.rows, int(count * self.share))


@dataclass(frozen=True, slots=True)
class Plan:
    """The facts of `sync.toml`; sizes in bytes, times in seconds."""

    base: str
    pattern: str
    elsewhere: tuple[str, ...]
    names: tuple[str, ...]
    most_bytes: int
    silence: float
    seconds: float
    types: frozenset[str]
    withdrawn: Share
    changed: Share
    outliers: Share
    factor: float
    skip: dict[str, str]

    @classmethod
    @lru_cache(maxsize=1)
    def load(cls) -> Plan:
        """The plan as packaged; read once a process."""
        data: dict[str, Any] = tomllib.loads(
            files("knowledge.sync").joinpath("sync.toml").read_text(encoding="utf-8")
        )
        published, limits, plausible = data["published"], data["limits"], data["plausible"]
        return cls(
            base=published["base"],
            pattern=published["pattern"],
            elsewhere=tuple(published["elsewhere"]),
            names=tuple(published["files"]),
            most_bytes=limits["bytes"],
            silence=limits["silence"],
            seconds=limits["seconds"],
            types=frozenset(limits["types"]),
            withdrawn=Share(**plausible["withdrawn"]),
            changed=Share(**plausible["changed"]),
            outliers=Share(**plausible["outliers"]),
            factor=plausible["factor"],
            skip={entry["round"]: entry["why"] for entry in data["skip"]},
        )

    def addresses(self, name: str, base: str) -> tuple[str, ...]:
        """Where the summary of a round may stand, the likeliest first.

        A base with {round} in it is the whole address; it may have {file} too.
        """
        if "{round}" in base:
            patterns: tuple[str, ...] = (base,)
        else:
            own = base.rstrip("/") == self.base
            patterns = (self.pattern,) if own else (self.pattern, *self.elsewhere)
            patterns = tuple(f"{base.rstrip('/')}/{pattern}" for pattern in patterns)
        found = (
            pattern.replace("{round}", name).replace("{file}", file)
            for pattern in patterns
            for file in self.names
        )
        return tuple(dict.fromkeys(found))


def following(known: Iterable[str]) -> tuple[str, ...]:
    """The rounds that may come next: the next minor and the next major one after the newest known."""
    numbers = [(int(match[1]), int(match[2])) for name in known if (match := _ROUND.fullmatch(name))]
    if not numbers:
        return ()
    major, minor = max(numbers)
    return f"v{major}.{minor + 1}", f"v{major + 1}.0"


def named(text: str) -> str:
    """A round's name from what a person writes. Raises SyncError for anything else."""
    name = "v" + text.strip().lower().removeprefix("v")
    if not _ROUND.fullmatch(name):
        raise SyncError(f"{text!r} is no round; write it as v6.1")
    return name
