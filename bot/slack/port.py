"""What the core asks of Slack, by the Web API: post, find, change, remove, read, send a chart."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.events import Place, Platform
from bot.page import Page
from bot.ports import CannotLookError, Message, NotNowError, Post, RefusedError
from bot.render import slack as render
from bot.render.slack.limits import ALT_TEXT
from bot.slack.translate import at, automated
from bot.telling.naming import cut

Result = TypeVar("Result")

# docs.slack.dev/reference/methods, common errors: Slack's own trouble, worth another try.
PASSING = frozenset(
    ("internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org")
)
GONE = frozenset(("message_not_found", "thread_not_found"))
# With these the installation may not look at what stands there.
BLIND = frozenset(
    ("missing_scope", "not_in_channel", "channel_not_found", "no_permission", "not_allowed_token_type")
)
TS = re.compile(r"\d+\.\d+")  # how Slack names a message
TIMEOUT = 20  # seconds for one call
LATER = 5.0  # seconds to wait after a failure of Slack's own
PAGES = 5  # pages of a thread that are looked through for a post
PAGE = 200  # messages of a page (docs.slack.dev recommends no more)


def web_client(
    token: str | None, api: str, session: aiohttp.ClientSession, proxy: str | None
) -> AsyncWebClient:
    """A Web API client that tries nothing again: a post whose answer was lost must not be sent twice."""
    return AsyncWebClient(
        token=token, base_url=api, timeout=TIMEOUT, session=session, proxy=proxy, retry_handlers=[]
    )


class SlackPort:
    """One installation. `client` bears its token; it tries nothing again by itself."""

    platform: Platform = "slack"

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client

    @property
    def client(self) -> AsyncWebClient:
        """The Web API with the installation's token."""
        return self._client

    async def post(self, post: Post) -> str:
        """Post a reply into its thread; a table that Slack refuses is told as text."""
        try:
            return await self._post(post, tables=True)
        except RefusedError as error:
            if error.reason != "invalid_blocks":
                raise
            return await self._post(post, tables=False)

    async def _post(self, post: Post, *, tables: bool) -> str:
        made, thread = drawn(post, tables=tables), root(post)
        answer = await calling(
            lambda: self._client.chat_postMessage(
                channel=post.place.channel,
                thread_ts=thread,
                text=made.text,
                blocks=made.blocks,
                metadata=made.metadata,
                unfurl_links=False,
                unfurl_media=False,
            )
        )
        if thread is not None and not answer["message"].get("thread_ts"):
            # The message was deleted meanwhile: Slack puts the answer into the channel, where nobody asked.
            await self.remove(post.place, str(answer["ts"]))
            raise RefusedError("thread_not_found")
        return str(answer["ts"])

    async def find(self, post: Post) -> str | None:
        """The post of an earlier try, by the ID in its metadata."""
        thread, cursor = root(post), None
        for _ in range(PAGES):
            found = await self._page(post.place.channel, thread, cursor)
            if found is None:
                return None
            for message in found["messages"]:
                payload = (message.get("metadata") or {}).get("event_payload") or {}
                if payload.get("key") == post.key:
                    return str(message["ts"])
            cursor = (found.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return None
        raise CannotLookError("thread_too_long")

    async def _page(self, channel: str, thread: str | None, cursor: str | None) -> Any:
        asked: dict[str, Any] = {"channel": channel, "limit": PAGE, "include_all_metadata": True}
        if cursor:
            asked["cursor"] = cursor
        if thread is None:
            return await looking(lambda: self._client.conversations_history(**asked))
        return await looking(lambda: self._client.conversations_replies(ts=thread, **asked))

    async def update(self, post: Post, message: str) -> None:
        """Put a reply in the place of one of ours."""
        made = drawn(post, tables=True)
        await calling(
            lambda: self._client.chat_update(
                channel=post.place.channel,
                ts=message,
                text=made.text,
                blocks=made.blocks,
                metadata=made.metadata,
            )
        )

    async def remove(self, place: Place, message: str) -> None:
        """Delete a message of ours; one that is gone is removed."""
        try:
            await calling(lambda: self._client.chat_delete(channel=place.channel, ts=message))
        except RefusedError as error:
            if error.reason not in GONE:
                raise

    async def read(self, place: Place, message: str) -> Message | None:
        """A message by its ID, in a thread or out of it."""
        found = await looking(
            lambda: self._client.conversations_replies(
                channel=place.channel, ts=message, oldest=message, latest=message, inclusive=True, limit=1
            )
        )
        for one in found["messages"] if found is not None else ():
            if one.get("ts") == message and one.get("subtype") != "tombstone":
                return Message(
                    message,
                    str(one.get("user") or ""),
                    str(one.get("text") or ""),
                    automated(one),
                    at(message),
                )
        return None

    async def creator(self, place: Place) -> tuple[str, bool]:
        """Who made a channel ("" where that may not be seen), and whether another organisation shares it."""
        try:
            found = await looking(lambda: self._client.conversations_info(channel=place.channel))
        except CannotLookError:
            return "", place.shared
        channel = found["channel"] if found is not None else {}
        shared = bool(channel.get("is_ext_shared") or channel.get("is_pending_ext_shared"))
        return str(channel.get("creator") or ""), place.shared or shared

    async def chart(self, place: Place, thread: str | None, png: bytes, title: str, alt: str) -> None:
        """Send a picture into a thread, with its alt text."""
        await calling(
            lambda: self._client.files_upload_v2(
                channel=place.channel,
                thread_ts=thread,
                filename="smallprint.png",
                content=png,
                title=title,
                alt_txt=cut(alt, ALT_TEXT),
            )
        )


def root(post: Post) -> str | None:
    """The message in whose thread a post belongs; None for what answers no message (shared, a digest)."""
    source = post.source if post.source and TS.fullmatch(post.source) else None
    return post.place.thread or source


def drawn(post: Post, *, tables: bool) -> render.Message:
    """A post as Slack shows it, with the metadata by which it is found again."""
    if isinstance(post.reply, Page):
        # What answers no message is a digest: the channel has its first lines, a button opens the rest.
        return render.page(post.reply, tables=tables, reply_id=post.key, more=post.source is None)
    return render.message(post.reply, reply_id=post.key, poster=post.poster, tables=tables)


async def calling(call: Callable[[], Awaitable[Result]]) -> Result:
    """A call of the Web API. Raises RefusedError or NotNowError."""
    try:
        return await call()
    except SlackApiError as error:
        raise refusal(error) from None
    except (TimeoutError, aiohttp.ClientError, OSError, SlackClientError) as error:
        # Nobody knows whether Slack carried it out.
        raise NotNowError(type(error).__name__, LATER) from None


async def looking(call: Callable[[], Awaitable[Result]]) -> Result | None:
    """The same for a look at what stands there: None where it is gone. Raises CannotLookError too."""
    try:
        return await calling(call)
    except RefusedError as error:
        if error.reason in GONE:
            return None
        if error.reason in BLIND:
            raise CannotLookError(error.reason) from None
        raise


def refusal(error: SlackApiError) -> RefusedError | NotNowError:
    """What Slack's answer means for another try."""
    response: Any = error.response
    body = getattr(response, "data", response)
    # Slack's own failures come as HTML or text, without a word for the error.
    status = int(getattr(response, "status_code", 0) or 500)
    reason = str(body["error"]) if isinstance(body, dict) and body.get("error") else str(status)
    if status == 429 or reason in ("ratelimited", "rate_limited"):
        return NotNowError("ratelimited", retry_after(response), sure=True)
    if status >= 500 or reason == str(status) or reason in PASSING:
        return NotNowError(reason, LATER)
    return RefusedError(reason)


def retry_after(response: Any) -> float:
    """The seconds that Slack asks to wait."""
    headers = {str(key).lower(): value for key, value in dict(getattr(response, "headers", {})).items()}
    try:
        return max(0.5, float(headers.get("retry-after", 1)))
    except (TypeError, ValueError):
        return 1.0
