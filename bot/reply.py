"""The neutral Reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from knowledge.reading import Reading
from parsing.claim import Claim

Language = Literal["en", "de"]


@dataclass(frozen=True, slots=True)
class Reply:
    language: Language
    lines: tuple[str, ...] = ()


def build(
    claims: tuple[Claim, ...], readings: tuple[Reading, ...], language: Language, *, data_version: str = ""
) -> Reply:
    return Reply(language, tuple(f"{r.verdict}: {c.quote}" for c, r in zip(claims, readings, strict=True)))
