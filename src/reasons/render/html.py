"""Fragments of HTML that notebooks show; all text is escaped here."""

from collections.abc import Iterable
from html import escape


def boxed(*fragments: str) -> str:
    """Fragments in one block, in a plain font."""
    return f"<div style='font-family:sans-serif;line-height:1.4'>{''.join(fragments)}</div>"


def code(text: str) -> str:
    """Text as code."""
    return f"<code>{escape(text)}</code>"


def heading(text: str) -> str:
    """Text that stands out."""
    return f"<b>{escape(text)}</b>"


def bullets(lines: Iterable[str], *, numbered: bool = False) -> str:
    """A list."""
    tag = "ol" if numbered else "ul"
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<{tag} style='margin:.5em 0'>{items}</{tag}>"


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Names and their texts."""
    left = "text-align:left;vertical-align:top"
    cells = "".join(
        f"<tr><th style='{left};padding-right:1em'>{escape(name)}</th>"
        f"<td style='{left}'>{escape(text)}</td></tr>"
        for name, text in rows
    )
    return f"<table>{cells}</table>"


def bars(shares: Iterable[tuple[str, float]]) -> str:
    """A bar for each share between 0 and 1."""
    return "".join(_bar(name, share) for name, share in shares)


def _bar(name: str, share: float) -> str:
    return (
        "<div style='display:flex;align-items:center;gap:.5em'>"
        f"<span style='width:8em;text-align:right'>{escape(name)}</span>"
        f"<span style='background:#4c78a8;height:.7em;width:{round(140 * share)}px'></span>"
        f"<span>{share:.0%}</span></div>"
    )
