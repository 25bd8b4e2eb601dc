"""Reads the table of sentences: a text, and what a reader must make of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parsing.claim import Claim
from parsing.reader import Reader

HERE = Path(__file__).parent / "sentences"
KINDS = ("multiple", "percent", "absolute", "record", "scaling", "cost", "count", "outperforms")
QUALIFIERS = ("up_to", "over", "nearly", "about", "at_least", "exact")
FIELD = re.compile(r"([\w.]+)=((?:(?!\s[\w.]+=).)+)")


@dataclass
class Expected:
    """One claim as a table line says it; what the line leaves out is not checked."""

    kind: str
    numbers: list[float] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)


@dataclass
class Case:
    """One passage of the table."""

    where: str
    text: str
    title: str | None = None
    markup: str = "plain"
    expected: list[Expected] = field(default_factory=list)


def _expected(line: str) -> Expected:
    head = FIELD.sub("", line).split()
    claim = Expected(head[0], fields={k: v.strip() for k, v in FIELD.findall(line)})
    assert claim.kind in KINDS, line
    for word in head[1:]:
        if word in QUALIFIERS:
            claim.fields["qualifier"] = word
        elif word in ("higher", "lower"):
            claim.fields["direction"] = word
        else:
            claim.numbers.append(float(word))
    return claim


def cases(pattern: str = "*.txt") -> Iterator[Case]:
    """All cases of the files that match, in order."""
    for path in sorted(HERE.glob(pattern)):
        lines = path.read_text(encoding="utf-8").splitlines()
        case: Case | None = None
        text: list[str] = []
        for number, line in enumerate([*lines, ""], 1):
            if line.startswith("> "):
                text.append(line[2:])
                case = case or Case(f"{path.name}:{number}", "")
            elif case and line.startswith("@ "):
                case.title = line[2:]
            elif case and line.startswith("! "):
                case.markup = line[2:]
            elif case and line.startswith("= "):
                case.expected.append(_expected(line[2:]))
            elif case and not line.strip():
                case.text = "\n".join(text)
                yield case
                case, text = None, []


def value(claim: Claim, name: str) -> Any:
    """A field of a claim by its dotted name."""
    found: Any = claim
    for part in name.split("."):
        found = getattr(found, part)
    return found


def faults(case: Case, reader: Reader) -> list[str]:
    """What is wrong with the reading of one case; empty for a right one."""
    got = reader.read(case.text, title=case.title, markup=case.markup)  # type: ignore[arg-type]
    left = list(got)
    wrong: list[str] = []
    for want in case.expected:
        match = next((c for c in left if _fits(want, c)), None)
        if match is None:
            wrong.append(f"missed {want.kind} {want.numbers}")
            continue
        left.remove(match)
        for name, text in want.fields.items():
            said = value(match, name)
            said = "true" if said is True else "false" if said is False else said
            if str(said).lower() != text.lower() and not _near(said, text):
                wrong.append(f"{want.kind} {want.numbers}: {name} is {said!r}, not {text!r}")
    wrong.extend(f"extra {c.kind} {c.value} {c.quote!r} {c.scenario} {c.model}" for c in left)
    return wrong


def _near(said: Any, text: str) -> bool:
    if said is None:
        return False
    try:
        return abs(float(said) - float(text)) < 1e-6
    except ValueError:
        return False


def _fits(want: Expected, claim: Claim) -> bool:
    if want.kind != claim.kind:
        return False
    numbers = [n for n in (claim.value, claim.value_max) if n is not None]
    if len(want.numbers) != len(numbers) and want.kind != "record":
        return False
    near = all(abs(a - b) <= 0.005 * max(abs(a), abs(b)) for a, b in zip(want.numbers, numbers, strict=False))
    scenario = want.fields.get("scenario")
    return near and (scenario is None or want.kind != "absolute" or claim.scenario in (scenario, None))
