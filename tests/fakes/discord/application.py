"""REST: the gateway's address, the bot and its application, its commands, guilds and members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from tests.fakes.discord import commands
from tests.fakes.discord.core import Json, RefusalError, answer, body_of, invalid
from tests.fakes.discord.world import Guild, snowflake

if TYPE_CHECKING:
    from tests.fakes.discord.server import Discord

# resources/application.mdx, flags
CONTENT_FLAG = 1 << 18
HAS_COMMANDS = 1 << 23


async def gateway_bot(discord: Discord, request: web.Request) -> web.Response:
    """GET /gateway/bot."""
    limits = {"total": 1000, "remaining": 1000 - discord.gateway.identified, "reset_after": 0}
    limits["max_concurrency"] = 1
    return answer({"url": discord.gateway_url, "shards": discord.shards, "session_start_limit": limits})


async def gateway(discord: Discord, request: web.Request) -> web.Response:
    """GET /gateway."""
    return answer({"url": discord.gateway_url})


async def me(discord: Discord, request: web.Request) -> web.Response:
    """GET /users/@me."""
    return answer({**discord.me.json(), "mfa_enabled": False, "locale": "en-US", "verified": True})


async def user(discord: Discord, request: web.Request) -> web.Response:
    """GET /users/{user}."""
    found = discord.users.get(request.match_info["user"])
    if found is None:
        raise RefusalError(404, 10013, "Unknown User")
    return answer(found.json())


async def app(discord: Discord, request: web.Request) -> web.Response:
    """GET /applications/@me."""
    return answer(
        {
            "id": discord.me.id,
            "name": discord.me.name,
            "icon": None,
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "flags": CONTENT_FLAG if discord.content_allowed else 0,
            "owner": discord.me.json(),
            "team": None,
            "approximate_guild_count": len(discord.guilds),
        }
    )


def _own(discord: Discord, request: web.Request) -> None:
    if request.match_info["app"] != discord.me.id:
        raise RefusalError(403, 20012, "You are not authorized to perform this action on this application")


async def get_commands(discord: Discord, request: web.Request) -> web.Response:
    """GET /applications/{app}/commands."""
    _own(discord, request)
    found = discord.commands
    if request.query.get("with_localizations") not in ("true", "1"):
        found = commands.without_localisations(found)
    return answer(found)


async def put_commands(discord: Discord, request: web.Request) -> web.Response:
    """PUT /applications/{app}/commands: the whole list anew; what has the same name keeps its ID."""
    _own(discord, request)
    wanted, _ = await body_of(request)
    assert isinstance(wanted, list)
    if faults := commands.faults(wanted):
        raise invalid(faults)
    held = {(one["type"], one["name"]): one["id"] for one in discord.commands}
    discord.puts += 1
    discord.commands = [_stored(discord, one, held) for one in wanted]
    discord.note("commands", names=[one["name"] for one in discord.commands])
    return answer(discord.commands)


def _stored(discord: Discord, one: Json, held: dict[tuple[int, str], str]) -> Json:
    kind = one.get("type", commands.CHAT)
    return {
        "description": "",
        "nsfw": False,
        "default_member_permissions": None,
        "contexts": None,
        "integration_types": [0],
        **one,
        "type": kind,
        "id": held.get((kind, one["name"])) or snowflake(),
        "application_id": discord.me.id,
        "version": snowflake(),
    }


def _guild(discord: Discord, request: web.Request) -> Guild:
    found = discord.guilds.get(request.match_info["guild"])
    if found is None or not found.bot:
        raise RefusalError(404, 10004, "Unknown Guild")
    return found


async def guild(discord: Discord, request: web.Request) -> web.Response:
    """GET /guilds/{guild}."""
    return answer(_guild(discord, request).json(discord.me))


async def guild_channels(discord: Discord, request: web.Request) -> web.Response:
    """GET /guilds/{guild}/channels."""
    channels = _guild(discord, request).channels.values()
    return answer([one.json() for one in channels if one.parent is None])


async def member(discord: Discord, request: web.Request) -> web.Response:
    """GET /guilds/{guild}/members/{user}."""
    _guild(discord, request)
    found = {**discord.users, discord.me.id: discord.me}.get(request.match_info["user"])
    if found is None:
        raise RefusalError(404, 10007, "Unknown Member")
    return answer(found.member())


async def direct(discord: Discord, request: web.Request) -> web.Response:
    """POST /users/@me/channels: the direct conversation with somebody."""
    body, _ = await body_of(request)
    found = discord.users.get(str(body.get("recipient_id")))
    if found is None:
        raise RefusalError(400, 50033, "Invalid Recipient(s)", offence=True)
    return answer(discord.direct(found).json())


ROUTES = (
    ("GET", "/gateway", gateway),
    ("GET", "/gateway/bot", gateway_bot),
    ("GET", "/users/@me", me),
    ("POST", "/users/@me/channels", direct),
    ("GET", "/users/{user}", user),
    ("GET", "/oauth2/applications/@me", app),
    ("GET", "/applications/@me", app),
    ("GET", "/applications/{app}/commands", get_commands),
    ("PUT", "/applications/{app}/commands", put_commands),
    ("GET", "/guilds/{guild}", guild),
    ("GET", "/guilds/{guild}/channels", guild_channels),
    ("GET", "/guilds/{guild}/members/{user}", member),
)
