"""The benchmarks, through the front doors that users have."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks import chat, chat_discord
from tests.benchmarks.article import the_article
from tests.benchmarks.harness import Benchmark, Figure, median_seconds, seconds, shared
from tests.benchmarks.jobs import jobs_in_postgresql, jobs_in_sqlite
from tests.benchmarks.peers import beside_others
from tests.benchmarks.reader import growth, memory, the_message

if TYPE_CHECKING:
    from knowledge.judge import Judge
    from knowledge.row import Row
    from parsing.claim import Claim

COPIES = 100

# Claims of our own, for a checkout without the golden ones beside it.
TEXTS = (
    "GB300 NVL72 delivers 1.91x the DeepSeek-R1 server throughput between MLPerf Inference v5.1 and v6.0.",
    "With v6.1, our eight MI355X GPUs run GPT-OSS-120B 28% faster offline than in v6.0.",
    "Crusoe reached 5.75 million tokens/s on GPT-OSS-120B offline with 512 MI355X GPUs in MLPerf v6.1.",
    "GB300 beats MI355X by 48 % per GPU on GPT-OSS-120B offline.",
    "B300 is up to 1.5x faster than B200 on Llama 2 70B in MLPerf Inference v6.0.",
    "Auf acht H200 erreicht Llama 2 70B offline rund 35.000 Tokens pro Sekunde.",
    "MI325X liegt bei Llama 2 70B Server gleichauf mit H200.",
    "Scaling from 8 to 72 GPUs keeps 95% efficiency on DeepSeek-R1 offline.",
    "The highest DeepSeek-R1 server throughput ever submitted comes from a 288-GPU GB300 cluster.",
    "On unchanged racks a token now costs over 55% less.",
)
QUESTION = TEXTS[0]


# --- a whole process ------------------------------------------------------------------------------


def _run(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds and peak memory (MB) of a process. Raises RuntimeError where it fails."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        child = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(child.pid, 0)
        took = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines() or ["nothing said"]
            raise RuntimeError(f"{' '.join(command[:2])} ended with {child.returncode}: {lines[-1]}")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return took, usage.ru_maxrss / unit


def ask_as_a_process() -> Iterator[Figure]:
    """`smallprint ask`: the first start, which builds the knowledge file, then those after it."""
    command = [str(Path(sys.executable).with_name("smallprint")), "ask", QUESTION]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SMALLPRINT_KNOWLEDGE": str(Path(folder) / "knowledge.db")}
        first, first_memory = _run(command, environment)
        yield Figure("first `smallprint ask`, building the knowledge file", first, "s", None)
        runs = [_run(command, environment) for _ in range(7)]
        yield Figure(
            "`smallprint ask` as a whole process, median of 7", statistics.median(t for t, _ in runs), "s", 2
        )
        peak = max(first_memory, *(memory for _, memory in runs))
        yield Figure("`smallprint ask` peak memory", peak, "MB", 220)


# --- the store ------------------------------------------------------------------------------------


def the_store() -> Iterator[Figure]:
    """Building, opening and searching the knowledge file."""
    from knowledge.store import Store

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "knowledge.db"
        yield Figure(
            "building the knowledge file from the packaged rows",
            1000 * seconds(lambda: Store.open(path)),
            "ms",
        )
        opening = 1000 * median_seconds(lambda: Store.open(path).close(), 15)
        with Store.open(path) as store:
            rows = len(store.rows)
            yield Figure(f"opening it, {rows:,} rows read", opening, "ms", 60)
            yield Figure("names and rounds for the reader", 1000 * seconds(store.vocabulary), "ms")
            yield Figure(
                "a full-text search", 1000 * median_seconds(lambda: store.search("GB300 NVL72"), 50), "ms"
            )
            yield Figure("size of the file", path.stat().st_size / 2**20, "MB")


def loading_all_rounds() -> Iterator[Figure]:
    """The published files of all rounds, read and put into a knowledge file."""
    from knowledge.sources import load
    from knowledge.store import Store

    files = sorted(
        path for path in shared("data", "mlcommons").glob("*/*") if path.suffix in (".json", ".csv", ".tsv")
    )
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "knowledge.db") as store:

        def read_and_store() -> None:
            store.load(load(files).rows, source="published files")

        yield Figure("loading all published rounds from their files", seconds(read_and_store), "s", 3)


# --- reading claims -------------------------------------------------------------------------------


def _texts() -> tuple[Sequence[str], str]:
    """The golden claims' texts, or our own, and which they are."""
    try:
        lines = shared("claims", "golden.jsonl").read_text(encoding="utf-8").splitlines()
    except Exception:
        return TEXTS, f"{len(TEXTS)} texts of our own"
    texts = [json.loads(line)["text"] for line in lines if line.strip()]
    return texts, f"the {len(texts)} golden texts"


def _claims() -> tuple[list[Claim], str]:
    from bot import answer

    texts, which = _texts()
    claims = [claim for text in texts for claim in answer.read(text)]
    if not claims:
        raise RuntimeError("the reader finds no claim in the golden texts")
    return claims, f"{len(claims)} claims of {which}"


def a_warm_reading() -> Iterator[Figure]:
    """Claims judged against the rows, and whole texts answered, in a process that is warm."""
    from bot import answer

    claims, which = _claims()
    judge = answer.desk().judge
    times = _reading_times(judge, claims)
    yield Figure("a warm reading, median", 1000 * statistics.median(times), "ms", 10, which)
    yield Figure("a warm reading, slowest", 1000 * max(times), "ms")
    texts, _ = _texts()
    answers = [median_seconds(partial(answer.ask, text), 3) for text in texts]
    yield Figure("a text read, judged and answered, median", 1000 * statistics.median(answers), "ms")


def _reading_times(judge: Judge, claims: Sequence[Claim], times: int = 3) -> list[float]:
    """Seconds for each claim, the median of some readings after a first one."""
    out = []
    for claim in claims:
        read = partial(judge.reading, claim, today=date(2026, 11, 30))
        read()
        out.append(median_seconds(read, times))
    return out


# --- many rows ------------------------------------------------------------------------------------


def _judge(rows: Sequence[Row]) -> Judge:
    from knowledge.judge import Judge
    from knowledge.names import Names
    from knowledge.rounds import Rounds
    from knowledge.table import Table

    return Judge(Table(rows, Names.load().extended(rows), Rounds.load()))


def _copies(rows: Sequence[Row], field: str) -> list[Row]:
    """The rows, and copies of them under other names of this field."""
    out = list(rows)
    for number in range(1, COPIES):
        for row in rows:
            copy = replace(row, key=f"{row.key}#{number}")
            # frozen for everybody else; a copy that nobody has seen yet may still be written
            object.__setattr__(copy, field, f"{getattr(row, field)} {number}")
            out.append(copy)
    return out


def _told(claim: Claim) -> str:
    """A claim in few words: its kind, whether it names a model, its beginning."""
    return f"{claim.kind}, {'a model' if claim.model else 'no model'}: {' '.join(claim.quote.split())[:60]}"


def _at_scale(field: str) -> tuple[float, list[Claim], list[float], list[float], int]:
    """Seconds to lay out the copies, the claims, and seconds for each on the real rows and the copies."""
    from bot import answer

    claims, _ = _claims()
    rows = answer.desk().store.rows
    real = _reading_times(_judge(rows), claims)
    many = _copies(rows, field)
    start = time.perf_counter()
    judge = _judge(many)
    built = time.perf_counter() - start
    return built, claims, real, _reading_times(judge, claims), len(many)


def many_submitters() -> Iterator[Figure]:
    """100 copies of the rows under other submitter names."""
    built, claims, _, times, count = _at_scale("submitter")
    slowest = _told(claims[times.index(max(times))])
    yield Figure(
        f"a reading among {count:,} rows (other submitters), median",
        1000 * statistics.median(times),
        "ms",
        100,
    )
    yield Figure("the slowest of them", 1000 * max(times), "ms", None, slowest)
    yield Figure("laying them out", built, "s")


def many_models() -> Iterator[Figure]:
    """100 copies of the rows under other model names."""
    _, claims, real, times, count = _at_scale("model")
    ratio = statistics.median(times) / statistics.median(real)
    growth = [many / one for many, one in zip(times, real, strict=True)]
    worst = max(growth)
    note = f"{1000 * statistics.median(times):.2f} ms against {1000 * statistics.median(real):.2f} ms"
    yield Figure(f"a reading among {count:,} rows (other models), median", ratio, "times", 5, note)
    slowest = _told(claims[growth.index(worst)])
    yield Figure("the one that grows most", worst, "times", None, slowest)


BENCHMARKS: dict[str, Benchmark] = {
    "ask": ask_as_a_process,
    "store": the_store,
    "load": loading_all_rounds,
    "reading": a_warm_reading,
    "message": the_message,
    "article": the_article,
    "growth": growth,
    "memory": memory,
    "peers": beside_others,
    "submitters": many_submitters,
    "models": many_models,
    "jobs": jobs_in_sqlite,
    "jobs-postgresql": jobs_in_postgresql,
    "chat": chat.sqlite,
    "chat-postgresql": chat.postgresql,
    "kill": chat.kill,
    "chat-discord": chat_discord.chat,
    "kill-discord": chat_discord.kill,
}
