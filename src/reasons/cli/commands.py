"""The commands, each: read, call, print."""

from pathlib import Path
from typing import Annotated, Any

import typer

from reasons.cli.arguments import classifier_of, decision_of, names_of, row_of, working
from reasons.cli.demo import tell_story
from reasons.cli.explain import lines, row_lines, row_view
from reasons.cli.output import print_json, print_pairs
from reasons.errors import BudgetExceeded, InputError
from reasons.explain.overview import overview
from reasons.formats.write import TARGETS, write
from reasons.fs import write_atomically
from reasons.render.dot import dot
from reasons.render.svg import svg
from reasons.views.classifier import classifier_view, size_view
from reasons.views.decision import overview_view
from reasons.views.pictures import WHAT, picture

Source = Annotated[str, typer.Argument(help="A file, a formula, or - for standard input.")]
Constraint = Annotated[str | None, typer.Option(help="Formula of the instances that are possible.")]
Compiler = Annotated[
    str | None,
    typer.Option(help="For clauses: d4, c2d, minic2d or dsharp, if on PATH; checked."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seconds = Annotated[float | None, typer.Option(help="Give up after this long (exit code 3).")]
Nodes = Annotated[int | None, typer.Option(help="Give up above this many nodes (exit code 3).")]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="OPTION=VALUE",
        help="For a file's reader: names=comments, root=NAME, threshold=0.3, missing=false, "
        "\"domain={'age': range(18, 100), 'rooms': {1, 2}}\", ...",
    ),
]
InstanceText = Annotated[
    str | None, typer.Option("--instance", "-i", help='Such as "E, ~F, age = 33".')
]
Data = Annotated[Path | None, typer.Option(help="CSV file with a column for each feature.")]


def _row_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise typer.BadParameter(f"{text!r} is no row: rows are numbers, the first one is 0")
    return int(text)


Row = Annotated[
    int | None,
    typer.Option(parser=_row_number, metavar="NUMBER", help="Row of --data, counted from 0."),
]
NoCompile = Annotated[
    bool, typer.Option("--no-compile", help="Of a .cnf file: compile only if it must be.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Where to write.")]


def demo(output: Output = Path("out/demo"), json: Json = False) -> None:
    """Tell the paper's story and draw its figures into a folder.

    Example: `reasons demo -o pictures`
    """
    tell_story(output, json)


def explain(
    source: Source,
    instance: InstanceText = None,
    data: Data = None,
    row: Row = None,
    logged: Annotated[
        str | None, typer.Option(help="Column of --data with the decision made.")
    ] = None,
    keep: Annotated[str, typer.Option(help="Columns of --data to print: id,date")] = "",
    protected: Annotated[str, typer.Option(help="Protected features: R,sex")] = "",
    constraint: Constraint = None,
    compiler: Compiler = None,
    options: With = None,
    no_compile: NoCompile = False,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Say why an instance is decided as it is.

    Examples:

    `reasons explain "E & (~F | G | W)" --instance "E, ~F, ~G, W"`

    `reasons explain model.reasons --data rows.csv --row 17 --logged decision --keep id`
    """
    chosen = row_of(instance, data, row)
    about = row_view(chosen, logged, names_of(keep))
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, constraint, budget, compiler, options, lazily=no_compile)
        decision = decision_of(classifier, instance if chosen is None else chosen)
        found = overview(decision, names_of(protected), budget=budget, required=True)
        view = {**about, **overview_view(found)} if json else {}
    if json:
        print_json(view)
    else:
        cells = {} if chosen is None else chosen.cells
        print_pairs(source, [*row_lines(about["row"], cells, decision), *lines(found)])


def show(
    source: Source,
    constraint: Constraint = None,
    compiler: Compiler = None,
    options: With = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Describe a classifier: features, labels, size, how many instances get each label.

    Example: `reasons show model.reasons`
    """
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, constraint, budget, compiler, options)
        view = {**classifier_view(classifier), **size_view(classifier, budget)}
    if json:
        print_json(view)
    else:
        print_pairs(source, _classifier_lines(view))


def _classifier_lines(view: dict[str, Any]) -> list[tuple[str, str]]:
    features = "\n".join(f"{f['name']}: {f['kind']}, {f['cells']} values" for f in view["features"])
    lines = [("features", features)]
    lines.append(("instances", "\n".join(f"{n}: {int(c):,}" for n, c in view["instances"].items())))
    for name in ("method", "nodes", "edges", "ordered", "constraint"):
        if view[name] is not None:
            lines.append((name, str(view[name])))
    return [*lines, *([("notes", "\n".join(view["notes"]))] if view["notes"] else [])]


def draw(
    source: Source,
    output: Output,
    instance: InstanceText = None,
    what: Annotated[str, typer.Option(help=f"One of: {', '.join(WHAT)}.")] = "",
    constraint: Constraint = None,
    compiler: Compiler = None,
    options: With = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Draw a classifier, or a step on the way to a decision's reason, as SVG or DOT.

    Examples:

    `reasons draw "E & (~F | G | W)" -o graph.svg`

    `reasons draw "E & (~F | G | W)" --instance "E, ~F, ~G, W" --what filtered -o filtered.svg`
    """
    suffix = output.suffix.lower()
    if suffix not in (".svg", ".dot", ".gv"):
        raise InputError(f"cannot draw a {suffix or 'nameless'} file; use .svg or .dot")
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, constraint, budget, compiler, options)
        decision = classifier.decide(instance) if instance is not None else None
        try:
            drawing = picture(classifier, decision, what)
            text = svg(drawing) if suffix == ".svg" else dot(drawing)
        except BudgetExceeded as error:
            error.add_note(_smaller(what or ("graph" if decision is None else "reason")))
            raise
    write_atomically(output, text.encode())
    _written(output, json, vertices=len(drawing.vertices), edges=len(drawing.edges))


def _smaller(what: str) -> str:
    """What can be looked at where a drawing is too large."""
    if what == "reason":
        return "reasons serve shows it part by part"
    return "draw one decision's reason (--instance TEXT --what reason), or see it by reasons serve"


def compile_(
    source: Source,
    output: Output,
    constraint: Constraint = None,
    compiler: Compiler = None,
    options: With = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Compile a classifier once, into a `.reasons` file that loads fast.

    Example: `reasons compile "E & (~F | G | W)" -o admission.reasons`
    """
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, constraint, budget, compiler, options)
        classifier.save(output)
    _written(output, json, nodes=len(classifier.circuit), edges=classifier.circuit.edges)


def convert(
    source: Source,
    output: Output,
    to: Annotated[str | None, typer.Option(help=f"One of: {', '.join(TARGETS)}.")] = None,
    constraint: Constraint = None,
    compiler: Compiler = None,
    options: With = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Write a classifier in another format, by default the one of the output's extension.

    Examples:

    `reasons convert model.cnf -o model.nnf`

    `reasons convert model.nnf -o other.nnf --to nnf-d4`
    """
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, constraint, budget, compiler, options)
        write(classifier, output, to=to)
    _written(output, json, nodes=len(classifier.circuit), edges=classifier.circuit.edges)


def _written(output: Path, json: bool, **figures: int) -> None:
    if json:
        print_json({"written": str(output), **figures})
    else:
        counts = ", ".join(f"{number:,} {name}" for name, number in figures.items())
        print(f"{output}: {counts}")
