"""The errors of the package, as one small tree.

ReasonsError
├── InputError            an argument, text or file that cannot be used
│   ├── ParseError        a text or file that does not follow its grammar
│   ├── UnknownFeature    a name that is not a feature
│   └── UnsupportedModel  a model that cannot be compiled, and what to do instead
├── PropertyError         a circuit lacks a property that the query needs
└── BudgetExceeded        a limit was reached; never an answer

FormatWarning             a file breaks its format, but its meaning is clear
CompilerWarning           another program's circuit was not used, or not wholly proved

Errors carry data. A message is a template whose fields are the keywords beside it. The caller that
shows an error chooses how options are spelled: Python writes `limit=`, the shell `--limit`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

from reasons.text import closest, comma_list, did_you_mean, short_repr


class _Absent(Enum):
    """No value; a member of an enumeration is the same object after pickling."""

    VALUE = "absent"


_ABSENT: Any = _Absent.VALUE


@dataclass(frozen=True, slots=True)
class Option:
    """An argument that a message names, with the value that it has or should have.

    `text` is the text of a value, such as "[...]"; `value` is shown by its repr.
    """

    name: str
    value: Any = _ABSENT
    text: str = ""

    @property
    def written(self) -> str:
        """The text of the value; empty if the message names none."""
        return self.text if self.value is _ABSENT else short_repr(self.value)


Spelling = Callable[[Option], str]


def python_spelling(option: Option) -> str:
    """An option as Python writes it.

    >>> python_spelling(Option("limit", -1)), python_spelling(Option("keep"))
    ('limit=-1', 'keep=')
    """
    return f"{option.name}={option.written}"


class ReasonsError(Exception):
    """The root of all errors that this package raises on purpose.

    With `data`, `message` is a template, and the texts of users are in `data` only. Values are
    shown by their repr, cut short. `worded` spells an `Option`, also in a nested error.

    >>> error = InputError("{option} must be positive, not {value}", option="limit", value=-1)
    >>> print(error, "|", error.worded(lambda option: f"--{option.name}"))
    limit= must be positive, not -1 | --limit must be positive, not -1
    >>> error.option, error.value
    ('limit', -1)
    """

    def __init__(self, message: str = "", **data: Any) -> None:
        super().__init__(message)
        self.message, self.data = message, data

    option = property(lambda self: self.data.get("option"), doc="The argument at fault, or None.")
    feature = property(lambda self: self.data.get("feature"), doc="The feature it is about.")
    value = property(lambda self: self.data.get("value"), doc="The value that cannot be used.")
    file = property(lambda self: self.data.get("file"), doc="The file that has the error, or None.")

    def worded(self, spelling: Spelling = python_spelling) -> str:
        """The message, with options spelled as the caller chooses."""
        if not self.data:
            return self.message
        return self.message.format_map(
            {name: _field(name, value, spelling) for name, value in self.data.items()}
        )

    def __str__(self) -> str:
        return self.worded()

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuilt, (type(self), self.args, vars(self)))


def _field(name: str, value: Any, spelling: Spelling) -> str:
    """The text of a field of a message."""
    if isinstance(value, Option):
        return spelling(value)
    if isinstance(value, ReasonsError):
        return value.worded(spelling)
    if name == "option":
        return spelling(Option(value))
    if name in ("value", "feature"):
        return short_repr(value)
    if isinstance(value, list | tuple | dict | set | frozenset):
        return comma_list(spelling(each) if isinstance(each, Option) else each for each in value)
    text = str(value)
    return text if len(text) <= _MOST else f"{text[:_MOST]}..."


_MOST = 400  # characters of one field


class InputError(ReasonsError, ValueError):
    """An argument, text or file that cannot be used; the message says what and where."""


def require_options(source: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise `InputError` for options that a source does not take; it suggests the nearest ones.

    >>> require_options("a formula", ["constrain"], ["features", "constraint"])
    Traceback (most recent call last):
    ...
    reasons.errors.InputError: a formula takes no constrain= (did you mean 'constraint'?), but \
features=, constraint=
    """
    takes = list(known)
    unknown = sorted(set(names) - set(takes))
    if unknown:
        raise InputError(
            "{source} takes no {unknown}{hint}, but {known}",
            source=source,
            unknown=[Option(name) for name in unknown],
            hint=did_you_mean(unknown, takes),
            known=[Option(name) for name in takes],
        )


class ParseError(InputError):
    """A text that does not follow its grammar, and the place of the error.

    Line and column are counted from 1; None if the format has no lines. `excerpt` is the line,
    for the caret under it.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str = "<text>",
        line: int | None = None,
        column: int | None = None,
        excerpt: str | None = None,
        **data: Any,
    ) -> None:
        super().__init__(message, **data)
        self.source, self.line, self.column, self.excerpt = source, line, column, excerpt

    @classmethod
    def at(cls, place: int, text: str, message: str, source: str = "<text>", **data: Any) -> Self:
        """The error at a position in a text."""
        start = text.rfind("\n", 0, place) + 1
        end = text.find("\n", place)
        return cls(
            message,
            source=source,
            line=text.count("\n", 0, place) + 1,
            column=place - start + 1,
            excerpt=text[start : end if end >= 0 else None].rstrip("\r"),
            **data,
        )

    def worded(self, spelling: Spelling = python_spelling) -> str:
        """The message after its place, and the line with a caret under it."""
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part)
        text = f"{place}: {super().worded(spelling)}"
        if self.excerpt is None or self.column is None:
            return text
        shown, caret = _window(self.excerpt, self.column - 1)
        return f"{text}\n  {shown}\n  {' ' * caret}^"


class FormatWarning(UserWarning):
    """A file that breaks the rules of its format, but whose meaning is clear."""


class CompilerWarning(UserWarning):
    """Why the circuit of another program was not used, or what could not be proved of it."""


class UnknownFeature(InputError):
    """A name that is not a feature; the message lists the ones that exist."""

    def __init__(self, name: object, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__()
        self.data = {"feature": name}

    def worded(self, spelling: Spelling = python_spelling) -> str:
        """The unknown name, the nearest known one, and all known ones."""
        close = closest(self.name, self.known)
        hint = "." if close is None else f"; did you mean {close!r}?"
        known = comma_list(self.known)
        return f"there is no feature {short_repr(self.name)}{hint} The features are: {known}"


class UnsupportedModel(InputError):
    """A model that cannot be compiled; the message says what to do instead."""


class PropertyError(ReasonsError):
    """A circuit or model lacks a property that the query needs."""


class BudgetExceeded(ReasonsError):
    """A limit was reached before the answer; `spent` has the amounts.

    >>> raise BudgetExceeded("sufficient reasons", terms=1_000_000)
    Traceback (most recent call last):
    ...
    reasons.errors.BudgetExceeded: budget exceeded in sufficient reasons: terms 1,000,000
    """

    def __init__(self, stage: str, **spent: float) -> None:
        super().__init__()
        self.stage, self.spent = stage, spent

    def worded(self, spelling: Spelling = python_spelling) -> str:
        """The stage that was interrupted, and the amounts spent."""
        spent = ", ".join(f"{what} {_short(amount)}" for what, amount in self.spent.items())
        return f"budget exceeded in {self.stage}: {spent}"


def _short(amount: float) -> str:
    return f"{amount:,}" if isinstance(amount, int) else f"{amount:,.4g}"


def _window(text: str, at: int, width: int = 70) -> tuple[str, int]:
    """The part of a long line around a position, and the position in that part."""
    start = max(0, min(at - width // 2, len(text) - width))
    cut = text[start : start + width]
    head = "..." if start else ""
    tail = "..." if start + width < len(text) else ""
    return f"{head}{cut}{tail}", at - start + len(head)


def _rebuilt(
    kind: type[ReasonsError], arguments: tuple[object, ...], fields: dict[str, Any]
) -> ReasonsError:
    """A pickled error, without a call of its constructor."""
    error = kind.__new__(kind, *arguments)
    vars(error).update(fields)
    return error
