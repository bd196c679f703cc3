"""A case to begin with, where nobody has named one."""

from typing import TYPE_CHECKING

from reasons import _core
from reasons.features.feature import Feature
from reasons.features.terms import Instance
from reasons.search.backend import Trees
from reasons.search.union import Form

if TYPE_CHECKING:
    from reasons.classifier import Classifier


def first_instance(classifier: "Classifier") -> Instance:
    """A usual instance: true, the first category, the middle of the numbers.

    Where that is impossible under what was declared, the possible one that differs from it on
    the fewest features, or, by search, any; where none is, the usual one. Cost: O(circuit).

    >>> import reasons
    >>> str(first_instance(reasons.compile("a & b"))), str(
    ...     first_instance(reasons.compile("a & b", constraint="~a | ~b"))
    ... )
    ('a, b', '~a, b')
    """
    cells = [_usual(feature) for feature in classifier.features]
    if classifier.label_of(cells) == _core.IMPOSSIBLE:
        cells = _possible(classifier.explaining(0), cells) or cells
    return Instance.of_cells(classifier.schema, cells)


def _possible(form: Form, cells: list[int]) -> list[int] | None:
    if isinstance(form, Trees):
        found = (form.counterexample(cells, label, []) for label in range(len(form.labels)))
        return next((each for each in found if each), None)
    none = len(form.labels)  # what is possible has another label than this one
    nearest = form.cheapest_change(cells, none, [], [1.0] * len(cells), None)
    return nearest and nearest[0]


def _usual(feature: Feature) -> int:
    cells = range(len(feature.values))
    if feature.kind == "boolean":
        return cells[-1]
    given = [cell for cell in cells if feature.raw(cell) is not None] or [0]
    return given[len(given) // 2] if feature.kind == "numeric" else given[0]
