"""What a claim's words mean in the table: its two sides, its benchmarks, what it leaves open."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from knowledge.reading import Missing
from knowledge.row import Row
from knowledge.table import LATENCY, Bench, Cell, Table
from parsing.claim import Claim, Side

Voice = Literal["submitter", "vendor"]
THROUGHPUT = ("offline", "server", "interactive")


@dataclass(frozen=True, slots=True)
class Party:
    """One side as a filter over cells. None leaves a field open.

    `rack` is the full count of a named rack (preferred, not required; rule 9); `variant` the marks of a
    form that the text says ("NVL"); `processor` is what a CPU system's processor text must hold;
    `loose_count` says that the count is the "one" of a per-accelerator statement, so that other
    counts answer it too.
    """

    chips: frozenset[str] | None = None
    submitters: frozenset[str] | None = None
    variant: frozenset[str] = frozenset()
    processor: re.Pattern[str] | None = None
    count: int | None = None
    nodes: int | None = None
    rack: int | None = None
    availability: str | None = None
    division: str | None = None
    value: float | None = None
    vendor_only: bool = False
    loose_count: bool = False

    @property
    def named(self) -> bool:
        """Whether the text says anything that picks rows."""
        return self.chips is not None or self.submitters is not None or self.processor is not None

    def _hardware(self, cell: Cell) -> bool:
        key = cell.key
        if self.processor is not None:
            return key.accelerators == 0
        if self.chips is None:
            return True
        if key.accelerator in self.chips:
            return not self.variant or self.variant <= marks(key.variant)
        parts = frozenset(key.accelerator.split("+")) if key.accelerator and "+" in key.accelerator else None
        return parts is not None and parts == self.chips

    def takes(self, row: Row) -> bool:
        """Whether a row of a fitting cell fits."""
        if self.submitters is not None and row.submitter not in self.submitters:
            return False
        if self.nodes is not None and self.count is None and row.nodes != self.nodes:
            return False
        if self.processor is not None:
            return self.processor.search(row.processor or "") is not None
        return True

    def cells(
        self, bench: Bench, round_name: str, *, any_count: bool = False, any_division: bool = False
    ) -> list[Cell]:
        """The cells of one round that fit, each holding only fitting rows.

        An unsaid division means Closed; Open cells answer only where Closed has none (rule 25).
        """
        found = [cell for cell in bench.rounds.get(round_name, ()) if self._hardware(cell)]
        if self.availability:
            found = [cell for cell in found if cell.key.availability == self.availability]
        if self.division:
            found = [cell for cell in found if cell.key.division == self.division]
        found = [kept for cell in found if (kept := self._kept(cell)) is not None]
        if not any_count:
            found = self._of_count(found)
        if not self.division and not any_division:
            found = [cell for cell in found if cell.key.division == "closed"] or found
        return found

    def _of_count(self, cells: list[Cell]) -> list[Cell]:
        if self.count is not None:
            exact = [cell for cell in cells if cell.key.accelerators == self.count]
            return exact or (cells if self.loose_count else [])
        if self.rack is not None:
            return [cell for cell in cells if cell.key.accelerators == self.rack] or cells
        return cells

    def _kept(self, cell: Cell) -> Cell | None:
        if (
            self.submitters is None
            and self.processor is None
            and (self.nodes is None or self.count is not None)
        ):
            return cell
        among = (
            cell.rows if self.submitters is None else [r for n in self.submitters for r in cell.of.get(n, ())]
        )
        kept = Cell(
            cell.key, cell.model, cell.scenario, cell.round, [row for row in among if self.takes(row)]
        )
        kept.settle()
        return kept if kept.rows else None


def marks(variant: str | None) -> frozenset[str]:
    """The single marks of a variant ("SXM, MaxQ")."""
    return frozenset(variant.split(", ")) if variant else frozenset()


@dataclass(frozen=True, slots=True)
class Scope:
    """A claim laid over the table. `voice` says whether a chip maker's name is read as the submitter."""

    claim: Claim
    subject: Party
    baseline: Party
    benches: tuple[Bench, ...]
    voice: Voice

    @property
    def one_accelerator(self) -> bool:
        """Whether both sides are the same hardware, so that only time can differ."""
        if not self.baseline.named:
            return True
        same_chips = self.baseline.chips is None or self.baseline.chips == self.subject.chips
        same_cpu = self.baseline.processor is None or self.baseline.processor == self.subject.processor
        return same_chips and same_cpu and not self.compares_submitters

    @property
    def per_watt(self) -> bool:
        """Whether results per measured watt are compared, so that only power runs count (rule 28)."""
        return self.claim.metric == "power_efficiency"

    @property
    def compares_submitters(self) -> bool:
        """Whether two different submitters are named on the two sides (rule 21)."""
        a, b = self.subject.submitters, self.baseline.submitters
        return a is not None and b is not None and not (a & b)


def vendor_submitter(vendor: str | None, table: Table) -> str | None:
    """The submitter that a chip maker is, if it has rows of its own."""
    if vendor is None:
        return None
    name = table.names.claim_submitter(vendor)
    return name if name in table.submitters else None


def party(side: Side, claim: Claim, table: Table, voice: Voice, *, words: str = "") -> Party:
    """Resolve one side of a claim. Names that are not stored resolve to chips without rows.

    `words` are those that gave the accelerator: they may hold a form that the canonical name drops.
    """
    chips = _chips(side, table)
    submitters: frozenset[str] | None = None
    if side.submitter:
        submitters = _submitters(side.submitter, table)
    own = vendor_submitter(side.vendor, table)
    if voice == "submitter" and submitters is None and own:
        submitters = frozenset({own})
    vendor_only = chips is None and side.vendor is not None and not side.submitter and not side.system
    if vendor_only and submitters is None:
        chips = frozenset(c for c in table.accelerators if table.names.vendor(c) == side.vendor)
    processor = table.names.processor_pattern(side.system) if chips is None and side.system else None
    rack = _rack(side, table)
    count = side.accelerators
    return Party(
        chips=chips,
        submitters=submitters,
        variant=_variant(words or side.accelerator or "", chips, table),
        processor=processor,
        count=count,
        nodes=side.nodes,
        rack=rack if count is None and side.nodes is None else None,
        availability=side.availability or claim.availability,
        division=side.division or claim.division,
        value=side.value,
        vendor_only=vendor_only,
        loose_count=bool(claim.per_accelerator and count == 1),
    )


def _chips(side: Side, table: Table) -> frozenset[str] | None:
    if side.accelerator is None:
        inside = frozenset(table.names.claim_accelerator(side.system)) if side.system else frozenset()
        return inside & table.accelerators or None
    found: set[str] = set()
    for part in side.accelerator.split("|"):
        found.update(table.names.claim_accelerator(part.strip()) or (part.strip(),))
    return frozenset(found)


def _variant(words: str, chips: frozenset[str] | None, table: Table) -> frozenset[str]:
    """The form that the text says with a single chip; "NVL8" is a size and no form (rules 9 and 15)."""
    if chips is None or len(chips) != 1 or table.names.system_size(words) is not None:
        return frozenset()
    said = table.names.accelerator(words)
    return marks(said.variant) if said.accelerator in chips else frozenset()


def _submitters(text: str, table: Table) -> frozenset[str]:
    """The submitters a name means; a joint submitter is its own (rule 8)."""
    found = {table.names.claim_submitter(part.strip()) or part.strip() for part in text.split("|")}
    return frozenset(found)


def _rack(side: Side, table: Table) -> int | None:
    if side.system is None:
        return None
    return table.names.system_size(side.system)


def benches(claim: Claim, table: Table) -> tuple[Bench, ...]:
    """The benchmarks that a claim covers: its model and scenario, or all that fit its metric."""
    models = [table.names.claim_model(m) or m for m in claim.models] or None
    if claim.scenario:
        return tuple(table.select(models, [claim.scenario]))
    scenarios = claim.scenarios
    if scenarios:
        return tuple(table.select(models, scenarios))
    if claim.metric == "latency":
        return tuple(table.select(models, LATENCY))
    found = tuple(table.select(models, THROUGHPUT))
    return found or tuple(table.select(models))


def scope(claim: Claim, table: Table, voice: tuple[Voice, Voice] = ("vendor", "vendor")) -> Scope:
    """Lay a claim over the table, reading chip makers' names per side as `voice` says."""
    subject = party(claim.subject, claim, table, voice[0], words=claim.words.get("subject.accelerator", ""))
    baseline = party(
        claim.baseline, claim, table, voice[1], words=claim.words.get("baseline.accelerator", "")
    )
    if not subject.named and baseline.named and claim.same_hardware:
        subject = replace(baseline, value=subject.value, count=subject.count or baseline.count)
    subject, baseline = _same_form(claim, subject, baseline, table)
    return Scope(claim, subject, baseline, benches(claim, table), voice[0])


def _same_form(claim: Claim, subject: Party, baseline: Party, table: Table) -> tuple[Party, Party]:
    """Between families racks pair with racks and boards with boards: keep what has a partner."""
    family = table.names.family
    if not (claim.subject.accelerator and claim.baseline.accelerator and subject.chips and baseline.chips):
        return subject, baseline
    named = [family(claim.subject.accelerator), family(claim.baseline.accelerator)]
    if named[0] is None and named[1] is None:
        return subject, baseline
    racks = [frozenset(c for c in p.chips or () if table.names.is_rack(c)) for p in (subject, baseline)]
    if named[0] is not None and named[1] is None and racks[1]:
        return replace(subject, chips=racks[0] or subject.chips), baseline
    if named[1] is not None and named[0] is None and racks[0]:
        return subject, replace(baseline, chips=racks[1] or baseline.chips)
    return subject, baseline


def stand_in(asked: Scope, table: Table) -> Scope | None:
    """The same question about the other boards of the same GPU, None where there is none (rule 37)."""

    def other(party: Party) -> Party:
        found = {twin for chip in party.chips or () for twin in table.names.same_gpu(chip)}
        return replace(party, chips=frozenset(found) & table.accelerators or party.chips)

    subject, baseline = other(asked.subject), other(asked.baseline)
    if (subject, baseline) == (asked.subject, asked.baseline):
        return None
    return replace(asked, subject=subject, baseline=baseline)


def forms_match(a: Row, b: Row, claim: Claim, table: Table) -> bool:
    """Whether rack and board are mixed by a comparison of two families."""
    if not (claim.subject.accelerator and claim.baseline.accelerator):
        return True
    if (
        table.names.family(claim.subject.accelerator) is None
        or table.names.family(claim.baseline.accelerator) is None
    ):
        return True
    return table.names.is_rack(a.accelerator or "") == table.names.is_rack(b.accelerator or "")


def not_stored(claim: Claim, table: Table) -> tuple[Missing, ...]:
    """What the claim names that the store does not hold at all: models, rounds, chips, submitters."""
    out: list[Missing] = []
    models = [table.names.claim_model(m) or m for m in claim.models]
    if models and not any(m in table.models for m in models):
        out.append(Missing(what="model", field="model", value=claim.model))
    for field, name in (
        ("round", claim.round),
        ("subject.round", claim.subject.round),
        ("baseline.round", claim.baseline.round),
    ):
        if name and name not in table.published:
            out.append(Missing(what="round", field=field, value=name))
    for label, side in (("subject", claim.subject), ("baseline", claim.baseline)):
        chips = _chips(side, table)
        if chips is not None and not chips & table.accelerators:
            out.append(Missing(what="accelerator", field=f"{label}.accelerator", value=side.accelerator))
        if side.submitter and not _submitters(side.submitter, table) & table.submitters:
            out.append(Missing(what="submitter", field=f"{label}.submitter", value=side.submitter))
        alone = chips is None and side.system and not side.vendor and not side.submitter
        if alone and side.system and table.names.processor_pattern(side.system) is None:
            out.append(Missing(what="system", field=f"{label}.system", value=side.system))
    return tuple(out)
