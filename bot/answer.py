"""Ask in, Reply out: the front doors of the bot, pure and synchronous.

A thread has one `Desk`: the store, the reader and the judge, opened at first use. spaCy's
memory zones belong to one thread, so a Desk is never shared.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import re
import sys
import threading
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

from bot.lookup import Lookup
from bot.reply import Reply, build
from bot.wording import LANGUAGES, Language
from knowledge.reading import Reading
from parsing.claim import Claim

if TYPE_CHECKING:
    from knowledge.judge import Judge
    from knowledge.store import Store
    from knowledge.table import Table
    from parsing.reader import Explanation, Reader

Markup = Literal["plain", "slack", "discord"]

_UNPRINTABLE = re.compile("[\x00\ud800-\udfff]")


class Desk:
    """The store, the reader and the judge of one thread; each is made when it is first needed."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @cached_property
    def reader(self) -> Reader:
        """What finds claims in texts."""
        from parsing.reader import Reader

        return Reader(self.store.vocabulary())

    @cached_property
    def lookup(self) -> Lookup:
        """Known names in any spelling."""
        return Lookup(self.store.vocabulary().names)

    @cached_property
    def table(self) -> Table:
        """The stored rows, laid out for questions."""
        from knowledge.table import Table

        return Table(self.store.rows, self.store.names, self.store.rounds)

    @cached_property
    def judge(self) -> Judge:
        """What reads claims against the rows."""
        from bot.settings import settings
        from knowledge.judge import Judge

        return Judge(self.table, early=settings().early)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one text came to. `text` is the plain text that the claims' spans count in."""

    text: str
    language: Language
    claims: tuple[Claim, ...]
    readings: tuple[Reading, ...]
    reply: Reply


_local = threading.local()


def desk() -> Desk:
    """This thread's Desk over the default store: opened at first use, and again when its file changes.

    What opening has to tell goes to standard error, one line each.
    """
    found = cast("Desk | None", getattr(_local, "desk", None))
    if found is None or found.store.stale():
        from knowledge.store import Store

        store = found.store.reopened(notify=notify) if found else Store.open(notify=notify)
        found = _local.desk = Desk(store)
    return found


def notify(line: str) -> None:
    """A notice of the store as a line on standard error."""
    print(f"smallprint: {line}", file=sys.stderr)


def tidy(text: str) -> str:
    """Text with NUL and lone surrogates replaced one for one, so that offsets stay."""
    return _UNPRINTABLE.sub("\ufffd", text)


def plain_text(text: str, markup: Markup = "plain") -> str:
    """The text without its markup, in which spans count."""
    from parsing.markup import plain

    return plain(tidy(text), markup).text


def language_of(text: str, lang: str | None = None) -> Language:
    """The language to answer in: `lang`, else that of the settings, else the text's own.

    A text in a language that is read but has no catalogue of sentences (French) is answered in English.
    """
    if lang is None:
        from bot.settings import settings

        lang = settings().lang
    if lang is None:
        from parsing.language import detect

        lang = detect(text)
    return next((language for language in LANGUAGES if language == lang), "en")


def read(
    text: str, *, title: str | None = None, date: dt.date | str | None = None, markup: Markup = "plain"
) -> list[Claim]:
    """The claims of a text, in its order. `title` and `date` are context only."""
    told = tidy(title) if title else None
    return desk().reader.read(tidy(text), title=told, date=day(date), markup=markup)


def answer(
    text: str,
    *,
    title: str | None = None,
    date: dt.date | str | None = None,
    lang: str | None = None,
    markup: Markup = "plain",
) -> Answer:
    """Claims, readings and the Reply to one text."""
    claims = read(text, title=title, date=date, markup=markup)
    plain = plain_text(text, markup)
    return answer_claims(claims, text=plain, language=language_of(plain, lang), date=date)


def answer_claims(
    claims: list[Claim], *, text: str = "", language: Language = "en", date: dt.date | str | None = None
) -> Answer:
    """The Answer to claims that are known already (a button, a follow-up)."""
    here = desk()
    keys = [fields_only(claim).model_dump_json() for claim in claims]
    once = dict(zip(reversed(keys), reversed(claims), strict=True))  # a repeated claim is answered once
    said = [once[key] for key in dict.fromkeys(keys)]
    told = dict(zip(dict.fromkeys(keys), here.judge.readings(said, article=day(date)), strict=True))
    reply = build(said, tuple(told.values()), language, data_version=here.store.version)
    readings = tuple(told[key] for key in keys)
    return Answer(text, language, tuple(claims), readings, reply)


def ask(
    text: str,
    *,
    title: str | None = None,
    date: dt.date | str | None = None,
    lang: str | None = None,
    markup: Markup = "plain",
) -> Reply:
    """The Reply to one text; its language is `lang`, else the text's own."""
    return answer(text, title=title, date=date, lang=lang, markup=markup).reply


def day(date: dt.date | str | None) -> dt.date | None:
    """A date, also from YYYY-MM-DD. Raises ValueError for a text that is none."""
    if date is None or date == "":
        return None
    if isinstance(date, dt.datetime):
        return date.date()
    return date if isinstance(date, dt.date) else dt.date.fromisoformat(date.strip()[:10])


def document(result: Answer) -> dict[str, Any]:
    """The JSON contract of `ask`: text, language, claims with their readings, reply."""
    from bot.render.text import render

    claims = [
        {**claim.model_dump(mode="json"), "reading": reading.model_dump(mode="json")}
        for claim, reading in zip(result.claims, result.readings, strict=True)
    ]
    return {
        "text": result.text,
        "language": result.language,
        "claims": claims,
        "reply": {"text": render(result.reply)},
    }


def explain(
    text: str, *, title: str | None = None, date: dt.date | str | None = None, markup: Markup = "plain"
) -> Explanation:
    """The claims of a text, and every number that is none with its reason; as `read` else."""
    told = tidy(title) if title else None
    return desk().reader.explain(tidy(text), title=told, date=day(date), markup=markup)


def read_document(text: str, claims: list[Claim], language: Language) -> dict[str, Any]:
    """The JSON contract of `read`: text, language and claims."""
    return {"text": text, "language": language, "claims": [claim.model_dump(mode="json") for claim in claims]}


def to_json(value: Any) -> str:
    """One line of strict JSON; a number that JSON cannot write (infinite, NaN) becomes null."""
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def pack(claims: list[Claim] | tuple[Claim, ...]) -> str:
    """Claims for a button or a follow-up: their fields, none of the text's words."""
    return to_json([fields_only(claim).model_dump(mode="json", exclude_defaults=True) for claim in claims])


def unpack(packed: str) -> list[Claim]:
    """The claims of `pack`. Raises ValueError for anything else."""
    items = json.loads(packed)
    if not isinstance(items, list):
        raise ValueError("a packed claim list is a JSON list")
    return [Claim.model_validate({"quote": "", "span": (0, 0), **item}) for item in items]


def fields_only(claim: Claim) -> Claim:
    """The claim without the words of the text it came from."""
    return claim.model_copy(update={"quote": "", "span": (0, 0), "words": {}, "from_context": ()})
