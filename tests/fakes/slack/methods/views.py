"""views.*: modals and the Home tab."""

from __future__ import annotations

import time
from typing import Any

from tests.fakes.slack import limits, oracle
from tests.fakes.slack.api import Request, method
from tests.fakes.slack.blockkit import check_view
from tests.fakes.slack.core import ApiError, Trigger


def trigger(request: Request) -> Trigger:
    """The trigger of a call, used up by it. Raises ApiError."""
    found = request.slack.core.triggers.get(request.text("trigger_id"))
    if found is None:
        raise ApiError("invalid_trigger_id")
    if found.used:
        raise ApiError("exchanged_trigger_id")
    if time.monotonic() > found.until:
        raise ApiError("expired_trigger_id")
    found.used = True
    return found


def content(request: Request, kind: str) -> dict[str, Any]:
    """The view of a call. Raises ApiError unless it is a correct one of its kind."""
    view = request.args.get("view")
    problems = check_view(view)
    if not problems and isinstance(view, dict):
        if view["type"] != kind:
            problems = [f"[ERROR] must be a {kind} view [json-pointer:/view/type]"]
        problems = problems or oracle.objections(view["blocks"], kind)
    if problems or not isinstance(view, dict):
        raise ApiError("invalid_arguments", *problems)
    return view


@method("views.open", "trigger_id interactivity_pointer view", tier=4)
async def open_view(request: Request) -> dict[str, Any]:
    """Open a modal."""
    view = content(request, "modal")
    found = trigger(request)
    made = request.slack.viewing.open(found.user, view, request.installation)
    return {"view": made.wire(request.slack.core.app_id)}


@method("views.push", "trigger_id interactivity_pointer view", tier=4)
async def push(request: Request) -> dict[str, Any]:
    """Put a modal over the one that is open."""
    view = content(request, "modal")
    found = trigger(request)
    stack = request.slack.core.world.modals.get(found.user.id, [])
    if found.from_modal is None or not stack:
        raise ApiError("invalid_trigger_id", "[ERROR] views.push needs a trigger from a modal")
    if len(stack) >= limits.VIEW_STACK:
        raise ApiError("push_limit_reached")
    made = request.slack.viewing.push(found.user, view, request.installation)
    return {"view": made.wire(request.slack.core.app_id)}


@method("views.update", "view_id external_id hash view", tier=4)
async def update(request: Request) -> dict[str, Any]:
    """Change an open modal."""
    view, world = content(request, "modal"), request.slack.core.world
    key, external = request.args.get("view_id"), request.args.get("external_id")
    stacks = [one for stack in world.modals.values() for one in stack]
    wanted = [
        one for one in stacks if one.id == key or (external and one.content.get("external_id") == external)
    ]
    if not wanted or wanted[0].installation.bot is not request.installation.bot:
        raise ApiError("not_found")
    if request.args.get("hash") not in (None, wanted[0].hash):
        raise ApiError("hash_conflict")
    request.slack.viewing.replace(wanted[0], view)
    return {"view": wanted[0].wire(request.slack.core.app_id)}


@method("views.publish", "user_id hash view", tier=4)
async def publish(request: Request) -> dict[str, Any]:
    """Set a person's Home tab."""
    view, user = content(request, "home"), request.member(request.text("user_id"))
    old = request.slack.core.world.homes.get((user.id, request.installation.bot.id))
    if old is not None and request.args.get("hash") not in (None, old.hash):
        raise ApiError("hash_conflict")
    made = request.slack.viewing.publish(user, view, request.installation)
    return {"view": made.wire(request.slack.core.app_id)}
