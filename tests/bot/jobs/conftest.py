"""Durable work in each of the two databases."""

from __future__ import annotations

from tests.postgres import state_url

__all__ = ["state_url"]
