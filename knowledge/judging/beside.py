"""An exact figure whose row the text names, though not beside the figure itself.

A list, a table or a turn of phrase parts a figure from its chip, count, submitter or round. Where
a printed figure is exact to its digits and one row of the claim's benchmark carries it, whose
round, submitter, accelerator and count all stand somewhere in the text, that row is meant; a round
that only follows from the title or from a time word is open. The
scenario is never taken from elsewhere: two scenarios of one system are too easily exchanged.
"""

from __future__ import annotations

from dataclasses import replace

from knowledge.judging.hits import Hit, find, precise, rows_of
from knowledge.judging.question import Question
from knowledge.row import Row
from knowledge.scope import Party, Scope
from knowledge.table import Table
from knowledge.tolerance import Tolerance
from parsing.claim import Beside


def named_beside(asked: Scope, question: Question, rounds: tuple[str, ...], accepted: Tolerance) -> list[Hit]:
    """The hits on the one row that the text names elsewhere; empty where none or several are."""
    claim, said, table = question.claim, asked.subject, question.table
    if claim.beside is None or not claim.model or not precise(accepted):
        return []
    wider = Party(availability=said.availability, division=said.division)
    looser = replace(asked, subject=wider)
    open_round = "round" in claim.from_context or claim.subject.when is not None
    named = question.rounds if open_round else [n for n in claim.beside.rounds if n in question.rounds]
    among = list(dict.fromkeys([*rounds, *named]))
    rows = rows_of(looser, wider, among, claim.scenario is not None)
    hits = [h for h in find(looser, rows, accepted) if h.exact and _named(h.row, said, claim.beside, table)]
    systems = {(h.row.round, h.row.submitter, h.row.system, h.row.scenario, h.row.value) for h in hits}
    return hits if len(systems) == 1 else []


def _named(row: Row, said: Party, beside: Beside, table: Table) -> bool:
    """Whether each thing that the figure's own words say otherwise is named elsewhere in the text."""
    names = table.names
    submitters = {names.claim_submitter(name) or name for name in (*beside.submitters, *beside.vendors)}
    joint = names.joint(row.submitter)
    if joint and submitters >= set(joint):
        submitters.add(row.submitter)
    chips = {chip for name in beside.accelerators for chip in names.claim_accelerator(name)}
    return (
        (said.submitters is None or row.submitter in said.submitters | submitters)
        and (said.chips is None or row.accelerator in said.chips | chips)
        and (said.count in (None, row.accelerators) or row.accelerators in beside.counts)
    )
