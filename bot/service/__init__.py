"""The core of the chat bot: events in, decisions and durable work out."""

from bot.service.service import Service, Shown

__all__ = ["Service", "Shown"]
