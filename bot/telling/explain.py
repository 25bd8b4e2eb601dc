"""What `--explain` and "Why this word?" add: the words behind each field, the rule behind the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from bot.telling import naming
from bot.wording import Words
from knowledge.reading import Reading
from parsing.claim import Claim, Side
from parsing.unread import Unread

_PLAIN = (
    "kind",
    "value",
    "value_max",
    "qualifier",
    "direction",
    "metric",
    "unit",
    "per_accelerator",
    "model",
    "scenario",
    "round",
    "division",
    "availability",
    "quantifier",
    "ever",
    "place",
    "first_to",
    "same_hardware",
    "verified",
    "aggregate",
    "below_largest",
    "mlperf",
    "suite",
)


def claim_lines(claim: Claim, w: Words) -> list[str]:
    """A claim's fields one a line, each with the words that gave it, and whether they stand elsewhere."""
    quote = naming.harmless(claim.quote, 200)
    lines = [w("explain.claim", quote=quote, start=claim.span[0], end=claim.span[1])]
    for name, value in fields(claim):
        told = w("explain.field", name=name, value=naming.harmless(value, 80))
        if words := claim.words.get(name):
            told += " " + w("explain.words", words=naming.harmless(words, 80))
        if name in claim.from_context:
            told += " " + w("explain.context")
        lines.append(told)
    return lines


def unread_lines(unread: Sequence[Unread], w: Words) -> list[str]:
    """Every number that is no claim, one a line, each with the reason in a sentence."""
    if not unread:
        return []
    lines = [w("explain.unread")]
    for number in unread:
        text = naming.harmless(number.text, 80)
        why = w(f"unread.{number.reason}" if w.has(f"unread.{number.reason}") else "unread.no_claim")
        lines.append(w("explain.number", text=text, start=number.span[0], end=number.span[1], why=why))
    return lines


def fields(claim: Claim) -> list[tuple[str, object]]:
    """The fields that a claim has, those of its sides as "subject.accelerator"."""
    found: list[tuple[str, object]] = []
    for name in _PLAIN:
        value = getattr(claim, name)
        if (value is not None and value is not False) or (name in ("verified", "mlperf") and value is False):
            found.append((name, value))
    for label, side in (("subject", claim.subject), ("baseline", claim.baseline)):
        for name in Side.model_fields:
            value = getattr(side, name)
            if value is not None:
                found.append((f"{label}.{name}", value))
    if claim.result_ids:
        found.append(("result_ids", ", ".join(claim.result_ids)))
    return found


def reading_line(reading: Reading, w: Words) -> str:
    """The rule of docs/verdicts.md that chose the verdict, and why in one sentence."""
    why = naming.harmless(reading.why, 240) if w.language == "en" else w(f"why.{reading.verdict}")
    return w("explain.rule", rule=reading.rule or "–", why=why)


def claim_line(claim: Claim, w: Words) -> str:
    """A claim in one line: its words, then its fields."""
    told = ", ".join(f"{name} {naming.harmless(value, 60)}" for name, value in fields(claim))
    return w("explain.line", quote=naming.harmless(claim.quote, 120), fields=told)
