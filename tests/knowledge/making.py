"""Rows made for tests of the store: a few small rounds of two suites, every field in use."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from knowledge import files
from knowledge.row import Part, Row

DATES = {"v6.0": "2026-04-01", "v6.1": "2026-09-16", "v7.0": "2027-04-01"}


def made(number: int = 1, *, round: str = "v6.1", **changes: Any) -> Row:
    """One row, different for each number and round."""
    location = f"closed/Sub{number % 7}/results/System-{number}/llama2-70b/Offline"
    count = 8 * (1 + number % 9)
    plain = Row(
        key=f"{round}/{location}",
        suite="inference",
        round=round,
        result_id=f"{round[1:]}-{number:04d}",
        submitter=f"Sub{number % 7}",
        division="closed",
        availability="available",
        system_type="datacenter",
        system=f"Machine {number} of Sub{number % 7}, GB300‑NVL{count}",
        platform=f"{count}xGB300_System-{number}",
        nodes=1,
        accelerator="GB300",
        variant=None,
        accelerators=count,
        accelerators_published=count,
        parts=(),
        processors=2,
        processor="EPYC 9575F",
        model="llama2-70b",
        accuracy_target="99.9",
        used_model="llama2-70b-99.9",
        scenario="offline",
        value=1000.1 * number + 1 / 3,
        value_fine=None,
        value_text=f"{1000.1 * number:.2f}",
        unit="tokens/s",
        lower_is_better=False,
        per_accelerator=(1000.1 * number + 1 / 3) / count,
        watts=None,
        framework="TensorRT 10.8, CUDA 12.8",
        weights="fp4",
        inferred=False,
        flags=(),
        location=location,
        source=f"summary_results.json of {round}",
        published=DATES.get(round, "2024-08-28"),
        retrieved="2026-11-30",
    )
    return replace(plain, **changes)


def mixed(round: str = "v6.1") -> Row:
    """A row that uses the fields which most rows leave empty."""
    return made(
        900,
        round=round,
        result_id=None,
        accelerator=None,
        variant="power cap 1000 W",
        parts=(Part("H200", 8), Part("MI350X", 8)),
        per_accelerator=None,
        value_fine=1016375.123456789,
        watts=512.25,
        inferred=True,
        lower_is_better=True,
        flags=("count_corrected", "atypical_row"),
        location=None,
        accuracy_target=None,
        framework=None,
    )


@dataclass
class Box:
    """A package of rows, as the program's own is one."""

    given: tuple[Row, ...]

    def fingerprint(self) -> str:
        """A checksum over everything that the rows say."""
        return files.checksum(self.given) + str(len(self.given))

    def rows(self) -> Iterable[Row]:
        """The rows."""
        return self.given


def box(per_round: int = 40, rounds: Iterable[str] = ("v6.0", "v6.1")) -> Box:
    """Small rounds, the last row of each a mixed system."""
    return Box(
        tuple(
            row for name in rounds for row in (*(made(n, round=name) for n in range(per_round)), mixed(name))
        )
    )


def without(rows: Iterable[Row], *keys: str) -> tuple[Row, ...]:
    """The rows but for those with these keys."""
    return tuple(row for row in rows if row.key not in keys)


def of_round(rows: Iterable[Row], name: str) -> tuple[Row, ...]:
    """The rows of one round."""
    return tuple(row for row in rows if row.round == name)


@contextmanager
def bound_by_permissions() -> Iterator[None]:
    """Inside, the superuser too may read and write only where the permission bits allow it.

    Takes CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH from this thread for the while (Linux capset(2)).
    """
    if os.geteuid() != 0:
        yield
        return
    assert sys.platform == "linux", "run these tests as an ordinary user"
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version 3, this thread
    held = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; low and high words
    assert libc.capget(header, held) == 0
    bound = (ctypes.c_uint32 * 6)(*held)
    bound[0] &= ~(1 << 1 | 1 << 2)
    assert libc.capset(header, bound) == 0
    try:
        yield
    finally:
        assert libc.capset(header, held) == 0


def names_in(folder: Path) -> set[str]:
    """What stands in a folder, but for the lock."""
    return {path.name for path in folder.iterdir() if path.suffix != ".lock"}
