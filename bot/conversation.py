"""Follow-ups: "and server?", "at 8 GPUs", "und in v6.0?", "compare with B300".

A follow-up changes fields of the claims before it and keeps the rest. It is a short message that
says nothing but a scenario, a count, a round, a model, an accelerator or a submitter; whatever
else a message says makes it a text of its own.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from bot.lookup import Lookup
from knowledge.rounds import Rounds
from parsing.claim import Claim, Side

# A follow-up is a few words; a longer message is a text.
MOST_WORDS = 14

_WORD = re.compile(r"[\w'’.+-]+")
_ROUND = re.compile(r"\bv?(\d\.\d)\b")


@dataclass(frozen=True)
class Lexicon:
    """The words of follow-ups (bot/wording/follow_up.toml)."""

    fillers: frozenset[str]
    against: re.Pattern[str]
    between: re.Pattern[str]
    counts: tuple[re.Pattern[str], ...]
    values: dict[str, dict[str, str]]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The words of follow-ups, read once."""
    data = tomllib.loads(files("bot.wording").joinpath("follow_up.toml").read_text(encoding="utf-8"))

    def one_of(name: str) -> str:
        return "|".join(re.escape(word) for word in data[name].split())

    return Lexicon(
        frozenset(data["fillers"].split()),
        re.compile(rf"\b(?:{one_of('against')})\b\.?", re.IGNORECASE),
        re.compile(rf"\s(?:(?:{one_of('between')})\.?\s|/\s?)", re.IGNORECASE),
        (
            re.compile(rf"\bx?(\d{{1,5}})\s?x?\s*(?:{one_of('after_count')})\b", re.IGNORECASE),
            re.compile(r"(?<![\w.])(?:x\s?(\d{1,5})|(\d{1,5})\s?x)(?![\w.])", re.IGNORECASE),
            re.compile(rf"\b(?:{one_of('before_count')})\s+(\d{{1,5}})(?![\w.])", re.IGNORECASE),
        ),
        data["values"],
    )


@dataclass(frozen=True, slots=True)
class Change:
    """What a follow-up changes: fields of the claim, and of its two sides."""

    claim: dict[str, Any] = field(default_factory=dict)
    subject: dict[str, Any] = field(default_factory=dict)
    baseline: dict[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.claim or self.subject or self.baseline)


def follow_up(text: str, names: Lookup, rounds: Rounds) -> Change | None:
    """What a message changes, None where it is no follow-up."""
    rest = " ".join(text.strip().rstrip("?!.…").split())
    if not rest or len(rest.split()) > MOST_WORDS:
        return None
    words = lexicon()
    against = words.against.search(rest) is not None
    rest = words.against.sub(" ", rest)
    change = Change()
    rest = _take_count(rest, change)
    rest = _take_round(rest, change, rounds)
    rest = _take_names(rest, change, names, against)
    left = (word.strip("'’.+-") for word in _WORD.findall(rest.casefold()))
    unknown = [word for word in left if word and word not in words.fillers and not _take_word(word, change)]
    return change if change and not unknown else None


def _take_word(word: str, change: Change) -> bool:
    for name, values in lexicon().values.items():
        found = values.get(word) or values.get(word.partition("-")[0])
        if found:
            change.claim[name] = found
            return True
    return False


def _take_count(rest: str, change: Change) -> str:
    for pattern in lexicon().counts:
        if match := pattern.search(rest):
            count = int(next(group for group in match.groups() if group))
            change.subject["accelerators"] = change.baseline["accelerators"] = count
            return f"{rest[: match.start()]} {rest[match.end() :]}"
    return rest


def _take_round(rest: str, change: Change, rounds: Rounds) -> str:
    for match in _ROUND.finditer(rest):
        name = f"v{match[1]}"
        if rounds.get(name) is not None:
            change.claim["round"] = name
            return rest[: match.start()] + " " + rest[match.end() :]
    return rest


def _take_names(rest: str, change: Change, names: Lookup, against: bool) -> str:
    """Take the longest names first: "Llama 2 70B" before "Llama"."""
    words = rest.split()
    for length in range(min(5, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            phrase = " ".join(words[start : start + length]).strip(",;:")
            if phrase.casefold() in lexicon().fillers or not _named(phrase, change, names, against):
                continue
            return _take_names(" ".join(words[:start] + words[start + length :]), change, names, against)
    return rest


def _named(phrase: str, change: Change, names: Lookup, against: bool) -> bool:
    name = names.find(phrase)
    side = change.baseline if against else change.subject
    match name.kind if name else None:
        case "model":
            change.claim["model"] = name.canonical if name else None
        case "accelerator" | "family":
            side["accelerator"] = name.canonical if name else None
        case "system":
            side["system"] = name.canonical if name else None
        case "submitter" | "vendor":
            side["submitter"] = name.canonical if name else None
        case _:
            return False
    return True


def changed(claims: Sequence[Claim], change: Change) -> list[Claim]:
    """The claims with a follow-up's fields, each once; quote and span are those of no text any more."""
    found = [_one(claim, change) for claim in claims]
    return list({claim.model_dump_json(): claim for claim in found}.values())


def _one(claim: Claim, change: Change) -> Claim:
    told: dict[str, Any] = dict(change.claim)
    subject, baseline = dict(change.subject), dict(change.baseline)
    if "round" in told:
        # A round takes the place of whichever rounds the claim compared or named.
        subject["round"] = baseline["round"] = None
    if "accelerator" in baseline or "submitter" in baseline:
        # Another rival brings its own system: what was said of the old one does not hold for it.
        baseline = {**dict.fromkeys(Side.model_fields), "accelerators": None, **baseline}
    if "accelerator" in subject:
        subject = {"system": None, "value": None, **subject}
    if "accelerators" in subject:
        subject = {"nodes": None, "value": None, "system": None, **subject}
        if not claim.baseline and "accelerator" not in baseline:
            baseline.pop("accelerators", None)
    told["subject"] = claim.subject.model_copy(update=subject)
    told["baseline"] = claim.baseline.model_copy(update=baseline)
    return claim.model_copy(update={"quote": "", "span": (0, 0), "words": {}, "from_context": (), **told})


def chosen(claims: Iterable[Claim], name: str, value: str) -> list[Claim]:
    """The claims with one missing field filled (a menu's choice): "model", "subject.accelerator" …

    Raises KeyError for a field that claims do not have.
    """
    side, _, inner = name.rpartition(".")
    if (side and (side not in ("subject", "baseline") or inner not in Side.model_fields)) or (
        not side and name not in Claim.model_fields
    ):
        raise KeyError(name)
    filled: Any = int(value) if inner == "accelerators" or name == "accelerators" else value
    out = []
    for claim in claims:
        if side:
            update: dict[str, Any] = {side: getattr(claim, side).model_copy(update={inner: filled})}
        else:
            update = {name: filled}
        out.append(claim.model_copy(update=update))
    return out
