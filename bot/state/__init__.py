"""What the bot remembers. Front door: `State`, with the records of `bot.state.records`."""

from bot.state.engine import StateError
from bot.state.store import State

__all__ = ["State", "StateError"]
