"""What a deployment can set for Slack."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urljoin

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.settings import api_address, loaded

Variant = Literal["minimal", "thread", "scan"]


class SlackSettings(BaseSettings):
    """Tokens and choices of the Slack edge; nothing set means no Slack."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, env_ignore_empty=True)

    bot_token: SecretStr | None = Field(
        default=None,
        validation_alias="SMALLPRINT_SLACK_BOT_TOKEN",
        description="Bot token (xoxb-…) of the one workspace that is served.",
    )
    app_token: SecretStr | None = Field(
        default=None,
        validation_alias="SMALLPRINT_SLACK_APP_TOKEN",
        description="App-level token (xapp-…, connections:write): turns Socket Mode on.",
    )
    signing_secret: SecretStr | None = Field(
        default=None,
        validation_alias="SMALLPRINT_SLACK_SIGNING_SECRET",
        description="Signing secret: turns HTTP mode on, where there is no app-level token.",
    )
    client_id: str | None = Field(
        default=None,
        validation_alias="SMALLPRINT_SLACK_CLIENT_ID",
        description="Client ID, to be installed by many workspaces (OAuth).",
    )
    client_secret: SecretStr | None = Field(
        default=None,
        validation_alias="SMALLPRINT_SLACK_CLIENT_SECRET",
        description="Client secret that belongs to the client ID.",
    )
    redirect_url: str | None = Field(
        default=None,
        validation_alias="SMALLPRINT_SLACK_REDIRECT_URL",
        description="Public address of /slack/oauth_redirect, where the app has several redirect URLs.",
    )
    manifest: Variant = Field(
        default="minimal",
        validation_alias="SMALLPRINT_SLACK_MANIFEST",
        description="Manifest that the app was made from: minimal, thread or scan.",
    )
    admins: str = Field(
        default="",
        validation_alias="SMALLPRINT_SLACK_ADMINS",
        description="User IDs, separated by commas, that may change settings everywhere.",
    )
    api: str = Field(
        default="https://slack.com/api/",
        validation_alias="SMALLPRINT_SLACK_API",
        description="Base address of the Web API: https, or http on this machine.",
    )

    @field_validator("api")
    @classmethod
    def _safe(cls, url: str) -> str:
        safe = api_address(url)
        return safe if safe.endswith("/") else f"{safe}/"

    @property
    def wanted(self) -> bool:
        """Whether Slack is to be served at all."""
        return bool(self.bot_token or self.client_id)

    @property
    def sockets(self) -> bool:
        """Whether events come by Socket Mode."""
        return self.app_token is not None

    @property
    def people(self) -> frozenset[str]:
        """The IDs of `admins`."""
        return frozenset(part.strip() for part in self.admins.split(",") if part.strip())

    @property
    def authorize_url(self) -> str:
        """Slack's consent page, beside the Web API."""
        return urljoin(self.api, "../oauth/v2/authorize")

    def faults(self) -> list[str]:
        """What does not fit together, a line each that says what to do."""
        rules = (
            (
                self.bot_token is not None and self.client_id is not None,
                "SMALLPRINT_SLACK_BOT_TOKEN and SMALLPRINT_SLACK_CLIENT_ID are both set: keep the token for "
                "one workspace, or the client ID for many",
            ),
            (
                self.client_id is not None and self.client_secret is None,
                "SMALLPRINT_SLACK_CLIENT_SECRET is missing beside the client ID",
            ),
            (
                self.wanted and self.app_token is None and self.signing_secret is None,
                "set SMALLPRINT_SLACK_APP_TOKEN (Socket Mode) or SMALLPRINT_SLACK_SIGNING_SECRET (HTTP mode)",
            ),
            (
                not self.wanted and (self.app_token is not None or self.signing_secret is not None),
                "set SMALLPRINT_SLACK_BOT_TOKEN too, or SMALLPRINT_SLACK_CLIENT_ID for many workspaces",
            ),
            (
                self.bot_token is not None and not self.bot_token.get_secret_value().startswith("xox"),
                "SMALLPRINT_SLACK_BOT_TOKEN is no bot token (it begins with xoxb-)",
            ),
            (
                self.app_token is not None and not self.app_token.get_secret_value().startswith("xapp-"),
                "SMALLPRINT_SLACK_APP_TOKEN is no app-level token (it begins with xapp-)",
            ),
        )
        return [line for wrong, line in rules if wrong]


def slack_settings() -> SlackSettings:
    """The settings of this process. Raises UserError for a wrong value, never with a secret in it."""
    return loaded(SlackSettings)
