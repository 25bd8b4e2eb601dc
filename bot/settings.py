"""Settings from the environment, each documented beside its name."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, HttpUrl, TypeAdapter, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import UserError


def _address(text: str | None) -> str | None:
    """An address without the slash at its end; an empty one is none. Raises ValueError for anything else."""
    if not text or not text.strip():
        return None
    url = TypeAdapter(HttpUrl).validate_python(text.strip())
    if url.query or url.fragment:
        raise ValueError("an address without ? and #, such as https://rows.example.com")
    return str(url).rstrip("/")


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
    published: str | None = Field(
        default=None,
        validation_alias="SMALLPRINT_PUBLISHED",
        description="Where `smallprint sync` looks for published rounds: an https address or a folder "
        "(default: the repositories of MLCommons).",
    )
    public_url: Annotated[str | None, AfterValidator(_address)] = Field(
        default=None,
        validation_alias="SMALLPRINT_PUBLIC_URL",
        description="Where people reach `smallprint explore`, such as https://rows.example.com: "
        "replies then link to its row pages.",
    )


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process, read once. Raises UserError for a wrong value."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = error.errors()[0]
        reason = wrong["msg"].removeprefix("Value error, ")
        raise UserError(f"{wrong['loc'][0]}={wrong['input']!r}: {reason}") from None
