"""What a judge is asked: one claim, the table, and the dates that bound what may be used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from knowledge.reading import Missing
from knowledge.scope import Scope, Voice, scope, vendor_submitter
from knowledge.table import Table
from parsing.claim import Claim, Side


@dataclass(frozen=True, slots=True)
class Question:
    """A claim to be read.

    `today` decides which rounds may be quoted yet, `article` (if known) which were published
    when the text was written, `seen_round` is the round that the text's own numbers identify,
    `printed_ratio` the first ratio that the same text prints (rule 20).
    """

    claim: Claim
    table: Table
    today: date
    article: date | None = None
    seen_round: str | None = None
    printed_ratio: float | None = None
    early: bool = False

    @property
    def rounds(self) -> tuple[str, ...]:
        """Rounds that may answer, newest first."""
        return tuple(name for name in self.table.rounds if self.usable(name))

    def usable(self, name: str) -> bool:
        """Whether a stored round may be quoted and was out when the text was written."""
        published = date.fromisoformat(self.table.published[name])
        if self.article is not None and published > self.article:
            return False
        return self.embargo(name) is None

    def embargo(self, name: str) -> date | None:
        """The date from which a stored round is quoted, if that is still to come."""
        if self.early:
            return None
        return self.table.calendar.quotable(date.fromisoformat(self.table.published[name]), self.today)

    def embargoed(self) -> tuple[Missing, ...]:
        """Rounds that the claim names and that are too young to be quoted."""
        named = {self.claim.round, self.claim.subject.round, self.claim.baseline.round}
        return tuple(
            Missing(what="embargo", field="round", value=name, assumption=str(self.embargo(name)))
            for name in self.table.rounds
            if name in named and self.embargo(name) is not None
        )


def voices(side: Side, table: Table, *, subject: bool) -> tuple[Voice, ...]:
    """How a chip maker's name on one side may be meant (rules 8 and 24), the likelier first.

    On the subject it is first the submitter, on the baseline first the maker of the chips.
    """
    if side.submitter or vendor_submitter(side.vendor, table) is None:
        return ("vendor",)
    return ("submitter", "vendor") if subject else ("vendor", "submitter")


def meanings(question: Question, *, both: bool = False) -> Iterator[Scope]:
    """The claim under each meaning of chip makers' names, on its subject or on both sides."""
    claim, table = question.claim, question.table
    vendor: tuple[Voice, ...] = ("vendor",)
    for right in voices(claim.baseline, table, subject=False) if both else vendor:
        for left in voices(claim.subject, table, subject=True):
            yield scope(claim, table, (left, right))
