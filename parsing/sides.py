"""Who is compared with whom: subject and baseline of each claim, with their makers."""

from __future__ import annotations

from parsing.baselines import RELATIVE as RELATIVE_KINDS
from parsing.baselines import Baseline, baselines, when_of
from parsing.binding import Item, coordinated
from parsing.context import Context
from parsing.counts import bind_counts
from parsing.draft import Draft, Half, Sentence, half
from parsing.frame import Frame
from parsing.owners import another_clause, entered, is_host, is_source, own_rival, said_after
from parsing.rivals import rivals
from parsing.rounds import bind_rounds, is_start
from parsing.spans.found import Found
from parsing.spans.local import is_stop, is_strong
from parsing.steps import bind_steps
from parsing.things import Thing, things

_CLOSE, _EXACT = 0.02, 0.005
_LEAST_FIGURE = 100
_BESIDE = 2


def sentence_of(frame: Frame, low: int, high: int, found: list[Found], context: Context) -> Sentence:
    """A sentence with its things, its other sides and its rounds."""
    sentence = Sentence(frame, low, high, found, context)
    sentence.named = [t for t in things(frame, low, high) if not is_source(frame, t)]
    for thing in sentence.named:
        if entered(frame, thing):
            thing.submitter = thing.vendor
    sentence.others = baselines(frame, low, high, sentence.named, found)
    for mention in frame.find("round", low, high):
        name = next(x for x in mention.labels if x.startswith("round."))[6:]
        sentence.rounds.append(Item(mention.start, mention.end, name))
    if found:
        if "when.since" in frame.said(low):
            sentence.starts = frozenset(i.value for i in sentence.rounds if is_start(sentence, i.value))
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
    every = [t for t in sentence.named if t.hardware and not is_host(sentence.frame, t)]
    own = [t for t in every if id(t) not in other]
    apart = [t for t in sentence.named if not t.hardware and not _speaks(sentence.frame, t)]
    own_apart = [t for t in apart if id(t) not in other]
    for draft in drafts:
        if draft.relative:
            _subject(sentence, draft, own)
            _baseline(sentence, draft)
            _makers(sentence, draft, own_apart)
            _adopt(sentence, draft, own)
        else:
            _alone(sentence, draft, every)
            _makers(sentence, draft, apart)
            _adopt(sentence, draft, every)
    bind_counts(sentence, drafts)
    bind_rounds(sentence, drafts)
    bind_steps(sentence, drafts)
    for draft in drafts:
        _mirror(sentence, draft)
        _count_kind(draft)
    _pair_values(sentence, drafts)


def _alone(sentence: Sentence, draft: Draft, every: list[Thing]) -> None:
    """A claim with one side only: its subject, and for a record the field in which it is one."""
    field, named = rivals(sentence, draft)
    others = [t for t in every if not any(t is n for n in named)] or every
    others = [t for t in others if not _object_of(sentence, draft, t)] or others
    _subject(sentence, draft, others)
    if field.said():
        draft.baseline = field


# --- subject -------------------------------------------------------------------------------------


def _subject(sentence: Sentence, draft: Draft, candidates: list[Thing]) -> None:
    chosen = (
        said_after(sentence.frame, draft, candidates)
        or _against(sentence, draft, candidates)
        or _chosen(sentence, draft, candidates)
    )
    makers = [t for t in sentence.named if not t.hardware]
    if chosen and another_clause(sentence, draft, chosen[0], makers):
        return
    if chosen:
        draft.subject = _join(chosen)
        if _only_built(sentence, chosen[0]):
            draft.subject.submitter = None
        for name in draft.subject.said():
            sentence.note(draft, f"subject.{name}", chosen[0].start, chosen[-1].end)
        return
    context = sentence.context
    if draft.relative and context.baseline and not sentence.others:
        sentence.others = [Baseline(sentence.low, sentence.low, thing=context.baseline)]
    if context.subject is None:
        draft.subject = Half(accelerators=context.count, nodes=context.nodes)
    elif not _another_maker(sentence, context.subject):
        draft.subject = half(context.subject)
        draft.subject.nodes = draft.subject.nodes or context.nodes
    draft.context.update(f"subject.{name}" for name in draft.subject.said())


def _only_built(sentence: Sentence, thing: Thing) -> bool:
    """ "a Dell PowerEdge with six cards" in a text of another submitter: who made the machine."""
    known, article = sentence.context.submitter, sentence.frame.has(thing.start - 1, "machine.before")
    return article and known is not None and thing.submitter not in (None, known)


def _chosen(sentence: Sentence, draft: Draft, candidates: list[Thing]) -> list[Thing]:
    return sentence.bound(draft, candidates, ordered=not draft.relative)


def _against(sentence: Sentence, draft: Draft, candidates: list[Thing]) -> list[Thing]:
    """ "A leads B (16,670 vs 11,230)": two figures set against each other belong to the two, in order."""
    frame = sentence.frame
    if draft.found.kind != "absolute" or len(candidates) != 2:
        return []
    figures = [f for f in sentence.found if f.kind == "absolute"]
    if len(figures) != 2 or candidates[1].end > figures[0].at:
        return []
    between = range(figures[0].till, figures[1].at)
    if len(between) > 3 or not frame.within(between.start, between.stop, "baseline.mark"):
        return []
    return [candidates[figures.index(draft.found)]]


def _object_of(sentence: Sentence, draft: Draft, thing: Thing) -> bool:
    """ "lässt die MI355X mit 13.010 Tokens/s die B200 hinter sich": what a verb around a figure leads to."""
    at, till = draft.span
    return any(b.thing is thing and b.start < at and till <= thing.start for b in sentence.others)


def _another_maker(sentence: Sentence, subject: Thing) -> bool:
    """Whether the sentence speaks of another chip maker than the thing carried over."""
    vendors = {t.vendor for t in sentence.named if t.vendor and not t.hardware}
    return bool(vendors) and subject.vendor is not None and subject.vendor not in vendors


def _join(chosen: list[Thing]) -> Half:
    """Several things under one statement are "a | b"."""
    joined = half(chosen[0])
    if len(chosen) > 1:
        chips = dict.fromkeys(
            chip
            for t in chosen
            for chip in (*t.accelerators, t.family if not t.accelerators else None)
            if chip
        )
        joined.accelerator = " | ".join(chips) or None
        joined.vendor = next((t.vendor for t in chosen if t.said), None)
    return joined


def _adopt(sentence: Sentence, draft: Draft, own: list[Thing]) -> None:
    """A count said of the same chip elsewhere in the sentence."""
    if draft.subject.accelerators is not None or draft.subject.accelerator is None:
        return
    counted = [t for t in own if t.count and draft.subject.accelerator in (*t.accelerators, t.family)]
    if len(counted) == 1:
        draft.subject.accelerators = counted[0].count
        sentence.note(draft, "subject.accelerators", counted[0].start, counted[0].end)


# --- makers --------------------------------------------------------------------------------------


def _makers(sentence: Sentence, draft: Draft, makers: list[Thing]) -> None:
    """Submitters and vendors that stand apart from the hardware: "CoreWeave gained", "AMD and Crusoe"."""
    submitters = [t for t in makers if t.submitter]
    vendors = [t for t in makers if t.said and not t.submitter]
    for name, fits in (("submitter", submitters), ("vendor", vendors)):
        if getattr(draft.subject, name) is not None:
            continue
        maker = _maker(sentence, draft, makers, fits) if fits else None
        if maker is not None:
            setattr(draft.subject, name, getattr(maker, name))
            owner = sentence.frame.gap(maker.end) == "'"
            sentence.note(draft, f"subject.{name}", maker.start, maker.end + owner)
            continue
        carried = getattr(sentence.context, name)
        if name == "vendor" and draft.subject.accelerator:
            continue
        if carried and not _another_round(sentence):
            setattr(draft.subject, name, carried)
            draft.context.add(f"subject.{name}")


def _another_round(sentence: Sentence) -> bool:
    """ "As a reference from MLPerf Inference v4.1: …" is not about the title's submitter."""
    known = sentence.context.rounds
    said = [i.value for i in sentence.rounds if i.value not in sentence.starts] if known else []
    return bool(said) and all(name not in known for name in said)


def _maker(sentence: Sentence, draft: Draft, makers: list[Thing], fits: list[Thing]) -> Thing | None:
    """The maker of one claim; of several listed together the first one of its sort."""
    chosen = said_after(sentence.frame, draft, fits) or _chosen(sentence, draft, fits)
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
    return frame.has(thing.start - 1, "speaker.says", "speaker.before")


# --- baseline ------------------------------------------------------------------------------------


def _baseline(sentence: Sentence, draft: Draft) -> None:
    baseline = _other(sentence, draft)
    if baseline is None:
        return
    draft.baseline = half(baseline.thing) if baseline.thing is not None else Half()
    for name, value in (("round", baseline.round), ("when", baseline.when), ("accelerators", baseline.count)):
        if value is not None:
            setattr(draft.baseline, name, value)
    start = baseline.thing.start if baseline.thing is not None else baseline.start
    for name in draft.baseline.said():
        sentence.note(draft, f"baseline.{name}", start, baseline.end)
    if baseline.thing is not None and baseline.thing.hardware and own_rival(sentence, draft, baseline.thing):
        draft.mirrored = True


def _other(sentence: Sentence, draft: Draft) -> Baseline | None:
    """The other side of one claim: after it and before the next one, else the last before, else the next."""
    at, till = draft.span
    relative = [f.at for f in sentence.found if f.kind in RELATIVE_KINDS and f.at != at]
    beaten = [b for b in sentence.others if b.end <= at and at - b.end <= _BESIDE]
    if beaten and sentence.frame.has(draft.found.start - 1, "link.by"):
        return beaten[-1]  # "surpasses B by 6 %, and its sister C by 31 %"
    after = [b for b in sentence.others if b.start >= at and b.end > till]
    if draft.found.kind == "scaling":
        after = [b for b in after if not any(is_strong(sentence.frame, i) for i in range(till, b.start))]
    if after and not any(at < v <= after[0].start for v in relative):
        return after[0]
    before = [b for b in sentence.others if b.start < at]
    if before:
        return before[-1]
    return after[0] if after else None


def _mirror(sentence: Sentence, draft: Draft) -> None:
    """The same hardware on both sides where the text compares a thing with its own past."""
    if not draft.relative or draft.found.kind in ("scaling", "cost"):
        return
    baseline, subject = draft.baseline, draft.subject
    if draft.mirrored and baseline.submitter is None:
        baseline.submitter = subject.submitter
    if baseline.when is None and baseline.round is None and baseline.accelerator is None:
        baseline.when = when_of(sentence.frame, sentence.low, sentence.high)
    past = baseline.round is not None and draft.found.kind in ("multiple", "percent", "outperforms")
    across = baseline.round is not None and subject.round is not None
    if not (sentence.same or past or across) or baseline.accelerator or baseline.system:
        return
    for name in ("accelerator", "system", "vendor", "accelerators", "nodes", "submitter"):
        if getattr(baseline, name) is None and getattr(subject, name) is not None:
            setattr(baseline, name, getattr(subject, name))
            if f"subject.{name}" in draft.context:
                draft.context.add(f"baseline.{name}")


def _count_kind(draft: Draft) -> None:
    """ "72 GPUs beat 94": the same hardware or none named, so the counts are what is compared."""
    subject, baseline, found = draft.subject, draft.baseline, draft.found
    if found.kind != "outperforms" or subject.accelerators is None or baseline.accelerators is None:
        return
    if subject.accelerators != baseline.accelerators and baseline.accelerator in (None, subject.accelerator):
        found.kind, found.value = "count", float(subject.accelerators)


def _pair_values(sentence: Sentence, drafts: list[Draft]) -> None:
    """The two printed figures whose ratio is the claimed one become the sides' values."""
    figures = {d.found.value: d for d in drafts if d.found.kind == "absolute" and d.found.value}
    numbers = sentence.frame.counted(sentence.low, sentence.high)
    alone = [n.value.value for n in numbers if n.value.value >= _LEAST_FIGURE]
    for draft in drafts:
        claimed = draft.found.value
        if draft.found.kind not in ("multiple", "percent") or not claimed:
            continue
        for values, within in (([*figures, *sentence.context.figures], _CLOSE), (alone, _EXACT)):
            if len(values) < 2:
                continue
            pair = next(
                ((a, b) for a in values for b in values if a != b and abs(a / b / claimed - 1) < within), None
            )
            if pair:
                draft.subject.value, draft.baseline.value = pair
                _owners(draft, figures.get(pair[0]), figures.get(pair[1]))
                break


def _owners(draft: Draft, first: Draft | None, second: Draft | None) -> None:
    """ "A gets 1,175,890, B 596,944, about 1.97x": the two figures name the two sides."""
    if first is None or second is None or draft.baseline.accelerator or draft.baseline.round:
        return
    if not (first.subject.accelerator and second.subject.accelerator):
        return
    for side, figure in ((draft.subject, first.subject), (draft.baseline, second.subject)):
        for name in ("submitter", "vendor", "accelerator", "system", "accelerators", "nodes"):
            if getattr(figure, name) is not None:
                setattr(side, name, getattr(figure, name))
