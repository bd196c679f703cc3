"""Reference decisions of a network, by pyagrum's junction trees where it is installed."""

import random
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy

from reasons.errors import InputError
from reasons.features.terms import Instance
from reasons.frontends.bayesnet.exact import Exact
from reasons.frontends.bayesnet.network import Network
from reasons.frontends.bayesnet.query import Query
from reasons.frontends.libraries import version_of

_CLOSE = 1e-9

Rows = Sequence[Sequence[Any]]


def predictor(query: Query, exact: Exact) -> tuple[Callable[[Rows], list[Any]], str]:
    """A function from rows of raw values to labels, and its name.

    pyagrum's posteriors decide. Posteriors near the threshold, or near another state's, are left to
    exact arithmetic; without pyagrum, all are.
    """
    if find_spec("pyagrum") is None:
        return lambda rows: [_exactly(query, exact, row) for row in rows], "exact arithmetic"
    inference: list[Any] = []

    def predict(rows: Rows) -> list[Any]:
        if not inference:
            inference.append(_Inference(query))
        return [_by_library(query, exact, inference[0], row) for row in rows]

    return predict, f"the posteriors of pyagrum {version_of('pyagrum')}"


def _states(query: Query, row: Sequence[Any]) -> list[int]:
    cells = [feature.cell(value) for feature, value in zip(query.schema, row, strict=True)]
    return query.states(cells)


def _exactly(query: Query, exact: Exact, row: Sequence[Any]) -> Any:
    states = _states(query, row)
    if exact.posterior(states) is None:
        raise InputError(f"an instance of probability 0 has no posterior: {list(row)}")
    return query.labels[exact.decide(states)]


def _by_library(query: Query, exact: Exact, inference: "_Inference", row: Sequence[Any]) -> Any:
    posterior = inference.posterior(_states(query, row))
    if posterior is None:
        return _exactly(query, exact, row)
    if query.threshold is not None:
        distance = posterior[query.state] - float(query.threshold)
        if abs(distance) > _CLOSE:
            return query.labels[int(distance > 0)]
    else:
        order = numpy.argsort(-posterior, kind="stable")
        if len(order) == 1 or posterior[order[0]] - posterior[order[1]] > _CLOSE:
            return query.labels[order[0]]
    return _exactly(query, exact, row)


class _Inference:
    """pyagrum's inference on the network as it was read."""

    def __init__(self, query: Query) -> None:
        self._query, self._library = query, _library()
        self._network = library_network(query.network)
        self._inference: Any = None

    def posterior(self, states: Sequence[int]) -> Any:
        """The probability of each state of the target, or None where the library fails."""
        evidence = dict(zip(self._query.features, states, strict=True))
        try:
            self._tell(evidence)
            self._inference.makeInference()
            posterior = numpy.array(self._inference.posterior(self._query.target).tolist())
        except self._library.GumException:
            self._inference = None
            return None
        # For nodes with a single state it can return tables over other nodes.
        return posterior if posterior.shape == (len(self._query.classes.states),) else None

    def _tell(self, evidence: dict[int, int]) -> None:
        """Set the evidence; only the first call builds a junction tree."""
        if self._inference is not None:
            for node, state in evidence.items():
                self._inference.chgEvidence(node, state)
            return
        self._inference = self._library.LazyPropagation(self._network)
        self._inference.addTarget(self._query.target)
        self._inference.setEvidence(evidence)


def typical(query: Query, number: int, seed: int = 0) -> list[Instance]:
    """Instances drawn from the network itself, so that all of them are possible."""
    rng = random.Random(seed)
    cells_of = [{state: cell for cell, state in enumerate(states)} for states in query.to_state]
    instances = []
    for _ in range(number):
        world = _world(query.network, rng)
        cells = [of[world[node]] for of, node in zip(cells_of, query.features, strict=True)]
        instances.append(Instance.of_cells(query.schema, cells))
    return instances


def _world(network: Network, rng: random.Random) -> list[int]:
    """A state for every node, drawn from the network."""
    world = [0] * len(network.nodes)
    for number in network.order:
        node = network.nodes[number]
        row = node.table[tuple(world[parent] for parent in node.parents)]
        (world[number],) = rng.choices(range(len(row)), weights=row.tolist())
    return world


def library_network(network: Network) -> Any:
    """The network as pyagrum holds it, its nodes under the same numbers."""
    library = _library()
    copied = library.BayesNet()
    for number, node in enumerate(network.nodes):  # under names that it surely takes
        copied.add(library.LabelizedVariable(f"n{number}", "", len(node.states)))
    for number, node in enumerate(network.nodes):
        for parent in node.parents:
            copied.addArc(parent, number)
    for number, node in enumerate(network.nodes):
        table = copied.cpt(number)
        mine = [f"n{axis}" for axis in (*node.parents, number)]
        order = [mine.index(name) for name in reversed(table.names)]
        table[:] = numpy.ascontiguousarray(node.normal.transpose(order))
    return copied


def _library() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where warnings are errors, its import would fail
        import pyagrum

    return pyagrum
