"""Our own checker of replies against MLCommons' messaging guidelines, as DESIGN lists them.

It reads the finished text as a reader would and compares it with the rows behind it; it shares no
code with what writes the text but the two sentences that are required word for word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from bot.reply import Reply
from bot.telling.footnote import TRADEMARK, UNVERIFIED
from bot.telling.naming import model, scenario, submitter, system
from knowledge.reading import Reading
from knowledge.row import Row
from parsing.claim import Claim

FIRST_LINE = 240
UNVERIFIED_VALUE = (
    "Unverified results have not been through an MLPerf® review and may use measurement methodologies and/or "
    "workload implementations that are inconsistent with the MLPerf® specification for verified results."
)

_NAME = re.compile(r"MLPerf(?!®)|MLPerf®(?:s\b|['’]s|-\w)|\w-MLPerf")
_NAME_AS_NOUN = re.compile(r"MLPerf®[.,;:!?)]|MLPerf®$")
_NEVER = re.compile(r"\baudit(?:ed|ier)|geprüfte|\boverdue\b|überfällig", re.IGNORECASE)
_PINGS = re.compile(r"<[!@#][^>]*>|@everyone|@here|@channel")
_RAW = re.compile(r"\bNone\b(?! of\b)|(?<![-\w])(?:nan|inf)(?![-\w])|Traceback|\{\w*\}|<[a-z]+ object")
_DERIVED = re.compile(r"per accelerator|pro Beschleuniger|per GPU|pro GPU", re.IGNORECASE)
_AVERAGE = re.compile(r"\bmedian\b|metric mean|\bMittel\b|geomean|\baverage|Durchschnitt", re.IGNORECASE)
_COMPOSITE = re.compile(r"composite|zusammengesetzt", re.IGNORECASE)
_RETRIEVED = re.compile(r"(?:Retrieved from|Abgerufen von) https?://\S+.*?\d{1,2}\.? \w+ \d{4}")
_NO_ID = re.compile(
    r"result ID not available in our source|Ergebnis-ID in unserer Quelle nicht verfügbar|"
    r"without a result ID in our source|ohne Ergebnis-ID in unserer Quelle"
)

# The words for a difference, in any of the languages.
DIFFERENCES = {
    "scale": ("scale", "Größe"),
    "round": ("round", "Runde"),
    "availability": ("availability", "Verfügbarkeit"),
    "division": ("division", "Division"),
    "system_type": ("system type", "Systemart"),
    "submitter": ("submitter", "Einreicher"),
    "accelerator_variant": ("variant", "variante"),
    "model_variant": ("accuracy target", "Genauigkeitsziel"),
    "method": ("method", "Methode"),
}


def faults(reply: Reply, claims: Sequence[Claim], readings: Sequence[Reading], text: str) -> list[str]:
    """The rules that a rendered reply breaks, in words; empty where it keeps them all."""
    found = text_faults(text)
    first = text.partition("\n")[0]
    if len(first) > FIRST_LINE:
        found.append(f"first line of {len(first)} characters")
    rows = {row.key: row for reading in readings for row in reading.rows}
    for claim, reading in zip(claims, readings, strict=True):
        if claim.verified is False and reading.rows and UNVERIFIED_VALUE not in flat(text):
            found.append("an unverified value beside rows without the sentence on unverified results")
        found += mixed_benchmarks(reading)
    if not rows and not reply.footnote.sources:
        return found
    main, note = split(text)
    for claim, reading in zip(claims, readings, strict=True):
        found += main_faults(main, claim, reading)
    found += footnote_faults(note, main, list(rows.values()))
    return list(dict.fromkeys(found))


def sentence_faults(text: str, rows: Iterable[Row]) -> list[str]:
    """The rules that a fair version (sentence and footnote) breaks."""
    found = text_faults(text)
    main, note = split(text)
    listed = list(rows)
    if len(main.strip().splitlines()) != 1:
        found.append("the fair version is not one sentence")
    for row in listed:
        found += row_faults(main, row)
    return list(dict.fromkeys(found + footnote_faults(note, main, listed)))


def flat(text: str) -> str:
    """Text with every run of white space as one blank."""
    return re.sub(r"\s+", " ", text)


def split(text: str) -> tuple[str, str]:
    """The main text and the footnote, which is the last paragraph with the trademark sentence."""
    head, _, last = text.rpartition("\n\n")
    return (head, last) if TRADEMARK in last else (text, "")


def text_faults(text: str) -> list[str]:
    """What no text of ours may hold, whatever it is about."""
    body = flat(text).replace(TRADEMARK, "")
    first = text.strip().splitlines()[0] if text.strip() else ""
    tests: tuple[tuple[bool, str], ...] = (
        (not first, "empty"),
        (bool(_NAME.search(body)), "the name without its sign, or altered"),
        (bool(_NAME_AS_NOUN.search(body)), "the name used as a noun"),
        (bool(_NEVER.search(body)), "a word that is never said"),
        (bool(_PINGS.search(text)), "can ping"),
        (bool(_RAW.search(body)), "raw program text"),
        (
            bool(_AVERAGE.search(body)) and not _COMPOSITE.search(body),
            "an average not called composite",
        ),
        (flat(text).count(TRADEMARK) > 1, "the trademark sentence more than once"),
    )
    return [fault for wrong, fault in tests if wrong]


def mixed_benchmarks(reading: Reading) -> list[str]:
    """Comparisons that put rows of different benchmarks side by side."""
    groups = [*reading.like_for_like, *reading.others]
    mixed = [group for group in groups if len({(row.model, row.scenario) for row in group.rows}) > 1]
    return ["rows of two benchmarks in one comparison"] if mixed else []


def main_faults(main: str, claim: Claim, reading: Reading) -> list[str]:
    """What the main text must say of the rows that one claim rests on, of many the first three."""
    found = [fault for row in reading.rows[:3] for fault in row_faults(main, row)]
    said = claim.kind in ("scaling", "count")
    for code in reading.differences:
        stated = (code == "scale" and said) or (code == "round" and reading.verdict == "software")
        if not stated and not any(name in main for name in DIFFERENCES[code]):
            found.append(f"the difference in {code} is not named")
    return found


def row_faults(main: str, row: Row) -> list[str]:
    """What the main text must say of one row: who, what, where, how many."""
    body = flat(main)
    count = str(row.accelerators)
    counts = {count, f"{row.accelerators:,}", f"{row.accelerators:,}".replace(",", ".")}
    checks: tuple[tuple[Callable[[], bool], str], ...] = (
        (lambda: submitter(row.submitter) in body, f"submitter {row.submitter}"),
        (lambda: row.round in body and "MLPerf® Inference v" in body, f"suite and version {row.round}"),
        (lambda: model(row.model) in body, f"benchmark {row.model}"),
        (lambda: scenario(row.scenario) in body, f"scenario {row.scenario}"),
        (lambda: system(row)[:12] in body, f"system {row.system}"),
        (
            lambda: bool(row.parts) or row.accelerators == 0 or any(c in body for c in counts),
            f"count {count}",
        ),
        (lambda: row.division.capitalize() in body, f"division {row.division}"),
        (lambda: row.availability.lower() in body.lower(), f"category {row.availability}"),
    )
    return [f"the main text lacks {what}" for check, what in checks if not check()]


def footnote_faults(note: str, main: str, rows: Sequence[Row]) -> list[str]:
    """What the footnote must say of all rows."""
    found = []
    body = flat(note)
    if TRADEMARK not in body:
        found.append("no trademark sentence")
    if not _RETRIEVED.search(body):
        found.append("no source and date")
    for row in rows:
        if row.round not in body or row.division.capitalize() not in body:
            found.append(f"the footnote lacks {row.round} {row.division}")
        if model(row.model) not in body or scenario(row.scenario) not in body:
            found.append(f"the footnote lacks {row.model} {row.scenario}")
        if row.result_id is None and not _NO_ID.search(body):
            found.append("no word on the missing result ID")
        if row.result_id is not None and row.result_id not in body and "…" not in body:
            found.append(f"the footnote lacks result ID {row.result_id}")
    if _DERIVED.search(flat(main)) and UNVERIFIED not in body:
        found.append("a derived figure without the unverified statement")
    return found
