"""What people type, press and send in Discord: commands, the message menu, buttons, menus, forms.

Discord waits three seconds for a first answer, so everything that reads or looks up is put off first
and answered then; only forms have to come at once. Nothing here is durable but what the service stores.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast

import discord
import structlog

from bot.discord import forms, permissions
from bot.discord.commands import language_of
from bot.discord.drawing import embeds_of, view_of
from bot.discord.port import NO_MENTIONS, DiscordPort
from bot.discord.translate import place
from bot.events import Place
from bot.page import Page
from bot.ports import NotNowError, PortError
from bot.preferences import Scope, typed, value_of
from bot.render import discord as render
from bot.render.discord.limits import ALT_TEXT
from bot.telling.naming import cut
from bot.wording import LANGUAGES, Language, words

if TYPE_CHECKING:
    from bot.reply import Reply
    from bot.service import Service, Shown

log = structlog.get_logger(__name__)

Asked = discord.Interaction[Any]
Handler = Callable[[Asked, str, str, str], Awaitable[None]]

PERSONAL = "forget"  # stands where a reply's ID would, in buttons that belong to none


class Interactions:
    """Answers to interactions; each is seen by its person only."""

    def __init__(self, service: Service, port: Callable[[], DiscordPort]) -> None:
        self._service, self._port = service, port
        self._handlers: dict[str, Handler] = {
            "details": self._details,
            "fair": self._fair,
            "why": self._why,
            "chart": self._chart,
            "helpful": self._feedback,
            "not_helpful": self._feedback,
            "remove": self._remove,
            "share": self._share,
            "choose": self._choose,
            "again": self._again,
            "forget": self._forgotten,
        }

    # -- commands

    async def command(self, asked: Asked, name: str, *parts: str | None) -> None:
        """A command with what was given to it: its page or answer."""

        async def work() -> None:
            await self._tell(asked, await self._page(asked, name, *parts))

        await guarded(asked, work)

    async def _page(self, asked: Asked, name: str, *parts: str | None) -> Page | Shown:
        """What a command comes to. Its word is the reader's: the core answers in the word's language."""
        word = words(language(asked))(f"discord.name.{name}")
        return await self._service.page(
            " ".join([word, *(part for part in parts if part)]),
            place=where(asked),
            person=who(asked),
            admin=admin(asked),
            owner=owner(asked),
            locale=locale(asked),
        )

    async def check(self, asked: Asked, message: discord.Message) -> None:
        """The claims of a message, whoever wrote it."""

        async def work() -> None:
            text = text_of(message)
            if not text:
                await say(asked, words(language(asked))("discord.no_text"))
            else:
                # Its links are read where it makes no claim itself.
                await self._tell(asked, await self._page(asked, "check", text))

        await guarded(asked, work)

    async def why(self, asked: Asked) -> None:
        """The newest decision here, when it was, and what we may not do in this channel."""

        async def work() -> None:
            here, w = where(asked), words(language(asked))
            found = await self._page(asked, "why")
            assert isinstance(found, Page)
            made = render.page(found)
            lines = [made.content]
            if admin(asked) and (last := await self._service.decision(here)) is not None:
                lines.append(w("discord.decided", when=render.moment(last.at)))
            if admin(asked):
                lines += lacking(asked, language(asked))
            await send(asked, render.Message("\n".join(lines), made.embeds))

        await guarded(asked, work)

    async def names(self, kind: Any, typed: str) -> list[tuple[str, str]]:
        """Suggestions for an option; none where they cannot be had, for one can type on without."""
        try:
            return await self._service.names(kind, typed)
        except Exception as error:
            log.warning("no_suggestions", platform="discord", reason=type(error).__name__)
            return []

    async def forget(self, asked: Asked) -> None:
        """Ask whether everything of a person is to be deleted."""
        w = words(language(asked))
        row = {"type": 1, "components": [render.button(w("discord.forget"), "forget", PERSONAL, danger=True)]}
        view = view_of([row])
        assert view is not None
        await asked.response.send_message(render.escaped(w("discord.forget_sure")), view=view, ephemeral=True)

    # -- forms

    async def form(self, asked: Asked, topic: str, wanted: str | None) -> None:
        """A form of settings; a form has to be the first answer."""
        here = where(asked)
        scope = (
            cast("Scope", wanted) if wanted else forms.nearest(topic, direct=here.direct, admin=admin(asked))
        )
        w = words(language(asked))
        if not forms.fields(topic, scope):
            names = ", ".join(w(f"discord.scope.{one}") for one in forms.SCOPES if forms.fields(topic, one))
            await asked.response.send_message(render.escaped(names), ephemeral=True)
            return
        if not may_set(asked, scope):
            await asked.response.send_message(render.escaped(w("page.admins_only")), ephemeral=True)
            return
        found = await self._service.preferences(here, who(asked))
        await asked.response.send_modal(forms.form(topic, scope, found, language(asked)))

    async def submitted(self, asked: Asked) -> None:
        """A form that was sent, perhaps one of an earlier run."""
        data = cast("dict[str, Any]", asked.data or {})
        parts = str(data.get("custom_id", "")).split(":")
        if ":".join(parts[:2]) != forms.PREFIX or len(parts) != 4:
            return
        topic, scope = parts[2], cast("Scope", parts[3])
        if topic not in forms.TOPICS or scope not in forms.SCOPES:
            return

        async def work() -> None:
            w = words(language(asked))
            if not may_set(asked, scope):
                await say(asked, w("page.admins_only"))
                return
            lines = await self._set(asked, topic, scope, forms.sent(data))
            lacks = lacking(asked, language(asked)) if admin(asked) else []
            await send(asked, render.Message("\n".join([*lines, *lacks])))

        await guarded(asked, work)

    async def _set(self, asked: Asked, topic: str, scope: Scope, given: dict[str, str]) -> list[str]:
        w, here = words(language(asked)), where(asked)
        before = await self._service.preferences(here, who(asked))
        wrong = []
        for name in forms.fields(topic, scope):
            # What stands as it stood is inherited as it was.
            if name not in given or given[name].strip() == typed(getattr(before, name)):
                continue
            try:
                value = value_of(name, given[name])
                await self._service.set_preference(scope, here, name, value, who(asked))
            except ValueError as error:
                wrong.append(render.escaped(w("page.setting_wrong", problem=str(error)), 300))
        return wrong or [render.escaped(w("discord.saved"))]

    # -- buttons and menus

    async def pressed(self, asked: Asked, name: str, reply_id: str, more: str, value: str) -> None:
        """A button or menu, in a message of any age."""
        handler = self._handlers.get(name)
        if handler is None:
            await self.unknown(asked)
            return
        await guarded(asked, lambda: handler(asked, reply_id, more or name, value), thinking=name != "choose")

    async def unknown(self, asked: Asked) -> None:
        """A button that no version of ours has: nobody's press is left without a word."""
        text = render.escaped(words(language(asked))("discord.gone"))
        await asked.response.send_message(text, ephemeral=True)

    async def _kept(self, asked: Asked, reply_id: str) -> Reply | None:
        """The reply of a button; where it is not kept any more, that is said."""
        shown = await self._service.shown(reply_id)
        if shown is None:
            await say(asked, words(language(asked))("discord.gone"))
            return None
        if shown.reply is None:
            again = reply_id if shown.record.kind == "answer" else ""
            await send(asked, render.notice(language(asked), again))
        return shown.reply

    async def _details(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        shown = await self._service.shown(reply_id)
        if shown is not None and shown.page is not None:
            await send(asked, render.page(shown.page))
        elif reply := await self._kept(asked, reply_id):
            await send(asked, render.details(reply, reply_id))

    async def _fair(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        if reply := await self._kept(asked, reply_id):
            await send(asked, render.fair(reply))

    async def _why(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        if reply := await self._kept(asked, reply_id):
            await send(asked, render.why(reply))

    async def _chart(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        reply = await self._kept(asked, reply_id)
        if reply is None:
            return
        from bot.render import chart, plots

        w, table = words(reply.language), reply.chart
        plot = plots.bars(table, w) if table else None
        if plot is None:
            await say(asked, w("discord.no_chart"))
            return
        drawn = await asyncio.to_thread(chart.png, plot, "dark")
        picture = discord.File(io.BytesIO(drawn.png), "smallprint.png", description=cut(drawn.alt, ALT_TEXT))
        await asked.followup.send(
            render.escaped(plot.title), file=picture, ephemeral=True, allowed_mentions=NO_MENTIONS
        )

    async def _feedback(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        await self._service.feedback(reply_id, who(asked), more == "helpful")
        await say(asked, words(language(asked))("page.thanks"))

    async def _remove(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        w = words(language(asked))
        shown = await self._service.shown(reply_id)
        if shown is None:
            # Nothing is kept of it any more; whoever may manage the channel can still take it away.
            if admin(asked) and asked.message is not None:
                await asked.message.delete()
                await say(asked, w("page.removed"))
            else:
                await say(asked, w("discord.gone"))
            return
        done = await self._service.remove(reply_id, who(asked), admin=admin(asked))
        mine = admin(asked) or shown.record.poster == who(asked)
        await say(asked, w("page.removed" if done else "discord.not_now" if mine else "discord.not_yours"))

    async def _share(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        w = words(language(asked))
        if await self._service.share(reply_id, where(asked), who(asked)) is None:
            await self._kept(asked, reply_id)
            return
        await say(asked, w("page.shared"))

    async def _choose(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        shown = await self._service.choose(reply_id, more, value, who(asked))
        if shown is None or shown.reply is None:
            await self._kept(asked, reply_id)
            return
        if shown.record.message is None:
            made = render.message(shown.reply, reply_id=reply_id, private=True, shareable=shareable(asked))
            await asked.edit_original_response(
                content=made.content,
                embeds=embeds_of(made),
                view=view_of(made.rows),
                allowed_mentions=NO_MENTIONS,
            )

    async def _again(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        shown = await self._service.shown(reply_id)
        text = ""
        if shown is not None:
            try:
                found = await self._port().read(shown.record.place, shown.record.source)
                text = found.text if found else ""
            except PortError:
                text = ""
        if not text.strip():
            await say(asked, words(language(asked))("discord.no_text"))
            return
        again = await self._service.answer(
            text, place=where(asked), person=who(asked), markup="discord", locale=locale(asked)
        )
        await self._tell(asked, again)

    async def _forgotten(self, asked: Asked, reply_id: str, more: str, value: str) -> None:
        await self._tell(asked, await self._page(asked, "forget"))

    async def _tell(self, asked: Asked, found: Page | Shown) -> None:
        """A page or an answer, for the one person."""
        if isinstance(found, Page):
            await send(asked, render.page(found))
        elif found.reply is None:
            await send(asked, render.notice(language(asked)))
        else:
            await send(
                asked,
                render.message(
                    found.reply, reply_id=found.record.id, private=True, shareable=shareable(asked)
                ),
            )


def text_of(message: discord.Message) -> str:
    """What a message says: its own text, what it forwards, else what an app put into its embeds."""
    told = [message.content, *(one.content for one in message.message_snapshots)]
    if not any(map(str.strip, told)):
        told = [part for one in message.embeds for part in (one.title, one.description) if part]
    return "\n".join(part.strip() for part in told if part.strip())


# -- who and where


def where(asked: Asked) -> Place:
    """Where an interaction happens; a thread is known by its parent."""
    parent = getattr(asked.channel, "parent_id", None) if isinstance(asked.channel, discord.Thread) else None
    return place(asked.guild_id, asked.channel_id or 0, parent)


def who(asked: Asked) -> str:
    """The person's ID."""
    return str(asked.user.id)


def admin(asked: Asked) -> bool:
    """Whether somebody may change what holds for all: who may manage the server or the channel."""
    if asked.guild_id is None:
        return asked.context.dm_channel
    return asked.permissions.manage_guild or asked.permissions.manage_channels


def owner(asked: Asked) -> bool:
    """Whether somebody may change what holds for the whole server: who may manage it."""
    return asked.guild_id is not None and asked.permissions.manage_guild


def may_set(asked: Asked, scope: Scope) -> bool:
    """Whether somebody may change what is set at a level; everybody may for oneself."""
    return scope == "person" or (owner(asked) if scope == "workspace" else admin(asked))


def locale(asked: Asked) -> str:
    """The reader's locale, the guild's where we do not speak that one."""
    spoken = (str(one) for one in (asked.locale, asked.guild_locale) if one is not None)
    return next((one for one in spoken if one.startswith(LANGUAGES)), "en-US")


def language(asked: Asked) -> Language:
    """The language to speak to a person in."""
    return language_of(locale(asked))


def shareable(asked: Asked) -> bool:
    """Whether we are in the server ourselves, and not only on the person's account."""
    return asked.guild_id is not None and asked.client.get_guild(asked.guild_id) is not None


def lacking(asked: Asked, spoken: Language) -> list[str]:
    """A line with the permissions that we lack in a guild's channel, for those who can grant them."""
    if not shareable(asked):
        return []
    w = words(spoken)
    names = permissions.missing(asked.app_permissions, thread=isinstance(asked.channel, discord.Thread))
    missing = [w(f"discord.permission.{name}") for name in names]
    return [render.escaped(w("discord.may_not", names=w.join(missing)))] if missing else []


# -- answering


async def guarded(asked: Asked, work: Callable[[], Awaitable[None]], *, thinking: bool = True) -> None:
    """Answer in time that an answer comes, then work; a failure becomes a line for the person."""
    await asked.response.defer(ephemeral=True, thinking=thinking)
    try:
        await work()
    except PortError as error:
        log.warning("interaction_failed", platform="discord", reason=error.reason)
        w, later = words(language(asked)), isinstance(error, NotNowError)
        await say(asked, w("discord.not_now") if later else w("discord.refused", reason=error.reason))
    except Exception as error:
        log.warning("interaction_failed", platform="discord", reason=type(error).__name__)
        await say(asked, words(language(asked))("discord.not_now"))


async def say(asked: Asked, text: str) -> None:
    """A line for the one person."""
    await send(asked, render.Message(render.escaped(text)))


async def send(asked: Asked, made: render.Message) -> None:
    """A message for the one person."""
    view = view_of(made.rows)
    more: dict[str, Any] = {"view": view} if view is not None else {}
    await asked.followup.send(
        made.content, embeds=embeds_of(made), ephemeral=True, allowed_mentions=NO_MENTIONS, **more
    )
