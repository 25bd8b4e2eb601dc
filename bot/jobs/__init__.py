"""Durable work: what was submitted is done, once, also over crashes, upgrades and many replicas.

Front door: `Jobs`; a handler raises `Again` to be called later.
"""

from bot.jobs.queue import Again, Jobs

__all__ = ["Again", "Jobs"]
