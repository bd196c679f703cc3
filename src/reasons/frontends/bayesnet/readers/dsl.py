"""DSL files, the older text format of SMILE and GeNIe; the last parent changes fastest."""

from reasons.frontends.bayesnet.network import Draft
from reasons.frontends.bayesnet.readers.tokens import COMMENTS, NUMBER, Tokens


def read_dsl(text: str, source: str) -> list[Draft]:
    """The nodes of a DSL file."""
    tokens = Tokens(text, source, COMMENTS)
    tokens.expect("net")
    tokens.name("the network's name")
    tokens.expect("{")
    drafts = []
    while not tokens.skip("}"):
        if tokens.skip("node"):
            drafts.append(_node(tokens))
        else:
            tokens.skip_statement()
    return drafts


def _node(tokens: Tokens) -> Draft:
    line, name = tokens.line, tokens.name("a node's name")
    fields = tokens.fields()
    tokens.expect(";")
    if fields.get("TYPE") != ["CPT"]:
        tokens.complain(f"node {name!r} is not a CPT; expected 'TYPE = CPT' before")
    table = fields.get("PROBABILITIES", [])
    if not all(NUMBER.fullmatch(word) for word in table):
        tokens.complain(f"node {name!r} has a probability that is not a number")
    states, parents = fields.get("NAMESTATES", []), fields.get("PARENTS", [])
    return Draft(name, states, parents, [float(word) for word in table], line)
