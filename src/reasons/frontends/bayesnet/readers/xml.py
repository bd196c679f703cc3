"""XMLBIF files, and XDSL files of SMILE and GeNIe.

In both, the node's states change fastest, then those of the last parent. aGrUM (3.3.1) reads and
writes XDSL with the first parent fastest, which is another network. Its files are refused where
the order matters.
"""

from typing import NoReturn
from xml.etree.ElementTree import Element, XMLParser
from xml.etree.ElementTree import ParseError as XmlError

from reasons.errors import ParseError
from reasons.frontends.bayesnet.network import Declarations, Draft
from reasons.frontends.bayesnet.readers.tokens import NUMBER


def read_xmlbif(text: str, source: str) -> list[Draft]:
    """The nodes of an XMLBIF file."""

    def fail(message: str) -> NoReturn:
        raise ParseError(message, source=source)

    root = _root(text, source)
    network = root if root.tag.upper() == "NETWORK" else _child(root, "NETWORK", source)
    nodes = Declarations(fail)
    for variable in _all(network, "VARIABLE"):
        if variable.get("TYPE", "nature") != "nature":
            fail(f"only nodes of TYPE nature are read, not {variable.get('TYPE')!r}")
        states = [*_all(variable, "OUTCOME"), *_all(variable, "VALUE")]
        nodes.declare(_text(_child(variable, "NAME", source)), list(map(_text, states)))
    for definition in [*_all(network, "DEFINITION"), *_all(network, "PROBABILITY")]:
        name = _text(_child(definition, "FOR", source))
        if name not in nodes.states:
            fail(f"a table for {name!r}, which is not a node")
        parents = [_text(parent) for parent in _all(definition, "GIVEN")]
        table = _numbers(_child(definition, "TABLE", source), name, source)
        nodes.add(Draft(name, nodes.states[name], parents, table))
    return nodes.drafts()


def read_xdsl(text: str, source: str) -> list[Draft]:
    """The nodes of an XDSL file."""
    root = _root(text, source)
    drafts: dict[str, Draft] = {}
    for node in _child(root, "nodes", source):
        if node.tag not in ("cpt", "deterministic"):
            raise ParseError(
                f"only <cpt> and <deterministic> nodes are read, not <{node.tag}>", source=source
            )
        draft = _smile_node(node, drafts, source)
        drafts[draft.name] = draft
    is_agrum = any("agrum" in node.get("app", "").lower() for node in root.iter("genie"))
    if is_agrum and any(len(draft.parents) > 1 for draft in drafts.values()):
        raise ParseError(
            "the file was written by aGrUM, which puts tables in another order than the "
            "format's; save the network as BIF instead",
            source=source,
        )
    return list(drafts.values())


def _smile_node(node: Element, drafts: dict[str, Draft], source: str) -> Draft:
    name = node.get("id", "")
    if not name or name in drafts:
        raise ParseError(f"a node's id {name!r} is missing or given twice", source=source)
    states = [state.get("id", "") for state in _all(node, "state")]
    parents = [word for each in _all(node, "parents") for word in _text(each).split()]
    if node.tag == "cpt":
        return Draft(
            name, states, parents, _numbers(_child(node, "probabilities", source), name, source)
        )
    chosen = _text(_child(node, "resultingstates", source)).split()
    odd = [state for state in chosen if state not in states]
    if odd:
        raise ParseError(f"node {name!r} has no state {odd[0]!r}", source=source)
    return Draft(
        name, states, parents, [float(state == result) for result in chosen for state in states]
    )


def _root(text: str, source: str) -> Element:
    if "<!ENTITY" in text:
        raise ParseError("XML with entities of its own is not read", source=source)
    parser = XMLParser(encoding="utf-8")  # as it is encoded below, whatever it declares
    try:
        parser.feed(text.encode())
        return parser.close()
    except XmlError as error:
        line, column = error.position
        raise ParseError(
            str(error).partition(":")[0], source=source, line=line, column=column + 1
        ) from None
    except (ValueError, LookupError) as error:
        raise ParseError(f"the XML cannot be read: {error}", source=source) from None


def _all(element: Element, tag: str) -> list[Element]:
    return [child for child in element if child.tag in (tag, tag.lower(), tag.upper())]


def _child(element: Element, tag: str, source: str) -> Element:
    children = _all(element, tag)
    if not children:
        raise ParseError(f"there is no <{tag}> in a <{element.tag}>", source=source)
    return children[0]


def _text(element: Element) -> str:
    return "".join(element.itertext()).strip()


def _numbers(element: Element, name: str, source: str) -> list[float]:
    words = _text(element).split()
    odd = [word for word in words if not NUMBER.fullmatch(word)]
    if odd:
        raise ParseError(f"node {name!r}: {odd[0][:40]!r} is not a number", source=source)
    return [float(word) for word in words]
