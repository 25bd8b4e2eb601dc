"""The reader alone: its floor, where its time goes, a message, an article, growth with length, memory."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from parsing.reader import Reader
from tests.benchmarks.fuzz import WORST, repeated
from tests.benchmarks.harness import Figure, median_seconds

# 300 characters, as people write in a chat.
MESSAGE = (
    "Morning all, the vendor deck says GB300 NVL72 gives 1.91x the DeepSeek-R1 server throughput between "
    "MLPerf v5.1 and v6.0, and that eight MI355X GPUs are 28% faster offline on GPT-OSS-120B. Can somebody "
    "check that before the call at three? Slides are in the folder, page 12, thanks a lot and see you there."
)[:300]
PARAGRAPH = (
    "The new results of the suite were published on Wednesday, and several companies took part for the first "
    "time. On Llama 2 70B, eight B300 GPUs reached 109,001 tokens/s offline, 10% more than the B200 a round "
    "ago. The power budget of the rack is unchanged, its cooling loop has been redesigned, and operators say "
    "that rollout takes about two weeks. MI355X is up to 2.7x faster than MI325X on the same model, with 288 "
    "GB of memory a card. Prices were not given.\n\n"
)
LENGTHS = (5_000, 10_000, 20_000, 40_000)
REPEATS = 5  # of which the quickest counts: others may want the core meanwhile
MESSAGES = 400_000
MOST_GROWTH = 40  # MB


def _reader() -> Reader:
    from bot import answer

    reader = Reader(answer.desk().store.vocabulary())
    gc.freeze()  # so that no full collection of all rows and names falls into a measurement
    return reader


def the_message() -> Iterator[Figure]:
    """A chat message and an article, warm, on one core; and how far a full read is above its floor."""
    reader = _reader()
    for _ in range(50):
        reader.read(MESSAGE)
    message = 1000 * median_seconds(lambda: reader.read(MESSAGE), 1000)
    claims = len(reader.read(MESSAGE))
    yield Figure(
        f"a message of {len(MESSAGE)} characters, median", message, "ms", 0.5, f"{claims} claims in it"
    )
    article = (PARAGRAPH * 30)[:10_000]
    took = 1000 * median_seconds(lambda: reader.read(article), 40)
    yield Figure(f"an article of {len(article):,} characters, median", took, "ms", 25)
    yield from _parts(reader)


def _parts(reader: Reader) -> Iterator[Figure]:
    """Where the time of a message goes, step by step; tokenising alone is the floor."""
    from parsing.assemble import assemble
    from parsing.frame import build
    from parsing.language import detect_tokens
    from parsing.markup import plain
    from parsing.spans.find import find

    lexicon = reader.lexicon
    source, tokens = plain(MESSAGE), lexicon.cut(MESSAGE)
    frame = build(source.text, lexicon, source.lines)

    def median(action: object) -> float:
        return 1e6 * median_seconds(action, 1000)  # type: ignore[arg-type]

    def put_together() -> None:
        context = reader._context(frame, None, None)
        found = find(frame, context, (), [])
        for low, high in frame.sentences:
            assemble(frame, low, high, [f for f in found if low <= f.at < high], context)

    floor = median(lambda: lexicon.cut(MESSAGE))
    marked, built = median(lambda: plain(MESSAGE)), median(lambda: build(source.text, lexicon, source.lines))
    known, told = median(lambda: lexicon.find(tokens)), median(lambda: detect_tokens(tokens))
    found = median(lambda: find(frame, reader._context(frame, None, None), (), []))
    whole, total = median(put_together), median(lambda: reader.read(MESSAGE))
    yield Figure(
        "a full read against tokenising alone",
        total / floor,
        "times",
        12,
        f"{total:.0f} against {floor:.0f} µs",
    )
    steps = (
        ("markup taken off", marked),
        ("cut into tokens (the floor)", floor),
        ("language", told),
        ("names and words looked up", known),
        ("sentences, numbers, rounds", built - floor - known - told),
        ("claims by their own words", found),
        ("sides and context put to them", whole - found),
    )
    for name, took in steps:
        yield Figure(f"  {name}", took, "µs", None, f"{100 * took / total:.0f} %")


def growth() -> Iterator[Figure]:
    """Time against length for the worst patterns: growth a doubling, 2 is linear; the last one is judged."""
    reader = _reader()
    for pattern in WORST:
        times = [
            1000 * min(_seconds(reader, repeated(pattern, length)) for _ in range(REPEATS))
            for length in LENGTHS
        ]
        factors = [after / before for before, after in pairwise(times)]
        note = " ".join(f"{t:.0f}" for t in times) + " ms; " + " ".join(f"×{f:.2f}" for f in factors)
        yield Figure(f"{pattern!r:.40} to {LENGTHS[-1]:,} characters", factors[-1], "times", 2.5, note)


def _seconds(reader: Reader, text: str) -> float:
    start = time.perf_counter()
    reader.read(text)
    return time.perf_counter() - start


def memory() -> Iterator[Figure]:
    """Resident memory after many distinct messages in one Reader, with words and names never seen before."""
    import psutil

    reader, process = _reader(), psutil.Process()
    make = partial(_message, random.Random(7))
    for number in range(2_000):
        reader.read(make(number))
    before = process.memory_info().rss
    start = time.perf_counter()
    for number in range(MESSAGES):
        reader.read(make(number))
    took = time.perf_counter() - start
    grown = (process.memory_info().rss - before) / 2**20
    note = f"{1e6 * took / MESSAGES:.0f} µs a message"
    yield Figure(f"growth over {MESSAGES:,} distinct messages", grown, "MB", MOST_GROWTH, note)


def _message(chance: random.Random, number: int) -> str:
    word = "".join(chance.choices("abcdefghijklmnopqrstuvwxyzäé", k=9))
    value = chance.uniform(1.1, 9.9)
    return f"{word}{number} says chip ZX{number} is {value:.2f}x faster than H100 in {word[::-1]}."


def typical() -> float:
    """Median milliseconds of the message, for a quick look."""
    reader = _reader()
    return 1000 * statistics.median(_seconds(reader, MESSAGE) for _ in range(500))
