"""`audit`: from data to verdicts, part by part, so that finished parts are never lost."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, Never

from reasons.audit.audit import Audit
from reasons.audit.engines import Engine, engine_of, unknown_engine
from reasons.audit.inputs.validation import require_numbers
from reasons.audit.options import audit_options
from reasons.audit.outputs.output import output_of
from reasons.audit.outputs.paths import require_no_overwrite
from reasons.audit.verdicts.marginals import MarginalCounts, detach_counts
from reasons.audit.verdicts.worker import VerdictWorker
from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.errors import InputError, Option, require_options
from reasons.formats.rows.source import PART, Source, source_of
from reasons.text import one_line

if TYPE_CHECKING:
    import pyarrow as pa


def audit(
    classifier: Classifier,
    data: Any,
    protected: Any = (),
    ask: Iterable[str] | str | None = None,
    *,
    logged: str | None = None,
    logged_as: Mapping[Any, Any] | None = None,
    keep: Iterable[str] | str = (),
    groups: Iterable[str] | str = (),
    favourable: Any = None,
    output: str | os.PathLike[str] | None = None,
    restart: bool = False,
    engine: str | Engine | None = None,
    scheduler: Any = None,
    workers: int | None = None,
    seconds: float | None = None,
    budget: Budget | None = None,
    **misspelt: Never,
) -> Audit:
    """The verdicts on every row of a frame or of files, with a summary.

    `data` is a pandas, polars or Arrow frame, a CSV, Parquet or Arrow file, a folder or several
    of these. `protected` are features, or named sets of them; `ask` is some of "bias",
    "witness", "necessary", "reason", "shortest", "count" and "change". `logged` is the column
    of the decisions that were made, `logged_as` maps its values to labels. `keep` are columns to
    copy, `groups` further columns whose groups are compared, `favourable` is the label that people
    want. `output` is a .parquet file, a folder or a .duckdb file; an audit that was stopped
    resumes there. `seconds` limits a query about one row.

    Cost: O(rows * circuit / 64) at most for a question.

    >>> import reasons
    >>> rows = [{"E": True, "R": False}, {"E": True, "R": True}]
    >>> found = reasons.audit(reasons.compile("E & R"), rows, protected=["R"])
    >>> found.table.column("biased").to_pylist()
    [True, True]
    """
    require_options("audit", misspelt, ("protected", "ask", *(audit.__kwdefaults__ or ())))
    if not isinstance(classifier, Classifier):
        raise InputError(
            f"an audit is of a compiled classifier, not {type(classifier).__name__}: "
            "reasons.audit(reasons.compile(model), data)"
        )
    options = audit_options(
        classifier.schema,
        classifier.labels,
        protected=protected,
        ask=ask,
        logged=logged,
        logged_as=logged_as,
        keep=keep,
        groups=groups,
        favourable=favourable,
        seconds=seconds,
    )
    verdicts = VerdictWorker(classifier, options)
    if budget is not None and not isinstance(budget, Budget):
        raise InputError("{given} must be a reasons.Budget", given=Option("budget", budget))
    source, limits = source_of(data), budget or Budget()
    require_numbers(classifier.schema, source, verdicts.columns)
    if engine is None or isinstance(engine, str):
        engine = engine_of(engine, scheduler=scheduler, workers=workers)
    elif not callable(engine):
        raise unknown_engine(engine)
    target, finished = output_of(output), set[int]()
    counted = MarginalCounts(classifier.schema)
    if target.path is not None:
        source.require_not_input(target.path)
        require_no_overwrite([target.path], source)
    # First: an engine refuses work that it cannot pickle before anything is written.
    working = engine(verdicts, _open(verdicts, source, finished))
    with target.working(lambda: _plan(verdicts, source), restart) as kept, closing(working):
        finished.update(kept)  # in place: the parts to do are read from it
        for counts in kept.values():
            counted.add(counts)
        done = len(finished) * PART
        done = done if source.rows is None else min(done, source.rows)
        limits.report("rows", done, source.rows)
        for number, answered in working:
            batch, counts = detach_counts(answered)
            counted.add(counts)
            target.write(number, batch, counts)
            done += batch.num_rows
            limits.report("rows", done, source.rows)
            limits.check("the audit")
        target.finish()
    return Audit(classifier, verdicts.verdict_schema, source, target, limits, counted.marginals())


def _open(
    verdicts: VerdictWorker, source: Source, finished: set[int]
) -> "Iterator[tuple[int, pa.RecordBatch]]":
    """The unfinished parts with their numbers; data without rows is one empty part."""
    import pyarrow as pa

    first = next(number for number in range(len(finished) + 1) if number not in finished)
    try:
        for number, batch in enumerate(source.parts(verdicts.columns, first), first):
            if number not in finished and (batch.num_rows or not number):
                yield number, batch
    except pa.ArrowException as error:
        raise InputError(f"{source.name} cannot be read by Arrow: {one_line(error)}") from None


def _plan(verdicts: VerdictWorker, source: Source) -> dict[str, Any]:
    """What identifies this audit, for resuming."""
    return {
        "part": PART,
        "source": source.identity(),
        "columns": list(verdicts.columns),
        "work": verdicts.identity,
    }
