"""Replies and pages as Slack's Block Kit: pure, without Slack's library."""

from bot.render.slack import views
from bot.render.slack.elements import escaped
from bot.render.slack.limits import faults
from bot.render.slack.message import Message, action, message, metadata, page

__all__ = ["Message", "action", "escaped", "faults", "message", "metadata", "page", "views"]
