"""The things that a sentence compares: chips, systems, processors, makers, with their counts.

Names that stand together are one thing ("eight NVIDIA GB300 NVL72 racks by CoreWeave"). A name
that the vocabulary lacks but that stands in the place of a chip is kept as it is printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from parsing.frame import Frame, Number
from parsing.lexicon import Mention
from parsing.spans.local import HARDWARE, MAKERS, is_stop
from parsing.vocabulary import Name

_OF_THINGS = frozenset((*HARDWARE, *MAKERS))


@dataclass(slots=True)
class Thing:
    """Something that was measured: names at tokens `[start, end)` and what they say."""

    start: int
    end: int
    accelerators: list[str] = field(default_factory=list)
    family: str | None = None
    system: str | None = None
    vendor: str | None = None
    submitter: str | None = None
    count: int | None = None
    nodes: int | None = None
    size: int | None = None
    counted: list[Number] = field(default_factory=list)
    alone: bool = False
    processor: bool = False
    machine: bool = False  # a server that the vocabulary lacks
    said: bool = False  # the text says the vendor; otherwise it only follows from the chip

    @property
    def hardware(self) -> bool:
        return bool(self.accelerators or self.family or self.system)

    @property
    def key(self) -> str:
        return (
            "|".join(self.accelerators) or self.family or self.system or self.submitter or self.vendor or ""
        )


def things(frame: Frame, low: int, high: int) -> list[Thing]:
    """The things named in a sentence, in order, with their counts."""
    found: list[Thing] = []
    for mention in _mentions(frame, low, high):
        thing = _thing(frame, mention)
        hardware = [t for t in found if t.hardware]
        _count(frame, thing, low, high, hardware[-1].end if hardware else low)
        if found and _one(frame, found[-1], thing):
            merge(found[-1], thing)
        elif found and _part(frame, found[-1], thing):
            found[-1].count = found[-1].count or thing.count
            found[-1].counted += thing.counted
            found[-1].end = thing.end
        else:
            found.append(thing)
    return found


def _mentions(frame: Frame, low: int, high: int) -> list[Mention]:
    mentions = [m for m in frame.names_in(low, high) if not m.labels.isdisjoint(_OF_THINGS)]
    heads = _unnamed_heads(frame, low, high)
    if not heads:
        return mentions
    mentions.extend(unknown_chips(frame, heads, low, high))
    mentions.extend(unknown_machines(frame, heads, low, high))
    unique = {m.start: m for m in mentions}
    return [unique[start] for start in sorted(unique)]


def _unnamed_heads(frame: Frame, low: int, high: int) -> list[int]:
    """The words to which a number is glued and which, like the number, are part of no known name."""
    tokens, names = frame.tokens, frame.names
    return [
        i - 1
        for i in frame.digits_in(low + 1, high)
        if tokens[i].gap in ("", "-")
        and tokens[i - 1].kind == "word"
        and names[i] is None
        and names[i - 1] is None
    ]


def _thing(frame: Frame, mention: Mention) -> Thing:
    thing = Thing(mention.start, mention.end)
    kinds = {name.kind: name for name in mention.names}
    if "name.machine" in mention.labels:
        thing.system, thing.machine = frame.words(mention.start, mention.end), True
        return thing
    if not mention.names:
        thing.accelerators = [frame.words(mention.start, mention.end)]
        return thing
    for kind, name in kinds.items():
        thing.vendor = thing.vendor or (name.vendor if kind != "vendor" else name.canonical)
        thing.said = thing.said or kind == "vendor" or _names_vendor(name)
        if kind == "accelerator":
            thing.accelerators = [name.canonical]
        elif kind == "family" and "accelerator" not in kinds:
            thing.family = name.canonical
        elif kind in ("system", "processor"):
            thing.system = name.canonical
            thing.size = name.size
            thing.processor = kind == "processor"
            if name.accelerator:
                thing.accelerators = [name.accelerator]
    if (
        "submitter" in kinds
        and not thing.hardware
        and (thing.vendor in (None, "Google") or "vendor" not in kinds)
    ):
        thing.submitter = kinds["submitter"].canonical
    return thing


def _names_vendor(name: Name) -> bool:
    return bool(name.vendor and name.vendor.lower() in name.text.lower().split())


def _between(frame: Frame, left: Thing, right: Thing) -> range:
    return range(left.end, right.start)


def _one(frame: Frame, left: Thing, right: Thing) -> bool:
    """Whether two names beside each other speak of one thing."""
    between = _between(frame, left, right)
    far = 4 if left.system and not left.accelerators else 3
    if len(between) > far or any(is_stop(frame, i) and frame.low(i) != "(" for i in between):
        return False
    if frame.within(
        between.start, between.stop, "link.and", "baseline.mark", "sign.to", "outperform.verb", "speaker.verb"
    ):
        return False
    if left.accelerators and right.accelerators:
        return left.accelerators == right.accelerators
    if left.hardware and right.hardware:
        return _same_hardware(frame, left, right)
    if right.hardware:
        if left.vendor and right.vendor and left.vendor != right.vendor:
            if not all(_linking(frame, i) for i in between):
                return False
            left.submitter = left.submitter or left.vendor  # "Google B200": who runs it, not who makes it
            return True
        if len(between) == 2 and frame.gap(left.end) == "'" and frame.has(right.start - 1, "baseline.on"):
            left.submitter = left.submitter or left.vendor  # "18 % higher than NVIDIA's on B300"
            return True
        fits = not (left.vendor and right.vendor) or left.vendor == right.vendor or left.submitter == "Google"
        return fits and all(_linking(frame, i) for i in between)
    if left.hardware and frame.within(between.start, between.stop, "thing.by"):
        return True
    if left.hardware and len(between) == 1 and frame.has(right.end, "maker.own"):
        right.submitter = right.submitter or right.vendor  # "the B200 of NVIDIA itself"
        return frame.has(left.end, "baseline.of")
    return False


def _same_hardware(frame: Frame, left: Thing, right: Thing) -> bool:
    """Whether a chip and a system beside each other are one thing."""
    if right.machine:  # "the eight RTX PRO 6000 of the DL380a"
        of = frame.has(left.end, "baseline.of", "thing.inside") and left.system is None
        return of and all(frame.has(i, "link.determiner") for i in range(left.end + 1, right.start))
    if _holds(frame, left, right):
        return True
    alike = not (left.vendor and right.vendor and left.vendor != right.vendor)
    return alike and all(_linking(frame, i) for i in range(left.end, right.start))


def _holds(frame: Frame, left: Thing, right: Thing) -> bool:
    """ "XE9680 with 8x H200", "XE2420 + T4": a server and the chips in it."""
    if left.accelerators or not left.system or not right.accelerators:
        return False
    between = range(left.end, right.start)
    return any(frame.has(i, "thing.holds") or frame.low(i) == "+" for i in between)


def _linking(frame: Frame, i: int) -> bool:
    return (
        frame.has(i, "thing.link", "noun.accelerator", "link.determiner")
        or i in frame.number_at
        or frame.low(i) in ("(", "x")
    )


def _part(frame: Frame, left: Thing, right: Thing) -> bool:
    """ "four GB300 NVL72 systems with 288 Blackwell Ultra GPUs": the second name only counts the first."""
    between = _between(frame, left, right)
    if not (left.hardware and right.hardware) or right.count is None or len(between) > 6:
        return False
    if (left.vendor and right.vendor and left.vendor != right.vendor) or (
        left.accelerators and right.accelerators and left.key != right.key
    ):
        return False
    return any((frame.has(i, "thing.part") or frame.low(i) == ",") for i in between) and not frame.within(
        between.start, between.stop, "baseline.mark", "link.and", "outperform.verb"
    )


def merge(into: Thing, other: Thing) -> None:
    into.end = max(into.end, other.end)
    into.accelerators = into.accelerators or other.accelerators
    into.family = into.family or other.family
    into.system = into.system or other.system
    into.vendor = other.vendor if other.hardware and other.vendor else into.vendor or other.vendor
    into.said = into.said or other.said
    into.submitter = into.submitter or other.submitter
    into.size = into.size or other.size
    into.count = into.count or other.count
    into.nodes = into.nodes or other.nodes
    into.counted += other.counted


def unknown_chips(frame: Frame, heads: list[int], low: int, high: int) -> Iterator[Mention]:
    """Names that look like a chip's and that the vocabulary lacks: MI455X, QuantumX9."""
    for i in heads:
        tail = frame.tokens[i + 1]
        if not tail.low.isdigit() or frame.has(i, "round", "sign.factor"):
            continue
        if frame.has(i + 1, "id.result") or (
            frame.gap(i) == "" and i > low and frame.tokens[i - 1].kind == "number"
        ):
            continue
        if _chip_like(frame, i):
            end = i + 2
            after = frame.tokens[end] if end < high else None
            if (
                after is not None
                and after.gap == ""
                and after.kind == "word"
                and len(after.low) <= 2
                and after.low != "s"
            ):
                end += 1
            yield Mention(i, end, frozenset({"name.unknown"}))


def unknown_machines(frame: Frame, heads: list[int], low: int, high: int) -> Iterator[Mention]:
    """Names that look like a server's and that the vocabulary lacks: "the XD685", "HPE's DL380a"."""
    for i in heads:
        head, tail = frame.tokens[i], frame.tokens[i + 1]
        if i == low or tail.gap != "" or not 3 <= len(tail.low) <= 4:
            continue
        if not frame.text[head.start : head.end].isupper() or not 2 <= len(head.low) <= 4:
            continue
        if head.low in frame.prefixes or frame.has(i, "thing.not_chip", "round") or not tail.low.isdigit():
            continue
        if frame.gap(i) == " " and frame.has(i - 1, "link.determiner", *MAKERS):
            after = frame.tokens[i + 2] if i + 2 < high else None
            glued = after is not None and after.gap == "" and after.kind == "word" and len(after.low) <= 2
            yield Mention(i, i + 2 + glued, frozenset({"name.machine"}))


def _chip_like(frame: Frame, i: int) -> bool:
    head, tail = frame.tokens[i], frame.tokens[i + 1]
    if frame.has(i, "thing.not_chip") or len(tail.low) > 4 or (tail.gap == "-" and len(head.low) > 3):
        return False
    if head.low in frame.prefixes and len(tail.low) >= 2:
        return True
    printed = frame.text[head.start : head.end]
    return (
        tail.gap == ""
        and len(head.low) >= 4
        and printed[0].isupper()
        and any(c.isupper() for c in printed[1:])
    )


def _count(frame: Frame, thing: Thing, low: int, high: int, floor: int) -> None:
    """How many of it: "512 Instinct MI355X", "8x B200", "four cards", "B300 … (8 GPUs)", "x32"."""
    if not thing.hardware:
        return
    number, kind = _number_before(frame, thing, max(low, floor))
    if number is None:
        number, kind = _number_after(frame, thing, high)
    if number is None:
        one = [i for i in range(max(low, thing.start - 2), thing.start) if frame.has(i, "thing.one")]
        if one and frame.has(one[0] + 1, "thing.node"):  # "single-node MI355X"
            thing.nodes = 1
            return
        thing.alone = bool(one)
        thing.count = 1 if thing.alone and not thing.system else _eights(frame, thing, low)
        return
    value = number.value.value * _rows(frame, number)
    if value != int(value) or value < 1:
        return
    thing.counted.append(number)
    unit = _unit_after(frame, thing, high)
    if kind == "node" or unit == "node":
        thing.nodes = int(value)
    elif (
        not thing.system
        or (unit == "chip" and kind == "chip")
        or not thing.size
        or value >= max(thing.size, 2)
    ):
        thing.count = (
            int(value)
            if (unit != "rack" and not (thing.system and unit == "")) or kind == "chips"
            else thing.count
        )


def _rows(frame: Frame, number: Number) -> int:
    """ "9x8 MI355X" are nine rows of eight: what the number is multiplied with."""
    before = frame.number_at.get(number.start - 2)
    glued = (
        frame.low(number.start - 1) == "x"
        and frame.gap(number.start) == ""
        and frame.gap(number.start - 1) == ""
    )
    return int(before.value.value) if before is not None and glued and before.step == 1 else 1


def _unit_after(frame: Frame, thing: Thing, high: int) -> str:
    """What the words after a name count: chips, nodes, racks, or nothing said."""
    for i in range(thing.end, min(high, thing.end + 2)):
        if frame.has(i, "noun.rack"):
            return "rack"
        if frame.has(i, "thing.node"):
            return "node"
        if frame.has(i, "noun.accelerator"):
            return "chip"
    return ""


def _number_before(frame: Frame, thing: Thing, low: int) -> tuple[Number | None, str]:
    i, kind = thing.start - 1, "chip"
    for _ in range(4):
        if i < low or i in frame.number_at:
            break
        if frame.has(i, "thing.node"):
            kind = "node"
        elif frame.has(i, "noun.accelerator"):
            kind = "chips"
        elif not (
            frame.has(i, "sign.times") or frame.has(i, "thing.before", "name.vendor", "name.submitter")
        ):
            return None, ""
        i -= 1
    number = frame.number_at.get(i) if i >= low else None
    if (
        number is None
        or frame.has(number.end, "sign.percent", "unit.tokens/s")
        or number.value.value != int(number.value.value)
    ):
        return None, ""
    if (
        number.word
        and number.value.value == 1
        and frame.has(number.start, "link.determiner")
        and not frame.has(number.start, "thing.one")
    ):
        return None, ""
    return number, kind


def _eights(frame: Frame, thing: Thing, low: int) -> int | None:
    """ "ein Achtersystem mit GB300": the word for the system says how many are in it."""
    for i in range(thing.start - 1, max(low, thing.start - 4) - 1, -1):
        mention = frame.at("value.count", i)
        if mention is not None and mention.value is not None:
            return int(mention.value)
        if not frame.has(i, "thing.holds", "thing.of", "link.determiner"):
            return None
    return None


def counted_after(frame: Frame, number: Number) -> bool:
    """ "VR200 36x from Nebius": a count after the name, not a multiple."""
    sign = number.end
    if frame.low(sign) != "x" or frame.gap(sign) != "" or number.step != 1:
        return False
    named = frame.has(number.start - 1, "name.accelerator", "name.system")
    return named and (frame.low(sign + 1) in (":", ")", "(") or frame.has(sign + 1, "thing.by"))


def _number_after(frame: Frame, thing: Thing, high: int) -> tuple[Number | None, str]:
    i = thing.end
    if i in frame.number_at and counted_after(frame, frame.number_at[i]):
        return frame.number_at[i], "chips"
    if frame.low(i) == "x" and i + 1 in frame.number_at and frame.gap(i + 1) == "":
        return frame.number_at[i + 1], "chips"
    for j in range(i, min(high, i + 4)):
        number = frame.number_at.get(j)
        if number is not None:
            if all((frame.has(k, "thing.after") or frame.low(k) in ("(", ",", "x")) for k in range(i, j)):
                bracketed = frame.low(number.end) == "x" and frame.low(number.end + 1) == ")"  # "B300 (8x)"
                if bracketed or frame.has(number.end, "noun.accelerator"):
                    return number, "chips"
                if frame.has(number.end, "thing.node", "thing.way"):
                    return number, "node"
            return None, ""
    return None, ""
