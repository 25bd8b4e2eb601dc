"""Facts that a reading notes and arithmetic that follows from it, in sentences."""

from __future__ import annotations

from typing import Any

from bot import naming
from bot.case import Case
from knowledge.reading import Derived


def lines(case: Case) -> list[str]:
    """The reading's notes as sentences; a note without a sentence is left out."""
    return [text for code, values in case.reading.notes if (text := line(code, values, case))]


def line(code: str, values: dict[str, Any], case: Case) -> str:
    """One note as a sentence, empty where the catalogue has none or a value is missing."""
    key = f"note.{code}"
    if not case.w.has(key):
        return ""
    facts = naming.values_text(values, case.w)
    if "fields" in values:
        facts["fields"] = case.w.join(field_word(str(name), case) for name in values["fields"])
    if code == "nearest" and case.claim.unit:
        facts["value"] = f"{facts['value']} {naming.name_text('unit', case.claim.unit, case.w)}"
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
    key = f"derived.{item.what}"
    if not case.w.has(key):
        key = "derived.other"
    share = item.what in ("cost", "cost_printed", "efficiency", "scaling_efficiency", "scaling")
    value = case.share(item.value) if share else case.w.ratio(item.value)
    if item.what.startswith("cost"):
        value = case.w.percent(1 - item.value, 1)
    return case.w(key, value=value, assumption=naming.harmless(item.assumption, 160))
