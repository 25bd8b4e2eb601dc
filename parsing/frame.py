"""A passage taken apart: tokens, sentences, names, words, rounds, result IDs and numbers.

Everything that looks for claims works on a Frame and never on the text itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TypeVar

from parsing.language import decimal_sign, detect_tokens
from parsing.lexicon import Lexicon, Mention
from parsing.markup import Line
from parsing.numbers import Value, parse, scaled
from parsing.terms import abbreviations, labelled, languages
from parsing.tokens import BLANKS, Token, join_groups
from parsing.unknown import with_unknown

_GLUED_MAGNITUDE = {"k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "bn": 1e9, "tsd": 1e3, "mm": 1e6}
_ROUND = re.compile(r"^(\d)\.(\d)(\d?)$")
_VERSION = re.compile(r"^\d\.\d$")
_NO_LABELS: frozenset[str] = frozenset()
# signs that end a phrase (1), and those that end a part of a sentence (2)
_STOPS = dict.fromkeys(",:()[]—→", 1) | dict.fromkeys(";|!?.", 2)
_TURNS = ("baseline.preposition", "baseline.mark", "link.clause")
_END = frozenset(".!?")
_TENS = range(20, 100, 10)
# a text of more sentences than this is asked sentence by sentence
_FEW = 4
_FAR = 18
_BEGIN = attrgetter("start")
# a sentence longer than this ends at its next comma, at the latest at the second number
_LONG, _LONGEST = 130, 200


@dataclass(slots=True)
class Number:
    """A number that is part of no name: its tokens with magnitude, what it says, as printed."""

    start: int
    end: int
    value: Value
    text: str
    word: bool = False
    step: float | None = None
    role: str = ""


@dataclass(slots=True)
class Frame:
    """One passage with all that was found in it. Positions are token indices."""

    text: str
    tokens: list[Token]
    mentions: list[Mention]
    language: str = "en"
    decimal: str = "."
    sentences: list[tuple[int, int]] = field(default_factory=list)
    sentence_of: list[int] = field(default_factory=list)
    labels: list[frozenset[str]] = field(default_factory=list)
    by_label: defaultdict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))
    stops: bytearray = field(default_factory=bytearray)
    walls: bytearray = field(default_factory=bytearray)
    seams: bytearray = field(default_factory=bytearray)
    turns: bytearray = field(default_factory=bytearray)
    cover: list[tuple[Mention, ...]] = field(default_factory=list)
    names: list[Mention | None] = field(default_factory=list)
    named: list[Mention] = field(default_factory=list)
    said_in: list[frozenset[str]] = field(default_factory=list)
    digits: list[int] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    number_at: dict[int, Number] = field(default_factory=dict)
    prefixes: frozenset[str] = frozenset()
    training_names: dict[str, str] = field(default_factory=dict)
    parts: list[dict[str, list[Mention]]] = field(default_factory=list)
    part: tuple[int, int, dict[str, list[Mention]]] = field(default_factory=lambda: (0, -1, {}))

    def low(self, i: int) -> str:
        """The lower-case text of a token; empty beyond the ends."""
        return self.tokens[i].low if 0 <= i < len(self.tokens) else ""

    def gap(self, i: int) -> str:
        """What stands before a token; a blank beyond the ends."""
        return self.tokens[i].gap if 0 <= i < len(self.tokens) else " "

    def has(self, i: int, *labels: str) -> bool:
        """Whether a phrase with one of these labels covers this token."""
        return 0 <= i < len(self.labels) and not self.labels[i].isdisjoint(labels)

    def within(self, start: int, end: int, *labels: str) -> bool:
        """Whether a phrase with one of these labels covers a token of `[start, end)`."""
        for said in self.labels[max(start, 0) : max(end, 0)]:  # noqa: SIM110 (a generator costs twice as much)
            if not said.isdisjoint(labels):
                return True
        return False

    def find(self, label: str, start: int, end: int) -> list[Mention]:
        """The mentions with this label that lie in `[start, end)`."""
        near = self._near(label, start, end) if self.parts else self.by_label.get(label)
        return [m for m in near if m.start >= start and m.end <= end] if near else []

    def any(self, label: str, start: int, end: int) -> bool:
        """Whether a mention with this label lies in `[start, end)`."""
        near = self._near(label, start, end) if self.parts else self.by_label.get(label)
        for m in near or ():  # noqa: SIM110 (a generator costs twice as much)
            if m.start >= start and m.end <= end:
                return True
        return False

    def any_of(self, labels: Iterable[str], start: int, end: int) -> bool:
        """Whether a mention with one of these labels lies in `[start, end)`."""
        for label in labels:  # noqa: SIM110
            if self.any(label, start, end):
                return True
        return False

    def _near(self, label: str, start: int, end: int) -> Sequence[Mention]:
        """The mentions with a label: of a long text only those of the sentence that is asked about."""
        low, high, by_label = self.part
        if not low <= start < high:
            at = self.sentence_of[start] if 0 <= start < len(self.sentence_of) else -1 if start > 0 else 0
            low, high = self.sentences[at]
            by_label = self.parts[at]
            self.part = low, high, by_label
        return (by_label if end <= high else self.by_label).get(label, ())

    def said(self, i: int) -> frozenset[str]:
        """All labels in the sentence that holds a token."""
        return self.said_in[self.sentence_of[i]]

    def counted(self, low: int, high: int) -> list[Number]:
        """The numbers that begin in `[low, high)`."""
        return _beginning(self.numbers, low, high)

    def names_in(self, low: int, high: int) -> list[Mention]:
        """The names that lie in `[low, high)`, in order."""
        found = _beginning(self.named, low, high)
        return found if not found or found[-1].end <= high else found[:-1]

    def digits_in(self, low: int, high: int) -> list[int]:
        """The tokens of `[low, high)` that are numbers, in names too."""
        return self.digits[bisect_left(self.digits, low) : bisect_left(self.digits, high)]

    def at(self, label: str, i: int) -> Mention | None:
        """The mention with this label that covers a token."""
        if self.has(i, label):
            for m in self.cover[i]:
                if label in m.labels:
                    return m
        return None

    def mentions_at(self, i: int, section: str) -> list[Mention]:
        """The mentions of a section ("unit.") that begin at a token."""
        if not 0 <= i < len(self.cover):
            return []
        return [m for m in self.cover[i] if m.start == i and any(x.startswith(section) for x in m.labels)]

    def section_at(self, i: int, section: str) -> Mention | None:
        """The mention of a section that covers a token."""
        for m in self.cover[i] if 0 <= i < len(self.cover) else ():
            for label in m.labels:
                if label.startswith(section):
                    return m
        return None

    def words(self, start: int, end: int) -> str:
        """The exact words of a token span."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if end > start else ""

    def chars(self, start: int, end: int) -> tuple[int, int]:
        return self.tokens[start].start, self.tokens[end - 1].end

    def sentence(self, i: int) -> tuple[int, int]:
        """The sentence that holds a token."""
        if 0 <= i < len(self.sentence_of):
            return self.sentences[self.sentence_of[i]]
        return self.sentences[-1] if self.sentences and i >= 0 else (0, len(self.tokens))


_Placed = TypeVar("_Placed", Mention, Number)


def _beginning(placed: list[_Placed], low: int, high: int) -> list[_Placed]:
    """Those that begin in `[low, high)`, of some in order."""
    return placed[bisect_left(placed, low, key=_BEGIN) : bisect_left(placed, high, key=_BEGIN)]


def build(text: str, lexicon: Lexicon, lines: Sequence[Line] = (), emoji: Sequence[int] = ()) -> Frame:
    """Take a plain text apart. `lines` are its lines, `emoji` where emoji stood, as the markup told them."""
    tokens = lexicon.cut(text)
    language = detect_tokens(tokens)
    blanks = languages()[language].groups + BLANKS
    if any(blank in text for blank in blanks):
        tokens = join_groups(tokens, text, blanks)
    frame = Frame(text, tokens, [], language)
    _sort(frame)
    frame.mentions = with_unknown(text, tokens, frame.digits, lexicon.find(tokens, language), lexicon)
    frame.prefixes = lexicon.prefixes
    frame.training_names = lexicon.training_names
    frame.decimal = decimal_sign([tokens[i] for i in frame.digits], language)
    _index(frame)
    _add(frame, _identifiers(frame, lexicon))
    _fence(frame)
    frame.sentences = _sentences(frame, sorted({*_breaks(lines), *_openings(frame, emoji)}))
    for n, (low, high) in enumerate(frame.sentences):
        frame.sentence_of += [n] * (high - low)
    _add(frame, _split_phrases(frame))
    frame.said_in = [_NO_LABELS.union(*frame.labels[low:high]) for low, high in frame.sentences]
    frame.numbers = _numbers(frame)
    if len(frame.sentences) > _FEW:
        _divide(frame)
    frame.number_at = {i: n for n in frame.numbers for i in range(n.start, n.end)}
    return frame


def _sort(frame: Frame) -> None:
    """Where the numbers stand, and the signs that end something."""
    frame.stops = bytearray(len(frame.tokens))
    for i, token in enumerate(frame.tokens):
        if token.kind == "number":
            frame.digits.append(i)
        elif token.kind == "sign":
            frame.stops[i] = _STOPS.get(token.low, 0)


def _fence(frame: Frame) -> None:
    """Mark where segments end (`walls`), where clauses end (`seams`), where a noun phrase ends (`turns`)."""
    frame.walls = frame.stops.replace(b"\x02", b"\x01")
    frame.seams = frame.stops.replace(b"\x01", b"\x00").replace(b"\x02", b"\x01")
    frame.turns = bytearray(frame.walls)
    ends = (
        (frame.walls, ("link.and", "link.clause")),
        (frame.seams, ("link.clause",)),
        (frame.turns, _TURNS),
    )
    for fence, labels in ends:
        for label in labels:
            for mention in frame.by_label.get(label, ()):
                fence[mention.start : mention.end] = b"\x01" * (mention.end - mention.start)


def _divide(frame: Frame) -> None:
    """Sort the mentions of a long text by sentence."""
    frame.parts = [{} for _ in frame.sentences]
    at = frame.sentence_of
    for label, mentions in frame.by_label.items():
        for mention in mentions:
            if at[mention.start] == at[mention.end - 1]:
                part = frame.parts[at[mention.start]]
                if label in part:
                    part[label].append(mention)
                else:
                    part[label] = [mention]


def _index(frame: Frame) -> None:
    """Enter all mentions: by token, by label, and the names apart."""
    frame.names = [None] * len(frame.tokens)
    frame.cover = [()] * len(frame.tokens)
    frame.labels = [_NO_LABELS] * len(frame.tokens)
    _add(frame, frame.mentions)
    frame.named = [mention for mention in frame.mentions if mention.names]
    for mention in frame.named:
        for i in range(mention.start, mention.end):
            frame.names[i] = mention


def _add(frame: Frame, mentions: Iterable[Mention]) -> None:
    cover, labels, by_label = frame.cover, frame.labels, frame.by_label
    for mention in mentions:
        said = mention.labels
        for label in said:
            by_label[label].append(mention)
        alone = (mention,)
        for i in range(mention.start, mention.end):
            if cover[i]:
                cover[i] += alone
                labels[i] |= said
            else:
                cover[i] = alone
                labels[i] = said


def _identifiers(frame: Frame, lexicon: Lexicon) -> list[Mention]:
    """Rounds ("v6.1", "MLPerf Inference 5.0") and result IDs ("6.0-0002")."""
    found: list[Mention] = []
    skip = -1
    for i in frame.digits:
        token = frame.tokens[i]
        if i <= skip or frame.names[i] is not None:
            continue
        if _is_result_id(frame, i):
            found.append(Mention(i, i + 2, frozenset({"id.result"})))
            skip = i + 1
            continue
        number = _round(token.low, lexicon.rounds)
        if number is None:
            continue
        labels = frozenset({"round", f"round.{number}"})
        if frame.low(i - 1) == "v" and frame.names[i - 1] is None and token.gap in ("", " "):
            if not frame.has(i - 2, "spec.software") and not _inside(frame, i - 1):
                found.append(Mention(i - 1, i + 1, labels))
        elif number in lexicon.rounds and frame.has(
            i - 1, "benchmark.ours", "suite.inference", "suite.training"
        ):
            found.append(Mention(i, i + 1, labels))
    return found


def _split_phrases(frame: Frame) -> list[Mention]:
    """Verbs with a far-off particle: "zieht bei Llama 2 70B mit Nvidias B200 gleich"."""
    found: list[Mention] = []
    known = labelled("head:")
    if known.isdisjoint(frame.by_label):
        return found
    for label in [label for label in frame.by_label if label in known]:
        heads = frame.by_label[label]
        tails = frame.by_label.get("tail:" + label[5:], ())
        meaning = frozenset({label.split(".", 1)[1]})
        for head in heads:
            _, high = frame.sentence(head.start)
            if any(head.end <= tail.start < min(high, head.end + _FAR) for tail in tails):
                found.append(Mention(head.start, head.end, meaning))
    return found


def _inside(frame: Frame, i: int) -> bool:
    """Whether a token is glued to letters or digits before it."""
    return i > 0 and frame.gap(i) == "" and frame.tokens[i - 1].kind != "sign"


def _is_result_id(frame: Frame, i: int) -> bool:
    if frame.gap(i + 1) != "-":
        return False
    head, tail = frame.low(i), frame.low(i + 1)
    if not _VERSION.match(head) or not tail.isdigit():
        return False
    return len(tail) == 4 or (head.startswith("0.") and len(tail) == 2)


def _round(text: str, known: frozenset[str]) -> str | None:
    """The round that a number after "v" names; one digit too many is a footnote mark ("5.12")."""
    match = _ROUND.match(text)
    if match is None:
        return None
    number = f"v{match.group(1)}.{match.group(2)}"
    return number if not match.group(3) or number in known else None


def _openings(frame: Frame, emoji: Sequence[int]) -> Iterator[int]:
    """Emoji that end a sentence: a capital follows, and soon a verb ("… :rocket: AMD is now …")."""
    starts = [t.start for t in frame.tokens] if emoji else []
    for offset in emoji:
        i = bisect_left(starts, offset)
        if not 0 < i < len(starts) or not frame.text[starts[i]].isupper():
            continue
        if frame.has(
            i - 1, "baseline.preposition", "baseline.mark", "link.and", "link.determiner", "grammar.is"
        ):
            continue
        if frame.within(i + 1, i + 5, "grammar.is", "speaker.verb", "outperform.verb"):
            yield starts[i]


def _sentences(frame: Frame, breaks: Sequence[int]) -> list[tuple[int, int]]:
    """Sentences as token spans; one that never ends is cut, so that time stays linear."""
    spans: list[tuple[int, int]] = []
    start, at, stops = 0, 0, frame.stops
    following = breaks[0] if breaks else len(frame.text) + 1
    for i, token in enumerate(frame.tokens):
        while token.start >= following:
            at += 1
            following = breaks[at] if at < len(breaks) else len(frame.text) + 1
            if i > start:
                spans.append((start, i))
                start = i
        ended = stops[i] == 2 and token.low in _END and frame.gap(i + 1) != "" and not _abbreviated(frame, i)
        if ended or (i - start >= _LONG and (stops[i] or i - start >= _LONGEST)):
            spans.append((start, i + 1))
            start = i + 1
    if start < len(frame.tokens):
        spans.append((start, len(frame.tokens)))
    return spans


def _abbreviated(frame: Frame, i: int) -> bool:
    if frame.names[i] is not None:
        return True
    if frame.low(i) != ".":
        return False
    before = frame.low(i - 1)
    if before.isdigit() and frame.has(i + 1, "ordinal.noun", "date.month"):
        return True  # "der 5. Generation"
    return before in abbreviations() or (len(before) == 1 and before.isalpha() and frame.gap(i - 1) == ".")


def _breaks(lines: Sequence[Line]) -> list[int]:
    """Where a new block begins: at bullets, quotes, headings and table rows, and after them."""
    breaks, after = [], False
    for line in lines:
        if line.kind in ("blank", "rule"):
            after = True
        elif after or line.kind != "text":
            breaks.append(line.start)
            after = line.kind in ("heading", "row", "quote")
    return breaks


def _numbers(frame: Frame) -> list[Number]:
    numbers: list[Number] = []
    end = 0
    spoken = [i for m in frame.by_label.get("value.number", ()) for i in range(m.start, m.end)]
    for i in sorted({*frame.digits, *spoken}):
        if i < end or frame.names[i] is not None:
            continue
        labels = frame.labels[i]
        if frame.tokens[i].kind == "number":
            part = "round" in labels or "id.result" in labels or _in_a_word(frame, i) or _in_a_power(frame, i)
            number = None if part else _digits(frame, i)
        else:
            number = _word(frame, i)
        if number is not None:
            numbers.append(number)
            end = number.end
    return numbers


def _in_a_word(frame: Frame, i: int) -> bool:
    """Digits that letters run into belong to a name ("MI555X"), but not those after "x" ("x32")."""
    return _inside(frame, i) and frame.tokens[i - 1].kind == "word" and frame.low(i - 1) != "x"


def _in_a_power(frame: Frame, i: int) -> bool:
    """ "10^3x", "2^4 times": neither base nor exponent is the number meant."""
    token = frame.tokens[i]
    return "^" in (frame.text[max(0, token.start - 1) : token.start], frame.text[token.end : token.end + 1])


def _digits(frame: Frame, i: int) -> Number | None:
    value = parse(frame.low(i), frame.decimal)
    if value is None:
        return None
    end = i + 1
    glued = _GLUED_MAGNITUDE.get(frame.low(end)) if frame.gap(end) == "" else None
    named = frame.at("value.magnitude", end)
    factor = glued or (named.value if named is not None else None)
    if factor:
        value = scaled(value, factor)
        end = end + 1 if glued or named is None else named.end
        if frame.low(end) == "." and frame.gap(end) == "" and frame.has(end - 1, "value.magnitude"):
            end += 1
    return Number(i, end, value, frame.words(i, end), step=value.step)


def _word(frame: Frame, i: int) -> Number | None:
    mention = frame.at("value.number", i)
    if mention is None or mention.value is None:
        return None
    value, end = Value(mention.value, 1.0), mention.end
    ones = frame.at("value.number", end) if frame.gap(end) == "-" and value.value in _TENS else None
    if ones is not None and ones.value is not None and 0 < ones.value < 10:
        value, end = Value(value.value + ones.value, 1.0), ones.end  # "seventy-two"
    named = frame.at("value.magnitude", end)
    if named is not None and named.value is not None:
        value, end = scaled(value, named.value), named.end
    return Number(i, end, value, frame.words(i, end), word=True)
