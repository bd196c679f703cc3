"""From columns to cells: features whose cells are what the trees can tell apart."""

from collections.abc import Sequence

import numpy

from reasons import _core
from reasons.ensembles.cell_answers import goes_left, thresholds
from reasons.ensembles.discretize import Asked, Maker
from reasons.ensembles.domain import Domain
from reasons.ensembles.inputs import Inputs, Table, own
from reasons.ensembles.ir import ScoreModel, Test, TreeModel
from reasons.ensembles.native import Answers, Settle, ensemble
from reasons.features.feature import Feature, Side
from reasons.features.schema import Schema


def plain(model: TreeModel) -> tuple[Schema, _core.Ensemble]:
    """A model whose columns are the user's own, over cells."""
    return over_cells(model, own(model))


def over_cells(
    model: TreeModel, inputs: Inputs, domain: Domain | None = None
) -> tuple[Schema, _core.Ensemble]:
    """A model over the cells of the user's columns: features, and the trees' native form.

    The features are all of the user's columns, in their order. What the domain declares
    impossible has no cells, or is ruled out by guards.
    Cost: O(model), and for every number that is transformed about 20 calls of that.
    """
    domain = domain or Domain()
    domain.require_columns([column.name for column in inputs.columns])
    numbered: list[list[int]] = [[] for _ in inputs.columns]
    for at, test in enumerate(model.tests):
        numbered[inputs.source[test.column]].append(at)
    features: list[Feature] = []
    declared: dict[str, dict[Side, float]] = {}
    masks: list[Answers] = [numpy.zeros(0, bool)] * len(model.tests)
    for at, own_tests in enumerate(numbered):
        limit = domain.limit(inputs.columns[at].name)
        asked = _asked(model, [model.tests[test] for test in own_tests])
        maker = Maker(model, inputs, at, asked, limit)
        feature, answers = maker.feature()
        features.append(feature)
        declared[feature.name] = maker.declared
        for number, mask in zip(own_tests, answers, strict=True):
            masks[number] = mask
    schema = Schema(features)
    settle = None if model.added else settler(model, inputs, schema)
    where = [inputs.source[test.column] for test in model.tests]
    return schema, ensemble(model, schema, where, masks, settle, domain.guards(schema, declared))


def _asked(model: TreeModel, tests: Sequence[Test]) -> Asked:
    """What tests ask of the columns made of one of the user's."""
    columns = sorted({test.column for test in tests})
    of_column = {c: [test for test in tests if test.column == c] for c in columns}
    points = [(c, point) for c in columns for point in thresholds(model, of_column[c])]

    def answers(values: Sequence[Table]) -> Answers:
        found = dict(zip(columns, values, strict=True))
        rows = [goes_left(model, test, found[test.column]) for test in tests]
        return numpy.array(rows, dtype=bool)

    return Asked(columns, points, answers)


def settler(model: TreeModel | ScoreModel, inputs: Inputs, schema: Schema) -> Settle:
    """The label of cells as the library itself decides them, on one row."""
    predict = inputs.predict
    assert predict is not None

    def settle(cells: Sequence[int]) -> int:
        row = [feature.raw(cell) for feature, cell in zip(schema, cells, strict=True)]
        return model.labels.index(predict([row])[0])

    return settle
