"""The cells of small blocks, told apart by the exact likelihoods that they have."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy
from numpy.typing import NDArray

from reasons.budget import Budget
from reasons.frontends.bayesnet.d_separation import Block
from reasons.frontends.bayesnet.exact import Exact
from reasons.frontends.bayesnet.query import Question

MOST_CELLS_OF_BLOCK = 1 << 13

Vector = tuple[int, ...]
Numbers = NDArray[numpy.int64]


@dataclass(frozen=True, eq=False)
class Kinds:
    """A block's cells, an axis for each feature: equal numbers where likelihoods are proportional.

    Of each kind, `vectors` has the likelihoods of the target's states, up to a factor.
    """

    features: tuple[int, ...]
    numbers: Numbers
    vectors: tuple[Vector, ...]

    def zero(self, state: int) -> NDArray[numpy.bool_]:
        """The cells that rule a state out."""
        return numpy.array([vector[state] == 0 for vector in self.vectors])[self.numbers]


def all_kinds(
    question: Question, blocks: Sequence[Block], exact: Exact, budget: Budget
) -> list[Kinds]:
    """The kinds of every block. Cost: one exact sum for each of their cells."""
    return [_kinds(question, number, block, exact, budget) for number, block in enumerate(blocks)]


def _kinds(question: Question, number: int, block: Block, exact: Exact, budget: Budget) -> Kinds:
    sizes = [len(question.schema[feature].values) for feature in block.features]
    known: dict[Vector, int] = {}
    found = []
    cells_of_all = [0] * len(question.schema)
    for count, cells in enumerate(product(*map(range, sizes))):
        if count % 64 == 0:
            budget.check("the likelihoods of a block")
        for feature, cell in zip(block.features, cells, strict=True):
            cells_of_all[feature] = cell
        vector = exact.of_block(number, question.states(cells_of_all))
        common = math.gcd(*vector) or 1
        found.append(known.setdefault(tuple(each // common for each in vector), len(known)))
    numbers = numpy.array(found, dtype=numpy.int64).reshape(sizes)
    return Kinds(block.features, numbers, tuple(known))
