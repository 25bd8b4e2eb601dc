"""auth.*, apps.*, oauth.*: who the app is, and where it is installed."""

from __future__ import annotations

import secrets
import time
from typing import Any

from tests.fakes.slack.api import Request, method
from tests.fakes.slack.core import ApiError
from tests.fakes.slack.model import Installation

TOKEN_LIFE = 12 * 3600


@method("api.test", "error foo", token="none")
async def api_test(request: Request) -> dict[str, Any]:
    """Whether anybody is there."""
    return {"args": request.args}


@method("auth.test", "")
async def auth_test(request: Request) -> dict[str, Any]:
    """Whose token it is."""
    one = request.installation
    home = one.team or one.bot.team
    name = one.enterprise.name if one.org_wide and one.enterprise else home.name
    return {
        "url": f"https://{home.domain}.slack.com/",
        "team": name,
        "user": one.bot.name,
        "team_id": one.enterprise.id if one.org_wide and one.enterprise else home.id,
        "user_id": one.bot.id,
        "bot_id": one.bot_id,
        "is_enterprise_install": one.org_wide,
        **({"enterprise_id": home.enterprise.id} if home.enterprise else {}),
    }


@method("auth.revoke", "test")
async def revoke(request: Request) -> dict[str, Any]:
    """Give up a token."""
    if not request.flag("test"):
        request.slack.revoke(request.installation)
    return {"revoked": not request.flag("test")}


@method("apps.uninstall", "client_id client_secret")
async def uninstall(request: Request) -> dict[str, Any]:
    """Leave a workspace."""
    check_client(request)
    request.slack.uninstall(request.installation)
    return {}


@method("apps.connections.open", "", token="app")
async def connections_open(request: Request) -> dict[str, Any]:
    """The address of a new WebSocket."""
    if not request.slack.core.manifest.socket_mode:
        raise ApiError("forbidden_for_interactive_apps")
    return {"url": request.slack.sockets.ticket()}


def check_client(request: Request) -> None:
    """Raise ApiError unless the call bears the app's client ID and secret."""
    core = request.slack.core
    given = request.basic or (request.args.get("client_id"), request.args.get("client_secret"))
    if given[0] != core.client_id:
        raise ApiError("invalid_client_id")
    if given[1] != core.client_secret:
        raise ApiError("bad_client_secret")


@method(
    "oauth.v2.access",
    "code client_id client_secret redirect_uri grant_type refresh_token",
    token="none",
    tier=4,
)
async def oauth_access(request: Request) -> dict[str, Any]:
    """A token for a code, or (with rotation) for a refresh token."""
    check_client(request)
    if request.args.get("grant_type") == "refresh_token":
        return token_answer(request, refreshed(request))
    code = request.slack.core.codes.pop(request.text("code"), None)
    if code is None or time.monotonic() > code["until"]:
        raise ApiError("invalid_code")
    if request.args.get("redirect_uri") != code["redirect_uri"]:
        raise ApiError("bad_redirect_uri")
    made = request.slack.core.world.install(
        request.slack.core.manifest.name, code["scopes"], code["team"], code["enterprise"], code["user"]
    )
    rotate(request, made)
    return token_answer(request, made)


def rotate(request: Request, installation: Installation) -> None:
    """Give a new installation a refresh token, where the manifest turns rotation on."""
    if request.slack.core.manifest.rotation:
        installation.refresh_token = f"xoxe-1-{secrets.token_hex(12)}"


def refreshed(request: Request) -> Installation:
    """The installation of a refresh token, under a new token. Raises ApiError."""
    world, key = request.slack.core.world, request.text("refresh_token")
    for one in list(world.installations.values()):
        if one.refresh_token == key and one.state == "ok":
            one.state, one.refresh_token = "token_expired", ""
            made = world.install(one.bot.name, one.scopes, one.team, one.enterprise, one.installer)
            rotate(request, made)
            return made
    raise ApiError("invalid_refresh_token")


def token_answer(request: Request, made: Installation) -> dict[str, Any]:
    """What oauth.v2.access answers for an installation."""
    answer: dict[str, Any] = {
        "access_token": made.token,
        "token_type": "bot",
        "scope": ",".join(sorted(made.scopes)),
        "bot_user_id": made.bot.id,
        "app_id": request.slack.core.app_id,
        "team": {"id": made.team.id, "name": made.team.name} if made.team else None,
        "enterprise": {"id": made.enterprise.id, "name": made.enterprise.name} if made.enterprise else None,
        "is_enterprise_install": made.org_wide,
        "authed_user": {"id": made.installer},
    }
    if made.refresh_token:
        answer |= {"refresh_token": made.refresh_token, "expires_in": TOKEN_LIFE}
    return answer
