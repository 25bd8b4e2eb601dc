"""Settings from the environment, each documented beside its name."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, HttpUrl, SecretStr, TypeAdapter, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import UserError

S = TypeVar("S", bound=BaseSettings)


def _address(text: str | None) -> str | None:
    """An address without the slash at its end; an empty one is none. Raises ValueError for anything else."""
    if not text or not text.strip():
        return None
    url = TypeAdapter(HttpUrl).validate_python(text.strip())
    if url.query or url.fragment:
        raise ValueError("an address without ? and #, such as https://rows.example.com")
    return str(url).rstrip("/")


def api_address(url: str) -> str:
    """A platform's base address: https, or http on this machine. Raises ValueError for anything else."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and _loopback(parts.hostname or "")):
        raise ValueError("an https address, or http on this machine")
    return url


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def loaded(kind: type[S]) -> S:
    """Settings of the environment. Raises UserError for a wrong value, never with a secret in it."""
    try:
        return kind()
    except ValidationError as error:
        wrong = error.errors()[0]
        raise UserError(f"{wrong['loc'][0]}: {wrong['msg']}") from None


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
    state: str | None = Field(
        default=None,
        validation_alias="SMALLPRINT_STATE",
        description="Where the bot remembers: sqlite:////folder/state.db (default: beside the knowledge "
        "file) or postgresql://user:password@host/name.",
    )
    keys: SecretStr | None = Field(
        default=None,
        validation_alias="SMALLPRINT_KEYS",
        description="Keys that seal what is stored, separated by commas; the first seals, all open "
        "(`smallprint keys new`).",
    )
    keys_file: Path | None = Field(
        default=None,
        validation_alias="SMALLPRINT_KEYS_FILE",
        description="A file with the keys, one a line (default with SQLite: state.key beside the state, "
        "made at the first start).",
    )
    executor: str | None = Field(
        default=None,
        pattern=r"^[\w.-]{1,64}$",
        validation_alias="SMALLPRINT_EXECUTOR",
        description="This replica's name, the same after every restart and of no other; "
        "needed with PostgreSQL.",
    )
    work_version: str = Field(
        default="1",
        pattern=r"^[\w.-]{1,64}$",
        validation_alias="SMALLPRINT_WORK_VERSION",
        description="Version of the waiting work, the same over upgrades; raise it only where release "
        "notes say so.",
    )
    listen: str = Field(
        default="127.0.0.1:8080",
        pattern=r"^[\w.:\[\]-]{1,100}:\d{1,5}$",
        validation_alias="SMALLPRINT_LISTEN",
        description="Address and port of /healthz, /readyz, /metrics and Slack's HTTP mode.",
    )
    proxy: Annotated[str | None, AfterValidator(_address)] = Field(
        default=None,
        validation_alias="SMALLPRINT_PROXY",
        description="Proxy for all that leaves this deployment, such as http://egress-proxy:3128.",
    )
    sync_hour: int | None = Field(
        default=5,
        ge=0,
        le=23,
        validation_alias="SMALLPRINT_SYNC_HOUR",
        description="Hour (UTC) in which `smallprint run` looks for new published rounds every day.",
    )
    keep_replies: int = Field(
        default=90,
        ge=1,
        le=3650,
        validation_alias="SMALLPRINT_KEEP_REPLIES",
        description="Days until a sent reply's row is deleted (90).",
    )
    keep_fields: int = Field(
        default=30,
        ge=1,
        le=3650,
        validation_alias="SMALLPRINT_KEEP_FIELDS",
        description="Days in which a reply can be followed up; then its claims' fields are deleted (30).",
    )
    keep_cache: int = Field(
        default=30,
        ge=1,
        le=3650,
        validation_alias="SMALLPRINT_KEEP_CACHE",
        description="Days until a fetched article is deleted (30).",
    )
    keep_work: int = Field(
        default=24,
        ge=2,
        le=24 * 30,
        validation_alias="SMALLPRINT_KEEP_WORK",
        description="Hours until finished work is deleted; longer than a platform delivers again (24).",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info",
        validation_alias="SMALLPRINT_LOG_LEVEL",
        description="What is logged: debug, info, warning or error (default: info).",
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
