"""One claim with its reading, laid out for wording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from bot.telling import comparisons
from bot.telling.comparisons import By, Comparison
from bot.telling.phrases import decimals, phrase, shares
from bot.wording import Words
from knowledge.reading import Reading
from parsing.claim import Claim

Style = Literal["percent", "ratio"]


@dataclass(frozen=True)
class Case:
    """A claim, its reading and the words to tell it in."""

    claim: Claim
    reading: Reading
    w: Words

    @cached_property
    def phrase(self) -> str:
        """The claim's number as the reply quotes it."""
        return phrase(self.claim, self.w)

    @cached_property
    def groups(self) -> list[Comparison]:
        """The like-for-like comparisons, largest systems first."""
        return comparisons.of_groups(self.reading.like_for_like)

    @cached_property
    def others(self) -> list[Comparison]:
        """Comparisons that differ in something, largest systems first."""
        return comparisons.of_groups(self.reading.others)

    @cached_property
    def pair(self) -> Comparison | None:
        """The pair of rows that the claim rests on; an absolute rests on rows one by one."""
        if self.claim.kind == "absolute":
            return None
        return comparisons.of_claim(self.reading, watts=self.watts)

    @property
    def watts(self) -> bool:
        """Whether the rows are compared per measured watt."""
        return self.claim.metric == "power_efficiency" and all(row.watts for row in self.reading.rows)

    @cached_property
    def by(self) -> By:
        """By what the two sides are told apart, in the claim's pair and in all groups alike."""
        pairs = [*([self.pair] if self.pair else []), *self.groups]
        if self.claim.kind == "scaling":
            return "count"
        return comparisons.told_apart(pairs or self.others)

    @property
    def claim_in_groups(self) -> bool:
        """Whether the claim's own pair is one of the like-for-like comparisons."""
        return self.pair is not None and any(comparisons.same(self.pair, group) for group in self.groups)

    def style(self, pairs: Sequence[Comparison]) -> Style:
        """Percent or multiple: as the claim says it, else what reads best at this size."""
        if self.claim.kind == "percent":
            return "percent"
        if self.claim.kind in ("multiple", "cost"):
            return "ratio"
        return "percent" if all(comparisons.margin(pair.ratio) < 2 for pair in pairs) else "ratio"

    def margin(self, ratio: float, style: Style) -> str:
        """How far the better side is ahead."""
        ahead = comparisons.margin(ratio)
        return self.w.percent(ahead - 1, decimals(self.claim)) if style == "percent" else self.w.ratio(ahead)

    def change(self, ratio: float, style: Style) -> str:
        """The first side over the second, with its sign in percent."""
        return self.w.signed(ratio - 1, decimals(self.claim)) if style == "percent" else self.w.ratio(ratio)

    def share(self, ratio: float) -> str:
        """An efficiency as percent."""
        places = decimals(self.claim)
        return self.w.percent(ratio, 1 if places is None else places)

    def claimed(self, value: float) -> str:
        """A recomputed value in the form that the claim has: 1.48 of a percent claim is +48 %."""
        if self.claim.kind == "scaling":
            return self.share(value)
        if self.claim.kind == "percent":
            if shares(self.claim):
                return self.w.percent(value, 1)
            return self.w.signed(value - 1, decimals(self.claim))
        return self.w.ratio(value)
