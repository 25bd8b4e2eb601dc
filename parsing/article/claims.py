"""The claims of an article, each with its places: a claim that title, text and table repeat is one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from parsing.article.ids import result_ids
from parsing.article.model import Article
from parsing.claim import Claim, Side
from parsing.context import Context, context_of
from parsing.document import Passage, Where
from parsing.frame import build
from parsing.reader import Reader
from parsing.terms import languages

MOST_CLAIMS = 200  # of a page; more are the rows of a table of all results
# What two sayings of one claim may leave out, but not say differently.
_FIELDS = (
    "model",
    "scenario",
    "round",
    "division",
    "per_accelerator",
    "place",
    "metric",
    "unit",
    "aggregate",
    "quantifier",
    "behind",
)
_SIDES = ("submitter", "vendor", "accelerator", "system", "accelerators", "nodes", "round", "when")
_FROM_NOTES = ("model", "scenario", "round", "division", "availability", "suite")
_RATIOS = frozenset(("multiple", "percent"))
_FIGURE = re.compile(r"^\s*[~≈]?\d[\d.,]*\s*[x×%]?\s*$")
_ABBREVIATED = 0.5  # of the coarser step: 2.77x in the text is 2.8x in the title
_ROUNDED = 0.1  # of the value: 2.77x in the text is 3x in the title, 1.6x is not 2x


@dataclass(slots=True)
class Located:
    """A claim, where it is said first, and the places that repeat it."""

    claim: Claim
    where: Where
    also: list[Where] = field(default_factory=list)


def read_claims(article: Article, reader: Reader) -> list[Located]:
    """The claims about results in an article, in reading order, each once; spans refer to `document.text`.

    A cited footnote completes its sentence: result IDs, round, model, scenario. What an article says
    in a section of its own that never names the benchmark is left out where it names no model either.
    An article that never names the benchmark has no claims; of one with very many the first are taken.
    """
    if not any(_names_it(passage.text) for passage in article.passages):
        return []
    document = article.document
    tied = _tied(article)
    notes = _Notes(article, reader)
    starts = document.starts
    found: list[Located] = []
    for claim in reader.read_document(document):
        if len(found) >= MOST_CLAIMS:
            break
        number = bisect_right(starts, claim.span[0]) - 1
        passage = document.passages[number]
        cited = notes.of(number, claim, starts[number])
        loose = number not in tied and claim.model is None and claim.mlperf is not False
        if not cited and (loose or _says_nothing(claim, passage)):
            continue
        _join(found, notes.completed(claim, cited, _caption_ids(article, number)), passage.where)
    return found


def _says_nothing(claim: Claim, passage: Passage) -> bool:
    """Whether a sentence of running text names nothing that results are told apart by.

    "Checkpoints load 5x quicker": an article about results speaks of other things too, and what the
    sentence leaves out is not what its neighbours are about.
    """
    if claim.kind == "absolute" or passage.where in ("title", "table"):
        return False
    if passage.where == "list" and ": " in (passage.heading or ""):
        return False  # the words that lead a list in are part of each item
    own = [name for name in ("model", "scenario", "round") if getattr(claim, name) is not None]
    own += [
        f"{side}.{name}"
        for side, half in (("subject", claim.subject), ("baseline", claim.baseline))
        for name in _SIDES
        if getattr(half, name) is not None
    ]
    return set(own) <= set(claim.from_context) and not _names_it(claim.quote)


@cache
def _names() -> tuple[str, ...]:
    """How texts write the benchmark's name, in any language."""
    said = (p.text for terms in languages().values() for p in terms.phrases if p.label == "benchmark.ours")
    return tuple(dict.fromkeys(text.casefold() for text in said))


def _names_it(text: str) -> bool:
    low = text.casefold()
    return any(name in low for name in _names())


def _tied(article: Article) -> set[int]:
    """The passages that speak of the benchmark: all where title or opening name it, else those of a section
    that names it."""
    sections: dict[str | None, list[int]] = {}
    for number, passage in enumerate(article.passages):
        heading = None if passage.where in ("title", "footnote") else _section(passage)
        sections.setdefault(heading, []).append(number)
    whole = any(_names_it(article.passages[n].text) for n in sections.get(None, ()))
    if whole:
        return set(range(len(article.passages)))
    named = [
        numbers
        for heading, numbers in sections.items()
        if _names_it(heading or "") or any(_names_it(article.passages[n].text) for n in numbers)
    ]
    return {number for numbers in named for number in numbers}


def _section(passage: Passage) -> str | None:
    return passage.heading.partition(": ")[0] if passage.heading else None


def _caption_ids(article: Article, number: int) -> list[str]:
    """The result IDs that a table's caption gives, above it or below."""
    passages = article.passages
    if passages[number].where != "table":
        return []
    beside = [passages[n] for n in (number - 1, number + 1) if 0 <= n < len(passages)]
    return [one for passage in beside if passage.where == "caption" for one in result_ids(passage.text)]


class _Notes:
    """What footnotes say, for the sentences that cite them."""

    def __init__(self, article: Article, reader: Reader) -> None:
        self._article = article
        self._reader = reader
        self._known: dict[int, Context] = {}
        self._by_passage: dict[int, list[tuple[int, int]]] = {}
        for one in article.cited:
            self._by_passage.setdefault(one.passage, []).append((one.at, one.note))
        self._sentences: dict[int, list[tuple[int, int]]] = {}

    def of(self, number: int, claim: Claim, start: int) -> list[int]:
        """The footnotes that the claim's sentence cites; in a table those of its cell, heads and caption."""
        first, last = claim.span[0] - start, claim.span[1] - start
        marks = self._by_passage.get(number, [])
        passage = self._article.passages[number]
        if passage.where == "table":
            found = [note for at, note in marks if _heads(passage.text, at, first)]
            if number and self._article.passages[number - 1].where == "caption":
                found += [note for _, note in self._by_passage.get(number - 1, [])]
        elif marks:
            low, high = self._around(number, first, last)
            found = [note for at, note in marks if low < at <= high]
        else:
            return []
        return list(dict.fromkeys(found))

    def _around(self, number: int, first: int, last: int) -> tuple[int, int]:
        """The characters of the sentence in which a claim stands."""
        if number not in self._sentences:
            self._sentences[number] = list(self._cut(self._article.passages[number]))
        low = max((a for a, _ in self._sentences[number] if a <= first), default=0)
        high = min((b for _, b in self._sentences[number] if b >= last), default=last)
        return low, high

    def _cut(self, passage: Passage) -> Iterator[tuple[int, int]]:
        frame = build(passage.text, self._reader.lexicon)
        ends = [frame.tokens[low].start for low, high in frame.sentences[1:] if low < high]
        starts = [0, *ends]
        yield from zip(starts, [*ends, len(passage.text)], strict=True)

    def completed(self, claim: Claim, cited: Sequence[int], also: Sequence[str] = ()) -> Claim:
        """The claim with what its footnotes say and it does not, and with the IDs in `also`."""
        update: dict[str, object] = {}
        ids = [*also, *(one for note in cited for one in self._article.notes[note].result_ids)]
        if ids:
            update["result_ids"] = tuple(dict.fromkeys((*claim.result_ids, *ids)))
        for note in cited:
            for name, value in self._said(note):
                if getattr(claim, name) is None and name not in update and _fits(claim, name):
                    update[name] = value
        if not update:
            return claim
        taken = tuple(sorted({*claim.from_context, *update}))
        return claim.model_copy(update={**update, "from_context": taken})

    def _said(self, note: int) -> Iterator[tuple[str, object]]:
        """What a footnote says once and for all: two models, and it says none."""
        if note not in self._known:
            text = self._article.notes[note].text
            self._known[note] = context_of(build(text, self._reader.lexicon))
        context = self._known[note]
        several = {"model": context.models, "scenario": context.scenarios, "round": context.rounds}
        for name in _FROM_NOTES:
            if name not in several:
                value = getattr(context, name)
            else:
                distinct = set(several[name])
                value = distinct.pop() if len(distinct) == 1 else None
            if value is not None:
                yield name, value
        if context.mlperf:
            yield "mlperf", True


def _heads(table: str, mark: int, figure: int) -> bool:
    """Whether a mark holds for a figure: it stands at the same cell, or at the head of its row or column."""
    line, other = table.rfind("\n", 0, mark) + 1, table.rfind("\n", 0, figure) + 1
    column, place = table.count("|", line, mark), table.count("|", other, figure)
    if line != other:
        return line == 0 and column == place
    return column == place or (column < place and not _FIGURE.search(_cell(table, mark)))


def _cell(table: str, at: int) -> str:
    end = table.find("|", at)
    return table[table.rfind("|", 0, at) + 1 : end if end >= 0 else len(table)]


def _fits(claim: Claim, name: str) -> bool:
    """Whether a footnote may fill a field: no round where the sides have rounds of their own."""
    if name == "round":
        return not (claim.subject.round or claim.baseline.round or claim.baseline.when or claim.subject.when)
    return not (name == "scenario" and claim.scenarios)


def _join(found: list[Located], claim: Claim, where: Where) -> None:
    """Add a claim, or let it complete the one that it repeats in another place."""
    for known in found:
        if _repeats(known, claim, where):
            known.claim = _filled(known.claim, claim)
            if where not in known.also and where != known.where:
                known.also.append(where)
            return
    found.append(Located(claim, where))


def _repeats(known: Located, claim: Claim, where: Where) -> bool:
    one = known.claim
    if one.kind != claim.kind and not {one.kind, claim.kind} <= _RATIOS:
        return False
    if not _same_value(one, claim):
        return False
    if one.value is None and not _same_subject(one.subject, claim.subject):
        return False
    if any(_differs(one, claim, name) for name in _FIELDS):
        return False
    return not any(
        _differs(first, second, name)
        for first, second in ((one.subject, claim.subject), (one.baseline, claim.baseline))
        for name in _SIDES
    )


def _differs(one: Claim | Side, other: Claim | Side, name: str) -> bool:
    first, second = getattr(one, name), getattr(other, name)
    return first is not None and second is not None and first != second


def _same_subject(one: Side, other: Side) -> bool:
    return any(
        getattr(one, name) is not None and getattr(one, name) == getattr(other, name)
        for name in ("submitter", "accelerator", "system")
    )


def _same_value(one: Claim, other: Claim) -> bool:
    """Equal as printed, or one is the other rounded: 2.77x and 2.8x, 1,175,890 and 1.18 million."""
    if one.value is None or other.value is None:
        return one.value is None and other.value is None
    if one.value_max != other.value_max and None not in (one.value_max, other.value_max):
        return False
    if one.value == other.value:
        return True
    steps = [_step(one), _step(other)]
    most = min(_ABBREVIATED * max(steps), _ROUNDED * abs(one.value))
    return steps[0] != steps[1] and abs(one.value - other.value) <= most * (1 + 1e-9)


def _step(claim: Claim) -> float:
    """The size of the last printed digit, in the unit of `value`."""
    printed = claim.printed
    if printed is None or printed.step is None or not printed.value or claim.value is None:
        return 0.0
    if claim.kind == "absolute":
        return printed.step * abs(claim.value / printed.value)
    return printed.step * (0.01 if claim.kind in ("percent", "scaling") else 1.0)


def _filled(claim: Claim, other: Claim) -> Claim:
    """A claim with the fields that only its repetition says."""
    update: dict[str, object] = {
        name: getattr(other, name)
        for name in (*_FIELDS, "availability", "mlperf", "suite", "verified")
        if getattr(claim, name) is None and getattr(other, name) is not None
    }
    for side in ("subject", "baseline"):
        mine, theirs = getattr(claim, side), getattr(other, side)
        more = {
            name: value
            for name, value in theirs.__dict__.items()
            if value is not None and getattr(mine, name) is None
        }
        if more:
            update[side] = mine.model_copy(update=more)
    update["result_ids"] = tuple(dict.fromkeys((*claim.result_ids, *other.result_ids)))
    taken = {*claim.from_context, *(name for name in update if name != "result_ids")}
    return claim.model_copy(update={**update, "from_context": tuple(sorted(taken))})
