"""What can go wrong, as one small tree.

ReasonsError
├── InputError            the caller gave something that cannot be used
│   ├── ParseError        a text or file that does not follow its grammar
│   ├── UnknownFeature    a name that is not a feature
│   └── UnsupportedModel  a model we do not compile, with what to do instead
├── PropertyError         a circuit lacks a property the question needs
└── BudgetExceeded        a limit was reached; never an answer

FormatWarning             a file is odd, and was read all the same
CompilerWarning           another program's circuit was not used, or not wholly proved
"""

from collections.abc import Iterable
from typing import Self

from reasons.text import closest, comma_list


class ReasonsError(Exception):
    """The root of every error this package raises on purpose."""


class InputError(ReasonsError, ValueError):
    """The caller gave something that cannot be used; the message says what and where."""


class ParseError(InputError):
    """A text that does not follow its grammar, with the place where it stops doing so.

    Line and column count from 1; None where the format has no lines. `excerpt`
    is the offending line, for the caret drawn under it.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str = "<text>",
        line: int | None = None,
        column: int | None = None,
        excerpt: str | None = None,
    ) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        self.excerpt = excerpt
        super().__init__(message)

    @classmethod
    def at(cls, place: int, text: str, message: str, source: str = "<text>") -> Self:
        """The error at a position in a text."""
        start = text.rfind("\n", 0, place) + 1
        end = text.find("\n", place)
        return cls(
            message,
            source=source,
            line=text.count("\n", 0, place) + 1,
            column=place - start + 1,
            excerpt=text[start : end if end >= 0 else None].rstrip("\r"),
        )

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part)
        text = f"{place}: {self.message}"
        if self.excerpt is None or self.column is None:
            return text
        shown, caret = _window(self.excerpt, self.column - 1)
        return f"{text}\n  {shown}\n  {' ' * caret}^"

    def __reduce__(self) -> tuple[object, ...]:
        return (_parse_error, (self.message, self.source, self.line, self.column, self.excerpt))


class FormatWarning(UserWarning):
    """A file that breaks the rules of its format in a way that leaves no doubt what it means."""


class CompilerWarning(UserWarning):
    """Another program's circuit was not used, and why; or what about it could not be proved."""


class UnknownFeature(InputError):
    """A name that is not a feature; the message lists the ones that exist."""

    def __init__(self, name: object, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(name, self.known)

    def __str__(self) -> str:
        close = closest(self.name, self.known)
        hint = "." if close is None else f"; did you mean {close!r}?"
        return f"there is no feature {self.name!r}{hint} The features are: {comma_list(self.known)}"


class UnsupportedModel(InputError):
    """A model that is not compiled here; the message says what to do instead."""


class PropertyError(ReasonsError):
    """A circuit or model lacks a property that the question needs."""


class BudgetExceeded(ReasonsError):
    """A limit was reached before the answer; `spent` says on what.

    >>> raise BudgetExceeded("sufficient reasons", terms=1_000_000)
    Traceback (most recent call last):
    ...
    reasons.errors.BudgetExceeded: budget exceeded in sufficient reasons: terms 1,000,000
    """

    def __init__(self, stage: str, **spent: float) -> None:
        self.stage, self.spent = stage, spent
        super().__init__(stage, spent)

    def __str__(self) -> str:
        spent = ", ".join(f"{what} {_short(amount)}" for what, amount in self.spent.items())
        return f"budget exceeded in {self.stage}: {spent}"

    def __reduce__(self) -> tuple[object, ...]:
        return (_budget_exceeded, (self.stage, self.spent))


def _short(amount: float) -> str:
    return f"{amount:,}" if isinstance(amount, int) else f"{amount:,.4g}"


def _window(text: str, at: int, width: int = 70) -> tuple[str, int]:
    """The part of a long line around a position, and the position in that part."""
    start = max(0, min(at - width // 2, len(text) - width))
    cut = text[start : start + width]
    head = "..." if start else ""
    tail = "..." if start + width < len(text) else ""
    return f"{head}{cut}{tail}", at - start + len(head)


def _parse_error(
    message: str, source: str, line: int | None, column: int | None, excerpt: str | None
) -> ParseError:
    return ParseError(message, source=source, line=line, column=column, excerpt=excerpt)


def _budget_exceeded(stage: str, spent: dict[str, float]) -> BudgetExceeded:
    return BudgetExceeded(stage, **spent)
