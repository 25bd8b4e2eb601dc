"""The fake Discord itself: people, servers, channels, what happens there, and what a test asks of it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

from aiohttp import web

from tests.fakes.discord import control, limits
from tests.fakes.discord.api import PREFIX, Api
from tests.fakes.discord.core import Failure, Journal
from tests.fakes.discord.gateway import DIRECT, GUILD_MESSAGES, GUILDS, REACTIONS, Gateway, Session
from tests.fakes.discord.interactions import Interaction, Modal
from tests.fakes.discord.scenario import User
from tests.fakes.discord.world import BITS, DM, Account, Channel, Guild, Message, snowflake

Json = dict[str, Any]
QUIET = 0.15  # seconds without a call after which nothing more is to come


class Discord:
    """A whole Discord on a loopback port, with one bot application.

    content_allowed: whether the message content intent is on in the developer portal. rate_limits: whether
    50 calls a second, and 5 messages in 5 seconds for each channel, are all that is taken. answer_within:
    seconds that the app has to answer an interaction.
    """

    def __init__(
        self,
        *,
        journal: Path | None = None,
        content_allowed: bool = False,
        rate_limits: bool = False,
        shards: int = 1,
        answer_within: float = limits.ANSWER_WITHIN,
    ) -> None:
        self.token = "fake-token." + secrets.token_hex(8)
        self.me = Account(snowflake(), "smallprint", bot=True)
        self.content_allowed, self.shards, self.answer_within = content_allowed, shards, answer_within
        self.users: dict[str, User] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}
        self.commands: list[Json] = []
        self.puts = 0  # how often the commands were sent
        self.interactions: dict[str, Interaction] = {}  # by token
        self.hidden: list[Message] = []  # the ephemeral messages
        self.modals_open: list[Modal] = []
        self.offences: list[str] = []
        self.gateway = Gateway(self)
        self.rest = Api(self, rate_limits=rate_limits)
        self.journal = Journal(journal)
        self.note = self.journal.note
        self.address = ""
        self._nonces: dict[str, tuple[float, Message]] = {}
        self._runner: web.AppRunner | None = None

    # -- running

    @property
    def api(self) -> str:
        """The base address of the REST API."""
        return f"http://{self.address}{PREFIX}"

    @property
    def gateway_url(self) -> str:
        """The address of the gateway."""
        return f"ws://{self.address}/gateway"

    @property
    def requests(self) -> list[tuple[str, str]]:
        """Every call of the API so far: its method, and its path below /api/v10."""
        return self.rest.requests

    async def start(self, port: int = 0) -> None:
        """Listen on a loopback port, a free one for 0."""
        app = web.Application(client_max_size=2 * limits.UPLOAD)
        for path in ("/gateway", "/gateway/"):
            app.router.add_get(path, self.gateway.handle)
        app.router.add_post("/control/{what}", self._control)
        self.rest.add(app)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        sockets = cast("asyncio.Server", site._server).sockets
        self.address = f"127.0.0.1:{sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Listen no more."""
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
        self.journal.close()

    async def __aenter__(self) -> Discord:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    def offend(self, what: str) -> None:
        """Something that no app should do, whatever its answer was."""
        self.offences.append(what)
        self.note("offence", about=what)

    def fail(self, method: str, path: str, **how: Any) -> Failure:
        """Let the next calls go wrong, see `Failure`: fail("POST", "/messages", retry_after=0.2)."""
        failure = Failure(method, path, **how)
        self.rest.failures.append(failure)
        return failure

    async def _control(self, request: web.Request) -> web.Response:
        return await control.handle(self, request)

    # -- who and what there is; before the bot connects, or told to it by `invites` and `permits`

    def user(self, name: str, *, locale: str = "en-US", admin: bool = False) -> User:
        """A new person."""
        found = User(snowflake(), name, locale=locale, admin=admin, discord=self)
        self.users[found.id] = found
        return found

    def guild(self, name: str, owner: Account, *, locale: str = "en-US", bot: bool = True) -> Guild:
        """A new server. bot: False where people only have the app on their own accounts."""
        found = Guild(snowflake(), name, owner, locale, bot)
        self.guilds[found.id] = found
        return found

    def channel(self, guild: Guild, name: str, *, denied: Iterable[str] = ()) -> Channel:
        """A new text channel. denied: what the bot may not do in it."""
        found = Channel(snowflake(), name, guild, denied=set(denied))
        assert found.denied <= BITS.keys()
        guild.channels[found.id] = self.channels[found.id] = found
        return found

    def direct(self, user: Account) -> Channel:
        """The direct conversation of a person with the bot."""
        for one in self.channels.values():
            if one.recipient is user:
                return one
        found = Channel(snowflake(), "", type=DM, recipient=user)
        self.channels[found.id] = found
        return found

    async def invites(self, guild: Guild) -> None:
        """The bot is invited to a server."""
        guild.bot = True
        await self.gateway.tell("GUILD_CREATE", guild.json(self.me), guild=guild.id, intent=GUILDS)

    async def removes_bot(self, guild: Guild) -> None:
        """The bot is removed from a server."""
        guild.bot = False
        await self.gateway.tell("GUILD_DELETE", {"id": guild.id}, guild=guild.id, intent=GUILDS)

    async def outage(self, guild: Guild, *, over: bool = False) -> None:
        """A server is out of reach for a while, which is no removal."""
        if over:
            await self.invites(guild)
            return
        gone = {"id": guild.id, "unavailable": True}
        await self.gateway.tell("GUILD_DELETE", gone, guild=guild.id, intent=GUILDS)

    async def permits(self, channel: Channel, *, denied: Iterable[str] = ()) -> None:
        """Somebody changes what the bot may not do in a channel."""
        channel.denied = set(denied)
        await self.gateway.tell("CHANNEL_UPDATE", channel.json(), guild=channel.guild_id, intent=GUILDS)

    async def open_thread(self, thread: Channel) -> None:
        """Somebody starts a thread."""
        assert thread.guild is not None
        thread.guild.channels[thread.id] = self.channels[thread.id] = thread
        self.note("thread", id=thread.id, name=thread.name)
        told = {**thread.json(), "newly_created": True}
        await self.gateway.tell("THREAD_CREATE", told, guild=thread.guild_id, intent=GUILDS)

    # -- what the parts of the fake do with messages

    async def add(self, message: Message, *, event: bool = True) -> None:
        """A message appears in its channel."""
        channel = self.channels[message.channel]
        channel.messages[message.id] = message
        ours = message.author is self.me
        if ours and message.nonce:
            self._nonces[message.nonce] = (time.monotonic(), message)
        more = (
            {"nonce": message.nonce, "pings": message.pings, "source": self.source(message)} if ours else {}
        )
        what = "posted" if ours else "said"
        self.note(what, id=message.id, channel=channel.id, text=message.text, flags=message.flags, **more)
        if event:
            await self.tell("MESSAGE_CREATE", message)

    async def tell(self, event: str, message: Message) -> None:
        """Tell the bot of a message, where it is and may see it."""
        channel = self.channels[message.channel]
        if message.ephemeral or channel.lacks("view_channel") or (channel.guild and not channel.guild.bot):
            return
        intent = GUILD_MESSAGES if channel.guild else DIRECT
        told = message.json(channel.guild_id)
        await self.gateway.tell(event, told, guild=channel.guild_id, intent=intent)

    async def remove(self, message: Message) -> None:
        """A message disappears."""
        channel = self.channels[message.channel]
        self.note("deleted", id=message.id, channel=channel.id, ours=message.author is self.me)
        if message.ephemeral:
            if message in self.hidden:
                self.hidden.remove(message)
            return
        channel.messages.pop(message.id, None)
        told = {"id": message.id, "channel_id": channel.id, **guild_of(channel)}
        intent = GUILD_MESSAGES if channel.guild else DIRECT
        await self.gateway.tell("MESSAGE_DELETE", told, guild=channel.guild_id, intent=intent)

    async def purge(self, *messages: Message) -> None:
        """A moderator deletes many messages of one channel at once."""
        channel = self.channels[messages[0].channel]
        for one in messages:
            del channel.messages[one.id]
        told = {"ids": [one.id for one in messages], "channel_id": channel.id, **guild_of(channel)}
        await self.gateway.tell("MESSAGE_DELETE_BULK", told, guild=channel.guild_id, intent=GUILD_MESSAGES)

    async def previews(self, message: Message) -> None:
        """An embed of a link arrives; nobody edited anything."""
        message.embeds = [{"type": "link", "url": "https://example.com", "title": "a page"}]
        await self.tell("MESSAGE_UPDATE", message)

    async def react(self, who: Account, message: Message, emoji: str) -> None:
        """Somebody puts a sign on a message."""
        channel = self.channels[message.channel]
        told: Json = {"user_id": who.id, "message_id": message.id, "message_author_id": message.author.id}
        told |= {"channel_id": channel.id, "emoji": {"id": None, "name": emoji}, "burst": False, "type": 0}
        told |= guild_of(channel)
        await self.gateway.tell("MESSAGE_REACTION_ADD", told, guild=channel.guild_id, intent=REACTIONS)

    def sent_with(self, nonce: str) -> Message | None:
        """The message of the last minutes that was sent with a nonce, if it still stands."""
        at, found = self._nonces.get(nonce, (0.0, None))
        if found is None or time.monotonic() - at > limits.NONCE_LIFE:
            return None
        return found if found.id in self.channels[found.channel].messages else None

    # -- what a client is told

    def ready(self, session: str, shard: tuple[int, int], guilds: Iterable[Guild]) -> Json:
        """The READY event."""
        return {
            "v": 10,
            "user": self.me.json(),
            "guilds": [{"id": one.id, "unavailable": True} for one in guilds],
            "session_id": session,
            "resume_gateway_url": self.gateway_url,
            "application": {"id": self.me.id, "flags": 0},
            "shard": list(shard),
        }

    def member_chunk(self, asked: Json) -> Json:
        """The answer to a question for members."""
        ids = asked.get("user_ids") or []
        wanted = [ids] if isinstance(ids, str) else ids
        found = [self.users[one].member() for one in wanted if one in self.users]
        chunk = {"guild_id": asked["guild_id"], "members": found, "chunk_index": 0, "chunk_count": 1}
        return {
            **chunk,
            "nonce": asked.get("nonce"),
            "not_found": [one for one in wanted if one not in self.users],
        }

    # -- what came of it

    async def until(self, holds: Callable[[], object], within: float = 10.0) -> None:
        """Wait until something holds. Raises TimeoutError."""
        async with asyncio.timeout(within):
            while not holds():
                await asyncio.sleep(0.01)

    async def connected(self, within: float = 10.0) -> Session:
        """Wait until a client is there. Raises TimeoutError."""
        await self.until(lambda: self.gateway.connected, within)
        assert self.gateway.session is not None
        return self.gateway.session

    async def settled(self, within: float = 10.0) -> None:
        """Wait until no call runs, no interaction waits, and for a moment none comes. Raises TimeoutError."""
        async with asyncio.timeout(within):
            before = -1
            while before != len(self.requests) or self.rest.running or self.waiting():
                before = len(self.requests)
                await asyncio.sleep(QUIET)

    def waiting(self) -> list[Interaction]:
        """The interactions that may still be answered and are not, or that say "thinking"."""
        now = time.monotonic()
        return [
            one
            for one in self.interactions.values()
            if one.loading or (one.answer is None and now - one.began < self.answer_within)
        ]

    def posts(self, channel: Channel | None = None) -> list[Message]:
        """What the bot has posted for all: in a channel and its threads, or everywhere; the oldest first."""
        found = [
            message
            for one in self.channels.values()
            if channel is None or one is channel or one.parent is channel
            for message in one.messages.values()
            if message.author is self.me
        ]
        return sorted(found, key=lambda message: int(message.id))

    def source(self, post: Message) -> str | None:
        """The ID of the message that a post of the bot's answers: as a reply, or in the thread at it."""
        if post.reference is not None:
            return post.reference.id
        channel = self.channels[post.channel]
        return channel.id if channel.parent is not None else None

    def replies(self, message: Message) -> list[Message]:
        """The bot's posts that answer a message."""
        return [post for post in self.posts() if self.source(post) == message.id]

    def reply_counts(self) -> Counter[str]:
        """How many posts answer each message, by its ID."""
        found = (self.source(post) for post in self.posts())
        return Counter(source for source in found if source is not None)

    async def answered(
        self, about: Message | Interaction, count: int = 1, within: float = 10.0
    ) -> list[Message]:
        """The answers to a message or an interaction, once there are so many. Raises TimeoutError."""
        if isinstance(about, Interaction):
            await self.until(lambda: len(about.replies) >= count, within)
            return about.replies
        await self.until(lambda: len(self.replies(about)) >= count, within)
        return self.replies(about)

    def ephemerals(self, user: Account) -> list[Message]:
        """What the bot has told one person alone, the oldest first."""
        return [message for message in self.hidden if message.only_for is user]

    def modals(self, user: Account) -> list[Modal]:
        """The forms that a person has open, the newest last."""
        return [modal for modal in self.modals_open if modal.user is user]

    # -- interactions

    async def interact(
        self,
        user: Account,
        channel: Channel,
        kind: int,
        data: Json,
        *,
        message: Message | None = None,
    ) -> Interaction:
        """Tell the bot of an interaction, see `User` for what people do."""
        asked = Interaction(snowflake(), secrets.token_hex(12), kind, user, channel, message)
        guild = channel.guild
        body: Json = {
            "id": asked.id,
            "application_id": self.me.id,
            "type": kind,
            "token": asked.token,
            "version": 1,
            "channel_id": channel.id,
            "channel": channel.json(),
            "data": data,
            "locale": user.locale,
            "app_permissions": str(channel.bits()),
            "entitlements": [],
            "authorizing_integration_owners": owners(user, guild),
            "context": 0 if guild else 1,
            "attachment_size_limit": limits.UPLOAD,
        }
        if message is not None:
            body["message"] = message.json(channel.guild_id)
        if guild is not None:
            member = {**user.member(), "permissions": str(user.permissions)}
            short = {"id": guild.id, "locale": guild.locale, "features": []}
            body |= {"guild_id": guild.id, "guild": short, "guild_locale": guild.locale, "member": member}
        else:
            body["user"] = user.json()
        self.interactions[asked.token] = asked
        self.note("interaction", id=asked.id, kind=kind, user=user.id, locale=user.locale)
        await self.gateway.tell("INTERACTION_CREATE", body, guild=channel.guild_id)
        return asked


def owners(user: Account, guild: Guild | None) -> dict[str, str]:
    """By whom the app was installed: the server, or the person alone."""
    if guild is None:
        return {"0": "0"}
    return {"0": guild.id} if guild.bot else {"1": user.id}


def guild_of(channel: Channel) -> Json:
    """The guild's ID, where there is one."""
    return {"guild_id": channel.guild.id} if channel.guild else {}
