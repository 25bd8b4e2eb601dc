"""From what a sentence says in its own words to claims with sides and context."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from parsing.baselines import RELATIVE, Baseline, baselines, when_of
from parsing.binding import Item, bind
from parsing.claim import Claim, Side
from parsing.context import Context, availability, division, scenarios, suite, tied
from parsing.frame import Frame, Number
from parsing.spans.found import Found
from parsing.things import Thing, things


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

    @property
    def values(self) -> list[tuple[int, int]]:
        return [(f.at, f.till) for f in self.found]


@dataclass(slots=True)
class Draft:
    """A claim in the making: its fields and the names of those that came from context."""

    found: Found
    fields: dict[str, Any] = field(default_factory=dict)
    subject: Side = field(default_factory=Side)
    baseline: Side = field(default_factory=Side)
    context: set[str] = field(default_factory=set)


def assemble(frame: Frame, low: int, high: int, found: list[Found], context: Context) -> list[Claim]:
    """The claims of one sentence; `context` holds what was said before and is brought up to date."""
    sentence = Sentence(frame, low, high, found, context)
    sentence.named = things(frame, low, high)
    sentence.others = baselines(frame, low, high, sentence.named, found)
    sentence.rounds = _items(frame, "round", low, high)
    claims: list[Claim] = []
    if found:
        drafts = [Draft(f, context=set(f.context)) for f in found]
        _bind_sides(sentence, drafts)
        _bind_rounds(sentence, drafts)
        _pair_values(sentence, drafts)
        for draft, scenario, model in _spread(sentence, drafts):
            claims.append(_claim(sentence, draft, scenario, model))
    _remember(sentence, claims)
    return claims


def _items(frame: Frame, label: str, low: int, high: int) -> list[Item]:
    items = []
    for mention in frame.find(label, low, high):
        value = next((x.partition(".")[2] for x in mention.labels if x.startswith(f"{label}.")), "")
        value = (
            frame.words(mention.start, mention.end)
            if label == "id.result"
            else "v" + value.lstrip("v")
            if label == "round"
            else value
        )
        items.append(Item(mention.start, mention.end, value))
    return items


# --- sides -------------------------------------------------------------------------------------------------------


def _bind_sides(sentence: Sentence, drafts: list[Draft]) -> None:
    other = {id(b.thing) for b in sentence.others if b.thing is not None}
    own = [t for t in sentence.named if t.hardware and id(t) not in other]
    every = [t for t in sentence.named if t.hardware]
    for draft in drafts:
        relative = draft.found.kind in RELATIVE
        draft.subject, draft.context = _subject(sentence, draft, own if relative else every)
        if relative:
            draft.baseline = _baseline(sentence, draft)
    _makers(sentence, drafts, other)
    _free_counts(sentence, drafts)


def _chosen(sentence: Sentence, draft: Draft, candidates: list[Thing]) -> list[Thing]:
    items = [Item(t.start, t.end, str(i)) for i, t in enumerate(candidates)]
    values = sentence.values
    bound = bind(sentence.frame, items, values, ordered=draft.found.kind not in RELATIVE)
    return [candidates[int(item.value)] for item in bound[values.index((draft.found.at, draft.found.till))]]


def _subject(sentence: Sentence, draft: Draft, candidates: list[Thing]) -> tuple[Side, set[str]]:
    context = set(draft.context)
    chosen = _chosen(sentence, draft, candidates)
    if chosen:
        return _join(chosen), context
    subject = sentence.context.subject
    if subject is None:
        return Side(accelerators=sentence.context.count, nodes=sentence.context.nodes), context
    context |= {"subject.accelerator", "subject.system", "subject.accelerators"}
    return subject.side(), context


def _join(chosen: list[Thing]) -> Side:
    side = chosen[0].side()
    if len(chosen) > 1:
        chips = list(dict.fromkeys(chip for t in chosen for chip in (t.accelerators or [t.family]) if chip))
        vendor = next((t.vendor for t in chosen if t.said), None)
        side = side.model_copy(update={"accelerator": " | ".join(chips) or None, "vendor": vendor})
    return side


def _baseline(sentence: Sentence, draft: Draft) -> Side:
    if not sentence.others:
        return Side()
    relative = [d for d in sentence.found if d.kind in RELATIVE]
    values = [(f.at, f.till) for f in relative]
    items = [Item(b.start, b.end, str(i)) for i, b in enumerate(sentence.others)]
    index = values.index((draft.found.at, draft.found.till))
    after = [
        i
        for i in items
        if draft.found.till <= i.start and not any(draft.found.till <= v[0] < i.start for v in values)
    ]
    bound = after[:1] or bind(sentence.frame, items, values, ordered=False)[index][:1]
    if not bound:
        return Side()
    baseline = sentence.others[int(bound[0].value)]
    side = baseline.thing.side() if baseline.thing is not None else Side()
    return side.model_copy(
        update={
            k: v
            for k, v in (("round", baseline.round), ("when", baseline.when), ("accelerators", baseline.count))
            if v is not None
        }
    )


def _makers(sentence: Sentence, drafts: list[Draft], other: set[int]) -> None:
    """Submitters and vendors that stand apart from the hardware: "CoreWeave gained …", "AMD and Crusoe posted"."""
    makers = [
        t for t in sentence.named if not t.hardware and id(t) not in other and not _speaks(sentence.frame, t)
    ]
    for draft in drafts:
        submitters = [t for t in makers if t.submitter]
        vendors = [t for t in makers if t.vendor and not t.submitter]
        update: dict[str, str | None] = {}
        if draft.subject.submitter is None:
            chosen = _chosen(sentence, draft, submitters)
            update["submitter"] = chosen[0].submitter if chosen else sentence.context.submitter
            if not chosen and sentence.context.submitter:
                draft.context.add("subject.submitter")
        if draft.subject.vendor is None:
            chosen = _chosen(sentence, draft, vendors)
            update["vendor"] = chosen[0].vendor if chosen else sentence.context.vendor
            if not chosen and sentence.context.vendor:
                draft.context.add("subject.vendor")
        draft.subject = draft.subject.model_copy(update={k: v for k, v in update.items() if v})


def _speaks(frame: Frame, thing: Thing) -> bool:
    """ "NVIDIA says", "laut AMD": the speaker, neither submitter nor vendor of the claim."""
    if frame.has(thing.end, "speaker.verb") and frame.gap(thing.end) == " " and thing.submitter is None:
        return frame.low(thing.end) in (
            "says",
            "said",
            "states",
            "stated",
            "sagt",
            "sagte",
            "writes",
            "schreibt",
            "zufolge",
        )
    before = frame.low(thing.start - 1)
    return before in ("laut", "says", "said", "sagt") and thing.submitter is None


def _free_counts(sentence: Sentence, drafts: list[Draft]) -> None:
    """Counts that stand apart from a name: "on 5,000 GPUs", "at 72 GPUs each", "11 nodes"."""
    frame = sentence.frame
    taken = {t.counted for t in sentence.named if t.counted}
    chips: list[Item] = []
    nodes: list[Item] = []
    for number in _numbers(frame, sentence.low, sentence.high):
        if (number.start, number.end) in taken or number.value.value != int(number.value.value):
            continue
        if frame.has(number.end, "noun.accelerator"):
            chips.append(Item(number.start, number.end, str(int(number.value.value))))
        elif frame.has(number.end, "noun.node") and not frame.low(number.end).startswith("system"):
            nodes.append(Item(number.start, number.end, str(int(number.value.value))))
    for draft in drafts:
        if draft.found.kind == "scaling":
            _from_to(sentence, draft, chips, nodes)
            continue
        draft.subject = _counted(sentence, draft, "accelerators", chips)
        draft.subject = _counted(sentence, draft, "nodes", nodes)


def _numbers(frame: Frame, low: int, high: int) -> list[Number]:
    return [n for n in frame.numbers if low <= n.start < high]


def _counted(sentence: Sentence, draft: Draft, name: str, items: list[Item]) -> Side:
    subject = draft.subject
    explicit = getattr(subject, name) is not None and f"subject.{name}" not in draft.context
    own = [i for i in items if not any(b.start <= i.start < b.end for b in sentence.others)]
    if explicit or not own:
        return subject
    values = sentence.values
    bound = bind(sentence.frame, own, values)[values.index((draft.found.at, draft.found.till))]
    if not bound:
        return subject
    draft.context.discard(f"subject.{name}")
    value = int(bound[0].value)
    if sentence.frame.has(bound[0].end + 1, "link.both") or sentence.frame.has(
        bound[0].start - 1, "link.both"
    ):
        draft.baseline = draft.baseline.model_copy(update={name: value})
    return subject.model_copy(update={name: value})


def _from_to(sentence: Sentence, draft: Draft, chips: list[Item], nodes: list[Item]) -> None:
    """Scaling goes from the smaller count (baseline) to the larger one (subject)."""
    frame = sentence.frame
    for i in range(sentence.low, sentence.high):
        first = frame.number_at.get(i)
        if first is None or first.start != i:
            continue
        second = next(
            (
                frame.number_at[j]
                for j in range(first.end, min(sentence.high, first.end + 5))
                if j in frame.number_at
            ),
            None,
        )
        if second is None or not any(
            frame.has(j, "when.to", "sign.to") or frame.low(j) in ("→", "up")
            for j in range(first.end, second.start)
        ):
            continue
        small, large = int(first.value.value), int(second.value.value)
        node = frame.has(second.end, "noun.node")
        name = "nodes" if node else "accelerators"
        if 0 < small < large and first.value.value == small and second.value.value == large:
            draft.subject = draft.subject.model_copy(update={name: large})
            draft.baseline = draft.baseline.model_copy(update={name: small})
            return
    for name, items in (("accelerators", chips), ("nodes", nodes)):
        if items and getattr(draft.subject, name) is None:
            draft.subject = draft.subject.model_copy(update={name: max(int(i.value) for i in items)})


# --- rounds ------------------------------------------------------------------------------------------------------


def _bind_rounds(sentence: Sentence, drafts: list[Draft]) -> None:
    distinct = list(dict.fromkeys(i.value for i in sentence.rounds))
    for draft in drafts:
        if (
            draft.found.kind in RELATIVE
            and draft.found.kind != "scaling"
            and _two_rounds(sentence, draft, distinct)
        ):
            continue
        if distinct:
            values = sentence.values
            bound = bind(sentence.frame, sentence.rounds, values)[
                values.index((draft.found.at, draft.found.till))
            ]
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
        older, newer = (
            distinct[0],
            context[0] if len(context) == 1 and _order(context[0]) > _order(distinct[0]) else "",
        )
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
    for i in range(item.start - 1, max(sentence.low, item.start - 5) - 1, -1):
        if frame.has(i, "when.since") and frame.low(i) not in ("over",):
            return True
        if not (
            frame.has(
                i,
                "benchmark.ours",
                "suite.inference",
                "suite.training",
                "link.determiner",
                "baseline.preposition",
            )
            or frame.low(i) in ("round", "in", "did", "it", "those")
        ):
            return False
    return False


# --- values ------------------------------------------------------------------------------------------------------


def _pair_values(sentence: Sentence, drafts: list[Draft]) -> None:
    """The two printed figures whose ratio is the claimed one become the sides' values."""
    figures = [f for f in sentence.found if f.kind == "absolute" and f.value]
    for draft in drafts:
        claimed = draft.found.value
        if draft.found.kind not in ("multiple", "percent") or not claimed:
            continue
        for one in figures:
            for two in figures:
                if (
                    one is not two
                    and one.value
                    and two.value
                    and abs(one.value / two.value / claimed - 1) < 0.02
                ):
                    draft.subject = draft.subject.model_copy(update={"value": one.value})
                    draft.baseline = draft.baseline.model_copy(update={"value": two.value})


# --- spreading and finishing -------------------------------------------------------------------------------------


def _spread(sentence: Sentence, drafts: list[Draft]) -> list[tuple[Draft, str | None, str | None]]:
    """One claim for each value, scenario and model that the sentence distributes over."""
    frame, low, high = sentence.frame, sentence.low, sentence.high
    scenario_items = [Item(a, b, name) for name, a, b in scenarios(frame, low, high)]
    model_items = [Item(m.start, m.end, m.name.canonical) for m in frame.find("name.model", low, high)]
    by_scenario = bind(frame, scenario_items, sentence.values)
    by_model = bind(frame, model_items, sentence.values)
    result: list[tuple[Draft, str | None, str | None]] = []
    for draft, bound_scenarios, bound_models in zip(drafts, by_scenario, by_model, strict=True):
        names = list(dict.fromkeys(i.value for i in bound_models))
        for scenario in _scenarios(sentence, draft, bound_scenarios, bool(model_items)):
            for model in _models(sentence, draft, names):
                result.append((draft, scenario, model))
    return result


def _scenarios(sentence: Sentence, draft: Draft, bound: list[Item], modelled: bool) -> list[str | None]:
    names = list(dict.fromkeys(i.value for i in bound))
    if sentence.context.training:
        return [None]
    if names:
        return (
            list(names)
            if draft.found.kind in ("absolute", "percent", "multiple")
            else [names[0] if len(names) == 1 else None]
        )
    carried = sentence.context.scenarios
    if len(carried) == 1 and draft.found.kind not in ("count", "cost") and not modelled:
        draft.context.add("scenario")
        return [carried[0]]
    return [None]


def _models(sentence: Sentence, draft: Draft, names: list[str]) -> list[str | None]:
    if not names:
        if draft.found.kind == "cost" or not sentence.context.models or len(sentence.context.models) > 1:
            return [None]
        draft.context.add("model")
        return [sentence.context.models[0]]
    if len(names) > 1 and (
        draft.found.kind == "absolute" or (draft.found.kind == "record" and draft.found.value is not None)
    ):
        return list(names)
    return [" | ".join(names)]


def _claim(sentence: Sentence, draft: Draft, scenario: str | None, model: str | None) -> Claim:
    frame, low, high = sentence.frame, sentence.low, sentence.high
    found, context = draft.found, sentence.context
    subject, baseline = _same(sentence, draft)
    fields = dict(draft.fields)
    fields["per_accelerator"] = _per(sentence, draft, subject)
    fields["mlperf"] = tied(frame, low, high) if tied(frame, low, high) is not None else context.mlperf
    fields["suite"] = suite(frame, low, high) or context.suite
    fields["division"] = division(frame, low, high) or context.division
    fields["availability"] = availability(frame, low, high) or context.availability
    fields["verified"] = False if frame.any("verified.false", low, high) else context.verified
    fields["aggregate"] = next(
        (a for a in ("geomean", "mean", "median") if frame.any(f"aggregate.{a}", low, high)), None
    )
    fields["result_ids"] = tuple(i.value for i in _items(frame, "id.result", low, high))
    fields["same_hardware"] = frame.any("same.hardware", low, high)
    metric, direction = found.metric, found.direction
    if fields["suite"] == "training" and metric == "throughput":
        metric = "time_to_train"
        direction = "lower" if found.kind == "record" else direction
    if (
        scenario in ("singlestream", "multistream")
        and metric == "throughput"
        and found.kind in ("percent", "multiple")
    ):
        metric = "latency"
    chars = frame.chars(found.start, found.end)
    return Claim(
        quote=frame.text[chars[0] : chars[1]],
        span=chars,
        kind=found.kind,
        value=found.value,
        value_max=found.value_max,
        printed=found.printed,
        printed_max=found.printed_max,
        qualifier=found.qualifier,
        direction=direction,
        metric=metric,
        unit=found.unit,
        subject=subject,
        baseline=baseline,
        model=model,
        scenario=scenario,
        from_context=tuple(sorted(draft.context)),
        quantifier=found.quantifier,
        ever=found.ever,
        place=found.place,
        first_to=found.first_to,
        below_largest=found.below_largest,
        words={},
        **fields,
    )


def _same(sentence: Sentence, draft: Draft) -> tuple[Side, Side]:
    """Both sides, the same hardware on both where the text compares a thing with itself."""
    subject, baseline = draft.subject, draft.baseline
    frame, low, high = sentence.frame, sentence.low, sentence.high
    if draft.found.kind not in RELATIVE or draft.found.kind in ("scaling", "cost"):
        return subject, baseline
    if baseline.when is None and baseline.round is None and baseline.accelerator is None:
        when = when_of(frame, low, high)
        if when:
            baseline = baseline.model_copy(update={"when": when})
    same = frame.any("same.hardware", low, high) or (baseline.round is not None and subject.round is not None)
    if same and baseline.accelerator is None and baseline.system is None:
        names = ["accelerator", "system", "vendor"] + (
            ["accelerators"] if frame.any("same.hardware", low, high) else []
        )
        update = {
            n: getattr(subject, n)
            for n in names
            if getattr(subject, n) is not None and getattr(baseline, n) is None
        }
        baseline = baseline.model_copy(update=update)
    return subject, baseline


def _per(sentence: Sentence, draft: Draft, subject: Side) -> bool | None:
    found, frame = draft.found, sentence.frame
    if found.per_accelerator is not None:
        return found.per_accelerator
    spoken = frame.find("per.accelerator", sentence.low, sentence.high)
    if found.kind == "absolute":
        if any(found.at < m.end <= found.till + 6 or m.start < sentence.found[0].at for m in spoken):
            return True
        if subject.accelerators == 1 and subject.nodes is None:
            return True
        several = (subject.accelerators or 0) > 1 or (subject.nodes or 0) > 1 or bool(subject.system)
        return False if several and found.metric in ("throughput", "time_to_train") else None
    return True if spoken and found.kind in ("multiple", "percent", "record", "outperforms") else None


def _remember(sentence: Sentence, claims: list[Claim]) -> None:
    """What the next sentence may lean on."""
    context = sentence.context
    other = {id(b.thing) for b in sentence.others if b.thing is not None}
    own = [t for t in sentence.named if t.hardware and id(t) not in other]
    if own:
        context.subject = replace(own[0])
    submitters = [t.submitter for t in sentence.named if t.submitter and id(t) not in other]
    if submitters:
        context.submitter = submitters[0]
    names = list(
        dict.fromkeys(
            m.name.canonical for m in sentence.frame.find("name.model", sentence.low, sentence.high)
        )
    )
    if names:
        context.models = names
    said = list(dict.fromkeys(s for s, _, _ in scenarios(sentence.frame, sentence.low, sentence.high)))
    if said:
        context.scenarios = said
    elif names:
        context.scenarios = []
    if sentence.frame.any("benchmark.ours", sentence.low, sentence.high):
        context.mlperf = True
