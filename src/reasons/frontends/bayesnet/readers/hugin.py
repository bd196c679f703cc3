"""NET files of Hugin: nodes, then potentials, in which the last parent changes fastest."""

from collections.abc import Sequence

from reasons.frontends.bayesnet.network import Draft
from reasons.frontends.bayesnet.readers.tokens import PERCENT, Tokens

_KINDS = ("discrete", "chance")
_REFUSED = ("continuous", "decision", "utility", "function", "class")


def read_hugin(text: str, source: str) -> list[Draft]:
    """The nodes of a NET file."""
    tokens = Tokens(text, source, PERCENT)
    states: dict[str, Sequence[str]] = {}
    drafts: dict[str, Draft] = {}
    while tokens.now.text or tokens.now.quoted:
        if tokens.skip("net"):
            tokens.fields()
        elif tokens.skip("node") or (tokens.is_now(*_KINDS) and _kind_of_node(tokens)):
            _node(tokens, states)
        elif tokens.skip("potential"):
            draft = _potential(tokens, states)
            if draft.name in drafts:
                tokens.complain(f"node {draft.name!r} has two potentials; expected one")
            drafts[draft.name] = draft
        elif tokens.is_now(*_REFUSED):
            tokens.complain("expected discrete nodes only")
        else:
            tokens.complain("expected 'net', 'node' or 'potential'")
    for name in states:
        if name not in drafts:
            tokens.complain(f"node {name!r} has no potential; expected one")
    return [drafts[name] for name in states]


def _kind_of_node(tokens: Tokens) -> bool:
    tokens.next()
    tokens.expect("node")
    return True


def _node(tokens: Tokens, states: dict[str, Sequence[str]]) -> None:
    name = tokens.name("a node's name")
    if name in states:
        tokens.complain(f"two nodes are called {name!r}; expected another name")
    fields = tokens.fields()
    if "states" not in fields:
        tokens.complain(f"node {name!r} has no states; expected 'states = ...' before")
    states[name] = fields["states"]


def _potential(tokens: Tokens, states: dict[str, Sequence[str]]) -> Draft:
    line = tokens.line
    tokens.expect("(")
    own = _known(tokens, states)
    parents = []
    if tokens.skip("|"):
        while not tokens.is_now(")"):
            parents.append(_known(tokens, states))
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
        tokens.complain(f"the potential of {own!r} has no data; expected it before")
    return Draft(own, states[own], parents, table, line)


def _known(tokens: Tokens, states: dict[str, Sequence[str]]) -> str:
    if tokens.now.text not in states:
        tokens.complain("expected a node that was declared")
    return tokens.next().text


def _data(tokens: Tokens) -> list[float]:
    """All numbers in however many parentheses."""
    found: list[float] = []
    depth = 0
    while not tokens.is_now(";"):
        if tokens.skip("("):
            depth += 1
        elif tokens.is_now(")") and depth:
            tokens.next()
            depth -= 1
        else:
            found.append(tokens.number())
            tokens.skip(",")
    if depth:
        tokens.complain("expected ')'")
    return found
