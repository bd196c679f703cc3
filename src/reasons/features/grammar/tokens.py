"""Tokens of the grammar of terms and conditions, and the quotes that printed names need.

One alphabet serves both directions: what the tokenizer splits at is what `quoted` protects.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "quoted", "set", "special", "sign"]

_STOPS = r"\s,{}()\[\]\"=<>~!&|^≤≥≠"
_TOKEN = re.compile(
    rf"""(?P<comment>\#[^\n]*)
    | (?P<quoted>"(?:[^"\\]|\\.)*+"? | '(?:[^'\\]|\\.)*+'?)
    | (?P<set>\{{(?:"(?:[^"\\]|\\.)*+"|[^{{}}"])*+\}})
    | (?P<special><\w+>)
    | (?P<sign><->|<=>|->|=>|<=|>=|==|!=|&&|\|\||[,{{}}()\[\]=<>~!&|^≤≥≠])
    | (?P<word>(?:[^{_STOPS}-]|-(?!>))++)""",
    re.VERBOSE | re.DOTALL,
)
_WORD_WITH_NUMBER_SIGN = re.compile(rf"(?:[^{_STOPS}-]|-(?!>))++")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t"}
_NEEDS_QUOTES = re.compile(
    r"[,{}()\[\]\"'=<>~!&|^#\\≤≥≠]|[^\S ]|^ | $|\b(?:in|is|not)\b"
    r"|\b(?i:and|or|xor|not|if|then|else|elif|elseif)\b"
)
_CONSTANT = re.compile(r"(?i:true|false)")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text: what it is, what it says, and where it stands."""

    kind: Kind
    text: str
    start: int
    end: int


def tokens_of(text: str, *, comments: bool = True) -> list[Token]:
    """The tokens of a text. Without `comments`, `#` is a letter as any other.

    A set in braces is one token: only commas and quotes mean anything in it.
    """
    return list(_tokens(text, comments))


def _tokens(text: str, comments: bool) -> Iterator[Token]:
    at = 0
    while match := _TOKEN.search(text, at):
        kind, at = match.lastgroup, match.end()
        if kind == "comment":
            if comments:
                continue
            word = _WORD_WITH_NUMBER_SIGN.match(text, match.start())
            assert word is not None
            at = word.end()
            yield Token("word", word[0], match.start(), at)
        else:
            yield Token(kind, match[0], match.start(), at)  # type: ignore[arg-type]


def is_closed(token: str) -> bool:
    """Whether a quoted token ends with the quote that it starts with."""
    return re.fullmatch(r"""(["'])(?:(?!\1)[^\\]|\\.)*+\1""", token, re.DOTALL) is not None


def quoted(text: str) -> str:
    """A name or value, in quotes where the grammar would read it otherwise.

    >>> quoted("head count"), quoted("a & b"), quoted("rock and roll")
    ('head count', '"a & b"', '"rock and roll"')
    """
    return text if text and not _NEEDS_QUOTES.search(text) else _in_quotes(text)


def quoted_name(name: str) -> str:
    """A feature's name as it is printed; `true` and `false` alone would be constants."""
    return _in_quotes(name) if _CONSTANT.fullmatch(name) else quoted(name)


def _in_quotes(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("\t", "\\t") + '"'


def unquoted(text: str) -> str:
    """The text that stands in quotes; a text without them is itself.

    >>> unquoted(quoted('a "b"')), unquoted("a")
    ('a "b"', 'a')
    """
    if text[:1] not in ("'", '"'):
        return text
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), text[1:-1])


def split_at(text: str, separator: str) -> Iterator[tuple[int, str]]:
    """The parts of a text between separators outside quotes and brackets, and where they start.

    >>> list(split_at('a | "b | c"', "|"))
    [(0, 'a '), (3, ' "b | c"')]
    """
    start = depth = 0
    for token in _tokens(text, comments=False):
        if token.kind != "sign":
            continue
        if token.text in "([{":
            depth += 1
        elif token.text in ")]}":
            depth -= 1
        elif token.text == separator and depth <= 0:
            yield start, text[start : token.start]
            start = token.end
    yield start, text[start:]
