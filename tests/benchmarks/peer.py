"""One reader of numbers in a process of its own: passages in as JSON lines, its numbers and seconds out.

`python peer.py NAME` runs under the Python that has the tool installed; nothing else of the checkout
is needed for the others' tools. A line in is `{"text", "lang", "markup"}`, the first line out
names what was loaded, each one after it is `{"values": […], "seconds": …}`. Exit code 3: not installed.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

WARM: tuple[dict[str, Any], ...] = tuple(
    {"text": text, "lang": lang}
    for lang, text in (
        ("en", "It is 1.1x faster, 10% more, 1,234 tokens/s in 3 minutes."),
        ("de", "Es ist 1,1-mal so schnell, 10 Prozent mehr, 1.234 Tokens pro Sekunde in 3 Minuten."),
    )
    for _ in range(3)
)

Read = Callable[[dict[str, Any]], list[float]]


def smallprint() -> Read:
    """The numbers of the claims as they are printed, magnitudes multiplied out."""
    from bot import answer

    def read(item: dict[str, Any]) -> list[float]:
        values: list[float] = []
        claims = answer.read(item["text"], markup=item.get("markup") or "plain")
        for claim in claims:
            if claim.kind == "absolute":
                pair: tuple[float | None, ...] = (claim.value, claim.value_max)
            else:
                pair = tuple(p.value if p else None for p in (claim.printed, claim.printed_max))
            values.extend(value for value in pair if value is not None)
        return list(dict.fromkeys(values))

    return read


def quantulum() -> Read:
    """All quantities that quantulum3 finds, with its English model (it has no German one)."""
    from quantulum3 import parser

    def read(item: dict[str, Any]) -> list[float]:
        return [float(quantity.value) for quantity in parser.parse(item["text"])]

    return read


def recognizers() -> Read:
    """All numbers, percentages and numbers with units that ms-recognizers-text finds, in either language.

    Units are asked for as well, since the other two tools tell them.
    """
    from ms_recognizers_suite import Culture, recognize_dimension, recognize_number, recognize_percentage

    cultures = {"en": Culture.English, "de": Culture.German}
    models = (recognize_number, recognize_percentage, recognize_dimension)

    def read(item: dict[str, Any]) -> list[float]:
        culture = cultures[item.get("lang") or "en"]
        found = {}
        for recognize in models:
            for model in recognize(item["text"], culture):
                value = str((model.resolution or {}).get("value") or "").rstrip("%").replace(",", ".")
                try:
                    found[model.start] = float(value)
                except ValueError:
                    continue
        return list(found.values())

    return read


TOOLS: dict[str, Callable[[], Read]] = {
    "smallprint": smallprint,
    "quantulum3": quantulum,
    "ms-recognizers-text": recognizers,
}


def main(name: str) -> int:
    """Warm up on other sentences, then read each passage once: a tool may keep what it has read."""
    warnings.simplefilter("ignore")
    try:
        read = TOOLS[name]()
    except ImportError as reason:
        print(f"{name}: {reason}", file=sys.stderr)
        return 3
    items = [json.loads(line) for line in sys.stdin]
    print(json.dumps({"loaded": name}), flush=True)
    for item in WARM:
        read(item)
    for item in items:
        start = time.perf_counter()
        values = read(item)
        seconds = time.perf_counter() - start
        print(json.dumps({"values": values, "seconds": seconds}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
