"""The front door: a message in, its claims out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Date

from parsing.assemble import assemble
from parsing.binding import coordinated
from parsing.claim import Claim
from parsing.context import Context, context_of, suite
from parsing.document import Document, Markup, Passage
from parsing.frame import Frame, build
from parsing.lexicon import Lexicon
from parsing.markup import Line, PlainText, plain
from parsing.spans.counts import won
from parsing.spans.found import Found, Measure, Rejected
from parsing.spans.measures import measures
from parsing.spans.multiples import multiple
from parsing.spans.outperforms import outperforms
from parsing.spans.percents import Relation, percent
from parsing.spans.rates import absolute, bare, rate
from parsing.spans.records import records
from parsing.spans.scaling import linear
from parsing.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Unread:
    """A number that was not read as a claim: its words, `[start, end)`, and a reason code."""

    text: str
    span: tuple[int, int]
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a reader has to say of a text: its language, its claims, the numbers left out."""

    text: str
    language: str
    claims: tuple[Claim, ...]
    unread: tuple[Unread, ...] = ()


class Reader:
    """Reads claims with one Vocabulary. One Reader belongs to one thread."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.lexicon = Lexicon(vocabulary)

    def read(
        self, text: str, *, title: str | None = None, date: Date | None = None, markup: Markup = "plain"
    ) -> list[Claim]:
        """The claims of one message, in reading order; title and date are context only."""
        return list(self.explain(text, title=title, date=date, markup=markup).claims)

    def read_document(self, document: Document) -> list[Claim]:
        """The claims of an article, in reading order; their spans refer to `document.text`."""
        claims: list[Claim] = []
        for passage, start in zip(document.passages, document.starts, strict=True):
            lines = [Line(0, len(passage.text), "text")]
            reading = self._read(PlainText(passage.text, tuple(lines)), document.title, passage)
            claims.extend(_moved(claim, start) for claim in reading.claims)
        return claims

    def explain(
        self, text: str, *, title: str | None = None, date: Date | None = None, markup: Markup = "plain"
    ) -> Reading:
        """The claims with the words behind each field, and every other number with its reason."""
        return self._read(plain(text, markup), title, Passage(""))

    def _read(self, source: PlainText, title: str | None, passage: Passage) -> Reading:
        frame = build(source.text, self.lexicon, source.lines)
        context = self._context(title, passage.heading)
        if context.mlperf is None and "benchmark.ours" in frame.by_label:
            context.mlperf = True
        claims: list[Claim] = []
        unread: list[Rejected] = []
        found = _find(frame, context, unread)
        for low, high in frame.sentences:
            here = [f for f in found if low <= f.at < high]
            claims.extend(assemble(frame, low, high, here, context))
        return Reading(source.text, frame.language, tuple(claims), tuple(_unread(frame, r) for r in unread))

    def _context(self, title: str | None, heading: str | None) -> Context:
        context = context_of(build(title, self.lexicon)) if title else Context()
        return context


def _moved(claim: Claim, start: int) -> Claim:
    return (
        claim.model_copy(update={"span": (claim.span[0] + start, claim.span[1] + start)}) if start else claim
    )


def _unread(frame: Frame, rejected: Rejected) -> Unread:
    span = frame.chars(rejected.start, rejected.end)
    return Unread(frame.text[span[0] : span[1]], span, rejected.reason)


def _find(frame: Frame, context: Context, unread: list[Rejected]) -> list[Found]:
    """Everything in a frame that is said of results, in its own words."""
    found: list[Found] = []
    every = measures(frame)
    relation: Relation | None = None
    for at, measure in enumerate(every):
        result: Found | Rejected | None = None
        if measure.form == "x":
            result = multiple(frame, measure)
        elif measure.form == "%":
            joined = at > 0 and _listed(frame, every[at - 1], measure)
            result, relation = percent(
                frame, measure, relation if joined else None, _list_end(frame, every, at)
            )
        elif measure.form in ("rate", "time"):
            result = rate(frame, measure, _training(frame, measure, context))
        else:
            result = won(frame, measure.low)
        if isinstance(result, Found):
            found.append(result)
        else:
            unread.append(result or Rejected(measure.start, measure.end, "no_unit"))
    _bare_numbers(frame, found, unread)
    for low, high in frame.sentences:
        here = [f for f in found if low <= f.at < high]
        found.extend(records(frame, low, high))
        found.extend(outperforms(frame, low, high, here))
        found.extend(linear(frame, low, high, here))
    found.sort(key=lambda f: f.at)
    return found


def _listed(frame: Frame, left: Measure, right: Measure) -> bool:
    """Whether two percentages stand in one list."""
    return left.form == right.form and coordinated(frame, left.end, right.start)


def _list_end(frame: Frame, every: list[Measure], at: int) -> int:
    while at + 1 < len(every) and _listed(frame, every[at], every[at + 1]):
        at += 1
    return every[at].end


def _bare_numbers(frame: Frame, found: list[Found], unread: list[Rejected]) -> None:
    for rejected in [r for r in unread if r.reason == "no_unit"]:
        number = frame.number_at.get(rejected.start)
        if number is None:
            continue
        low, high = frame.sentence(number.start)
        units = [
            (f.value, f.unit)
            for f in found
            if f.kind == "absolute" and low <= f.at < high and f.value and f.unit
        ]
        unit = bare(frame, number, units)
        if unit:
            measure = Measure(number.start, number.end, "rate", number, unit=unit)
            claim = absolute(frame, measure, unit)
            claim.context.add("unit")
            found.append(claim)
            unread.remove(rejected)


def _training(frame: Frame, measure: Measure, context: Context) -> bool:
    low, high = frame.sentence(measure.start)
    return context.training or suite(frame, 0, high) == "training"


__all__ = ["Reader", "Reading", "Unread"]
