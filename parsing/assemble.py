"""From what a sentence says in its own words to claims with sides and context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parsing.binding import Item, alternative
from parsing.claim import Claim
from parsing.context import SCENARIO_LABELS, Context, division, scenarios, suite, tied
from parsing.draft import Draft, Sentence
from parsing.frame import Frame
from parsing.sides import bind_sides, sentence_of
from parsing.spans.found import Found
from parsing.things import Thing

_SPREADING = ("absolute", "percent", "multiple", "outperforms")
_TIMES = ("minutes", "hours")
_CATEGORIES = {
    "division": ("division.open", "division.closed"),
    "availability": ("availability.preview", "availability.rdi", "availability.available"),
}
_AGGREGATES = {f"aggregate.{name}": name for name in ("geomean", "mean", "median")}
_APART = 7
_STREAMS = ("singlestream", "multistream")


def assemble(
    frame: Frame, low: int, high: int, found: list[Found], context: Context, previous: Sequence[Claim] = ()
) -> list[Claim]:
    """The claims of one sentence; `context` holds what was said before and is brought up to date."""
    modes = scenarios(frame, low, high)
    if not found and not modes and not any(frame.names[low:high]):
        return []
    sentence = sentence_of(frame, low, high, found, context)
    sentence.scenarios = modes
    sentence.models = [Item(m.start, m.end, m.name.canonical) for m in frame.find("name.model", low, high)]
    claims: list[Claim] = []
    if found:
        drafts = [Draft(f, context=set(f.context)) for f in found]
        bind_sides(sentence, drafts)
        claims = [_claim(sentence, *spread) for spread in _spread(sentence, drafts)]
    _remember(sentence)
    return claims


# --- spreading -----------------------------------------------------------------------------------


def _spread(sentence: Sentence, drafts: list[Draft]) -> list[tuple[Draft, str | None, str | None]]:
    """One claim for each value, scenario and model that the sentence distributes over."""
    frame, low, high = sentence.frame, sentence.low, sentence.high
    said = [Item(a, b, name) for name, a, b in sentence.scenarios]
    said += [Item(m.start, m.end, "standard") for m in frame.find("scenario.standard", low, high)]
    said.sort(key=lambda item: item.start)
    return [
        (draft, scenario, model)
        for draft in drafts
        for scenario in _scenarios(sentence, draft, said)
        for model in _models(sentence, draft)
    ]


def _scenarios(sentence: Sentence, draft: Draft, items: list[Item]) -> list[str | None]:
    if sentence.context.training:
        return [None]
    bound = sentence.bound(draft, _fitting(draft, items))
    names = list(dict.fromkeys(i.value for i in bound))
    if names == ["standard"]:
        sentence.note(draft, "scenarios", bound[0].start, bound[0].end)
        return [None]
    if names:
        if len(names) > 1 and (draft.found.kind not in _SPREADING or alternative(sentence.frame, bound)):
            return [None]
        sentence.note(draft, "scenario", bound[0].start, bound[-1].end)
        return list(names)
    carried = sentence.context.scenarios
    if (
        len(carried) == 1
        and not items
        and not sentence.models
        and draft.found.kind not in ("count", "cost", "scaling")
    ):
        draft.context.add("scenario")
        return [carried[0]]
    return [None]


def _fitting(draft: Draft, items: list[Item]) -> list[Item]:
    """The scenarios that can have such a figure, where any can: a time a stream, a rate the others."""
    if draft.found.kind != "absolute" or draft.found.metric not in ("latency", "throughput"):
        return items
    timed = draft.found.metric == "latency"
    fits = [i for i in items if (i.value in _STREAMS) == timed]
    return fits or items


def _models(sentence: Sentence, draft: Draft) -> list[str | None]:
    bound = sentence.bound(draft, sentence.models)
    names = list(dict.fromkeys(i.value for i in bound))
    if names:
        names += [name for name in _unlisted(sentence, bound[-1].end) if name not in names]
        sentence.note(draft, "model", bound[0].start, bound[-1].end)
    elif draft.found.kind == "cost" or len(sentence.context.models) != 1:
        return [None]
    else:
        draft.context.add("model")
        names = [sentence.context.models[0]]
    if sentence.context.training:  # training rounds know some models by another name ("llama2-70b-lora")
        names = [sentence.frame.training_names.get(name, name) for name in names]
    each = draft.found.kind == "absolute" or (draft.found.kind == "record" and draft.found.value is not None)
    return list(names) if each else [" | ".join(names)]


def _unlisted(sentence: Sentence, end: int) -> list[str]:
    """ "on DeepSeek-R1 server, Llama 9 and offline": a model that nobody knows, further on in the list.

    Left out, it would turn the claim into one about the known ones alone.
    """
    frame, names = sentence.frame, []
    for mention in frame.find("unlisted.model", end, sentence.high):
        between = range(end, mention.start)
        if not all(frame.low(i) == "," or frame.has(i, "link.and", *SCENARIO_LABELS) for i in between):
            break
        names.append(mention.name.canonical)
        end = mention.end
    return names


# --- finishing -----------------------------------------------------------------------------------


def _claim(sentence: Sentence, draft: Draft, scenario: str | None, model: str | None) -> Claim:
    found = draft.found
    fields = _said(sentence, draft)
    _own_words(sentence, draft)
    metric, direction = found.metric, found.direction
    if fields["suite"] == "training" and metric == "throughput":
        metric = "time_to_train"
        direction = "lower" if found.kind == "record" and _timed(sentence) else direction
    if (
        scenario in ("singlestream", "multistream")
        and metric == "throughput"
        and found.kind in ("percent", "multiple")
    ):
        metric = "latency"
    start, end = sentence.frame.chars(found.start, found.end)
    return Claim(
        quote=sentence.frame.text[start:end],
        span=(start, end),
        kind=found.kind,
        value=found.value,
        value_max=found.value_max,
        printed=found.printed,
        printed_max=found.printed_max,
        qualifier=found.qualifier,
        direction=direction,
        metric=metric,
        unit=found.unit,
        subject=draft.subject.side(),
        baseline=draft.baseline.side(),
        model=model,
        scenario=scenario,
        from_context=tuple(sorted(draft.context)),
        quantifier=found.quantifier,
        ever=found.ever,
        place=found.place,
        first_to=found.first_to,
        below_largest=found.below_largest,
        behind=found.behind,
        scenarios=("offline", "server") if "scenarios" in draft.words else (),
        words=dict(draft.words),
        **fields,
    )


def _own_words(sentence: Sentence, draft: Draft) -> None:
    """The words of the fields that the claim's own phrase gave."""
    found = draft.found
    name = "value" if found.value is not None else "kind"
    sentence.note(draft, name, found.at, found.till)
    for field, (start, end) in found.spans.items():
        sentence.note(draft, field, start, end)


def _timed(sentence: Sentence) -> bool:
    if any(f.unit in _TIMES for f in sentence.found):
        return True
    return sentence.frame.within(sentence.low, sentence.high, "time.word")


def _said(sentence: Sentence, draft: Draft) -> dict[str, Any]:
    """The fields that a sentence says, or its context."""
    if not sentence.facts:
        sentence.facts = _facts(sentence)
    fields: dict[str, Any] = {"round": None, **sentence.facts, **draft.fields}
    for name, labels in _CATEGORIES.items():
        fields[name] = _category(sentence, draft, name, labels)
    fields["per_accelerator"] = _per(sentence, draft)
    fields["verified"] = _verified(sentence, draft)
    return fields


def _verified(sentence: Sentence, draft: Draft) -> bool | None:
    """False for the figure that the text calls unverified, and for what a title calls so of its own round."""
    frame, context = sentence.frame, sentence.context
    mentions = frame.find("verified.false", sentence.low, sentence.high)
    if mentions:
        figures = [f for f in sentence.found if f.kind == "absolute"] or sentence.found
        nearest = {min(figures, key=lambda f: abs(f.at - m.start)).at for m in mentions}
        return False if draft.found.at in nearest or draft.found not in figures else None
    if context.verified is None or any(item.value not in context.rounds for item in sentence.rounds):
        return None
    return context.verified


def _facts(sentence: Sentence) -> dict[str, Any]:
    """What holds for all claims of a sentence."""
    frame, low, high, context = sentence.frame, sentence.low, sentence.high, sentence.context
    here, said = tied(frame, low, high), frame.said(low)
    return {
        "mlperf": here if here is not None else context.mlperf,
        "suite": suite(frame, low, high) or context.suite,
        "aggregate": next((name for label, name in _AGGREGATES.items() if label in said), None),
        "result_ids": tuple(frame.words(m.start, m.end) for m in frame.find("id.result", low, high)),
        "same_hardware": sentence.same,
    }


def _category(sentence: Sentence, draft: Draft, name: str, labels: tuple[str, ...]) -> str | None:
    frame = sentence.frame
    for label in labels if not frame.said(sentence.low).isdisjoint(labels) else ():
        for mention in frame.find(label, sentence.low, sentence.high):
            if not frame.has(mention.end, f"{name}.not"):
                sentence.note(draft, name, mention.start, mention.end)
                return label.partition(".")[2]
    carried: str | None = getattr(sentence.context, name)
    if carried:
        draft.context.add(name)
    return carried


def _per(sentence: Sentence, draft: Draft) -> bool | None:
    """True for a figure per accelerator, false for the total of a system, null where neither is said."""
    found, frame, subject = draft.found, sentence.frame, draft.subject
    if found.per_accelerator is not None:
        return found.per_accelerator
    spoken = [m.start for m in frame.find("per.accelerator", sentence.low, sentence.high)] + _per_names(
        sentence
    )
    if found.kind != "absolute":
        one = subject.accelerators == draft.baseline.accelerators == 1
        return (
            True
            if (spoken or one) and found.kind in ("multiple", "percent", "record", "outperforms")
            else None
        )
    first = min(f.at for f in sentence.found if f.kind == "absolute")
    if any(found.at < start < found.till + 3 or start < first for start in spoken):
        found.per_accelerator = True
        return True
    if "unit" in draft.context and any(f.per_accelerator for f in sentence.found if f.kind == "absolute"):
        draft.context.add("per_accelerator")
        return True
    if found.metric not in ("throughput", "time_to_train"):
        return None
    if subject.accelerators == 1 and subject.nodes is None and "subject.accelerators" not in draft.context:
        return True
    several = (subject.accelerators or 0) > 1 or (subject.nodes or 0) > 1 or sentence.any("per.system")
    rack = "NVL" in (subject.system or "") and "subject.system" not in draft.context
    return False if several or rack else None


def _per_names(sentence: Sentence) -> list[int]:
    """Where "per NVIDIA Blackwell GPU", "for each H100" stand."""
    frame = sentence.frame
    if "per.word" not in frame.by_label:
        return []
    return [
        t.start
        for t in sentence.named
        if t.hardware and t.count is None and frame.has(t.start - 1, "per.word")
    ]


# --- memory --------------------------------------------------------------------------------------


def _set_against(sentence: Sentence) -> Thing | None:
    """The other side of a heading such as "MI355X vs B200", which the next lines are about."""
    hardware = [t for t in sentence.named if t.hardware]
    if sentence.found or len(hardware) != 2 or hardware[1].start - hardware[0].end > _APART:
        return None
    return hardware[1] if sentence.frame.within(hardware[0].end, hardware[1].start, "baseline.mark") else None


def _remember(sentence: Sentence) -> None:
    """What the next sentence may lean on."""
    context, frame = sentence.context, sentence.frame
    other = {id(b.thing) for b in sentence.others if b.thing is not None}
    own = [t for t in sentence.named if t.hardware and id(t) not in other]
    if own:
        context.subject = own[0]
        context.baseline = _set_against(sentence)
    submitters = [t.submitter for t in sentence.named if t.submitter and id(t) not in other]
    if submitters:
        context.submitter = submitters[0]
    names = list(dict.fromkeys(item.value for item in sentence.models))
    said = list(dict.fromkeys(s for s, _, _ in sentence.scenarios))
    if names:
        context.models = names
        context.scenarios = []
    if said:
        context.scenarios = said
    context.division = division(frame, sentence.low, sentence.high) or context.division
    context.figures = [f.value for f in sentence.found if f.kind == "absolute" and f.value]
