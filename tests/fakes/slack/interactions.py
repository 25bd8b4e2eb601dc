"""The payloads of commands, shortcuts, buttons, menus and modals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.fakes.slack.model import Channel, Member, Message, ScenarioError, View
from tests.fakes.slack.viewing import elements

if TYPE_CHECKING:
    from tests.fakes.slack.server import Slack


def common(slack: Slack, user: Member) -> dict[str, Any]:
    """What every interaction holds."""
    team, enterprise = user.team, user.team.enterprise
    org_wide = any(one.org_wide for one in slack.core.world.installed(team))
    return {
        "token": slack.core.verification_token,
        "api_app_id": slack.core.app_id,
        "team": None
        if org_wide
        else {
            "id": team.id,
            "domain": team.domain,
            **({"enterprise_id": enterprise.id, "enterprise_name": enterprise.name} if enterprise else {}),
        },
        "enterprise": {"id": enterprise.id, "name": enterprise.name} if enterprise else None,
        "is_enterprise_install": org_wide,
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": team.id},
    }


def command(slack: Slack, user: Member, name: str, text: str, channel: Channel) -> dict[str, Any]:
    """A slash command; a form, so that every value is a string."""
    enterprise = user.team.enterprise
    org_wide = any(one.org_wide for one in slack.core.world.installed(user.team))
    return {
        "token": slack.core.verification_token,
        "team_id": user.team.id,
        "team_domain": user.team.domain,
        **({"enterprise_id": enterprise.id, "enterprise_name": enterprise.name} if enterprise else {}),
        "channel_id": channel.id,
        "channel_name": channel.name,
        "user_id": user.id,
        "user_name": user.name,
        "command": name,
        "text": text,
        "api_app_id": slack.core.app_id,
        "is_enterprise_install": "true" if org_wide else "false",
        "response_url": slack.core.response_url(user, channel),
        "trigger_id": slack.core.trigger(user),
    }


def message_shortcut(slack: Slack, user: Member, callback: str, message: Message) -> dict[str, Any]:
    """A shortcut from a message's menu."""
    channel = message.channel
    return {
        **common(slack, user),
        "type": "message_action",
        "action_ts": slack.core.world.ts(),
        "channel": {"id": channel.id, "name": channel.name},
        "callback_id": callback,
        "trigger_id": slack.core.trigger(user),
        "response_url": slack.core.response_url(user, channel),
        "message_ts": message.ts,
        "message": message.wire(),
    }


def global_shortcut(slack: Slack, user: Member, callback: str) -> dict[str, Any]:
    """A shortcut from the search bar."""
    return {
        **common(slack, user),
        "type": "shortcut",
        "action_ts": slack.core.world.ts(),
        "callback_id": callback,
        "trigger_id": slack.core.trigger(user),
    }


def find(place: Message | View, action_id: str, user: Member) -> tuple[dict[str, Any], dict[str, Any]]:
    """The block and the element that a person uses. Raises ScenarioError where the person sees none."""
    for block in place.blocks:
        for one in elements(block):
            if one.get("action_id") == action_id:
                if user.id not in one.get("visible_to_user_ids", [user.id]):
                    raise ScenarioError(f"{user.name} does not see {action_id}")
                return block, one
    there = [one.get("action_id") for block in place.blocks for one in elements(block)]
    raise ScenarioError(f"no {action_id} there, only {there}")


def used(element: dict[str, Any], value: str | None) -> dict[str, Any]:
    """What an action says of its element: the button's value, or what was chosen. Raises ScenarioError."""
    kind = element["type"]
    if kind == "feedback_buttons":
        sides = {
            element[f"{side}_button"]["value"]: element[f"{side}_button"] for side in ("positive", "negative")
        }
        if value not in sides:
            raise ScenarioError(f"feedback is one of {list(sides)}")
        return {"value": value, "text": sides[value]["text"]}
    if kind in {"button", "icon_button"}:
        return {key: element[key] for key in ("value", "text") if key in element}
    if "options" in element or "option_groups" in element:
        groups = element.get("option_groups", [{"options": element.get("options", [])}])
        options = [option for group in groups for option in group["options"]]
        for option in options:
            if value in (option["value"], option["text"]["text"]):
                several = kind in {"checkboxes", "multi_static_select"}
                return {"selected_options": [option]} if several else {"selected_option": option}
        raise ScenarioError(f"no option {value!r}, only {[one['text']['text'] for one in options]}")
    return picked(kind, value)


def picked(kind: str, value: Any) -> dict[str, Any]:
    """The state of an element whose value is free: a text, a channel, a time."""
    name = kind.removeprefix("multi_")
    if kind == "plain_text_input":
        return {"value": value}
    what = name.removesuffix("s_select").removesuffix("picker")
    return {f"selected_{what}s": list(value)} if kind.startswith("multi_") else {f"selected_{what}": value}


def action(
    slack: Slack, user: Member, place: Message | View, action_id: str, value: str | None
) -> dict[str, Any]:
    """The use of an element in a message or a view."""
    block, element = find(place, action_id, user)
    done = used(element, value)
    made = {
        **common(slack, user),
        "type": "block_actions",
        "actions": [
            {
                "type": element["type"],
                "action_id": action_id,
                "block_id": block["block_id"],
                "action_ts": slack.core.world.ts(),
                **done,
            }
        ],
    }
    if isinstance(place, View):
        if not element["type"].endswith("button"):
            place.values.setdefault(block["block_id"], {})[action_id] = {"type": element["type"], **done}
        return {
            **made,
            "trigger_id": slack.core.trigger(user, place),
            "container": {"type": "view", "view_id": place.id},
            "view": place.wire(slack.core.app_id),
        }
    container: dict[str, Any] = {
        "type": "message",
        "message_ts": place.ts,
        "channel_id": place.channel.id,
        "is_ephemeral": place.only_for is not None,
    }
    if place.thread_ts:
        container["thread_ts"] = place.thread_ts
    return {
        **made,
        "trigger_id": slack.core.trigger(user),
        "container": container,
        "channel": {"id": place.channel.id, "name": place.channel.name},
        # Slack does not send the content of an ephemeral message back.
        **({} if place.only_for else {"message": place.wire(metadata=True)}),
        "state": {"values": {}},
        "response_url": slack.core.response_url(user, place.channel, place),
    }


def fill(view: View, values: dict[str, Any], user: Member) -> None:
    """Fill in a modal, by action_id. Raises ScenarioError for what is not there."""
    for action_id, value in values.items():
        block, element = find(view, action_id, user)
        kind, several = element["type"], isinstance(value, list)
        if several and kind in {"checkboxes", "multi_static_select"}:
            chosen = [used(element, one)["selected_options"][0] for one in value]
            state = {"selected_options": chosen}
        else:
            state = used(element, value)
        view.values.setdefault(block["block_id"], {})[action_id] = {"type": kind, **state}


def missing(view: View) -> list[str]:
    """The labels of the inputs that must be filled in and are not: Slack does not submit then."""
    lacking = []
    for block in view.blocks:
        if block["type"] == "input" and not block.get("optional"):
            states = view.values.get(block["block_id"], {}).values()
            if not any(value for state in states for key, value in state.items() if key != "type"):
                lacking.append(block["label"]["text"])
    return lacking


def submission(slack: Slack, view: View, *, closed: bool = False) -> dict[str, Any]:
    """A modal that was submitted, or closed."""
    made = {**common(slack, view.user), "view": view.wire(slack.core.app_id)}
    if closed:
        return {**made, "type": "view_closed", "is_cleared": False}
    return {
        **made,
        "type": "view_submission",
        "trigger_id": slack.core.trigger(view.user, view),
        "response_urls": [],
    }
