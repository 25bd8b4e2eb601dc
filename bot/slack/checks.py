"""What keeps Slack from working as wanted, for `smallprint doctor`: Slack is asked, nothing is started."""

from __future__ import annotations

import email.utils
import time

import aiohttp
from pydantic import SecretStr
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.slack.features import features_text, scopes_of_variant
from bot.slack.installs import scopes_of
from bot.slack.port import web_client
from bot.slack.settings import SlackSettings

SKEW = 60.0  # seconds by which this clock may differ; from 300 on Slack's signatures are refused
NEW_APP_TOKEN = "make a new one with connections:write"
INSTALL_AGAIN = "install the app again, copy its token"


async def examine(settings: SlackSettings, *, proxy: str | None = None) -> tuple[list[str], list[str]]:
    """What must be done, and then what works with the scopes that were granted, a line each."""
    if faults := settings.faults():
        return faults, []
    async with aiohttp.ClientSession() as session:
        asking = _Asking(settings, session, proxy)
        found = [] if settings.app_token is None else await asking.app_token(settings.app_token)
        if settings.bot_token is not None:
            found += await asking.bot_token(settings.bot_token)
    if asking.granted is None:
        return found, []
    return found, features_text(asking.granted).splitlines()


class _Asking:
    """One round of questions. granted: the scopes of the one workspace; None where Slack did not say.

    Of an app that many workspaces install, each at its own time, only the manifest's scopes are known.
    """

    def __init__(self, settings: SlackSettings, session: aiohttp.ClientSession, proxy: str | None) -> None:
        self._api, self._session, self._proxy = settings.api, session, proxy
        self._wanted, self._manifest = scopes_of_variant(settings.manifest), settings.manifest
        self.granted = None if settings.client_id is None else self._wanted

    async def app_token(self, token: SecretStr) -> list[str]:
        """Whether Socket Mode would be let in."""
        client = web_client(None, self._api, self._session, self._proxy)
        try:
            await client.apps_connections_open(app_token=token.get_secret_value())
        except SlackApiError as error:
            return [_refused("SMALLPRINT_SLACK_APP_TOKEN", error, NEW_APP_TOKEN)]
        except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as error:
            return [self._unreached(error)]
        return []

    async def bot_token(self, token: SecretStr) -> list[str]:
        """Whether the token is one, its scopes, and the clock."""
        client = web_client(token.get_secret_value(), self._api, self._session, self._proxy)
        try:
            answer = await client.auth_test()
        except SlackApiError as error:
            return [_refused("SMALLPRINT_SLACK_BOT_TOKEN", error, INSTALL_AGAIN)]
        except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as error:
            return [self._unreached(error)]
        self.granted = scopes_of(header(answer, "x-oauth-scopes"))
        return [*self._missing(self.granted), *skew(header(answer, "date"))]

    def _missing(self, granted: frozenset[str]) -> list[str]:
        missing = ", ".join(sorted(self._wanted - granted))
        if not missing:
            return []
        return [
            f"the manifest {self._manifest!r} asks for {missing}, which this installation does not have: "
            "install the app again"
        ]

    def _unreached(self, error: Exception) -> str:
        return f"Slack cannot be reached at {self._api} ({type(error).__name__}): look at network and proxy"


def _refused(name: str, error: SlackApiError, what: str) -> str:
    answer = error.response
    if not isinstance(answer.data, dict):  # not Slack's own words: something on the way, or its trouble
        return f"Slack answered {answer.status_code}: try again later"
    return f"Slack refuses {name} ({answer.data.get('error')}): {what}"


def header(answer: AsyncSlackResponse, name: str) -> str:
    """A header of an answer, however it is spelt; empty where there is none."""
    return next((str(value) for key, value in answer.headers.items() if key.lower() == name), "")


def skew(date: str) -> list[str]:
    """A line where this machine's clock differs too much from Slack's. `date`: of an HTTP header."""
    try:
        theirs = email.utils.parsedate_to_datetime(date).timestamp()
    except (TypeError, ValueError):
        return []
    off = time.time() - theirs
    if abs(off) < SKEW:
        return []
    return [f"the clock is {off:+.0f} s off Slack's: set it, or signatures are refused from 300 s on"]
