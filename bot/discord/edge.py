"""The Discord edge: Discord's library on one side, the core's Service on the other."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import structlog
from aiohttp import web
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.discord import translate
from bot.discord.checks import BAD_TOKEN
from bot.discord.commands import Translator, add_commands
from bot.discord.drawing import Press, known
from bot.discord.interactions import Interactions
from bot.discord.missed import missed
from bot.discord.port import NO_MENTIONS, DiscordPort
from bot.discord.settings import API, DiscordSettings
from bot.discord.sync import synced
from bot.errors import UserError
from bot.events import Event
from bot.ports import NotNowError

if TYPE_CHECKING:
    from bot.service import Service
    from bot.state import State

log = structlog.get_logger(__name__)

READY_WITHIN = 15.0  # seconds for the first connection; Discord may take longer, and is then waited for
TRY_AGAIN = (1.0, 5.0, 15.0, 60.0)  # seconds between tries to log in; the last one goes on
TAKE_AGAIN = (0.5, 2.0, 5.0)  # Discord sends no event twice, so a failure of our own store is tried again
BAD_AUTHENTICATION = 4004  # developers/topics/opcodes-and-status-codes.mdx, gateway close codes
GATEWAY = DiscordWebSocket.DEFAULT_GATEWAY
NO_CONTENT = (
    "Discord refuses the message content intent (4014): turn it on for the bot in the developer portal, "
    "or unset SMALLPRINT_DISCORD_CONTENT"
)
RATE_LIMIT = 30.0  # seconds that the library waits by itself; longer waits are durable ones of the core


async def connect(
    service: Service, state: State, settings: DiscordSettings, *, proxy: str | None = None
) -> DiscordEdge:
    """A Discord edge that is ready to start; `proxy` is the way out where the network has one.

    Raises UserError where there is no token.
    """
    if settings.token is None:
        raise UserError("SMALLPRINT_DISCORD_TOKEN is not set")
    return DiscordEdge(service, settings, proxy)


def closed(error: discord.ConnectionClosed) -> str:
    """What is said of a connection that Discord will not open again."""
    return f"Discord closed the connection for good ({error.code})"


def _ended(task: asyncio.Task[None]) -> None:
    """Listening ended after it had begun: a token that was taken back, an intent that was turned off."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("platform_down", platform="discord", reason=str(error))


def intents(settings: DiscordSettings) -> discord.Intents:
    """What we ask to be told: guilds, their messages and reactions, direct messages; texts only if set."""
    wanted = discord.Intents.none()
    wanted.guilds = wanted.guild_messages = wanted.dm_messages = wanted.guild_reactions = True
    wanted.message_content = settings.content
    return wanted


class SmallprintBot(discord.AutoShardedClient):
    """The library's client: no message cache, no pings, commands and buttons that outlive a restart."""

    def __init__(self, service: Service, settings: DiscordSettings, proxy: str | None) -> None:
        super().__init__(
            intents=intents(settings),
            allowed_mentions=NO_MENTIONS,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=RATE_LIMIT,
            proxy=proxy,
        )
        self._service, self._settings = service, settings
        self.greeted = asyncio.Event()
        self.presses = Interactions(service, lambda: DiscordPort(self))
        self.tree: app_commands.CommandTree[SmallprintBot] = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        """Before the gateway: commands and buttons."""
        add_commands(self.tree)
        await self.tree.set_translator(Translator())
        self.add_dynamic_items(Press)
        try:
            await synced(self, self.tree)
        except discord.HTTPException as error:
            # The commands of an earlier run go on working.
            log.warning("commands_not_synced", platform="discord", reason=str(error.code))

    @property
    def me(self) -> translate.Me:
        """Who we are."""
        return translate.Me(self.user.id if self.user else 0, self._settings.content)

    # -- events

    async def on_shard_connect(self, shard: int) -> None:
        """Discord knows us, and tells of guilds and messages from here on."""
        self.greeted.set()

    async def on_ready(self) -> None:
        """A session began anew: whoever mentioned us while there was none is answered now."""
        async for message in missed(self, time.time()):
            parent = await self._parent(message.channel.id, message.guild, message.channel)
            event = translate.written(message, self.me, parent)
            if event is not None and event.kind == "mention":
                await self._take(event)

    async def on_message(self, message: discord.Message) -> None:
        """A new message."""
        parent = await self._parent(message.channel.id, translate.guild_of(message), message.channel)
        await self._take(translate.written(message, self.me, parent))

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """A changed message; also one that was written before we started."""
        message = payload.message
        parent = await self._parent(message.channel.id, translate.guild_of(message), message.channel)
        await self._take(translate.edited(message, self.me, parent))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message that is gone."""
        parent = await self._parent(payload.channel_id, payload.guild_id)
        await self._take(translate.deleted(payload.message_id, payload.guild_id, payload.channel_id, parent))

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many messages that are gone at once."""
        parent = await self._parent(payload.channel_id, payload.guild_id)
        for message in sorted(payload.message_ids):
            await self._take(translate.deleted(message, payload.guild_id, payload.channel_id, parent))

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Somebody put our sign on a message."""
        parent = await self._parent(payload.channel_id, payload.guild_id)
        await self._take(translate.reacted(payload, parent))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """We were removed from a guild: everything of it is deleted."""
        await self._service.uninstalled("discord", str(guild.id))
        log.info("uninstalled", platform="discord", workspace=str(guild.id))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Forms are answered here, so that one that was open over a restart is not lost."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self.presses.submitted(interaction)
        elif interaction.type is discord.InteractionType.component and not known(interaction):
            await self.presses.unknown(interaction)

    async def _take(self, event: Event | None) -> None:
        """Hand an event to the core. The gateway sends nothing twice, so a failure is tried again here."""
        if event is None or event.own:
            return
        for wait in (*TAKE_AGAIN, None):
            try:
                await self._service.take(event)
                return
            except Exception as error:
                log.warning("event_not_taken", job=event.id, reason=type(error).__name__, after=wait)
                if wait is not None:
                    await asyncio.sleep(wait)

    async def _parent(self, channel: int, guild: object, known: Any = None) -> int | None:
        """The channel that a thread belongs to, None for what is no thread."""
        if guild is None:
            return None
        found = (
            known
            if isinstance(known, discord.abc.GuildChannel | discord.Thread)
            else self.get_channel(channel)
        )
        if found is None:
            try:
                found = await self.fetch_channel(channel)
            except (discord.HTTPException, discord.InvalidData, aiohttp.ClientError, OSError):
                return None
        return found.parent_id if isinstance(found, discord.Thread) else None


class DiscordEdge:
    """Listens to Discord, hands events to the service, and is its way back."""

    def __init__(self, service: Service, settings: DiscordSettings, proxy: str | None = None) -> None:
        self._service, self._settings, self._proxy = service, settings, proxy
        self.bot = self._made()
        self._task: asyncio.Task[None] | None = None

    async def port(self, workspace: str) -> DiscordPort:
        """The port of a guild. Raises NotNowError before Discord knows us."""
        if self.bot.user is None:
            raise NotNowError("not_connected", TRY_AGAIN[1], sure=True)
        return DiscordPort(self.bot)

    async def start(self) -> None:
        """Log in and listen. Raises UserError where Discord refuses the token or an intent.

        Discord may be out of reach: then it is tried again, and the log says so. Later breaks are mended
        by the library, which resumes where it stopped.
        """
        if self._settings.api != API:
            Route.BASE = self._settings.api
        self._task = asyncio.get_running_loop().create_task(self._run())
        ready = asyncio.get_running_loop().create_task(self.bot.greeted.wait())
        await asyncio.wait((self._task, ready), timeout=READY_WITHIN, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._task.done():
            await self._task
        self._task.add_done_callback(_ended)

    async def _run(self) -> None:
        for wait in itertools.chain(TRY_AGAIN, itertools.repeat(TRY_AGAIN[-1])):
            try:
                await self._listen()
                return
            except discord.LoginFailure:
                raise UserError(BAD_TOKEN) from None
            except discord.PrivilegedIntentsRequired:
                raise UserError(NO_CONTENT) from None
            except discord.ConnectionClosed as error:
                raise UserError(BAD_TOKEN if error.code == BAD_AUTHENTICATION else closed(error)) from None
            except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
                log.warning("not_reached", platform="discord", reason=type(error).__name__, after=wait)
            await self.bot.close()
            await asyncio.sleep(wait)
            # A client that could not log in cannot be used again.
            self.bot = self._made()

    async def _listen(self) -> None:
        token = self._settings.token
        assert token is not None
        await self.bot.login(token.get_secret_value())
        if self._settings.api != API:
            # Another API has its own gateway, also for a session that cannot be resumed.
            _, url, _ = await self.bot.http.get_bot_gateway()
            DiscordWebSocket.DEFAULT_GATEWAY = URL(url)
        await self.bot.connect(reconnect=True)

    def _made(self) -> SmallprintBot:
        return SmallprintBot(self._service, self._settings, self._proxy)

    async def stop(self) -> None:
        """Listen no more."""
        with contextlib.suppress(Exception):  # it may never have been connected
            await self.bot.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = API, GATEWAY

    def routes(self) -> list[web.RouteDef]:
        """Discord needs no web server of ours."""
        return []
