"""The grammar of one characteristic: `name`, `name = value`, `1 < name <= 2`, `name in {a, b}`.

Names and values are runs of words, or stand in quotes. Where the features are known, one that the
tokens do not spell (`sepal length (cm)`, `R&D`) is looked for as it stands in the text.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from reasons.errors import InputError, ParseError, UnknownFeature
from reasons.features.grammar.conditions import Characteristic, Comparison, Range, Value
from reasons.features.grammar.numbers import interval_of, number_of
from reasons.features.grammar.tokens import Token, is_closed, split_at, tokens_of, unquoted
from reasons.features.schema import Schema
from reasons.features.values import MISSING, OTHER, Special

JOINING = {"and": "&", "or": "|", "xor": "^"}

_INTERVAL = re.compile(r"[(\[][^()\[\]]*+[)\]]")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SAME = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}
_SPECIALS = {"<missing>": MISSING, "<other>": OTHER}
_JOINERS = "\u200c\u200d"  # between letters of some scripts
_HINTS = {
    "+": "; write '|' for 'or'",
    "*": "; write '&' for 'and'",
    "-": "; write '~' for negation, or put a name that starts with '-' in quotes",
}


class CharacteristicParser:
    """The tokens of a text, and the place among them."""

    def __init__(self, text: str, source: str, schema: Schema | None, *, is_term: bool) -> None:
        if text.startswith("\ufeff"):
            text = f" {text[1:]}"
        self.text, self.source, self.schema, self.is_term = text, source, schema, is_term
        self.tokens = tokens_of(text, comments=not is_term)
        self.next = 0

    def peek(self, ahead: int = 0) -> Token | None:
        """A token that comes, if there is one."""
        at = self.next + ahead
        return self.tokens[at] if at < len(self.tokens) else None

    def characteristic(self) -> Characteristic:
        """The characteristic that begins here."""
        start = self.tokens[self.next]
        chained = self._left_bound(start)
        name = self._name(is_compared=bool(chained))
        operator = self._operator()
        members: Sequence[Value | Range] = ()
        if operator in _FLIPPED or chained:
            right = [self._comparison(operator, start)] if operator else []
            operator, members = "in", [Range((*chained, *right))]
        elif operator in ("in", "not in"):
            members = self._members(start)
        elif operator:
            members = [self._value(name, operator)]
        text = self.text[start.start : self.tokens[self.next - 1].end]
        return Characteristic(name, operator, tuple(members), text, start.start)

    def _left_bound(self, token: Token) -> tuple[Comparison, ...]:
        """The comparison `18 <` before a name, turned round, if there is one here."""
        number = number_of(token.text) if token.kind == "word" else None
        sign, after = self.peek(1), self.peek(2)
        if number is None or sign is None or after is None or after.kind not in ("word", "quoted"):
            return ()
        flipped = _FLIPPED.get(_SAME.get(sign.text, sign.text))
        if flipped is None or (after.kind == "word" and number_of(after.text) is not None):
            return ()
        if self.schema is not None and self.schema.knows(token.text):
            return ()
        self.next += 2
        return ((flipped, number),)

    def _operator(self) -> str:
        """The operator that follows a name; nothing where a Boolean one stands by itself."""
        token, after = self.peek(), self.peek(1)
        found = None if token is None else operator_of(token)
        if found is None or (found == "not" and (after is None or after.text != "in")):
            return ""
        if found == "not":
            found = "not in"
        elif found == "is" and after is not None and after.kind == "word" and after.text == "not":
            found = "is not"
        self.next += 1 + (" " in found)
        return found

    def _comparison(self, operator: str, start: Token) -> Comparison:
        """The comparison with the number that follows an operator."""
        if operator not in _FLIPPED:
            raise self.at(f"`{operator}` cannot follow a comparison", self.tokens[self.next - 1])
        token, last = self.peek(), self.tokens[self.next - 1]
        if token is None or token.kind == "sign":
            raise self.at(f"{short(last)} has nothing on its right", last)
        self.next += 1
        return operator, self._number(token.text, start)

    def _number(self, text: str, start: Token) -> float:
        number = number_of(text.strip())
        if number is None:
            raise self.at(f"cannot read {_cut(text.strip())} as a number", start)
        return number

    def _name(self, *, is_compared: bool) -> str:
        token = self.tokens[self.next]
        if token.kind == "quoted":
            return self._quoted_name(token)
        if token.kind != "word":
            raise self.at(f"unexpected {short(token)}; a feature's name belongs here", token)
        run = self._run(lambda each: operator_of(each) is not None)
        name = self.text[run[0].start : run[-1].end]
        if self.schema is None:
            self._require_plain(run, is_compared)
        elif not self.schema.knows(name):
            literal = self._literal(token, self.schema.names)
            if literal is None:
                raise self._unknown(name, run, self.schema)
            return literal
        self.next += len(run)
        return name

    def _quoted_name(self, token: Token) -> str:
        name = self._unquoted(token)
        if not name:
            raise self.at("a name cannot be empty", token)
        if self.schema is not None and not self.schema.knows(name):
            raise self._unknown(name, [token], self.schema)
        self.next += 1
        return name

    def _run(self, stops: Callable[[Token], bool]) -> list[Token]:
        """Words that stand beside each other; the first one is taken whatever it is."""
        run = [self.tokens[self.next]]
        at = self.next + 1
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind != "word" or stops(token) or keyword(token) in JOINING:
                break
            run.append(token)
            at += 1
        return run

    def _literal(self, token: Token, known: Iterable[str]) -> str | None:
        """The longest known text that stands here as it is, between two tokens."""
        here = [text for text in known if text and self.text.startswith(text, token.start)]
        for text in sorted(here, key=len, reverse=True):
            end = token.start + len(text)
            at = self.next
            while at < len(self.tokens) and self.tokens[at].start < end:
                at += 1
            if self.tokens[at - 1].end <= end:
                self.next = at
                return text
        return None

    def _require_plain(self, run: Sequence[Token], is_compared: bool) -> None:
        """Raise unless words can be a name where no features are known."""
        after = self.peek(len(run))
        is_compared |= after is not None and operator_of(after) is not None
        if len(run) > 1 and not is_compared:
            raise self.at(
                f"an operator is missing before {short(run[1])}; quote names with spaces", run[1]
            )
        for token in run:
            for at, letter in enumerate(token.text):
                fine = letter in "_.-" + _JOINERS or unicodedata.category(letter)[0] in "LMN"
                if not fine or (at == 0 and letter == "-"):
                    hint = _HINTS.get(letter, "; quote names with it")
                    raise self.error(f"unexpected character {letter!r}{hint}", token.start + at)

    def _unknown(self, name: str, run: Sequence[Token], schema: Schema) -> InputError:
        """The error about an unknown name, or a missing operator between two names."""
        error = UnknownFeature(name, schema.names)
        if self.is_term:
            return error
        for at in range(len(run) - 1, 0, -1):
            if schema.knows(self.text[run[0].start : run[at - 1].end]):
                return self.at(f"an operator is missing before {short(run[at])}", run[at])
        return self.at(str(error), run[0])

    def _value(self, name: str, operator: str) -> Value:
        token, last = self.peek(), self.tokens[self.next - 1]
        if token is None:
            raise self.at(f"{short(last)} has nothing on its right", last)
        if token.kind == "quoted":
            self.next += 1
            return Value(self._unquoted(token), quoted=True)
        run = self._run(lambda _: False) if token.kind in ("word", "special") else []
        run = run[:1] if token.kind == "special" else run
        text = self.text[run[0].start : run[-1].end] if run else ""
        known = self._texts(name)
        if text not in known and (literal := self._literal(token, known)) is not None:
            return Value(literal)
        if not run:
            raise self.at(f"a value is missing before {short(token)}", token)
        self.next += len(run)
        if operator.startswith("is") and text in ("missing", "other"):
            return Value(text, special=_SPECIALS[f"<{text}>"])
        return Value(text, special=_SPECIALS.get(text))

    def _texts(self, name: str) -> list[str]:
        """The values of a feature as texts, where the features are known."""
        if self.schema is None:
            return []
        feature = self.schema[self.schema.index(name)]
        known = () if feature.kind == "numeric" else feature.values
        return [str(value) for value in known if not isinstance(value, Special)]

    def _members(self, start: Token) -> list[Value | Range]:
        """What follows `in`: the members of a set, or an interval."""
        token = self.peek()
        if token is not None and token.kind == "set":
            self.next += 1
            return [self._member(part, start) for _, part in split_at(token.text[1:-1], ",")]
        match = None if token is None else _INTERVAL.match(self.text, token.start)
        if token is None or match is None:
            shown = "" if token is None else token.text
            raise self.at(f"write a set {{{shown}}} or an interval after `in`", start)
        while self.next < len(self.tokens) and self.tokens[self.next].start < match.end():
            self.next += 1
        return [self._interval(match[0], start)]

    def _member(self, text: str, start: Token) -> Value | Range:
        text = text.strip()
        if not text:
            raise self.at("a value is missing in the set", start)
        if text[0] in "([":
            return self._interval(text, start)
        if text[0] in "'\"":
            if not is_closed(text):
                raise self.at(f"this quote is never closed with {text[0]}", start)
            return Value(unquoted(text), quoted=True)
        return Value(text, special=_SPECIALS.get(text))

    def _interval(self, text: str, start: Token) -> Range:
        found = interval_of(text)
        if found is None:
            raise self.at(f"{_cut(text)} is not an interval; write (25, 40] for instance", start)
        (_, low), (_, high) = found.compared
        if not low <= high:
            raise self.at(f"the interval {text} is empty", start)
        return found

    def _unquoted(self, token: Token) -> str:
        if not is_closed(token.text):
            raise self.at(f"this quote is never closed with {token.text[0]}", token)
        return unquoted(token.text)

    def at(self, message: str, token: Token) -> ParseError:
        """The error at a token."""
        return self.error(message, token.start)

    def error(self, message: str, place: int) -> ParseError:
        """The error at a place in the text."""
        return ParseError.at(place, self.text, message, self.source)


def keyword(token: Token) -> str:
    """A word as keywords are written: all small, all large, or with a large first letter."""
    text = token.text
    return text.lower() if text in (text.lower(), text.upper(), text.capitalize()) else text


def operator_of(token: Token) -> str | None:
    """The operator after a name that a token starts, if it does."""
    if token.kind == "sign":
        sign = _SAME.get(token.text, token.text)
        return sign if sign in ("=", "!=", *_FLIPPED) else None
    return token.text if token.kind == "word" and token.text in ("in", "is", "not") else None


def short(token: Token) -> str:
    """A token as an error shows it."""
    return _cut(token.text)


def _cut(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
