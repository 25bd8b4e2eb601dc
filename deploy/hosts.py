"""Writes the hosts that the egress proxy lets through, from the program's own data."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

TARGET = Path(__file__).parent / "kubernetes" / "base" / "hosts.txt"

# Chat itself, with the hosts that its sockets and files use.
CHAT = (
    ".slack.com",
    ".slack-files.com",
    "discord.com",
    ".discord.gg",
    "cdn.discordapp.com",
)


def hosts() -> list[str]:
    """Chat, the published results, and the watchlist with its press; with and without "www."."""
    watched = tomllib.loads(files("bot.links").joinpath("watchlist.toml").read_text("utf-8"))
    published = tomllib.loads(files("knowledge.sync").joinpath("sync.toml").read_text("utf-8"))
    found = {entry["host"].removeprefix("www.") for kind in ("vendor", "press") for entry in watched[kind]}
    found.add(urlsplit(published["published"]["base"]).hostname or "")
    both = {f"www.{host}" for host in found if host.count(".") == 1} | found
    return [*CHAT, *sorted(both)]


def text() -> str:
    """The file."""
    return "# Made by deploy/hosts.py: what may be spoken to, and nothing else.\n" + "\n".join(hosts()) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")
