"""Messages of the frontier search: the likelihood of the decided features at each position.

A position is a state of the target and of every node of the frontier. Messages matter up to a
factor. A step, which decides one feature, is a sparse matrix for each of its states. Entries are at
least 0, so sums in floats have a bounded relative error.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from reasons.errors import UnsupportedModel
from reasons.frontends.bayesnet.exact import Part, Whole, sliced, whole_table
from reasons.frontends.bayesnet.frontier.order import Level
from reasons.frontends.bayesnet.network import Floats, Network

Places = NDArray[numpy.int64]
_LEAST_ENTRY = 2.0**-200
_LEAST_POSITION = 2.0**-300  # times an entry this is far from where floats lose digits


@dataclass(frozen=True, eq=False)
class Step:
    """The matrices of all `states` of a feature as one: entry e goes from position `rows[e]` to
    `columns[e]`, which counts the `positions` after the step for one state after the other.
    """

    feature: int | None
    states: int
    positions: int
    rows: Places
    columns: Places
    whole: Whole
    entries: Floats

    def messages(self, message: Floats) -> list[Floats]:
        """The messages after each state of the feature, the largest position of each near 1."""
        weights = message[self.rows] * self.entries
        size = self.states * self.positions
        after = numpy.bincount(self.columns, weights, size).reshape(self.states, -1)
        after = numpy.ldexp(after, -numpy.frexp(after.max(axis=1, keepdims=True))[1])
        if ((after > 0) & (after < _LEAST_POSITION)).any():
            _refuse()
        return list(after)

    def exactly(self, message: Sequence[int], state: int) -> tuple[int, ...]:
        """The message after a state, in whole numbers without a common factor."""
        after = [0] * self.positions
        first = state * self.positions
        at = self.columns // self.positions == state
        entries = zip(self.rows[at], self.columns[at] - first, self.whole[at], strict=True)
        for row, column, entry in entries:
            after[column] += message[row] * entry
        common = math.gcd(*after) or 1
        return tuple(each // common for each in after)

    def dense(self, state: int, before: int) -> Floats:
        """The matrix of one state."""
        matrix = numpy.zeros((before, self.positions))
        at = self.columns // self.positions == state
        matrix[self.rows[at], self.columns[at] - state * self.positions] = self.entries[at]
        return matrix

    @property
    def roundings(self) -> int:
        """The most rounding errors of a number in a step: entry, product and sum."""
        return int(numpy.bincount(self.columns, minlength=1).max()) + 2


def steps_of(network: Network, levels: Sequence[Level], target: int) -> list[Step]:
    """The step of each level."""
    frontiers = [(target,), *(level.frontier for level in levels)]
    return [_step(network, before, level) for before, level in zip(frontiers, levels, strict=False)]


def _step(network: Network, before: Sequence[int], level: Level) -> Step:
    sizes = {node: len(network.nodes[node].states) for node in _met(network, before, level)}
    after = math.prod(sizes[node] for node in level.frontier)
    states = 1 if level.feature is None else sizes[level.feature]
    table = None if level.table is None else whole_table(network.nodes[level.table])
    rows, columns, whole = [], [], []
    for state in range(states):
        matrix = _matrix(network, before, level, sizes, table, state)
        rows.append(matrix[0])
        columns.append(matrix[1] + state * after)
        whole.append(matrix[2])
    entries = numpy.concatenate(whole)
    largest = max(entries.tolist(), default=1)
    floats = numpy.array([entry / largest for entry in entries.tolist()])
    if (floats < _LEAST_ENTRY).any():
        _refuse()
    at = (numpy.concatenate(rows), numpy.concatenate(columns))
    return Step(level.feature, states, after, *at, entries, floats)


def _met(network: Network, before: Sequence[int], level: Level) -> list[int]:
    """All nodes of a step: those known before it first."""
    scope = () if level.table is None else (*network.nodes[level.table].parents, level.table)
    return list(dict.fromkeys((*before, *scope, *level.frontier)))


def _matrix(
    network: Network,
    before: Sequence[int],
    level: Level,
    sizes: dict[int, int],
    table: Whole | None,
    state: int,
) -> tuple[Places, Places, Whole]:
    """Rows, columns and values of the non-zero entries, where the feature has this state."""
    fixed = {} if level.feature is None else {level.feature: state}
    axes = [*before, *(n for n in level.frontier if n not in before and n != level.feature)]
    entries = numpy.ones([sizes[node] for node in axes], dtype=object)
    if level.table is not None and table is not None:
        node = network.nodes[level.table]
        entries = _spread(sliced(node, level.table, table, fixed), axes, entries)
    cells = numpy.argwhere(entries != 0)
    at = {node: cells[:, place] for place, node in enumerate(axes)}
    at |= {node: numpy.full(len(cells), each) for node, each in fixed.items()}
    rows = _position(before, at, sizes, len(cells))
    columns = _position(level.frontier, at, sizes, len(cells))
    return rows, columns, entries[tuple(cells.T)]


def _position(
    nodes: Sequence[int], at: dict[int, Places], sizes: dict[int, int], count: int
) -> Places:
    position = numpy.zeros(count, dtype=numpy.int64)
    for node in nodes:
        position = position * sizes[node] + at[node]
    return position


def _spread(part: Part, axes: Sequence[int], ones: Whole) -> Whole:
    """A table with these axes; its other nodes are summed out."""
    scope, values = part
    gone = tuple(place for place, node in enumerate(scope) if node not in axes)
    scope = tuple(node for node in scope if node in axes)
    values = numpy.asarray(values.sum(axis=gone) if gone else values, dtype=object)
    values = values.transpose([scope.index(node) for node in axes if node in scope])
    shape = [size if node in scope else 1 for node, size in zip(axes, ones.shape, strict=True)]
    return numpy.asarray(ones * values.reshape(shape), dtype=object)


def _refuse() -> None:
    raise UnsupportedModel("probabilities of this network are too far apart for floats")
