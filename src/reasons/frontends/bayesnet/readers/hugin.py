"""NET files of Hugin: nodes, then potentials, in which the last parent changes fastest."""

from collections.abc import Mapping, Sequence

from reasons.frontends.bayesnet.network import Declarations, Draft
from reasons.frontends.bayesnet.readers.tokens import PERCENT, Tokens

_KINDS = ("discrete", "chance")
_REFUSED = ("continuous", "decision", "utility", "function", "class")


def read_hugin(text: str, source: str) -> list[Draft]:
    """The nodes of a NET file."""
    tokens = Tokens(text, source, PERCENT)
    nodes = Declarations(tokens.fail)
    while tokens.now.text or tokens.now.quoted:
        if tokens.skip("net"):
            tokens.fields()
        elif tokens.skip("node") or (tokens.is_now(*_KINDS) and _kind_of_node(tokens)):
            nodes.declare(*_node(tokens))
        elif tokens.skip("potential"):
            nodes.add(_potential(tokens, nodes.states))
        elif tokens.is_now(*_REFUSED):
            tokens.complain("expected discrete nodes only")
        else:
            tokens.complain("expected 'net', 'node' or 'potential'")
    return nodes.drafts()


def _kind_of_node(tokens: Tokens) -> bool:
    tokens.next()
    tokens.expect("node")
    return True


def _node(tokens: Tokens) -> tuple[str, list[str]]:
    name, fields = tokens.name("a node's name"), tokens.fields()
    if "states" not in fields:
        tokens.fail(f"node {name!r} has no states")
    return name, fields["states"]


def _potential(tokens: Tokens, states: Mapping[str, Sequence[str]]) -> Draft:
    line = tokens.line
    tokens.expect("(")
    name = tokens.one_of(states, "a node that was declared")
    parents = []
    if tokens.skip("|"):
        while not tokens.is_now(")"):
            parents.append(tokens.one_of(states, "a node that was declared"))
    tokens.expect(")")
    tokens.expect("{")
    table: list[float] | None = None
    while not tokens.skip("}"):
        if not tokens.skip("data"):
            tokens.skip_statement()
            continue
        tokens.expect("=")
        table = _data(tokens)
        tokens.expect(";")
    if table is None:
        tokens.complain(f"the potential of {name!r} has no data; expected it before")
    return Draft(name, states[name], parents, table, line)


def _data(tokens: Tokens) -> list[float]:
    """All numbers in however many parentheses."""
    numbers: list[float] = []
    depth = 0
    while not tokens.is_now(";"):
        if tokens.skip("("):
            depth += 1
        elif tokens.is_now(")") and depth:
            tokens.next()
            depth -= 1
        else:
            numbers.append(tokens.number())
            tokens.skip(",")
    if depth:
        tokens.complain("expected ')'")
    return numbers
