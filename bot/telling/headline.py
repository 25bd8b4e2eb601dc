"""The first words of a reply: verdict word, the claim's number, the like-for-like value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

from bot.telling import comparisons, like_for_like, missing, naming, positions
from bot.telling.case import Case, Style
from bot.telling.comparisons import Comparison
from bot.wording import Words
from knowledge.reading import Reading
from knowledge.row import Row

# The first line of a reply is read in a notification: no longer than this.
FIRST_LINE = 240

# What a reading notes as not measured, to the sentence that says so.
REASONS = {
    "other_benchmark": "not_mlperf",
    "unverified": "unverified",
    "cost": "cost",
    "power": "power",
    "wins": "count",
    "latency": "latency",
}


@dataclass(frozen=True, slots=True)
class Headline:
    """`word` is the verdict in words, `sentences` what follows it, the weightiest first."""

    word: str
    sentences: tuple[str, ...]

    @property
    def first(self) -> str:
        """The first line: the word and as many sentences as fit, always the first one."""
        line = " ".join(self._split()[0])
        return naming.cut(line, FIRST_LINE)

    @property
    def rest(self) -> str:
        """The sentences that the first line has no room for."""
        return " ".join(self._split()[1])

    def _split(self) -> tuple[list[str], list[str]]:
        told = [self.word, *self.sentences]
        length, n = len(told[0]), 1
        while n < len(told) and (n == 1 or length + 1 + len(told[n]) <= FIRST_LINE):
            length += 1 + len(told[n])
            n += 1
        return told[:n], told[n:]


def headline(case: Case) -> Headline:
    """The headline of one claim; a closed match over the verdicts."""
    verdict = case.reading.verdict
    match verdict:
        case "holds":
            told = holds(case)
        case "best_case":
            told = best_case(case)
        case "software":
            told = software(case)
        case "frame":
            told = frame(case)
        case "contradicted":
            told = contradicted(case)
        case "not_reproduced":
            told = not_reproduced(case)
        case "not_measured":
            told = not_measured(case)
        case "no_rows":
            told = missing.no_rows(case)
        case "depends":
            told = missing.depends(case)
        case _:
            assert_never(verdict)
    sentences = tuple(sentence for sentence in told if sentence)
    if verdict in ("no_rows", "depends"):
        sentences = tuple(sentence[0].upper() + sentence[1:] for sentence in sentences)
        return Headline(word(case.reading, case.w, case) + ".", sentences)
    return Headline(word(case.reading, case.w, case) + ":", sentences)


def word(reading: Reading, w: Words, case: Case) -> str:
    """The verdict's headline word; only where nothing but the availability differs it is "Directional"."""
    if reading.verdict == "frame" and set(reading.differences) == {"availability"}:
        return w("verdict.frame_preview")
    if reading.verdict in ("no_rows", "depends"):
        return w(f"verdict.{reading.verdict}", what=missing.named(case))
    return w(f"verdict.{reading.verdict}")


def holds(case: Case) -> list[str]:
    """Reproduced like-for-like, and typical."""
    w, claim = case.w, case.claim
    match claim.kind:
        case "absolute":
            return [*absolute(case), positions.sentence(case)]
        case "record":
            return [w("holds.plain", phrase=case.phrase), positions.sentence(case), positions.by_size(case)]
        case "scaling":
            return [w("holds.scaling", phrase=case.phrase, values=efficiencies(case), sizes=sizes(case))]
        case "count":
            return [*totals(case, "holds.count"), like_for_like.sentence(case) if case.groups else ""]
        case "outperforms":
            return [w("holds.plain", phrase=case.phrase), lead(case)]
        case "multiple" | "percent" | "cost":
            if case.reading.recomputed is None:
                return [w("holds.plain", phrase=case.phrase), lead(case)]
            value = case.claimed(case.reading.recomputed)
            return [w("holds.value", phrase=case.phrase, value=value), lead(case)]
        case _:
            assert_never(claim.kind)


def lead(case: Case) -> str:
    """The like-for-like sentence, else the claim's own pair, else the sizes one by one."""
    if case.groups:
        return like_for_like.sentence(case)
    if case.pair is not None:
        return like_for_like.tell(case, [case.pair])
    return positions.by_size(case)


def best_case(case: Case) -> list[str]:
    """Reproduced, but typical values lie lower."""
    w, claim = case.w, case.claim
    if claim.kind == "scaling":
        return [w("best.of", phrase=case.phrase, n=number_of(case), values=efficiencies(case))]
    if claim.kind in ("record", "outperforms") and case.reading.by_scale:
        return [positions.share(case), positions.by_size(case)]
    if claim.kind == "absolute":
        return [*absolute(case), positions.sentence(case)]
    if len(case.groups) > 1 and (case.claim_in_groups or case.pair is None):
        return [best_of(case)]
    if case.pair is not None and not case.claim_in_groups:
        return [rests_on(case, case.pair), like_for_like.sentence(case)]
    return [w("best.plain", phrase=case.phrase), lead(case)]


def best_of(case: Case) -> str:
    """The claim's number as the best of several comparisons."""
    if len(case.groups) > like_for_like.MOST_ITEMS:
        style = case.style(case.groups)
        ratios = [pair.ratio for pair in case.groups]
        return case.w(
            "best.range",
            phrase=case.phrase,
            n=number_of(case),
            low=case.change(min(ratios), style),
            high=case.change(max(ratios), style),
        )
    return case.w("best.of", phrase=case.phrase, n=number_of(case), values=changes(case, case.groups))


def number_of(case: Case) -> str:
    """How many like-for-like comparisons there are, in figures."""
    return case.w.number(max(1, len(case.groups)))


def changes(case: Case, pairs: list[Comparison]) -> str:
    """The first side over the second in each comparison: "1.52x (server) and 1.21x (offline)"."""
    style, fields = case.style(pairs), like_for_like.fields(pairs)
    return case.w.join(
        case.w("item.plain", value=case.change(p.ratio, style), where=comparisons.where(p, fields, case.w))
        for p in sorted(pairs, key=lambda p: -p.ratio)
    )


def rests_on(case: Case, pair: Comparison) -> str:
    """A number that only a certain pair of rows gives."""
    return case.w(
        "best.pair",
        phrase=case.phrase,
        first=full_side(pair.first, case),
        second=full_side(pair.second, case),
    )


def full_side(row: Row, case: Case) -> str:
    """A side with submitter, chips and variant: "Nebius (8 GB300)"."""
    chips = naming.counted_chip(row, case.w)
    extra = f", {naming.harmless(row.variant)}" if row.variant else ""
    return f"{naming.submitter(row.submitter)} ({chips}{extra})"


def software(case: Case) -> list[str]:
    """Reproduced between rounds on the same hardware."""
    w = case.w
    likely = w("software.likely")
    if case.pair is None:
        return [w("software.plain", phrase=case.phrase), likely]
    new, old = case.pair.first, case.pair.second
    value = case.claimed(case.reading.recomputed if case.reading.recomputed is not None else case.pair.ratio)
    same = w("phrase.quoted", value=value.lstrip("+")) == case.phrase
    told = w(
        "software.same" if same else "software.pair",
        phrase=case.phrase,
        value=value,
        old=old.round,
        new=new.round,
        chips=naming.counted_chip(new, w),
        submitter=naming.submitter(new.submitter),
    )
    more = like_for_like.sentence(case) if len(case.groups) > 1 else ""
    return [told, likely, more]


def frame(case: Case) -> list[str]:
    """Reproduced, but only by rows that differ."""
    w, claim = case.w, case.claim
    match claim.kind:
        case "absolute":
            return [absolute_elsewhere(case), positions.sentence(case)]
        case "record":
            only_size = set(case.reading.differences) <= {"scale"}
            key = "frame.record_total" if only_size else "frame.record"
            return [w(key, phrase=case.phrase), positions.sentence(case), positions.by_size(case)]
        case "scaling":
            value = case.reading.recomputed
            told = (
                w("frame.scaling", phrase=case.phrase, value=case.share(value)) if value is not None else ""
            )
            return [told or compares(case), like_for_like.sentence(case)]
        case "count":
            return [*totals(case, "frame.count"), like_for_like.sentence(case)]
        case "multiple" | "percent" | "outperforms" | "cost":
            if case.watts and case.pair is not None:
                return [per_watt(case, case.pair)]
            return [compares(case), per_accelerator(case), like_for_like.sentence(case), spread_of_kind(case)]
        case _:
            assert_never(claim.kind)


def per_watt(case: Case, pair: Comparison) -> str:
    """A comparison of results per measured watt."""
    value = case.claimed(case.reading.recomputed or pair.ratio)
    first, second = full_side(pair.first, case), full_side(pair.second, case)
    return case.w("frame.watts", phrase=case.phrase, value=value, first=first, second=second)


def compares(case: Case) -> str:
    """What the claim's number puts beside what: each difference, side by side."""
    if case.pair is None:
        return case.w("frame.plain", phrase=case.phrase)
    key = "frame.totals" if by_total(case) else "frame.compares"
    first, second = (unlike_side(row, case) for row in (case.pair.first, case.pair.second))
    return case.w(key, phrase=case.phrase, first=first, second=second)


def by_total(case: Case) -> bool:
    """Whether the number comes from system totals of unlike size."""
    return case.reading.basis == "system" and "scale" in case.reading.differences


def unlike_side(row: Row, case: Case) -> str:
    """One side by what differs: "Nebius (8 GPUs, v6.0)", "72 GB300", "Vera Rubin (Preview)"."""
    w, unlike = case.w, set(case.reading.differences)
    features = {
        "scale": naming.counted(row, w),
        "round": row.round,
        "availability": naming.availability(row, w),
        "division": naming.division(row, w),
        "system_type": naming.harmless(row.system_type.replace(",", " + ")),
        "accelerator_variant": naming.harmless(row.variant) if row.variant else w("variant.none"),
        "model_variant": f"{row.accuracy_target} %" if row.accuracy_target else w("variant.none"),
    }
    told = [text for code, text in features.items() if code in unlike]
    if case.by == "accelerator":
        head = naming.counted_chip(row, w) if "scale" in unlike else naming.accelerator(row)
        told = told[1:] if "scale" in unlike else told
    elif "submitter" in unlike or case.by == "submitter":
        head = naming.submitter(row.submitter)
    else:
        head, told = (told[0], told[1:]) if told else (comparisons.side(row, case.by, w), [])
    return f"{head} ({', '.join(told)})" if told else head


def per_accelerator(case: Case) -> str:
    """The same comparison per accelerator, where the number came from totals."""
    if not by_total(case) or case.pair is None or case.pair.first.per_accelerator is None:
        return ""
    style = case.style([case.pair])
    winner = comparisons.winner(case.pair, case.by, case.w)
    return case.w(f"frame.per_accelerator.{style}", winner=winner, value=case.margin(case.pair.ratio, style))


def spread_of_kind(case: Case) -> str:
    """Without a like-for-like comparison: how far all comparisons of the claim's own kind spread."""
    span = case.reading.range
    if case.groups or span is None or span.n < 2:
        return ""
    style: Style = "percent" if case.claim.kind == "percent" else "ratio"
    low, high = case.change(span.min, style), case.change(span.max, style)
    return case.w("frame.spread", n=case.w.number(span.n), low=low, high=high)


def contradicted(case: Case) -> list[str]:
    """The rows say otherwise."""
    w = case.w
    match case.claim.kind:
        case "absolute":
            return absolute_otherwise(case)
        case "record" | "outperforms" if case.reading.by_scale:
            return [falls_short(case), positions.by_size(case), positions.sentence(case)]
        case "record":
            return [falls_short(case), positions.sentence(case)]
        case "scaling":
            values = efficiencies(case)
            return [w("contradicted.scaling", phrase=case.phrase, values=values)] if values else plain(case)
        case "count":
            return totals(case, "contradicted.count") if case.pair else plain(case)
        case _:
            return plain(case)


def falls_short(case: Case) -> str:
    """In one sentence how a record fails: by a larger system, at some sizes, or as such."""
    for code, key in (("size_record", "size.largest"), ("universal_record", "size.lost")):
        if (facts := noted(case, code)) is not None:
            return case.w(key, phrase=case.phrase, **{name: case.w.number(n) for name, n in facts.items()})
    return case.w("contradicted.plain", phrase=case.phrase)


def plain(case: Case) -> list[str]:
    """The claim's number does not follow, and this is what does."""
    return [case.w("contradicted.plain", phrase=case.phrase), closest(case)]


def closest(case: Case) -> str:
    """What the rows give instead: the like-for-like comparisons, else the others, else the pair."""
    if case.groups:
        return like_for_like.sentence(case)
    pairs = case.others or ([case.pair] if case.pair else [])
    if not pairs:
        return ""
    style = case.style(pairs)
    if len(pairs) > like_for_like.MOST_ITEMS:
        ratios = [pair.ratio for pair in pairs]
        low, high = case.change(min(ratios), style), case.change(max(ratios), style)
        return case.w("closest.range", n=case.w.number(len(pairs)), low=low, high=high)
    return case.w("closest.values", values=changes(case, list(pairs)))


def not_reproduced(case: Case) -> list[str]:
    """Both sides have rows, none gives the number."""
    if case.claim.kind == "absolute":
        return absolute_otherwise(case)
    if case.claim.kind == "scaling" and (values := efficiencies(case)):
        return [case.w("contradicted.scaling", phrase=case.phrase, values=values)]
    return [case.w("not_reproduced.plain", phrase=case.phrase), closest(case)]


def not_measured(case: Case) -> list[str]:
    """Why the rows hold no such quantity."""
    what = (noted(case, "not_measured") or {}).get("what", "")
    return [case.w(f"not_measured.{REASONS.get(what, 'other')}", phrase=case.phrase), *derived(case)]


def derived(case: Case) -> list[str]:
    """Arithmetic that follows from rows, in words."""
    from bot.telling.notes import derived_line

    return [derived_line(item, case) for item in case.reading.derived]


def absolute(case: Case) -> list[str]:
    """The row, or the rows, on which an absolute figure stands."""
    rows = case.reading.rows
    if not rows:
        return [case.w("holds.plain", phrase=case.phrase)]
    if (met := noted(case, "universal")) is not None:
        return [universal(case, met)]
    facts = row_facts(rows[0], case)
    printed = case.reading.basis != "per_accelerator" and case.claim.value == rows[0].value
    key = "absolute.rows" if len(rows) > 1 else "absolute.exact" if printed else "absolute.row"
    return [case.w(key, phrase=case.phrase, n=case.w.number(len(rows)), **facts)]


def absolute_elsewhere(case: Case) -> str:
    """An absolute figure that stands on a row unlike the one the text describes."""
    if not case.reading.rows:
        return case.w("frame.plain", phrase=case.phrase)
    row = case.reading.rows[0]
    return case.w(
        "absolute.elsewhere",
        phrase=case.phrase,
        division=naming.division(row, case.w),
        availability=naming.availability(row, case.w),
        **row_facts(row, case),
    )


def absolute_otherwise(case: Case) -> list[str]:
    """An absolute figure that the rows do not have, with the row that comes to mind."""
    if not case.reading.rows:
        return [case.w("absolute.none", phrase=case.phrase)]
    if (met := noted(case, "universal")) is not None:
        return [universal(case, met)]
    key = "absolute.otherwise" if noted(case, "stands_elsewhere") is None else "absolute.stands"
    return [case.w(key, phrase=case.phrase, **row_facts(case.reading.rows[0], case))]


def noted(case: Case, code: str) -> dict[str, Any] | None:
    """The facts of a note of the reading, None where it has no such note."""
    return next((values for name, values in case.reading.notes if name == code), None)


def universal(case: Case, met: dict[str, Any]) -> str:
    """How many systems of a class reach a figure, and the lowest of them."""
    w = case.w
    counts = {name: w.number(met.get(name, 0)) for name in ("met", "of")}
    return w("absolute.universal", phrase=case.phrase, **counts, **row_facts(case.reading.rows[0], case))


def row_facts(row: Row, case: Case) -> dict[str, str]:
    """A row in words: its figure as the claim takes it, submitter, chips, benchmark, round."""
    w = case.w
    unit = naming.unit(row, w)
    if case.claim.per_accelerator and row.per_accelerator is not None:
        value = w("figure.per_accelerator", value=w.figure(row.per_accelerator), unit=unit)
    else:
        value = f"{w.exact(row.value)} {unit}"
    return {
        "value": value,
        "submitter": naming.submitter(row.submitter),
        "chips": naming.counted_chip(row, w),
        "benchmark": naming.benchmark(row),
        "round": row.round,
    }


def efficiencies(case: Case) -> str:
    """The scaling efficiencies of a claim, each where it stands."""
    if not case.groups:
        value = case.reading.recomputed
        return case.share(value) if value is not None else ""
    fields = [name for name in like_for_like.fields(case.groups) if len(case.groups) > 1] or ["scenario"]
    return case.w.join(
        case.w("item.plain", value=case.share(pair.ratio), where=comparisons.where(pair, fields, case.w))
        for pair in sorted(case.groups, key=lambda p: -p.ratio)[: like_for_like.MOST_ITEMS]
    )


def sizes(case: Case) -> str:
    """From which to which size a system was scaled."""
    pair = case.pair or (case.groups[0] if case.groups else None)
    if pair is None:
        return ""
    first, second = naming.count_text(pair.second, case.w), naming.counted_chip(pair.first, case.w)
    return case.w("holds.sizes", small=first, large=second)


def totals(case: Case, key: str) -> list[str]:
    """Two systems of unlike size: by total and per accelerator."""
    w, pair = case.w, case.pair
    if pair is None:
        return [w(f"{key.split('.')[0]}.plain", phrase=case.phrase), closest(case)]
    first, second = pair.first, pair.second
    total = second.value / first.value if first.lower_is_better else first.value / second.value
    facts = {
        "first": f"{naming.counted_chip(first, w)} ({first.round})",
        "second": f"{naming.counted_chip(second, w)} ({second.round})",
        "unit": naming.unit(first, w),
        "first_value": w.exact(first.value),
        "second_value": w.exact(second.value),
    }
    return [
        w(key, phrase=case.phrase, total=w.ratio(total), per=w.ratio(pair.ratio)),
        w("totals.values", **facts),
    ]
