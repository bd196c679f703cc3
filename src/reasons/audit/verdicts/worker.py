"""The work of an audit: a pure function from a batch of rows to a batch of verdicts.

Rows in the same cells are of one kind and get the same answers, so each kind is examined once. An
unanswered query is null in its row, and `problem` says why.
"""

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reasons.audit.options import PER_ROW, AuditOptions
from reasons.audit.verdicts.answers import Answers, CircuitAnswers, Flags, SearchAnswers
from reasons.audit.verdicts.log_columns import groups_of, logged_of, unseen_of
from reasons.audit.verdicts.marginals import attach_counts, cell_counts
from reasons.audit.verdicts.passthrough import copied
from reasons.audit.verdicts.per_row import per_row_columns
from reasons.audit.verdicts.schema import UNSEEN, VerdictSchema, joined
from reasons.audit.verdicts.witnesses import prefer_seen_values
from reasons.backends.capabilities import Capability
from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import InputError
from reasons.features.tables import (
    Binned,
    Problems,
    cells_of_batch,
    pieces,
    require_columns,
    say,
)
from reasons.features.values import MISSING
from reasons.formats.rows.source import PART

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


class VerdictWorker:
    """The verdicts on rows: called with a record batch and the number of its first row."""

    def __init__(self, classifier: Classifier, options: AuditOptions) -> None:
        self.classifier, self.options = classifier, options
        self.verdict_schema = VerdictSchema.of(classifier, options)

    @property
    def one_at_a_time(self) -> bool:
        """Whether threads must not share it: a search answers one query at a time."""
        return not self.classifier.backend.thread_safe

    @property
    def identity(self) -> str:
        """What identifies this work: a digest of the classifier and the options."""
        backend = self.classifier.backend
        is_compiled = backend.supports(Capability.CIRCUIT)
        digest = hashlib.blake2b(self.verdict_schema.about, digest_size=16)
        digest.update(self.classifier.to_bytes() if is_compiled else backend.content())
        return digest.hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        return (VerdictWorker, (self.classifier, self.options))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the data that are needed."""
        return tuple(dict.fromkeys((*self.classifier.schema.names, *self.options.columns)))

    def __call__(
        self,
        number: int,
        batch: "pa.RecordBatch",
        stopped: Callable[[], bool] = lambda: False,
    ) -> "pa.RecordBatch":
        """The verdicts on the rows of a part of the data, in their order."""
        import pyarrow as pa

        def tell(stage: str, done: int, total: int | None) -> None:
            if stopped():
                raise InputError("the audit was stopped")

        first_row, budget = number * PART, Budget(seconds=None, progress=tell)
        require_columns(batch.schema.names, self.columns, "the data")
        verdicts, counts = [], []
        for at, piece in pieces(self.classifier.schema, batch):
            binned = cells_of_batch(self.classifier.schema, piece)
            counts.append(self._cell_counts(binned))
            verdicts.append(self._piece(piece, binned, first_row + at, budget))
        whole = verdicts[0] if len(verdicts) == 1 else pa.concat_batches(verdicts)
        return attach_counts(whole, sum(counts)) if "bias" in self.options.ask else whole

    def _cell_counts(self, binned: Binned) -> Any:
        """The marginals of rows, which only bias needs."""
        if "bias" not in self.options.ask:
            return 0
        return cell_counts(self.classifier.schema, binned.cells, binned.problems)

    def _piece(
        self, batch: "pa.RecordBatch", binned: Binned, first_row: int, budget: Budget
    ) -> "pa.RecordBatch":
        import numpy as np
        import pyarrow as pa

        cells, problems, unseen = binned
        answers = self.answers(cells, budget)
        answered = self._answered(answers, budget)
        where = pa.array(answers.kind_of, mask=_marked(problems, batch.num_rows))
        columns = {name: answered.column(name).take(where) for name in answered.schema.names}
        groups = self._idle(batch, problems)
        logged = logged_of(self.verdict_schema, batch, columns["label"], problems)
        groups |= groups_of(self.options.groups, batch)
        kept = {name: copied(batch.column(name), name) for name in self.options.keep}
        rows = pa.array(np.arange(first_row, first_row + batch.num_rows, dtype=np.int64))
        columns |= {"row": rows, **kept, **logged, **groups}
        columns["problem"] = _with(columns["problem"], problems)
        columns[UNSEEN] = unseen_of(self.verdict_schema, unseen, batch.num_rows)
        schema = self.verdict_schema.schema(batch.schema)
        return pa.record_batch([columns[name] for name in schema.names], schema=schema)

    def _idle(self, batch: "pa.RecordBatch", problems: Problems) -> dict[str, Any]:
        """The groups of features whose numbers are one cell: the values of the data."""
        import pyarrow as pa
        import pyarrow.compute as pc

        sound = pa.array(~_marked(problems, batch.num_rows))
        groups = groups_of(self.verdict_schema.idle, batch)
        for name in self.verdict_schema.idle:
            column, schema = joined("group", name), self.classifier.schema
            feature = schema[schema.index(name)]
            if MISSING in feature.values:
                text = feature.says((feature.values.index(MISSING),))
                groups[column] = groups[column].fill_null(text)
            groups[column] = pc.if_else(sound, groups[column], None)
        return groups

    def answers(self, cells: "np.ndarray", budget: Budget) -> Answers:
        """The answers about the rows of a matrix of cells."""
        backend = self.classifier.backend
        backend.require(Capability.AUDIT)
        if backend.supports(Capability.CIRCUIT):
            return CircuitAnswers(backend.circuit, cells, budget)
        predict, seconds = self.classifier.model_predict, self.options.seconds
        return SearchAnswers(backend, cells, predict, budget, seconds)

    def _answered(self, answers: Answers, budget: Budget) -> "pa.RecordBatch":
        """The columns that depend on cells alone, one row for each kind of row."""
        import numpy as np
        import pyarrow as pa

        schema, asked = self.verdict_schema.answers, self.options.ask
        cells, possible = answers.cells, answers.labels >= 0
        problems = self._impossible(possible)
        columns: dict[str, Any] = {"label": self._labels(answers.labels)}
        if "bias" in asked:
            columns |= self._bias(answers, problems)
        for question, ask in (("necessary", answers.necessary), ("reason", answers.sufficient)):
            if question in asked:
                found = ask()
                known = _known(possible, found, question, problems)
                columns[question] = self._listed(found.yes, cells, known)
        if asked & set(PER_ROW):
            columns |= per_row_columns(
                self.classifier, self.verdict_schema, cells, possible, problems, budget
            )
        for feature in self.verdict_schema.telling:
            at = self.classifier.schema.index(feature)
            own = np.asarray(self.verdict_schema.offsets[at] + cells[:, at], dtype=np.int32)
            columns[joined("group", feature)] = self._characteristics(own)
        columns["problem"] = _with(pa.nulls(len(cells), pa.string()), problems)
        return pa.record_batch([columns[name] for name in schema.names], schema=schema)

    def _bias(self, answers: Answers, problems: Problems) -> dict[str, Any]:
        """The columns about each protected set and each protected feature."""
        import pyarrow as pa

        schema, possible = self.classifier.schema, answers.labels >= 0
        with_witness = "witness" in self.options.ask
        columns: dict[str, Any] = {}
        for name, features in self.options.protected.items():
            own = schema.indices(features)
            bias = answers.biased(own, with_witness)
            if with_witness:
                bias = prefer_seen_values(schema, answers, own, bias)
            known = _known(possible, bias, joined("biased", name), problems)
            columns[joined("biased", name)] = pa.array(bias.yes, mask=~known)
            if with_witness:
                changed = bias.cells != answers.cells
                columns[joined("witness", name)] = self._listed(changed, bias.cells, bias.yes)
                columns[joined("witness_label", name)] = self._labels(bias.labels)
        for feature in self.options.single_features:
            column = joined("biased", feature)
            if column not in columns:
                alone = answers.biased([schema.index(feature)], False)
                known = _known(possible, alone, column, problems)
                columns[column] = pa.array(alone.yes, mask=~known)
        return columns

    def _labels(self, positions: "np.ndarray") -> "pa.Array":
        """Labels by position; null where it is negative."""
        import pyarrow as pa

        values = pa.array(
            [self.verdict_schema.written(x) for x in self.verdict_schema.labels],
            self.verdict_schema.label,
        )
        return values.take(pa.array(positions, mask=positions < 0))

    def _characteristics(self, places: "np.ndarray") -> "pa.Array":
        import pyarrow as pa

        return pa.DictionaryArray.from_arrays(pa.array(places), pa.array(self.verdict_schema.texts))

    def _listed(
        self, chosen: "np.ndarray", cells: "np.ndarray", answered: "np.ndarray"
    ) -> "pa.Array":
        """For each row the characteristics of the chosen features; null where not answered."""
        import numpy as np
        import pyarrow as pa

        chosen = chosen & answered[:, None]
        rows, features = np.nonzero(chosen)
        offsets = np.zeros(len(chosen) + 1, dtype=np.int32)
        np.cumsum(chosen.sum(axis=1), out=offsets[1:])
        places = (
            np.asarray(self.verdict_schema.offsets, dtype=np.int32)[features]
            + cells[rows, features]
        )
        return pa.ListArray.from_arrays(
            pa.array(offsets),
            self._characteristics(places.astype(np.int32)),
            mask=pa.array(~answered),
        )

    def _impossible(self, possible: "np.ndarray") -> Problems:
        import numpy as np

        constraint = self.classifier.constraint
        why = "the row is impossible under what was declared" + (
            f": {constraint}" if constraint else ""
        )
        return {int(row): why for row in np.flatnonzero(~possible)}


def _known(possible: "np.ndarray", found: Flags, question: str, problems: Problems) -> "np.ndarray":
    """Which rows are answered; the problems of others are recorded."""
    for row, why in found.failed.items():
        say(problems, row, f"{question}: {why}")
    answered: np.ndarray = possible & ~_marked(found.failed, len(possible))
    return answered


def _marked(problems: Problems, rows: int) -> "np.ndarray":
    import numpy as np

    marked = np.zeros(rows, dtype=bool)
    marked[list(problems)] = True
    return marked


def _with(column: "pa.Array", problems: Problems) -> "pa.Array":
    """A column of problems with more of them added."""
    import pyarrow as pa

    if not problems:
        return column
    texts = column.to_pylist()
    for row, why in problems.items():
        texts[row] = why if texts[row] is None else f"{texts[row]}; {why}"
    return pa.array(texts, pa.string())
