"""A receipt: enough to get the same answer again, without the text that was asked.

Its short form is one line that survives a chat: program, data version, rows, and a check of all that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from knowledge.errors import ReceiptError

_MARK = "sp1"
_FORM = re.compile(
    r"sp1:(?P<program>[A-Za-z0-9_.+-]{1,40}):(?P<data>[0-9]+-[0-9a-f]{12})"
    r":(?P<rows>(?:[0-9a-f]{10}(?:\.[0-9a-f]{10})*)?):(?P<check>[0-9a-f]{4})"
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an answer was made from: the data, the program, and the rows that it rests on."""

    data_version: str
    program_version: str
    row_keys: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The short form, one line without blanks; rows stand in it as 10 characters each."""
        rows = ".".join(map(_short, self.row_keys))
        body = f"{_MARK}:{self.program_version}:{self.data_version}:{rows}"
        return f"{body}:{_check(body)}"

    @classmethod
    def parse(cls, text: str, keys: Iterable[str]) -> Receipt:
        """The receipt of a short form; `keys` are the keys of the stored rows.

        Raises ReceiptError where it is none of ours, was mistyped, or names rows that are not
        among `keys` (withdrawn since, or of another data version).
        """
        found = _FORM.fullmatch(text.strip())
        if found is None:
            raise ReceiptError(f"no receipt; one begins with {_MARK}: and is one line without blanks")
        body, _, check = text.strip().rpartition(":")
        if check != _check(body):
            raise ReceiptError("the receipt is mistyped or cut: its check does not fit")
        wanted = found["rows"].split(".") if found["rows"] else []
        known = {_short(key): key for key in keys} if wanted else {}
        missing = [short for short in wanted if short not in known]
        if missing:
            data = found["data"]
            raise ReceiptError(
                f"{len(missing)} of {len(wanted)} rows of the receipt (data {data}) are not stored"
            )
        return cls(found["data"], found["program"], tuple(known[short] for short in wanted))

    def differs(self, *, data_version: str, program_version: str) -> tuple[str, ...]:
        """What is another now than when the answer was made: "data", "program", both, or nothing.

        Where it is nothing, the same question gives the same answer.
        """
        pairs = {
            "data": (self.data_version, data_version),
            "program": (self.program_version, program_version),
        }
        return tuple(what for what, (then, now) in pairs.items() if then != now)


def _short(key: str) -> str:
    return blake2b(key.encode(errors="replace"), digest_size=5).hexdigest()


def _check(body: str) -> str:
    return blake2b(body.encode(), digest_size=2).hexdigest()
