"""What a text names anywhere: where a figure may belong all the same."""

from __future__ import annotations

from collections.abc import Iterable

from parsing.claim import Beside
from parsing.context import Context, rounds
from parsing.frame import Frame

_LARGEST = 100_000


def beside(frame: Frame, title: Context | None) -> Beside:
    """The rounds, submitters, vendors, accelerators and possible counts of a text and its title."""
    end = len(frame.tokens)
    chips = [m.name.canonical for m in frame.find("name.accelerator", 0, end)]
    chips += [m.name.accelerator for m in frame.find("name.system", 0, end) if m.name.accelerator]
    submitters = [m.name.canonical for m in frame.find("name.submitter", 0, end)]
    vendors = [m.name.canonical for m in frame.find("name.vendor", 0, end)]
    said = rounds(frame, 0, end)
    counts = [n.value.value for n in frame.numbers]
    if title is not None:
        said += title.rounds
        chips += title.subject.accelerators if title.subject else []
        submitters += [title.submitter] if title.submitter else []
        vendors += [title.vendor] if title.vendor else []
        counts += [title.count] if title.count else []
    return Beside(
        rounds=_once(said),
        submitters=_once(submitters),
        vendors=_once(vendors),
        accelerators=_once(chips),
        counts=tuple(sorted({int(c) for c in counts if 0 < c <= _LARGEST and c == int(c)})),
    )


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
