"""`python -m tests.benchmarks [NAME …]`: run all benchmarks, or the named ones, and print the table."""

from __future__ import annotations

import sys

from tests.benchmarks.cases import BENCHMARKS
from tests.benchmarks.harness import print_table, run_one


def main(arguments: list[str]) -> int:
    """Exit code 0: all ran; 1: one did not run to its end; 2: an unknown name."""
    if arguments[:1] == ["--one"]:
        return run_one(BENCHMARKS[arguments[1]])
    unknown = [name for name in arguments if name not in BENCHMARKS]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    return print_table(arguments or list(BENCHMARKS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
