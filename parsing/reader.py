"""The front door: a message in, its claims out."""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass

from parsing.assemble import assemble
from parsing.because import with_words
from parsing.beside import beside
from parsing.claim import Claim
from parsing.context import Context, context_of, hints, rounds
from parsing.document import Document, Markup, Passage
from parsing.frame import Frame, build
from parsing.lexicon import Lexicon
from parsing.markup import PlainText, lines_of, plain
from parsing.rounds import age
from parsing.spans.find import find
from parsing.spans.found import Found, Rejected
from parsing.table_claims import table_claims
from parsing.unread import Unread, unread
from parsing.vocabulary import Vocabulary

_TITLES = 200
_OPENING = 4  # passages: title, lead and what follows


@dataclass(frozen=True, slots=True)
class Explanation:
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
        self._known: dict[str, Context] = {}

    def read(
        self,
        text: str,
        *,
        title: str | None = None,
        date: datetime.date | None = None,
        markup: Markup = "plain",
    ) -> list[Claim]:
        """The claims of one message, in reading order; title and date are context only.

        `text` is in `markup`; spans and quotes refer to its plain text (`parsing.markup.plain`).
        Never raises on any text.
        """
        return list(self._explain(plain(text, markup), title, why=False).claims)

    def read_document(self, document: Document) -> list[Claim]:
        """The claims of an article, in reading order; their spans refer to `document.text`."""
        sources = [PlainText(p.text, lines_of(p.text)) for p in document.passages]
        frames = [build(source.text, self.lexicon, source.lines) for source in sources]
        around = _around(document.passages, frames)
        claims: list[Claim] = []
        last: Passage | None = None
        context, before = Context(), list[Claim]()
        for passage, start, source, frame in zip(
            document.passages, document.starts, sources, frames, strict=True
        ):
            title = document.title if passage.where != "title" else None
            # "That is 1.3x …" goes on from the paragraph before, within one section.
            if last is None or (last.where, last.heading) != (passage.where, passage.heading):
                context, before = self._context(frame, title, passage.heading, around), []
            found, _, _, before = self._claims(frame, source, title, context, before)
            last = passage if passage.where == "text" else None
            claims.extend(_moved(claim, start) for claim in found)
        return claims

    def explain(
        self,
        text: str,
        *,
        title: str | None = None,
        date: datetime.date | None = None,
        markup: Markup = "plain",
    ) -> Explanation:
        """The claims with the words behind each field, and every other number with its reason."""
        return self._explain(plain(text, markup), title)

    def _explain(self, source: PlainText, title: str | None, *, why: bool = True) -> Explanation:
        frame = build(source.text, self.lexicon, source.lines, source.emoji)
        context = self._context(frame, title, None)
        claims, rejected, closed, _ = self._claims(frame, source, title, context)
        left = unread(frame, claims, rejected, closed) if why else ()
        if why:
            claims = [with_words(frame, claim) for claim in claims]
        return Explanation(source.text, frame.language, tuple(claims), left)

    def _claims(
        self,
        frame: Frame,
        source: PlainText,
        title: str | None,
        context: Context,
        before: Sequence[Claim] = (),
    ) -> tuple[list[Claim], list[Rejected], list[tuple[int, int]], list[Claim]]:
        """The claims of a text, the numbers that are none, the token spans of its tables, and the claims
        of its last sentence; `before` are those of the sentence before the text.
        """
        rejected: list[Rejected] = []
        tables, closed = table_claims(frame, source.lines, context)
        found = find(frame, context, closed, rejected)
        claims = list(tables)
        previous: list[Claim] = list(before)
        for low, high in frame.sentences:
            first = bisect_left(found, low, key=_at)
            here = found[first : bisect_left(found, high, key=_at)]
            new = assemble(frame, low, high, here, context, previous)
            claims.extend(new)
            previous = new
        claims = _with_beside(claims, frame, title, self._said)
        claims.sort(key=lambda c: c.span)
        return claims, rejected, closed, previous

    def _said(self, line: str) -> Context:
        """What a title or heading says; an article asks for the same ones again and again."""
        if line not in self._known:
            if len(self._known) > _TITLES:
                self._known.clear()
            self._known[line] = context_of(build(plain(line).text, self.lexicon))
        return self._known[line]

    def _context(
        self, frame: Frame, title: str | None, heading: str | None, around: Context | None = None
    ) -> Context:
        """What title and heading say, and what the text itself, or the article around it, says only once."""
        context = deepcopy(self._said(title)) if title else Context()
        if heading:
            context.add(self._said(heading))
        hints(frame, context)
        if around is not None:
            context.rounds = context.rounds or list(around.rounds)
            context.mlperf = around.mlperf if context.mlperf is None else context.mlperf
        return context


def _around(passages: Sequence[Passage], frames: Sequence[Frame]) -> Context:
    """What an article says only once and means all through: its round, that it is about MLPerf.

    Its round is the only one that it names, or the newest, where the first paragraphs name that;
    a footnote may cite another one beside it.
    """
    texts = [f for p, f in zip(passages, frames, strict=True) if p.where != "footnote"]
    opening, every = (
        {name for frame in some for name in rounds(frame, 0, len(frame.tokens))}
        for some in (texts[:_OPENING], texts)
    )
    context = Context()
    newest = max(every, key=age, default=None)
    if newest is not None and (len(every) == 1 or newest in opening):
        context.rounds = [newest]
    if any("benchmark.ours" in frame.by_label for frame in frames):
        context.mlperf = True
    return context


def _with_beside(
    claims: list[Claim], frame: Frame, title: str | None, said: Callable[[str], Context]
) -> list[Claim]:
    """Give absolutes what the text names anywhere, so that a figure can find its row all the same."""
    if not any(claim.kind == "absolute" for claim in claims):
        return claims
    found = beside(frame, said(title) if title else None)
    return [c.model_copy(update={"beside": found}) if c.kind == "absolute" else c for c in claims]


def _at(found: Found) -> int:
    return found.at


def _moved(claim: Claim, start: int) -> Claim:
    return (
        claim.model_copy(update={"span": (claim.span[0] + start, claim.span[1] + start)}) if start else claim
    )


__all__ = ["Explanation", "Reader", "Unread"]
