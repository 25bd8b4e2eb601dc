"""How replies write the things of the field: rows, chips, systems, benchmarks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from bot.wording import Words, not_gpus, scenario_name
from knowledge.names import Names
from knowledge.row import Row

SYSTEM_WIDTH = 30

_NAME = re.compile(r"MLPerf®?(?:['’]s\b|s\b)?(?:-(?=\w))?")
_NAME_AFTER_HYPHEN = re.compile(r"(?<=\w)-(?=MLPerf)")
_PROCESSORS = re.compile(r"[_ ]+\d+x(?:EPYC|Xeon|Platinum|Gold|Grace)(?![A-Za-z]).*$", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")


def trademark(text: str) -> str:
    """Text in which the benchmark's name stands as its owners ask: with ®, in no other form."""
    text = _NAME_AFTER_HYPHEN.sub(" ", text)

    def proper(match: re.Match[str]) -> str:
        return "MLPerf® " if match.group().endswith("-") else "MLPerf®"

    return _NAME.sub(proper, text)


def harmless(text: object, width: int = 80) -> str:
    """A word that came from outside, fit to print: one line, no markup, nothing that pings, cut to width."""
    flat = " ".join(_CONTROL.sub(" ", str(text)).split())
    flat = re.sub(r"[<>{}`|]", "", flat).replace("@", "(at)")
    return trademark(cut(flat, width))


def cut(text: str, width: int) -> str:
    """Text of at most `width` characters, cut between words where it can be."""
    if len(text) <= width:
        return text
    head = text[: width - 1]
    space = head.rfind(" ")
    return (head[:space] if space > width // 2 else head).rstrip(" ,;:–-") + "…"


def model(name: str) -> str:
    """A model as people write it."""
    return harmless(Names.load().model_display(name))


def scenario(name: str) -> str:
    """A scenario as replies write it."""
    return scenario_name(name)


def submitter(name: str) -> str:
    """A submitter as MLCommons publishes it; a joint one with a plus."""
    parts = Names.load().joint(name) if "_" in name else ()
    return harmless((" + ".join(parts) if len(parts) > 1 else name).replace("_", " "))


def benchmark(row: Row) -> str:
    """Model, accuracy target where there is one, and scenario."""
    return f"{model(row.model)}{target(row)} {scenario(row.scenario)}"


def target(row: Row) -> str:
    """The accuracy target where it is not the strict one, as an addition to the model's name."""
    return f" ({row.accuracy_target} %)" if row.accuracy_target == "99" else ""


def chip(name: str | None) -> str:
    """An accelerator as people write it."""
    parts = name.split("|") if name else []
    return " / ".join(harmless(Names.load().accelerator_display(part.strip())) for part in parts)


def accelerator(row: Row) -> str:
    """What computed: the accelerator, the kinds of a mixed system, or the processor."""
    if row.accelerator:
        return chip(row.accelerator)
    if row.parts:
        return " + ".join(chip(part.accelerator) for part in row.parts)
    return harmless(Names.load().processor(row.processor) or row.processor or row.system, SYSTEM_WIDTH)


def noun(row: Row, w: Words, n: int | None = None) -> str:
    """What a row's accelerators are called: GPUs, else accelerators, CPUs where there is none."""
    if row.accelerators == 0:
        kind, count = "cpu", (row.processors or 1) * max(row.nodes, 1)
    else:
        name = row.accelerator or ""
        kind, count = ("chip" if name.startswith(tuple(not_gpus())) else "gpu"), row.accelerators
    count = n if n is not None else count
    return w(f"noun.{kind}.{'one' if count == 1 else 'other'}")


def counted(row: Row, w: Words) -> str:
    """The accelerators that took part: "72 GPUs"."""
    return f"{count_text(row, w)} {noun(row, w)}"


def count_text(row: Row, w: Words) -> str:
    """How many accelerators took part; processors where there are no accelerators."""
    if row.accelerators:
        return w.number(row.accelerators)
    return w.number((row.processors or 1) * max(row.nodes, 1))


def counted_chip(row: Row, w: Words) -> str:
    """The accelerators with their name: "72 GB300"."""
    if row.parts:
        return " + ".join(f"{w.number(part.count)} {chip(part.accelerator)}" for part in row.parts)
    return f"{count_text(row, w)} {accelerator(row)}"


def variant(row: Row) -> str:
    """Accelerator with the variant, where it has one."""
    return f"{accelerator(row)} {harmless(row.variant)}" if row.variant else accelerator(row)


def system(row: Row, width: int = SYSTEM_WIDTH) -> str:
    """The system's name, short: without submitter, without what stands in brackets."""
    text = re.sub(rf"^{re.escape(row.submitter)}[ _-]+", "", row.system.strip(), flags=re.IGNORECASE)
    bare = re.sub(r"\s*[(\[—].*$", "", text).strip()
    bare = bare or re.sub(r"^[(\[]|[)\],].*$", "", text) or text
    text = _PROCESSORS.sub("", bare) or bare
    return harmless(text.replace("_", " "), width)


def availability(row: Row, w: Words) -> str:
    """The category: Available, Preview or RDI."""
    return w(f"availability.{row.availability}")


def division(row: Row, w: Words) -> str:
    """The division: Closed or Open."""
    return w(f"division.{row.division}")


def marks(row: Row, w: Words) -> str:
    """What sets a row apart at a glance: not Available, not Closed; empty for the ordinary row."""
    found = []
    if row.availability != "available":
        found.append(availability(row, w))
    if row.division != "closed":
        found.append(division(row, w))
    return ", ".join(found)


def who(row: Row, w: Words, *, chip_too: bool = False) -> str:
    """Submitter and system for a table: "CoreWeave GB300 NVL72", with the chip where the name lacks it."""
    parts = [submitter(row.submitter), system(row)]
    name = accelerator(row)
    if chip_too and name.lower().replace(" ", "") not in parts[1].lower().replace(" ", ""):
        parts.append(name)
    found = marks(row, w)
    return " ".join(parts) + (f" ({found})" if found else "")


def unit(row: Row, w: Words) -> str:
    """The unit as the reader's language writes it."""
    key = f"unit.{row.unit}"
    return w(key) if w.has(key) else harmless(row.unit)


def distinct(items: Iterable[str]) -> list[str]:
    """Items in their order, each once."""
    return list(dict.fromkeys(item for item in items if item))


def values_text(values: Mapping[str, Any], w: Words) -> dict[str, str]:
    """Facts of a note as words: numbers in the locale, names as people write them."""
    out: dict[str, str] = {}
    for key, value in values.items():
        if isinstance(value, bool):
            out[key] = str(value).lower()
        elif isinstance(value, int):
            out[key] = w.number(value)
        elif isinstance(value, float):
            out[key] = w.exact(value)
        elif isinstance(value, list | tuple):
            one = key.removesuffix("s")
            out[key] = w.join(values_text({one: item}, w)[one] for item in value)
        else:
            out[key] = name_text(key, str(value), w)
    return out


def name_text(key: str, value: str, w: Words) -> str:
    """A name by the field that it fills."""
    field = key.rsplit(".", 1)[-1]
    if field == "model":
        return " / ".join(model(part.strip()) for part in value.split("|"))
    if field == "scenario":
        return scenario(value)
    if field == "submitter":
        return submitter(value)
    if field == "accelerator":
        return " / ".join(chip(part.strip()) for part in value.split("|"))
    if field in ("availability", "division") and w.has(f"{field}.{value}"):
        return w(f"{field}.{value}")
    if field == "unit" and w.has(f"unit.{value}"):
        return w(f"unit.{value}")
    if field == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return w.day(value)
    return harmless(value)
