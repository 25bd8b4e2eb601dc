"""What people press, type and open in Slack: commands, the shortcut, buttons, menus, modals, the Home tab.

Everything is acknowledged at once and done right after it; nothing here is durable but what the
service stores. A failure becomes a line for the person who pressed.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.context.respond.async_respond import AsyncRespond
from slack_sdk.web.async_client import AsyncWebClient

from bot.events import Place
from bot.page import Page
from bot.ports import CannotLookError, NotNowError, PortError, RefusedError
from bot.preferences import Preferences, scopes_of, typed, value_of
from bot.render import slack as render
from bot.render.slack import views
from bot.reply import Reply
from bot.slack.port import SlackPort, calling
from bot.slack.rights import Rights
from bot.wording import Language, Words, words

if TYPE_CHECKING:
    from bot.service import Service, Shown
    from bot.state import State

log = structlog.get_logger(__name__)

SHORTCUT = "check_claims"
ACTION = re.compile(r"v1\.(?P<name>[a-z_]+)(?:\.(?P<more>.+))?$")
LOOK_WITHIN = 1.0  # seconds for a look at the message before a modal opens; its trigger lives for three

View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pressed:
    """One use of a button, menu or modal.

    value: the button's, or the chosen option's. block: the ID of its block. message: the message it
    stands in, None for a modal, the Home tab and what only one person sees.
    """

    place: Place
    person: str
    value: str
    block: str
    trigger: str
    view: View | None
    message: str | None
    respond: AsyncRespond
    client: AsyncWebClient

    async def opens(self, view: View) -> None:
        """Show a modal, in the place of the one that is open."""
        if self.view is not None and self.view.get("type") == "modal":
            await calling(
                lambda: self.client.views_update(view_id=str(self.view and self.view["id"]), view=view)
            )
        else:
            await calling(lambda: self.client.views_open(trigger_id=self.trigger, view=view))

    async def says(self, w: Words, key: str, *, instead: bool = False) -> None:
        """A sentence for this person only; `instead` of what only this person saw."""
        if self.view is not None:
            await self.opens(views.notice(w.language, w(key).strip()))
            return
        await self.respond(text=render.escaped(w(key)), response_type="ephemeral", replace_original=instead)


Handler = Callable[[Pressed, str], Awaitable[None]]
Work = Callable[[dict[str, Any], AsyncBoltContext, AsyncRespond], Coroutine[Any, Any, None]]


class Interactions:
    """The listeners for all that is not an event."""

    def __init__(
        self,
        service: Service,
        state: State,
        rights: Rights,
        port: Callable[[str], Awaitable[SlackPort]],
        start: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._service, self._state, self._rights = service, state, rights
        self._port, self._start = port, start
        self._handlers: dict[str, Handler] = {
            "details": self._opening(views.details),
            "all": self._opening(partial(views.details, everything=True)),
            "fair": self._opening(lambda reply, reply_id: views.fair(reply)),
            "why": self._opening(lambda reply, reply_id: views.why(reply)),
            "chart": self._chart,
            "feedback": self._feedback,
            "remove": self._remove,
            "share": self._share,
            "choose": self._choose,
            "set": self._set,
            "channel": self._channel,
            "forget": self._forget,
        }

    def register(self, app: AsyncApp) -> None:
        """Listen. Every kind has a catch-all, so that nothing is left without an answer."""
        everything = re.compile(".*", re.DOTALL)
        app.command(everything)(self._afterwards(self.command))
        app.shortcut(everything)(self._afterwards(self.shortcut))
        app.action(everything)(self._afterwards(self.action))
        app.view(everything)(self.submitted)

    def _afterwards(self, work: Work) -> Callable[..., Awaitable[None]]:
        # The library's own lazy listeners copy the whole request with its client, which cannot be
        # copied together with the session that all calls share.
        async def listener(
            ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, respond: AsyncRespond
        ) -> None:
            await ack()
            self._start(work(body, context, respond))

        return listener

    async def _refuse(self, respond: AsyncRespond, place: Place, person: str) -> None:
        w = words(spoken(await self._service.preferences(place, person)))
        await respond(text=w("reason.shared_channel"), response_type="ephemeral")

    # -- commands and the shortcut

    async def command(self, body: dict[str, Any], context: AsyncBoltContext, respond: AsyncRespond) -> None:
        """/smallprint …: a page or an answer that only this person sees."""
        channel, person = str(body.get("channel_id") or ""), str(body.get("user_id") or "")
        text = str(body.get("text") or "")
        place = await self._rights.place(here(context, channel))
        try:
            if await self._rights.silent(place, person) and not text.strip().casefold().startswith(OPEN):
                await self._refuse(respond, place, person)
                return
            admin = await self._rights.admin(place, person)
            owner = await self._rights.owner(place, person)
            found = await self._service.page(text, place=place, person=person, admin=admin, owner=owner)
            await answer(respond, found)
        except Exception as error:
            await failed(error, respond)

    async def shortcut(self, body: dict[str, Any], context: AsyncBoltContext, respond: AsyncRespond) -> None:
        """Check claims, from a message's menu: an answer that only this person sees."""
        message = body.get("message") or {}
        channel = str((body.get("channel") or {}).get("id") or "")
        person = str((body.get("user") or {}).get("id") or "")
        if body.get("callback_id") != SHORTCUT or not channel:
            return
        thread = message.get("thread_ts") or message.get("ts")
        place = await self._rights.place(replace(here(context, channel), thread=thread))
        try:
            if await self._rights.silent(place, person):
                await self._refuse(respond, place, person)
                return
            text = str(message.get("text") or "")
            await answer(
                respond, await self._service.answer(text, place=place, person=person, markup="slack")
            )
        except Exception as error:
            await failed(error, respond)

    # -- buttons and menus

    async def action(self, body: dict[str, Any], context: AsyncBoltContext, respond: AsyncRespond) -> None:
        """A button or a menu, in a message of any age."""
        used = (body.get("actions") or [{}])[0]
        known = ACTION.match(str(used.get("action_id") or ""))
        handler = self._handlers.get(known["name"]) if known else None
        if known is None or handler is None:
            # A button of another version: nobody's press is left without a word.
            if body.get("response_url"):
                text = words("en")("slack.gone")
                await respond(text=text, response_type="ephemeral", replace_original=False)
            return
        try:
            await handler(await self._pressed(body, used, context, respond), known["more"] or "")
        except Exception as error:
            await failed(error, respond if body.get("response_url") else None)

    async def _pressed(
        self, body: dict[str, Any], used: dict[str, Any], context: AsyncBoltContext, respond: AsyncRespond
    ) -> Pressed:
        container, view = body.get("container") or {}, body.get("view")
        channel = str((body.get("channel") or {}).get("id") or container.get("channel_id") or "")
        thread = container.get("thread_ts") or (body.get("message") or {}).get("thread_ts")
        chosen = (used.get("selected_option") or {}).get("value") or used.get("selected_conversation")
        message = None if container.get("is_ephemeral") else container.get("message_ts")
        assert context.client is not None
        return Pressed(
            place=replace(here(context, channel), thread=thread),
            person=str((body.get("user") or {}).get("id") or ""),
            value=str(used.get("value") or chosen or ""),
            block=str(used.get("block_id") or ""),
            trigger=str(body.get("trigger_id") or ""),
            view=view,
            message=message,
            respond=respond,
            client=context.client,
        )

    async def _reply(self, pressed: Pressed, reply_id: str) -> Reply | None:
        """The reply of a button. A digest is opened whole; what is not kept any more can be read again."""
        shown = await self._service.shown(reply_id)
        if shown is not None and shown.reply is not None:
            return shown.reply
        if shown is not None and shown.page is not None:
            await pressed.opens(views.page(shown.page))
            return None
        await self._expired(pressed, shown)
        return None

    async def _expired(self, pressed: Pressed, shown: Shown | None) -> None:
        text, language = "", language_of(shown)
        if shown is not None and shown.record.kind == "answer":
            text = await self._looked_up(shown.record.place, shown.record.source)
        at = {"channel": pressed.place.channel, "thread": pressed.place.thread}
        await pressed.opens(views.expired(language, text=text, metadata=json.dumps(at)))

    async def _looked_up(self, place: Place, message: str) -> str:
        try:
            async with asyncio.timeout(LOOK_WITHIN):
                found = await (await self._port(place.workspace)).read(place, message)
        except (PortError, TimeoutError):
            return ""
        return found.text if found else ""

    def _opening(self, view: Callable[[Reply, str], View]) -> Handler:
        async def opening(pressed: Pressed, more: str) -> None:
            if reply := await self._reply(pressed, pressed.value):
                await pressed.opens(view(reply, pressed.value))

        return opening

    async def _chart(self, pressed: Pressed, more: str) -> None:
        reply = await self._reply(pressed, pressed.value)
        if reply is None:
            return
        from bot.render import chart, plots

        w, table = words(reply.language), reply.chart
        plot = plots.bars(table, w) if table else None
        if plot is None:
            await pressed.says(w, "slack.no_chart")
            return
        drawn = await asyncio.to_thread(chart.png, plot)
        port = await self._port(pressed.place.workspace)
        thread = pressed.place.thread or pressed.message
        await port.chart(pressed.place, thread, drawn.png, plot.title, drawn.alt)

    async def _feedback(self, pressed: Pressed, more: str) -> None:
        which, _, reply_id = pressed.value.partition(".")
        await self._service.feedback(reply_id, pressed.person, which == "helpful")
        await pressed.says(words(language_of(await self._service.shown(reply_id))), "page.thanks")

    async def _remove(self, pressed: Pressed, more: str) -> None:
        admin = await self._rights.admin(pressed.place, pressed.person)
        if not await self._service.remove(pressed.value, pressed.person, admin=admin):
            shown = await self._service.shown(pressed.value)
            key = "slack.gone" if shown is None else "slack.not_yours"
            await pressed.says(words(language_of(shown)), key)

    async def _share(self, pressed: Pressed, more: str) -> None:
        shown = await self._service.share(pressed.value, pressed.place, pressed.person)
        if shown is None:
            await pressed.says(words("en"), "page.expired", instead=True)
        else:
            await pressed.says(words(language_of(shown)), "page.shared", instead=True)

    async def _choose(self, pressed: Pressed, more: str) -> None:
        reply_id = pressed.block.rpartition(".")[0]
        shown = await self._service.choose(reply_id, more, pressed.value, pressed.person)
        if shown is None or shown.reply is None:
            await self._expired(pressed, await self._service.shown(reply_id))
        elif pressed.message is None:
            made = render.message(shown.reply, reply_id=reply_id, poster=None, private=True)
            await pressed.respond(
                text=made.text, blocks=made.blocks, response_type="ephemeral", replace_original=True
            )

    # -- settings, Home

    async def _set(self, pressed: Pressed, more: str) -> None:
        value = value_of(more, pressed.value)
        place = replace(pressed.place, channel="", thread=None)
        await self._service.set_preference("person", place, more, value, pressed.person)
        await self._publish(place, pressed.person, pressed.client)

    async def _channel(self, pressed: Pressed, more: str) -> None:
        place = await self._rights.place(replace(pressed.place, channel=pressed.value, thread=None))
        preferences = await self._service.preferences(place)
        language = spoken(preferences)
        if not await self._rights.admin(place, pressed.person):
            await pressed.opens(views.notice(language, words(language)("page.admins_only")))
            return
        at = json.dumps({"channel": place.channel})
        await pressed.opens(views.settings(language, preferences, "channel", metadata=at))

    async def _forget(self, pressed: Pressed, more: str) -> None:
        place = replace(pressed.place, channel="", thread=None)
        language = spoken(await self._service.preferences(place, pressed.person))
        await self._service.forget("slack", pressed.person)
        await pressed.says(words(language), "page.forgotten")
        await self._publish(place, pressed.person, pressed.client)

    async def home(self, workspace: str, event: dict[str, Any]) -> None:
        """Somebody opens the Home tab."""
        if event.get("tab") != "home":
            return
        try:
            port = await self._port(workspace)
            await self._publish(Place("slack", workspace, ""), str(event["user"]), port.client)
        except Exception as error:
            await failed(error, None)

    async def _publish(self, place: Place, person: str, client: AsyncWebClient) -> None:
        preferences = await self._service.preferences(place, person)
        language = spoken(preferences)
        pages = {
            name: await self._service.page(name, place=place, person=person, locale=language)
            for name in ("help", "privacy")
        }
        lines = {name: page.lines if isinstance(page, Page) else () for name, page in pages.items()}
        subscribed = await self._state.subscriptions("slack", place.workspace)
        view = views.home(
            language,
            preferences=preferences,
            intro=lines["help"],
            privacy=lines["privacy"],
            recent=await self._service.recent(place, person),
            subscriptions=[one.place.channel for one in subscribed],
        )
        await calling(lambda: client.views_publish(user_id=person, view=view))

    # -- modals

    async def submitted(self, ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """A modal that was filled in: settings, or a text to read again."""
        view, person = body["view"], str(body["user"]["id"])
        try:
            at = json.loads(view.get("private_metadata") or "{}")
        except ValueError:
            at = {}
        place = replace(here(context, str(at.get("channel") or "")), thread=at.get("thread"))
        match view.get("callback_id"):
            case "v1.settings":
                await self._save(ack, await self._rights.place(place), person, entered(view))
            case "v1.read_again":
                text = entered(view).get("text") or ""
                shown = await self._service.answer(text, place=place, person=person, markup="slack")
                assert shown.reply is not None
                await ack(response_action="update", view=views.details(shown.reply, shown.record.id))
            case _:
                await ack()

    async def _save(self, ack: AsyncAck, place: Place, person: str, given: dict[str, str | None]) -> None:
        before = await self._service.preferences(place)
        w = words(spoken(before))
        if not await self._rights.admin(place, person):
            await ack(response_action="update", view=views.notice(spoken(before), w("page.admins_only")))
            return
        wrong: dict[str, str] = {}
        for name, text in given.items():
            if name not in Preferences.model_fields or "channel" not in scopes_of(name):
                continue
            if (text or "").strip() == typed(getattr(before, name)):
                continue
            try:
                await self._service.set_preference("channel", place, name, value_of(name, text), person)
            except ValueError as error:
                wrong[name] = str(error)
        if wrong:
            await ack(response_action="errors", errors=wrong)
        else:
            await ack()


OPEN = (
    "settings",
    "einstellung",
    "help",
    "hilfe",
    "privacy",
    "datenschutz",
    "forget",
    "vergiss",
    "why",
    "warum",
)


def here(context: AsyncBoltContext, channel: str) -> Place:
    """The place of an interaction: its installation and its channel."""
    whole = context.is_enterprise_install and context.enterprise_id
    workspace = str((context.enterprise_id if whole else context.team_id) or "")
    return Place("slack", workspace, channel, direct=channel.startswith("D"))


def entered(view: View) -> dict[str, str | None]:
    """What was filled in, by the ID of its block."""
    found: dict[str, str | None] = {}
    for block, elements in ((view.get("state") or {}).get("values") or {}).items():
        for one in elements.values():
            chosen = (one.get("selected_option") or {}).get("value")
            found[block] = one.get("value") if one.get("value") is not None else chosen
    return found


def language_of(shown: Shown | None) -> Language:
    """The language that a reply was given in."""
    content = shown.record.content if shown else None
    return content.language if content else "en"


def spoken(preferences: Preferences) -> Language:
    """The language of views that no message stands behind."""
    return "de" if preferences.language == "de" else "en"


async def answer(respond: AsyncRespond, found: Page | Shown) -> None:
    """Show a page or an answer to one person."""
    if isinstance(found, Page):
        made = render.page(found)
    else:
        assert found.reply is not None
        made = render.message(found.reply, reply_id=found.record.id, poster=None, private=True)
    await respond(
        text=made.text,
        blocks=made.blocks,
        response_type="ephemeral",
        replace_original=False,
        unfurl_links=False,
        unfurl_media=False,
    )


async def failed(error: Exception, respond: AsyncRespond | None) -> None:
    """A failure, in the log by its kind and for the person in a line; never with content."""
    w = words("en")
    reason = error.reason if isinstance(error, PortError) else type(error).__name__
    log.warning("interaction_failed", platform="slack", reason=reason)
    if respond is None:
        return
    later = isinstance(error, NotNowError) or not isinstance(error, RefusedError | CannotLookError)
    text = w("slack.not_now") if later else w("slack.refused", reason=reason)
    await respond(text=text, response_type="ephemeral", replace_original=False)
