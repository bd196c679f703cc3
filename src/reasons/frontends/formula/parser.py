"""Formula text to gates: one regular expression splits, two stacks combine.

An edge is a gate's number times two, plus one where it is negated. With that,
negation is free, `|` `->` `<->` are `&` and `^` with negated edges, and two
kinds of gates remain. Rejected: recursive descent, which dies at depth 1,000,
and a match object per token, which adds a sixth to the time (measured); the
place of a token is only found again when there is an error to point at.
"""

import re
import unicodedata
from collections.abc import Mapping
from itertools import islice

from reasons.errors import ParseError
from reasons.features.grammar.tokens import is_closed, unquoted
from reasons.frontends.formula.gates import CONSTANT, FALSE, TRUE, VARIABLE, XOR, Formula, Gates

# A letter of a name is what is neither space nor ASCII punctuation; whether a
# character beyond ASCII belongs to a script is checked once per name, not here.
_LETTER = r"[^\x00-\x2d\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f\s]"
_TOKEN = re.compile(
    rf"""{_LETTER}++(?:-(?!>){_LETTER}*+)*+
    | <->|<=>|->|=>|&&?|\|\|?|[()~!^]
    | "(?:[^"\\]|\\.)*+"? | '(?:[^'\\]|\\.)*+'?
    | \#[^\n]*
    | \S""",
    re.VERBOSE | re.DOTALL,
)
_JOINERS = "\u200c\u200d"

# What a token means: an edge (0 or more), or one of these. The binary operators
# are ordered: the greater binds the tighter.
_AND, _XOR, _OR, _IMPLIES, _IFF, _OPEN, _CLOSE, _NOT, _COMMENT = range(-1, -10, -1)
_SYMBOLS = {
    **dict.fromkeys(("&", "&&"), _AND),
    "^": _XOR,
    **dict.fromkeys(("|", "||"), _OR),
    **dict.fromkeys(("->", "=>"), _IMPLIES),
    **dict.fromkeys(("<->", "<=>"), _IFF),
    **dict.fromkeys(("~", "!"), _NOT),
    "(": _OPEN,
    ")": _CLOSE,
    "0": FALSE,
    "1": TRUE,
}
_WORDS = {"and": _AND, "or": _OR, "xor": _XOR, "not": _NOT, "true": TRUE, "false": FALSE}
_MEANINGS = _SYMBOLS | {
    spelled: code
    for word, code in _WORDS.items()
    for spelled in (word, word.upper(), word.capitalize())
}
_HINTS = {
    "-": "; write '~' for negation, or put a name that starts with '-' in quotes",
    "=": "; write '<->' for 'is equivalent to'",
    "<": "; write '->' or '<->'",
    ">": "; write '->' or '<->'",
    "+": "; write '|' for 'or'",
    "*": "; write '&' for 'and'",
    ",": "; write '&' for 'and'",
}


def parse(text: str, source: str = "<formula>") -> Formula:
    """The gates of a formula text, with its names in order of first appearance.

    Tightest first: `~ ! not`, `& && and`, `^ xor`, `| || or`, `-> =>` (which
    groups to the right), `<-> <=>`; constants `0 1 true false`; `#` starts a
    comment. A name is letters, digits, `_`, `.` and `-` of any script, or
    anything in quotes. Raises `ParseError` with line and column.
    Cost: linear in the text, at any depth.

    >>> parse("rich -> ~'high GPA'").names
    ('rich', 'high GPA')
    """
    return _Parser(text, source).formula()


def evaluate(formula: Formula, assignment: Mapping[str, bool]) -> bool:
    """The value of a formula where every name has the given value.

    Cost: linear in the gates.

    >>> evaluate(parse("a ^ b"), {"a": True, "b": False})
    True
    """
    values: list[bool] = []
    for kind, inputs in zip(formula.kinds, formula.inputs, strict=True):
        if kind == CONSTANT:
            values.append(False)
        elif kind == VARIABLE:
            values.append(bool(assignment[formula.names[inputs[0]]]))
        else:
            bits = [values[edge >> 1] ^ bool(edge & 1) for edge in inputs]
            values.append(sum(bits) % 2 == 1 if kind == XOR else all(bits))
    return values[formula.root >> 1] ^ bool(formula.root & 1)


class _Parser:
    """The two stacks of one parse, and what its tokens mean so far."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text.removeprefix("\ufeff"), source
        self.tokens: list[str] = _TOKEN.findall(self.text)
        self.meanings = dict(_MEANINGS)
        self.names: dict[str, int] = {}
        self.gates = Gates()
        self.values: list[int] = []
        self.operators = [_OPEN]

    def formula(self) -> Formula:
        """The whole text as one formula."""
        values, operators, meanings = self.values, self.operators, self.meanings
        opened: list[tuple[int, int]] = []
        negated, operand_next = 0, True
        for at, token in enumerate(self.tokens):
            code = meanings.get(token)
            if code is None:
                code = self._new_meaning(token, at)
            if code >= 0:
                if not operand_next:
                    raise self._missing_operator(at)
                values.append(code ^ negated)
                negated, operand_next = 0, False
            elif code > _OPEN:
                if operand_next:
                    raise self._missing_operand(at)
                while operators[-1] > code:
                    self._combine()
                operators.append(code)
                operand_next = True
            elif code == _CLOSE:
                if operand_next or not opened:
                    raise self._bad_close(at, bool(opened))
                while operators[-1] != _OPEN:
                    self._combine()
                operators.pop()
                values[-1] ^= opened.pop()[1]
            elif code != _COMMENT:
                if not operand_next:
                    raise self._missing_operator(at)
                if code == _NOT:
                    negated ^= 1
                else:
                    operators.append(_OPEN)
                    opened.append((at, negated))
                    negated = 0
        if operand_next or opened:
            raise self._bad_end(opened[-1][0] if opened else None, operand_next)
        while len(operators) > 1:
            self._combine()
        return self.gates.formula(tuple(self.names), values[0])

    def _combine(self) -> None:
        """Replace the operands of the topmost run of one operator by its gate."""
        operators, values = self.operators, self.values
        operator, count = operators.pop(), 2
        while operators[-1] == operator:
            operators.pop()
            count += 1
        edges = values[-count:]
        del values[-count:]
        if operator == _AND:
            values.append(self.gates.conjunction(edges))
        elif operator == _OR:
            values.append(self.gates.conjunction([edge ^ 1 for edge in edges]) ^ 1)
        elif operator == _IMPLIES:
            edges[-1] ^= 1
            values.append(self.gates.conjunction(edges) ^ 1)
        else:
            flips = count - 1 if operator == _IFF else 0
            values.append(self.gates.parity(edges) ^ (flips & 1))

    def _new_meaning(self, token: str, at: int) -> int:
        """What a token seen for the first time means: a name, or a comment."""
        if token[0] == "#":
            return _COMMENT
        name = self._unquoted(token, at) if token[0] in "'\"" else self._checked(token, at)
        if name not in self.names:
            self.names[name] = self.gates.variable(len(self.names))
        self.meanings[token] = self.names[name]
        return self.names[name]

    def _unquoted(self, token: str, at: int) -> str:
        if not is_closed(token):
            raise self._error(f"this quote is never closed with {token[0]}", at)
        if len(token) == 2:
            raise self._error("a name cannot be empty", at)
        return unquoted(token)

    def _checked(self, token: str, at: int) -> str:
        """The token, if every character of it may stand in a name."""
        if len(token) == 1 and token.isascii() and not (token.isalnum() or token in "_."):
            raise self._error(f"unexpected character {token!r}{_HINTS.get(token, '')}", at)
        for skip, letter in enumerate("" if token.isascii() else token):
            if unicodedata.category(letter)[0] not in "LMN" and letter not in "_.-" + _JOINERS:
                raise self._error(f"unexpected character {letter!r}; quote names with it", at, skip)
        return token

    def _missing_operator(self, at: int) -> ParseError:
        return self._error(f"an operator is missing before {_short(self.tokens[at])}", at)

    def _missing_operand(self, at: int) -> ParseError:
        return self._error(f"{_short(self.tokens[at])} has nothing on its left", at)

    def _bad_close(self, at: int, is_opened: bool) -> ParseError:
        if not is_opened:
            return self._error("this ')' closes nothing: there is no '(' before it", at)
        last = self._last_before(at)
        if self.meanings[self.tokens[last]] == _OPEN:
            return self._error("there is nothing between '(' and ')'", last)
        return self._error(f"{_short(self.tokens[last])} has nothing on its right", last)

    def _bad_end(self, opened: int | None, operand_next: bool) -> ParseError:
        last = self._last_before(len(self.tokens))
        if last < 0:
            return self._error("the formula is empty", 0)
        if operand_next and last != opened:
            return self._error(f"{_short(self.tokens[last])} has nothing on its right", last)
        return self._error("this '(' is never closed", opened or 0)

    def _last_before(self, at: int) -> int:
        """The index of the last token before this one that is not a comment, or -1."""
        while (at := at - 1) >= 0 and self.tokens[at][0] == "#":
            pass
        return at

    def _error(self, message: str, at: int, skip: int = 0) -> ParseError:
        """The error at a token, found again by splitting the text once more."""
        match = next(islice(_TOKEN.finditer(self.text), at, None), None)
        place = match.start() + skip if match else 0
        return ParseError.at(place, self.text, message, self.source)


def _short(token: str) -> str:
    """A token as an error message shows it."""
    return repr(token if len(token) <= 40 else token[:37] + "...")
