"""What can go wrong with the rows, each in one line that a person can act on."""

from __future__ import annotations


class KnowledgeError(Exception):
    """Base of the errors of this floor; the message is one clear line."""


class SourceError(KnowledgeError):
    """A published file cannot be read as a whole; the message names the file, the row and the fault."""


class StoreError(KnowledgeError):
    """The knowledge file cannot be read or written: which file, why, and what was kept."""


class ClockError(KnowledgeError):
    """A date given from outside is no date."""


class ReceiptError(KnowledgeError):
    """A receipt is not one of ours, is mistyped, or names rows that are not stored."""


class SyncError(KnowledgeError):
    """Published rounds could not be fetched or are not what they should be: where, and why."""
