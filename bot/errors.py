"""An error that a user can act on: printed as one line, exit code 1."""

from __future__ import annotations


class UserError(Exception):
    """What went wrong, in one line of plain words."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(str(message).split()))
