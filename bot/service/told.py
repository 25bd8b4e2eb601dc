"""What an answer comes to: the Reply to show and the Content to keep. Pure, on the reading thread."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass, replace

from bot import answer
from bot.conversation import changed, chosen, follow_up
from bot.reply import Reply
from bot.state.records import Content
from bot.wording import Language
from parsing.claim import Claim


@dataclass(frozen=True, slots=True)
class Told:
    """A Reply and what is kept of it."""

    reply: Reply
    content: Content

    @property
    def claims(self) -> bool:
        """Whether there is a claim in it."""
        return bool(self.reply.parts)


def told(found: answer.Answer, article: dt.date | None) -> Told:
    """An Answer as it is sent and kept: fields, no words."""
    reply = found.reply
    return Told(
        reply,
        Content(
            language=reply.language,
            claims=answer.pack(found.claims),
            article=article.isoformat() if article else None,
            verdicts=dict(Counter(part.verdict for part in reply.parts)),
            receipt=reply.receipt.text if reply.receipt else None,
        ),
    )


def of_text(text: str, markup: answer.Markup, language: Language | None, article: dt.date | None) -> Told:
    """The answer to a text."""
    return told(answer.answer(text, date=article, lang=language, markup=markup), article)


def of_follow_up(text: str, markup: answer.Markup, before: Content) -> Told | None:
    """The answer to a short message that changes one thing of an answer before it; None if it is none."""
    claims = answer.unpack(before.claims or "[]")
    desk = answer.desk()
    change = follow_up(answer.plain_text(text, markup), desk.lookup, desk.store.rounds)
    if not claims or change is None:
        return None
    return _again(changed(claims, change), before)


def of_choice(before: Content, field: str, value: str) -> Told:
    """The answer with one missing field filled. Raises KeyError or ValueError for what is none."""
    return _again(list(chosen(answer.unpack(before.claims or "[]"), field, value)), before)


def of_content(before: Content) -> Told | None:
    """The answer once more, from the rows of today; None where its fields are not kept any more."""
    if before.claims is None:
        return None
    return _again(answer.unpack(before.claims), before)


def _again(claims: list[Claim], before: Content) -> Told:
    article = answer.day(before.article)
    found = told(answer.answer_claims(claims, language=before.language, date=article), article)
    return replace(found, content=replace(found.content, links=before.links))
