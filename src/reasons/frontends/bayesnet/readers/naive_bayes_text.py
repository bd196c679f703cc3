"""Naive Bayes classifiers as text: `cnbc`, tables of probabilities, and `xlc`, linear scores.

Both belong to the tool xpxlc. Values of features are whole numbers from 0 on. A `cnbc` file lists
the number of classes and the probability of each; then the number of features, and for each its
number of values and a row of probabilities for each class. An `xlc` file lists the number of
features, the start score, the number of real-valued features, which must be 0, and the number of
the others; then for each its number of values and the score of each value. The class is 0 where
the sum is above 0, otherwise 1.
"""

import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy

from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.ensembles.ir import TreeModel
from reasons.ensembles.native import ensemble
from reasons.ensembles.score_trees import CellTests, tree_of
from reasons.errors import InputError
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.frontends.bayesnet.compiler import compile_network
from reasons.frontends.bayesnet.network import Draft, network_of
from reasons.frontends.bayesnet.readers import text_of
from reasons.frontends.bayesnet.readers.tokens import Tokens
from reasons.frontends.models import backend_of
from reasons.frontends.options import Options

_NO_COMMENTS = r"(?!)"
_MOST_VALUES = 65_534


def load_cnbc(
    path: str | os.PathLike[str],
    *,
    budget: Budget | None,
    names: Sequence[str] | None = None,
    threshold: Any = None,
    state: Any = None,
) -> Classifier:
    """The classifier of a `cnbc` file: the most probable class, the first of several."""
    tokens = Tokens(text_of(path), str(path), _NO_COMMENTS)
    classes = tokens.whole(2, _MOST_VALUES)
    drafts = [_draft("class", [], [tokens.number() for _ in range(classes)], classes, tokens)]
    for name in _names(names, tokens.whole(1, _MOST_VALUES)):
        size = tokens.whole(1, _MOST_VALUES)
        table = [tokens.number() for _ in range(classes * size)]
        drafts.append(_draft(name, ["class"], table, size, tokens))
    tokens.end()
    network = network_of(drafts, str(path))
    features = [draft.name for draft in drafts[1:]]
    return compile_network(
        network, target="class", features=features, threshold=threshold, state=state, budget=budget
    )


def _draft(name: str, parents: list[str], table: list[float], size: int, tokens: Tokens) -> Draft:
    states = [str(value) for value in range(size)]
    return Draft(name, states, parents, table, tokens.line, range(size))


def load_xlc(
    path: str | os.PathLike[str], *, budget: Budget | None, names: Sequence[str] | None = None
) -> Classifier:
    """The classifier of an `xlc` file: 0 where the sum of its decimals is above 0, else 1."""
    tokens = Tokens(text_of(path), str(path), _NO_COMMENTS)
    number, start = tokens.whole(1, _MOST_VALUES), tokens.number()
    if tokens.whole() != 0 or tokens.whole() != number:
        tokens.complain(f"expected 0 real-valued features and {number} others before")
    scores = [
        [tokens.number() for _ in range(tokens.whole(1, _MOST_VALUES))] for _ in range(number)
    ]
    tokens.end()
    if not numpy.isfinite([start, *(value for row in scores for value in row)]).all():
        raise InputError(f"{path}: a score is too large")
    schema = Schema(
        Feature.categorical(name, range(len(row)))
        for name, row in zip(_names(names, number), scores, strict=True)
    )
    decide = _decider(start, scores)
    backend, notes = backend_of(*_sum(start, scores, schema, decide), False, None, budget)
    return Classifier(
        backend, predict=lambda rows: [decide(row) for row in rows], notes=[str(path), *notes]
    )


def _decider(start: float, scores: list[list[float]]) -> Callable[[Sequence[int]], int]:
    exact = [[Fraction(repr(value)) for value in row] for row in scores]
    first = Fraction(repr(start))

    def decide(cells: Sequence[int]) -> int:
        total = first + sum(row[cell] for row, cell in zip(exact, cells, strict=True))
        return int(total <= 0)

    return decide


def _sum(
    start: float, scores: list[list[float]], schema: Schema, decide: Callable[[Sequence[int]], int]
) -> tuple[TreeModel, Schema, Any]:
    """The negated scores as trees over cells; close calls are decided exactly."""
    tests, trees = CellTests(), []
    for feature, row in enumerate(scores):
        values, kinds = numpy.unique(-numpy.array(row) + 0.0, return_inverse=True)
        trees.append(tree_of(tests, (feature,), kinds, values[kinds].reshape(-1, 1)))
    most = abs(start) + sum(max(map(abs, row)) for row in scores)
    model = TreeModel(
        columns=(),
        tests=(),
        trees=tuple(trees),
        labels=(0, 1),
        start=(-start,),
        rule="cut",
        library="xlc",
        added=False,
        slack=2.0**-52 * most,
    )
    return model, schema, ensemble(model, schema, tests.left_cells(), decide)


def _names(names: Sequence[str] | None, count: int) -> list[str]:
    return Options(names=names).column_names([str(number) for number in range(1, count + 1)])
