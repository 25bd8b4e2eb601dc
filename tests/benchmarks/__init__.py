"""Benchmarks: `python -m tests.benchmarks` prints one table. Nothing here is a test: no time is asserted."""
