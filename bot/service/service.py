"""The front door of the chat bot's core: edges hand events in and ask for what people press."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from bot import answer, logs, metrics, traces
from bot.decide import Decision, decide
from bot.events import Event, Place, Platform
from bot.jobs import Again, Jobs
from bot.page import Page
from bot.ports import PortError
from bot.preferences import Preferences, Scope, checked
from bot.reply import Reply
from bot.service import posting, told
from bot.service.asking import command, without_mentions
from bot.service.commands import Asker, Commands
from bot.service.digests import Digests
from bot.service.facts import Facts
from bot.service.readers import Readers
from bot.service.upkeep import KEEP_WORK, Upkeep
from bot.service.vendor import VendorLinks
from bot.service.work import Work
from bot.state import State
from bot.state.records import Content, LastDecision, ReplyKind, Retention, SentReply
from bot.wording import LANGUAGES, Language
from knowledge.sync import last_checked

# Decisions about events without anything to look at are counted, not kept for `why`.
UNREMARKABLE = frozenset(("own_message", "automated", "preview_only", "no_watched_link", "nothing_of_ours"))
MOST_NAMES = 25  # what a menu of suggestions can hold

NameKind = Literal["model", "accelerator", "submitter", "round"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A kept reply with what it says today; `reply` is None once its fields are not kept any more.

    page: all of a digest, where the record is one.
    """

    record: SentReply
    reply: Reply | None
    page: Page | None = None


class Service:
    """Everything that happens in chat goes through here; it knows ports, not platforms."""

    def __init__(
        self,
        *,
        state: State,
        jobs: Jobs,
        ports: Mapping[Platform, Callable[[str], Any]],
        vendor: VendorLinks,
        readers: Readers | None = None,
        clock: Callable[[], float] = time.time,
        retention: Retention = Retention(),  # noqa: B008 - frozen
        keep_work: float = KEEP_WORK,
    ) -> None:
        self._state, self._jobs, self._ports, self._clock = state, jobs, ports, clock
        self._readers = readers or Readers()
        self._following: asyncio.Task[None] | None = None
        self._digests = Digests(state, jobs, self._readers, clock)
        self._upkeep = Upkeep(state, jobs, self._readers, self._digests, retention, keep_work)
        self._commands = Commands(state, self._readers, vendor, self._digests, retention)
        self._facts = Facts(state, clock, vendor)
        self._work = Work(state, self._readers, vendor, self._commands, self._port, clock)

    async def start(self) -> None:
        """Get ready to read and take up the durable work, also what an earlier run left."""
        await self._readers.warm()
        await self._jobs.launch(self._handle, self._upkeep.tick)
        self._following = asyncio.create_task(self._upkeep.follow())

    async def stop(self) -> None:
        """Take up no more work and let go of the reading thread."""
        if self._following is not None:
            self._following.cancel()
        await self._jobs.close()
        self._readers.close()

    # -- events

    async def take(self, event: Event) -> Decision:
        """Decide on an event and store its work; the edge acknowledges it after this returned.

        Raises what the state or the jobs raise: then the event is not taken, and the platform
        sends it again.
        """
        begun, platform = time.perf_counter(), event.place.platform
        with logs.for_request(event.id), traces.span("take", platform=platform, request=event.id):
            decision = await self._decided(event)
        metrics.acknowledged(platform, time.perf_counter() - begun)
        return decision

    async def _decided(self, event: Event) -> Decision:
        context = await self._facts.context(event)
        decision = decide(context)
        if decision.action in ("answer", "links") and not await self._claimed(event, decision):
            decision = Decision("ignore", "already_answered")
        if decision.action != "ignore":
            payload = {"event": event.packed(), "action": decision.action}
            await self._jobs.submit("event", event.id, payload, lane=lane(event.place))
        if decision.reason in UNREMARKABLE:
            metrics.decided(event.place.platform, decision.action, decision.reason)
        else:
            await self._work.note(event.place, decision)
        return decision

    async def _claimed(self, event: Event, decision: Decision) -> bool:
        """Whether the event may answer its message: the first one that says so, or who asks after a link."""
        kind: ReplyKind = "links" if decision.action == "links" else "answer"
        record, ours = await self._state.claim(
            event.place, event.message, kind, work=event.id, poster=event.person
        )
        return ours or (kind == "answer" and record.kind == "links")

    async def _handle(self, kind: str, payload: dict[str, Any], work: str) -> None:
        """One durable job; called again from the start after a crash."""
        match kind:
            case "event":
                await self._work.event(Event.unpacked(payload["event"]), payload["action"], work)
            case "share":
                place = Place(**payload["place"])
                await self._work.share(payload["reply"], place, payload["person"], work)
            case "digest":
                place = Place(**payload["place"])
                port = await self._port(place.platform, place.workspace)
                await self._digests.post(place, payload["period"], work, port)
            case _:
                raise ValueError(f"unknown work: {kind}")

    # -- what is answered at once

    async def answer(
        self,
        text: str,
        *,
        place: Place,
        person: str,
        markup: answer.Markup,
        locale: str | None = None,
    ) -> Shown:
        """The answer to a text for one person; it is kept, so that its buttons work and it can be shared.

        It is in the language that is set, else in the reader's where that is known, else in the text's.
        """
        preferences = await self.preferences(place, person)
        language = chosen_language(preferences, locale)
        found = await self._readers.read(told.of_text, without_mentions(text), markup, language, None)
        return await self._private(found, place, person)

    async def page(
        self,
        text: str,
        *,
        place: Place,
        person: str,
        admin: bool = False,
        owner: bool | None = None,
        locale: str | None = None,
    ) -> Page | Shown:
        """What a command line comes to; nonsense gives help with one line of why.

        admin: the person may change what holds in the channel. owner: and what holds for the whole
        workspace; where that is not told apart, every admin may.
        """
        preferences = await self.preferences(place, person)
        asked = command(text)
        language = self._work.language(preferences, text if asked is None else "", locale, asked)
        if asked is not None:
            wanted = None if preferences.language == "auto" else preferences.language
            owner = admin if owner is None else owner
            asker = Asker(place, person, language, admin=admin, owner=owner, wanted=wanted)
            found = await self._commands.page(asked, asker)
            return found if isinstance(found, Page) else await self._private(found, place, person)
        if not text.strip():
            return await self._commands.help(language)
        shown = await self.answer(text, place=place, person=person, markup=place.platform, locale=locale)
        if shown.reply is not None and shown.reply.parts:
            return shown
        return await self._commands.help(language, unknown=text)

    async def _private(self, found: told.Told, place: Place, person: str) -> Shown:
        return Shown(await self._state.private(place, person, found.content), found.reply)

    async def shown(self, reply_id: str) -> Shown | None:
        """A kept reply as today's rows answer it, None where there is no such reply."""
        record = await self._state.reply(reply_id)
        if record is None:
            return None
        if record.kind == "digest":
            page = await self._digests.again(record.content) if record.content else None
            return Shown(record, None, page)
        again = await self._again(record.content)
        return Shown(record, again.reply if again else None)

    async def _again(self, content: Content | None) -> told.Told | None:
        return await self._readers.read(told.of_content, content) if content else None

    async def share(self, reply_id: str, place: Place, person: str) -> Shown | None:
        """Post a private answer into its channel, once; None where it is gone."""
        found = await self.shown(reply_id)
        if found is None or found.reply is None:
            return None
        payload = {"reply": reply_id, "place": packed_place(place), "person": person}
        await self._jobs.submit("share", f"share-{reply_id}", payload, lane=lane(place))
        return found

    async def choose(self, reply_id: str, field: str, value: str, person: str) -> Shown | None:
        """Fill one missing field by a menu: the answer in the channel changes. None where it is expired."""
        record = await self._state.reply(reply_id)
        if record is None or record.content is None or record.content.claims is None:
            return None
        try:
            found = await self._readers.read(told.of_choice, record.content, field, value)
        except (KeyError, ValueError):
            return await self.shown(reply_id)
        if record.message is not None:
            port = await self._port(record.place.platform, record.place.workspace)
            await port.update(posting.post_of(record, found.reply), record.message)
        await self._state.mark(record.id, record.status, content=found.content)
        return Shown(replace(record, content=found.content), found.reply)

    async def feedback(self, reply_id: str, person: str, helpful: bool) -> None:
        """Keep whether a reply helped."""
        await self._state.feedback(reply_id, person, helpful)

    async def remove(self, reply_id: str, person: str, *, admin: bool = False) -> bool:
        """Take a reply away; only who it was posted for, or an admin, can."""
        record = await self._state.reply(reply_id)
        if record is None or not (admin or person == record.poster):
            return False
        if record.status == "removed":
            return True
        try:
            await posting.take_back(
                self._state, await self._port(record.place.platform, record.place.workspace), record
            )
        except (PortError, Again):
            return False
        return True

    # -- settings and people

    async def preferences(self, place: Place, person: str = "") -> Preferences:
        """What holds in a place for a person."""
        return await self._state.preferences(place, person)

    async def set_preference(self, scope: Scope, place: Place, name: str, value: object, by: str) -> None:
        """Set one preference, None to inherit. Raises ValueError with one line for a person."""
        stored = None if value is None else checked(name, value, scope)
        await self._commands.set(scope, place, by, name, stored)

    async def decision(self, place: Place) -> LastDecision | None:
        """The newest decision in a place."""
        return await self._state.last_decision(place)

    async def recent(self, place: Place, person: str) -> list[SentReply]:
        """The newest replies to a person, newest first."""
        return await self._state.recent(place, person)

    async def forget(self, platform: Platform, person: str) -> None:
        """Delete everything that is kept of a person."""
        await self._state.forget_person(platform, person)

    async def uninstalled(self, platform: Platform, workspace: str) -> None:
        """Delete everything that is kept of a workspace."""
        await self._state.forget_workspace(platform, workspace)

    async def names(self, kind: NameKind, typed: str) -> list[tuple[str, str]]:
        """Suggestions for a name that is being typed, as label and value, at most 25."""
        return await self._readers.call(suggestions, kind, typed)

    async def knowledge_age(self) -> float:
        """Seconds since the rows were last loaded or found unchanged."""
        path = await self._readers.call(lambda: answer.desk().store.path)
        checked_at = last_checked(path)
        return 0.0 if checked_at is None else max(0.0, time.time() - checked_at)

    async def _port(self, platform: Platform, workspace: str) -> Any:
        return await self._ports[platform](workspace)


def chosen_language(preferences: Preferences, locale: str | None) -> Language | None:
    """The language that a person wants whatever a text is in; None where nothing says so."""
    if preferences.language != "auto":
        return preferences.language
    return next((code for code in LANGUAGES if (locale or "").startswith(code)), None)


def suggestions(kind: NameKind, typed: str) -> list[tuple[str, str]]:
    """The stored names of a kind that hold what is typed, those that begin with it first."""
    from bot.telling import naming

    store, low = answer.desk().store, typed.casefold().strip()
    if kind == "round":
        found = [(name, name) for name in reversed(store.rounds.names())]
    else:
        field: Any = {"model": "model", "accelerator": "accelerator", "submitter": "submitter"}[kind]
        label: Callable[[str], str] = {
            "model": naming.model,
            "accelerator": naming.chip,
            "submitter": naming.submitter,
        }[kind]
        values = sorted({value for row in store.rows if (value := getattr(row, field))})
        found = [(label(value), value) for value in values]
    fits = [pair for pair in found if low in pair[0].casefold() or low in pair[1].casefold()]
    fits.sort(key=lambda pair: not pair[0].casefold().startswith(low))
    return fits[:MOST_NAMES]


def lane(place: Place) -> str:
    """Posts into one channel go one after another, those of others beside them."""
    return f"{place.platform}:{place.workspace}:{place.channel}"


def packed_place(place: Place) -> dict[str, Any]:
    """A place as JSON can keep it."""
    return asdict(place)
