"""Random classifiers, held by the toy backend."""

import reasons
from reasons import _core
from tests.support.oracle import IMPOSSIBLE
from tests.support.specs import Case
from tests.support.toy_backend import TableBackend


def toy_of(case: Case) -> Case:
    """The same truth table, held by the toy backend."""
    labels = case.classifier.labels
    numbers = {
        x: _core.IMPOSSIBLE if label is IMPOSSIBLE else labels.index(label)
        for x, label in case.table.items()
    }
    backend = TableBackend(case.classifier.schema, labels, numbers)
    return Case(reasons.Classifier(backend), case.domains, case.table)
