"""What a deployment can set for Discord."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import UserError

API = "https://discord.com/api/v10"


class DiscordSettings(BaseSettings):
    """Token and choices of the Discord edge; no token means no Discord."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, env_ignore_empty=True)

    token: SecretStr | None = Field(
        default=None,
        validation_alias="SMALLPRINT_DISCORD_TOKEN",
        description="Bot token of the Discord application.",
    )
    content: bool = Field(
        default=False,
        validation_alias="SMALLPRINT_DISCORD_CONTENT",
        description="Ask for the message content intent, which only answers to links need.",
    )
    api: str = Field(
        default=API,
        validation_alias="SMALLPRINT_DISCORD_API",
        description="Base address of the REST API: https, or http on this machine.",
    )

    @field_validator("api")
    @classmethod
    def _safe(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and _loopback(parts.hostname or "")):
            raise ValueError("an https address, or http on this machine")
        return url.rstrip("/")

    @property
    def wanted(self) -> bool:
        """Whether Discord is to be served at all."""
        return self.token is not None


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def discord_settings() -> DiscordSettings:
    """The settings of this process. Raises UserError for a wrong value, never with a secret in it."""
    try:
        return DiscordSettings()
    except ValidationError as error:
        wrong = error.errors()[0]
        raise UserError(f"{wrong['loc'][0]}: {wrong['msg']}") from None
