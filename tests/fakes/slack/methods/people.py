"""users.*, bots.*, team.*: who is there."""

from __future__ import annotations

from typing import Any

from tests.fakes.slack.api import Request, method
from tests.fakes.slack.core import ApiError


@method("users.info", "user include_locale", scopes=("users:read",), tier=4)
async def user_info(request: Request) -> dict[str, Any]:
    """A person."""
    user = request.member(request.text("user"))
    found = {
        "id": user.id,
        "team_id": user.team.id,
        "name": user.name,
        "real_name": user.name,
        "tz": user.tz,
        "is_bot": user.is_bot,
        "is_admin": user.is_admin,
        "deleted": False,
    }
    if request.flag("include_locale"):
        found["locale"] = user.locale
    return {"user": found}


@method("bots.info", "bot team_id", scopes=("users:read",), tier=3)
async def bot_info(request: Request) -> dict[str, Any]:
    """A bot."""
    for one in request.slack.core.world.installations.values():
        if one.bot_id == request.args.get("bot"):
            return {
                "bot": {
                    "id": one.bot_id,
                    "name": one.bot.name,
                    "user_id": one.bot.id,
                    "app_id": request.slack.core.app_id,
                    "deleted": one.state != "ok",
                }
            }
    raise ApiError("bot_not_found")


@method("team.info", "team", scopes=("team:read",), tier=3)
async def team_info(request: Request) -> dict[str, Any]:
    """The caller's workspace."""
    team = request.installation.bot.team
    return {"team": {"id": team.id, "name": team.name, "domain": team.domain}}
