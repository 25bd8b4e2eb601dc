"""The digest as one HTML page that needs nothing else: lists, the chart as SVG, the footnote."""

from __future__ import annotations

from html import escape

from bot.digest.digest import Digest

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 1.5rem; }
svg { max-width: 100%; height: auto; } footer { font-size: .85rem; margin-top: 2rem; }
"""


def page(digest: Digest, svg: str = "") -> str:
    """The whole digest as a page. svg: a chart as an SVG element, made by us."""
    parts = [f"<h1>{escape(digest.title)}</h1>"]
    for section in digest.sections:
        head = f"<h2>{escape(section.head)}</h2>\n" if section.head else ""
        items = "\n".join(f"<li>{escape(item.text)}</li>" for item in section.items)
        parts.append(f"{head}<ul>\n{items}\n</ul>")
    if svg:
        parts.append(f"<figure>{svg}</figure>")
    parts += [f"<p>{escape(note)}</p>" for note in (*digest.notes, digest.closing)]
    parts.append(f"<footer>{escape(digest.footnotes[1].text)}</footer>")
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="{digest.language}">\n<head><meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(digest.title)}</title>\n<style>{_STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>"
    )
