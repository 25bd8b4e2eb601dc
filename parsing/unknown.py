"""Names that look like a model's or a chip's and that the vocabulary lacks, kept as they are printed.

"FrobnicatorLM-900B", "Llama 5" and "Gaudi 4" are no known names. To leave them out would turn a
claim about them into one about nothing in particular, or about their namesakes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from parsing.lexicon import Lexicon, Mention
from parsing.tokens import Token
from parsing.vocabulary import Name

_HIGHEST = 20
_LEAST = 3
_NOTHING: frozenset[str] = frozenset()
_ENDED = ("sign.", "unit.", "noun.", "value.magnitude", "name.accelerator", "name.family", "name.system")


def with_unknown(
    text: str, tokens: Sequence[Token], digits: Sequence[int], mentions: list[Mention], lexicon: Lexicon
) -> list[Mention]:
    """The mentions with those of unknown names; a known name that one contains is no mention any more.

    `digits` are the tokens that are numbers.
    """
    found = list(_Unknown(text, tokens, mentions, lexicon).look(digits)) if digits else []
    if not found:
        return mentions
    taken = {i for m in found for i in range(m.start, m.end)}
    kept = [m for m in mentions if taken.isdisjoint(range(m.start, m.end))]
    return sorted([*kept, *found], key=_start)


def _start(mention: Mention) -> int:
    return mention.start


class _Unknown:
    """Looks at each number of a text once."""

    def __init__(self, text: str, tokens: Sequence[Token], mentions: list[Mention], lexicon: Lexicon) -> None:
        self.text, self.tokens, self.mentions, self.lexicon = text, tokens, mentions, lexicon
        self.named = {i: m for m in mentions if m.names for i in range(m.start, m.end)}

    @cached_property
    def words(self) -> dict[int, set[str]]:
        """The labels of each token; most texts ask for none."""
        words: dict[int, set[str]] = {}
        for mention in self.mentions:
            for i in range(mention.start, mention.end):
                words.setdefault(i, set()).update(mention.labels)
        return words

    def look(self, digits: Sequence[int]) -> Iterator[Mention]:
        """The unknown names, in order."""
        end, tokens, leading = 0, self.tokens, self.lexicon.leading
        for i in digits:
            if i < max(end, 1) or i in self.named:
                continue
            before = tokens[i - 1].low
            if before not in leading and len(before) > 1 and tokens[i].gap != "-":
                continue  # none of the three can stand here
            mention = self._model(i) or self._version(i) or self._chip(i)
            if mention is not None and mention.start >= end:
                yield mention
                end = mention.end

    def _mention(self, kind: str, start: int, end: int) -> Mention:
        printed = self.text[self.tokens[start].start : self.tokens[end - 1].end]
        name = Name(printed, "model" if kind == "model" else "accelerator", printed)
        return Mention(start, end, frozenset({f"name.{kind}", f"unlisted.{kind}"}), None, (name,))

    def _size(self, i: int) -> bool:
        """Whether a number of billions stands here ("900B")."""
        after = self.tokens[i + 1] if i + 1 < len(self.tokens) else None
        return after is not None and after.low == "b" and after.gap == "" and self.tokens[i].low.isdigit()

    def _model(self, i: int) -> Mention | None:
        """ "FrobnicatorLM-900B": a name and a size, joined by a hyphen."""
        if not self._size(i) or self.tokens[i].gap != "-":
            return None
        start = i - 1
        while start > 0 and self.tokens[start].gap in ("-", "") and self.tokens[start - 1].kind != "sign":
            start -= 1
        head = self.tokens[start]
        long = head.kind == "word" and len(head.low) >= _LEAST and self.text[head.start].isupper()
        hardware = any(m.name.kind != "model" for m in (self.named.get(j) for j in range(start, i)) if m)
        return self._mention("model", start, i + 2) if long and not hardware else None

    def _version(self, i: int) -> Mention | None:
        """ "Llama 5", "DeepSeek-R2": the name of a known series with a version that none of it has."""
        start = i - 1
        letter = self.tokens[start]
        if letter.kind == "word" and len(letter.low) == 1 and self.tokens[i].gap == "" and letter.gap == "-":
            start -= 1
        elif letter.low == "v" or self.tokens[i].gap not in (" ", "-", ""):
            return None
        head = self.tokens[start] if start >= 0 else None
        if head is None or head.low not in self.lexicon.series or not self._small(i):
            return None
        known = self.named.get(start)
        if known is not None and (known.end != start + 1 or known.name.kind != "model"):
            return None
        end = i + 1
        if end < len(self.tokens) and self._size(end):
            end += 2
        elif self._size(i):
            end += 1
        return None if self._counts(end) else self._mention("model", start, end)

    def _small(self, i: int) -> bool:
        low = self.tokens[i].low.replace(".", "", 1)
        return low.isdigit() and (float(self.tokens[i].low) < _HIGHEST or self._size(i))

    def _chip(self, i: int) -> Mention | None:
        """ "Gaudi 4": a name that other chips have with another number."""
        if not self.tokens[i].low.isdigit() or self.tokens[i].gap not in (" ", "-"):
            return None
        for length in (2, 1):
            start = i - length
            words = tuple(t.low for t in self.tokens[max(0, start) : i])
            if start >= 0 and words in self.lexicon.numbered and not self._counts(i + 1):
                return self._mention("accelerator", start, i + 1)
        return None

    def _counts(self, i: int) -> bool:
        """Whether the number before a token counts or measures something ("Whisper 8 GPUs")."""
        labels = self.words.get(i, _NOTHING)
        return "scenario.server" not in labels and any(label.startswith(_ENDED) for label in labels)
