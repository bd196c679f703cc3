"""`reasons audit`: verdicts on many rows, their summary, a report, letters."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from reasons.audit.api import audit as run_audit
from reasons.audit.audit import Audit
from reasons.audit.inputs.source import Source as Rows
from reasons.audit.inputs.source import source_of
from reasons.audit.letters.writer import letters_file
from reasons.audit.options import QUESTIONS
from reasons.audit.outputs.paths import require_no_overwrite
from reasons.audit.report.report import report_files
from reasons.audit.verdicts.log_columns import named
from reasons.budget import Budget
from reasons.classifier import Classifier
from reasons.cli.arguments import classifier_of, names_of, working
from reasons.cli.commands import Compiler, Constraint, Json, Nodes, Seconds, Source, With
from reasons.cli.output import print_json
from reasons.errors import InputError
from reasons.text import comma_list, did_you_mean

Data = Annotated[
    list[str], typer.Argument(help="CSV, Parquet or Arrow files, folders or patterns of them.")
]
Protected = Annotated[
    list[str] | None,
    typer.Option(help="Protected features: sex,race. Sets with names: --protected body=sex,age"),
]
_NEEDS_CODES = (
    "--letters needs --codes FILE, a CSV of feature,code,text with a line for each feature, such "
    'as income,01,"Your income is too low"; the code never is for what must not be named'
)
_POSTED = ("rows", "without", "undecided", "granted", "notes")


def audit(
    source: Source,
    data: Data,
    protected: Protected = None,
    ask: Annotated[str, typer.Option(help=f"Some of {','.join(QUESTIONS)}; all, or none.")] = "",
    logged: Annotated[str | None, typer.Option(help="Column of the decisions made.")] = None,
    logged_as: Annotated[
        list[str] | None,
        typer.Option(metavar="VALUE=LABEL", help="What a logged value stands for."),
    ] = None,
    keep: Annotated[str, typer.Option(help="Columns to copy: id,date")] = "",
    groups: Annotated[str, typer.Option(help="More columns to compare groups by.")] = "",
    favourable: Annotated[str | None, typer.Option(help="The label that people want.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A .parquet file, a folder, or a .duckdb file."),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a page: audit.html")] = None,
    letters: Annotated[
        Path | None, typer.Option(help="Write principal reasons of refusals: .csv, .jsonl, ...")
    ] = None,
    codes: Annotated[
        Path | None, typer.Option(help="For --letters: CSV of feature, code, text.")
    ] = None,
    engine: Annotated[str | None, typer.Option(help="dask or spark; without, threads.")] = None,
    scheduler: Annotated[str | None, typer.Option(help="The engine's address.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many work at once.")] = None,
    restart: Annotated[bool, typer.Option(help="Forget an earlier run's parts.")] = False,
    row_seconds: Annotated[
        float | None, typer.Option(help="Time for a question about one row.")
    ] = None,
    constraint: Constraint = None,
    compiler: Compiler = None,
    options: With = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Say of every row of a log why it was decided so, and what hangs on protected features.

    Examples:

    `reasons audit model.reasons log.parquet --protected sex,race -o verdicts.parquet`

    `reasons audit model.reasons logs/ --protected sex --logged decision --report audit.html`
    """
    if letters is None and codes is not None:
        raise InputError("--codes goes with --letters FILE")
    if letters is not None and codes is None:
        raise InputError(_NEEDS_CODES)
    rows = source_of(list(data))
    _require_apart(source, rows, output, report, letters, codes)
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, constraint, budget, compiler, options)
    told = dict(_pair(text, "--logged-as") for text in logged_as or ())
    with _counting(output, seconds) as budget:
        found = run_audit(
            classifier,
            rows,
            _protected(protected or []),
            (names_of(ask) or None) if ask != "all" else QUESTIONS,
            logged=logged,
            logged_as={value: _label(classifier, label) for value, label in told.items()},
            keep=names_of(keep),
            groups=names_of(groups),
            favourable=None if favourable is None else _label(classifier, favourable),
            output=output,
            restart=restart,
            engine=engine,
            scheduler=scheduler,
            workers=workers,
            seconds=row_seconds,
            budget=budget,
        )
    _tell(found, report, letters, codes, json)


def _require_apart(
    source: str,
    data: Rows,
    output: Path | None,
    report: Path | None,
    letters: Path | None,
    codes: Path | None,
) -> None:
    """Before any work: nothing is written over what is read, and no file twice."""
    pages = report_files(report) if report is not None else ()
    posted = letters_file(letters) if letters is not None else None
    model = source if os.path.exists(source) else None
    require_no_overwrite([output, *pages, posted], data, [model, codes])


def _tell(
    found: Audit, report: Path | None, letters: Path | None, codes: Path | None, json: bool
) -> None:
    written, posted = [found.path] if found.path else [], None
    told: dict[str, Any] = {}
    if report is not None:
        written += found.report(report)
    if letters is not None and codes is not None:
        with _counting(None, None, "letters") as budget:
            posted = found.letters(letters, codes, budget=budget)
        told["letters"] = {name: getattr(posted, name) for name in _POSTED}
        written.append(posted.path)
    if json:
        files = [str(path) for path in written]
        print_json({**found.summary.as_dict(), **told, "written": files})
        return
    print(found.summary)
    for path in written:
        print(f"written: {path}")
    if posted is not None:
        print(posted)


@contextmanager
def _counting(output: Path | None, seconds: float | None, work: str = "rows") -> Iterator[Budget]:
    """A budget that shows how many rows are done, how fast, and how long it will take."""
    console, rows = Console(stderr=True), "rows" if work == "rows" else f"rows for {work}"
    columns = (
        TextColumn(f"{{task.completed:,.0f}} {rows}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    done = 0
    try:
        with Progress(
            *columns, console=console, transient=True, disable=not console.is_terminal
        ) as bar:
            task = bar.add_task("rows", total=None, rate="")

            def tell(stage: str, now: int, total: int | None) -> None:
                nonlocal done
                if stage == work:
                    done = now
                    speed = bar.tasks[0].speed
                    rate = f"{speed:,.0f} rows/s" if speed else ""
                    bar.update(task, completed=now, total=total, rate=rate)

            yield Budget(seconds=seconds, progress=tell)
    except KeyboardInterrupt:
        kept = f"; {done:,} rows are kept: the same command goes on" if output else ""
        print(f"reasons: stopped{kept}", file=sys.stderr)
        raise typer.Exit(130) from None


def _protected(texts: list[str]) -> Any:
    """Features, or sets of them where names were given.

    >>> _protected(["sex, race"]), _protected(["body=sex,age", "origin=race"])
    (['sex', 'race'], {'body': ['sex', 'age'], 'origin': ['race']})
    """
    if not any("=" in text for text in texts):
        return [name for text in texts for name in names_of(text)]
    return {name: names_of(names) for name, names in (_pair(t, "--protected") for t in texts)}


def _pair(text: str, option: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise InputError(f"{option} {text}: write NAME=VALUE")
    return name.strip(), value.strip()


def _label(classifier: Classifier, text: str) -> Any:
    """The label that a text names."""
    found = named(text, classifier.labels, True)
    if len(found) == 1:
        return found[0]
    what = (
        f"{text!r} may be any label of {comma_list(found)}"
        if found
        else f"there is no label {text!r}{did_you_mean([text], classifier.labels)}"
    )
    raise InputError(f"{what}; the labels are: {comma_list(classifier.labels)}")
