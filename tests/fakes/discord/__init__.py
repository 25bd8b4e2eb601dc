"""A loopback Discord for tests: REST API and gateway over real sockets, strict about Discord's rules.

    async with Discord() as discord:
        ann = discord.user("ann", locale="de")
        general = discord.channel(discord.guild("Acme", ann), "general")
        … point the client at `discord.api`, with `discord.token`, and let it connect …
        asked = await ann.mentions(general, "a claim")
        (reply,) = await discord.answered(asked)
        assert discord.offences == []

What people do are verbs of `User`; what came of it is asked of `Discord`. Everything the app may not do is
refused with Discord's own code, and what no app should do at all is an offence besides. `fail` makes calls go
wrong on purpose. `python -m tests.fakes.discord` is the same as a process of its own.
"""

from tests.fakes.discord.core import Failure
from tests.fakes.discord.interactions import Interaction, Modal
from tests.fakes.discord.scenario import NotAnsweredError, ScenarioError, User
from tests.fakes.discord.server import Discord
from tests.fakes.discord.world import Account, Channel, Guild, Message

__all__ = [
    "Account",
    "Channel",
    "Discord",
    "Failure",
    "Guild",
    "Interaction",
    "Message",
    "Modal",
    "NotAnsweredError",
    "ScenarioError",
    "User",
]
