"""Instances drawn from the cells, on which a classifier is compared with its model."""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

from reasons import _core
from reasons.classifier import Classifier
from reasons.errors import InputError, PropertyError
from reasons.features.terms import Instance
from reasons.frontends.cell_values import numbers_within

Predict = Callable[[Sequence[Sequence[Any]]], Sequence[Any]]

SAMPLE = 200
_TRIES = 10  # for each instance wanted, where some are impossible


def drawn(classifier: Classifier, number: int, seed: int = 0) -> list[Instance]:
    """Possible instances, a cell of each feature drawn alike, raw values all over the cells.

    Half of the instances have values near where cells meet, as faults in cuts show there.
    """
    rng = Random(seed)
    found: list[Instance] = []
    inside = cache(lambda feature, cell: numbers_within(classifier.schema[feature], cell))
    for _ in range(number * _TRIES):
        if len(found) == number:
            break
        cells = [rng.randrange(len(feature.values)) for feature in classifier.features]
        if classifier.label_of(cells) == _core.IMPOSSIBLE:
            continue
        if rng.random() < 0.5:
            found.append(Instance.of_cells(classifier.schema, cells))
        else:
            raw = [rng.choice(inside(feature, cell)) for feature, cell in enumerate(cells)]
            found.append(Instance(classifier.schema, raw, cells))
    if len(found) < number and classifier.method == "compiled":
        found += _by_label(classifier, number - len(found), rng)
    return found


def _by_label(classifier: Classifier, number: int, rng: Random) -> list[Instance]:
    """Possible instances where these are rare, as many of each label."""
    present = [label for label in classifier.labels if classifier.count(label)]
    each = -(-number // max(1, len(present)))
    return [x for label in present for x in classifier.sample(label, each, rng)][:number]


def disagreements(
    classifier: Classifier,
    instances: Sequence[Instance],
    predict: Predict,
) -> list[tuple[Instance, Any, Any]]:
    """The instances that the classifier and a model decide differently, with both labels."""
    ours = [classifier.labels[classifier.label_of(instance.cells)] for instance in instances]
    return differing(instances, ours, predict)


def differing(
    instances: Sequence[Instance], expected: Sequence[Any], predict: Predict
) -> list[tuple[Instance, Any, Any]]:
    """The instances that a model decides otherwise than expected, with both labels.

    A product of matrices can differ in its last digit between one row and many; what is
    meant is a decision on one row, so where many are decided otherwise, each is asked alone.
    """
    rows = [list(instance.values()) for instance in instances]
    theirs = list(predict(rows))
    for at, mine in enumerate(expected):
        if theirs[at] != mine:
            theirs[at] = predict([rows[at]])[0]
    found = zip(instances, expected, theirs, strict=True)
    return [(instance, mine, their) for instance, mine, their in found if mine != their]


def require_agreement(
    classifier: Classifier, number: int = SAMPLE, also: Sequence[Instance] = ()
) -> int:
    """How many drawn instances were compared with the model's own predict; all must agree.

    `also` are instances that a front end drew itself.
    """
    if classifier.model_predict is None:
        return 0
    instances = [*drawn(classifier, number), *also]
    if not instances:
        if classifier.method == "compiled" and classifier.circuit.native.has_impossible:
            raise InputError(f"nothing was found to be possible under: {classifier.constraint}")
        return 0
    wrong = disagreements(classifier, instances, classifier.model_predict)
    if wrong:
        instance, mine, their = wrong[0]
        raise PropertyError(
            f"the model decides {their!r} on {instance}, where {mine!r} was expected; "
            f"{len(wrong)} of {len(instances)} instances differ. This is a fault of this package "
            "or of a version of the library that it does not know; please report it"
        )
    return len(instances)
