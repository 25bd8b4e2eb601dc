"""Numbers with their signs: which number is a multiple, a percentage, a rate, a time, a count.

Nothing is judged here. A measure says what is printed; whether it is a claim about a result
is for the kinds to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from parsing.claim import Qualifier
from parsing.frame import Frame, Number
from parsing.lexicon import Mention
from parsing.numbers import Value, parse
from parsing.spans.found import Measure, Qualified
from parsing.spans.local import HARDWARE

TIMES = ("sign.times",)
TIME_UNITS = ("minutes", "hours", "s", "ms", "µs")
_JOINERS = ("link.determiner", "qualifier.exact", "value.number")
_MOST, _NEAR = 100, 20
_LEFT = 4
_SCENARIOS = ("scenario.offline", "scenario.server", "scenario.interactive")
_STRENGTH: tuple[Qualifier, ...] = ("up_to", "at_least", "over", "nearly", "about", "exact")


def measures(frame: Frame) -> list[Measure]:
    """All measures of a frame, in order, ranges joined."""
    found: list[Measure] = []
    skip: Number | None = None
    numbers = frame.numbers
    every = [_measure(frame, number) for number in numbers]
    for i, number in enumerate(numbers):
        if number is skip:
            skip = None
            continue
        after = numbers[i + 1] if i + 1 < len(numbers) else None
        measure = every[i]
        if after is not None and _joined(frame, measure, every[i + 1]):
            high = every[i + 1]
            if high.form in ("x", "%", "rate", "time") and high.value >= number.value.value:
                found.append(_range(measure, high))
                skip = after
                continue
        found.append(measure)
    _leave_sign(frame, found)
    words = list(_word_multiples(frame))
    taken = {m.low.start for m in words if m.high is not None}
    found = [m for m in found if m.start not in taken] + words
    found.sort(key=lambda m: m.start)
    return found


def _leave_sign(frame: Frame, found: list[Measure]) -> None:
    """ "up to 1.8 and on average 1.4 times": the first leaves its sign to the second."""
    for left, right in pairwise(found):
        fits = left.form == "plain" and right.form == "x" and not left.word and (left.low.step or 1) < 1
        between = range(left.end, right.start)
        if not fits or not 0 < len(between) <= _LEFT or not frame.within(left.end, right.start, "link.and"):
            continue
        if all(
            frame.has(i, "link.and", "link.determiner") or frame.section_at(i, "aggregate.") for i in between
        ):
            left.form = "x"


def _range(low: Measure, high: Measure) -> Measure:
    return Measure(low.start, high.end, high.form, low.low, high.low, high.unit)


def _joined(frame: Frame, measure: Measure, other: Measure) -> bool:
    """Whether two numbers are the ends of one range."""
    number, after = measure.low, other.low
    start = measure.end if measure.form in ("x", "%") else number.end
    between = after.start - start
    if between == 0:
        return frame.gap(after.start) == "-"
    if between != 1:
        return False
    if frame.low(start) in ("-", "—", "~"):
        return True
    if frame.has(start, "sign.to"):
        return other.form in ("x", "%")
    return frame.has(start, "link.and") and frame.has(number.start - 1, "sign.between")


def _measure(frame: Frame, number: Number) -> Measure:
    sign = _sign(frame, number)
    if sign is None:
        return Measure(number.start, number.end, "plain", number, word=number.word)
    form, end, unit = sign
    if form == "x" and number.value.value >= 1000:
        other = parse(number.text, "," if frame.decimal == "." else ".")
        if other is not None:
            number.value, number.step = other, other.step
    return Measure(number.start, end, form, number, unit=unit, word=number.word)


def _sign(frame: Frame, number: Number) -> tuple[str, int, str | None] | None:
    """The sign after (or before) a number: its form, where it ends, its unit."""
    end = number.end
    if frame.low(number.start - 1) == "#":
        return None
    if frame.low(end) == "+" and frame.gap(end) == "" and _unit(frame, end + 1):
        return _unit(frame, end + 1)  # "900K+ tokens per second"
    if _times(frame, end):
        return "x", _footnote(frame, end + 1), None
    if frame.has(end, "sign.percent"):
        return "%", end + 1, None
    unit = _unit(frame, end) or _unit_before(frame, number)
    if unit is not None:
        return unit
    if frame.has(number.start - 1, "sign.factor") or _speedup(frame, number) or _led(frame, number):
        return "x", end, None
    return None


def _led(frame: Frame, number: Number) -> bool:
    """ "×7.3": the sign stands before; "outran it by 3.1": there is none, but a verb of winning."""
    i = number.start - 1
    if number.word or number.step is None or number.step >= 1:
        return False
    if frame.low(i) == "x":
        return frame.gap(number.start) == "" and frame.gap(i) != "" and frame.names[i] is None
    by = frame.has(i, "link.by") and not frame.has(number.end, "sign.percent")
    return by and frame.within(max(0, i - 3), i, "outperform.verb")


def _speedup(frame: Frame, number: Number) -> bool:
    """ "speedups: 1.52 (server), 1.21 (offline)": decimals after the word need no sign."""
    if number.word or number.step is None or number.step >= 1 or not 0 < number.value.value < _MOST:
        return False
    if frame.has(number.start - 1, "spec.software") or number.end != number.start + 1:
        return False
    low, _ = frame.sentence(number.start)
    return frame.any("sign.speedup", max(low, number.start - _NEAR), number.start)


def _times(frame: Frame, i: int) -> bool:
    if not frame.has(i, *TIMES) or frame.names[i] is not None:
        return False
    return frame.low(i) != "x" or frame.gap(i) in ("", "-") or frame.gap(i + 1) != ""


def _footnote(frame: Frame, i: int) -> int:
    """Past a footnote mark glued to the sign ("2.77x3")."""
    glued = frame.gap(i) == "" and frame.low(i).isdigit() and len(frame.low(i)) == 1
    counted = frame.has(i + 1, *HARDWARE, "noun.accelerator")  # "9x8 MI355X"
    return i + 1 if glued and not counted else i


def _unit(frame: Frame, i: int) -> tuple[str, int, str | None] | None:
    for mention in frame.mentions_at(i, "unit."):
        unit = next(label for label in mention.labels if label.startswith("unit."))[5:]
        if frame.low(i) == "s" and frame.gap(i) == "'":
            return None
        form = "time" if unit in TIME_UNITS else "rate"
        return form, mention.end, unit
    return None


def _unit_before(frame: Frame, number: Number) -> tuple[str, int, str | None] | None:
    """ "server queries: 99,997 per second": the counted thing stands before the number."""
    rate = frame.at("sign.per_second", number.end)
    if rate is None or rate.start != number.end:
        return None
    for i in range(number.start - 1, max(-1, number.start - 7), -1):
        for unit in ("tokens", "samples", "queries"):
            if frame.has(i, f"unit.{unit}"):
                return "rate", rate.end, f"{unit}/s"
    return None


def _word_multiples(frame: Frame) -> Iterator[Measure]:
    """Words that are a multiple by themselves: doubled, twice, tenfold, das Doppelte."""
    for mention in frame.by_label.get("value.multiple", ()):
        if mention.value is None or any(frame.names[i] for i in range(mention.start, mention.end)):
            continue
        if frame.has(mention.start, "when.half_year") or frame.has(
            mention.end, "when.unit_years", "when.unit_months"
        ):
            continue
        if any(
            i in frame.number_at and frame.number_at[i].end > mention.start + 1
            for i in range(mention.start, mention.end)
        ):
            continue
        value = Value(mention.value, 0.0)
        number = Number(mention.start, mention.end, value, frame.words(mention.start, mention.end), word=True)
        end = mention.end + 1 if _times(frame, mention.end) else mention.end
        low = frame.number_at.get(mention.start - 2) if frame.has(mention.start - 1, "sign.to") else None
        if low is not None and low.value.value < mention.value:
            yield Measure(low.start, end, "x", low, number, word=True)  # "fünf- bis sechsmal"
        else:
            yield Measure(mention.start, end, "x", number, word=True)


def qualifier(frame: Frame, measure: Measure) -> Qualified:
    """The qualifier of a measure and the tokens `[start, end)` that say it; looked for once.

    Reads back over articles and adjectives ("up to a 9 %"), and forward ("2x or more").
    """
    if measure.qualified is None:
        measure.qualified = _qualified(frame, measure)
    return measure.qualified


def _qualified(frame: Frame, measure: Measure) -> Qualified:
    found: list[tuple[Qualifier, int, int]] = []
    i = measure.start - 1
    steps = 0
    while i >= 0 and steps < 5:
        mention = frame.section_at(i, "qualifier.")
        if mention is not None and mention.end == i + 1:
            found.append((_named(mention), mention.start, mention.end))
            i = mention.start - 1
        elif frame.has(i, "link.determiner", "link.by", "grammar.it_is", *_SCENARIOS) or frame.low(i) in (
            "+",
            "(",
            "$",
        ):
            i -= 1
        else:
            break
        steps += 1
    found.extend(_after(frame, measure.end))
    if measure.low.end < measure.end and frame.low(measure.low.end) == "+":
        found.append(("over", measure.low.end, measure.low.end + 1))
    for strength in _STRENGTH:
        for word, start, end in found:
            if word == strength:
                return word, start, end
    return None, measure.start, measure.start


def _named(mention: Mention) -> Qualifier:
    return next(word for word in _STRENGTH if f"qualifier.{word}" in mention.labels)


def _after(frame: Frame, i: int) -> Iterator[tuple[Qualifier, int, int]]:
    if frame.low(i) == "+" and frame.gap(i) == "":
        yield "over", i, i + 1
    mention = frame.section_at(i, "qualifier.")
    if mention is not None and mention.start == i and frame.low(i) in ("or", "oder", "give"):
        yield _named(mention), i, mention.end
    if frame.low(i) == "(" and frame.low(i + 1) == "+" and frame.low(i + 2) == "/":
        yield "about", i, i + 4
    elif frame.low(i) == "(" and frame.low(i + 1) == "±":
        yield "about", i, i + 3
