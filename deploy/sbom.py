"""Writes what is installed as a CycloneDX bill of materials: `python deploy/sbom.py > sbom.json`."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, distribution, distributions
from typing import Any

PROGRAM = "smallprint"


def needed(name: str = PROGRAM) -> list[Distribution]:
    """The program's packages, those that they need too, each once; what is not installed is left out."""
    here = {normal(one.metadata["Name"]): one for one in distributions()}
    found: dict[str, Distribution] = {}
    waiting = [normal(name)]
    while waiting:
        key = waiting.pop()
        if key in found or key not in here:
            continue
        found[key] = here[key]
        # An extra's packages are part of the program where they are installed.
        waiting += [normal(re.split(r"[^\w.-]", line, maxsplit=1)[0]) for line in here[key].requires or ()]
    return [found[key] for key in sorted(found) if key != normal(name)]


def normal(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def component(one: Distribution) -> dict[str, Any]:
    """A package as CycloneDX 1.6 names it."""
    name = normal(one.metadata["Name"])
    licence = one.metadata.get("License-Expression") or (one.metadata.get("License") or "").split("\n")[0]
    found: dict[str, Any] = {
        "type": "library",
        "name": name,
        "version": one.version,
        "purl": f"pkg:pypi/{name}@{one.version}",
        "bom-ref": f"{name}@{one.version}",
    }
    if licence:
        found["licenses"] = [{"license": {"name": licence[:100]}}]
    return found


def bill() -> dict[str, Any]:
    """The whole bill of materials; without a time, so that equal installations give equal files."""
    program = distribution(PROGRAM)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": PROGRAM, "version": program.version}},
        "components": [component(one) for one in needed()],
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=2)
    print()
