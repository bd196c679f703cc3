"""THE grammar of terms and conditions: operator precedence over characteristics.

Tightest first: `~ ! not`, `& && and`, `^ xor`, `| || or`, `-> =>` (which groups to the right),
`<-> <=>`, and `,`, which is a conjunction as well; constants `true false 1 0`; `#` starts a
comment. Two stacks combine operators, so that depth costs no recursion.
"""

from collections.abc import Iterable

from reasons.errors import ParseError
from reasons.features.grammar.characteristic_parser import (
    JOINING,
    CharacteristicParser,
    keyword,
    operator_of,
    short,
)
from reasons.features.grammar.conditions import Characteristic, Condition, Node
from reasons.features.grammar.tokens import Token
from reasons.features.schema import Schema

_LEVELS = {",": 0, "<->": 1, "->": 2, "|": 3, "^": 4, "&": 5}
_SIGNS = {"&&": "&", "||": "|", "=>": "->", "<=>": "<->", **{sign: sign for sign in _LEVELS}}
_CONSTANTS = {"true": True, "false": False, "1": True, "0": False}


def parse_condition(text: str, source: str = "<text>", schema: Schema | None = None) -> Condition:
    """The condition that a text writes. Raises `ParseError` with line and column.

    Names must be features where a schema is given.

    >>> parse_condition("18 <= head count & ~member").atoms[0].members
    (Range(compared=(('>=', 18.0),)),)
    """
    return _ConditionParser(text, source, schema, is_term=False).condition()


def parse_conjunction(text: str, schema: Schema) -> list[tuple[Characteristic, bool]]:
    """The characteristics that a term's text joins, each with whether it is negated."""
    if text.strip() in ("", "(nothing)"):
        return []
    parser = _ConditionParser(text, "<term>", schema, is_term=True)
    found = []
    for part in parser.condition().conjuncts():
        negated = part.nodes[-1][0] == "not"
        atom = part.atoms[part.used[0]]
        if len(part.nodes) > 1 + negated:
            raise parser.error("a term joins characteristics by commas only", atom.at)
        if negated and atom.operator:
            raise parser.error("a comparison cannot be negated", atom.at)
        found.append((atom, negated))
    return found


class _ConditionParser(CharacteristicParser):
    """The two stacks of one parse."""

    def __init__(self, text: str, source: str, schema: Schema | None, *, is_term: bool) -> None:
        super().__init__(text, source, schema, is_term=is_term)
        self.atoms: list[Characteristic] = []
        self.nodes: list[Node] = []
        self.values: list[int] = []
        self.operators: list[str] = []
        self.opened: list[tuple[Token, bool]] = []

    def condition(self) -> Condition:
        """The whole text as one condition."""
        negated, operand_next = False, True
        while self.next < len(self.tokens):
            token = self.tokens[self.next]
            if not operand_next:
                operand_next = self._after_operand(token)
            elif token.text in ("~", "!") or (token.kind == "word" and keyword(token) == "not"):
                negated = not negated
                self.next += 1
            elif token.text == "(":
                self.opened.append((token, negated))
                self.operators.append("(")
                negated = False
                self.next += 1
            else:
                self.values.append(self._negated(self._operand(token), negated))
                negated = operand_next = False
        if operand_next or self.opened:
            raise self._bad_end(operand_next)
        while self.operators:
            self._combine()
        return Condition(tuple(self.atoms), tuple(self.nodes))

    def _after_operand(self, token: Token) -> bool:
        """Take an operator or a closing bracket; whether an operand must follow."""
        sign = self._joining(token)
        if sign is None and token.text != ")":
            raise self.at(f"an operator is missing before {short(token)}", token)
        self.next += 1
        if sign is None:
            self._close(token)
            return False
        while self.operators and self.operators[-1] != "(" and _binds(self.operators[-1], sign):
            self._combine()
        self.operators.append(sign)
        return True

    def _joining(self, token: Token) -> str | None:
        """The operator between conditions that a token is, if it is one."""
        if token.kind == "sign":
            return _SIGNS.get(token.text)
        return JOINING.get(keyword(token)) if token.kind == "word" else None

    def _close(self, token: Token) -> None:
        if not self.opened:
            raise self.at("this ')' closes nothing: there is no '(' before it", token)
        while self.operators[-1] != "(":
            self._combine()
        self.operators.pop()
        self.values[-1] = self._negated(self.values[-1], self.opened.pop()[1])

    def _combine(self) -> None:
        """Replace the operands of the topmost run of one operator by its node."""
        operator, count = self.operators.pop(), 2
        while self.operators and self.operators[-1] == operator:
            self.operators.pop()
            count += 1
        parts = self.values[-count:]
        del self.values[-count:]
        if operator in ("&", ","):
            node = self._node("and", parts)
        elif operator == "|":
            node = self._node("or", parts)
        elif operator == "->":
            node = self._node("or", [*(self._negated(part) for part in parts[:-1]), parts[-1]])
        else:
            flips = count - 1 if operator == "<->" else 0
            node = self._negated(self._node("xor", parts), bool(flips & 1))
        self.values.append(node)

    def _node(self, kind: str, inputs: Iterable[int]) -> int:
        self.nodes.append((kind, tuple(inputs)))
        return len(self.nodes) - 1

    def _negated(self, node: int, negated: bool = True) -> int:
        return self._node("not", [node]) if negated else node

    def _operand(self, token: Token) -> int:
        """The node of the constant or characteristic that begins here."""
        truth = self._constant(token)
        if truth is not None:
            self.next += 1
            return self._negated(self._node("true", []), not truth)
        joining = self._joining(token)
        if joining is not None and not self._names(token):
            raise self.at(f"{short(token)} has nothing on its left", token)
        if token.text == ")":
            raise self._bad_close(token)
        self.atoms.append(self.characteristic())
        return self._node("atom", [len(self.atoms) - 1])

    def _constant(self, token: Token) -> bool | None:
        """The truth that a token is, unless it is a feature's name or begins one."""
        truth = _CONSTANTS.get(keyword(token)) if token.kind == "word" else None
        if truth is None or self.is_term:
            return None
        if token.text in ("0", "1") and self.schema is not None and self.schema.knows(token.text):
            return None
        after = self.peek(1)
        if after is None or (self._joining(after) is not None or after.text == ")"):
            return truth
        return None if operator_of(after) is not None or after.kind == "word" else truth

    def _names(self, token: Token) -> bool:
        """Whether a word that is a keyword is a feature's name here, as OR is of a state."""
        is_known = self.schema is not None and self.schema.knows(token.text)
        return token.kind == "word" and is_known

    def _bad_close(self, token: Token) -> ParseError:
        if not self.opened:
            return self.at("this ')' closes nothing: there is no '(' before it", token)
        last = self.tokens[self.next - 1]
        if last.text == "(":
            return self.at("there is nothing between '(' and ')'", last)
        return self.at(f"{short(last)} has nothing on its right", last)

    def _bad_end(self, operand_next: bool) -> ParseError:
        if not self.tokens:
            return self.error("a condition is missing here", 0)
        last, opened = self.tokens[-1], self.opened[-1][0] if self.opened else None
        if operand_next and last is not opened:
            return self.at(f"{short(last)} has nothing on its right", last)
        return self.at("this '(' is never closed", opened or last)


def _binds(left: str, right: str) -> bool:
    """Whether an operator takes its operands before the next one does."""
    return _LEVELS[left] > _LEVELS[right]
