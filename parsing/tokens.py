"""One tokenizer for every language: letters, numbers and the few signs that carry meaning.

spaCy's blank pipelines split "8xMI300X", "GPT-OSS-120B" and "2,8-fach" differently in English
and German. Here a run of letters is a token and a number is a token; hyphens, dots inside
names, trade mark signs and decoration are no tokens but the `gap` before the next one. So
"GPT-OSS-120B", "gpt oss 120b" and "GPT‑OSS 120B" are the same tokens, and every offset is kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from spacy.tokens import Doc
from spacy.vocab import Vocab

Kind = Literal["word", "number", "sign"]
Gap = Literal["", " ", "-", ".", "'", "\n"]

SIGNS = frozenset("%+-<>=≈≥≤±/|()[]{}:;,.!?#&$€£~—→'°\"@")

_SPECIAL = {
    "×": "x", "✕": "x", "✖": "x", "⨯": "x", "╳": "x",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "−": "-", "﹣": "-", "－": "-", "―": "—", "⸺": "—",
    "’": "'", "‘": "'", "‚": "'", "ʼ": "'", "´": "'", "`": "'",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "➔": "→", "➜": "→", "⇒": "→", "⟶": "→", "➞": "→", "⁄": "/", "∕": "/",
    "≳": "≥", "≲": "≤", "∼": "~", "≃": "≈", "≅": "≈",
    "\t": " ", "\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n",
}  # fmt: skip

# the blank before a token, then a number, a word or a sign; a text must not end in a blank
_TOKEN = re.compile(r"(\s*+)(?:([0-9]+(?:[.,'][0-9]+)*)|((?<=[0-9])x(?![a-z]{1,2}\b)|[^\W\d_]+)|(\S))")
_HYPHENS = "-_"
# the blank between two groups of digits, in a token; and those that group digits in any language
BLANK = "\u202f"
BLANKS = "\u00a0\u202f\u2009"
_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?$")
_NO_TOKEN = "*™®©\"'"


@dataclass(slots=True)
class Token:
    """One token: lower-case text, `[start, end)` in the plain text, what stood before it."""

    low: str
    start: int
    end: int
    kind: Kind
    gap: Gap


class _Fold(dict[int, str]):
    """One character to the one that it is read as: lower case, one kind of hyphen, quote, space."""

    def __missing__(self, code: int) -> str:
        if len(self) > _MOST_FOLDED:
            self.clear()  # somebody sends all of Unicode
        char = chr(code)
        folded = _SPECIAL.get(char) or unicodedata.normalize("NFKC", char)
        if folded.isspace() and folded != "\n":
            folded = " "
        low = folded.lower()
        self[code] = low if len(low) == 1 else (folded if len(folded) == 1 else char)
        return self[code]


_MOST_FOLDED = 10_000
_FOLD = _Fold()


def fold(text: str) -> str:
    """Lower case with one kind of hyphen, quote and space; the length never changes."""
    return text.translate(_FOLD)


def _sign_gap(low: str, folded: str, start: int, end: int) -> Gap | None:
    """The gap that a sign stands for where it only joins; None where it is a token."""
    before = folded[start - 1] if start else " "
    after = folded[end] if end < len(folded) else " "
    if low in _HYPHENS:
        if before.isalnum() and (after.isalnum() or not folded[end : end + 2].strip().isdigit()):
            return "-" if after.isalnum() else " "
        return "-" if before in ")%'\"" and after.isalnum() else None
    if low == ".":
        return "." if before.isalnum() and after.isalnum() else None
    if low == "'" and before.isalnum() and after.isalnum():
        return "'"
    if low in _NO_TOKEN:
        return " " if low in "*\"'" else ""
    return None if low in SIGNS else " "


def tokenize(text: str) -> list[Token]:
    """The tokens of a text, in order."""
    folded = fold(text)
    tokens: list[Token] = []
    add = tokens.append
    end = 0
    pending: Gap | None = None
    for blank, number, word, sign in _TOKEN.findall(folded.rstrip()):
        gap: Gap = "" if not blank else "\n" if "\n" in blank else " "
        if pending is not None:
            gap = gap or pending
            pending = None
        start = end + len(blank)
        if word:
            end = start + len(word)
            add(Token(word, start, end, "word", gap))
        elif number:
            end = start + len(number)
            add(Token(number, start, end, "number", gap))
        else:
            end = start + 1
            pending = _sign_gap(sign, folded, start, end)
            if pending is not None:
                pending = gap or pending
                continue
            if sign == "-" and gap and folded[end : end + 1] in ("", " ", "\n"):
                sign = "—"
            add(Token(sign, start, end, "sign", gap))
    return tokens


def split_glue(tokens: list[Token], known: frozenset[tuple[str, str]]) -> list[Token]:
    """Take glued footnote marks off: "b 601" is B60 and note 1 if ("b", "60") ends a name.

    A digit too many after a known ending is a mark; so is a plural s ("MI350Ps").
    """
    last = ""
    for token in tokens:
        if not token.gap and len(token.low) > 1 and _too_long(last, token, known):
            return _without_marks(tokens, known)
        last = token.low
    return tokens


def _without_marks(tokens: list[Token], known: frozenset[tuple[str, str]]) -> list[Token]:
    last = tokens[0]
    out = [last]
    for token in tokens[1:]:
        if token.gap == "" and len(token.low) > 1 and _too_long(last.low, token, known):
            middle = token.end - 1
            out.append(Token(token.low[:-1], token.start, middle, token.kind, token.gap))
            token = Token(token.low[-1], middle, token.end, token.kind, "")
        out.append(token)
        last = token
    return out


def join_groups(tokens: list[Token], text: str, blanks: str) -> list[Token]:
    """One number of groups of digits that one of these blanks keeps apart ("2 494 310")."""
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        last = _last_group(tokens, text, blanks, i) if token.kind == "number" else i
        if last > i:
            low = BLANK.join(t.low for t in tokens[i : last + 1])
            token = Token(low, token.start, tokens[last].end, "number", token.gap)
        out.append(token)
        i = last + 1
    return out


def _last_group(tokens: list[Token], text: str, blanks: str, i: int) -> int:
    """The index of the last group of the number that begins at a token; itself where it is no group."""
    first = tokens[i]
    glued = first.gap not in (" ", "\n") and i > 0 and tokens[i - 1].kind != "sign"
    if glued or len(first.low) > 3 or not first.low.isdigit() or first.low[0] == "0":
        return i
    last = i
    for j in range(i + 1, len(tokens)):
        group, before = tokens[j], text[tokens[j - 1].end : tokens[j].start]
        if not (before and before in blanks and _GROUP.match(group.low)):
            break
        named = j + 1 < len(tokens) and tokens[j + 1].gap == "" and tokens[j + 1].kind == "word"
        if named and tokens[j + 1].low != "x":
            break  # "Llama 3 405B"
        last = j
        if not group.low.isdigit():
            break
    return last


def _too_long(before: str, token: Token, known: frozenset[tuple[str, str]]) -> bool:
    if before == "x" or (before, token.low) in known or (before, token.low[:-1]) not in known:
        return False  # "GB300x72" is no footnote to the 7 of "8x7B"
    return token.kind == "number" or token.low.endswith("s")


class SharedTokenizer:
    """The tokenizer of the blank pipelines; `words` makes a Doc from tokens already cut."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        return self.words(token.low for token in tokenize(text))

    def words(self, words: Iterable[str]) -> Doc:
        return Doc(self.vocab, words=list(words))
