"""scikit-learn's trees and forests as tree models, read in twenty lines, for tests of columns."""

from typing import Any

import numpy

from reasons.ensembles.ir import Column, Test, Tree, TreeModel


def tree_model(estimator: Any) -> TreeModel:
    """A fitted DecisionTreeClassifier or RandomForestClassifier, and its own `predict`."""
    parts = getattr(estimator, "estimators_", [estimator])
    tests: dict[Test, int] = {}
    trees = []
    gaps = bool(estimator.__sklearn_tags__().input_tags.allow_nan)
    for part in parts:
        t = part.tree_
        numbers = [
            -1
            if t.children_left[n] < 0
            else tests.setdefault(
                Test(
                    int(t.feature[n]),
                    float(t.threshold[n]),
                    missing_left=bool(t.missing_go_to_left[n]),
                ),
                len(tests),
            )
            for n in range(t.node_count)
        ]
        trees.append(
            Tree(numpy.array(numbers), t.children_left, t.children_right, t.value[:, 0, :])
        )
    return TreeModel(
        tuple(Column(f"x{i}", missing=gaps) for i in range(estimator.n_features_in_)),
        tuple(tests),
        tuple(trees),
        tuple(estimator.classes_.tolist()),
        (0.0,) * len(estimator.classes_),
        "largest",
        "scikit-learn",
        divisor=float(len(parts)),
        cast="float32",
        predict=lambda rows: estimator.predict(numpy.array(rows, dtype=float)).tolist(),
    )
