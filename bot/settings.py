"""Settings from the environment, each documented beside its name."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import UserError


class Settings(BaseSettings):
    """What a deployment can set."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True)

    lang: Literal["en", "de"] | None = Field(
        default=None,
        validation_alias="SMALLPRINT_LANG",
        description="Language of every answer, en or de (default: the text's own).",
    )
    early: bool = Field(
        default=False,
        validation_alias="SMALLPRINT_EARLY",
        description="Quote a round's results in its first two weeks, as only its submitters may.",
    )


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process, read once. Raises UserError for a wrong value."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = error.errors()[0]
        raise UserError(f"{wrong['loc'][0]}={wrong['input']!r}: {wrong['msg']}") from None
