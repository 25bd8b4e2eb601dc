"""Running benchmarks apart from each other and printing what they measured.

Each runs in a process of its own: one that fails, hangs or eats all memory costs only itself.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
PATIENCE = 900.0  # seconds for one benchmark


@dataclass(frozen=True)
class Figure:
    """One measured figure. `target` is the most it should be; None where it is only told."""

    name: str
    value: float
    unit: str
    target: float | None = None
    note: str = ""

    @property
    def judged(self) -> str:
        """Whether the figure keeps its target, in a word."""
        if self.target is None:
            return ""
        return "ok" if self.value <= self.target else "OVER"


Benchmark = Callable[[], Iterable[Figure]]


class NotHereError(Exception):
    """What a benchmark needs is not on this machine; the message names it."""


def shared(*parts: str) -> Path:
    """A path beside the checkout. Raises NotHereError."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        raise NotHereError(f"../shared/{'/'.join(parts)} is not beside this checkout")
    return path


def seconds(action: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def median_seconds(action: Callable[[], object], times: int) -> float:
    """The median of so many calls."""
    return statistics.median(seconds(action) for _ in range(times))


def machine() -> str:
    """The machine in one line: processor, cores that may be used, memory, Python."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    parts = [_processor(), f"{cores} cores", *_memory(), f"Python {platform.python_version()}"]
    return ", ".join([*parts, f"{platform.system()} {platform.release()}"])


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory() -> list[str]:
    if "SC_PHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return []
    return [f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB"]


def run_one(benchmark: Benchmark) -> int:
    """Run a benchmark in this process; figures and the reason of a failure go out as JSON lines."""
    try:
        for figure in benchmark():
            print(json.dumps(asdict(figure)), flush=True)
    except NotHereError as reason:
        print(json.dumps({"missing": str(reason)}))
    return 0


def run_apart(name: str) -> Iterator[Figure | str]:
    """Run a benchmark in a process of its own: its figures, then why it failed, if it did."""
    command = [sys.executable, "-m", "tests.benchmarks", "--one", name]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        yield f"no end after {PATIENCE:.0f} s"
        return
    for line in done.stdout.splitlines():
        found = json.loads(line)
        yield found["missing"] if "missing" in found else Figure(**found)
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        yield f"failed: {last[0] if last else f'exit {done.returncode}'}"


def print_table(names: Sequence[str]) -> int:
    """Run and print, a line as soon as it is known. Returns 1 if a benchmark did not run to its end."""
    print(machine())
    print(f"{'benchmark':<62}{'measured':>12}  {'target':>11}  ")
    failed = 0
    for name in names:
        for found in run_apart(name):
            if isinstance(found, str):
                failed = 1
                print(f"{name:<62}{'-':>12}  {'':>11}  {found}", flush=True)
                continue
            target = f"≤ {_number(found.target)} {found.unit}" if found.target is not None else ""
            value = f"{_number(found.value)} {found.unit}"
            end = f"{found.judged}  {found.note}".strip()
            print(f"{found.name:<62}{value:>12}  {target:>11}  {end}", flush=True)
    return failed


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"
