"""What people do in Discord, in words that a test reads well with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes.discord import checks, limits
from tests.fakes.discord.commands import CHAT, MENU, SUBCOMMANDS
from tests.fakes.discord.interactions import COMMAND, COMPONENT, FORM, SUGGESTION, Interaction, Modal
from tests.fakes.discord.world import (
    MENTION,
    OF_ADMINS,
    PUBLIC_THREAD,
    Account,
    Channel,
    Message,
    moment,
    snowflake,
)

if TYPE_CHECKING:
    from tests.fakes.discord.server import Discord

Json = dict[str, Any]
PYTHON: dict[int, type | tuple[type, ...]] = {
    3: str,
    4: int,
    5: bool,
    10: (int, float),
}  # what an option of a type takes


class ScenarioError(AssertionError):
    """A person cannot do this: no such command, button or option."""


class NotAnsweredError(AssertionError):
    """The app did not answer in time; the person sees "The application did not respond"."""


@dataclass(eq=False)
class User(Account):
    """A person, who writes, uses commands, presses and submits. Interactions wait for the app's answer."""

    discord: Discord = field(kw_only=True, repr=False)

    # -- messages

    async def says(self, channel: Channel, text: str, *, reply_to: Message | None = None) -> Message:
        """Write a message; `<@ID>` in it mentions somebody, a reply mentions whom it answers."""
        message = Message(snowflake(), channel.id, self, text, reference=reply_to)
        message.mentions = self._mentioned(text)
        if reply_to is not None and reply_to.author not in message.mentions:
            message.mentions.append(reply_to.author)
        await self.discord.add(message)
        return message

    async def mentions(self, channel: Channel, text: str = "", *, reply_to: Message | None = None) -> Message:
        """Write a message that mentions the bot."""
        return await self.says(channel, f"{self.discord.me.mention} {text}".strip(), reply_to=reply_to)

    async def tells(self, text: str, *, reply_to: Message | None = None) -> Message:
        """Write to the bot directly."""
        return await self.says(self.dm(), text, reply_to=reply_to)

    def dm(self) -> Channel:
        """The direct conversation with the bot."""
        return self.discord.direct(self)

    async def edits(self, message: Message, text: str) -> None:
        """Change what a message of one's own says."""
        self._own(message)
        message.content, message.edited = text, moment()
        message.mentions = self._mentioned(text)
        await self.discord.tell("MESSAGE_UPDATE", message)

    async def deletes(self, message: Message) -> None:
        """Delete a message of one's own; an admin deletes all."""
        if not self.admin:
            self._own(message)
        await self.discord.remove(message)

    async def reacts(self, message: Message, emoji: str) -> None:
        """Put a sign on a message."""
        await self.discord.react(self, message, emoji)

    async def starts_thread(self, message: Message, name: str = "thread") -> Channel:
        """Start a thread at a message."""
        parent = self.discord.channels[message.channel]
        thread = Channel(message.id, name, parent.guild, PUBLIC_THREAD, parent, owner=self)
        message.flags |= limits.HAS_THREAD
        await self.discord.open_thread(thread)
        return thread

    def _own(self, message: Message) -> None:
        if message.author is not self:
            raise ScenarioError("only its author changes a message")

    def _mentioned(self, text: str) -> list[Account]:
        people: dict[str, Account] = {**self.discord.users, self.discord.me.id: self.discord.me}
        found = dict.fromkeys(match[1] for match in MENTION.finditer(text))
        return [people[one] for one in found if one in people]

    # -- commands

    async def runs(self, name: str, channel: Channel | None = None, **options: Any) -> Interaction:
        """Use a slash command: "group sub", or a sub-command's own name where only one has it."""
        path = self._command(name)
        given = _options(path[-1], options)
        missing = {one["name"] for one in _real(path[-1]) if one.get("required")} - options.keys()
        if missing:
            raise ScenarioError(f"not filled in: {sorted(missing)}")
        return await self._sends(self._where(channel, path[0]), COMMAND, _nested(path, given))

    async def types(
        self, name: str, option: str, partial: str, channel: Channel | None = None, **options: Any
    ) -> list[Json]:
        """Type into an option of a slash command: the suggestions, each with `name` and `value`."""
        path = self._command(name)
        given = _options(path[-1], options)
        known = next((one for one in _real(path[-1]) if one["name"] == option), None)
        if known is None or not known.get("autocomplete"):
            raise ScenarioError(f"{name} has no option {option} with suggestions")
        given.append({"name": option, "type": known["type"], "value": partial, "focused": True})
        asked = await self._sends(self._where(channel, path[0]), SUGGESTION, _nested(path, given))
        return asked.choices or []

    async def menu(self, name: str, message: Message) -> Interaction:
        """Use a command of a message's context menu, by its name or one of its translations."""
        command = next((one for one in self._listed(MENU) if name in _names(one)), None)
        if command is None:
            raise ScenarioError(f"no menu command {name}: {[one['name'] for one in self._listed(MENU)]}")
        channel = self._where(self.discord.channels[message.channel], command)
        resolved = {"messages": {message.id: message.json(channel.guild_id)}}
        data = {"id": command["id"], "name": command["name"], "type": MENU, "target_id": message.id}
        return await self._sends(channel, COMMAND, {**data, "resolved": resolved}, about=message)

    def _listed(self, kind: int) -> list[Json]:
        return [one for one in self.discord.commands if one["type"] == kind]

    def _command(self, name: str) -> list[Json]:
        """A command and its sub-commands down to the one that is meant."""
        wanted = name.split()
        paths = [path for root in self._listed(CHAT) for path in _paths([root])]
        found = [path for path in paths if [one["name"] for one in path][-len(wanted) :] == wanted]
        if len(found) != 1:
            raise ScenarioError(
                f"{name}: {[' '.join(one['name'] for one in path) for path in found or paths]}"
            )
        return found[0]

    def _where(self, channel: Channel | None, command: Json) -> Channel:
        """Where a command is used. Raises ScenarioError where Discord does not offer it."""
        place = channel or self._usual()
        contexts, installs = command.get("contexts"), command.get("integration_types") or [0]
        if contexts is not None and (0 if place.guild else 1) not in contexts:
            raise ScenarioError(f"{command['name']} is not offered here: contexts {contexts}")
        if place.guild is not None and not place.guild.bot and 1 not in installs:
            raise ScenarioError(f"{command['name']} is not offered without the bot: {installs}")
        needed = int(command.get("default_member_permissions") or 0)
        if place.guild is not None and needed & self.permissions != needed:
            raise ScenarioError(
                f"{command['name']} is not offered to {self.name}: needs {needed & OF_ADMINS}"
            )
        return place

    def _usual(self) -> Channel:
        return next(one for one in self.discord.channels.values() if one.guild and one.parent is None)

    # -- buttons, menus and forms

    async def presses(self, message: Message, which: str) -> Interaction:
        """Press a button: its custom_id, its label, or a part of its custom_id between colons."""
        item = _item(message, which, {checks.BUTTON})
        if item.get("url"):
            raise ScenarioError(f"{which} is a link")
        data = {"custom_id": item["custom_id"], "component_type": item["type"], "id": item["id"]}
        return await self._sends(self.discord.channels[message.channel], COMPONENT, data, message)

    async def chooses(self, message: Message, which: str, *values: str) -> Interaction:
        """Choose from a menu (by its custom_id, placeholder or a part between colons), by value or label."""
        item = _item(message, which, set(checks.SELECTS))
        data = {"custom_id": item["custom_id"], "component_type": item["type"], "id": item["id"]}
        data["values"] = _chosen(item, values)
        return await self._sends(self.discord.channels[message.channel], COMPONENT, data, message)

    async def submits(self, modal: Modal, **values: str | list[str]) -> Interaction:
        """Fill in a form by its custom_ids and send it; what is not given stays as the app filled it in."""
        if modal not in self.discord.modals(self):
            raise ScenarioError("that form is not open")
        if unknown := values.keys() - modal.fields.keys():
            raise ScenarioError(f"no such fields: {sorted(unknown)}; there are {sorted(modal.fields)}")
        rows = [_filled(row, values) for row in modal.data["components"]]
        self.discord.modals_open.remove(modal)
        data = {"custom_id": modal.data["custom_id"], "components": rows}
        return await self._sends(modal.channel, FORM, data, modal.message)

    async def _sends(
        self,
        channel: Channel,
        kind: int,
        data: Json,
        message: Message | None = None,
        *,
        about: Message | None = None,
    ) -> Interaction:
        if message is not None and message.only_for not in (None, self):
            raise ScenarioError(f"{self.name} does not see that message")
        asked = await self.discord.interact(self, channel, kind, data, message=message)
        try:
            await self.discord.until(lambda: asked.answer is not None, self.discord.answer_within)
        except TimeoutError:
            self.discord.note("not_answered", id=asked.id)
            raise NotAnsweredError("the application did not respond") from None
        return asked


def _paths(path: list[Json]) -> Iterator[list[Json]]:
    """All ways from a command to what can be run."""
    inner = [one for one in path[-1].get("options") or [] if one["type"] in SUBCOMMANDS]
    if not inner:
        yield path
    for one in inner:
        yield from _paths([*path, one])


def _nested(path: list[Json], given: list[Json]) -> Json:
    """The data of an interaction, from the command down to the options."""
    for one in reversed(path[1:]):
        given = [{"type": one["type"], "name": one["name"], "options": given}]
    return {"id": path[0]["id"], "name": path[0]["name"], "type": CHAT, "options": given}


def _names(part: Json) -> list[str]:
    return [part["name"], *(part.get("name_localizations") or {}).values()]


def _real(command: Json) -> list[Json]:
    return command.get("options") or []


def _options(command: Json, given: dict[str, Any]) -> list[Json]:
    known = {one["name"]: one for one in _real(command)}
    if unknown := given.keys() - known.keys():
        raise ScenarioError(f"no such options: {sorted(unknown)}; there are {sorted(known)}")
    return [_option(known[name], value) for name, value in given.items()]


def _option(option: Json, value: Any) -> Json:
    """An option as the client sends it. Raises ScenarioError for what the client does not let through."""
    kind = option["type"]
    if not isinstance(value, PYTHON.get(kind, str)) or (kind != 5 and isinstance(value, bool)):
        raise ScenarioError(f"{option['name']} takes type {kind}, not {value!r}")
    choices = {one["name"]: one["value"] for one in option.get("choices") or []}
    if choices:
        value = choices.get(value, value)
        if value not in choices.values():
            raise ScenarioError(f"{option['name']}: {value!r} is none of {choices}")
    size = checks.units(value) if kind == 3 else value
    low, high = ("min_length", "max_length") if kind == 3 else ("min_value", "max_value")
    for key, sign in ((low, 1), (high, -1)):
        if option.get(key) is not None and sign * size < sign * option[key]:
            raise ScenarioError(f"{option['name']}: {key} is {option[key]}")
    return {"name": option["name"], "type": kind, "value": value}


def _item(message: Message, which: str, kinds: set[int]) -> Json:
    """The button or menu of a message that is meant. Raises ScenarioError."""
    items = [one for one in checks.nested(message.components) if one["type"] in kinds]
    for fits in (
        lambda one: one.get("custom_id") == which,
        lambda one: which in (one.get("label"), one.get("placeholder")),
        lambda one: which in str(one.get("custom_id")).split(":"),
    ):
        found = [one for one in items if fits(one)]
        if len(found) == 1 and not found[0].get("disabled"):
            return found[0]
        if found:
            raise ScenarioError(f"{which}: disabled or more than one")
    there = [one.get("label") or one.get("placeholder") or one.get("custom_id") for one in items]
    raise ScenarioError(f"no {which}; there are {there}")


def _chosen(item: Json, values: tuple[str, ...] | list[str]) -> list[str]:
    least, most = item.get("min_values", 1), item.get("max_values", 1)
    if not least <= len(values) <= most:
        raise ScenarioError(f"{item.get('custom_id')} takes {least} to {most} values")
    if item["type"] != checks.SELECT:
        return list(values)
    options = {one["value"]: one["value"] for one in item["options"]}
    labels = {one["label"]: one["value"] for one in item["options"]}
    try:
        return [options[one] if one in options else labels[one] for one in values]
    except KeyError as error:
        raise ScenarioError(f"no option {error}; there are {sorted(labels)}") from None


def _filled(row: Json, values: dict[str, Any]) -> Json:
    """A row of a form as it is sent."""
    if row["type"] == checks.LABEL:
        return {"type": row["type"], "id": row.get("id", 0), "component": _field(row["component"], values)}
    if row["type"] == checks.ROW:
        return {**row, "components": [_field(one, values) for one in row["components"]]}
    return {"type": row["type"], "id": row.get("id", 0)}


def _field(item: Json, values: dict[str, Any]) -> Json:
    name, found = item["custom_id"], {"type": item["type"], "id": item.get("id", 0)}
    found["custom_id"] = name
    if item["type"] == checks.INPUT:
        text = str(values.get(name, item.get("value") or ""))
        if item.get("required", True) and not text:
            raise ScenarioError(f"not filled in: {name}")
        least, most = item.get("min_length") or 0, item.get("max_length") or limits.TEXT_INPUT
        if text and not least <= checks.units(text) <= most:
            raise ScenarioError(f"{name} takes {least} to {most} characters")
        return {**found, "value": text}
    chosen = values.get(name)
    if chosen is None:
        chosen = [one["value"] for one in item.get("options") or [] if one.get("default")]
    chosen = [chosen] if isinstance(chosen, str) else chosen
    if not chosen and not item.get("required", True):
        return {**found, "values": []}
    return {**found, "values": _chosen(item, chosen)}
