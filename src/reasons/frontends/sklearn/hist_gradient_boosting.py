"""scikit-learn's HistGradientBoosting: float64 thresholds, missing values and categories.

Its own preprocessor puts the categorical columns first and turns their values into codes. A
value that was not in the training data is treated as a missing one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from reasons.ensembles.ir import Test, Tree
from reasons.errors import UnsupportedModel
from reasons.frontends.boosting_common import single_leaf
from reasons.frontends.sklearn.tree_scores import SubModelContext, TreeScores
from reasons.frontends.sklearn.trees import require_sound


@dataclass(frozen=True, slots=True)
class Codes:
    """The categories of a column, by code, and the kind of array that they were in."""

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
    """The raw scores: the baseline, and the leaves' values in order."""
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
    found = tuple(trees) or (single_leaf([0.0] * len(flat)),)
    return TreeScores(found, flat, cast="float64", missing=True)


class _Reader:
    """One model's features in its own order, and the categories that it knows."""

    def __init__(self, model: Any, context: SubModelContext) -> None:
        codes = codes_of(model)
        numbers = [column for column in range(model.n_features_in_) if column not in codes]
        self._place = context.of([*codes, *numbers])
        self._sizes = [len(found.values) for found in codes.values()]
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
            asked = self._test(nodes[number], predictor.raw_left_cat_bitsets)
            test[number] = self._place.tests.number(asked)
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
