"""robots.txt as RFC 9309 reads it: the group for us, the longest rule that fits, `*` and `$`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote

AGENT = "smallprint"
MOST_BYTES = 500 * 1024  # RFC 9309, 2.5: a crawler reads at least so much
MOST_RULES = 2_000


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules for us: (path pattern, whether it allows)."""

    rules: tuple[tuple[str, bool], ...] = ()

    def allows(self, path: str) -> bool:
        """Whether a page at this path and query may be read; of two equally long rules the kind one."""
        path = unquote(path)
        fitting = [(len(pattern), kind) for pattern, kind in self.rules if fits(pattern, path)]
        return max(fitting)[1] if fitting else True


EVERYTHING = Robots()
NOTHING = Robots((("/", False),))


def parse(text: str) -> Robots:
    """The rules of a robots.txt for us: those of our name, else those for everybody."""
    groups: dict[str, list[tuple[str, bool]]] = {}
    agents: list[str] = []
    in_rules = False
    for raw in text.splitlines():
        name, colon, value = raw.partition("#")[0].partition(":")
        field, value = name.strip().lower(), value.strip()
        if not colon:
            continue
        if field == "user-agent":
            agents = [value.lower()] if in_rules else [*agents, value.lower()]
            in_rules = False
            groups.setdefault(value.lower(), [])
        elif field in ("allow", "disallow"):
            in_rules = True
            for agent in agents if value else ():
                if len(groups[agent]) < MOST_RULES:
                    groups[agent].append((unquote(value), field == "allow"))
    ours = [rules for agent, rules in groups.items() if agent == AGENT or agent.startswith(f"{AGENT}/")]
    return Robots(tuple(ours[0] if ours else groups.get("*", ())))


def fits(pattern: str, path: str) -> bool:
    """Whether a path begins as a pattern says: pieces between stars are found in their order."""
    anchored = pattern.endswith("$")
    first, *pieces = (pattern[:-1] if anchored else pattern).split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for number, piece in enumerate(pieces):
        if anchored and number == len(pieces) - 1:
            return len(path) - len(piece) >= at and path.endswith(piece)
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return at == len(path) if anchored else True
