"""Trees that say which instances are impossible: those that leave the target no state.

One block may rule out one state, another block another. So there is a tree for every choice of a
block for each state, over the features of these blocks.
"""

import math
from collections.abc import Sequence
from itertools import islice, product

import numpy

from reasons.ensembles.native import Guard
from reasons.ensembles.score_trees import Tests, tree_of
from reasons.errors import UnsupportedModel
from reasons.frontends.bayesnet.block_trees import Kinds, Numbers
from reasons.frontends.bayesnet.query import Question

_MOST_GUARDS = 1_000
_MOST_CELLS = 1 << 16


def guards_of(question: Question, kinds: Sequence[Kinds]) -> list[Guard]:
    """The guards of all impossible instances, or `UnsupportedModel` where they are too many."""
    states = range(len(question.classes.states))
    ruling_out = [[each for each in kinds if each.zero(state).any()] for state in states]
    choices = list(islice(product(*ruling_out), _MOST_GUARDS + 1))
    if len(choices) > _MOST_GUARDS:
        raise _too_many(question)
    found = [_impossible(question, choice) for choice in choices]
    return [_guard(features, cells) for features, cells in found if cells.any()]


def _too_many(question: Question) -> UnsupportedModel:
    return UnsupportedModel(
        f"too many ways in which instances are impossible in {question.network.source}; "
        "fewer features=[...], or probabilities a little above 0, make it work"
    )


def _impossible(question: Question, choice: Sequence[Kinds]) -> tuple[tuple[int, ...], Numbers]:
    """Of the features of a block for each state: 1 where each rules its state out."""
    features = tuple(sorted({feature for each in choice for feature in each.features}))
    sizes = [len(question.schema[feature].values) for feature in features]
    if math.prod(sizes) > _MOST_CELLS:
        raise _too_many(question)
    found = numpy.ones(sizes, dtype=bool)
    for state, each in enumerate(choice):
        shape = [size if f in each.features else 1 for f, size in zip(features, sizes, strict=True)]
        found &= each.zero(state).reshape(shape)
    return features, found.astype(numpy.int64)


def _guard(features: Sequence[int], cells: Numbers) -> Guard:
    tests = Tests()
    tree = tree_of(tests, features, cells, cells.reshape(-1, 1).astype(float))
    parts = zip(
        tree.test.tolist(), tree.left.tolist(), tree.right.tolist(), tree.value, strict=True
    )
    return Guard(
        tuple(
            bool(value[0]) if test < 0 else (tests.where[test], tests.masks[test], left, right)
            for test, left, right, value in parts
        )
    )
