"""The durable jobs: read, answer, follow edits and deletions. Each may be called again from the start."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable

from bot import answer, metrics
from bot.decide import Action, Decision, decide_article
from bot.events import Event, Place, Platform
from bot.jobs import Again
from bot.page import Page
from bot.ports import CannotLookError, NotNowError, Port, RefusedError
from bot.preferences import Preferences
from bot.reply import Reply
from bot.service import told
from bot.service.asking import Command, command, without_mentions
from bot.service.commands import Asker, Commands
from bot.service.posting import deliver, replace, take_back
from bot.service.readers import Readers
from bot.service.vendor import VendorLinks, Watched
from bot.state import State
from bot.state.records import Content, ReplyKind, SentReply
from bot.wording import LANGUAGES, Language

PortOf = Callable[[Platform, str], Awaitable[Port]]
Said = Reply | Page

SETTLE = 2.0  # seconds to wait for a reply that another job is posting right now
TALK = 3600.0  # seconds in which a direct talk goes on
OLD = 2 * 86_400  # an older message was written with what was known on its day


class Work:
    """What jobs do. Everything is looked up anew: a job may run long after its event."""

    def __init__(
        self,
        state: State,
        readers: Readers,
        vendor: VendorLinks,
        commands: Commands,
        port_of: PortOf,
        clock: Callable[[], float],
    ) -> None:
        self._state, self._readers, self._vendor = state, readers, vendor
        self._commands, self._port_of, self._clock = commands, port_of, clock

    async def event(self, event: Event, action: Action, work: str) -> None:
        """Carry out what was decided about an event."""
        match action:
            case "answer":
                await self._answer(event, work)
            case "links":
                await self._links(event, work)
            case "update":
                await self._update(event)
            case "remove":
                await self._remove(event)
            case "ignore":
                pass

    # -- asked

    async def _answer(self, event: Event, work: str) -> None:
        record = await self._claimed(event, "answer", work)
        if record is None:
            return
        port = await self._port(event.place)
        said, content = await self.said(event, port)
        if await deliver(self._state, port, record, said, content):
            metrics.answered(event.place.platform, content.verdicts, self._clock() - event.at)

    async def said(self, event: Event, port: Port) -> tuple[Said, Content]:
        """The answer to what somebody asks: a follow-up, claims, a command, a link, else help."""
        preferences = await self._state.preferences(event.place, event.person)
        text = without_mentions(event.text)
        if not text:
            read = await self._pointed_at(event, port)
            if read is None:
                return self._page(await self._commands.help(self.language(preferences, "", event.locale)))
            # What somebody else wrote is read; it is no command of who asks.
            return await self._of_text(event, read, preferences, None)
        if (again := await self._follow_up(event, text)) is not None:
            return again.reply, again.content
        return await self._of_text(event, text, preferences, command(text))

    async def _of_text(
        self, event: Event, text: str, preferences: Preferences, asked: Command | None
    ) -> tuple[Said, Content]:
        language = None if preferences.language == "auto" else preferences.language
        markup, article = event.place.platform, self._day(event)
        found = await self._readers.read(told.of_text, text, markup, language, article)
        if found.claims:
            return found.reply, found.content
        spoken = self.language(preferences, text, event.locale, asked)
        if asked is not None:
            asker = Asker(event.place, event.person, spoken, proved=False)
            page = await self._commands.page(asked, asker)
            return self._page(page) if isinstance(page, Page) else (page.reply, page.content)
        if links := self._vendor.links_in(text, markup):
            checked = await self._vendor.check(links[0], spoken)
            return checked.reply, checked.content
        return found.reply, found.content

    async def _pointed_at(self, event: Event, port: Port) -> str | None:
        """The text of the message that a bare mention points at, None where there is none to read."""
        if event.about is None:
            return None
        try:
            message = await port.read(event.place, event.about)
        except NotNowError as error:
            raise Again(error.after) from error
        except (CannotLookError, RefusedError):
            return None
        return without_mentions(message.text) or None if message else None

    async def _follow_up(self, event: Event, text: str) -> told.Told | None:
        """The answer to a change of one thing in what was answered before; None for a text of its own."""
        for before in await self._before(event):
            kept = before.content
            if kept is None or not (kept.claims and kept.verdicts) or before.status != "posted":
                continue  # expired, a page, or "no claim found": what was said before it still stands
            return await self._readers.read(told.of_follow_up, text, event.place.platform, kept)
        return None

    async def _before(self, event: Event) -> list[SentReply]:
        """Our replies that a message may follow up, the newest first: those before its own, if it has one."""
        found = await self._around(event)
        own = next((one for one in found if one.source == event.message), None)
        if own is None:
            return found
        return [one for one in found if one.created < own.created and one.source != event.message]

    async def _around(self, event: Event) -> list[SentReply]:
        """The reply that a message replies to, its thread's, or a direct talk's."""
        place = event.place
        if event.about is not None and (there := await self._state.reply_at(place, event.about)):
            return [there]
        if place.thread is not None or not place.direct:
            return await self._state.replies_in_thread(place)
        since = self._clock() - TALK
        return [one for one in await self._state.recent(place, limit=3) if one.created >= since]

    # -- unasked

    async def _links(self, event: Event, work: str) -> None:
        preferences = await self._state.preferences(event.place, event.author)
        watched = self._vendor.watched(self._vendor.links_of(event), preferences)
        if not watched:
            return
        record = await self._claimed(event, "links", work)
        taken = await self._taken(record, watched, preferences) if record else ()
        if record is None or not taken:
            return
        language = self.language(preferences, event.text, event.locale)
        checked = await self._vendor.check_all(watched, language)
        decision = checked.refused or decide_article(checked.verdicts, preferences)
        await self.note(event.place, decision)
        if decision.action == "ignore":
            if decision.reason == "not_readable":
                # Out of reach today: nothing was answered, so the next who posts it is not "lately".
                for key in taken:
                    await self._state.saw_link(record.place, key, 0.0)
            await self._state.mark(record.id, "silent", content=checked.content)
            return
        port = await self._port(event.place)
        if await deliver(self._state, port, record, checked.reply, checked.content):
            metrics.answered(event.place.platform, checked.content.verdicts, self._clock() - event.at)

    async def _taken(
        self, record: SentReply, watched: list[Watched], preferences: Preferences
    ) -> tuple[str, ...]:
        """The links that are new to the channel; the first job to ask has them, also after a crash."""
        keys = tuple(link.key for link in watched)
        if record.content is not None and record.content.links and set(record.content.links) <= set(keys):
            return record.content.links
        since = self._clock() - preferences.links_days * 86_400
        taken = tuple([key for key in keys if await self._state.take_link(record.place, key, since)])
        if taken:
            await self._state.mark(record.id, record.status, content=Content("en", links=taken))
        else:
            await self._state.mark(record.id, "silent")
        return taken

    # -- messages that change

    async def _update(self, event: Event) -> None:
        record = await self._settled(event)
        if record is None or record.content is None or record.message is None:
            return
        port = await self._port(event.place)
        if record.kind == "links":
            await self._update_links(event, record, port)
            return
        said, content = await self.said(event, port)
        if isinstance(said, Reply) and not said.parts and record.content.verdicts:
            await take_back(self._state, port, record)
        elif isinstance(said, Page) or (content.claims, content.language) != (
            record.content.claims,
            record.content.language,
        ):
            # A page keeps no fields that could be compared: it is put in place of itself.
            await replace(self._state, port, record, said, content)

    async def _update_links(self, event: Event, record: SentReply, port: Port) -> None:
        assert record.content is not None
        preferences = await self._state.preferences(event.place, event.author)
        watched = self._vendor.watched(self._vendor.links_of(event), preferences)
        keys = {link.key for link in watched}
        if not watched:
            await take_back(self._state, port, record)
        elif keys != set(record.content.links):
            checked = await self._vendor.check_all(watched, record.content.language)
            if checked.refused is None and checked.verdicts:
                await replace(self._state, port, record, checked.reply, checked.content)
            elif not keys & set(record.content.links):
                # Nothing to say of the new links, and what stands there is about links that are gone.
                await take_back(self._state, port, record)

    async def _remove(self, event: Event) -> None:
        record = await self._settled(event)
        if record is not None:
            await take_back(self._state, await self._port(event.place), record)

    async def _settled(self, event: Event) -> SentReply | None:
        """Our reply to the event's message once it stands there; None where there is none to change."""
        record = await self._state.reply_to(event.place, event.message)
        if record is None or record.status in ("removed", "lost", "silent"):
            return None
        if record.status in ("open", "posting"):
            raise Again(SETTLE)
        return record

    # -- shared by all

    async def share(self, reply_id: str, place: Place, person: str, work: str) -> None:
        """Post what one person saw alone into the channel."""
        kept = await self._state.reply(reply_id)
        again = await self._readers.read(told.of_content, kept.content) if kept and kept.content else None
        if again is None:
            return
        record, ours = await self._state.claim(place, reply_id, "answer", work=work, poster=person)
        if ours and record.status in ("open", "posting"):
            await deliver(self._state, await self._port(place), record, again.reply, again.content)

    async def note(self, place: Place, decision: Decision) -> None:
        """Keep a decision for `why`, and count it."""
        metrics.decided(place.platform, decision.action, decision.reason)
        await self._state.decided(place, decision.action, decision.reason)

    async def _claimed(self, event: Event, kind: ReplyKind, work: str) -> SentReply | None:
        """This job's reply to the event's message; None where it is another job's, or done.

        Who asks about a message whose links are being looked at waits for what comes of it: a
        reply is the answer, and silence is none.
        """
        record, ours = await self._state.claim(
            event.place, event.message, kind, work=work, poster=event.person
        )
        if not ours and kind == "answer" and record.kind == "links":
            if record.status in ("open", "posting"):
                raise Again(SETTLE)
            if await self._state.take_over(record.id, kind, work=work):
                return await self._state.reply(record.id)
        return record if ours and record.status in ("open", "posting", "silent") else None

    async def _port(self, place: Place) -> Port:
        try:
            return await self._port_of(place.platform, place.workspace)
        except NotNowError as error:
            raise Again(error.after) from error

    @staticmethod
    def language(
        preferences: Preferences, text: str, locale: str | None, asked: Command | None = None
    ) -> Language:
        """The language to answer in: as set, else the command's or the text's, else the reader's."""
        if preferences.language != "auto":
            return preferences.language
        if asked is not None and asked.language is not None:
            return asked.language
        if text and asked is None:
            return answer.language_of(text)
        return next((code for code in LANGUAGES if (locale or "").startswith(code)), "en")

    def _day(self, event: Event) -> dt.date | None:
        """The day an old message was written on; None for one of today."""
        if not event.at or self._clock() - event.at < OLD:
            return None
        return dt.datetime.fromtimestamp(event.at, dt.UTC).date()

    @staticmethod
    def _page(page: Page) -> tuple[Said, Content]:
        return page, Content(page.language)
