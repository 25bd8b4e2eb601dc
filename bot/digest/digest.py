"""The digest as a neutral value: what every platform draws, in its own means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.digest import telling
from bot.digest.mark import Mark
from bot.digest.news import News
from bot.digest.options import Options
from bot.digest.telling import Item
from bot.page import Page
from bot.telling.footnote import Footnote, footnote
from bot.wording import Language, Words, words
from knowledge.arrivals import Arrival
from knowledge.deltas import Delta
from knowledge.row import Row
from knowledge.wanted import Wanted

# Lines of a digest in the channel, heads and closing line included.
MOST_LINES = 10

BULLET = "• "

# So many of the widest spreads stand in the full text.
MOST_SPREADS = 20

Name = Literal["moved", "silicon", "preview", "corrections", "claims", "spread"]
# Who gets the lines that are left when every section has one.
ORDER: tuple[Name, ...] = ("moved", "silicon", "preview", "corrections")


@dataclass(frozen=True)
class Section:
    """One group of a digest: its head and all its lines, the most informative first.

    The first `shown` lines belong in the channel. Without a head the one line says it all.
    """

    name: Name
    head: str
    items: tuple[Item, ...]
    shown: int

    def lines(self, *, full: bool = False) -> list[str]:
        """Head and lines, those of the channel or all."""
        some = self.items if full else self.items[: self.shown]
        return [*([self.head] if self.head and some else []), *(item.text for item in some)]


@dataclass(frozen=True)
class Digest:
    """What is new, in parts without markup.

    title: suite and rounds, for the notification too. closing: what must be said with the lines, and the
    data version that they were built from. notes: said in full only. changes:
    the moved results that a chart draws (`bot.render.plots.changes`), the most informative first; rows
    of a CSV file (`bot.digest.table.dumps`). mark: where the channel's next digest begins. news: whether
    there is any.
    """

    language: Language
    title: str
    sections: tuple[Section, ...]
    closing: str
    notes: tuple[str, ...]
    version: str
    mark: Mark
    changes: tuple[Delta, ...] = field(default=(), repr=False)
    footnotes: tuple[Footnote, Footnote] = (Footnote(), Footnote())

    @property
    def news(self) -> bool:
        """Whether it tells anything."""
        return bool(self.sections)

    @property
    def more(self) -> int:
        """How many lines stand behind "all"."""
        return sum(len(section.items) - section.shown for section in self.sections)

    @property
    def fallback(self) -> str:
        """One line for notifications and screen readers."""
        return self.title

    def page(self, *, full: bool = False) -> Page:
        """What stands in the channel: ten lines at most; in full all of it, for a file or a view."""
        heads = frozenset(section.head for section in self.sections if section.head)
        told = [(section, line) for section in self.sections for line in section.lines(full=full)]
        lines = [line if line in heads or not section.head else f"{BULLET}{line}" for section, line in told]
        more = words(self.language).count("digest.more", self.more) if self.more and not full else ""
        closing = [*(self.notes if full else ()), " ".join(part for part in (self.closing, more) if part)]
        note = self.footnotes[1 if full else 0]
        shown = tuple(line for line in (*lines, *closing) if line)
        return Page(self.language, self.title, shown, footnote=note, heads=heads)

    def rows(self, *, full: bool = False) -> list[Row]:
        """The rows that the lines state, each once."""
        return _rows(self.sections, full=full)

    def as_json(self) -> dict[str, Any]:
        """The digest as a plain object: every line with the keys of its rows."""
        return {
            "title": self.title,
            "language": self.language,
            "data_version": self.version,
            "sections": [
                {
                    "name": section.name,
                    "head": section.head,
                    "shown": section.shown,
                    "lines": [
                        {"text": item.text, "rows": [row.key for row in item.rows]} for item in section.items
                    ],
                }
                for section in self.sections
            ],
            "notes": [*self.notes, self.closing],
            "changes": [delta.as_json() for delta in self.changes],
            "footnote": self.footnotes[1].text,
        }


def digest(news: News, options: Options, language: Language | None = None) -> Digest | None:
    """What a channel is told of the news; None where nothing is new for it and quiet weeks are passed over.

    options: which rows it wants to hear of, and the smallest change. language: instead of that of
    the options.
    """
    w = words(language or options.language)
    wanted = options.wanted(news.names)
    moved = _moved(news, wanted, options.least / 100)
    sections = _sections(news, wanted, options, moved, w)
    if not sections and options.quiet == "skip":
        return None
    told = _told(sections)
    return Digest(
        language=w.language,
        title=_title(news, told, w),
        sections=told,
        closing=_closing(moved, told, news.version, w),
        notes=tuple(_notes(news, w)),
        version=news.version,
        mark=news.mark,
        changes=_charted(moved, told),
        footnotes=(_footnote(told, w, full=False), _footnote(told, w, full=True)),
    )


def _moved(news: News, wanted: Wanted, least: float) -> list[Delta]:
    """The changes to tell; what became of a Preview stands in a section of its own."""
    return [
        delta
        for delta in news.moved
        if wanted.passes(delta.after) and abs(delta.gain) >= least and "availability" not in delta.differences
    ]


def _sections(
    news: News, wanted: Wanted, options: Options, moved: Sequence[Delta], w: Words
) -> list[Section]:
    """The groups that have anything to tell."""
    anything = options.wanted(news.names, division=None)
    silicon = [
        *telling.accelerators(_arrived(news.accelerators, wanted), w),
        *telling.sizes((one for one in news.largest if wanted.passes(one.row)), w),
        *telling.bests((one for one in news.bests if wanted.passes(one.row)), w),
        *telling.submitters(_arrived(news.submitters, wanted), w),
    ]
    groups: dict[Name, list[Item]] = {
        "moved": telling.moved(moved, w),
        "silicon": silicon,
        "preview": telling.previews((one for one in news.previews if wanted.passes(one.preview)), w),
        "corrections": telling.corrected((one for one in news.corrected if anything.passes(one.row)), w),
    }
    found = [
        Section(name, _head(name, items, moved, w), tuple(items), 1)
        for name, items in groups.items()
        if items
    ]
    if options.counting:
        lines = telling.claims(dict(news.claims), w)
        found += [Section("claims", "", (Item(line, ()),), 1) for line in lines]
    wide = [one for one in news.spreads if wanted.passes(one.rows[0])][:MOST_SPREADS]
    if found and wide:
        found.append(Section("spread", w("digest.head.spread"), tuple(telling.spread(wide, w)), 0))
    return found


def _arrived(found: Iterable[Arrival], wanted: Wanted) -> Iterable[Arrival]:
    """The arrivals with the rows that are asked for."""
    for one in found:
        if rows := tuple(filter(wanted.passes, one.rows)):
            yield Arrival(one.name, rows)


def _head(name: Name, items: Sequence[Item], moved: Sequence[Delta], w: Words) -> str:
    if name != "moved":
        return w(f"digest.head.{name}")
    fell = sum(delta.gain < 0 for delta in moved)
    return w("digest.head.moved", n=w.number(len(moved)), fell=w.number(fell))


def _told(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections with as many lines each as the channel has room for."""
    room = MOST_LINES - 1 - sum(len(section.lines()) for section in sections)
    shown = {section.name: section.shown for section in sections}
    while room > 0:
        open_ = [s for name in ORDER for s in sections if s.name == name and shown[name] < len(s.items)]
        if not open_:
            break
        # Twice as many changes as anything else: they are what the digest is for.
        for section in [*open_, *(s for s in open_ if s.name == "moved")]:
            if room > 0 and shown[section.name] < len(section.items):
                shown[section.name] += 1
                room -= 1
    return tuple(Section(s.name, s.head, s.items, shown[s.name]) for s in sections)


def _rows(sections: Iterable[Section], *, full: bool) -> list[Row]:
    items = [item for s in sections for item in (s.items if full else s.items[: s.shown])]
    return list({row.key: row for item in items for row in item.rows}.values())


def _footnote(sections: Sequence[Section], w: Words, *, full: bool) -> Footnote:
    return footnote(_rows(sections, full=full), w, derived=_derives(sections, full=full), unverified=False)


def _derives(sections: Sequence[Section], *, full: bool) -> bool:
    """Whether a section of the channel's message, or in full any, holds a derived figure."""
    return any(item.derived for s in sections if full or s.shown for item in s.items)


def _title(news: News, sections: Sequence[Section], w: Words) -> str:
    if not sections:
        return w("digest.title_quiet")
    if news.rounds and any(section.name in ("moved", "silicon", "preview") for section in sections):
        return w("digest.title", suite=w("table.suite", round=w.join(news.rounds)))
    rounds = sorted({row.round for s in sections if s.name == "corrections" for row in _rows([s], full=True)})
    if rounds:
        return w("digest.title_corrections", suite=w("table.suite", round=w.join(rounds)))
    return w("digest.title_claims")


def _closing(moved: Sequence[Delta], sections: Sequence[Section], version: str, w: Words) -> str:
    """What must be said with the lines of the channel's message."""
    said = []
    if any(section.name == "moved" for section in sections):
        said.append(w("digest.likely"))
        ours = {
            w("where.rounds", old=delta.before.round, new=delta.after.round)
            for delta in moved
            if delta.comparability.status == "ours"
        }
        if ours:
            said.append(w("caveat.comparability_ours", rounds=w.join(sorted(ours))))
    if _derives(sections, full=False):
        said.append(w("digest.units"))
    return " ".join([*said, w("digest.version", version=version)])


def _notes(news: News, w: Words) -> Iterable[str]:
    """What the full text adds."""
    for name in news.unread:
        yield w("digest.unread", round=name)
    for name, day in news.waiting:
        yield w("no_rows.embargo", value=name, date=w.day(day))


def _charted(moved: Sequence[Delta], sections: Sequence[Section]) -> tuple[Delta, ...]:
    """The changes in the order of their lines."""
    by_rows: dict[tuple[str, str], Delta] = {(d.before.key, d.after.key): d for d in moved}
    found: dict[tuple[str, str], Delta] = {}
    for section in sections:
        if section.name == "moved":
            for item in section.items:
                for old, new in zip(item.rows[::2], item.rows[1::2], strict=True):
                    found[old.key, new.key] = by_rows[old.key, new.key]
    return tuple(found.values())
