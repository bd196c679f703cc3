"""GradientBoosting, HistGradientBoosting and AdaBoost of scikit-learn as sums of trees.

HistGradientBoosting has float64 thresholds, missing values and categories. Its own preprocessor
puts the categorical columns first and encodes their values. A value that was not in the training
data is treated as a missing one.
"""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from reasons.ensembles.ir import Test, Tree
from reasons.errors import UnsupportedModel
from reasons.frontends.boosting import single_leaf
from reasons.frontends.sklearn.checks import family
from reasons.frontends.sklearn.trees import (
    SubModelContext,
    TreeScores,
    read_tree,
    require_sound,
    votes_of_tree,
)

# On other machines compilers may fuse `sum += rate * value` into one rounding.
_ROUNDS_TWICE = platform.machine() in {"x86_64", "AMD64"}


def of_gradient(model: Any, context: SubModelContext) -> TreeScores:
    """The raw scores: those of `init`, plus the leaves times the learning rate, in order."""
    rate = float(model.learning_rate)
    trees: list[Tree] = []
    for stage in model.estimators_:
        for score, tree in enumerate(stage):
            value = rate * tree.tree_.value[:, 0, :]
            trees.append(read_tree(tree, context, value, score=score))
    roundings = 0 if _ROUNDS_TWICE else 2 * len(model.estimators_) + 4
    return TreeScores(tuple(trees), _start(model), roundings=roundings)


def _start(model: Any) -> tuple[float, ...]:
    """The constant scores of `init`; other kinds of `init` are refused."""
    init = model.init_
    known = family(init) == "dummy" or (isinstance(init, str) and init == "zero")
    if not known or getattr(init, "strategy", None) == "stratified":
        raise UnsupportedModel(
            f"GradientBoosting starts from {type(init).__name__}, whose predictions are not "
            'constant; fit it with init=None, init="zero" or a constant Dummy estimator'
        )
    row = numpy.zeros((1, model.n_features_in_), numpy.float32)
    return tuple(model._raw_predict_init(row)[0].tolist())


def of_ada(model: Any, context: SubModelContext) -> TreeScores:
    """The weighted votes of AdaBoost's trees; for two classes, only those for the second.

    With two classes the votes for one are the negated votes for the other, so the library's
    decision is exactly twice this score.
    """
    if getattr(model, "algorithm", "SAMME") == "SAMME.R":
        raise UnsupportedModel(
            'AdaBoost with algorithm="SAMME.R" adds logarithms; fit it with algorithm="SAMME"'
        )
    classes = model.classes_.tolist()
    total = float(model.estimator_weights_.sum())
    if not total > 0:
        raise UnsupportedModel("the weights of AdaBoost's estimators do not add up to more than 0")
    trees: list[Tree] = []
    for part, weight in zip(model.estimators_, model.estimator_weights_.tolist(), strict=False):
        if family(part) != "tree":
            raise UnsupportedModel(
                f"AdaBoost over {type(part).__name__} is not a sum of trees; boost decision trees"
            )
        votes = (weight, -1 / (len(classes) - 1) * weight)
        trees += votes_of_tree(part, context, classes, votes).trees
    scores = TreeScores(tuple(trees), (0.0,) * len(classes), total)
    return scores.column(1) if len(classes) == 2 else scores


@dataclass(frozen=True, slots=True)
class Codes:
    """The categories of a column, by code, and whether their array was numeric."""

    values: tuple[Any, ...]
    numeric: bool


def codes_of(model: Any) -> dict[int, Codes]:
    """The categorical columns of a fitted model."""
    if getattr(model, "_preprocessor", None) is None:
        if getattr(model, "is_categorical_", None) is not None:
            raise UnsupportedModel(
                "the model's categories were encoded by an old scikit-learn; fit it again"
            )
        return {}
    encoder = model._preprocessor.named_transformers_["encoder"]
    columns = numpy.flatnonzero(model.is_categorical_).tolist()
    return {
        column: Codes(
            tuple(value for value in values.tolist() if value is not None and value == value),
            values.dtype.kind in "biuf",
        )
        for column, values in zip(columns, encoder.categories_, strict=True)
    }


def of_histogram(model: Any, context: SubModelContext) -> TreeScores:
    """The raw scores: the baseline, plus the leaves' values in order."""
    start = model._baseline_prediction
    if start.dtype != numpy.float64:
        raise UnsupportedModel(f"the model adds up in {start.dtype}; fit it on float64 targets")
    reader = _Reader(model, context)
    trees = [
        reader.tree(predictor, score)
        for stage in model._predictors
        for score, predictor in enumerate(stage)
    ]
    flat = tuple(start.ravel().tolist())
    stages = tuple(trees) or (single_leaf([0.0] * len(flat)),)
    return TreeScores(stages, flat, cast="float64", missing=True)


class _Reader:
    """Reads trees of one model, with its order of features and its known categories."""

    def __init__(self, model: Any, context: SubModelContext) -> None:
        codes = codes_of(model)
        numbers = [column for column in range(model.n_features_in_) if column not in codes]
        self._place = context.of([*codes, *numbers])
        self._sizes = [len(each.values) for each in codes.values()]
        self._known, self._row = model._bin_mapper.make_known_categories_bitsets()

    def tree(self, predictor: Any, score: int) -> Tree:
        nodes = predictor.nodes
        is_leaf = nodes["is_leaf"].astype(bool)
        left, right = (
            numpy.where(is_leaf, -1, nodes[side].astype(numpy.int64)) for side in ("left", "right")
        )
        require_sound(left, right, nodes["feature_idx"], len(self._place.columns))
        test = numpy.full(len(nodes), -1, numpy.int32)
        for number in numpy.flatnonzero(~is_leaf).tolist():
            question = self._test(nodes[number], predictor.raw_left_cat_bitsets)
            test[number] = self._place.tests.number(question)
        value = nodes["value"].astype(float)[:, None]
        return Tree(test, left.astype(numpy.int32), right.astype(numpy.int32), value, score)

    def _test(self, node: Any, lefts: Any) -> Test:
        feature, missing = int(node["feature_idx"]), bool(node["missing_go_to_left"])
        column = self._place.columns[feature]
        if not node["is_categorical"]:
            threshold = float(node["num_threshold"])
            return Test(column, threshold, missing_left=missing)
        left, known = lefts[node["bitset_idx"]], self._known[self._row[feature]]
        codes = frozenset(
            code
            for code in range(self._sizes[feature])
            if _has(left, code) or (missing and not _has(known, code))
        )
        return Test(column, codes=codes, missing_left=missing, unseen_left=missing)


def _has(bits: Sequence[int], code: int) -> bool:
    return bool(int(bits[code // 32]) >> (code % 32) & 1)
