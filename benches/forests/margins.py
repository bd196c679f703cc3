"""A model of two labels as one sum of trees: the label is the second where the sum is above 0."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy

import reasons
from reasons.ensembles.ir import TreeModel
from reasons.frontends.models import classifier_of
from reasons.frontends.options import Options

Nodes = list[Any]  # [column, threshold, left, right], left below the threshold; or a leaf's value


@dataclass(frozen=True)
class Margin:
    """The trees of a model, their sum turned so that the label in question is below 0."""

    model: TreeModel
    trees: list[Nodes]
    start: float

    def score(self, values: Sequence[float]) -> float:
        """The sum of an instance, by walking the trees."""
        total = self.start
        for nodes in self.trees:
            node = nodes[0]
            while isinstance(node, list):
                column, threshold, left, right = node
                node = nodes[left if values[column] < threshold else right]
            total += node
        return total

    def most(self) -> float:
        """No sum is larger."""
        return self.start + sum(
            max(node for node in nodes if not isinstance(node, list)) for nodes in self.trees
        )

    def above(self, cut: float) -> reasons.Classifier:
        """The classifier that says whether the sum is at least that."""
        model = replace(self.model, cut=cut)
        return classifier_of(model, Options(method="search", missing=False))


def margin(model: TreeModel, label: int) -> Margin:
    """The sum that grows with the other label of two."""
    sign = 1.0 if label == 0 else -1.0
    trees = tuple(
        replace(tree, value=sign * _one(tree.value)[:, None], score=0) for tree in model.trees
    )
    start = sign * (_one(numpy.array([model.start]))[0] - model.cut * model.divisor)
    made = replace(
        model,
        trees=trees,
        start=(start,),
        rule="cut",
        cut=0.0,
        divisor=1.0,
        sums="float64",
        predict=None,
        added=True,
        slack=0.0,
    )
    return Margin(made, [_nodes(made, tree) for tree in trees], start)


def _one(values: Any) -> Any:
    """Of two scores the second less the first."""
    return values[:, -1] - values[:, 0] if values.shape[1] == 2 else values[:, 0]


def _nodes(model: TreeModel, tree: Any) -> Nodes:
    nodes: Nodes = []
    for i, number in enumerate(tree.test):
        if number < 0:
            nodes.append(float(tree.value[i, 0]))
            continue
        test = model.tests[number]
        assert test.codes is None, "numbers only"
        bound = float(test.threshold)
        below = math.nextafter(bound, math.inf) if model.closed == "right" else bound
        nodes.append([test.column, below, int(tree.left[i]), int(tree.right[i])])
    return nodes
