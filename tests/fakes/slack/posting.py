"""How a message comes to stand in a channel, changes and goes, whoever writes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.fakes.slack import limits, oracle
from tests.fakes.slack.blockkit import check_blocks, too_long
from tests.fakes.slack.core import ApiError, Core
from tests.fakes.slack.model import Channel, Installation, Member, Message

if TYPE_CHECKING:
    from tests.fakes.slack.events import Events

METADATA_BYTES = 16_384
TOMBSTONE = "This message was deleted."


def check_content(args: dict[str, Any]) -> None:
    """Raise ApiError unless text, blocks, attachments and metadata of a message are as Slack wants them.

    Stricter than Slack in one thing: a text is needed beside blocks, for notifications and screen readers.
    """
    text, blocks = args.get("text"), args.get("blocks") or []
    if not isinstance(text, str) or not text.strip():
        raise ApiError("no_text", "[ERROR] the top-level text is missing")
    if len(text) > limits.MESSAGE_TEXT:
        raise ApiError("msg_too_long", f"[ERROR] text of {len(text)} characters")
    problems = check_blocks(blocks) or oracle.objections(blocks)
    if problems:
        raise ApiError("invalid_blocks", *problems)
    if too_long(blocks):
        raise ApiError("msg_blocks_too_long")
    attachments = args.get("attachments") or []
    if not isinstance(attachments, list) or len(attachments) > limits.ATTACHMENTS:
        raise ApiError("invalid_arguments", "[ERROR] attachments [json-pointer:/attachments]")
    check_metadata(args.get("metadata"))


def check_metadata(metadata: Any) -> None:
    """Raise ApiError unless metadata has its two parts and a moderate size."""
    if metadata is None:
        return
    if not isinstance(metadata, dict) or metadata.keys() - {"event_type", "event_payload", "entities"}:
        raise ApiError("invalid_metadata_format")
    if not isinstance(metadata.get("event_type"), str) or not isinstance(metadata.get("event_payload"), dict):
        raise ApiError("invalid_metadata_format")
    if len(json.dumps(metadata)) > METADATA_BYTES:
        raise ApiError("metadata_too_large")


def may_post(channel: Channel, installation: Installation) -> None:
    """Raise ApiError unless an app may write in a channel that it sees."""
    if channel.archived:
        raise ApiError("is_archived")
    if installation.bot.id not in channel.members:
        if channel.kind != "public":
            raise ApiError("channel_not_found")
        if "chat:write.public" not in installation.scopes:
            raise ApiError("not_in_channel")
    if channel.restricted:
        raise ApiError("restricted_action")


class Posting:
    """Writes, changes and deletes messages, and sends the events of it."""

    def __init__(self, core: Core, events: Events) -> None:
        self.core = core
        self.events = events

    def thread(self, channel: Channel, thread: Any) -> str | None:
        """The thread that a new message goes to.

        Slack posts to the channel itself, without a word, where the thread's parent is gone.
        """
        if not thread:
            return None
        parent = channel.messages.get(str(thread))
        if parent is None:
            return None
        if parent.thread_ts and parent.thread_ts != parent.ts:
            self.core.offend(
                f"thread_ts={thread} is itself a reply; the thread's parent is {parent.thread_ts}"
            )
            return parent.thread_ts
        return parent.ts

    def by_user(self, user: Member, channel: Channel, text: str, thread: str | None, **more: Any) -> Message:
        """A message of a person."""
        made = Message(self.core.world.ts(), channel, user.id, user.team.id, text, thread_ts=thread, **more)
        channel.messages[made.ts] = made
        self.core.world.written.append(made)
        return made

    def by_app(self, installation: Installation, channel: Channel, args: dict[str, Any]) -> Message:
        """A message of the app, with its events. `args` were checked before."""
        thread = self.thread(channel, args.get("thread_ts"))
        made = self._app_message(installation, channel, args)
        made.thread_ts = thread
        channel.messages[made.ts] = made
        self.core.world.written.append(made)
        if args.get("thread_ts") and thread is None:
            self.core.strays.append(made)
        self.core.journal(
            "post",
            channel=channel.id,
            ts=made.ts,
            thread=thread,
            stray=bool(args.get("thread_ts") and thread is None),
            metadata=made.metadata,
            text=made.text[:200],
        )
        self.events.written(made)
        return made

    def ephemeral(
        self, installation: Installation, channel: Channel, user: Member, args: dict[str, Any]
    ) -> Message:
        """A message that one person sees."""
        made = self._app_message(installation, channel, args)
        made.only_for, made.thread_ts = user.id, args.get("thread_ts")
        self.core.world.ephemerals.setdefault(user.id, []).append(made)
        self.core.journal("ephemeral", channel=channel.id, ts=made.ts, user=user.id, text=made.text[:200])
        return made

    def _app_message(self, installation: Installation, channel: Channel, args: dict[str, Any]) -> Message:
        options = {
            key: value
            for key, value in args.items()
            if key in {"unfurl_links", "unfurl_media", "reply_broadcast", "link_names", "parse", "mrkdwn"}
        }
        return Message(
            self.core.world.ts(),
            channel,
            installation.bot.id,
            channel.team.id,
            args["text"],
            blocks=with_ids(args.get("blocks") or []),
            attachments=list(args.get("attachments") or []),
            metadata=args.get("metadata"),
            bot_id=installation.bot_id,
            app_id=self.core.app_id,
            options=options,
        )

    def edit(self, message: Message, args: dict[str, Any], editor: str) -> None:
        """Put something else in the place of what a message says."""
        before = message.wire()
        message.text = args.get("text", message.text)
        for key in ("blocks", "attachments", "metadata"):
            if key in args:
                value = args[key]
                setattr(message, key, with_ids(value) if key == "blocks" else value)
        message.edited = {"user": editor, "ts": self.core.world.ts()}
        message.edits += 1
        if message.by_app:
            self.core.journal(
                "update",
                channel=message.channel.id,
                ts=message.ts,
                metadata=message.metadata,
                text=message.text[:200],
            )
        if message.only_for is None:
            self.events.changed(message, before)

    def delete(self, message: Message) -> None:
        """Delete a message. The parent of a thread stays as a tombstone until its last reply is gone."""
        before, channel = message.wire(), message.channel
        message.deleted = True
        if message.by_app:
            self.core.journal("delete", channel=channel.id, ts=message.ts, metadata=message.metadata)
        if message.only_for is not None:
            self.core.world.ephemerals[message.only_for].remove(message)
            return
        if channel.replies(message.ts):
            stone = Message(
                message.ts,
                channel,
                "USLACKBOT",
                message.team,
                TOMBSTONE,
                thread_ts=message.ts,
                subtype="tombstone",
            )
            channel.messages[message.ts] = stone
            self.events.changed(stone, before)
            return
        del channel.messages[message.ts]
        self.events.deleted(message, before)
        parent = channel.messages.get(message.thread_ts or "")
        if parent is not None and parent.subtype == "tombstone" and not channel.replies(parent.ts):
            gone = parent.wire()
            del channel.messages[parent.ts]
            self.events.deleted(parent, gone)


def with_ids(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Blocks with the block_id and action_id that Slack gives to those without."""
    made = []
    for place, one in enumerate(blocks):
        one = {"block_id": f"b{place}", **one}
        if isinstance(one.get("elements"), list) and one["type"] in {"actions", "context_actions"}:
            one["elements"] = [
                {"action_id": f"a{number}", **part} for number, part in enumerate(one["elements"])
            ]
        made.append(one)
    return made
