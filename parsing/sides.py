"""Who is compared with whom: subject and baseline of each claim, with makers, counts and rounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from parsing.baselines import RELATIVE, Baseline, baselines, when_of
from parsing.binding import Item, bind, coordinated
from parsing.claim import Side
from parsing.context import Context
from parsing.frame import Frame
from parsing.spans.found import Found
from parsing.spans.local import is_stop
from parsing.things import Thing, things



@dataclass(slots=True)
class Draft:
    """A claim in the making: its fields, and the names of those that came from context."""

    found: Found
    fields: dict[str, Any] = field(default_factory=dict)
    subject: Side = field(default_factory=Side)
    baseline: Side = field(default_factory=Side)
    context: set[str] = field(default_factory=set)

    @property
    def relative(self) -> bool:
        return self.found.kind in RELATIVE

    @property
    def span(self) -> tuple[int, int]:
        return self.found.at, self.found.till


@dataclass(slots=True)
class Sentence:
    """A sentence with all that can be bound to its claims."""

    frame: Frame
    low: int
    high: int
    found: list[Found]
    context: Context
    named: list[Thing] = field(default_factory=list)
    others: list[Baseline] = field(default_factory=list)
    rounds: list[Item] = field(default_factory=list)
    same: bool = False
    bindings: dict[tuple[Any, ...], dict[tuple[int, int], list[Item]]] = field(default_factory=dict)

    def any(self, label: str) -> bool:
        return self.frame.any(label, self.low, self.high)

    def bound(self, draft: Draft, items: list[Item], *, ordered: bool = True) -> list[Item]:
        """The items that belong to one claim, bound among the claims of its sort."""
        if not items:
            return []
        key = (_sort(draft.found), ordered, *(i.start for i in items))
        if key not in self.bindings:
            spans = [(f.at, f.till) for f in self.found if _sort(f) == key[0]]
            self.bindings[key] = dict(zip(spans, bind(self.frame, items, spans, ordered=ordered), strict=True))
        return self.bindings[key][draft.span]


def _sort(found: Found) -> str:
    if found.kind == "absolute":
        return "absolute"
    return "ratio" if found.kind in ("multiple", "percent", "cost", "scaling") else "words"


def sentence_of(frame: Frame, low: int, high: int, found: list[Found], context: Context) -> Sentence:
    sentence = Sentence(frame, low, high, found, context)
    sentence.named = things(frame, low, high)
    sentence.others = baselines(frame, low, high, sentence.named, found)
    sentence.rounds = [
        Item(m.start, m.end, next(x for x in m.labels if x.startswith("round."))[6:])
        for m in frame.find("round", low, high)
    ]
    sentence.same = same_hardware(frame, low, high, sentence.named)
    return sentence


def same_hardware(frame: Frame, low: int, high: int, named: list[Thing]) -> bool:
    """Whether a sentence says "same rack", "identical hardware", "the same four Arc Pro B70 cards"."""
    if frame.any("same.hardware", low, high):
        return True
    starts = {t.start for t in named if t.hardware}
    for mention in frame.find("same.word", low, high):
        for i in range(mention.end, min(high, mention.end + 6)):
            if is_stop(frame, i) or frame.has(i, "same.amount"):
                break
            if i in starts or frame.has(i, "noun.accelerator", "noun.rack"):
                return True
    return False


def bind_sides(sentence: Sentence, drafts: list[Draft]) -> None:
    """Give each claim its subject and its baseline."""
    other = {id(b.thing) for b in sentence.others if b.thing is not None}
    every = [t for t in sentence.named if t.hardware]
    own = [t for t in every if id(t) not in other]
    for draft in drafts:
        _subject(sentence, draft, own if draft.relative else every)
        if draft.relative:
            draft.baseline = _baseline(sentence, draft)
        _makers(sentence, draft, other)
        _adopt(draft, own if draft.relative else every)
    _free_counts(sentence, drafts)
    _bind_rounds(sentence, drafts)
    for draft in drafts:
        _mirror(sentence, draft)
        _count_kind(draft)
    _pair_values(sentence, drafts)


def _against(sentence: Sentence, draft: Draft, candidates: list[Thing]) -> list[Thing]:
    """ "A leads B (16,670 vs 11,230)": two figures set against each other are those of the two sides, in order."""
    frame = sentence.frame
    figures = [f for f in sentence.found if f.kind == "absolute"]
    hardware = [t for t in candidates if t.hardware]
    if draft.found.kind != "absolute" or len(figures) != 2 or len(hardware) != 2:
        return []
    first, second = figures
    between = range(first.till, second.at)
    if len(between) > 3 or not any(frame.has(i, "baseline.mark") for i in between) or hardware[1].end > first.at:
        return []
    return [hardware[figures.index(draft.found)]]


def _chosen(sentence: Sentence, draft: Draft, candidates: list[Thing]) -> list[Thing]:
    items = [Item(t.start, t.end, str(i)) for i, t in enumerate(candidates)]
    bound = sentence.bound(draft, items, ordered=not draft.relative)
    return [candidates[int(item.value)] for item in bound]


def _subject(sentence: Sentence, draft: Draft, candidates: list[Thing]) -> None:
    chosen = _against(sentence, draft, candidates) or _chosen(sentence, draft, candidates)
    if chosen:
        draft.subject = _join(chosen)
        return
    subject = sentence.context.subject
    if draft.relative and sentence.context.baseline and not sentence.others:
        sentence.others = [Baseline(sentence.low, sentence.low, thing=sentence.context.baseline)]
    if subject is None:
        draft.subject = Side(accelerators=sentence.context.count, nodes=sentence.context.nodes)
    elif not _another_maker(sentence, subject):
        draft.context |= {"subject.accelerator", "subject.system", "subject.accelerators", "subject.nodes"}
        draft.subject = subject.side()
        if draft.subject.nodes is None and sentence.context.nodes:
            draft.subject = draft.subject.model_copy(update={"nodes": sentence.context.nodes})


def _another_maker(sentence: Sentence, subject: Thing) -> bool:
    """Whether the sentence speaks of another chip maker than the thing carried over."""
    vendors = {t.vendor for t in sentence.named if t.vendor and not t.hardware}
    return bool(vendors) and subject.vendor is not None and subject.vendor not in vendors


def _join(chosen: list[Thing]) -> Side:
    side = chosen[0].side()
    if len(chosen) > 1:
        chips = list(dict.fromkeys(chip for t in chosen for chip in (t.accelerators or [t.family]) if chip))
        vendor = next((t.vendor for t in chosen if t.said), None)
        side = side.model_copy(update={"accelerator": " | ".join(chips) or None, "vendor": vendor})
    return side


def _adopt(draft: Draft, own: list[Thing]) -> None:
    """A count said of the same chip elsewhere in the sentence."""
    if draft.subject.accelerators is not None or draft.subject.accelerator is None:
        return
    counted = [t for t in own if t.count and draft.subject.accelerator in (*t.accelerators, t.family)]
    if len(counted) == 1:
        draft.subject = draft.subject.model_copy(update={"accelerators": counted[0].count})
        draft.context.discard("subject.accelerators")


def _baseline(sentence: Sentence, draft: Draft) -> Side:
    baseline = _other(sentence, draft)
    if baseline is None:
        return Side()
    side = baseline.thing.side() if baseline.thing is not None else Side()
    said = {"round": baseline.round, "when": baseline.when, "accelerators": baseline.count}
    return side.model_copy(update={k: v for k, v in said.items() if v is not None})


def _other(sentence: Sentence, draft: Draft) -> Baseline | None:
    """The other side of one claim: after it and before the next one, else the last before, else the next."""
    at, till = draft.span
    relative = [f.at for f in sentence.found if f.kind in RELATIVE and f.at != at]
    after = [b for b in sentence.others if b.start >= (at if draft.found.kind == "outperforms" else till)]
    if after and not any(at < v <= after[0].start for v in relative):
        return after[0]
    before = [b for b in sentence.others if b.start < at]
    if before:
        return before[-1]
    return after[0] if after else None


def _makers(sentence: Sentence, draft: Draft, other: set[int]) -> None:
    """Submitters and vendors that stand apart from the hardware: "CoreWeave gained", "AMD and Crusoe"."""
    apart = [t for t in sentence.named if not t.hardware and not _speaks(sentence.frame, t)]
    makers = [t for t in apart if not draft.relative or id(t) not in other]
    for name, fits in (("submitter", [t for t in makers if t.submitter]), ("vendor", [t for t in makers if t.said and not t.submitter])):
        if getattr(draft.subject, name) is not None:
            continue
        maker = _maker(sentence, draft, makers, fits)
        value = getattr(maker, name) if maker else getattr(sentence.context, name)
        if maker is None and name == "vendor" and draft.subject.accelerator:
            value = None
        if not value:
            continue
        draft.subject = draft.subject.model_copy(update={name: value})
        if maker is None:
            draft.context.add(f"subject.{name}")
        elif sentence.frame.gap(maker.end) == "'":
            draft.found.spans[f"subject.{name}"] = (maker.start, maker.end + 1)


def _maker(sentence: Sentence, draft: Draft, makers: list[Thing], fits: list[Thing]) -> Thing | None:
    """The maker of one claim; of several listed together the first one of its sort."""
    chosen = _chosen(sentence, draft, fits)
    if not chosen:
        return None
    first = chosen[0]
    for thing in reversed(makers[: makers.index(first)]):
        if not coordinated(sentence.frame, thing.end, first.start):
            break
        first = thing if thing in fits else first
    return first


def _speaks(frame: Frame, thing: Thing) -> bool:
    """ "NVIDIA says", "laut AMD": the speaker, neither submitter nor vendor of the claim."""
    if thing.submitter is not None:
        return False
    if frame.has(thing.end, "speaker.says") and frame.gap(thing.end) == " ":
        return True
    return frame.has(thing.start - 1, "speaker.says", "speaker.according")


# --- counts --------------------------------------------------------------------------------------


def _free_counts(sentence: Sentence, drafts: list[Draft]) -> None:
    """Counts that stand apart from a name: "on 5,000 GPUs", "at 72 GPUs each", "11 nodes"."""
    chips, nodes = _counts(sentence)
    for draft in drafts:
        if draft.found.kind == "scaling":
            _from_to(sentence, draft, chips, nodes)
            continue
        _counted(sentence, draft, "accelerators", chips)
        _counted(sentence, draft, "nodes", nodes)


def _counts(sentence: Sentence) -> tuple[list[Item], list[Item]]:
    frame = sentence.frame
    taken = {n.start for t in sentence.named for n in t.counted}
    chips: list[Item] = []
    nodes: list[Item] = []
    for number in frame.numbers:
        if not sentence.low <= number.start < sentence.high or number.start in taken:
            continue
        value = number.value.value
        if value != int(value) or value < 1:
            continue
        item = Item(number.start, number.end + 1, str(int(value)))
        if _nodes(frame, number.end):
            nodes.append(item)
            product = _times(frame, number.end + 1)
            if product:
                chips.append(Item(number.start, number.end + 1, str(int(value) * product)))
                taken.add(product)
        elif frame.has(number.end, "noun.accelerator", "thing.them") or (frame.has(number.end, "thing.way") and frame.gap(number.end) == "-"):
            if not (nodes and number.start - nodes[-1].end <= 3):
                chips.append(item)
    return chips, nodes


def _nodes(frame: Frame, i: int) -> bool:
    return frame.has(i, "thing.node", "thing.server") and not frame.has(i, "scenario.offline")


def _times(frame: Frame, i: int) -> int:
    """ "72 nodes of 4 units each", "neun Servern zu je acht": how many in each; 0 where unsaid."""
    for j in range(i, i + 4):
        number = frame.number_at.get(j)
        if number is not None:
            joined = all(
                frame.has(k, "thing.in_each")
                for k in range(i, j)
            )
            return int(number.value.value) if joined and j > i else 0
    return 0


def _counted(sentence: Sentence, draft: Draft, name: str, items: list[Item]) -> None:
    subject = draft.subject
    explicit = getattr(subject, name) is not None and f"subject.{name}" not in draft.context
    own = [i for i in items if not any(b.start <= i.start < b.end for b in sentence.others)]
    if explicit or not own:
        return
    bound = sentence.bound(draft, own)
    if not bound:
        return
    draft.context.discard(f"subject.{name}")
    value = int(bound[0].value)
    frame = sentence.frame
    draft.subject = subject.model_copy(update={name: value})
    near = range(max(sentence.low, bound[0].start - 5), min(sentence.high, bound[0].end + 2))
    if draft.relative and any(frame.has(i, "link.both") for i in near):
        draft.baseline = draft.baseline.model_copy(update={name: value})


def _from_to(sentence: Sentence, draft: Draft, chips: list[Item], nodes: list[Item]) -> None:
    """Scaling goes from the smaller count (baseline) to the larger one (subject)."""
    frame = sentence.frame
    numbers = [n for n in frame.numbers if sentence.low <= n.start < sentence.high]
    for first, second in zip(numbers, numbers[1:], strict=False):
        between = range(first.end, second.start)
        joined = any(frame.has(i, "when.to", "sign.to", "when.up") or frame.low(i) == "→" for i in between)
        small, large = first.value.value, second.value.value
        if joined and len(between) <= 5 and 0 < small < large and small == int(small) and large == int(large):
            name = (
                "nodes"
                if _nodes(frame, second.end) or _nodes(frame, first.end)
                else "accelerators"
            )
            draft.subject = draft.subject.model_copy(update={name: int(large)})
            draft.baseline = draft.baseline.model_copy(update={name: int(small)})
            draft.context -= {f"subject.{name}"}
            return
    several = sum(f.kind == "scaling" for f in sentence.found) > 1
    for name, items in (("accelerators", chips), ("nodes", nodes)):
        if items and getattr(draft.subject, name) is None:
            bound = sentence.bound(draft, items) if several else items
            draft.subject = draft.subject.model_copy(update={name: max(int(i.value) for i in bound or items)})
    if any(
        frame.has(i, "thing.one") and _nodes(frame, i + 1)
        for i in range(sentence.low, sentence.high)
    ):
        draft.baseline = draft.baseline.model_copy(update={"nodes": 1})


# --- rounds --------------------------------------------------------------------------------------


def _bind_rounds(sentence: Sentence, drafts: list[Draft]) -> None:
    distinct = list(dict.fromkeys(i.value for i in sentence.rounds))
    for draft in drafts:
        if draft.relative and draft.found.kind != "scaling" and _two_rounds(sentence, draft, distinct):
            continue
        if distinct:
            bound = sentence.bound(draft, sentence.rounds)
            draft.fields["round"] = bound[0].value if bound else None
        elif len(sentence.context.rounds) == 1:
            draft.fields["round"] = sentence.context.rounds[0]
            draft.context.add("round")


def _two_rounds(sentence: Sentence, draft: Draft, distinct: list[str]) -> bool:
    """Rounds on both sides, or the other side's round alone ("since v6.0")."""
    context = [r for r in sentence.context.rounds if r not in distinct]
    if len(distinct) >= 2:
        older, newer = min(distinct, key=_order), max(distinct, key=_order)
    elif len(distinct) == 1 and (_is_start(sentence, distinct[0]) or draft.baseline.round == distinct[0]):
        older = distinct[0]
        newer = context[0] if len(context) == 1 and _order(context[0]) > _order(older) else ""
        if newer:
            draft.context.add("subject.round")
    else:
        return False
    draft.baseline = draft.baseline.model_copy(update={"round": older})
    if newer:
        draft.subject = draft.subject.model_copy(update={"round": newer})
    return True


def _order(round_: str) -> tuple[int, ...]:
    return tuple(int(part) for part in round_.lstrip("v").split(".") if part.isdigit())


def _is_start(sentence: Sentence, round_: str) -> bool:
    """Whether the round follows "since", "seit", "than in"."""
    frame = sentence.frame
    item = next(i for i in sentence.rounds if i.value == round_)
    for i in range(item.start - 1, max(sentence.low, item.start - 6) - 1, -1):
        if frame.has(i, "when.since"):
            return True
        passing = (
            "benchmark.ours",
            "suite.inference",
            "suite.training",
            "link.determiner",
            "baseline.preposition", "when.filler")
        if not (
            frame.has(i, *passing)
        ):
            return False
    return False


# --- finishing -----------------------------------------------------------------------------------


def _mirror(sentence: Sentence, draft: Draft) -> None:
    """The same hardware on both sides where the text compares a thing with its own past."""
    if not draft.relative or draft.found.kind in ("scaling", "cost"):
        return
    baseline = draft.baseline
    if baseline.when is None and baseline.round is None and baseline.accelerator is None:
        when = when_of(sentence.frame, sentence.low, sentence.high)
        if when:
            baseline = baseline.model_copy(update={"when": when})
    across = baseline.round is not None and draft.subject.round is not None
    if (
        (sentence.same or across or _own_past(sentence, draft))
        and baseline.accelerator is None
        and baseline.system is None
    ):
        names = ["accelerator", "system", "vendor", *(["accelerators", "nodes"] if sentence.same else [])]
        said = {n: getattr(draft.subject, n) for n in names if getattr(baseline, n) is None}
        baseline = baseline.model_copy(update={n: v for n, v in said.items() if v is not None})
    draft.baseline = baseline


def _count_kind(draft: Draft) -> None:
    """ "72 GPUs beat 94": the same hardware or none named, so the counts are what is compared."""
    subject, baseline, found = draft.subject, draft.baseline, draft.found
    if found.kind != "outperforms" or subject.accelerators is None or baseline.accelerators is None:
        return
    if subject.accelerators != baseline.accelerators and baseline.accelerator in (None, subject.accelerator):
        found.kind, found.value = "count", float(subject.accelerators)


def _own_past(sentence: Sentence, draft: Draft) -> bool:
    """ "Since v5.1, unchanged Arc Pro B60 cards …": a round alone on the other side."""
    return draft.baseline.round is not None and draft.found.kind in ("multiple", "percent", "outperforms")


def _pair_values(sentence: Sentence, drafts: list[Draft]) -> None:
    """The two printed figures whose ratio is the claimed one become the sides' values."""
    figures = [f.value for f in sentence.found if f.kind == "absolute" and f.value] + sentence.context.figures
    frame = sentence.frame
    alone = [n.value.value for n in frame.numbers if sentence.low <= n.start < sentence.high and n.value.value >= 100]
    for draft in drafts:
        claimed = draft.found.value
        if draft.found.kind not in ("multiple", "percent") or not claimed:
            continue
        for values, within in ((figures, 0.02), (alone, 0.005)):
            pair = next(((a, b) for a in values for b in values if a != b and abs(a / b / claimed - 1) < within), None)
            if pair:
                draft.subject = draft.subject.model_copy(update={"value": pair[0]})
                draft.baseline = draft.baseline.model_copy(update={"value": pair[1]})
                break
