"""Fragments of HTML that notebooks show; all text is escaped here.

They name no colour of text or ground, so that they look right in a dark notebook, too.
"""

from collections.abc import Iterable, Sequence
from html import escape

_MOST_ROWS = 30
_TABLE = "color:inherit;font-size:inherit;margin:.3em 0"
_CELL = "text-align:left;vertical-align:top"


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
    cells = "".join(
        f"<tr><th style='{_CELL};padding-right:1em'>{escape(name)}</th>"
        f"<td style='{_CELL}'>{escape(text)}</td></tr>"
        for name, text in rows
    )
    return f"<table style='{_TABLE}'>{cells}</table>"


def grid(columns: Sequence[str], rows: Iterable[Sequence[str]], *, compared: bool = False) -> str:
    """A table with headings, at most 30 rows; compared, those whose last texts differ stand out."""
    every = list(rows)
    body = "".join(_row(row, compared and row[-1] != row[-2]) for row in every[:_MOST_ROWS])
    if len(every) > _MOST_ROWS:
        more = f"... and {len(every) - _MOST_ROWS:,} more"
        body += f"<tr><td colspan='{len(columns)}'>{more}</td></tr>"
    head = "".join(f"<th style='{_CELL};padding-right:1em'>{escape(text)}</th>" for text in columns)
    return f"<table style='{_TABLE}'><tr>{head}</tr>{body}</table>"


def _row(texts: Sequence[str], stands_out: bool) -> str:
    weight = "bold" if stands_out else "normal"
    style = f"{_CELL};padding-right:1em;font-weight:{weight}"
    cells = (f"<td style='{style}'>{escape(text)}</td>" for text in texts)
    return f"<tr>{''.join(cells)}</tr>"


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
