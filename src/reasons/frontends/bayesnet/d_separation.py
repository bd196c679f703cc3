"""d-separation: the independent blocks of a network once its target and features are observed.

Barren nodes are pruned: those that are not ancestors of the target or of a feature. Given the
observed nodes, hidden nodes that share no table, directly or through other hidden nodes, are
independent. The likelihood is then a product over blocks, each over some of the features.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from reasons.frontends.bayesnet.network import Network
from reasons.frontends.bayesnet.query import Query


@dataclass(frozen=True)
class Block:
    """Nodes whose tables are multiplied, and the hidden nodes that are summed out.

    `features` are positions in the query. A block without the target (`has_target`) only says
    which instances are possible.
    """

    nodes: tuple[int, ...]
    hidden: tuple[int, ...]
    features: tuple[int, ...]
    has_target: bool


def blocks_of(query: Query) -> list[Block]:
    """All blocks that can change a decision, those without features first."""
    network = query.network
    observed = {query.target, *query.features}
    ancestors = _ancestors(network, observed)
    scopes = {number: (*network.nodes[number].parents, number) for number in ancestors}
    group = _joined(ancestors - observed, scopes.values())
    members: dict[int, list[int]] = {}
    for number, scope in scopes.items():
        hidden = next((group[node] for node in scope if node in group), -1 - number)
        members.setdefault(hidden, []).append(number)
    blocks = [_block(query, nodes, scopes) for nodes in members.values()]
    mattering = [each for each in blocks if each.has_target or _has_zeros(network, each)]
    return sorted(mattering, key=lambda each: (len(each.features), each.features, each.nodes))


def _ancestors(network: Network, observed: set[int]) -> set[int]:
    ancestors, waiting = set(observed), list(observed)
    while waiting:
        for parent in network.nodes[waiting.pop()].parents:
            if parent not in ancestors:
                ancestors.add(parent)
                waiting.append(parent)
    return ancestors


def _joined(hidden: set[int], scopes: Iterable[tuple[int, ...]]) -> dict[int, int]:
    """Connected components of hidden nodes: for each, the first node of its component."""
    near: dict[int, set[int]] = {node: set() for node in hidden}
    for scope in scopes:
        inside = [node for node in scope if node in hidden]
        for node in inside:
            near[node].update(inside)
    group: dict[int, int] = {}
    for first in sorted(hidden):
        waiting = [first]
        while waiting:
            node = waiting.pop()
            if node not in group:
                group[node] = first
                waiting += near[node]
    return group


def _block(query: Query, nodes: list[int], scopes: dict[int, tuple[int, ...]]) -> Block:
    inside = {node for number in nodes for node in scopes[number]}
    places = {number: place for place, number in enumerate(query.features)}
    return Block(
        nodes=tuple(sorted(nodes)),
        hidden=tuple(sorted(inside - {query.target} - set(places))),
        features=tuple(sorted(places[node] for node in inside if node in places)),
        has_target=query.target in inside,
    )


def _has_zeros(network: Network, block: Block) -> bool:
    return any((network.nodes[number].table == 0).any() for number in block.nodes)
