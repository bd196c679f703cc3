"""The paper's Algorithm 1, made right: the readable reference for all sufficient reasons.

The paper's version has no case for literal leaves (here tests whose arms are constants), takes
positive decisions and Boolean features only. It lists, so it is for small circuits.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from reasons.circuits.circuit import AllOf, Circuit, Leaf, Test
from reasons.features.values import IMPOSSIBLE

Terms = set[frozenset[int]]


def sufficient_reasons(circuit: Circuit, cells: Sequence[int], label: Any) -> Terms:
    """The feature sets of all sufficient reasons of the decision on these cells."""
    found: list[Terms] = []
    for node in circuit:
        if isinstance(node, Leaf):
            found.append({frozenset()} if node.label in (label, IMPOSSIBLE) else set())
        elif isinstance(node, AllOf):
            inputs = [found[i] for i in node.inputs]
            found.append(cartesian_product(inputs) if label else remove_subsumed(union(inputs)))
        else:
            found.append(_test(node, [found[arm.node] for arm in node.arms], cells))
    return found[-1]


def _test(node: Test, arms: list[Terms], cells: Sequence[int]) -> Terms:
    """All arms force the label, or the instance's arm does and the feature keeps its value."""
    consensus = cartesian_product(arms)
    for arm, terms in zip(node.arms, arms, strict=True):
        if cells[node.feature] in arm.cells:
            consensus |= {term | {node.feature} for term in terms}
    return remove_subsumed(consensus)


def union(sets: Iterable[Terms]) -> Terms:
    """The terms of any of the sets."""
    return set().union(*sets)


def cartesian_product(factors: list[Terms]) -> Terms:
    """One term of each factor together, without what another subsumes."""
    result: Terms = {frozenset()}
    for factor in factors:
        result = remove_subsumed({a | b for a, b in product(result, factor)})
    return result


def remove_subsumed(terms: Terms) -> Terms:
    """The terms that include no other."""
    kept: list[frozenset[int]] = []
    for term in sorted(terms, key=len):
        if not any(small <= term for small in kept):
            kept.append(term)
    return set(kept)
