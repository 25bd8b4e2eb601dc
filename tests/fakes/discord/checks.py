"""What Discord refuses in a message or a form: each fault as its path in the body and a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tests.fakes.discord import limits

Json = dict[str, Any]
Fault = tuple[str, str]  # a dotted path, and what is wrong there

ROW, BUTTON, SELECT, INPUT, SECTION, TEXT, CONTAINER, LABEL = 1, 2, 3, 4, 9, 10, 17, 18
SELECTS = frozenset((3, 5, 6, 7, 8))
IN_LABEL = SELECTS | {INPUT, 19, 21, 22, 23}
TOP_V2 = frozenset((ROW, SECTION, TEXT, 12, 13, 14, CONTAINER))
LINK, PREMIUM = 5, 6  # styles of buttons


def units(text: object) -> int:
    """A length in UTF-16 units, as Discord counts."""
    return len(str(text or "").encode("utf-16-le", "surrogatepass")) // 2


def length(path: str, text: object, most: int, least: int = 0) -> Iterator[Fault]:
    """A fault where a text is too short or too long."""
    found = units(text)
    if not least <= found <= most:
        yield path, f"Must be between {least} and {most} in length: {found}"


def empty(body: Json, files: int) -> bool:
    """Whether there is nothing in a message."""
    said = str(body.get("content") or "").strip()
    return not (said or body.get("embeds") or files or body.get("sticker_ids") or v2(body))


def v2(body: Json) -> bool:
    """Whether a message is made of components only."""
    return bool(int(body.get("flags") or 0) & limits.COMPONENTS_V2)


def message(body: Json, files: Iterable[str] = (), *, flags: int = 0) -> list[Fault]:
    """A message's faults. files: the names of its form's parts; flags: those that may be set."""
    may = flags | limits.SUPPRESS_EMBEDS | limits.SILENT | limits.COMPONENTS_V2
    found = list(length("content", body.get("content"), limits.CONTENT))
    if units(body.get("nonce")) > limits.NONCE:
        found.append(("nonce", f"Must be {limits.NONCE} or fewer in length."))
    if int(body.get("flags") or 0) & ~may:
        found.append(("flags", f"These flags cannot be set: {int(body['flags']) & ~may}"))
    if v2(body) and (body.get("content") or body.get("embeds")):
        found.append(("flags", "IS_COMPONENTS_V2 forbids content and embeds"))
    found += embeds(body.get("embeds") or [])
    found += attachments(body.get("attachments") or [], set(files))
    found += mentions(body.get("allowed_mentions"))
    found += components(body.get("components") or [], v2=v2(body))
    return found


def embeds(all_of_them: list[Json]) -> Iterator[Fault]:
    """Faults of the embeds of a message."""
    if len(all_of_them) > limits.EMBEDS:
        yield "embeds", f"Must be {limits.EMBEDS} or fewer in length."
    total = 0
    for n, embed in enumerate(all_of_them):
        parts = list(_parts(embed))
        total += sum(units(text) for _, text, most, _ in parts if most)
        for where, text, most, least in parts:
            yield from length(f"embeds.{n}.{where}", text, most, least)
        if len(embed.get("fields") or []) > limits.FIELDS:
            yield f"embeds.{n}.fields", f"Must be {limits.FIELDS} or fewer in length."
    if total > limits.TOGETHER:
        yield "embeds", f"Embed size exceeds maximum size of {limits.TOGETHER}: {total}"


def _parts(embed: Json) -> Iterator[tuple[str, object, int, int]]:
    for name, most in limits.EMBED.items():
        yield name, embed.get(name), most, 0
    if foot := embed.get("footer"):
        yield "footer.text", foot.get("text"), limits.FOOTER, 1
    if author := embed.get("author"):
        yield "author.name", author.get("name"), limits.AUTHOR, 1
    for n, one in enumerate(embed.get("fields") or []):
        yield f"fields.{n}.name", one.get("name"), limits.FIELD_NAME, 1
        yield f"fields.{n}.value", one.get("value"), limits.FIELD_VALUE, 1


def attachments(listed: list[Json], files: set[str]) -> Iterator[Fault]:
    """Faults of the list of attachments; each new one names a part `files[n]` of the form."""
    for n, one in enumerate(listed):
        yield from length(f"attachments.{n}.description", one.get("description"), limits.ALT_TEXT)
        if len(str(one["id"])) < 15 and f"files[{one['id']}]" not in files:
            yield f"attachments.{n}.id", f"there is no part files[{one['id']}]"


def mentions(allowed: Json | None) -> Iterator[Fault]:
    """Faults of allowed_mentions."""
    if allowed is None:
        return
    parse = allowed.get("parse") or []
    for kind in set(parse) - {"users", "roles", "everyone"}:
        yield "allowed_mentions.parse", f"unknown: {kind}"
    for kind in ("users", "roles"):
        ids = allowed.get(kind) or []
        if len(ids) > limits.ALLOWED_IDS or (ids and kind in parse):
            yield f"allowed_mentions.{kind}", "too many, or also in parse"


def components(rows: list[Json], *, v2: bool = False) -> Iterator[Fault]:
    """Faults of a message's components."""
    if len(rows) > limits.ROWS and not v2:
        yield "components", f"Must be {limits.ROWS} or fewer in length."
    allowed = TOP_V2 if v2 else {ROW}
    for n, row in enumerate(rows):
        if row["type"] not in allowed:
            yield f"components.{n}.type", f"not allowed here: {row['type']}"
        elif row["type"] == ROW:
            yield from _row(row, f"components.{n}")
    everything = list(nested(rows))
    if v2:
        if len(everything) > limits.COMPONENTS:
            yield "components", f"Must be {limits.COMPONENTS} or fewer in length, nested ones included."
        if sum(units(one.get("content")) for one in everything) > limits.TEXT_TOGETHER:
            yield "components", f"Must be {limits.TEXT_TOGETHER} or fewer characters of text."
    yield from _ids(everything)


def nested(items: Iterable[Json]) -> Iterator[Json]:
    """Components with those inside them."""
    for item in items:
        yield item
        inner = [*item.get("components", ())]
        inner += [item[key] for key in ("accessory", "component") if key in item]
        yield from nested(inner)


def _ids(everything: Iterable[Json]) -> Iterator[Fault]:
    seen: set[str] = set()
    for one in everything:
        identifier = one.get("custom_id")
        if identifier is None:
            continue
        yield from length("components.custom_id", identifier, limits.CUSTOM_ID, 1)
        if identifier in seen:
            yield "components", f"Component custom id cannot be duplicated: {identifier}"
        seen.add(identifier)


def _row(row: Json, path: str) -> Iterator[Fault]:
    items = row.get("components") or []
    kinds = {item["type"] for item in items}
    if not 1 <= len(items) <= limits.ROW_BUTTONS or (kinds != {BUTTON} and len(items) > 1):
        yield path, "one menu, or 1 to 5 buttons"
    for n, item in enumerate(items):
        where = f"{path}.components.{n}"
        if item["type"] == BUTTON:
            yield from _button(item, where)
        elif item["type"] in SELECTS:
            yield from _select(item, where)
        else:
            yield f"{where}.type", f"not allowed here: {item['type']}"


def _button(item: Json, path: str) -> Iterator[Fault]:
    style = item.get("style")
    if style not in range(1, 7):
        yield f"{path}.style", f"unknown: {style}"
    if (style == LINK) != bool(item.get("url")) or (style in (LINK, PREMIUM)) == bool(item.get("custom_id")):
        yield path, "a link has a url, every other button a custom_id"
    yield from length(f"{path}.label", item.get("label"), limits.BUTTON_LABEL)
    yield from length(f"{path}.url", item.get("url"), limits.URL)
    if not item.get("label") and not item.get("emoji") and style != PREMIUM:
        yield path, "a label or an emoji is required"


def _select(item: Json, path: str) -> Iterator[Fault]:
    if not item.get("custom_id"):
        yield f"{path}.custom_id", "This field is required"
    yield from length(f"{path}.placeholder", item.get("placeholder"), limits.PLACEHOLDER)
    options = item.get("options") or []
    least, most = item.get("min_values", 1), item.get("max_values", 1)
    if not 0 <= least <= most <= limits.OPTIONS:
        yield f"{path}.max_values", f"between {least} and {limits.OPTIONS}"
    if item["type"] != SELECT:
        return
    if not 1 <= len(options) <= limits.OPTIONS or most > len(options):
        yield f"{path}.options", f"Must be between 1 and {limits.OPTIONS} in length, at least max_values."
    if len({one["value"] for one in options}) != len(options):
        yield f"{path}.options", "The specified option value is already used"
    if sum(bool(one.get("default")) for one in options) > most:
        yield f"{path}.options", "more defaults than max_values"
    for n, one in enumerate(options):
        yield from length(f"{path}.options.{n}.label", one["label"], limits.OPTION_TEXT, 1)
        yield from length(f"{path}.options.{n}.value", one["value"], limits.OPTION_TEXT, 1)
        yield from length(f"{path}.options.{n}.description", one.get("description"), limits.OPTION_TEXT)


def modal(data: Json) -> list[Fault]:
    """A form's faults."""
    found = list(length("title", data.get("title"), limits.MODAL_TITLE, 1))
    found += length("custom_id", data.get("custom_id"), limits.CUSTOM_ID, 1)
    rows = data.get("components") or []
    if not 1 <= len(rows) <= limits.MODAL_FIELDS:
        found.append(("components", f"Must be between 1 and {limits.MODAL_FIELDS} in length."))
    for n, row in enumerate(rows):
        found += _field(row, f"components.{n}")
    return [*found, *_ids(nested(rows))]


def _field(row: Json, path: str) -> Iterator[Fault]:
    if row["type"] == TEXT:
        yield from length(f"{path}.content", row.get("content"), limits.CONTENT, 1)
        return
    if row["type"] == LABEL:
        item = row.get("component") or {}
        yield from length(f"{path}.label", row.get("label"), limits.LABEL, 1)
        yield from length(f"{path}.description", row.get("description"), limits.LABEL_HINT)
    else:
        items: list[Json] = row.get("components") or [{}]
        item = items[0]
        yield from length(f"{path}.label", item.get("label"), limits.LABEL, 1)
    allowed = IN_LABEL if row["type"] == LABEL else {INPUT} if row["type"] == ROW else set()
    if item.get("type") not in allowed:
        yield f"{path}.type", f"not allowed here: {row['type']} with {item.get('type')}"
    elif item["type"] == INPUT:
        yield from _input(item, path)
    elif item["type"] in SELECTS:
        yield from _select(item, path)


def _input(item: Json, path: str) -> Iterator[Fault]:
    if not item.get("custom_id"):
        yield f"{path}.custom_id", "This field is required"
    if item.get("style") not in (1, 2):
        yield f"{path}.style", f"unknown: {item.get('style')}"
    least, most = item.get("min_length") or 0, item.get("max_length") or limits.TEXT_INPUT
    if not 0 <= least <= most <= limits.TEXT_INPUT:
        yield f"{path}.max_length", f"between {least} and {limits.TEXT_INPUT}"
    if item.get("value"):
        yield from length(f"{path}.value", item["value"], most, least)
    yield from length(f"{path}.placeholder", item.get("placeholder"), limits.INPUT_PLACEHOLDER)


def tree(faults: list[Fault]) -> Json:
    """Faults as Discord nests them below `errors`."""
    root: Json = {}
    for path, reason in faults:
        place = root
        for step in path.split("."):
            place = place.setdefault(step, {})
        place.setdefault("_errors", []).append({"code": "BASE_TYPE_BAD", "message": reason})
    return root
