"""Workspaces and people, in words that a test reads well with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.fakes.slack import interactions
from tests.fakes.slack.blockkit import check_view
from tests.fakes.slack.browser import install
from tests.fakes.slack.core import ApiError
from tests.fakes.slack.delivery import Delivery, Kind
from tests.fakes.slack.model import (
    Channel,
    ChannelKind,
    Installation,
    Member,
    Message,
    ScenarioError,
    Team,
    View,
)

if TYPE_CHECKING:
    from tests.fakes.slack.server import Slack


@dataclass
class Workspace:
    """A workspace of the fake."""

    slack: Slack
    team: Team

    @property
    def id(self) -> str:
        """Its team ID."""
        return self.team.id

    @property
    def installation(self) -> Installation:
        """The app in this workspace. Raises ScenarioError where it is not installed."""
        found = self.slack.core.world.installed(self.team)
        if not found:
            raise ScenarioError(f"the app is not installed in {self.team.name}")
        return found[0]

    @property
    def token(self) -> str:
        """The bot token."""
        return self.installation.token

    @property
    def bot(self) -> Member:
        """The bot user."""
        return self.installation.bot

    @property
    def mention(self) -> str:
        """What mentions the app in a text."""
        return f"<@{self.bot.id}>"

    def install(self, scopes: frozenset[str] | None = None) -> Installation:
        """Install the app, with the scopes of its manifest unless told otherwise."""
        asked = self.slack.core.manifest.scopes if scopes is None else scopes
        core = self.slack.core
        return core.world.install(core.manifest.name, asked, self.team, self.team.enterprise, "")

    def uninstall(self) -> None:
        """Remove the app."""
        self.slack.uninstall(self.installation)

    def user(
        self, name: str, *, admin: bool = False, locale: str = "en-US", tz: str = "Europe/Berlin"
    ) -> User:
        """A new person."""
        member = Member(self.slack.core.world.id("U"), name, self.team, locale, tz, is_admin=admin)
        self.slack.core.world.members[member.id] = member
        return User(self.slack, member)

    def channel(
        self,
        name: str = "general",
        *members: User,
        kind: ChannelKind = "public",
        bot: bool = True,
        shared_with: Workspace | None = None,
        creator: User | None = None,
    ) -> Channel:
        """A new channel with some people, and the bot unless told otherwise. No events."""
        ids = {one.id for one in members}
        first = creator or (members[0] if members else None)
        made = self.slack.core.world.add_channel(self.team, name, kind, ids, first.id if first else "")
        if bot:
            made.members.add(self.bot.id)
        if shared_with is not None:
            made.shared_with.append(shared_with.team)
        return made

    def invite(self, channel: Channel) -> None:
        """Invite the bot to a channel."""
        channel.members.add(self.bot.id)
        event = {"type": "member_joined_channel", "user": self.bot.id, **self._where(channel)}
        self.slack.events.send(event, self.team, channel)

    def kick(self, channel: Channel) -> None:
        """Remove the bot from a channel."""
        event = {"type": "member_left_channel", "user": self.bot.id, **self._where(channel)}
        self.slack.events.send(event, self.team, channel)
        channel.members.discard(self.bot.id)
        name = "channel_left" if channel.kind == "public" else "group_left"
        self.slack.events.send({"type": name, "channel": channel.id}, self.team, channel)

    def archive(self, channel: Channel) -> None:
        """Archive a channel."""
        channel.archived = True
        name = "channel_archive" if channel.kind == "public" else "group_archive"
        self.slack.events.send(
            {"type": name, "channel": channel.id, "user": channel.creator}, self.team, channel
        )

    def _where(self, channel: Channel) -> dict[str, str]:
        kind = "C" if channel.kind == "public" else "G"
        return {"channel": channel.id, "channel_type": kind, "team": self.team.id}


@dataclass
class User:
    """A person of a workspace, who writes, presses and submits."""

    slack: Slack
    member: Member

    @property
    def id(self) -> str:
        """The user ID."""
        return self.member.id

    @property
    def _team(self) -> Team:
        return self.member.team

    @property
    def _bot(self) -> Member:
        return Workspace(self.slack, self._team).bot

    def dm(self) -> Channel:
        """The direct conversation with the app."""
        return self.slack.core.world.direct(self.member, self._bot)

    def _channel(self, channel: Channel | str) -> Channel:
        return channel if isinstance(channel, Channel) else self.slack.core.world.channel(channel, self._team)

    # Messages

    async def says(
        self,
        channel: Channel | str,
        text: str,
        *,
        thread: Message | str | None = None,
        **more: Any,
    ) -> Message:
        """Write a message (with mrkdwn as Slack sends it: `<@U…>`, `<https://…|label>`, &amp;)."""
        place = self._channel(channel)
        if place.archived:
            raise ScenarioError(f"#{place.name} is archived")
        root = thread.root if isinstance(thread, Message) else thread
        if root is not None and root not in place.messages:
            raise ScenarioError(f"no message {root} to answer in #{place.name}")
        made = self.slack.posting.by_user(self.member, place, text, root, **more)
        self.slack.events.written(made)
        return made

    async def asks(
        self, channel: Channel | str, text: str, *, thread: Message | str | None = None
    ) -> Message:
        """Mention the app with a text."""
        return await self.says(channel, f"<@{self._bot.id}> {text}", thread=thread)

    async def tells(self, text: str, *, thread: Message | str | None = None) -> Message:
        """Write to the app directly."""
        return await self.says(self.dm(), text, thread=thread)

    async def composes(self, text: str) -> None:
        """Write a text with links into the composer, without sending it."""
        self.slack.events.composed(self.member, text)

    async def edits(self, message: Message, text: str) -> None:
        """Edit a message of one's own. A mention in it is told to the app once more."""
        if message.user != self.id:
            raise ScenarioError("only its author edits a message")
        self.slack.posting.edit(message, {"text": text}, self.id)
        self.slack.events.mentions(message)

    async def deletes(self, message: Message) -> None:
        """Delete a message."""
        self.slack.posting.delete(message)

    async def reacts(self, message: Message, name: str) -> None:
        """Put an emoji on a message."""
        message.reactions.setdefault(name, []).append(self.id)
        await self._reaction("reaction_added", message, name)

    async def unreacts(self, message: Message, name: str) -> None:
        """Take an emoji off a message."""
        message.reactions[name].remove(self.id)
        await self._reaction("reaction_removed", message, name)

    async def _reaction(self, kind: str, message: Message, name: str) -> None:
        event = {
            "type": kind,
            "user": self.id,
            "reaction": name,
            "item": {"type": "message", "channel": message.channel.id, "ts": message.ts},
            "item_user": message.user,
        }
        self.slack.events.send(event, self._team, message.channel)

    async def leaves(self, channel: Channel) -> None:
        """Leave a channel."""
        channel.members.discard(self.id)
        event = {
            "type": "member_left_channel",
            "user": self.id,
            "channel": channel.id,
            "channel_type": "C" if channel.kind == "public" else "G",
            "team": self._team.id,
        }
        self.slack.events.send(event, self._team, channel)

    async def opens_home(self, tab: str = "home") -> None:
        """Open the app's Home (or "messages") tab."""
        event: dict[str, Any] = {
            "type": "app_home_opened",
            "user": self.id,
            "channel": self.dm().id,
            "tab": tab,
        }
        home = self.slack.home(self)
        if home is not None and tab == "home":
            event["view"] = home.wire(self.slack.core.app_id)
        self.slack.events.send(event, self._team)

    # Commands, shortcuts, buttons, modals. Each waits for the ack; NotAckedError: the person sees a failure.

    async def slash(self, name: str, text: str, channel: Channel | str) -> Any:
        """Use a slash command. Returns what the ack holds, which Slack shows if it is a message."""
        if name not in self.slack.core.manifest.commands:
            raise ScenarioError(f"{name} is no command of the manifest")
        self._scope("commands")
        place = self._channel(channel)
        payload = interactions.command(self.slack, self.member, name, text, place)
        answer = await self._send("slash_commands", payload)
        if isinstance(answer, dict) and answer:
            self._show(answer, place)
        return answer

    async def shortcut(self, callback: str, message: Message | None = None) -> None:
        """Use a message shortcut, or a global one."""
        known = (
            self.slack.core.manifest.message_shortcuts
            if message
            else self.slack.core.manifest.global_shortcuts
        )
        if callback not in known:
            raise ScenarioError(f"{callback} is no such shortcut of the manifest")
        self._scope("commands")
        if message is None:
            payload = interactions.global_shortcut(self.slack, self.member, callback)
        else:
            payload = interactions.message_shortcut(self.slack, self.member, callback, message)
        await self._send("interactive", payload)

    async def press(self, place: Message | View, action_id: str, value: str | None = None) -> None:
        """Press a button of a message, a modal or the Home tab (`value`: which of two feedback buttons)."""
        await self._send("interactive", interactions.action(self.slack, self.member, place, action_id, value))

    async def chooses(self, place: Message | View, action_id: str, value: str) -> None:
        """Choose from a menu, by the option's value or text."""
        await self.press(place, action_id, value)

    async def submits(self, view: View, values: dict[str, Any] | None = None) -> dict[str, str]:
        """Fill in a modal (by action_id) and submit it. Returns the errors that it shows, by block_id."""
        if view not in self.slack.views(self):
            raise ScenarioError("that modal is not open")
        interactions.fill(view, values or {}, self.member)
        lacking = interactions.missing(view)
        if lacking:
            raise ScenarioError(f"not filled in: {lacking}")
        answer = await self._send("interactive", interactions.submission(self.slack, view))
        return self._after_submission(view, answer or {})

    async def closes(self, view: View) -> None:
        """Close a modal."""
        self.slack.viewing.close(view)
        if view.content.get("notify_on_close"):
            await self._send("interactive", interactions.submission(self.slack, view, closed=True))

    def _after_submission(self, view: View, answer: dict[str, Any]) -> dict[str, str]:
        action = answer.get("response_action")
        if action == "errors":
            errors: dict[str, str] = answer["errors"]
            strange = errors.keys() - {one["block_id"] for one in view.blocks if one["type"] == "input"}
            if strange:
                self.slack.core.offend(f"view_submission: errors of blocks that are no inputs: {strange}")
            return errors
        if action in {"update", "push"}:
            problems = check_view(answer.get("view"))
            if problems:
                self.slack.core.offend(f"view_submission: {' '.join(problems)}")
            elif action == "update":
                self.slack.viewing.replace(view, answer["view"])
            else:
                self.slack.viewing.push(self.member, answer["view"], view.installation)
            return {}
        self.slack.viewing.close(view, all_of_them=action == "clear")
        return {}

    def _show(self, answer: dict[str, Any], channel: Channel) -> None:
        try:
            self.slack.answer(answer, channel, self.member, None)
        except ApiError as error:
            self.slack.core.offend(f"slash command's ack: {error.error} {' '.join(error.messages)}".strip())

    def _scope(self, scope: str) -> None:
        if scope not in Workspace(self.slack, self._team).installation.scopes:
            raise ScenarioError(f"without the scope {scope} nobody sees it")

    # Installing

    async def installs(self, url: str, *, org: bool = False, deny: bool = False) -> tuple[int, str]:
        """Install the app as a browser does, from its install page on. Returns the last page.

        Raises ApiError where Slack shows an error instead of asking.
        """
        return await install(self.slack, self.member, url, org=org, deny=deny)

    async def _send(self, kind: Kind, payload: dict[str, Any]) -> Any:
        delivery = Delivery(kind, self.slack.core.world.id("I"), payload)
        return await self.slack.deliveries.now(delivery)
