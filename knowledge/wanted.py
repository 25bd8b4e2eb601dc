"""Which rows somebody wants to hear of: names in any spelling, and none means all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from knowledge.names import Names
from knowledge.row import Row


@dataclass(frozen=True, slots=True)
class Wanted:
    """Canonical names that a row must have; an empty set lets all pass, `division` None both."""

    models: frozenset[str] = frozenset()
    scenarios: frozenset[str] = frozenset()
    accelerators: frozenset[str] = frozenset()
    submitters: frozenset[str] = frozenset()
    suites: frozenset[str] = frozenset()
    division: str | None = "closed"

    @classmethod
    def of(
        cls,
        names: Names,
        *,
        models: Iterable[str] = (),
        scenarios: Iterable[str] = (),
        accelerators: Iterable[str] = (),
        submitters: Iterable[str] = (),
        suites: Iterable[str] = (),
        division: str | None = "closed",
    ) -> Wanted:
        """From any spelling; a name that nobody knows stands as it is, and lets nothing pass."""
        chips = {chip for text in accelerators for chip in names.claim_accelerator(text) or (text,)}
        return cls(
            frozenset(names.claim_model(text) or text for text in models),
            frozenset(text.lower() for text in scenarios),
            frozenset(chips),
            frozenset(names.claim_submitter(text) or text for text in submitters),
            frozenset(text.lower() for text in suites),
            division,
        )

    def passes(self, row: Row) -> bool:
        """Whether the row is wanted."""
        return (
            (not self.models or row.model in self.models)
            and (not self.scenarios or row.scenario in self.scenarios)
            and (not self.accelerators or bool(chips(row) & self.accelerators))
            and (not self.submitters or row.submitter in self.submitters)
            and (not self.suites or row.suite in self.suites)
            and self.division in (None, row.division)
        )


def chips(row: Row) -> set[str]:
    """The kinds of accelerators that took part."""
    return {name for name in (row.accelerator, *(part.accelerator for part in row.parts)) if name}
