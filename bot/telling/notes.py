"""Facts that a reading notes and arithmetic that follows from it, in sentences."""

from __future__ import annotations

from typing import Any

from bot.telling import naming
from bot.telling.case import Case
from knowledge.names import Names
from knowledge.reading import Derived

# Notes that the headline tells already.
IN_HEADLINE = frozenset(
    {"nearest", "universal", "not_measured", "record", "record_mixed", "universal_record", "size_record"}
)


def lines(case: Case) -> list[str]:
    """The reading's notes as sentences; one that the headline tells, or without a sentence, is left out."""
    notes = [(code, values) for code, values in case.reading.notes if code not in IN_HEADLINE]
    return [text for code, values in notes if (text := line(code, values, case))]


def line(code: str, values: dict[str, Any], case: Case) -> str:
    """One note as a sentence, empty where the catalogue has none or a value is missing."""
    key = f"note.{code}"
    if not case.w.has(key):
        return ""
    facts = naming.values_text(values, case.w)
    if "fields" in values:
        if not values["fields"]:
            return ""
        facts["fields"] = case.w.join(field_word(str(name), case) for name in values["fields"])
    try:
        return case.w(key, **facts)
    except KeyError:
        return ""


def field_word(name: str, case: Case) -> str:
    """A field's word."""
    key = f"missing.field.{name}"
    return case.w(key) if case.w.has(key) else naming.harmless(name)


def derived_line(item: Derived, case: Case) -> str:
    """One derived value with its assumption."""
    what, value = item.what, case.w.ratio(item.value)
    if what == "cost_at_constant_price":
        value = case.w.percent(item.value - 1, 1)
        what = "cost_rise_at_constant_price" if item.value > 1 else what
    elif what.startswith("scaling"):
        value = case.w.percent(item.value, 1)
    key = f"derived.{what}"
    return case.w(key if case.w.has(key) else "derived.other", value=value, assumption=assumption(item, case))


def assumption(item: Derived, case: Case) -> str:
    """What a derived value takes for granted, its names and its fixed words as the reader writes them."""
    text, names = naming.harmless(item.assumption, 160), Names.load()
    for model in sorted(naming.distinct(text.replace(",", " ").split()), key=len, reverse=True):
        if names.claim_model(model) == model:
            text = text.replace(model, naming.model(model))
    for printed, written in case.w.under("assumption").items():
        text = text.replace(printed, written)
    return text
