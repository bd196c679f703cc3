"""Discretisation of sums of scores: every table of addends becomes a tree over cells."""

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from reasons import _core
from reasons.budget import UNLIMITED, Budget
from reasons.ensembles.discretize import settler
from reasons.ensembles.domain import Domain, Limit
from reasons.ensembles.feature_builder import (
    DISCRETISING,
    ColumnTests,
    FeatureBuilder,
    joined,
    turns,
)
from reasons.ensembles.inputs import Inputs, Table, numbers
from reasons.ensembles.ir import ABSENT, UNSEEN, Column, Part, ScoreModel, Test, Tree, TreeModel
from reasons.ensembles.native import ensemble
from reasons.ensembles.one_hot import one_hot_suspects
from reasons.ensembles.score_tables import Addends, Kinds, addends, is_exact, require_finite, slack
from reasons.ensembles.score_trees import CellTests, tree_of
from reasons.errors import Option, UnsupportedModel
from reasons.features.feature import Feature
from reasons.features.schema import Schema
from reasons.features.values import Special, is_missing, text_of
from reasons.text import short_repr


def scores_over_cells(
    model: ScoreModel,
    inputs: Inputs,
    domain: Domain | None = None,
    budget: Budget = UNLIMITED,
) -> tuple[Schema, _core.Ensemble]:
    """A model of scores over the cells of the user's columns: features, and trees of tables.

    A numeric column without cuts and without a declared domain raises `UnsupportedModel`.
    Cost: O(cells * parts) for every feature, and that of finding cuts in `over_cells`.
    """
    return _Lowered(model, inputs, domain or Domain(), budget).made()


class _Lowered:
    """Features, the values of the model's columns in their cells, and the tables over these."""

    def __init__(self, model: ScoreModel, inputs: Inputs, domain: Domain, budget: Budget) -> None:
        self.model, self.inputs, self.domain, self.budget = model, inputs, domain, budget
        self.names = [column.name for column in inputs.columns]
        domain.require_columns(self.names)
        self.limits = [domain.limit(name) for name in self.names]
        self.wanted = _by_source(model, inputs)
        self._require_discrete()
        self.columns: dict[int, NDArray[Any]] = {}
        self.builders: list[FeatureBuilder] = []
        every = budget.each(range(len(self.names)), DISCRETISING, len(self.names))
        self.features = [self._feature(at) for at in every]

    def _smooth(self, at: int) -> list[int]:
        """The columns that can change between any two of the user's numbers."""
        column = self.inputs.columns[at]
        if column.categories is not None or not column.read:
            return []
        free = (c for c in self.wanted[at] if self.model.columns[c].categories is None)
        return [c for c in free if self.inputs.rising[c] and c not in self.model.cuts]

    def _require_discrete(self) -> None:
        every = range(len(self.names))
        continuous = [
            self.names[at] for at in every if self._smooth(at) and not _is_declared(self.limits[at])
        ]
        if continuous:
            raise _not_discrete(continuous)

    def _feature(self, at: int) -> Feature:
        columns = self.wanted[at]
        points = [(c, point) for c in columns for point in self.model.cuts.get(c, ())]

        def values(tables: Sequence[Table]) -> NDArray[Any]:
            return numpy.array([self._coded(c, t) for c, t in zip(columns, tables, strict=True)])

        tests = ColumnTests(columns, points, values, every=bool(self._smooth(at)))
        builder = FeatureBuilder(self.model, self.inputs, at, tests, self.limits[at], self.budget)
        feature, answers = builder.feature()
        assert isinstance(answers, numpy.ndarray)
        self.builders.append(builder)
        for column, row in zip(columns, answers, strict=True):
            is_code = self.model.columns[column].categories is not None
            self.columns[column] = row.astype(int if is_code else float)
        return feature

    def _coded(self, column: int, values: Table) -> NDArray[Any]:
        known, as_text = self.model.columns[column].categories, self.model.columns[column].as_text
        if known is None:
            return numbers(values)
        codes = {value: code for code, value in enumerate(known)}

        def code(value: Any) -> int:
            if is_missing(value):
                return ABSENT
            is_text = not as_text or isinstance(value, Special)
            return codes.get(value if is_text else text_of(value), UNSEEN)

        return numpy.array([code(value) for value in values])

    def _tables(self) -> list[Addends]:
        """The tables of addends of single features and of groups of them."""
        groups: dict[tuple[int, ...], list[Part]] = {}
        for part in self.budget.each(self.model.parts, DISCRETISING):
            sources = tuple(sorted({self.inputs.source[c] for c in part.columns}))
            groups.setdefault(sources, []).append(part)
        sizes = [len(feature.values) for feature in self.features]
        return [
            addends(features, parts, self.inputs.source, self.columns, sizes)
            for features, parts in self.budget.each(groups.items(), DISCRETISING, len(groups))
        ]

    def made(self) -> tuple[Schema, _core.Ensemble]:
        """The features without redundant cuts, and the trees over their cells."""
        tables = self._tables()
        require_finite(self.model, tables, self.names)
        exact = is_exact(self.model, tables)
        if not exact and self.inputs.predict is None:
            raise UnsupportedModel(
                "the sums of the model's values depend on rounding; without a predict to "
                "compare with, give values with fewer digits"
            )
        tests = CellTests()
        trees = self._trees(tests, tables, exact)
        schema = Schema(self.features)
        settle = None if exact else settler(self.model, self.inputs, schema)
        lowered = _as_trees(self.model, trees, None if exact else slack(self.model, tables))
        declared = {builder.column.name: builder.declared for builder in self.builders}
        guards = self.domain.guards(schema, declared)
        return schema, ensemble(lowered, schema, tests.left_cells(), settle, guards, self.budget)

    def _trees(self, tests: CellTests, tables: list[Addends], exact: bool) -> tuple[Tree, ...]:
        kinds = [table.kinds(exact) for table in tables]
        cells = [numpy.arange(kind.size).reshape(kind.shape) for kind in kinds]
        places: list[list[tuple[int, int]]] = [[] for _ in self.features]
        for i, table in enumerate(tables):
            for axis, at in enumerate(table.features):
                places[at].append((i, axis))
        for at in self.budget.each(range(len(places)), DISCRETISING, len(places)):
            if self.features[at].cuts:
                self._join(at, places[at], kinds, cells)
        lists = zip(tables, kinds, cells, strict=True)
        return tuple(
            tree_of(tests, table.features, kind, table.sums[cell.ravel()])
            for table, kind, cell in self.budget.each(lists, DISCRETISING, len(tables))
        )

    def _join(
        self, at: int, axes: list[tuple[int, int]], kinds: list[Kinds], cells: list[Kinds]
    ) -> None:
        """Remove the redundant cuts of a feature; `axes` are those of it, table by table."""
        size = len(self.features[at].values)
        answers = [numpy.moveaxis(kinds[i], axis, -1).reshape(-1, size) for i, axis in axes]
        answers.append(numpy.zeros((0, size), numpy.int64))
        declared = self.builders[at].kept_cuts
        differ = turns(numpy.concatenate(answers))
        self.features[at], cells_left = joined(self.features[at], differ, declared)
        for i, axis in axes:
            kinds[i], cells[i] = (
                numpy.take(each, cells_left, axis) for each in (kinds[i], cells[i])
            )


def _as_trees(model: ScoreModel, trees: tuple[Tree, ...], slack: float | None) -> TreeModel:
    """The model as a sum of trees with tests over cells."""
    none = tree_of(CellTests(), (), numpy.array(0), numpy.zeros((1, len(model.start))))
    return TreeModel(
        columns=model.columns,
        tests=(),
        trees=trees or (none,),
        labels=model.labels,
        start=model.start,
        rule=model.rule,
        library=model.library,
        cut=model.cut,
        added=slack is None,
        slack=slack or 0.0,
    )


def _by_source(model: ScoreModel, inputs: Inputs) -> list[list[int]]:
    """The columns of the model that come from each of the user's and that a part reads."""
    columns: list[list[int]] = [[] for _ in inputs.columns]
    for column in sorted({c for part in model.parts for c in part.columns}):
        columns[inputs.source[column]].append(column)
    return columns


def _is_declared(limit: Limit) -> bool:
    return limit.values is not None or (limit.whole and limit.within is not None)


def _not_discrete(names: Sequence[str]) -> UnsupportedModel:
    """The error about columns of numbers that have neither cuts nor a declared set of values."""
    one = names[0]
    tests = [Test(at, 0.5) for at in range(len(names))]
    alike = one_hot_suspects([Column(name) for name in names], tests)
    members = alike[0] if alike else ["job_clerk", "job_nurse"]
    return UnsupportedModel(
        "this linear model uses raw numeric columns: {names}. Bin them in front of it and fit "
        "again, as in make_pipeline(make_column_transformer((KBinsDiscretizer(8), [{feature}]), "
        "(OneHotEncoder(handle_unknown='ignore'), ['job'])), LogisticRegression()); or declare "
        "the values that there are: {whole} for whole numbers, {few} for a few; or say which 0/1 "
        "columns stand for one category, as in {groups}",
        names=names,
        feature=one,
        whole=Option("domain", text=f"{{{short_repr(one)}: range(0, 100)}}"),
        few=Option("domain", text=f"{{{short_repr(one)}: {{0, 1}}}}"),
        groups=Option("groups", text=f"{{'job': {members}}}"),
    )
