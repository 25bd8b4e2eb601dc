"""Patterns on which the reader is slowest, and the search that finds them.

`python -m tests.benchmarks.fuzz [SECONDS]` puts pieces together at random, repeats each pattern to
some length, and prints those that take longest or grow fastest; the twenty worst stand below.
"""

from __future__ import annotations

import gc
import random
import sys
import time

from parsing.reader import Reader

PIECES = (
    *(
        "2.7x",
        "45 %",
        "1,016,380",
        "8x",
        "3",
        "two",
        "v6.0",
        "6.0-0002",
        "92-93 %",
        "5.75 million",
        "2,5-fach",
    ),
    *("tokens/s", "ms", "%", "x", "per GPU", "times", "um", "1,", "1.", "1" * 30),
    *("H100", "GB300 NVL72", "MI555X", "NVIDIA", "Dell", "Llama 2 70B", "GPT-OSS-120B", "Blackwell"),
    *",.;:()[]|—-/+~→'\"“`*_",
    *("up to", "more than", "nearly", "than", "of", "over", "vs", "and", "or", "to", "from", "by", "between"),
    *("faster", "highest", "record", "beats", "fastest", "first", "no", "nobody", "every", "leads", "zieht"),
    *("offline", "server", "throughput", "latency", "cost", "scaling", "efficiency", "linear", "in"),
    *("\n", "\n- ", "\n| ", " | ", "🚀", ":zap:", "<https://a.b|c>", "[a](https://b.c)", "&amp;", "> ", "# "),
    *("**", "```", "a" * 60, "Donaudampfschifffahrtsgesellschaftsleistung", "x" * 30),
)

# ten that grow fastest, ten that take longest
WORST = (
    "\n ",
    ")",
    "\n",
    "/ ",
    "and 1./ ",
    "leads GB300 NVL72scaling ",
    "MI555X ",
    ";up to ",
    "linear of\n- ",
    "per GPU) Dell “ ~",
    '" linear 45 % 3 :two ',
    "2.7x6.0-0002 ",
    "45 % ~ `3`",
    "_ ] 8x leads45 %",
    "( 8x",
    "nearly→ 8x",
    "no leads : 2,5-fach \n 45 % ",
    "two 45 % > ",
    "92-93 % ``` linear|1,016,380 > ",
    "45 %45 %times ```ms ",
)


def repeated(pattern: str, length: int) -> str:
    """The pattern over and over, that many characters."""
    return (pattern * (length // len(pattern) + 1))[:length]


def search(seconds: float, seed: int = 1) -> list[tuple[float, float, str]]:
    """Growth from 5,000 to 20,000 characters (4 is linear), milliseconds, pattern; the worst first."""
    from bot import answer

    reader = Reader(answer.desk().store.vocabulary())
    gc.freeze()  # a full collection of all rows and names is none of a pattern's doing
    chance, until = random.Random(seed), time.perf_counter() + seconds
    found: list[tuple[float, float, str]] = []
    while time.perf_counter() < until:
        pieces = [chance.choice(PIECES) + chance.choice((" ", " ", "")) for _ in range(chance.randint(1, 6))]
        pattern = "".join(pieces)
        times = []
        for length in (5_000, 20_000):
            text = repeated(pattern, length)
            times.append(1000 * min(_seconds(reader, text) for _ in range(2)))
        found.append((times[1] / times[0], times[1], pattern))
    by_growth, by_time = sorted(found, reverse=True)[:10], sorted(found, key=lambda f: -f[1])[:10]
    return sorted({*by_growth, *by_time}, reverse=True)


def _seconds(reader: Reader, text: str) -> float:
    start = time.perf_counter()
    reader.read(text)
    return time.perf_counter() - start


if __name__ == "__main__":
    for growth, took, pattern in search(float(sys.argv[1]) if len(sys.argv) > 1 else 60):
        print(f"×{growth:.1f} {took:7.0f} ms  {pattern!r}")
