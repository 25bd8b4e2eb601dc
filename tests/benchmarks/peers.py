"""Smallprint beside two general readers of numbers, on the same passages in one run.

All are given the text alone, and the same rule holds for all: a number found is right if a claim of
the passage has it, within half a percent, as printed or as the ratio it stands for; every other
number found is wrong. Each tool runs in a process of its own. `SMALLPRINT_BENCH_PYTHON` names the
Python that has the others installed, where they are not beside Smallprint itself.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.harness import ROOT, Figure, NotHereError, shared
from tests.benchmarks.peer import TOOLS

SCRIPT = Path(__file__).with_name("peer.py")
WITHIN = 0.005
LEAD = 0.15
FASTER = 5


def passages() -> list[dict[str, Any]]:
    """The labelled passages. Raises NotHereError."""
    lines = shared("claims", "dev.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def wanted(claim: dict[str, Any]) -> list[list[float]]:
    """The numbers of a labelled claim, each with the forms in which a tool may give it."""
    return [_forms(claim["kind"], value) for value in (claim.get("value"), claim.get("value_max")) if value]


def _forms(kind: str, value: float) -> list[float]:
    if kind in ("percent", "cost", "scaling"):
        return [value, 100 * value, 100 * abs(value - 1)]  # 92 % of; 38 % more; 60 % less
    return [value, 1 / value] if kind == "multiple" and value else [value]


def score(items: Sequence[dict[str, Any]], found: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """Precision, recall and F1 of the numbers found."""
    right = extra = missed = 0
    for item, values in zip(items, found, strict=True):
        open_ = [forms for claim in item.get("claims") or [] for forms in wanted(claim)]
        for value in values:
            match = next((forms for forms in open_ if any(_same(value, form) for form in forms)), None)
            if match is None:
                extra += 1
            else:
                open_.remove(match)
                right += 1
        missed += len(open_)
    precision, recall = right / max(1, right + extra), right / max(1, right + missed)
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= WITHIN * max(abs(a), abs(b), 1e-9)


def run(name: str, items: Sequence[dict[str, Any]]) -> tuple[list[list[float]], list[float]]:
    """A tool's numbers and seconds for each passage. Raises NotHereError where it is not installed."""
    python = sys.executable if name == "smallprint" else os.environ.get("SMALLPRINT_BENCH_PYTHON")
    text = "".join(
        json.dumps({key: item.get(key) for key in ("text", "lang", "markup")}) + "\n" for item in items
    )
    done = subprocess.run(
        [python or sys.executable, str(SCRIPT), name],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    if done.returncode == 3:
        raise NotHereError(f"{name} is not installed (see tests/benchmarks/peers.py)")
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    lines = [json.loads(line) for line in done.stdout.splitlines()[1:]]
    return [line["values"] for line in lines], [line["seconds"] for line in lines]


def beside_others() -> Iterator[Figure]:
    """F1 and time a passage of each tool; what is not installed is named and left out."""
    items = passages()
    ours: tuple[float, float] | None = None
    for name in TOOLS:
        try:
            found, seconds = run(name, items)
        except NotHereError as reason:
            yield Figure(f"{name}: not measured", 0, "", None, str(reason))
            continue
        precision, recall, f1 = score(items, found)
        took = 1000 * statistics.mean(seconds)
        note = f"P {precision:.3f} R {recall:.3f}, {len(items)} passages"
        yield Figure(f"{name}: F1 of the numbers found", f1, "", None, note)
        yield Figure(
            f"{name}: time a passage, mean",
            took,
            "ms",
            None,
            f"median {1000 * statistics.median(seconds):.2f} ms",
        )
        if ours is None:
            ours = f1, took
            continue
        yield Figure(f"{name}: F1 behind ours", ours[0] - f1, "", None, f"at least {LEAD} wanted")
        yield Figure(f"{name}: our time as a share of its", ours[1] / took, "", 1 / FASTER)
