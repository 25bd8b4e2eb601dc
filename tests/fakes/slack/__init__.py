"""A strict Slack on the loopback interface: Web API, Socket Mode, signed HTTP, OAuth, and people who use it.

    async with Slack.running("deploy/slack/thread.yaml", scale=0.01) as slack:
        ws = slack.workspace("Acme")
        ann = ws.user("ann")
        general = ws.channel("general", ann)
        ...start the app with slack.api_url, slack.app_token and ws.token...
        await slack.connected()
        message = await ann.asks(general, "read this: …")
        (answer,) = await slack.answered(message)

It refuses what Slack refuses; what no correct app does fails the test at the end of the context.
"""

from tests.fakes.slack.core import ApiError, Call, Fault
from tests.fakes.slack.delivery import Delivery, NotAckedError
from tests.fakes.slack.manifest import EVERYTHING, Manifest
from tests.fakes.slack.model import Channel, Message, ScenarioError, View
from tests.fakes.slack.scenario import User, Workspace
from tests.fakes.slack.server import Slack

__all__ = [
    "EVERYTHING",
    "ApiError",
    "Call",
    "Channel",
    "Delivery",
    "Fault",
    "Manifest",
    "Message",
    "NotAckedError",
    "ScenarioError",
    "Slack",
    "User",
    "View",
    "Workspace",
]
