"""A fake Discord in a process of its own."""

from __future__ import annotations

from tests.fakes.remote import Remote


class RemoteDiscord(Remote):
    """A running `python -m tests.fakes.discord`."""

    module = "tests.fakes.discord"
