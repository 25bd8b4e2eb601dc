"""What a title, a heading or an earlier sentence leaves to the sentences after it."""

from __future__ import annotations

from dataclasses import dataclass, field

from parsing.frame import Frame
from parsing.spans.local import HARDWARE, MAKERS, is_strong
from parsing.terms import labelled
from parsing.things import Thing, things

SCENARIOS = ("offline", "server", "interactive", "singlestream", "multistream")
SCENARIO_LABELS = {f"scenario.{name}": name for name in SCENARIOS}
_FIGURE = 1000

Said = tuple[str, int, int]  # a name, and the tokens [start, end) that say it


@dataclass(slots=True)
class Context:
    """Facts that hold until something else is said."""

    rounds: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    scenarios: list[str] = field(default_factory=list)
    subject: Thing | None = None
    baseline: Thing | None = None
    submitter: str | None = None
    vendor: str | None = None
    division: str | None = None
    availability: str | None = None
    nodes: int | None = None
    count: int | None = None
    mlperf: bool | None = None
    suite: str | None = None
    training: bool = False
    verified: bool | None = None
    figures: list[float] = field(default_factory=list)
    unit: str | None = None

    def add(self, other: Context) -> None:
        """Take over what a heading says: it is nearer than the title."""
        for name in (
            "rounds",
            "models",
            "scenarios",
            "subject",
            "submitter",
            "vendor",
            "division",
            "availability",
        ):
            if getattr(other, name):
                setattr(self, name, getattr(other, name))
        for name in ("nodes", "count", "mlperf", "suite", "verified", "unit"):
            if getattr(other, name) is not None:
                setattr(self, name, getattr(other, name))
        self.training = self.training or other.training


def hints(frame: Frame, context: Context) -> None:
    """What a text itself says only once holds for all of it: its round, that it is about MLPerf."""
    if context.mlperf is None and "benchmark.ours" in frame.by_label:
        context.mlperf = True
    if not context.rounds:
        said = rounds(frame, 0, len(frame.tokens))
        context.rounds = said if len(said) == 1 else []
    context.unit = context.unit or unit(frame)


def context_of(frame: Frame) -> Context:
    """What a title or a heading says."""
    low, high = 0, len(frame.tokens)
    context = Context()
    context.rounds = rounds(frame, low, high)
    context.models = models(frame, low, high)
    context.scenarios = [s for s, _, _ in scenarios(frame, low, high)]
    named = things(frame, low, high)
    hardware = [t for t in named if t.hardware]
    context.subject = hardware[0] if hardware else None
    context.submitter = next((t.submitter for t in named if t.submitter), None)
    context.vendor = next((t.vendor for t in named if t.said), None)
    context.division = division(frame, low, high)
    context.availability = availability(frame, low, high)
    context.mlperf = tied(frame, low, high)
    context.suite = suite(frame, low, high)
    context.training = context.suite == "training"
    context.verified = False if frame.any("verified.false", low, high) else None
    context.unit = unit(frame)
    _counts(frame, context)
    return context


def unit(frame: Frame) -> str | None:
    """The rate that stands for all figures: one that belongs to no number of its own ("all in tokens/s")."""
    said = {
        label[5:]
        for label in labelled("unit.")
        if label in frame.by_label and label.endswith("/s")
        for m in frame.by_label[label]
        if m.start - 1 not in frame.number_at
    }
    return said.pop() if len(said) == 1 else None


def _counts(frame: Frame, context: Context) -> None:
    for number in frame.numbers:
        if frame.has(number.end, "noun.node") and not frame.has(number.end, "scenario.server"):
            context.nodes = int(number.value.value)
        elif frame.has(number.end, "noun.accelerator"):
            context.count = int(number.value.value)


def rounds(frame: Frame, low: int, high: int) -> list[str]:
    found = [
        label[6:] for m in frame.find("round", low, high) for label in m.labels if label.startswith("round.")
    ]
    return list(dict.fromkeys(found))


def models(frame: Frame, low: int, high: int) -> list[str]:
    return list(dict.fromkeys(m.name.canonical for m in frame.find("name.model", low, high)))


def scenarios(frame: Frame, low: int, high: int) -> list[Said]:
    """The scenarios of a sentence: (name, start, end), machines that serve taken out."""
    found = []
    for label in [label for label in SCENARIO_LABELS if label in frame.by_label]:
        name = SCENARIO_LABELS[label]
        for mention in frame.find(label, low, high):
            if name == "server" and is_machine(frame, mention.start, mention.end):
                continue
            if name == "interactive" and frame.has(mention.end, "interactive.after"):
                continue
            found.append((name, mention.start, mention.end))
    return sorted(found, key=lambda s: s[1])


def is_machine(frame: Frame, start: int, end: int) -> bool:
    """Whether "server" means a computer here and not the scenario."""
    if end - start > 1 or not frame.has(start, "noun.node", "thing.node"):
        return False
    if frame.gap(start) == "-" and frame.has(start - 1, *HARDWARE, *MAKERS):
        return True  # "der Dell-Server"
    if frame.has(end, "machine.after"):
        return True
    if _equipped(frame, end):
        return True
    if frame.has(end, "mode.noun") and not frame.has(end, "link.and"):
        return False
    if frame.has(start - 2, "mode.as") and frame.has(start - 1, "link.determiner"):
        return False  # "X tokens/s as a server"
    number = frame.number_at.get(start - 1)
    counted = number is not None and number.value.value < _FIGURE
    if frame.has(start - 1, "machine.before") or counted:
        return not frame.has(end, "mode.noun")
    return _made_by(frame, start) and frame.text[frame.tokens[start].start].islower()


def _equipped(frame: Frame, end: int) -> bool:
    """ "a server with eight H200": what the machine holds stands behind it."""
    if not frame.has(end, "thing.holds", "thing.of"):
        return False
    return any(i in frame.number_at or frame.has(i, *HARDWARE) for i in range(end + 1, end + 3))


def _made_by(frame: Frame, start: int) -> bool:
    """ "the B200 server", "Quanta's server": a chip or a maker stands right before."""
    before = start - 1
    if frame.low(before) == "s" and frame.gap(before) in ("'", "’"):
        before -= 1
    return frame.has(before, *HARDWARE, *MAKERS)


def division(frame: Frame, low: int, high: int) -> str | None:
    for name in ("open", "closed"):
        for mention in frame.find(f"division.{name}", low, high):
            if not frame.has(mention.end, "division.not") and not is_strong(frame, mention.start):
                return name
    return None


def availability(frame: Frame, low: int, high: int) -> str | None:
    return next(
        (name for name in ("preview", "rdi", "available") if frame.any(f"availability.{name}", low, high)),
        None,
    )


def tied(frame: Frame, low: int, high: int) -> bool | None:
    """True where MLPerf is named, false where another benchmark or an own measurement is, else null."""
    other = frame.any("name.benchmark", low, high) or frame.any("benchmark.other", low, high)
    if other:
        return False
    return True if frame.any("benchmark.ours", low, high) else None


def suite(frame: Frame, low: int, high: int) -> str | None:
    """Training or inference where exactly one of them is named."""
    trained = frame.any("suite.training", low, high) or any(
        m.name.training for m in frame.find("name.model", low, high)
    )
    served = frame.any("suite.inference", low, high)
    if trained != served:
        return "training" if trained else "inference"
    return None
