"""The words that claim a lead: a record, a superlative of a result, a place, a win, nobody faster."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from parsing.claim import Metric
from parsing.context import SCENARIOS
from parsing.frame import Frame
from parsing.lexicon import Mention
from parsing.spans.local import HARDWARE, MAKERS, is_stop, segment, steps
from parsing.terms import languages

_REACH = 6
_WIN_REACH = 9
_FAR = 16
_RESULTS = tuple(
    f"metric.{n}" for n in ("throughput", "latency", "power_efficiency", "time_to_train", "cost")
)
_OF_SPEED = (
    *HARDWARE,
    *MAKERS,
    "noun.accelerator",
    "noun.node",
    "noun.rack",
    "record.size_noun",
    "record.machine",
)
_OTHERWISE = ("spec.noun", "spec.accuracy", "spec.participation", "link.clause", "record.not_result")
_TESTED = (*(f"scenario.{name}" for name in SCENARIOS), "name.model")
_TIED = (*_TESTED, "benchmark.ours", "round", "record.test")
_ALONE = ("record.phrase", "record.place", "record.numbered")
_BESIDE_TESTED = ("record.tied", "record.second", "record.third")
_AHEAD = ("record.ahead", "outperform.verb")
_RIVALS = (*HARDWARE, *MAKERS, "noun.accelerator", "noun.node", "noun.rack", "record.rival")

Trigger = tuple[int, int, Metric | None]


def leads(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """All words of a sentence that claim a lead: their tokens `[start, end)`, their metric if they say it."""
    said = frame.said(low)
    for rule, needed in _RULES:
        if not said.isdisjoint(needed):
            yield from rule(frame, low, high)
    for label, end_of, metric in _SUPERLATIVES:
        for mention in frame.find(label, low, high):
            end = end_of(frame, mention, low, high)
            if end:
                yield mention.start, end, metric


def is_best(frame: Frame, i: int) -> bool:
    """Whether a token is a superlative."""
    return frame.has(i, "record.superlative", "record.superlative_alone")


def _phrases(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """Words that claim a lead by themselves, or beside what is tested ("leads in", "second place")."""
    for label in _ALONE:
        for mention in frame.find(label, low, high):
            much = frame.has(mention.start - 1, "sign.percent")  # "just 4 % came on top"
            if not _counted(frame, mention) and not much and not _of_people(frame, mention.end, high):
                yield mention.start, mention.end, None
    for label in _BESIDE_TESTED:
        for mention in frame.find(label, low, high):
            apart = _numbered(frame, mention) or _takes_part(frame, mention, high)
            if tied(frame, mention) and not apart:
                yield mention.start, mention.end, None


def _highs(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "a new high" of a result, "sets the bar" of a maker or a chip (a benchmark sets it for all)."""
    for mention in frame.find("record.high", low, high):
        a, b = segment(frame, mention.start, mention.end)
        if _measured(frame, a, b) or frame.any_of(_TESTED, a, b):
            yield mention.start, mention.end, None
    for mention in frame.find("record.bar", low, high):
        a, _ = segment(frame, mention.start, mention.end)
        if frame.any_of((*HARDWARE, *MAKERS, "owner.us"), a, mention.start):
            yield mention.start, mention.end, None


def tied(frame: Frame, mention: Mention) -> bool:
    """Whether a model, scenario, round, test or the benchmark stands in the same part of the sentence."""
    a, b = segment(frame, mention.start, mention.end)
    return frame.any_of(_TIED, a, b)


def _numbered(frame: Frame, mention: Mention) -> bool:
    """Whether a number says how large the lead is ("leads in Server by 12 %"): then that is the claim."""
    a, b = segment(frame, mention.start, mention.end)
    return any(
        frame.has(frame.number_at[i].end, "sign.percent", "sign.times")
        for i in range(a, b)
        if i in frame.number_at
    )


def _of_people(frame: Frame, i: int, high: int) -> bool:
    """ "a record 27 organizations", "record results submitted": a record of participation."""
    for j in range(i, min(high, i + 4)):
        measured = frame.has(j, *_RESULTS) and not frame.has(j + 1, "baseline.of")
        if is_stop(frame, j) or measured or frame.has(j, "baseline.preposition"):
            return False
        if frame.has(j, "spec.participation", "record.not_result"):
            return True
    return False


def _takes_part(frame: Frame, mention: Mention, high: int) -> bool:
    """ "was first in line to submit", "leads in the MLPerf working group": no place in a result."""
    _, b = segment(frame, mention.start, mention.end)
    return frame.within(mention.end, min(b, high), "record.taking_part")


def _broken(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "records were shattered", "takes every throughput record", "stands as the record for"."""
    for mention in frame.find("record.noun", low, high):
        before = range(max(low, mention.start - _REACH), mention.start)
        after = steps(frame, mention.end, min(high, mention.end + 3 * _REACH), _REACH)
        said = any(frame.has(i, "record.broken") for i in (*before, *after))
        said = said or any(frame.has(i, "record.new") for i in before[-3:])
        said = said or (mention.start == low and frame.low(mention.end) in (":", "!"))
        if said and not _counted(frame, mention) and not _of_people(frame, mention.end, high):
            yield mention.start, mention.end, None


def _counted(frame: Frame, mention: Mention) -> bool:
    """ "Three new MLPerf records" is a count of records."""
    if not frame.any("record.win", mention.start, mention.end):
        return False
    before = range(max(0, mention.start - 3), mention.start + 1)
    return any(i in frame.number_at and frame.low(i - 1) != "#" for i in before)


# --- wins ----------------------------------------------------------------------------------------


def _wins(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "wins every offline row", "gewinnt bei Llama 2 70B jede Zeile", "leads in all benchmarks"."""
    for mention in frame.find("record.win_verb", low, high):
        universal = False
        for i in steps(frame, mention.end, min(high, mention.end + 2 * _WIN_REACH), _WIN_REACH):
            if is_stop(frame, i):
                break
            universal = universal or frame.has(i, "quantifier.all")
            if universal and frame.has(i, "record.test"):
                yield mention.start, i + 1, None
                break


def _won_late(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "hat alle Tests gewonnen": the verb comes last."""
    for mention in frame.find("record.won", low, high):
        a, _ = segment(frame, mention.start, mention.end)
        every = frame.find("quantifier.all", max(a, mention.start - _WIN_REACH), mention.start)
        if every and frame.any("record.test", every[0].end, mention.start):
            yield every[0].start, mention.end, None


def _victories(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "topped Llama 2 70B Offline", "siegt im Server-Szenario", "while NVIDIA still leads"."""
    for mention in frame.find("record.victory", low, high):
        if _numbered(frame, mention) or frame.has(mention.start - 1, "link.determiner"):
            continue
        i = mention.end
        while i < min(high, mention.end + 4) and frame.has(
            i, "baseline.preposition", "link.determiner", "record.filler"
        ):
            i += 1
        named = frame.has(mention.start - 1, *HARDWARE, *MAKERS, "record.filler")
        named = named and not frame.within(
            mention.start - 3, mention.start - 1, "baseline.mark"
        )  # "gegenüber der H200 gewinnt, wer …"
        if frame.has(i, *_TESTED, "record.test", "benchmark.ours") and not _takes_part(frame, mention, high):
            yield mention.start, i + 1, None
        elif i == mention.end and named and (i == high or frame.stops[i] or frame.has(i, "link.clause")):
            yield mention.start, mention.end, None


def _first_there(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "Lambda first Offline, Wiwynn first Server", "first in Whisper": a place beside what is tested."""
    for mention in frame.find("record.first_in", low, high):
        i = mention.end
        while i < high and frame.has(i, "link.determiner", "quantifier.all", "baseline.of"):
            i += 1
        place = frame.has(i, *_TESTED, "benchmark.ours") or frame.has(i + 1, *_TESTED)
        tested = place or any(frame.has(j, "record.test") for j in range(i, i + 6) if i in frame.number_at)
        put = frame.within(max(low, mention.start - 8), mention.start, "record.put")
        tested = tested or (put and frame.has(i, *_RESULTS))
        among = frame.any("rivals.mark", mention.start, min(high, mention.end + 2))
        apart = _takes_part(frame, mention, high) or _numbered(frame, mention)
        if (tested or among) and not apart:
            yield mention.start, mention.end, None
    for mention in frame.find("record.first", low, high):
        if frame.has(mention.start - 1, *HARDWARE, *MAKERS) and frame.has(mention.end, *_TESTED):
            yield mention.start, mention.end + 1, None


# --- nobody else ---------------------------------------------------------------------------------


def _unbeaten(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "no chip is faster than GB300", "no other entry produced a higher total", "nobody came close"."""
    for mention in (*frame.find("negation.no", low, high), *frame.find("negation.never", low, high)):
        if frame.has(mention.start, "outperform.verb"):
            continue  # "never loses to B"
        rival = frame.has(mention.start, "negation.nobody", "negation.never")
        end = 0
        for i in steps(frame, mention.end, min(high, mention.end + 24), 12):
            if is_stop(frame, i) or frame.has(i, *_OTHERWISE[:2]):
                break
            rival = rival or frame.has(i, *_RIVALS)
            if rival and (_nothing_above(frame, i, high) or _nothing_like(frame, mention.end, i, high)):
                end = i + 1
                break
        start = mention.start if end else _more_than_nobody(frame, mention, low)
        if rival and start >= 0:
            yield start, end or mention.end, None


def _nothing_like(frame: Frame, start: int, i: int, high: int) -> bool:
    """ "Nothing answers Llama 3.1 8B like the MI355X": a test before "like", a chip or a maker after it."""
    if not frame.has(i, "record.like"):
        return False
    tested = frame.any_of(_TIED, start, i)
    return tested and frame.within(i + 1, min(high, i + 5), *HARDWARE, *MAKERS)


def _more_than_nobody(frame: Frame, mention: Mention, low: int) -> int:
    """ "Mehr Tokens pro Sekunde schafft kein anderes System": where "mehr" stands, or -1."""
    a, _ = segment(frame, mention.start, mention.end)
    more = frame.find("compare.more", max(low, a), mention.start)
    return more[0].start if more and frame.any("metric.throughput", more[0].start, mention.start) else -1


def _nothing_above(frame: Frame, i: int, high: int) -> bool:
    if frame.has(i, "record.close"):
        return True
    if frame.has(i, "outperform.verb") and frame.within(i + 1, min(high, i + 5), *HARDWARE, *MAKERS):
        return True
    if not frame.has(i, "compare.more"):
        return False
    after = min(high, i + 5)
    said = frame.any_of((*_RESULTS, "record.total", "record.here"), i, after)
    said = said or frame.any("compare.than", i, after) or _than_rival(frame, i, high)
    said = said or (frame.has(i + 1, "baseline.preposition") and frame.has(i + 2, *_TESTED))
    return (said or i + 1 >= high or frame.stops[i + 1] > 0) and not frame.any("spec.noun", i, after)


def _than_rival(frame: Frame, i: int, high: int) -> bool:
    """ "more out of eight H200 on Mixtral than Lenovo": a maker or a chip after a far-off "than"."""
    for mention in frame.find("compare.than", i, min(high, i + _FAR)):
        return frame.within(mention.end, min(high, mention.end + 4), *HARDWARE, *MAKERS)
    return False


def _unmatched(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "unmatched throughput", "is unbeaten", "Unprecedented: …"; not "unmatched flexibility"."""
    for mention in frame.find("record.unmatched", low, high):
        before, after = mention.start - 1, mention.end
        alone = (mention.start == low or is_stop(frame, before)) and (after >= high or is_stop(frame, after))
        stays = frame.has(before, "grammar.is") and (
            after >= high or is_stop(frame, after) or frame.has(after, "baseline.preposition", "record.of")
        )
        measured = frame.within(after, min(high, after + 4), *_RESULTS)
        if alone or stays or measured:
            yield mention.start, mention.end, None


def _ahead_of_all(frame: Frame, low: int, high: int) -> Iterator[Trigger]:
    """ "in front of all B300 servers", "beats every other submitter", "vor allen anderen GB200-Systemen"."""
    for label in _AHEAD:
        for mention in frame.find(label, low, high):
            i = mention.end + frame.has(mention.end, "link.determiner")
            if any(frame.has(j, "record.everyone") for j in steps(frame, mention.end, high, _REACH)):
                yield mention.start, mention.end, None
                continue
            if not frame.has(i, "quantifier.all") or _numbered(frame, mention):
                continue
            for j in range(i, min(high, i + 6)):
                if frame.has(j, *_RIVALS):
                    yield mention.start, j + 1, None
                    break
                if (is_stop(frame, j) and j > i) or frame.has(j, *_OTHERWISE[:3]):
                    break


# --- superlatives --------------------------------------------------------------------------------


def _superlative(frame: Frame, mention: Mention, low: int, high: int) -> int:
    """The end of "highest … throughput", "fastest … system", "the quickest in Offline"; 0 for no result."""
    fast = frame.has(mention.start, "rank.fast")
    if _own_best(frame, mention.start):
        return 0
    for i in steps(frame, mention.end, min(high, mention.end + 3 * _REACH), _REACH):
        if frame.has(i, "spec.single") and not frame.has(mention.start, "record.size"):
            return i + 1  # "the fastest submission"
        if (is_stop(frame, i) and frame.low(i) != "/") or frame.has(i, *_OTHERWISE):
            return 0
        if frame.has(i, *_RESULTS, "record.here") or (fast and frame.has(i, *_OF_SPEED)):
            return 0 if frame.has(i + 1, "spec.rule") else i + 1
        if frame.has(i, "grammar.is") and not fast:
            return 0
        joining = frame.has(i, "baseline.preposition", "baseline.of", "record.of") and not frame.has(
            i, "link.determiner"
        )
        if i == mention.end and frame.has(i, "record.of"):
            return _elliptic(frame, mention, low, high)
        if joining and not frame.has(i + 1, "benchmark.ours", "round"):
            return i if fast and frame.has(i, "baseline.of") else 0
    return 0


def _own_best(frame: Frame, start: int) -> bool:
    """ "our fastest server", "NVIDIA's best result", "Nvidias schnellste GPU": the best of its own."""
    if frame.has(start - 1, "owner.us", "owner.its"):
        return True
    if frame.low(start - 1) == "s" and frame.gap(start - 1) in ("'", "’"):
        return frame.has(start - 2, *HARDWARE, *MAKERS)
    name = frame.names[start - 1] if start > 0 else None
    ending = languages()[frame.language].genitive
    return (
        name is not None
        and bool(ending)
        and frame.has(start - 1, *MAKERS)
        and frame.low(start - 1).endswith(ending)
    )


def _elliptic(frame: Frame, mention: Mention, low: int, high: int) -> int:
    """The end of "the highest in MLPerf Inference v6.1", "fastest of all eight-GPU systems"."""
    start = mention.start
    said = start == low or is_stop(frame, start - 1) or frame.has(start - 1, "link.determiner", "grammar.is")
    if not said or not frame.has(start, "record.elliptic"):
        return 0
    for i in range(mention.end + 1, min(high, mention.end + 7)):
        if is_stop(frame, i) or frame.has(i, *_OTHERWISE[:2], "record.not_result"):
            return 0
        if frame.has(i, *_TIED, "record.field", *HARDWARE, "noun.accelerator"):
            return i + 1
    return 0


def _alone(frame: Frame, mention: Mention, low: int, high: int) -> int:
    """The end of "efficiency is highest", "put X first for throughput"; 0 where no result is meant."""
    if frame.has(mention.start, "metric.power_efficiency"):
        return mention.end
    a, b = segment(frame, mention.start, mention.end)
    copula = frame.has(mention.start - 1, "grammar.is")
    if frame.has(mention.start, "record.first"):
        put = frame.within(max(low, mention.start - 8), mention.start, "record.put")
        said = frame.has(mention.end, "record.put_to") and _measured(
            frame, mention.end, min(high, mention.end + 4)
        )
        return mention.end + 2 if said and (put or copula) else 0
    if mention.end - mention.start > 1:  # "am schnellsten"
        return mention.end if _measured(frame, a, high) or _fast_there(frame, mention, a, b) else 0
    return (
        mention.end
        if copula and (_measured(frame, a, mention.start) or _fast_there(frame, mention, a, b))
        else 0
    )


def _fast_there(frame: Frame, mention: Mention, a: int, b: int) -> bool:
    """ "MI355X is fastest in Llama 2 70B Server", "am schnellsten ist im Offline-Szenario Dell"."""
    return frame.has(mention.start, "rank.fast") and frame.any_of(_TIED, a, b)


def _measured(frame: Frame, start: int, end: int) -> bool:
    return frame.any_of(_RESULTS, start, end)


def _size(frame: Frame, mention: Mention, low: int, high: int) -> int:
    """The end of "the largest submission"; 0 where it is a maker's own largest or a bound."""
    if frame.has(mention.start - 1, "owner.us", "owner.its") or frame.gap(mention.start - 1) == "'":
        return 0
    if frame.within(max(low, mention.start - 3), mention.start, "record.below"):
        return 0
    for i in steps(frame, mention.end, min(high, mention.end + 10), 5):
        if is_stop(frame, i):
            return 0
        if frame.has(i, "record.size_noun"):
            claimed = frame.any("record.ever", low, high) or frame.any("spec.participation", i, i + 1)
            return i + 1 if claimed else 0
    return 0


_SUPERLATIVES: tuple[tuple[str, Callable[[Frame, Mention, int, int], int], Metric | None], ...] = (
    ("record.superlative", _superlative, None),
    ("record.superlative_alone", _alone, None),
    ("record.size", _size, "other"),
)

# each rule, with the labels that a sentence needs one of
_RULES: tuple[tuple[Callable[[Frame, int, int], Iterator[Trigger]], tuple[str, ...]], ...] = (
    (_phrases, (*_ALONE, *_BESIDE_TESTED)),
    (_highs, ("record.high", "record.bar")),
    (_broken, ("record.noun",)),
    (_wins, ("record.win_verb",)),
    (_won_late, ("record.won",)),
    (_victories, ("record.victory",)),
    (_unbeaten, ("negation.no", "negation.never")),
    (_unmatched, ("record.unmatched",)),
    (_ahead_of_all, _AHEAD),
    (_first_there, ("record.first_in", "record.first")),
)
# a sentence with none of these claims no lead
CLAIMING = frozenset(
    (
        *(label for _, needed in _RULES for label in needed),
        *(label for label, _, _ in _SUPERLATIVES),
    )
)
