"""Answers replayed on a library's `predict`: drawn completions, changes, dropped features."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy

import reasons
from benches.models.tables import Table

DRAWN = 400
UNSEEN = "in no row"


class Replay:
    """A model's `predict` on instances as `reasons` writes them, and what it must say."""

    def __init__(self, model: Any, data: Table, classifier: reasons.Classifier) -> None:
        self._model, self._data, self._schema = model, data, classifier.schema
        self.completions = self.flips = 0

    def reason(self, decision: reasons.Decision, term: reasons.Term) -> None:
        """Rows drawn within the term get the label: half from the table, half from all cells."""
        own = decision.instance
        rng = numpy.random.default_rng(len(term))
        drawn = []
        for i in range(DRAWN):
            row = self._row(rng) if i % 2 else self._cells(rng)
            for f, cells in term.limits.items():
                name = self._schema[f].name
                kept = rng.choice(sorted(cells))
                row[name] = self._schema[f].raw(int(kept), own[name])
            drawn.append(row)
        labels = self._labels([own, *drawn])
        assert (labels == decision.label).all(), f"{term} is not sufficient for {own}"
        self.completions += len(drawn)

    def minimal(self, decision: reasons.Decision, term: reasons.Term) -> None:
        """Without any one feature some instance gets another label."""
        own = decision.instance
        others = []
        for dropped in term:
            rest = {name: own[name] for name in term if name != dropped}
            other = decision.counterexample(rest)
            assert other is not None, f"{term} needs no {dropped}"
            assert {name: other[name] for name in rest} == rest
            others.append(other)
        if others:
            assert (self._labels(others) != decision.label).all(), f"{term} is not minimal"
        self.flips += len(others)

    def change(self, decision: reasons.Decision, change: Any) -> None:
        """The changed instance gets the label that was promised, which is another."""
        (label,) = self._labels([change.instance])
        assert label == change.label != decision.label, f"{change} does not flip"
        self.flips += 1

    def bias(self, decision: reasons.Decision, bias: Any) -> None:
        """A witness gets another label; without one, no value of the feature in the table does."""
        (name,) = bias.protected
        if bias:
            assert (self._labels([bias.pair[1]]) != decision.label).all()
            self.flips += 1
            return
        values = self._data.X[name].unique()
        rows = [{**decision.instance, name: value} for value in values]
        assert (self._labels(rows) == decision.label).all()
        self.completions += len(rows)

    def _row(self, rng: Any) -> dict[str, Any]:
        X = self._data.X
        return {name: X[name].to_numpy()[rng.integers(len(X))] for name in X}

    def _cells(self, rng: Any) -> dict[str, Any]:
        return {each.name: each.raw(int(rng.integers(len(each.values)))) for each in self._schema}

    def _labels(self, rows: Sequence[Mapping[str, Any]]) -> Any:
        """The labels by the library; a category that it does not know is written as text."""
        import pandas

        columns = {}
        for name, kind in self._data.X.dtypes.items():
            values = [row[name] for row in rows]
            if kind.kind in "iuf":
                columns[name] = numpy.array(values, dtype=numpy.float64)
            else:
                plain = [UNSEEN if value is reasons.OTHER else value for value in values]
                columns[name] = pandas.Series(plain, dtype=kind)
        return numpy.asarray(self._model.predict(pandas.DataFrame(columns)))
