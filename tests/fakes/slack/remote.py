"""A fake Slack in a process of its own."""

from __future__ import annotations

from tests.fakes.remote import Remote


class RemoteSlack(Remote):
    """A running `python -m tests.fakes.slack`."""

    module = "tests.fakes.slack"

    @property
    def control(self) -> str:
        return f"{self.facts['address']}/control"
