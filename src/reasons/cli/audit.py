"""`reasons audit`: verdicts on many rows, their summary, a report, letters."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from reasons.audit.api import audit as run_audit
from reasons.audit.audit import Audit
from reasons.audit.letters.writer import letters_file
from reasons.audit.options import QUESTIONS
from reasons.audit.outputs.paths import require_no_overwrite
from reasons.audit.report.report import report_files
from reasons.audit.verdicts.log_columns import named
from reasons.classifier import Classifier
from reasons.cli.arguments import names_of
from reasons.cli.options import Json, Reading, Source
from reasons.cli.output import print_json
from reasons.cli.progress import row_progress
from reasons.errors import InputError
from reasons.formats.rows.source import Source as Rows
from reasons.formats.rows.source import source_of
from reasons.text import comma_list, did_you_mean

_NEEDS_CODES = (
    "--letters needs --codes FILE, a CSV of feature,code,text with a line for each feature, such "
    'as income,01,"Your income is too low"; the code "never" keeps a feature out of letters'
)
_LETTER_COUNTS = ("rows", "without", "undecided", "granted", "notes")


def audit(
    source: Source,
    data: Annotated[
        list[str], typer.Argument(help="CSV, Parquet or Arrow files, folders or glob patterns.")
    ],
    protected: Annotated[
        list[str] | None,
        typer.Option(help="Protected features: sex,race. A named set: --protected body=sex,age"),
    ] = None,
    ask: Annotated[str, typer.Option(help=f"Questions, or all: {', '.join(QUESTIONS)}.")] = "",
    logged: Annotated[str | None, typer.Option(help="Column of the logged decisions.")] = None,
    logged_as: Annotated[
        list[str] | None,
        typer.Option(metavar="VALUE=LABEL", help="The label that a logged value means."),
    ] = None,
    keep: Annotated[str, typer.Option(help="Columns to copy to the output: id,date")] = "",
    groups: Annotated[str, typer.Option(help="Further columns whose groups are compared.")] = "",
    favourable: Annotated[str | None, typer.Option(help="The label that applicants want.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A .parquet file, a folder, or a .duckdb file."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write an HTML report, such as audit.html.")
    ] = None,
    letters: Annotated[
        Path | None,
        typer.Option(help="Write the principal reasons of refusals: .csv, .jsonl, ..."),
    ] = None,
    codes: Annotated[
        Path | None, typer.Option(help="For --letters: a CSV of feature, code, text.")
    ] = None,
    engine: Annotated[str | None, typer.Option(help="dask or spark; threads by default.")] = None,
    scheduler: Annotated[str | None, typer.Option(help="Address of the engine.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Number of workers.")] = None,
    restart: Annotated[bool, typer.Option(help="Discard the parts of an earlier run.")] = False,
    row_seconds: Annotated[
        float | None, typer.Option(help="Time limit of a question about one row, in seconds.")
    ] = None,
    *,
    reading: Reading,
    json: Json = False,
) -> None:
    """Explain every row of a log, and find the decisions that protected features can change.

    Examples:

    `reasons audit model.reasons log.parquet --protected sex,race -o verdicts.parquet`

    `reasons audit model.reasons logs/ --protected sex --logged decision --report audit.html`
    """
    if letters is None and codes is not None:
        raise InputError("--codes needs --letters FILE")
    if letters is not None and codes is None:
        raise InputError(_NEEDS_CODES)
    rows = source_of(list(data))
    _require_apart(source, rows, output, report, letters, codes)
    with reading.classifier(source) as (classifier, _):
        meanings = dict(_pair(text, "--logged-as") for text in logged_as or ())
    with row_progress(reading.seconds, resumable=output is not None) as budget:
        audited = run_audit(
            classifier,
            rows,
            _protected(protected or []),
            (names_of(ask) or None) if ask != "all" else QUESTIONS,
            logged=logged,
            logged_as={value: _label(classifier, label) for value, label in meanings.items()},
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
    _print(audited, report, letters, codes, json)


def _require_apart(
    source: str,
    data: Rows,
    output: Path | None,
    report: Path | None,
    letters: Path | None,
    codes: Path | None,
) -> None:
    """Raise `InputError` where a file that is read would be written, or one written twice."""
    pages = report_files(report) if report is not None else ()
    mail = letters_file(letters) if letters is not None else None
    model = source if os.path.exists(source) else None
    require_no_overwrite([output, *pages, mail], data, [model, codes])


def _print(
    audited: Audit, report: Path | None, letters: Path | None, codes: Path | None, json: bool
) -> None:
    written, mail = [audited.path] if audited.path else [], None
    counts: dict[str, Any] = {}
    if report is not None:
        written += audited.report(report)
    if letters is not None and codes is not None:
        with row_progress(stage="letters") as budget:
            mail = audited.letters(letters, codes, budget=budget)
        counts["letters"] = {name: getattr(mail, name) for name in _LETTER_COUNTS}
        written.append(mail.path)
    if json:
        files = [str(path) for path in written]
        print_json({**audited.summary.as_dict(), **counts, "written": files})
        return
    print(audited.summary)
    for path in written:
        print(f"written: {path}")
    if mail is not None:
        print(mail)


def _protected(texts: list[str]) -> Any:
    """Features, or named sets of them.

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
    labels = named(text, classifier.labels, True)
    if len(labels) == 1:
        return labels[0]
    problem = (
        f"{text!r} is ambiguous: it may be any of {comma_list(labels)}"
        if labels
        else f"there is no label {text!r}{did_you_mean([text], classifier.labels)}"
    )
    raise InputError(f"{problem}; the labels are: {comma_list(classifier.labels)}")
