"""What the last sync saw at each address, in a small file beside the knowledge file.

It is a cache: without it, or damaged, the files are fetched and compared in full.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from knowledge import files
from knowledge.sync.fetch import Validators


@dataclass(frozen=True, slots=True)
class Seen:
    """One file that was put into the store.

    sha256: of the file. checksum: of the round's rows in the store after it (`Loaded.checksum`).
    reading: what read it; another program version reads it anew.
    """

    sha256: str
    checksum: str
    reading: str
    etag: str | None = None
    modified: str | None = None

    @property
    def validators(self) -> Validators:
        """What the server is asked with."""
        return Validators(self.etag, self.modified)


@dataclass(slots=True)
class Memory:
    """`seen` by address; `held` are files (address, sha256) that were rolled back: they are left alone."""

    seen: dict[str, Seen] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Memory:
        """The memory beside the knowledge file `path`, empty where it cannot be read."""
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            data = json.loads(beside(path).read_text(encoding="utf-8"))
            seen = {str(address): Seen(**entry) for address, entry in data["seen"].items()}
            return cls(seen, {str(address): str(sha) for address, sha in data["held"].items()})
        return cls()

    def write(self, path: Path) -> None:
        """Put it beside the knowledge file at one stroke. Raises OSError or files.BusyError."""
        data = {"seen": {address: asdict(seen) for address, seen in self.seen.items()}, "held": self.held}
        target = beside(path)
        with files.writing(path):
            temporary = files.unfinished(path)
            try:
                temporary.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
                temporary.replace(target)
            finally:
                temporary.unlink(missing_ok=True)

    def hold(self, checksums: Iterable[str]) -> None:
        """Leave the files alone whose rows are not in the store any more; take back those that are."""
        stored = set(checksums)
        self.held = {a: seen.sha256 for a, seen in self.seen.items() if seen.checksum not in stored}


def last_checked(path: Path) -> float | None:
    """When the rows of a knowledge file were last loaded or found unchanged, in seconds since 1970.

    None where there is no such file.
    """
    times = []
    for one in (path, beside(path)):
        with suppress(OSError):
            times.append(one.stat().st_mtime)
    return max(times) if path.exists() and times else None


def beside(path: Path) -> Path:
    """Where the memory of a knowledge file stands."""
    return path.with_name(f"{path.name}.sync.json")
