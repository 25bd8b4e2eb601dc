"""What a channel wants in its digest, and when: the options of a subscription."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from knowledge.names import Names
from knowledge.wanted import Wanted

MOST_NAMES = 50


class Options(BaseModel):
    """The options of one subscription, as JSON in the state. Names stand in any spelling; none means all.

    weekday: 0 is Monday. zone: IANA time zone. least: the smallest change told, in percent. quiet:
    whether a week without news is told in one line ("say") or passed over ("skip"). counting: tell how
    many claims were checked in this channel. csv: attach the changes as CSV.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    zone: str = "Etc/UTC"
    weekday: int = Field(0, ge=0, le=6)
    hour: int = Field(9, ge=0, le=23)
    minute: int = Field(0, ge=0, le=59)
    models: tuple[str, ...] = Field((), max_length=MOST_NAMES)
    accelerators: tuple[str, ...] = Field((), max_length=MOST_NAMES)
    submitters: tuple[str, ...] = Field((), max_length=MOST_NAMES)
    scenarios: tuple[str, ...] = Field((), max_length=MOST_NAMES)
    suites: tuple[str, ...] = Field((), max_length=MOST_NAMES)
    least: float = Field(0.0, ge=0, le=1000)
    quiet: Literal["skip", "say"] = "skip"
    counting: bool = False
    csv: bool = False
    language: Literal["en", "de"] = "en"

    @field_validator("zone")
    @classmethod
    def _zone(cls, text: str) -> str:
        try:
            ZoneInfo(text)
        except (KeyError, ValueError, OSError):  # unknown, a path that leaves the database, a folder in it
            raise ValueError(f"{text[:40]!r} is no time zone; write it as Europe/Berlin") from None
        return text

    def wanted(self, names: Names, *, division: str | None = "closed") -> Wanted:
        """The rows that the options ask for."""
        return Wanted.of(
            names,
            models=self.models,
            scenarios=self.scenarios,
            accelerators=self.accelerators,
            submitters=self.submitters,
            suites=self.suites,
            division=division,
        )


def parsed(data: Mapping[str, Any]) -> Options:
    """Stored options; a value that is no longer allowed is left out rather than raising."""
    kept: dict[str, Any] = {}
    for name, value in data.items():
        try:
            Options.model_validate({name: value})
        except ValidationError:
            continue
        kept[name] = value
    return Options.model_validate(kept)
