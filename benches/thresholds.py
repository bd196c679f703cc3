"""Decision graphs of weighted threshold functions: as large as one likes, and not trivial.

`sum(w_i x_i) >= T` with random weights. A node of level `i` is a partial sum that
some choice of the first `i` features makes and that settles nothing yet, so there
are about `features * reachable sums` of them. Level by level with numpy: the
same graph through one Python call a node takes ten times as long.
"""

import random
from dataclasses import dataclass
from functools import cache

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.circuits.circuit import Circuit
from reasons.classifier import Classifier
from reasons.features.schema import Schema

Numbers = NDArray[numpy.int64]

# About 10^4, 10^5, 10^6 nodes: (features, largest weight).
SHAPES = {10_000: (64, 20), 100_000: (128, 50), 1_000_000: (256, 120)}


@dataclass(frozen=True)
class Threshold:
    """The classifier, and what it was made from."""

    classifier: Classifier
    weights: tuple[int, ...]
    limit: int

    @property
    def native(self) -> _core.Circuit:
        return self.classifier.circuit.native

    def near_instances(self, count: int) -> list[tuple[list[int], int]]:
        """Instances close to the threshold, their label beside them, both labels in turns."""
        rng = random.Random(count)
        return [self._near(rng, label=i % 2) for i in range(count)]

    def _near(self, rng: random.Random, label: int) -> tuple[list[int], int]:
        """A random instance, moved across features until it only just has its label."""
        cells = [rng.randrange(2) for _ in self.weights]
        total = sum(w for w, cell in zip(self.weights, cells, strict=True) if cell)
        order = list(range(len(cells)))
        rng.shuffle(order)
        for f in order:
            if cells[f] == int(total >= self.limit) and (total >= self.limit) != label:
                cells[f] ^= 1
                total += self.weights[f] * (1 if cells[f] else -1)
        for f in order:
            nearer = total + self.weights[f] * (-1 if cells[f] else 1)
            if (nearer >= self.limit) == label and abs(nearer - self.limit) < abs(
                total - self.limit
            ):
                cells[f] ^= 1
                total = nearer
        assert (total >= self.limit) == label
        return cells, label


@cache
def threshold(size: int) -> Threshold:
    """A threshold function with about as many nodes; the same one at every call."""
    features, largest = SHAPES[size]
    rng = random.Random(size)
    weights = tuple(rng.randint(1, largest) for _ in range(features))
    limit = sum(weights) // 2
    native = _graph(weights, limit)
    schema = Schema(f"x{i}" for i in range(features))
    return Threshold(Classifier(Circuit(native, schema, (False, True))), weights, limit)


def _graph(weights: tuple[int, ...], limit: int) -> _core.Circuit:
    """The reduced graph; the first feature is on top."""
    levels = _open_sums(weights, limit)
    below: Numbers = numpy.empty(0, numpy.int64)
    base, made = 2, 2
    columns: list[tuple[Numbers, Numbers, Numbers]] = []
    for f in range(len(weights) - 1, -1, -1):
        sums = levels[f]
        rest = sum(weights[f + 1 :])
        low, high = (_children(sums + step, limit, rest, below, base) for step in (0, weights[f]))
        columns.append((numpy.full(len(sums), f), low, high))
        below, base = sums, made
        made += len(sums)
    variables, lows, highs = (
        numpy.concatenate(column).astype(numpy.uint32) for column in zip(*columns, strict=True)
    )
    budget = _core.Budget(None, None, None)
    return _core.from_diagram(len(weights), variables, lows, highs, made - 1, budget)


def _open_sums(weights: tuple[int, ...], limit: int) -> list[Numbers]:
    """For each feature, the sums of those above it that settle nothing yet, sorted."""
    rest = sum(weights)
    sums: Numbers = numpy.zeros(1, numpy.int64)
    levels = []
    for weight in weights:
        levels.append(sums)
        rest -= weight
        sums = numpy.union1d(sums, sums + weight)
        sums = sums[(sums < limit) & (sums + rest >= limit)]
    return levels


def _children(sums: Numbers, limit: int, rest: int, below: Numbers, base: int) -> Numbers:
    """The nodes that these sums lead to: a label where they settle it."""
    if not len(below):
        return (sums >= limit).astype(numpy.int64)
    found = base + numpy.searchsorted(below, sums)
    return numpy.where(sums >= limit, 1, numpy.where(sums + rest < limit, 0, found))
