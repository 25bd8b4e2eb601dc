"""What can go wrong on this floor. Every message is one clear line, fit to show to a person."""

from __future__ import annotations


class KnowledgeError(Exception):
    """Base: the message is one line that says what is wrong and what to do."""


class SourceError(KnowledgeError):
    """A published file cannot be read as results: which file, where in it, and why."""


class StoreError(KnowledgeError):
    """The knowledge file cannot be read or written: which file, why, and what was kept."""


class ClockError(KnowledgeError):
    """A date given from outside is not a date."""


class ReceiptError(KnowledgeError):
    """A receipt is not one of ours, is mistyped, or names rows that are not stored."""
