"""`chat`: a conversation in the terminal, with history and follow-ups."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from bot import answer
from bot.answer import Answer
from bot.conversation import changed, follow_up
from bot.render.text import render
from bot.telling import explain, fair
from bot.wording import Language, words
from parsing.claim import Claim


@dataclass
class Talk:
    """One conversation: what was said last, and all that was asked before."""

    lang: Language | None = None
    last: Answer | None = None
    history: list[str] = field(default_factory=list)

    @property
    def language(self) -> Language:
        """The language of the conversation: as set, else of the last answer."""
        return self.lang or (self.last.language if self.last else "en")

    def reply(self, text: str) -> str:
        """The answer to one line: a command, a follow-up, a choice from a menu, or a text."""
        line = text.strip()
        if not line:
            return ""
        self.history.append(line)
        command = COMMANDS.get(line.casefold())
        if command is not None:
            return command(self)
        if self.last is not None and self.last.claims:
            store = answer.desk().store
            change = follow_up(line, answer.desk().lookup, store.rounds)
            if change is not None:
                return self._again(changed(list(self.last.claims), change))
        found = answer.answer(line, lang=self.lang)
        if found.claims or self.last is None or not self.last.claims:
            self.last = found  # a line without a claim keeps what was spoken of
        return render(found.reply)

    def _again(self, claims: list[Claim]) -> str:
        self.last = answer.answer_claims(claims, language=self.language)
        return render(self.last.reply)


def helped(talk: Talk) -> str:
    """What can be said."""
    return words(talk.language)("chat.help")


def details(talk: Talk) -> str:
    """The last reply with all lines, caveats, links and the receipt."""
    return render(talk.last.reply, details=True) if talk.last else nothing(talk)


def fair_version(talk: Talk) -> str:
    """The fair version of the last reply."""
    if talk.last is None:
        return nothing(talk)
    return fair.versions(talk.last.claims, talk.last.readings, talk.language)


def why(talk: Talk) -> str:
    """Fields, words and rule behind the last reply."""
    if talk.last is None:
        return nothing(talk)
    w = words(talk.language)
    lines = []
    for claim, reading in zip(talk.last.claims, talk.last.readings, strict=True):
        lines += [*explain.claim_lines(claim, w), explain.reading_line(reading, w)]
    return "\n".join(lines) or nothing(talk)


def receipt(talk: Talk) -> str:
    """The receipt of the last reply."""
    found = talk.last.reply.receipt if talk.last else None
    return found.text if found else nothing(talk)


def told(talk: Talk) -> str:
    """What was asked so far."""
    return "\n".join(f"{n}. {line}" for n, line in enumerate(talk.history[:-1], 1)) or nothing(talk)


def nothing(talk: Talk) -> str:
    """There is nothing yet to speak of."""
    return words(talk.language)("chat.nothing")


COMMANDS: dict[str, Callable[[Talk], str]] = {
    "help": helped,
    "hilfe": helped,
    "?": helped,
    "details": details,
    "fair": fair_version,
    "why": why,
    "warum": why,
    "receipt": receipt,
    "beleg": receipt,
    "history": told,
    "verlauf": told,
}
ENDS = frozenset({"quit", "exit", "bye", "ende", "tschüss"})


def run(lang: Language | None) -> None:
    """Talk until the input ends or somebody says quit."""
    talk = Talk(lang)
    interactive = sys.stdin.isatty()
    if interactive:
        import readline  # noqa: F401 - gives input() its line history

        print(words(talk.language)("chat.hello"))
    while True:
        try:
            line = input("> ") if interactive else next_line()
        except EOFError:
            break
        if line.strip().casefold() in ENDS:
            break
        said = talk.reply(answer.tidy(line))
        if said:
            print(said, end="\n\n", flush=True)


def next_line() -> str:
    """A line of standard input that is no terminal; bytes that are no UTF-8 are replaced."""
    raw = sys.stdin.buffer.readline()
    if not raw:
        raise EOFError
    return raw.decode("utf-8", "replace")
