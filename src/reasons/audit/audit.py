"""The result of an audit: verdicts on rows, their summary, a report, letters."""

import os
import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasons import _core
from reasons.audit.letters.letters import write_letters
from reasons.audit.letters.result import Letters
from reasons.audit.outputs.output import Output
from reasons.audit.report.report import write_report
from reasons.audit.summary.summary import Summary, summary_of
from reasons.audit.verdicts.marginals import Marginals
from reasons.audit.verdicts.schema import VerdictSchema, joined
from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.features.tables import instance_at
from reasons.features.terms import Instance
from reasons.formats.rows.source import PART, Source
from reasons.render import html
from reasons.views.values import json_value

if TYPE_CHECKING:
    import pyarrow as pa


class Audit:
    """The verdicts on many decisions: a table with a row for each, and their summary."""

    def __init__(
        self,
        classifier: Classifier,
        verdict_schema: VerdictSchema,
        source: Source,
        output: Output,
        budget: Budget,
        marginals: Marginals | None = None,
    ) -> None:
        self.classifier, self.verdict_schema, self.path = classifier, verdict_schema, output.path
        self.source, self._output, self._budget = source, output, budget
        self.marginals = marginals

    def _repr_html_(self) -> str:
        """The summary is shown only if it was computed before: it may take long."""
        options = self.options
        lines = [("audit", f"{len(self):,} rows"), ("asked", ", ".join(sorted(options.ask)))]
        for name, features in options.protected.items():
            lines.append((f"protected {name}".strip(), ", ".join(features)))
        if "summary" in vars(self):
            return html.boxed(html.table(lines), html.bullets(self.summary.findings))
        return html.boxed(html.table([*lines, ("more", ".summary, .table, .decision(row)")]))

    @property
    def options(self) -> Any:
        """The options of the audit."""
        return self.verdict_schema.options

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """The verdicts in order, a part at a time, however many there are."""
        return self._output.batches()

    @cached_property
    def table(self) -> "pa.Table":
        """All verdicts as an Arrow table. From a file, all of it comes to memory."""
        import pyarrow as pa

        return pa.Table.from_batches(list(self.batches())).unify_dictionaries()

    @cached_property
    def summary(self) -> Summary:
        """The summary of the verdicts: print it, or use `as_dict()`.

        Cost: one pass over the verdicts; the data is not read again.
        """
        return summary_of(self)

    def report(self, path: str | os.PathLike[str]) -> list[Path]:
        """Write a self-contained HTML page, and beside it a JSON file with the same content.

        Charts, tables, and the most telling cases in sentences. The files appear complete.
        """
        return write_report(self, path)

    def letters(
        self, path: str | os.PathLike[str], codes: Any, *, budget: Budget | None = None
    ) -> Letters:
        """Write at most four principal reasons of every row without the favourable label.

        `codes` is a table of feature, code and text: a CSV file, or a mapping from features to
        (code, text); None, or the code "never" in a file, if one is never to be cited. The
        file is .csv, .jsonl or .parquet, and appears complete. `reasons.audit.letters.letters` says
        by which rule reasons are chosen. Print what is returned to read how many letters there
        are, and which rows have none. Cost: a sufficient reason for each kind of row.
        """
        return write_letters(self, path, codes, budget)

    def to_pandas(self) -> Any:
        """All verdicts as a pandas frame; groups are texts, not categories of all features."""
        import pyarrow as pa

        fields = [
            field.with_type(pa.string())
            if field.type == self.verdict_schema.characteristic
            else field
            for field in self.table.schema
        ]
        return self.table.cast(pa.schema(fields)).to_pandas()

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path else ""
        return f"<Audit of {len(self):,} rows{where}; .summary, .table, .report(), .decision(row)>"

    def __len__(self) -> int:
        return sum(batch.num_rows for batch in self.batches())

    def decision(self, row: int) -> Decision:
        """The decision on a row of the data, to ask everything else about it.

        Cost: that of reading the row's part of the data.
        """
        return Decision(self.classifier, self.instances([row])[row])

    def instances(self, rows: list[int]) -> dict[int, Instance]:
        """Rows of the data as instances."""
        return {row: instance for row, (instance, _) in self.with_kept(rows, ()).items()}

    def with_kept(
        self, rows: list[int], columns: Sequence[str] | None = None
    ) -> dict[int, tuple[Instance, dict[str, Any]]]:
        """Rows of the data as instances, with their values in the kept (or other) columns."""
        keep = tuple(self.options.keep if columns is None else columns)
        columns = tuple(dict.fromkeys((*self.classifier.schema.names, *keep)))
        wanted: dict[int, list[int]] = {}
        for row in sorted(set(rows)):
            wanted.setdefault(row // PART, []).append(row)
        found: dict[int, tuple[Instance, dict[str, Any]]] = {}
        for part, batch in self._parts(columns, list(wanted)):
            found |= self._read(batch, part * PART, wanted.pop(part), keep)
        if wanted:
            raise InputError(f"there is no row {min(min(own) for own in wanted.values())}")
        return found

    def _parts(
        self, columns: Sequence[str], numbers: list[int]
    ) -> "Iterator[tuple[int, pa.RecordBatch]]":
        """Some parts of the data; of files that cannot be read from the middle, in one pass."""
        if self.source.sequential and numbers:
            first, last = numbers[0], numbers[-1]
            every = islice(self.source.parts(columns, first), last - first + 1)
            yield from (each for each in enumerate(every, first) if each[0] in numbers)
        else:
            for number in numbers:
                yield number, next(self.source.parts(columns, number))

    def _read(
        self, batch: "pa.RecordBatch", first: int, rows: list[int], keep: Sequence[str]
    ) -> Iterator[tuple[int, tuple[Instance, dict[str, Any]]]]:
        for row in rows:
            at = row - first
            if not 0 <= at < batch.num_rows:
                raise InputError(f"there is no row {row}")
            try:
                instance = instance_at(self.classifier.schema, batch, at)
            except InputError as error:
                raise InputError(f"row {row}: {error}") from None
            yield row, (instance, {name: _json_value(batch.column(name)[at]) for name in keep})

    def replayed(self, sample: int, seed: int) -> list[tuple[Instance, Any]]:
        """Instances with the labels that the model must give them if the table is true.

        Of each of some rows: the row, the witnesses and the change that were found, and an
        instance that shares with it no more than its sufficient reason.
        """
        rng = random.Random(seed)
        chosen = _drawn(self.batches(), sample, rng)
        instances = self.instances([row["row"] for row in chosen])
        return [pair for row in chosen for pair in self._claims(row, instances[row["row"]], rng)]

    def _claims(
        self, row: dict[str, Any], own: Instance, rng: random.Random
    ) -> Iterator[tuple[Instance, Any]]:
        label = self._label(row["label"])
        yield own, label
        found = [("change", "change_label")]
        for name in self.options.protected:
            found.append((joined("witness", name), joined("witness_label", name)))
        for column, after in found:
            if (changed := row.get(column)) is not None:
                yield own.changed(self._cells(changed, own.cells)), self._label(row[after])
        for column in ("reason", "shortest"):
            if (reason := row.get(column)) is not None:
                anything = [rng.randrange(size) for size in self.verdict_schema.sizes]
                cells = self._cells(reason, anything)
                if self.classifier.backend.decide(cells) != _core.IMPOSSIBLE:
                    yield own.changed(cells), label

    def _cells(self, characteristics: list[str], otherwise: Sequence[int]) -> list[int]:
        """Cells with these characteristics, and otherwise as given."""
        cells = list(otherwise)
        for text in characteristics:
            feature, cell = self.verdict_schema.place[text]
            cells[feature] = cell
        return cells

    def _label(self, written: Any) -> Any:
        return next(
            x for x in self.verdict_schema.labels if self.verdict_schema.written(x) == written
        )


def _json_value(value: "pa.Scalar") -> Any:
    """A value of a kept column as JSON holds it; its type where Python has none like it."""
    try:
        return json_value(value.as_py())
    except (ValueError, OverflowError):
        return f"a value of type {value.type}"


def _drawn(
    batches: "Iterator[pa.RecordBatch]", sample: int, rng: random.Random
) -> list[dict[str, Any]]:
    """Rows that have a label, drawn alike from all of them (Algorithm R)."""
    kept: list[tuple[Any, int]] = []
    seen = 0
    for batch in batches:
        for row, ok in enumerate(batch.column("label").is_valid().to_pylist()):
            if not ok:
                continue
            seen += 1
            if len(kept) < sample:
                kept.append((batch, row))
            elif (place := rng.randrange(seen)) < sample:
                kept[place] = (batch, row)
    return [batch.slice(row, 1).to_pylist()[0] for batch, row in kept]
