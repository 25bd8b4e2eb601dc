"""Canonical names of accelerators, models and submitters, and every spelling people write for them.

All facts stand in `names.toml`; this module only applies them. Spellings are compared by their
`key`: letters and digits without case. A name the file does not know is its own canonical name.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from knowledge.row import Part, Row
from parsing.vocabulary import Name, NameKind

_SEPARATORS = (" ", "-", "")
_MOST_SEPARATORS = 4  # above that only the spelling itself: 3 ** 5 patterns a name would be too many
_ALSO_OTHER_CHIPS = re.compile(r"\s*\|\s*")


@dataclass(frozen=True, slots=True)
class AcceleratorName:
    """What one published accelerator text means.

    accelerator: canonical chip, None for a CPU system and for a mixed one (then `parts`, count 0
    where the text does not say it). variant: compact canonical text, None if plain.
    count: the number the text itself gives ("(x87)"), else None.
    """

    accelerator: str | None = None
    variant: str | None = None
    vendor: str | None = None
    parts: tuple[Part, ...] = ()
    count: int | None = None


@dataclass(frozen=True, slots=True)
class ModelName:
    """A canonical model and the accuracy target ("99", "99.9", "95") of the published spelling."""

    model: str
    accuracy_target: str | None = None


@dataclass(frozen=True, slots=True)
class Family:
    """A family name in a claim: `chips` are what it means, `racks` and `boards` split them."""

    name: str
    vendor: str | None
    chips: tuple[str, ...]
    racks: tuple[str, ...]
    boards: tuple[str, ...]


def key(text: str) -> str:
    """Letters and digits of a name without case: what two spellings of one name share."""
    return re.sub(r"[\W_]+", "", text).casefold()


def key_words(text: str) -> str:
    """The text's words without case, each between blanks, so that whole words can be looked for."""
    return f" {' '.join(re.findall(r'[a-z0-9]+', text.casefold()))} "


def spellings(text: str, every: bool) -> Iterator[str]:
    """A name with its blanks and hyphens as blank, hyphen or nothing, the given spelling first.

    `every` mixes them freely (names of models), else all gaps change alike or one alone.
    """
    words = re.split(r"[ -]", text)
    yield text
    if not 1 < len(words) <= _MOST_SEPARATORS + 1 or "" in words:
        return
    given = tuple(text[len(" ".join(words[: i + 1]))] for i in range(len(words) - 1))
    for gaps in itertools.product(_SEPARATORS, repeat=len(given)):
        changed = sum(a != b for a, b in zip(gaps, given, strict=True))
        if changed and (every or changed == 1 or len(set(gaps)) == 1):
            yield words[0] + "".join(gap + word for gap, word in zip(gaps, words[1:], strict=True))


def _wordless(text: str, words: Iterable[str]) -> str:
    """The text without the given words, wherever they stand."""
    for word in words:
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split()).strip(" -")


@dataclass(frozen=True, slots=True)
class _Mark:
    pattern: re.Pattern[str]
    text: str
    where: frozenset[str]
    special: bool


class Names:
    """The names of `names.toml`, and those that `extended` adds from rows."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self._rules: dict[str, Any] = data["rules"]
        self._chips: dict[str, dict[str, Any]] = {a["name"]: a for a in data["accelerator"]}
        self._models: dict[str, dict[str, Any]] = {m["name"]: m for m in data["model"]}
        self._submitters: dict[str, dict[str, Any]] = {s["name"]: s for s in data["submitter"]}
        self._marks = [
            _Mark(
                re.compile(m["pattern"], re.IGNORECASE),
                m["text"],
                frozenset(m["where"]),
                bool(m.get("special")),
            )
            for m in data["mark"]
        ]
        self._special = [
            re.compile(re.escape(m.text).replace(r"\{0\}", r"\d+")) for m in self._marks if m.special
        ]
        self._noise = re.compile("|".join(self._rules["noise"]), re.IGNORECASE)
        self._none = {key(text) for text in self._rules["none"]}
        self._vendor_words = {
            word: v["name"] for v in data["vendor"] for word in (*v["words"], *v.get("text", ()))
        }
        self._raw_chip = self._index(self._chips.values(), ("raw",))
        self._chip = self._index(self._chips.values(), ("raw", "text"))
        self._model = self._index(self._models.values(), ("raw", "text"))
        self._submitter = self._index(self._submitters.values(), ("raw", "text"))
        self._families = {f["name"]: f for f in data["family"]}
        self._family = self._index(self._families.values(), ("text",))
        self._cache: dict[str, AcceleratorName] = {}
        self._systems = tuple(self._all_systems())
        self._system_sizes = {key(n.text): n.size for n in self._systems if n.size}
        self._processors = {
            key(text): entry
            for entry in data["processor"]
            for text in (entry["name"], *entry.get("text", ()))
        }
        self._system_chips = {key(n.text): n.accelerator for n in self._systems if n.accelerator}

    @staticmethod
    def _index(entries: Iterable[dict[str, Any]], fields: tuple[str, ...]) -> dict[str, str]:
        """Key of every spelling to the canonical name; canonical names win over spellings."""
        found: dict[str, str] = {}
        listed = list(entries)
        for entry in listed:
            found.setdefault(key(entry["name"]), entry["name"])
        for entry in listed:
            for field in (*fields, "display"):
                value = entry.get(field, ())
                for text in (value,) if isinstance(value, str) else value:
                    found.setdefault(key(text), entry["name"])
        return found

    @classmethod
    @lru_cache(maxsize=1)
    def load(cls) -> Names:
        """The names as packaged; read once a process."""
        text = files("knowledge").joinpath("names.toml").read_text(encoding="utf-8")
        return cls(tomllib.loads(text))

    def unlisted(self, rows: Iterable[Row]) -> tuple[tuple[NameKind, str], ...]:
        """Names of the rows that stand nowhere here, as (kind, name), each once."""
        found: dict[tuple[NameKind, str], None] = {}
        for row in rows:
            for chip in (row.accelerator, *(p.accelerator for p in row.parts)):
                if chip and key(chip) not in self._chip:
                    found["accelerator", chip] = None
            if key(row.model) not in self._model:
                found["model", row.model] = None
            if key(row.submitter) not in self._submitter:
                found["submitter", row.submitter] = None
        return tuple(found)

    def extended(self, rows: Iterable[Row]) -> Names:
        """These names and those that appear in the rows only, as their own canonical names."""
        new = self.unlisted(rows)
        if not new:
            return self
        data = dict(self._data)
        for kind, name in new:
            data[kind] = [*data[kind], {"name": name}]
        racks = [name for kind, name in new if kind == "accelerator" and self.is_rack(name)]
        rack = {"name": "{chip} NVL{n}", "chips": racks, "nvl": self._rules["rack_sizes"]}
        data["system"] = [*data["system"], rack]
        return Names(data)

    # --- published spellings ------------------------------------------------------------------

    def accelerator(self, raw: str, system: str = "") -> AcceleratorName:
        """What a published accelerator text means; `system` may hold marks that the text leaves out.

        Source of the rules: ROWS-CHECKED, traps T8, T9, T22 and the spelling table.
        """
        cached = self._cache.get(raw)
        if cached is None:
            cached = self._cache[raw] = self._accelerator(raw)
        marks = self._found_marks(system, "system") if system and cached.accelerator else []
        if not marks:
            return cached
        variant = ", ".join(dict.fromkeys([*(cached.variant.split(", ") if cached.variant else ()), *marks]))
        return AcceleratorName(cached.accelerator, variant, cached.vendor, cached.parts, cached.count)

    def _accelerator(self, raw: str) -> AcceleratorName:
        text = " ".join(raw.split())
        if key(text) in self._none:
            return AcceleratorName()
        counts = [int(a) * int(b or 1) for a, b in re.findall(self._rules["count"], text)]
        # a count ends its kind, also where the file drops the comma after it
        pieces = re.split(self._rules["separator"], re.sub(self._rules["count"], " , ", text))
        kinds = [self._one_kind(piece) for piece in pieces if piece.strip()]
        if len(kinds) == 1:
            chip, variant, vendor = kinds[0]
            return AcceleratorName(chip, variant, vendor, count=counts[0] if counts else None)
        if len(counts) != len(kinds):
            counts = [0] * len(kinds)
        vendors = {vendor for _, _, vendor in kinds}
        parts = tuple(Part(chip, n) for (chip, _, _), n in zip(kinds, counts, strict=True))
        return AcceleratorName(vendor=vendors.pop() if len(vendors) == 1 else None, parts=parts)

    def _one_kind(self, text: str) -> tuple[str, str | None, str | None]:
        """Chip, variant and vendor of a text that names one kind of accelerator."""
        text = " ".join(self._noise.sub(" ", text).split())
        words = key_words(text)
        vendor = next((v for word, v in self._vendor_words.items() if key_words(word) in words), None)
        known = self._raw_chip.get(key(text))
        if known:
            return known, None, vendor or self.vendor(known)
        marks = self._found_marks(text, "accelerator")
        for mark in self._marks:
            text = mark.pattern.sub(" ", text) if "accelerator" in mark.where else text
        form = re.search(self._rules["form_factor"], text, re.IGNORECASE)
        text = re.sub(self._rules["form_factor"], " ", text, flags=re.IGNORECASE)
        memory = re.search(self._rules["memory"], text, re.IGNORECASE)
        text = re.sub(self._rules["memory"], " ", text, flags=re.IGNORECASE)
        text = re.sub(r"\(\s*\)", " ", text)
        printed = _wordless(_wordless(text, self._vendor_words), self._rules["words"])
        chip = self._raw_chip.get(key(printed), printed)
        entry = self._chips.get(chip, {"forms": [form.group(1)] if form else []})
        # form factor and memory make a variant only of a chip that is sold in several
        variant = [f for f in entry.get("forms", ()) if form and f.casefold() == form.group(1).casefold()]
        if memory and entry.get("memory"):
            variant.append(f"{memory.group(1)}GB")
        return chip, ", ".join([*variant, *marks]) or None, vendor or self.vendor(chip)

    def _found_marks(self, text: str, where: str) -> list[str]:
        found = ((m, m.pattern.search(text)) for m in self._marks if where in m.where)
        return list(dict.fromkeys(m.text.format(*hit.groups()) for m, hit in found if hit))

    def special(self, variant: str | None) -> bool:
        """Whether a variant is no ordinary product (rule 43: power cap, MaxQ, cooling, virtual)."""
        return bool(variant) and any(p.search(variant or "") for p in self._special)

    def model(self, raw: str) -> ModelName:
        """The canonical model and accuracy target of a published spelling."""
        text = raw.strip()
        found = re.search(self._rules["accuracy"], text)
        target = found.group(1) if found else None
        base = text[: found.start()] if found else text
        return ModelName(self._model.get(key(base), base.lower().replace(" ", "-")), target)

    def submitter(self, raw: str) -> str:
        """The canonical submitter of a published spelling; joint submitters stay their own."""
        text = " ".join(raw.split())
        return self._submitter.get(key(text), text)

    def processor(self, raw: str | None) -> str | None:
        """The processor's name in a published text without marks and vendor, None where none is known."""
        found = re.search(self._rules["processor"], self._noise.sub("", raw or "").replace("CPU ", ""))
        return found.group(0) if found else None

    # --- facts about canonical names ------------------------------------------------------------

    def display(self, submitter: str) -> str:
        """The submitter as a reply prints it."""
        entry = self._submitters.get(submitter, {})
        if "display" in entry:
            return str(entry["display"])
        joint = self.joint(submitter)
        return " + ".join(map(self.display, joint)) if joint else submitter.replace("_", " ")

    def joint(self, submitter: str) -> tuple[str, ...]:
        """The submitters behind a joint one, empty for a single one."""
        entry = self._submitters.get(submitter, {})
        if "joint" in entry:
            return tuple(entry["joint"])
        parts = [self._submitter.get(key(part)) for part in submitter.split("_")]
        known = tuple(part for part in parts if part)
        return known if len(known) == len(parts) > 1 else ()

    def vendor(self, accelerator: str) -> str | None:
        """The chip's maker, None if unknown."""
        entry = self._chips.get(accelerator, {})
        if "vendor" in entry:
            return str(entry["vendor"])
        makers = (
            v["name"] for v in self._data["vendor"] if "chips" in v and re.search(v["chips"], accelerator)
        )
        return next(makers, None)

    def is_rack(self, accelerator: str) -> bool:
        """Whether the chip belongs to rack-scale systems (racks pair with racks, boards with boards)."""
        explicit = self._chips.get(accelerator, {}).get("rack", False)
        return bool(explicit or re.search(self._rules["rack"], accelerator))

    def same_gpu(self, accelerator: str) -> tuple[str, ...]:
        """Other accelerators that carry the same GPU (Arc Pro B60 and B60 Dual): they may stand in."""
        gpu = self._chips.get(accelerator, {}).get("gpu")
        return tuple(n for n, e in self._chips.items() if gpu and e.get("gpu") == gpu and n != accelerator)

    def gpus_per_card(self, accelerator: str) -> int:
        """GPUs on one counted accelerator: 2 for a dual-GPU card, else 1."""
        return int(self._chips.get(accelerator, {}).get("gpus_per_card", 1))

    def accelerator_display(self, accelerator: str) -> str:
        """The accelerator as a reply prints it."""
        return str(self._chips.get(accelerator, {}).get("display", accelerator))

    def model_display(self, model: str) -> str:
        """The model as a reply prints it."""
        return str(self._models.get(model, {}).get("display", model))

    def is_training_model(self, model: str) -> bool:
        """Whether the model exists in training rounds only."""
        return bool(self._models.get(model, {}).get("training"))

    def family(self, name: str) -> Family | None:
        """The family that a name stands for, None if it is no family."""
        found = self._family.get(self._claim_key(name))
        if found is None:
            return None
        entry = self._families[found]
        chips = tuple(entry["chips"])
        racks = tuple(c for c in chips if self.is_rack(c))
        return Family(found, entry.get("vendor"), chips, racks, tuple(c for c in chips if c not in racks))

    # --- what claims say --------------------------------------------------------------------------

    def _claim_key(self, text: str) -> str:
        """Key of a name in a claim, without the maker's words before it."""
        bare = _wordless(text, self._vendor_words)
        return key(bare) if bare else key(text)

    def claim_accelerator(self, text: str) -> tuple[str, ...]:
        """The canonical chips that a claim's name means: a chip, a family's chips, a system's chip.

        Several names are "a | b". An unknown name is returned as printed, without the maker's words.
        """
        chips: dict[str, None] = {}
        for part in _ALSO_OTHER_CHIPS.split(text.strip()):
            chips.update(dict.fromkeys(self._claim_chips(part)))
        return tuple(chips)

    def _claim_chips(self, text: str) -> tuple[str, ...]:
        for found in (key(text), self._claim_key(text), key(_wordless(text, self._lines()))):
            chip = self._chip.get(found) or self._system_chips.get(found)
            if chip:
                return (chip,)
            if found in self._family:
                return tuple(self._families[self._family[found]]["chips"])
        printed = self._accelerator(text)
        return (printed.accelerator,) if printed.accelerator else tuple(p.accelerator for p in printed.parts)

    def _lines(self) -> list[str]:
        lines = {line for entry in self._chips.values() for line in entry.get("lines", ())}
        return sorted(lines | set(self._vendor_words))

    def system_size(self, text: str) -> int | None:
        """How many accelerators a named system holds (GB300 NVL72: 72), None where unfixed."""
        return self._system_sizes.get(key(text))

    def processor_pattern(self, text: str) -> re.Pattern[str] | None:
        """What the processor text of a row must hold for a processor that a claim names; None if unknown."""
        entry = self._processors.get(key(text))
        if entry is not None and "models" in entry:
            return re.compile(str(entry["models"]), re.IGNORECASE)
        found = self.processor(text) or (str(entry["name"]) if entry is not None else None)
        return re.compile(re.escape(found.split()[-1]), re.IGNORECASE) if found else None

    def claim_model(self, text: str) -> str | None:
        """The canonical model that a claim's name means, None if unknown."""
        bare = re.sub(self._rules["accuracy"], "", text.strip())
        return self._model.get(key(text)) or self._model.get(key(bare))

    def claim_submitter(self, text: str) -> str | None:
        """The canonical submitter that a claim's name means, None if unknown."""
        return self._submitter.get(key(text))

    # --- the parser's vocabulary -------------------------------------------------------------------

    def vocabulary_names(self, rows: Iterable[Row]) -> tuple[Name, ...]:
        """Every spelling of every name, for the parser; a spelling (without case) occurs once.

        The first meaning wins, in the order: names as they stand, then their possessive and plural
        forms with s ("NVIDIAs", "MI300Xs").
        """
        listed = list(rows)
        names = self.extended(listed)
        found: dict[str, Name] = {}
        plain = list(names._spoken(listed))
        for name in plain:
            found.setdefault(name.text.casefold(), name)
        for name in plain:
            one_word = name.kind in ("accelerator", "processor") and not re.search(r"[ +-]", name.text)
            if (one_word or name.kind in ("submitter", "vendor")) and name.text[-1] not in "sS":
                other = Name(name.text + "s", name.kind, name.canonical, name.vendor)
                found.setdefault(other.text.casefold(), other)
        return tuple(found.values())

    def _spoken(self, rows: list[Row]) -> Iterator[Name]:
        """All names in the order in which their spellings take precedence."""
        yield from self._plain("accelerator", self._chips.values())
        yield from self._systems
        yield from self._plain("family", self._families.values())
        yield from self._plain("model", self._models.values())
        yield from self._plain("processor", self._data["processor"])
        yield from self._plain("vendor", self._data["vendor"])
        yield from self._plain("submitter", self._submitters.values())
        yield from self._plain("benchmark", self._data["benchmark"])
        for processor in sorted({p for row in rows if (p := self.processor(row.processor))}):
            yield Name(processor, "processor", processor)

    def _plain(self, kind: NameKind, entries: Iterable[dict[str, Any]]) -> Iterator[Name]:
        for entry in entries:
            if not entry.get("speak", True) or (kind == "submitter" and not self._texts(kind, entry)):
                continue
            vendor = entry["name"] if kind == "vendor" else entry.get("vendor")
            if kind == "accelerator" and not vendor:
                vendor = self.vendor(entry["name"])
            for text in self._texts(kind, entry):
                for spelling in spellings(text, every=kind == "model"):
                    yield Name(
                        spelling, kind, entry["name"], vendor, training=bool(entry.get("training", False))
                    )

    def _texts(self, kind: NameKind, entry: dict[str, Any]) -> list[str]:
        """What people write for one entry, before blanks and hyphens are varied."""
        name, texts = entry["name"], list(entry.get("text", ()))
        if kind == "submitter" and "joint" in entry:
            joint = [self.display(part) for part in entry["joint"]]
            return [name, *(sign.join(joint) for sign in ("/", " + ", "+", "_"))]
        # a chip maker's bare name is the vendor; the submitter keeps only names of its own
        if entry.get("bare", True) and not entry.get("chip_maker"):
            texts = [name, *texts]
        if kind == "model" or (kind == "submitter" and not entry.get("chip_maker")):
            texts += [entry["display"]] if "display" in entry and "(" not in entry["display"] else []
        for line in entry.get("lines", ()):
            texts += [f"{line} {name}", f"{entry['vendor']} {line} {name}"]
        return list(dict.fromkeys(texts))

    def _all_systems(self) -> Iterator[Name]:
        """Every spelling of every system, patterns such as "{chip} NVL{n}" filled in."""
        for entry in self._data["system"]:
            for chip, n in itertools.product(entry.get("chips", (None,)), entry.get("nvl", (None,))):
                name = entry["name"].format(chip=chip, n=n)
                texts = [name] if entry.get("bare", True) else []
                texts += [text.format(chip=chip, n=n) for text in entry.get("text", ())]
                vendor = entry.get("vendor") or (self.vendor(chip) if chip else None)
                for text in texts:
                    for spelling in spellings(text, every=False):
                        yield Name(spelling, "system", name, vendor, chip, entry.get("size", n))
