"""The commands, each: read, call, print."""

from pathlib import Path
from typing import Annotated, Any

import typer

from reasons.backends.capabilities import Capability
from reasons.cli.arguments import decision_of, names_of, row_of
from reasons.cli.demo import print_demo
from reasons.cli.explain import lines, row_lines, row_view
from reasons.cli.options import InstanceText, Json, Output, Protected, Reading, Source
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


def _row_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise typer.BadParameter(f"{text!r} is not a row number; rows are counted from 0")
    return int(text)


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write.")] = Path(
        "out/demo"
    ),
    json: Json = False,
) -> None:
    """Explain the paper's examples, draw its figures, and audit generated data.

    Example: `reasons demo -o pictures`
    """
    print_demo(output, json)


def explain(
    source: Source,
    instance: InstanceText = None,
    data: Annotated[
        Path | None, typer.Option(help="CSV file with a column for each feature.")
    ] = None,
    row: Annotated[
        int | None,
        typer.Option(parser=_row_number, metavar="NUMBER", help="Row of --data, counted from 0."),
    ] = None,
    logged: Annotated[
        str | None, typer.Option(help="Column of --data with the logged decision.")
    ] = None,
    keep: Annotated[str, typer.Option(help="Columns of --data to print: id,date")] = "",
    protected: Protected = "",
    no_compile: Annotated[
        bool, typer.Option("--no-compile", help="Compile a CNF file only if a query needs it.")
    ] = False,
    *,
    reading: Reading,
    json: Json = False,
) -> None:
    """Explain the decision on one instance.

    Examples:

    `reasons explain "E & (~F | G | W)" --instance "E, ~F, ~G, W"`

    `reasons explain model.reasons --data rows.csv --row 17 --logged decision --keep id`
    """
    chosen = row_of(instance, data, row)
    about = row_view(chosen, logged, names_of(keep))
    with reading.classifier(source, lazily=no_compile) as (classifier, budget):
        decision = decision_of(classifier, instance if chosen is None else chosen)
        answers = overview(decision, names_of(protected), budget=budget, required=True)
        view = {**about, **overview_view(answers)} if json else {}
    if json:
        print_json(view)
    else:
        cells = {} if chosen is None else chosen.cells
        print_pairs(source, [*row_lines(about["row"], cells, decision), *lines(answers)])


def show(source: Source, *, reading: Reading, json: Json = False) -> None:
    """Describe a classifier: features, labels, size, and how many instances get each label.

    Example: `reasons show model.reasons`
    """
    with reading.classifier(source) as (classifier, budget):
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
    what: Annotated[str, typer.Option(help=f"What to draw: {', '.join(WHAT)}.")] = "",
    *,
    reading: Reading,
    json: Json = False,
) -> None:
    """Draw a classifier, or a step in computing the reason of a decision, as SVG or DOT.

    Examples:

    `reasons draw "E & (~F | G | W)" -o graph.svg`

    `reasons draw "E & (~F | G | W)" --instance "E, ~F, ~G, W" --what filtered -o filtered.svg`
    """
    suffix = output.suffix.lower()
    if suffix not in (".svg", ".dot", ".gv"):
        raise InputError(f"cannot draw into {output.name}; the file must end in .svg or .dot")
    with reading.classifier(source) as (classifier, _):
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
    """What to do instead where a drawing is too large."""
    if what == "reason":
        return "reasons serve shows it part by part"
    return "draw the reason of one decision (--instance TEXT --what reason), or use reasons serve"


def compile_(source: Source, output: Output, *, reading: Reading, json: Json = False) -> None:
    """Compile a classifier into a `.reasons` file, which loads fast.

    Example: `reasons compile "E & (~F | G | W)" -o admission.reasons`
    """
    with reading.classifier(source) as (classifier, _):
        classifier.save(output)
    if classifier.backend.supports(Capability.CIRCUIT):
        _written(output, json, nodes=len(classifier.circuit), edges=classifier.circuit.edges)
    else:
        _written(output, json, bytes=output.stat().st_size)


def convert(
    source: Source,
    output: Output,
    to: Annotated[str | None, typer.Option(help=f"Format: {', '.join(TARGETS)}.")] = None,
    *,
    reading: Reading,
    json: Json = False,
) -> None:
    """Write a classifier in another format; without --to, the output's extension selects it.

    Examples:

    `reasons convert model.cnf -o model.nnf`

    `reasons convert model.nnf -o other.nnf --to nnf-d4`
    """
    with reading.classifier(source) as (classifier, _):
        write(classifier, output, to=to)
    _written(output, json, nodes=len(classifier.circuit), edges=classifier.circuit.edges)


def _written(output: Path, json: bool, **figures: int) -> None:
    if json:
        print_json({"written": str(output), **figures})
    else:
        counts = ", ".join(f"{number:,} {name}" for name, number in figures.items())
        print(f"{output}: {counts}")
