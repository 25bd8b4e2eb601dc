"""A claim's number as a reader recognises it: "48 % per GPU", "up to 3.7x", "first place"."""

from __future__ import annotations

import math
import re

from bot.telling.naming import chip, cut, harmless
from bot.wording import Words
from parsing.claim import Claim, Printed

QUOTE_WIDTH = 64

# A quotation ends before the benchmark's name, which is never printed in the form that others give it.
_BEFORE_NAME = re.compile(r"(?:\s+(?:in|im|on|of|for|bei|von|aller))?\s+MLPerf", re.IGNORECASE)

# What a quotation may not carry into a reply: it would read as ours, or as a fault of the program.
_UNQUOTABLE = re.compile(
    r"\baudit|gepr[üu]ft|\b(?:None|nan|inf|Traceback)\b|[<>{}@]|https?:|MLPerf", re.IGNORECASE
)


def phrase(claim: Claim, w: Words) -> str:
    """The claim's number in quotation marks, else its words, else "the claim"."""
    core = None if claim.kind == "count" and claim.quote else number(claim, w)
    if core is None:
        return quotation(claim, w)
    if claim.qualifier and claim.qualifier != "exact":
        core = w(f"qualifier.{claim.qualifier}", value=core)
    if claim.per_accelerator and claim.kind in ("multiple", "percent", "absolute"):
        core = w("phrase.per_gpu", value=core)
    return w("phrase.quoted", value=core)


def quotation(claim: Claim, w: Words) -> str:
    """The claim's own words, short, in quotation marks; "the claim" where they cannot be quoted."""
    words = _BEFORE_NAME.split(" ".join(claim.quote.split()))[0]
    if not words or _UNQUOTABLE.search(words):
        return w("phrase.claim")
    return w("phrase.quoted", value=cut(harmless(words, 400), QUOTE_WIDTH))


def number(claim: Claim, w: Words) -> str | None:
    """The claim's number without qualifier, None where it has none."""
    if claim.value is None or claim.printed is None or not math.isfinite(claim.value):
        return None
    low = one(claim, claim.value, claim.printed, w)
    if claim.value_max is None or claim.printed_max is None or claim.value_max == claim.value:
        return low
    ends = sorted((claim.printed, claim.printed_max), key=lambda p: p.value)
    return w("phrase.range", low=bare(claim, ends[0], w), high=one(claim, claim.value_max, ends[1], w))


def one(claim: Claim, value: float, printed: Printed, w: Words) -> str | None:
    """One number of a claim with its sign or unit."""
    if printed.step is None and not re.search(r"\d", printed.text):
        return harmless(printed.text, 40)
    if claim.kind in ("absolute", "count"):
        return amount(claim, value, printed, w)
    if claim.kind == "record":
        return w("phrase.place", value=w.number(value)) if claim.place else None
    if is_percent(value, printed):
        return percentage(claim, value, printed, w)
    text = w("figure.ratio", value=w.number(printed.value, places(printed)))
    return (
        w("phrase.slower", value=text) if claim.direction == "lower" and value < 1 < printed.value else text
    )


def bare(claim: Claim, printed: Printed, w: Words) -> str:
    """The lower end of a range, without sign or unit."""
    if claim.kind in ("absolute", "count"):
        return amount(claim, claim.value or 0.0, printed, w, unit=False)
    return w.number(printed.value, places(printed))


def places(printed: Printed) -> int:
    """Decimal places that a number was printed with."""
    if printed.step is None or printed.step >= 1 or printed.step <= 0:
        return 0
    return min(6, round(-math.log10(printed.step)))


def is_percent(value: float, printed: Printed) -> bool:
    """Whether a ratio was printed as a percentage."""
    share = printed.value / 100
    return any(math.isclose(value, ratio, rel_tol=1e-6) for ratio in (1 + share, 1 - share, share))


def percentage(claim: Claim, value: float, printed: Printed, w: Words) -> str:
    """A percentage with what it is of: "48 %", "60 % lower", "92 % of"."""
    share = printed.value / 100
    text = w("figure.percent", value=w.number(printed.value, places(printed)))
    if claim.kind == "scaling" or math.isclose(value, 1 + share, rel_tol=1e-6):
        return text
    if math.isclose(value, 1 - share, rel_tol=1e-6):
        return w("phrase.lower", value=text)
    return w("phrase.share_of", value=text, other=other_side(claim, w))


def shares(claim: Claim) -> bool:
    """Whether a percent claim was printed as a share: "97 % of B200"."""
    return (
        claim.kind == "percent"
        and claim.value is not None
        and claim.printed is not None
        and math.isclose(claim.value, claim.printed.value / 100, rel_tol=1e-6)
    )


def other_side(claim: Claim, w: Words) -> str:
    """What a share is of: the baseline's chip, system or owner, where the text names one."""
    side = claim.baseline
    name = side.accelerator or side.system or side.submitter or side.vendor
    return chip(name) if name else w("phrase.other_side")


def amount(claim: Claim, value: float, printed: Printed, w: Words, *, unit: bool = True) -> str:
    """A number in its unit; millions stay millions where they were printed so."""
    millions = value >= 1e6 and sum(map(str.isdigit, printed.text)) < 7 and (printed.step or 0) <= 1e6
    if millions:
        step = (printed.step or 1e6) / 1e6
        text = w("figure.million", value=w.number(value / 1e6, min(3, max(0, round(-math.log10(step))))))
    else:
        text = w.number(value, places(printed))
    if not unit or claim.unit is None:
        return text
    key = f"unit.{claim.unit}"
    return f"{text} {w(key) if w.has(key) else harmless(claim.unit, 24)}"


def decimals(claim: Claim) -> int | None:
    """Decimals of the percentages in this claim's reply: as many as it was printed with, two at most."""
    if claim.printed is None or claim.kind not in ("percent", "scaling"):
        return None
    return min(2, places(claim.printed)) or None
