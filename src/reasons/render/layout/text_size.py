"""How much room a text takes, and so a vertex.

No font is at hand when an SVG is written, and the reader's may be any. Widths
are those of DejaVu Sans rounded up: it is wider than the usual sans-serif
fonts, so that a text meets its border in none of them.
"""

from typing import NamedTuple
from unicodedata import category, east_asian_width

from reasons.render.graph import Shape, Style, Vertex

TEXT_SIZE = 14.0
LABEL_SIZE = 12.0
NOTE_SIZE = 11.0
NOTE_GAP = 5.0

_WIDEST_VERTEX = 230.0
_WIDEST_LABEL = 170.0

_EM_OF = {
    character: em
    for em, characters in (
        (0.30, "'IJijl"),
        (0.35, " ,./:;\\|"),
        (0.40, "!()-[]ft"),
        (0.45, "r"),
        (0.50, '"*_`'),
        (0.55, "?csz"),
        (0.60, "FLkvxy"),
        (0.65, "$0123456789EPSTYabdeghnopqu{}"),
        (0.70, "ABCKRVXZ"),
        (0.75, "NU"),
        (0.80, "&DGHOQ"),
        (0.85, "#+<=>^w~¬"),
        (0.90, "M"),
        (1.00, "%@Wm"),
    )
    for character in characters
}


class Size(NamedTuple):
    """The outline of a vertex: a box with rounded corners, and the room for its note."""

    width: float
    height: float
    radius: float
    note: float = 0.0


def text_width(text: str, size: float) -> float:
    """How wide a text is at most, in pixels.

    >>> text_width("age", 10.0) < text_width("年齢は", 10.0)
    True
    """
    return size * sum(_EM_OF.get(character) or _em(character) for character in text)


def _em(character: str) -> float:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if east_asian_width(character) in "WF":
        return 1.3
    return 0.9 if character >= "\u0400" else 0.7


def printable(text: str) -> str:
    """The text on one line, without the characters that neither XML nor an eye can read.

    >>> printable("a\\tb\\x00c")
    'a b�c'
    """
    return "".join(character if _is_printable(character) else "�" for character in _line(text))


def _line(text: str) -> str:
    return " ".join(text.split())


def _is_printable(character: str) -> bool:
    # The last two code points of every plane are no characters.
    return category(character) not in ("Cc", "Cs") and ord(character) & 0xFFFE != 0xFFFE


def clipped(text: str, size: float, width: float) -> str:
    """The text made printable and cut, with an ellipsis, to a width in pixels.

    >>> clipped("a very long name", 10.0, 50.0)
    'a very l…'
    """
    text = printable(text)
    if text_width(text, size) <= width:
        return text
    room = width - text_width("…", size)
    end = 0
    while end < len(text) and (room := room - text_width(text[end], size)) >= 0:
        end += 1
    return text[:end].rstrip() + "…"


def vertex_text(vertex: Vertex) -> str:
    """What stands inside a vertex; gates draw their sign instead."""
    if vertex.shape in (Shape.AND, Shape.OR):
        return ""
    return clipped(vertex.text, TEXT_SIZE, _WIDEST_VERTEX)


def note_text(vertex: Vertex) -> str:
    """What stands beside a vertex."""
    return clipped(vertex.note, NOTE_SIZE, _WIDEST_LABEL)


def label_text(text: str) -> str:
    """What stands on an edge."""
    return clipped(text, LABEL_SIZE, _WIDEST_LABEL)


def label_size(text: str) -> tuple[float, float]:
    """Width and height of the box that holds the text of an edge."""
    return text_width(label_text(text), LABEL_SIZE) + 10.0, LABEL_SIZE + 6.0


def vertex_size(vertex: Vertex) -> Size:
    """The outline of a vertex, large enough for its text."""
    text = text_width(vertex_text(vertex), TEXT_SIZE)
    note = text_width(note_text(vertex), NOTE_SIZE) + NOTE_GAP if vertex.note else 0.0
    match vertex.shape:
        case Shape.FEATURE:
            return Size(max(34.0, text + 20.0), 34.0, 17.0, note)
        case Shape.LEAF:
            return Size(max(30.0, text + 18.0), 28.0, 3.0, note)
        case Shape.LITERAL:
            return Size(max(30.0, text + 16.0), 26.0, 9.0, note)
        case Shape.AND | Shape.OR:
            across = 36.0 if vertex.style is Style.ADDED else 28.0
            return Size(across, across, across / 2, note)
