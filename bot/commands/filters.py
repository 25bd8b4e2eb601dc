"""Which rows a command is asked for: options and free words in any spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import typer

from bot.lookup import Lookup
from knowledge.names import Names
from knowledge.rounds import Rounds
from knowledge.row import Row

SCENARIOS = ("offline", "server", "interactive", "singlestream", "multistream")
DIVISIONS = ("closed", "open")
AVAILABILITIES = ("available", "preview", "rdi")

_COUNT = re.compile(r"(?:x(\d{1,6})|(\d{1,6})x?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Filter:
    """Fields that a row must have; None lets all pass. `words` must occur in its system or platform."""

    model: str | None = None
    scenario: str | None = None
    round: str | None = None
    submitter: str | None = None
    chips: tuple[str, ...] = ()
    accelerators: int | None = None
    division: str | None = None
    availability: str | None = None
    words: tuple[str, ...] = ()

    def passes(self, row: Row) -> bool:
        """Whether a row is asked for."""
        if self.chips and not {row.accelerator, *(part.accelerator for part in row.parts)} & set(self.chips):
            return False
        wanted = (
            (self.model, row.model),
            (self.scenario, row.scenario),
            (self.round, row.round),
            (self.submitter, row.submitter),
            (self.accelerators, row.accelerators),
            (self.division, row.division),
            (self.availability, row.availability),
        )
        if any(want is not None and want != have for want, have in wanted):
            return False
        text = f"{row.system} {row.platform} {row.processor or ''} {row.result_id or ''}".casefold()
        return all(word in text for word in self.words)


def made(
    names: Names,
    lookup: Lookup,
    rounds: Rounds,
    *,
    model: str | None = None,
    scenario: str | None = None,
    round_name: str | None = None,
    submitter: str | None = None,
    accelerator: str | None = None,
    accelerators: int | None = None,
    division: str | None = None,
    availability: str | None = None,
    words: Iterable[str] = (),
) -> Filter:
    """A Filter from options and free words. Raises BadParameter for a value that no row can have."""
    found: dict[str, object] = {
        "model": known_model(model, names) if model else None,
        "scenario": one_of(scenario, SCENARIOS, "--scenario"),
        "round": known_round(round_name, rounds) if round_name is not None else None,
        "submitter": (names.claim_submitter(submitter) or submitter) if submitter else None,
        "chips": names.claim_accelerator(accelerator) if accelerator else (),
        "accelerators": accelerators,
        "division": one_of(division, DIVISIONS, "--division"),
        "availability": one_of(availability, AVAILABILITIES, "--availability"),
    }
    rest: list[str] = []
    for word in words:
        field, value = meaning(word, names, lookup, rounds)
        if field is None:
            rest.append(word.casefold())
        else:
            found[field] = value
    return Filter(**found, words=tuple(rest))  # type: ignore[arg-type]


def meaning(word: str, names: Names, lookup: Lookup, rounds: Rounds) -> tuple[str | None, object]:
    """Which field a free word fills, and with what; (None, None) where it is to be searched for."""
    low = word.casefold()
    fixed = (("scenario", SCENARIOS), ("division", DIVISIONS), ("availability", AVAILABILITIES))
    for field, values in fixed:
        if low in values:
            return field, low
    if found := rounds.get(low):
        return "round", found.name
    if match := _COUNT.fullmatch(word):
        return "accelerators", int(match[1] or match[2])
    name = lookup.find(word)
    match name.kind if name else None:
        case "model":
            return "model", name.canonical if name else None
        case "submitter" | "vendor":
            return "submitter", name.canonical if name else None
        case "accelerator" | "family":
            return "chips", names.claim_accelerator(word)
        case _:
            return None, None


def one_of(value: str | None, values: tuple[str, ...], option: str) -> str | None:
    """A value of a closed set in lower case."""
    if value is None:
        return None
    if value.casefold() not in values:
        raise typer.BadParameter(f"choose one of {', '.join(values)}", param_hint=option)
    return value.casefold()


def known_model(text: str, names: Names) -> str:
    """The canonical model; as it stands where the names do not know it."""
    return names.claim_model(text) or text


def known_round(text: str, rounds: Rounds, option: str = "--round") -> str:
    """A published round, with or without its v. Raises BadParameter that names the option."""
    found = rounds.get(text)
    if found is None:
        raise typer.BadParameter(f"no published round; the newest is {rounds.names()[-1]}", param_hint=option)
    return found.name


def known_span(since: str, until: str | None, rounds: Rounds) -> tuple[str, str | None]:
    """Two published rounds, the first not after the second. Raises BadParameter that names the option."""
    first = known_round(since, rounds, "--since")
    last = known_round(until, rounds, "--until") if until is not None else None
    order = rounds.names()
    if last is not None and order.index(last) < order.index(first):
        raise typer.BadParameter(f"{last} was published before {first}", param_hint="--until")
    return first, last
