"""What would decide a claim: rows that are not stored, and fields that the text leaves out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.telling import naming
from bot.telling.case import Case
from bot.wording import Words
from knowledge.names import Names
from knowledge.reading import Missing

# The fields for which the catalogues have words; any other is told as "other".
FIELDS = (
    "model",
    "scenario",
    "round",
    "division",
    "availability",
    "submitter",
    "accelerator",
    "accelerators",
    "system",
    "subject",
    "baseline",
    "subject.accelerator",
    "subject.accelerators",
    "subject.submitter",
    "subject.system",
    "subject.round",
    "baseline.accelerator",
    "baseline.accelerators",
    "baseline.submitter",
    "baseline.system",
    "baseline.round",
    "suite",
    "other",
)

# What the store lacks, by the `what` of a Missing of a `no_rows` reading; any other is told as "rows".
GAPS = (
    "rows",
    "model",
    "round",
    "accelerator",
    "submitter",
    "system",
    "embargo",
    "common_benchmark",
    "suite",
    "scaling_start",
    "fields",
    "several",
)

_ACCELERATORS = ("subject.accelerator", "baseline.accelerator", "accelerator")


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a menu: what a person reads, and what the claim's field becomes."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Menu:
    """One missing field with the values that have rows; choosing one answers the claim."""

    field: str
    label: str
    choices: tuple[Choice, ...]


def field_key(name: str) -> str:
    """The field as the catalogues know it."""
    return name if name in FIELDS else "other"


def named(case: Case) -> str:
    """What is missing, for the headline: the things not stored, or the fields left out."""
    w, items = case.w, case.reading.missing
    if case.reading.verdict == "no_rows":
        things = naming.distinct(thing(item, case) for item in items)
        return w.join(things[:3]) or w("missing.something")
    fields = naming.distinct(w(f"missing.field.{field_key(item.field)}") for item in items)
    return w.join(fields) or w("missing.something")


def thing(item: Missing, case: Case) -> str:
    """A thing that is not stored, as people write it."""
    if item.field == "suite":
        return case.w("missing.suite", value=naming.harmless(item.value or "Training"))
    if item.value is None:
        return case.w(f"missing.field.{field_key(item.field)}")
    value, names = item.value, Names.load()
    if item.field == "model":
        return naming.name_text("model", value, case.w)
    for model in case.claim.models:
        value = value.replace(model, naming.model(names.claim_model(model) or model))
    if item.field.endswith("submitter"):
        return naming.submitter(value)
    return naming.harmless(value)


def gap(item: Missing) -> str:
    """Which sentence tells of this gap."""
    return item.what if item.what in GAPS else "rows"


def no_rows(case: Case) -> list[str]:
    """Sentences after "Rows missing: X": what that means for the claim, and what follows all the same."""
    items = case.reading.missing
    kinds = {gap(item) for item in items}
    kind = "rows" if not items else gap(items[0]) if len(kinds) == 1 else "several"
    value = thing(items[0], case) if items else ""
    date = items[0].assumption if items and kind == "embargo" else None
    day = case.w.day(date) if date and re.fullmatch(r"\d{4}-\d\d-\d\d", date) else ""
    told = [case.w(f"no_rows.{kind}", phrase=case.phrase, value=value, date=day)]
    from bot.telling.headline import derived

    return [*told, *derived(case)]


def depends(case: Case) -> list[str]:
    """Sentences after "Depends on X": what the text leaves out."""
    from bot.telling.headline import closest, noted

    open_fields = [item for item in case.reading.missing if item.choices]
    key = "depends.choose" if open_fields else "depends.plain"
    mixed = noted(case, "record_mixed")
    if mixed is not None:
        counts = {name: case.w.number(mixed[name]) for name in ("passed", "of")}
        return [case.w("depends.mixed", phrase=case.phrase, **counts)]
    return [case.w(key, phrase=case.phrase), closest(case)]


def menus(case: Case) -> tuple[Menu, ...]:
    """One menu a missing field, with the values that have rows only."""
    found: dict[str, Menu] = {}
    for item in case.reading.missing:
        if item.choices and item.field not in found:
            label = case.w(f"missing.field.{field_key(item.field)}")
            choices = tuple(Choice(label_of(item.field, value, case.w), value) for value in item.choices)
            found[item.field] = Menu(item.field, label, choices)
    return tuple(found.values())


def label_of(field: str, value: str, w: Words) -> str:
    """A choice as people read it."""
    return naming.chip(value) if field in _ACCELERATORS else naming.name_text(field, value, w)
