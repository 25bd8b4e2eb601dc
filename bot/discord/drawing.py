"""Rendered messages as the library's objects; every button and menu is one that outlives a restart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import discord

from bot.render.discord import Message
from bot.render.discord.limits import Row

if TYPE_CHECKING:
    from typing import Self

# custom_id of buttons and menus: name, the reply's ID, and for a menu its field.
PATTERN = re.compile(r"v1:(?P<name>[a-z_]+):(?P<reply>[\w-]{1,64})(?::(?P<more>.{1,60}))?")


class Presses(Protocol):
    """Who answers buttons and menus (`bot.discord.interactions`)."""

    async def pressed(
        self, interaction: discord.Interaction, name: str, reply_id: str, more: str, value: str
    ) -> None:
        """A button or menu was used; `value` is the chosen one."""


def presses(interaction: discord.Interaction) -> Presses:
    """The client's own answers."""
    return cast("Presses", cast("Any", interaction.client).presses)


def known(interaction: discord.Interaction) -> bool:
    """Whether a button or menu is one of ours, of this version or an earlier one."""
    data = cast("dict[str, Any]", interaction.data or {})
    return PATTERN.fullmatch(str(data.get("custom_id", ""))) is not None


class Press(discord.ui.DynamicItem[Any], template=PATTERN):
    """A button or menu of any reply, however old: its custom_id says all that is needed."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """What was pressed, in a message that an earlier run may have sent."""
        return cls(item)

    async def callback(self, interaction: discord.Interaction) -> Any:
        """Answer it."""
        found = PATTERN.match(self.custom_id)
        assert found is not None
        value = self.item.values[0] if isinstance(self.item, discord.ui.Select) else ""
        pressed = presses(interaction).pressed
        await pressed(interaction, found["name"], found["reply"], found["more"] or "", value)


def view_of(rows: Sequence[Row]) -> discord.ui.View | None:
    """Action rows as a view without an end, None where there is nothing to press."""
    if not rows:
        return None
    view = discord.ui.View(timeout=None)
    # The library would keep the view of every message in memory for good; a press finds its way without.
    view.stop()
    for number, row in enumerate(rows):
        for item in row["components"]:
            view.add_item(_item(item, number))
    return view


def embeds_of(message: Message) -> list[discord.Embed]:
    """The embeds of a message."""
    return [discord.Embed.from_dict(embed) for embed in message.embeds]


def _item(item: dict[str, Any], row: int) -> Press:
    """One button or menu of Discord's JSON."""
    if item["type"] == discord.ComponentType.button.value:
        return Press(
            discord.ui.Button(
                style=discord.ButtonStyle(item["style"]),
                label=item["label"],
                custom_id=item["custom_id"],
                row=row,
            )
        )
    return Press(
        discord.ui.Select(
            custom_id=item["custom_id"],
            placeholder=item["placeholder"],
            options=[discord.SelectOption(**option) for option in item["options"]],
            row=row,
        )
    )
