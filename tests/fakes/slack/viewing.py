"""The modals that people have open, and their Home tabs."""

from __future__ import annotations

from typing import Any

from tests.fakes.slack.core import Core
from tests.fakes.slack.model import Installation, Member, View
from tests.fakes.slack.posting import with_ids


class Views:
    """Opens, stacks, changes and closes views."""

    def __init__(self, core: Core) -> None:
        self.core = core

    def _new(
        self, user: Member, content: dict[str, Any], installation: Installation, under: View | None
    ) -> View:
        key = self.core.world.id("V")
        content = {**content, "blocks": with_ids(content["blocks"])}
        made = View(key, user, content, installation, self._hash(), under.root if under else key)
        made.previous = under.id if under else None
        made.values = initial_values(made.blocks)
        self.core.world.views[key] = made
        self.core.journal(
            "view", id=key, user=user.id, type=content["type"], callback=content.get("callback_id")
        )
        return made

    def _hash(self) -> str:
        return f"{self.core.world.ts()}.fake"

    def open(self, user: Member, content: dict[str, Any], installation: Installation) -> View:
        """Open a modal; what was open before is closed."""
        made = self._new(user, content, installation, None)
        self.core.world.modals[user.id] = [made]
        return made

    def push(self, user: Member, content: dict[str, Any], installation: Installation) -> View:
        """Put a modal over the open one."""
        stack = self.core.world.modals[user.id]
        stack.append(self._new(user, content, installation, stack[-1]))
        return stack[-1]

    def replace(self, view: View, content: dict[str, Any]) -> None:
        """Change what an open view shows. Values of blocks that stay are kept."""
        view.content = {**content, "blocks": with_ids(content["blocks"])}
        view.hash = self._hash()
        view.values = {
            key: values
            for key, values in {**initial_values(view.blocks), **view.values}.items()
            if any(one["block_id"] == key for one in view.blocks)
        }
        self.core.journal("view", id=view.id, user=view.user.id, type=content["type"], updated=True)

    def publish(self, user: Member, content: dict[str, Any], installation: Installation) -> View:
        """Set a Home tab."""
        key = (user.id, installation.bot.id)
        old = self.core.world.homes.get(key)
        if old is not None:
            self.replace(old, content)
            return old
        made = self.core.world.homes[key] = self._new(user, content, installation, None)
        return made

    def close(self, view: View, *, all_of_them: bool = False) -> None:
        """Close a modal, or the whole stack."""
        stack = self.core.world.modals.get(view.user.id, [])
        if all_of_them:
            stack.clear()
        elif view in stack:
            stack.remove(view)
        self.core.journal("closed", id=view.id, user=view.user.id)


# What an element holds before anybody touched it: the key of its initial value, and of its state.
INITIAL = {
    "initial_value": "value",
    "initial_option": "selected_option",
    "initial_options": "selected_options",
    "initial_channel": "selected_channel",
    "initial_channels": "selected_channels",
    "initial_conversation": "selected_conversation",
    "initial_conversations": "selected_conversations",
    "initial_user": "selected_user",
    "initial_users": "selected_users",
    "initial_time": "selected_time",
    "initial_date": "selected_date",
}
EMPTY: dict[str, tuple[str, Any]] = {
    "plain_text_input": ("value", None),
    "static_select": ("selected_option", None),
    "radio_buttons": ("selected_option", None),
    "multi_static_select": ("selected_options", []),
    "checkboxes": ("selected_options", []),
    "channels_select": ("selected_channel", None),
    "multi_channels_select": ("selected_channels", []),
    "conversations_select": ("selected_conversation", None),
    "multi_conversations_select": ("selected_conversations", []),
    "users_select": ("selected_user", None),
    "multi_users_select": ("selected_users", []),
    "timepicker": ("selected_time", None),
    "datepicker": ("selected_date", None),
}


def elements(block: dict[str, Any]) -> list[dict[str, Any]]:
    """The elements of a block that a person can use."""
    single = [block[key] for key in ("element", "accessory") if isinstance(block.get(key), dict)]
    several = block["elements"] if block["type"] in {"actions", "context_actions"} else []
    return [*single, *several]


def initial_values(blocks: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The state of a surface's inputs before anybody touched them, by block_id and action_id."""
    values: dict[str, dict[str, Any]] = {}
    for block in blocks:
        for one in elements(block):
            if one["type"] not in EMPTY:
                continue
            key, value = EMPTY[one["type"]]
            for initial, name in INITIAL.items():
                if initial in one:
                    key, value = name, one[initial]
            action = one.get("action_id", "action")
            values.setdefault(block["block_id"], {})[action] = {"type": one["type"], key: value}
    return values
