"""A default instance, where the user has named none."""

from typing import TYPE_CHECKING

from reasons import _core
from reasons.features.feature import Feature
from reasons.features.terms import Instance

if TYPE_CHECKING:
    from reasons.classifier import Classifier


def first_instance(classifier: "Classifier") -> Instance:
    """A default instance: true, the first category, the middle of the numbers.

    Where constraints exclude it, the possible instance that differs from it on the fewest
    features, or any if the model is searched; if none is possible, the default. Cost: O(circuit).

    >>> import reasons
    >>> str(first_instance(reasons.compile("a & b"))), str(
    ...     first_instance(reasons.compile("a & b", constraint="~a | ~b"))
    ... )
    ('a, b', '~a, b')
    """
    cells = [_default_cell(feature) for feature in classifier.features]
    if classifier.backend.decide(cells) == _core.IMPOSSIBLE:
        cells = classifier.backend.allowed_instance(cells) or cells
    return Instance.of_cells(classifier.schema, cells)


def _default_cell(feature: Feature) -> int:
    cells = range(len(feature.values))
    if feature.kind == "boolean":
        return cells[-1]
    present = [cell for cell in cells if feature.raw(cell) is not None] or [0]
    return present[len(present) // 2] if feature.kind == "numeric" else present[0]
