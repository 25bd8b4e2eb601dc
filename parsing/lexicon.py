"""All that is known by its spelling, names and words, in one pass over the tokens.

spaCy's PhraseMatcher finds every name of the Vocabulary and every phrase of the terms at once,
in time linear in the text. Only words that stand beside each other as in some phrase are shown to
spaCy: the string store never grows, however many messages a long-lived process reads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter

from spacy.matcher import PhraseMatcher
from spacy.vocab import Vocab

from parsing.terms import Terms, languages
from parsing.tokens import SharedTokenizer, Token, split_glue, tokenize
from parsing.vocabulary import Name, Vocabulary

_JOINED = 4  # words between two submitters that hand in together
_START = attrgetter("start")


@dataclass(slots=True)
class Mention:
    """A name or phrase found: tokens `[start, end)`, its labels, its value or the names it may be."""

    start: int
    end: int
    labels: frozenset[str]
    value: float | None = None
    names: tuple[Name, ...] = ()

    @property
    def name(self) -> Name:
        return self.names[0]


@dataclass(slots=True)
class _Entry:
    labels: set[str] = field(default_factory=set)
    value: float | None = None
    names: list[Name] = field(default_factory=list)
    glued: tuple[int, ...] = ()
    sections: tuple[tuple[str, frozenset[str]], ...] = ()
    name_labels: frozenset[str] = frozenset()
    word_labels: frozenset[str] = frozenset()

    def nameable(self) -> _Entry:
        """The same names without the words of any language, which may be added."""
        labels = {label for label in self.labels if label.startswith("name.")}
        return _Entry(labels, None, list(self.names), self.glued)

    def settle(self) -> None:
        """Sort the labels by section once, since every message asks for them."""
        by_section: dict[str, set[str]] = defaultdict(set)
        for label in self.labels:
            by_section[label.partition(".")[0]].add(label)
        self.name_labels = frozenset(by_section.pop("name", ()))
        self.word_labels = frozenset().union(*by_section.values())
        self.sections = tuple((section, frozenset(labels)) for section, labels in by_section.items())


_Span = tuple[int, int, _Entry]
_Words = tuple[str, ...]


def _add_phrases(
    entries: defaultdict[_Words, _Entry], terms: Terms, but: frozenset[_Words] = frozenset()
) -> None:
    """Enter the phrases of a language, except those that are spelt so."""
    for phrase in terms.phrases:
        words = tuple(t.low for t in tokenize(phrase.text))
        if words and words not in but:
            entry = entries[words]
            entry.labels.add(phrase.label)
            entry.value = phrase.value if entry.value is None else entry.value


def _fused(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The spellings of a name with two of its numbers run together ("Llama 270B")."""
    for i in range(len(words) - 1):
        if words[i].isdigit() and words[i + 1].isdigit():
            yield (*words[:i], words[i] + words[i + 1], *words[i + 2 :])


class _Page:
    """Phrases compiled for one pass: what spaCy is asked, and what each of its answers stands for."""

    def __init__(self, vocab: Vocab, tokenizer: SharedTokenizer, entries: Mapping[_Words, _Entry]) -> None:
        self.tokenizer = tokenizer
        self.pairs = frozenset(pair for phrase in entries for pair in pairwise(phrase))
        self.matcher = PhraseMatcher(vocab)
        self.keys: dict[int, _Entry] = {}
        self.alone: dict[str, _Entry] = {}
        for words, entry in entries.items():
            entry.settle()
            if len(words) == 1:
                self.alone[words[0]] = entry
                continue
            key = " ".join(words)
            self.matcher.add(key, [tokenizer.words(words)])
            self.keys[vocab.strings[key]] = entry

    def find(self, tokens: Sequence[Token]) -> tuple[list[_Span], list[_Span]]:
        """The phrases of several words, then those of one: their tokens `[start, end)` and their entries.

        A word alone is looked up as it is; spaCy is asked for the phrases only.
        """
        words = [t.low for t in tokens]
        alone = enumerate(map(self.alone.get, words))
        return self._phrases(words), [(i, i + 1, entry) for i, entry in alone if entry is not None]

    def _phrases(self, words: list[str]) -> list[_Span]:
        """The phrases of several words. A Doc costs by the word: it holds those of known pairs only."""
        pairs, keys = self.pairs, self.keys
        shown = [i for i, pair in enumerate(pairwise(words)) if pair in pairs]
        if not shown:
            return []
        at: list[int] = []
        for i in shown:
            at += (i + 1,) if at and at[-1] == i else (i, i + 1)
        doc = self.tokenizer.words([words[i] for i in at])
        spans = [(at[start], at[end - 1] + 1, end - start, key) for key, start, end in self.matcher(doc)]
        # what is beside in the Doc need not be beside in the text
        return [(start, end, keys[key]) for start, end, length, key in spans if end - start == length]


class Lexicon:
    """The phrases of one Vocabulary and all languages, compiled once; those apart at their first text."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.entries: defaultdict[_Words, _Entry] = defaultdict(_Entry)
        self.series: set[str] = set()
        self.numbered: set[tuple[str, ...]] = set()
        prefixes: set[str] = set()
        glue: set[tuple[str, str]] = set()
        for name in vocabulary.names:
            self._add_name(name, glue, prefixes)
        self._short_names(vocabulary)
        self.glue = frozenset(glue)
        self.prefixes = frozenset(prefixes)
        # the words right before the number of a name that may be unknown ("Llama 5", "Gaudi 4")
        self.leading = frozenset((*self.series, *(words[-1] for words in self.numbered)))
        self.rounds = frozenset((*vocabulary.rounds, *vocabulary.training_rounds))
        trained = {n.canonical for n in vocabulary.names if n.kind == "model" and n.training}
        plain_models = {n.canonical for n in vocabulary.names if n.kind == "model" and not n.training}
        self.training_names = {m: f"{m}-lora" for m in plain_models if f"{m}-lora" in trained}
        self.apart = frozenset(code for code, terms in languages().items() if terms.apart)
        for terms in languages().values():
            if not terms.apart:
                _add_phrases(self.entries, terms)
        self.joint = dict(_joint(vocabulary))
        self.ands = frozenset(words for words, e in self.entries.items() if "link.and" in e.labels)
        self.together = frozenset(words for words, e in self.entries.items() if "link.together" in e.labels)
        self.suffixes = tuple((end, label) for t in languages().values() for end, label in t.suffixes)
        self.ends = tuple(end for end, _ in self.suffixes)
        self.compounding = frozenset(code for code, t in languages().items() if t.suffixes)
        # A bare vocabulary: words are compared by spelling alone, no language's attributes are needed.
        self.vocab = Vocab()
        self.tokenizer = SharedTokenizer(self.vocab)
        self.pages = {"": _Page(self.vocab, self.tokenizer, self.entries)}

    def _add_name(self, name: Name, glue: set[tuple[str, str]], prefixes: set[str]) -> None:
        tokens = tokenize(name.text)
        words = tuple(t.low for t in tokens)
        if not words:
            return
        single = tuple(
            i
            for i in range(1, len(words))
            if tokens[i].gap == ""
            and len(words[i - 1]) == 1
            and words[i - 1].isalpha()
            and words[i][0].isdigit()
        )
        spellings = [words, *(_fused(words) if name.kind == "model" else ())]
        for spelling in spellings:
            entry = self.entries[spelling]
            if spelling != words and entry.names:
                continue
            if not any(n.kind == name.kind for n in entry.names):
                entry.names.append(name)
            entry.labels.add(f"name.{name.kind}")
            entry.glued = single if spelling == words else ()
        for left, right in pairwise(tokens):
            if right.gap == "" and left.kind != "sign":
                glue.add((left.low, right.low))
        if name.kind == "model" and tokens[0].kind == "word" and len(tokens[0].low) > 2:
            self.series.add(words[0])
        apart = 1 < len(words) < 4 and words[-1].isdigit() and tokens[-1].gap == " "
        if name.kind == "accelerator" and apart:
            self.numbered.add(words[:-1])
        if name.kind == "accelerator" and len(words) > 1 and tokens[0].kind == "word" and tokens[1].gap == "":
            prefixes.add(words[0])

    def _short_names(self, vocabulary: Vocabulary) -> None:
        """The end of a long name where only one chip ends so: "B60" for "Arc Pro B60"."""
        ends: dict[tuple[str, ...], dict[str, Name]] = defaultdict(dict)
        for name in vocabulary.names:
            tokens = tokenize(name.text)
            if (
                name.kind == "accelerator"
                and len(tokens) > 3
                and tokens[-1].gap == ""
                and len(tokens[-1].low) >= 2
            ):
                ends[tokens[-2].low, tokens[-1].low][name.canonical] = name
        for end, names in ends.items():
            shortest = min(names, key=len)
            if (
                all(name.startswith(shortest) for name in names)
                and end not in self.entries
                and end[0].isalpha()
                and end[1].isdigit()
            ):
                entry = self.entries[end]
                entry.names.append(names[shortest])
                entry.labels.add("name.accelerator")
                entry.glued = (1,)

    def cut(self, text: str) -> list[Token]:
        """The tokens of a text, glued footnote marks taken off."""
        return split_glue(tokenize(text), self.glue)

    def page(self, language: str) -> _Page:
        """The phrases that texts of a language are read by.

        A language apart has the names, its own words, and the English ones that it does not spell itself.
        """
        code = language if language in self.apart else ""
        if code not in self.pages:
            names = {words: entry.nameable() for words, entry in self.entries.items() if entry.names}
            own: defaultdict[_Words, _Entry] = defaultdict(_Entry)
            _add_phrases(own, languages()[code])
            entries: defaultdict[_Words, _Entry] = defaultdict(_Entry, names)
            _add_phrases(entries, languages()["en"], but=frozenset(own))
            _add_phrases(entries, languages()[code])
            self.pages[code] = _Page(self.vocab, self.tokenizer, entries)
        return self.pages[code]

    def find(self, tokens: Sequence[Token], language: str = "en") -> list[Mention]:
        """All mentions: for each section of labels the longest that do not overlap; names first."""
        if not tokens:
            return []
        long, short = self.page(language).find(tokens)
        long.sort(key=_length)
        names = [span for span in (*long, *short) if span[2].names and _whole(tokens, *span)]
        mentions, named = _longest(names, len(tokens))
        if self.joint and len(mentions) > 1:
            mentions = self._together(tokens, mentions)
        taken: defaultdict[str, bytearray] = defaultdict(lambda: bytearray(len(tokens)))
        covered = bytearray(named)
        for start, end, entry in long:
            labels = None if 1 in named[start:end] else _free(entry, taken, start, end)
            if labels:
                covered[start:end] = b"\x01" * (end - start)
                mentions.append(Mention(start, end, labels, entry.value))
        for start, end, entry in short:  # words alone cannot overlap one another
            if not covered[start]:
                labels = entry.word_labels
            elif named[start]:
                continue
            else:
                labels = _free(entry, taken, start, end)
            if labels:
                mentions.append(Mention(start, end, labels, entry.value))
        if language in self.compounding:
            mentions.extend(self._compounds(tokens, named))
        mentions.sort(key=_START)
        return mentions

    def _together(self, tokens: Sequence[Token], mentions: list[Mention]) -> list[Mention]:
        """ "Broadcom and Supermicro" is one submitter where both hand in together."""
        kept: list[Mention] = []
        for mention in sorted(mentions, key=_START):
            left = kept[-1] if kept else None
            near = left is not None and 0 < mention.start - left.end <= _JOINED
            if left and near and self._joint(tokens[left.end : mention.start]):
                both = frozenset((_submitter(left), _submitter(mention)))
                name = self.joint.get(both)
                if name is not None:
                    kept[-1] = Mention(left.start, mention.end, mention.labels, None, (name,))
                    continue
            kept.append(mention)
        return kept

    def _joint(self, between: Sequence[Token]) -> bool:
        """ "A and B", "A together with B", "A kam zusammen mit B"."""
        words = tuple(t.low for t in between)
        return words in self.ands or words in self.together or words[1:] in self.together

    def _compounds(self, tokens: Sequence[Token], named: bytearray) -> Iterator[Mention]:
        for i, token in enumerate(tokens):
            if len(token.low) > 7 and token.low.endswith(self.ends) and not named[i]:
                labels = frozenset(
                    label for end, label in self.suffixes if token.low.endswith(end) and token.low != end
                )
                if labels:
                    yield Mention(i, i + 1, labels)


def _submitter(mention: Mention) -> str:
    """The canonical name of one that only submits; chip makers stand for their chips too often."""
    only = "name.submitter" in mention.labels and "name.vendor" not in mention.labels
    return _plain(mention.name.canonical) if only else ""


def _plain(name: str) -> str:
    return name.replace(" ", "").lower()


def _joint(vocabulary: Vocabulary) -> Iterator[tuple[frozenset[str], Name]]:
    """The submitters that are two others together ("Dell_MangoBoost"), by the two."""
    submitters = {_plain(n.canonical): n for n in vocabulary.names if n.kind == "submitter"}
    for name, entry in submitters.items():
        parts = name.split("_")
        if len(parts) == 2 and all(part in submitters for part in parts):
            yield frozenset(parts), entry


def _whole(tokens: Sequence[Token], start: int, end: int, entry: _Entry) -> bool:
    """Whether a name is not a part of something longer, and its single letters stick to their digits."""
    if entry.glued and any(tokens[start + i].gap not in ("", "-") for i in entry.glued):
        return False
    if end < len(tokens) and tokens[end].gap == "":
        after = tokens[end]
        if after.kind == "word" and tokens[end - 1].kind == "number":
            return after.low in ("s", "x")
        if after.kind == "number":
            return len(after.low) == 1 or tokens[end - 1].low == "x"
    return True


def _longest(names: list[_Span], tokens: int) -> tuple[list[Mention], bytearray]:
    """The names that do not overlap, of some with the longest first; and which of so many tokens have one."""
    mentions: list[Mention] = []
    named = bytearray(tokens)
    for start, end, entry in names:
        if 1 not in named[start:end]:
            named[start:end] = b"\x01" * (end - start)
            mentions.append(Mention(start, end, entry.name_labels, None, tuple(entry.names)))
    return mentions, named


def _free(entry: _Entry, taken: defaultdict[str, bytearray], start: int, end: int) -> frozenset[str]:
    """The labels of the sections that have not given these tokens to something longer."""
    kept: list[frozenset[str]] = []
    for section, labels in entry.sections:
        mine = taken[section]
        if 1 not in mine[start:end]:
            mine[start:end] = b"\x01" * (end - start)
            kept.append(labels)
    if len(kept) == len(entry.sections):
        return entry.word_labels
    return frozenset().union(*kept)


def _length(span: _Span) -> tuple[int, int]:
    return span[0] - span[1], span[0]
