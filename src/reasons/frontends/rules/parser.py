"""Rules as text: `if age > 25 then grant`, `else if ...`, `else refuse`."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reasons.errors import InputError, Option, ParseError
from reasons.features.grammar.condition_parser import parse_condition
from reasons.features.grammar.conditions import Condition
from reasons.features.grammar.numbers import number_of
from reasons.features.grammar.tokens import unquoted
from reasons.features.schema import Schema
from reasons.features.values import is_missing
from reasons.text import short_repr

Mode = Literal["list", "set"]
Conflict = Literal["first", "majority"]

_WORD = re.compile(
    r"""(?P<skip>"(?:[^"\\]|\\.)*"? | (?<![\w'])'(?:[^'\\]|\\.)*+'
        | \{(?:"(?:[^"\\]|\\.)*"|[^{}"])*\} | \#[^\n]*)
    | (?<![\w.-])(?P<word>else\s+if|elseif|elif|if|then|else)(?![\w.-])""",
    re.VERBOSE | re.IGNORECASE,
)
_LABEL = re.compile(
    r"""\s*(?::\s*)?(?P<label>"(?:[^"\\]|\\.)*"|[^\s"#&|~^!=<>(){},;:][^\n"#&|~^!=<>{};]*)"""
)
_REST = re.compile(r"(?:\s|\#[^\n]*)*")


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A label for where a condition holds, and where the condition stands."""

    condition: Condition
    label: Any
    text: str
    source: str
    at: int = 0  # of the condition in the text

    def error(self, problem: InputError, place: int = 0) -> ParseError:
        """An error at a place within the condition."""
        return ParseError.at(self.at + place, self.text, "{problem}", self.source, problem=problem)

    @property
    def place(self) -> str:
        """How errors name it."""
        line = self.text.count("\n", 0, self.at) + 1
        return self.source if self.source.startswith("rule ") else f"line {line}"


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Rules in order, and the label of what is left over, as a tuple of it, if there is one."""

    rules: tuple[Rule, ...]
    default: tuple[Any, ...] = ()


def parse_rules(
    text: str, source: str = "<rules>", mode: Mode = "list", schema: Schema | None = None
) -> Rules:
    """The rules of a text over known or unknown features; `ParseError` has line and column.

    >>> parse_rules("if a then yes else no").default
    ('no',)
    """
    text = text.removeprefix("\ufeff")
    words = [
        (re.sub(r"\s+", " ", match["word"].lower()), match.start(), match.end())
        for match in _WORD.finditer(text)
        if match["word"]
    ]
    return _Reader(text, source, words, mode, schema).rules()


class _Reader:
    """Keywords one after the other, and what stands between them."""

    def __init__(
        self,
        text: str,
        source: str,
        words: list[tuple[str, int, int]],
        mode: Mode,
        schema: Schema | None,
    ) -> None:
        self.text, self.source, self.words, self.mode = text, source, words, mode
        self.schema = schema
        self.next = 0

    def rules(self) -> Rules:
        self._require_nothing(0, self._start(0))
        found: list[Rule] = []
        default: tuple[Any, ...] = ()
        while self.next < len(self.words):
            word, start, end = self.words[self.next]
            if default:
                raise self._error(start, "nothing can follow the last 'else'")
            if word == "else":
                self.next += 1
                default = (self._label(end),)
            else:
                self._require_order(word, start, bool(found))
                found.append(self._rule(end))
        if not found and not default:
            raise self._error(0, "there is no rule: write `if CONDITION then LABEL`")
        return Rules(tuple(found), default)

    def _require_order(self, word: str, start: int, later: bool) -> None:
        if word == "then":
            raise self._error(start, "this 'then' has no 'if'")
        if self.mode == "list" and later and word == "if":
            raise self._error(
                start,
                "write 'else if', or say {option} for rules without order",
                option=Option("mode", "set"),
            )
        if (self.mode == "set" or not later) and word != "if":
            raise self._error(start, "write 'if': nothing comes before it, or rules have no order")

    def _rule(self, end: int) -> Rule:
        self.next += 1
        stop = self._start(self.next)
        part = self.text[end:stop]
        condition = condition_within(part, self.text, self.source, end, self.schema)
        if self.next == len(self.words) or self.words[self.next][0] != "then":
            raise self._error(stop, "a 'then' is missing before this")
        then_end = self.words[self.next][2]
        self.next += 1
        return Rule(condition, self._label(then_end), self.text, self.source, end)

    def _label(self, end: int) -> Any:
        """The label between a keyword and the next, after an optional colon."""
        stop = self._start(self.next)
        match = _LABEL.match(self.text, end, stop)
        if match is None:
            raise self._error(end, "a label is missing here; quote it if it has signs")
        self._require_nothing(match.end(), stop)
        return label_of(match["label"].strip())

    def _start(self, word: int) -> int:
        return self.words[word][1] if word < len(self.words) else len(self.text)

    def _require_nothing(self, start: int, stop: int) -> None:
        match = _REST.match(self.text, start, stop)
        rest = match.end() if match else start
        if rest < stop:
            raise self._error(rest, "expected 'if' or 'else' here; quote labels with signs")

    def _error(self, place: int, message: str, **data: Any) -> ParseError:
        return ParseError.at(place, self.text, message, self.source, **data)


def condition_within(
    part: str, text: str, source: str, at: int, schema: Schema | None
) -> Condition:
    """A condition that is a part of a text, and starts there."""
    try:
        return parse_condition(part, source, schema)
    except ParseError as error:
        lines = part.split("\n")[: (error.line or 1) - 1]
        place = at + sum(len(line) + 1 for line in lines) + (error.column or 1) - 1
        raise ParseError.at(place, text, error.message, source, **error.data) from None


def rules_of_pairs(pairs: Sequence[Any], schema: Schema | None = None) -> Rules:
    """The rules of pairs of a condition and a label."""
    found = []
    for number, pair in enumerate(pairs, 1):
        source = f"rule {number}"
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise InputError(
                f"{source}: {short_repr(pair)} is not a pair of a condition and a label"
            )
        text, label = pair
        if not isinstance(text, str):
            raise InputError(f"{source}: a condition is a text, not {short_repr(text)}")
        found.append(Rule(parse_condition(text, source, schema), label, text, source))
    return Rules(tuple(found))


def pairs_of_frame(frame: Any) -> list[tuple[str, Any]]:
    """A rule a row: the last column is the label, the others are conditions that all hold."""
    names = list(frame.columns)
    if len(names) < 2:
        raise InputError("a frame of rules has a column of conditions and a last one of labels")
    *parts, labels = (list(frame[name]) for name in names)
    pairs = []
    for number, row in enumerate(zip(*parts, strict=True)):
        texts = [each for each in row if not is_missing(each) and each != ""]
        if odd := [each for each in texts if not isinstance(each, str)]:
            raise InputError(f"rule {number + 1}: a condition is a text, not {short_repr(odd[0])}")
        joined = " & ".join(f"({text})" for text in texts) if len(texts) > 1 else "".join(texts)
        pairs.append((joined or "true", labels[number]))
    return pairs


def label_of(text: str) -> Any:
    """A label as it is written: a number, a truth, or a text."""
    if text.startswith('"'):
        return unquoted(text)
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    number = int(text) if text.lstrip("+-").isdecimal() else number_of(text)
    return text if number is None or abs(number) == math.inf else number
