"""Which blocks of a page are footnotes, and where the others cite them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from parsing.article.ids import result_ids
from parsing.article.inline import Mark
from parsing.article.layout import layout
from parsing.article.model import Note
from parsing.article.walk import Block

_LEADING = re.compile(r"(?:\[(\d{1,3}|[a-z*])\]|\((\d{1,3})\)|(\d{1,3})[.):]?(?=\s)|([*†‡§¶]{1,3}))\s*(?=\S)")
_SYMBOL = re.compile(r"[*†‡§¶]{1,3}")
_BEHIND = re.compile(r"(?<=[^\s*†‡§¶])[*†‡§¶]{1,3}(?![*†‡§¶\w])")
_BACK = re.compile(r"\s*(?:↩|↑|\^|↵|⤴)\s?\d{0,3}\s*$")
_STRONG = re.compile(r"[^\W\d_]")
LONGEST_HEADING = 60


@dataclass(slots=True)
class Notes:
    """The footnotes of a page: `notes` in its order, and how a mark or a link finds one."""

    notes: list[Note] = field(default_factory=list)
    by_mark: dict[str, int] = field(default_factory=dict)
    by_id: dict[str, int] = field(default_factory=dict)

    def find(self, mark: Mark) -> int | None:
        """The number of the footnote that a mark means: by its link, else as it is printed."""
        if mark.target and mark.target in self.by_id:
            return self.by_id[mark.target]
        return self.by_mark.get(mark.text)

    def add(self, note: Note, ids: set[str]) -> None:
        """Add a footnote; one that stands there already only gets another way to be found."""
        number = next((n for n, known in enumerate(self.notes) if known.text == note.text), len(self.notes))
        if number == len(self.notes):
            self.notes.append(note)
        if note.mark:
            self.by_mark.setdefault(note.mark, number)
        for one in ids:
            self.by_id.setdefault(one, number)


def separated(blocks: list[Block]) -> tuple[list[Block], Notes]:
    """The blocks of the article without footnotes and furniture, and the footnotes of the page."""
    # A mark at the beginning is the footnote's own, and its link leads back.
    targets = {mark.target for block in blocks for mark in block.marks if mark.target and mark.at > 0}
    cited = {mark.text for block in blocks for mark in block.marks if mark.at > 0}
    cited |= {sign for block in blocks if block.main for sign in _BEHIND.findall(block.text)}
    rest: list[Block] = []
    notes = Notes()
    under = 0  # the level of the heading "Footnotes" that we are below
    after: Block | None = None  # the footnote that the block before was
    for block in blocks:
        if block.level:
            under = _under(block, under)
            if under and block.text.strip(" :.").casefold() in layout().notes_headings:
                continue
        target = bool(block.ids & targets) and not block.level and block.grid is None
        below = under > 0 and not block.furniture
        placed = (block.noted or below) and not block.level and block.grid is None
        caption = block.where == "caption" and block.main and not target
        if not caption and (target or placed or _marked(block, cited) or _says_so(block)):
            after = _take(block, notes, after, placed=placed or target)
        else:
            after = None
            if block.main and not block.furniture:
                rest.append(block)
    return rest, notes


def _under(block: Block, under: int) -> int:
    """Below the heading of footnotes until the next heading of its level or a higher one."""
    if len(block.text) <= LONGEST_HEADING and block.text.strip(" :.").casefold() in layout().notes_headings:
        return block.level
    return 0 if block.level <= under else under


def _marked(block: Block, cited: set[str]) -> bool:
    """A block that begins with a raised mark which stands behind a word elsewhere is its footnote."""
    if block.grid is not None or block.level:
        return False
    if any(mark.at == 0 and mark.text in cited for mark in block.marks):
        return True
    sign = _SYMBOL.match(block.text)
    return sign is not None and sign.group() in cited and block.where != "list"


def _says_so(block: Block) -> bool:
    """A paragraph with result IDs, or about the name, that says where its figures were retrieved."""
    low = block.text.casefold()
    if block.grid is not None or not any(word in low for word in layout().citation):
        return False
    return bool(result_ids(block.text)) or "mlperf" in low


def _take(block: Block, notes: Notes, after: Block | None, *, placed: bool) -> Block:
    """Keep a footnote; what goes on in the same place without a mark of its own belongs to the one before."""
    mark, text = _split(block, placed=placed)
    text = _BACK.sub("", text)
    known = _known(after, block, notes)
    if known is not None and not mark:
        notes.notes[known] = Note(notes.notes[known].mark, f"{notes.notes[known].text}\n{text}")
        for one in block.ids:
            notes.by_id.setdefault(one, known)
    elif _STRONG.search(text):
        notes.add(Note(mark, text), block.ids)
    return block


def _known(after: Block | None, block: Block, notes: Notes) -> int | None:
    same_item = after is not None and block.number and block.number == after.number and not block.ids
    return len(notes.notes) - 1 if same_item and notes.notes else None


def _split(block: Block, *, placed: bool) -> tuple[str, str]:
    """The mark of a footnote and its text."""
    first = next((mark for mark in block.marks if mark.at == 0), None)
    if first is not None:
        return first.text, block.text
    match = _LEADING.match(block.text)
    symbol = match is not None and match[4] is not None
    if match and (placed or symbol):
        return next(group for group in match.groups() if group), block.text[match.end() :]
    return (str(block.number) if block.number else ""), block.text


def cite(block: Block, notes: Notes) -> tuple[str, list[tuple[int, int]]]:
    """A block's text without the marks that are printed in it, and (offset, footnote) for each mark."""
    cuts: list[tuple[int, int, int]] = []
    for match in _printed(notes).finditer(block.text):
        number = notes.by_mark.get(match.group().strip("[]"))
        if number is not None:
            cuts.append((match.start(), match.end(), number))
    kept, at = [], 0
    for start, end, _ in cuts:
        kept.append(block.text[at:start])
        at = end
    text = "".join([*kept, block.text[at:]])
    raised = [(mark.at, number) for mark in block.marks if (number := notes.find(mark)) is not None]
    found = [*raised, *((start, number) for start, _, number in cuts)]

    def moved(offset: int) -> int:
        return offset - sum(end - start for start, end, _ in cuts if start < offset)

    return text, sorted((moved(offset), number) for offset, number in found)


def _printed(notes: Notes) -> re.Pattern[str]:
    """Marks of footnotes that are printed as text: in brackets, or a sign behind a word."""
    signs = sorted((re.escape(m) for m in notes.by_mark if _SYMBOL.fullmatch(m)), key=len, reverse=True)
    behind = rf"|(?<=[^\s*†‡§¶])(?:{'|'.join(signs)})(?![*†‡§¶\w])" if signs else ""
    return re.compile(r"\[(?:\d{1,3}|[a-z*])\]" + behind)
