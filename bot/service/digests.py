"""The weekly digest: who gets one now, what it tells, posted once a channel and week."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, date, datetime
from typing import Any

from babel import Locale

from bot import answer
from bot.digest import schedule
from bot.digest.digest import Digest, digest
from bot.digest.mark import Mark
from bot.digest.news import news
from bot.digest.options import Options, parsed
from bot.events import Place
from bot.jobs import Jobs
from bot.lists import wish
from bot.page import Page
from bot.ports import Port
from bot.service.posting import deliver
from bot.service.readers import Readers
from bot.settings import settings
from bot.state import State
from bot.state.records import Content, Subscription
from bot.telling.naming import harmless
from bot.wording import LANGUAGES, Language, Words, words

WEEK = 7 * 86_400.0

_CLOCK = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)")
_LEAST = re.compile(r"(\d{1,3}(?:[.,]\d)?)\s?%")
_ZONE = re.compile(r"[A-Z][A-Za-z]+(?:/[A-Za-z_+-]+){1,2}|UTC")


class Digests:
    """Subscriptions and what is posted to them."""

    def __init__(self, state: State, jobs: Jobs, readers: Readers, clock: Callable[[], float]) -> None:
        self._state, self._jobs, self._readers, self._clock = state, jobs, readers, clock

    async def tick(self, minute: datetime) -> None:
        """Hand in the digests that are due; the ID of the work lets each week through once."""
        subscribed = [
            schedule.Subscription(one.place, parsed(one.options), datetime.fromtimestamp(one.created, UTC))
            for one in await self._state.subscriptions()
        ]
        for due in schedule.due(minute, subscribed, {}):
            place = due.subscription.place
            if await self._state.digest_told(place, due.period):
                continue
            job = f"digest-{place.platform}-{place.workspace}-{place.channel}-{due.period}"
            payload = {"place": asdict(place), "period": due.period}
            await self._jobs.submit("digest", job, payload, lane=f"digest:{place.platform}:{place.channel}")

    async def post(self, place: Place, period: str, work: str, port: Port) -> None:
        """Post one channel's digest of a week, or pass the week over. May be called again from the start."""
        mine = await self._subscription(place)
        if mine is None or await self._state.digest_told(place, period):
            return
        options, mark = parsed(mine.options), await self._state.digest_mark(place)
        told, since = await self._told(place, options, mark)
        if told is None:
            await self._state.set_digest_mark(place, since, period)
            return
        record, ours = await self._state.claim(place, period, "digest", work=work, poster="")
        if not ours:
            return
        kept = json.dumps({"since": mark, "options": options.model_dump(mode="json"), "day": _today()})
        content = Content(told.language, receipt=kept)
        if record.status in ("open", "posting"):
            await deliver(self._state, port, record, told.page(), content)
        await self._state.set_digest_mark(place, told.mark.dumps(), period)

    async def _told(self, place: Place, options: Options, mark: str | None) -> tuple[Digest | None, str]:
        """The digest, None for a quiet week, and the mark to keep."""
        claims = None
        if options.counting:
            claims = await self._state.verdict_counts(place, self._clock() - WEEK)
        return await self._readers.call(_built, options, mark, _today(), claims)

    async def preview(self, place: Place, language: Language) -> Page:
        """The digest as it would be posted here now; nothing is marked as told."""
        mine = await self._subscription(place)
        options = parsed(mine.options) if mine else Options(language=language)
        options = options.model_copy(update={"quiet": "say", "language": language})
        mark = await self._state.digest_mark(place) if mine else None
        told, _ = await self._told(place, options, mark)
        w = words(language)
        page = told.page() if told else Page(language, w("page.no_digest"))
        line = when(options, w) if mine else w("page.digest_off")
        return replace(page, lines=(*page.lines, line))

    async def _subscription(self, place: Place) -> Subscription | None:
        there = await self._state.subscriptions(place.platform, place.workspace)
        return next((one for one in there if one.place.channel == place.channel), None)

    async def subscribe(self, text: str, place: Place, person: str, language: Language) -> Page:
        """Subscribe a channel: "subscribe monday 09:00 Europe/Berlin B200 5 %"."""
        w = words(language)
        options, unknown = await self._readers.call(wanted_of, text, language)
        await self._state.subscribe(place, options.model_dump(mode="json"), person)
        lines = [when(options, w)]
        if unknown:
            lines.append(w("page.unknown", words=w.join(f"“{word}”" for word in unknown[:5])))
        return Page(language, w("page.subscribed"), tuple(lines))

    async def unsubscribe(self, place: Place, language: Language) -> Page:
        """End a channel's subscription."""
        there = await self._state.unsubscribe(place)
        return Page(language, words(language)("page.unsubscribed" if there else "page.digest_off"))

    async def again(self, content: Content) -> Page | None:
        """All of a digest that was posted, as today's rows tell it; None where it is not kept any more."""
        if content.receipt is None:
            return None
        kept: dict[str, Any] = json.loads(content.receipt)
        options = parsed(kept["options"]).model_copy(update={"quiet": "say"})
        told, _ = await self._readers.call(_built, options, kept["since"], kept["day"], None)
        return told.page(full=True) if told else None


def _today() -> str:
    from knowledge import clock

    return clock.today().isoformat()


def _built(
    options: Options, mark: str | None, today: str, claims: dict[str, int] | None
) -> tuple[Digest | None, str]:
    store = answer.desk().store
    fresh = news(
        store, Mark.loads(mark), date.fromisoformat(today), early=settings().early, claims=claims or {}
    )
    return digest(fresh, options), fresh.mark.dumps()


def options_of(text: str, language: Language) -> Options:
    """A subscription's options from free words: a weekday, a time, a zone, names, a smallest change."""
    return wanted_of(text, language)[0]


def wanted_of(text: str, language: Language) -> tuple[Options, tuple[str, ...]]:
    """A subscription's options, and the words that say nothing we know, for those ask for nothing."""
    found: dict[str, Any] = {"language": language}
    if zone := _ZONE.search(text):
        found["zone"] = "Etc/UTC" if zone[0] == "UTC" else zone[0]
        text = text.replace(zone[0], " ")
    if clock := _CLOCK.search(text):
        found |= {"hour": int(clock[1]), "minute": int(clock[2])}
        text = text.replace(clock[0], " ")
    if least := _LEAST.search(text):
        found["least"] = float(least[1].replace(",", "."))
        text = text.replace(least[0], " ")
    rest = []
    for word in text.split():
        day = weekdays().get(word.casefold().strip(",;"))
        if day is not None:
            found["weekday"] = day
        elif word.casefold() in ("csv", "on", "an", "digest", "ein"):
            found |= {"csv": True} if word.casefold() == "csv" else {}
        else:
            rest.append(word)
    wished = wish(" ".join(rest))
    wanted = wished.filter
    found |= {
        "models": (wanted.model,) if wanted.model else (),
        "scenarios": (wanted.scenario,) if wanted.scenario else (),
        "submitters": (wanted.submitter,) if wanted.submitter else (),
        "accelerators": wanted.chips,
    }
    options = parsed(found)
    no_zone = (harmless(found["zone"]),) if found.get("zone", options.zone) != options.zone else ()
    return options, (*no_zone, *wished.unknown)


def weekdays() -> dict[str, int]:
    """Names of the days of the week in every language, Monday is 0."""
    return {
        name.casefold().rstrip("."): number
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for number, name in Locale(language).days["format"][width].items()
    }


def when(options: Options, w: Words) -> str:
    """When a channel gets its digest, in words."""
    day = Locale(w.language).days["format"]["wide"][options.weekday]
    return w("page.digest_when", day=day, time=f"{options.hour:02}:{options.minute:02}", zone=options.zone)
