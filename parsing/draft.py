"""A claim in the making: fields, two halves, and the words that each field came from."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar

from parsing.baselines import RELATIVE, Baseline
from parsing.binding import Item, Span, bind
from parsing.claim import Side
from parsing.context import Context, Said
from parsing.frame import Frame
from parsing.spans.found import Found
from parsing.things import Thing

_Placed = TypeVar("_Placed", Item, Thing)


@dataclass(slots=True)
class Half:
    """One side of a claim while it is put together; `side()` makes the value of it."""

    submitter: str | None = None
    vendor: str | None = None
    accelerator: str | None = None
    system: str | None = None
    accelerators: int | None = None
    nodes: int | None = None
    round: str | None = None
    when: str | None = None
    value: float | None = None

    def side(self) -> Side:
        known = {name: value for name, value in zip(_HALF, _VALUES(self), strict=True) if value is not None}
        return Side(**known) if known else _NOBODY

    def said(self) -> list[str]:
        """The names of the fields that are known."""
        return [name for name, value in zip(_HALF, _VALUES(self), strict=True) if value is not None]


_NOBODY = Side()
_HALF = tuple(f.name for f in fields(Half))
_VALUES = attrgetter(*_HALF)


def half(thing: Thing) -> Half:
    """What the names of one thing say. A vendor is on a side only where the text names it."""
    return Half(
        submitter=thing.submitter,
        vendor=thing.vendor if thing.said else None,
        accelerator=" | ".join(thing.accelerators) or thing.family,
        system=thing.system,
        accelerators=thing.count,
        nodes=thing.nodes,
    )


@dataclass(slots=True)
class Draft:
    """A claim in the making, and the names of the fields that came from context."""

    found: Found
    fields: dict[str, Any] = field(default_factory=dict)
    subject: Half = field(default_factory=Half)
    baseline: Half = field(default_factory=Half)
    context: set[str] = field(default_factory=set)
    words: dict[str, str] = field(default_factory=dict)
    mirrored: bool = False  # the other side has the same owner

    @property
    def relative(self) -> bool:
        return self.found.kind in RELATIVE

    @property
    def span(self) -> Span:
        return self.found.at, self.found.till


@dataclass(slots=True)
class Sentence:
    """A sentence with all that can be bound to its claims."""

    frame: Frame
    low: int
    high: int
    found: list[Found]
    context: Context
    named: list[Thing] = field(default_factory=list)
    others: list[Baseline] = field(default_factory=list)
    rounds: list[Item] = field(default_factory=list)
    starts: frozenset[str] = frozenset()
    scenarios: list[Said] = field(default_factory=list)
    models: list[Item] = field(default_factory=list)
    same: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    bindings: dict[tuple[Any, ...], dict[Span, list[Any]]] = field(default_factory=dict)

    def any(self, label: str) -> bool:
        return self.frame.any(label, self.low, self.high)

    def bound(self, draft: Draft, items: list[_Placed], *, ordered: bool = True) -> list[_Placed]:
        """The items that belong to one claim, bound among the claims of its sort."""
        if not items:
            return []
        sort = _sort(draft.found)
        key = (sort, ordered, *(i.start for i in items))
        if key not in self.bindings:
            spans = [(f.at, f.till) for f in self.found if _sort(f) == sort]
            self.bindings[key] = dict(
                zip(spans, bind(self.frame, items, spans, ordered=ordered), strict=True)
            )
        return self.bindings[key][draft.span]

    def note(self, draft: Draft, name: str, start: int, end: int) -> None:
        """Remember the words that gave a field."""
        if end > start:
            draft.words[name] = self.frame.words(start, end)
        draft.context.discard(name)


def _sort(found: Found) -> str:
    if found.kind == "absolute":
        return "absolute"
    return "ratio" if found.kind in ("multiple", "percent", "cost", "scaling") else "words"
