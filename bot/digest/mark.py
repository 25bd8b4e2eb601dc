"""How far a digest had come: what it could tell, so that the next one tells the rest."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from knowledge.rounds import Rounds
from knowledge.row import Row

# So many told corrections are remembered: another replica's history may date them later than ours did.
REMEMBERED = 200


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a digest ended.

    version: the data version that it was built from. rounds: the rounds that could be quoted then,
    as "inference/v6.1". until: the time (UTC, ISO) of the last change in the history of the rows. told:
    codes of the corrections told lately.
    """

    version: str
    rounds: tuple[str, ...]
    until: str = ""
    told: tuple[str, ...] = ()

    def dumps(self) -> str:
        """The mark as one line of JSON, to be kept."""
        return json.dumps(
            {"version": self.version, "rounds": self.rounds, "until": self.until, "told": self.told}
        )

    @classmethod
    def loads(cls, text: str | None) -> Mark | None:
        """The mark of `dumps`; None for no text, and for one that is no mark."""
        try:
            data = json.loads(text or "null")
            fields = str(data["version"]), tuple(map(str, data["rounds"]))
            return cls(*fields, str(data["until"]), tuple(map(str, data["told"])))
        except (ValueError, TypeError, KeyError):
            return None


def place(row: Row) -> str:
    """The row's round as a mark names it."""
    return f"{row.suite}/{row.round}"


def since_round(rows: Collection[Row], rounds: Rounds, name: str) -> Mark:
    """The mark of somebody who knows every round up to `name` as it was published, and no correction since.

    Raises KeyError for a round that was never published.
    """
    found = rounds.get(name)
    if found is None:
        raise KeyError(name)
    day = found.published.isoformat()
    known = {place(row) for row in rows if row.published <= day}
    return Mark("", tuple(sorted(known)), until=day)
