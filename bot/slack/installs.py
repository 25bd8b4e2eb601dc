"""Where the app is installed: one workspace by its token, or many by OAuth with tokens sealed at rest."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import sqlalchemy as sa
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.keys import Keys
from bot.slack.port import calling

KEPT = 60.0  # seconds for which an installation is not asked for again
# Minutes before its end at which a token that expires is exchanged (docs.slack.dev, token rotation: 12 h).
EXCHANGE_BEFORE = 120
TOKENS = ("bot_token", "bot_refresh_token", "user_token", "user_refresh_token", "incoming_webhook_url")


@dataclass(frozen=True, slots=True)
class Installed:
    """One installation. workspace: the team's ID, or the organisation's where it installed us as a whole."""

    workspace: str
    token: str
    user: str
    bot: str
    scopes: frozenset[str] = frozenset()
    installer: str = ""
    team: str | None = None
    enterprise: str | None = None

    @property
    def whole(self) -> bool:
        """Whether an organisation installed us for all its workspaces."""
        return self.team is None


class Installs(Protocol):
    """Where the app is installed."""

    async def of(self, workspace: str) -> Installed | None:
        """The installation of a workspace, None where there is none.

        Raises RefusedError where Slack refuses its token, NotNowError, and what the store raises.
        """

    async def forget(self, workspace: str) -> None:
        """An installation is gone: delete its tokens."""


class OneInstall:
    """The one workspace of a bot token. auth.test says who we are there, once."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._found: Installed | None = None
        self._asking = asyncio.Lock()

    async def of(self, workspace: str = "") -> Installed | None:
        """The installation; `workspace` is not looked at."""
        async with self._asking:  # the first events come together, and one question is enough
            if self._found is None:
                self._found = await self._asked()
            return self._found

    async def _asked(self) -> Installed:
        who = await calling(self._client.auth_test)
        whole = bool(who.get("is_enterprise_install"))
        enterprise = who.get("enterprise_id")
        scopes = who.headers.get("x-oauth-scopes") or who.headers.get("X-OAuth-Scopes") or ""
        return Installed(
            workspace=str(enterprise if whole and enterprise else who["team_id"]),
            token=str(self._client.token),
            user=str(who["user_id"]),
            bot=str(who.get("bot_id") or ""),
            scopes=scopes_of(scopes),
            team=None if whole else str(who["team_id"]),
            enterprise=enterprise,
        )

    async def forget(self, workspace: str) -> None:
        """Ask again, should the token ever work again; it is not ours to delete."""
        self._found = None


class SealedText(sa.types.TypeDecorator[str]):
    """Text that the database holds sealed."""

    impl = sa.Text
    cache_ok = False

    def __init__(self, keys: Keys) -> None:
        super().__init__()
        self._keys = keys

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        """What is stored."""
        return None if value is None else self._keys.seal(value)

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        """What was stored. Raises KeysError where no key opens it."""
        return None if value is None else self._keys.open(value)


class SealedStore(AsyncSQLAlchemyInstallationStore):
    """slack_sdk's own store, with its tokens sealed, and found by our name of a workspace."""

    def __init__(self, client_id: str, engine: AsyncEngine, keys: Keys) -> None:
        super().__init__(client_id, engine)
        self.noticed: Callable[[str], None] = lambda workspace: None
        for table in (self.bots, self.installations):
            for name in TOKENS:
                if name in table.c:
                    table.c[name].type = SealedText(keys)

    async def async_save(self, installation: Installation) -> None:
        """Save an installation; what was remembered of its workspace is old from now on."""
        await super().async_save(installation)
        self.noticed(str(installation.team_id or installation.enterprise_id))

    async def bot_of(self, workspace: str) -> Bot | None:
        """The newest bot of a workspace, or of a whole organisation."""
        found = await self._newest(self.bots, workspace)
        return self._bot(found) if found is not None else None

    async def installer_of(self, workspace: str) -> str:
        """Who installed us there last, "" where that is not known."""
        found = await self._newest(self.installations, workspace)
        return str(found["user_id"] or "") if found is not None else ""

    async def delete_of(self, workspace: str) -> None:
        """Delete all that is kept of an installation."""
        async with self.engine.begin() as connection:
            for table in (self.bots, self.installations):
                await connection.execute(table.delete().where(self._here(table, workspace)))

    def _here(self, table: sa.Table, workspace: str) -> sa.ColumnElement[bool]:
        c = table.c
        whole = sa.and_(c.team_id.is_(None), c.enterprise_id == workspace)
        return sa.and_(c.client_id == self.client_id, sa.or_(c.team_id == workspace, whole))

    async def _newest(self, table: sa.Table, workspace: str) -> Any:
        query = (
            table.select().where(self._here(table, workspace)).order_by(table.c.installed_at.desc()).limit(1)
        )
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).mappings().first()

    @staticmethod
    def _bot(row: Any) -> Bot:
        from slack_sdk.oauth.installation_store.sqlalchemy import SQLAlchemyInstallationStore

        return SQLAlchemyInstallationStore.build_bot_entity(row)


class ManyInstalls:
    """The workspaces that installed us by OAuth."""

    def __init__(self, store: SealedStore, client: AsyncWebClient, secret: str) -> None:
        self._store = store
        store.noticed = self._old
        self._rotator = AsyncTokenRotator(client_id=store.client_id, client_secret=secret, client=client)
        self._kept: dict[str, tuple[float, Installed]] = {}

    async def of(self, workspace: str) -> Installed | None:
        """The installation of a workspace; a token near its end is exchanged first."""
        kept = self._kept.get(workspace)
        if kept is not None and time.monotonic() - kept[0] < KEPT:
            return kept[1]
        bot = await self._store.bot_of(workspace)
        if bot is None or not bot.bot_token:
            self._old(workspace)
            return None
        bot = await self._fresh(bot)
        found = Installed(
            workspace=workspace,
            token=bot.bot_token,
            user=bot.bot_user_id or "",
            bot=bot.bot_id or "",
            scopes=scopes_of(",".join(bot.bot_scopes or ())),
            installer=await self._store.installer_of(workspace),
            team=bot.team_id,
            enterprise=bot.enterprise_id,
        )
        self._kept[workspace] = (time.monotonic(), found)
        return found

    async def _fresh(self, bot: Bot) -> Bot:
        found = await calling(
            lambda: self._rotator.perform_bot_token_rotation(
                bot=bot, minutes_before_expiration=EXCHANGE_BEFORE
            )
        )
        if found is None:
            return bot
        await self._store.async_save_bot(found)
        return found

    def _old(self, workspace: str) -> None:
        self._kept.pop(workspace, None)

    async def forget(self, workspace: str) -> None:
        """Delete the tokens of a workspace."""
        self._old(workspace)
        await self._store.delete_of(workspace)


async def create_tables(*metadatas: sa.MetaData, engine: AsyncEngine) -> None:
    """Make the tables of slack_sdk's stores. Two replicas may start at once: one of them tries again."""
    for attempt in (1, 2):
        try:
            async with engine.begin() as connection:
                for metadata in metadatas:
                    await connection.run_sync(metadata.create_all)
            return
        except DBAPIError:
            if attempt == 2:
                raise


def scopes_of(text: str) -> frozenset[str]:
    """Scopes as Slack lists them, separated by commas."""
    return frozenset(part.strip() for part in text.split(",") if part.strip())
