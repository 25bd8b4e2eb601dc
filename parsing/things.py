"""The things that a sentence compares: chips, systems, processors, makers, with their counts.

Names that stand together are one thing ("eight NVIDIA GB300 NVL72 racks by CoreWeave"). A name
that the vocabulary lacks but that stands in the place of a chip is kept as it is printed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from parsing.claim import Side
from parsing.frame import Frame, Number
from parsing.lexicon import Mention
from parsing.spans.local import is_stop

KINDS = ("accelerator", "family", "system", "processor")
MAKERS = ("vendor", "submitter")
_NOT_CHIPS = frozenset(
    ["fp", "int", "bf", "nvfp", "mxfp", "tp", "pp", "dp", "ep", "p", "v", "q", "gen", "hbm", "pcie", "gddr", "ddr", "sm", "cuda", "rocm", "rev", "page", "top", "fig", "note", "h", "k", "m", "b", "x", "gbe", "iso", "year", "cve", "usd", "eur", "ipv", "utf", "sha", "md", "mp", "web", "covid"]
)


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
    counted: tuple[int, int] | None = None
    unknown: bool = False
    said: bool = False  # the text says the vendor; otherwise it only follows from the chip

    @property
    def hardware(self) -> bool:
        return bool(self.accelerators or self.family or self.system)

    @property
    def key(self) -> str:
        return (
            "|".join(self.accelerators) or self.family or self.system or self.submitter or self.vendor or ""
        )

    def side(self) -> Side:
        chip = " | ".join(self.accelerators) or self.family
        return Side(
            submitter=self.submitter,
            vendor=self.vendor if self.said else None,
            accelerator=chip,
            system=self.system,
            accelerators=self.count,
            nodes=self.nodes,
        )


def things(frame: Frame, low: int, high: int) -> list[Thing]:
    """The things named in a sentence, in order, with their counts."""
    found: list[Thing] = []
    for mention in _mentions(frame, low, high):
        thing = _thing(mention)
        if found and _one(frame, found[-1], thing):
            _merge(found[-1], thing)
        else:
            found.append(thing)
    for thing in found:
        _count(frame, thing, low, high)
    return found


def _mentions(frame: Frame, low: int, high: int) -> list[Mention]:
    mentions = [m for kind in (*KINDS, *MAKERS) for m in frame.find(f"name.{kind}", low, high)]
    mentions.extend(unknown_chips(frame, low, high))
    unique = {m.start: m for m in mentions}
    return [unique[start] for start in sorted(unique)]


def _thing(mention: Mention) -> Thing:
    thing = Thing(mention.start, mention.end)
    kinds = {name.kind: name for name in mention.names}
    if not mention.names:
        thing.unknown = True
        return thing
    for kind, name in kinds.items():
        thing.vendor = thing.vendor or name.vendor
        thing.said = thing.said or bool(name.vendor and name.vendor.lower() in name.text.lower().split())
        if kind == "accelerator":
            thing.accelerators = [name.canonical]
        elif kind == "family" and "accelerator" not in kinds:
            thing.family = name.canonical
        elif kind in ("system", "processor"):
            thing.system = name.canonical
            thing.size = name.size
            if name.accelerator:
                thing.accelerators = [name.accelerator]
    if "vendor" in kinds:
        thing.vendor, thing.said = kinds["vendor"].canonical, True
        if kinds["vendor"].canonical == "Google":
            thing.submitter = "Google"
    elif "submitter" in kinds and not thing.hardware:
        thing.submitter = kinds["submitter"].canonical
    return thing


def _one(frame: Frame, left: Thing, right: Thing) -> bool:
    """Whether two names beside each other speak of one thing."""
    between = right.start - left.end
    if between > 3 or any(is_stop(frame, i) and frame.low(i) != "(" for i in range(left.end, right.start)):
        return False
    if any(
        frame.has(i, "link.and", "baseline.mark", "sign.to", "outperform.verb", "speaker.verb")
        for i in range(left.end, right.start)
    ):
        return False
    if left.accelerators and right.accelerators:
        return left.accelerators == right.accelerators
    if left.hardware and right.hardware:
        return not (left.vendor and right.vendor and left.vendor != right.vendor) and between <= 2
    if right.hardware:
        maker = left.vendor or left.submitter
        fits = not (left.vendor and right.vendor) or left.vendor == right.vendor or left.submitter == "Google"
        return (
            bool(maker)
            and fits
            and (between == 0 or all(_linking(frame, i) for i in range(left.end, right.start)))
        )
    if left.hardware and not right.hardware:
        return between <= 3 and any(
            frame.low(i) in ("by", "from", "von") for i in range(left.end, right.start)
        )
    return False


def _linking(frame: Frame, i: int) -> bool:
    return (
        frame.low(i)
        in ("s", "own", "based", "new", "latest", "flagship", "the", "a", "first", "rack", "scale", "(")
        or i in frame.number_at
        or frame.has(i, "noun.accelerator", "link.determiner")
    )


def _merge(into: Thing, other: Thing) -> None:
    into.end = max(into.end, other.end)
    into.accelerators = into.accelerators or other.accelerators
    into.family = into.family or other.family
    if other.system and (into.system is None or other.accelerators):
        into.system = into.system or other.system
    into.system = into.system or other.system
    into.vendor = other.vendor if other.hardware and other.vendor else into.vendor or other.vendor
    into.said = into.said or other.said
    into.submitter = into.submitter or other.submitter
    into.size = into.size or other.size


def unknown_chips(frame: Frame, low: int, high: int) -> list[Mention]:
    """Names that look like a chip's and that the vocabulary lacks: MI455X, QuantumX9."""
    found: list[Mention] = []
    for i in range(low, high - 1):
        head, tail = frame.tokens[i], frame.tokens[i + 1]
        if (
            head.kind != "word"
            or tail.kind != "number"
            or frame.names[i]
            or frame.names[i + 1]
            or tail.gap not in ("", "-")
        ):
            continue
        if not tail.low.isdigit() or frame.has(i, "round", "sign.factor") or frame.has(i + 1, "id.result"):
            continue
        if frame.gap(i) == "" and i > low and frame.tokens[i - 1].kind == "number":
            continue
        if _chip_like(frame, head.low, tail.low, frame.text[head.start : head.end], tail.gap):
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
            found.append(Mention(i, end, frozenset({"name.unknown"})))
    return found


def _chip_like(frame: Frame, head: str, tail: str, printed: str, gap: str) -> bool:
    if head in _NOT_CHIPS or len(tail) > 4 or (gap == "-" and len(head) > 3):
        return False
    if head in frame.prefixes and len(tail) >= 2:
        return True
    return gap == "" and len(head) >= 4 and printed[0].isupper() and any(c.isupper() for c in printed[1:])


def _count(frame: Frame, thing: Thing, low: int, high: int) -> None:
    """How many of it: "512 Instinct MI355X", "8x B200", "four cards", "B300 … (8 GPUs)", "x32"."""
    number, kind = _number_before(frame, thing, low)
    if number is None:
        number, kind = _number_after(frame, thing, high)
    if number is None:
        return
    value = number.value.value
    if value != int(value) or value < 1:
        return
    thing.counted = (number.start, number.end)
    if kind == "node":
        thing.nodes = int(value)
    elif kind == "chip" and not (thing.size and thing.size > 1 and value < thing.size):
        thing.count = int(value)


def _number_before(frame: Frame, thing: Thing, low: int) -> tuple[Number | None, str]:
    i = thing.start - 1
    steps = 0
    kind = "chip"
    while i >= low and steps < 3 and i not in frame.number_at:
        if frame.has(i, "noun.node"):
            kind = "node"
        elif not (
            frame.has(i, "noun.accelerator", "sign.times")
            or frame.low(i) in ("of", "s", "instinct", "single", "new", "lone", "einzelne", "bare")
        ):
            return None, ""
        i -= 1
        steps += 1
    number = frame.number_at.get(i) if i >= low else None
    if number is None or frame.has(number.end, "sign.percent", "unit.tokens/s"):
        return None, ""
    if number.word and number.value.value == 1 and frame.language == "de":
        return None, ""
    return number, kind


def _number_after(frame: Frame, thing: Thing, high: int) -> tuple[Number | None, str]:
    i = thing.end
    if frame.low(i) == "x" and i + 1 in frame.number_at and frame.gap(i + 1) == "":
        return frame.number_at[i + 1], "chip"
    for j in range(i, min(high, i + 4)):
        number = frame.number_at.get(j)
        if number is not None:
            between = all(
                frame.low(k) in ("(", ",", "with", "mit", "x", "s", "gpu", "gpus", "systems", "system")
                for k in range(i, j)
            )
            if between and frame.has(number.end, "noun.accelerator"):
                return number, "chip"
            if between and frame.has(number.end, "noun.node"):
                return number, "node"
            return None, ""
    return None, ""
