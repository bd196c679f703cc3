"""UAI files of Bayesian networks: numbers only, the last variable of a scope changes fastest.

aGrUM (3.3.1) reads and writes them with the first parent fastest, which is another network. Its
files have the nodes' names in comments, and are refused where the order matters.
"""

from math import prod

from reasons.errors import ParseError
from reasons.frontends.bayesnet.network import Draft
from reasons.frontends.bayesnet.readers.tokens import Tokens

_COMMENT = r"#[^\n]*"
_MOST_STATES = 65_534


def read_uai(text: str, source: str) -> list[Draft]:
    """The nodes of a UAI file, called "0", "1", ..., with states called so too."""
    tokens = Tokens(text, source, _COMMENT)
    if not tokens.skip("BAYES"):
        tokens.complain("expected BAYES, since other networks are not read")
    sizes = [tokens.whole(most=_MOST_STATES) for _ in range(tokens.whole())]
    scopes = [
        [tokens.whole(most=len(sizes) - 1) for _ in range(tokens.whole())]
        for _ in range(tokens.whole())
    ]
    drafts: dict[int, Draft] = {}
    for scope in scopes:
        if not scope or scope[-1] in drafts:
            tokens.complain("expected each table to be about another node, the last of its scope")
        drafts[scope[-1]] = _draft(tokens, scope, sizes)
    if len(drafts) < len(sizes):
        tokens.complain(f"expected a table for each of {len(sizes)} nodes")
    tokens.end(" after the last table, as evidence is not read")
    if any(len(scope) > 2 for scope in scopes) and "#" in text:
        raise ParseError(
            "the file seems to be written by aGrUM, which puts tables in another order than "
            "the format's; save the network as BIF instead",
            source=source,
        )
    return [drafts[number] for number in range(len(sizes))]


def _draft(tokens: Tokens, scope: list[int], sizes: list[int]) -> Draft:
    line, start = tokens.line, tokens.now.start
    shape = [sizes[number] for number in scope]
    count = tokens.whole()
    if count != prod(shape):
        expected = f"expected {prod(shape):,} entries for node {scope[-1]}"
        tokens.complain_at(start, f"{expected}, not {count:,}")
    table = [tokens.number() for _ in range(count)]
    states, parents = ([str(number) for number in each] for each in (range(shape[-1]), scope[:-1]))
    return Draft(str(scope[-1]), states, parents, table, line, range(shape[-1]))
