"""Tokens of network files: words, quoted texts and signs, with their positions."""

import re
from collections.abc import Container
from dataclasses import dataclass
from typing import NoReturn

from reasons.errors import ParseError

COMMENTS = r"//[^\n]*|/\*.*?\*/"
PERCENT = r"%[^\n]*"
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_TOKEN = r"""(?P<quoted>"[^"]*")|(?P<sign>[{}()\[\]|;,=])|(?P<word>[^\s{}()\[\]|;,="/%]+)|\s+"""
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a sign such as `{`, or a quoted text without its quotes; "" is the end."""

    text: str
    start: int
    quoted: bool = False


class Tokens:
    """A text, token by token. Errors carry the source, the line and the column."""

    def __init__(self, text: str, source: str, comments: str) -> None:
        self.text, self.source = text, source
        self._match = re.compile(rf"(?s:{comments})|{_TOKEN}").match
        self._at, self._counted = 0, (0, 1)
        self.now = self._read()

    def _read(self) -> Token:
        while self._at < len(self.text):
            match = self._match(self.text, self._at)
            if match is None:
                self.complain_at(
                    self._at,
                    f"unexpected {self.text[self._at]!r}; a name with it must be in quotes",
                )
            start, self._at = self._at, match.end()
            if match.lastgroup == "quoted":
                return Token(match[0][1:-1], start, quoted=True)
            if match.lastgroup in ("word", "sign"):
                return Token(match[0], start)
        return Token("", self._at)

    def next(self) -> Token:
        """The current token; the next one becomes current."""
        token, self.now = self.now, self._read()
        return token

    def is_now(self, *texts: str) -> bool:
        """Whether the current token is one of these words or signs."""
        return not self.now.quoted and self.now.text in texts

    def skip(self, *texts: str) -> bool:
        """Whether the current token is one of these; if so, go on to the next."""
        is_met = self.is_now(*texts)
        if is_met:
            self.next()
        return is_met

    def expect(self, text: str) -> None:
        """Go past this token, or raise `ParseError`."""
        if not self.skip(text):
            self.complain(f"expected {text!r}")

    def name(self, what: str) -> str:
        """A word or a quoted text."""
        if not self.now.quoted and self.now.text in ("", *"{}()[]|;,="):
            self.complain(f"expected {what}")
        return self.next().text

    def one_of(self, known: Container[str], what: str) -> str:
        """A word or a quoted text that is known."""
        if self.now.text not in known:
            self.complain(f"expected {what}")
        return self.next().text

    def number(self) -> float:
        """A number that is not quoted."""
        if self.now.quoted or not NUMBER.fullmatch(self.now.text):
            self.complain("expected a number")
        return float(self.next().text)

    def whole(self, least: int = 0, most: int = 999_999_999) -> int:
        """A whole number that is not quoted, within bounds."""
        if self.now.quoted or not _WHOLE.fullmatch(self.now.text):
            self.complain("expected a whole number")
        if not least <= int(self.now.text) <= most:
            self.complain(f"expected a whole number from {least} to {most:,}")
        return int(self.next().text)

    def end(self, where: str = "") -> None:
        """Raise `ParseError` unless everything was read."""
        if self.now.text:
            self.complain(f"expected the end{where}")

    def numbers(self) -> list[float]:
        """Numbers up to the next sign other than a comma."""
        numbers = []
        while not self.is_now("", *"{}()[]|;="):
            numbers.append(self.number())
            self.skip(",")
        return numbers

    def skip_statement(self) -> None:
        """Skip everything up to the next `;` outside brackets."""
        depth = 0
        while not (depth == 0 and self.is_now(";")):
            if self.is_now("") and not self.now.quoted:
                self.complain("expected ';'")
            depth += self.is_now("{", "(") - self.is_now("}", ")")
            if depth < 0:
                self.complain("expected ';'")
            self.next()
        self.next()

    def fields(self) -> dict[str, list[str]]:
        """Names and values in braces, also inner ones; a value is the list of its words."""
        values: dict[str, list[str]] = {}
        self.expect("{")
        depth = 1
        while depth:
            if self.skip("}"):
                depth -= 1
                if depth:
                    self.expect(";")
                continue
            name = self.name("a field")
            self.expect("=")
            if self.skip("{"):
                depth += 1
            else:
                values[name] = self._words()
        return values

    def _words(self) -> list[str]:
        words: list[str] = []
        while not self.skip(";"):
            if self.is_now("", "{", "}", "=") and not self.now.quoted:
                self.complain("expected ';'")
            token = self.next()
            if token.quoted or token.text not in "()[],|":
                words.append(token.text)
        return words

    @property
    def line(self) -> int:
        """The line of the current token."""
        return self._line_at(self.now.start)

    def _line_at(self, at: int) -> int:
        """The line of a position, counted from the last one that was requested."""
        known, line = self._counted if self._counted[0] <= at else (0, 1)
        line += self.text.count("\n", known, at)
        self._counted = (at, line)
        return line

    def fail(self, message: str) -> NoReturn:
        """Raise `ParseError` at the current token, without showing it."""
        self.complain_at(self.now.start, message)

    def complain(self, message: str) -> NoReturn:
        """Raise `ParseError` that shows the current token."""
        met = repr(self.now.text[:40]) if self.now.text or self.now.quoted else "the end"
        self.complain_at(self.now.start, f"{message}, not {met}")

    def complain_at(self, at: int, message: str) -> NoReturn:
        """Raise `ParseError` at a position in the text."""
        start = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        excerpt = self.text[start : end if end >= 0 else len(self.text)]
        raise ParseError(
            message,
            source=self.source,
            line=self._line_at(at),
            column=at - start + 1,
            excerpt="".join(c if c.isprintable() else " " for c in excerpt),
        )
