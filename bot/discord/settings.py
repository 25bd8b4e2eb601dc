"""What a deployment can set for Discord."""

from __future__ import annotations

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.settings import api_address, loaded

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
        return api_address(url).rstrip("/")

    @property
    def wanted(self) -> bool:
        """Whether Discord is to be served at all."""
        return self.token is not None


def discord_settings() -> DiscordSettings:
    """The settings of this process. Raises UserError for a wrong value, never with a secret in it."""
    return loaded(DiscordSettings)
