"""`reasons demo`: the paper's classifiers and applicants in tables, its figures, an audit."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reasons.audit.api import audit
from reasons.cli.output import console, print_json, print_table
from reasons.datasets.applications import PROTECTED, applications, points_card
from reasons.datasets.paper import (
    ADMISSIONS,
    APPLICANTS,
    Admission,
    Applicant,
    classifier,
    decision,
    figure_classifier,
)
from reasons.decision import Decision
from reasons.errors import InputError
from reasons.explain.bias import Bias
from reasons.explain.overview import bias_overview, overview
from reasons.fs import write_atomically
from reasons.render.graph import Graph
from reasons.render.svg import svg, svg_row
from reasons.views.bias import bias_view
from reasons.views.decision import overview_view
from reasons.views.pictures import picture


def print_demo(folder: Path, json: bool) -> None:
    """Print the examples, as tables or as one JSON object, and write the drawings."""
    files = [str(path) for path in _draw(folder)]
    if json:
        views = [_admission_view(admission) for admission in ADMISSIONS]
        print_json({"classifiers": views, "drawings": files, "report": _audited(folder)[1]})
        return
    for admission in ADMISSIONS:
        _print_admission(admission)
    print(f"\nDrawings are in {folder}:")
    for file in files:
        print(f"  {file}")
    _print_audit(folder)


def _print_audit(folder: Path) -> None:
    console.print("\nAn audit of 100,000 generated applications", style="bold")
    print("The model adds up points: some for a rich hometown, none for sex.")
    findings, files = _audited(folder)
    for line in findings or ["skipped: it needs pip install 'reasons[audit]'"]:
        print(f"  - {line}")
    for file in files:
        print(f"  {file}")


def _audited(folder: Path) -> tuple[list[str], list[str]]:
    """The findings of an audit of generated data and its report; nothing without the libraries."""
    if not all(map(find_spec, ("pyarrow", "jinja2"))):
        return [], []
    audited = audit(
        points_card(),
        applications(),
        PROTECTED,
        logged="decision",
        groups="region",
        favourable="admitted",
    )
    return audited.summary.findings, [str(path) for path in audited.report(folder / "audit.html")]


def _of(admission: Admission) -> list[tuple[Applicant, Decision]]:
    return [(a, decision(a)) for a in APPLICANTS if a.admission == admission.key]


def _print_admission(admission: Admission) -> None:
    clf = classifier(admission.key)
    print()
    console.print(f"{admission.key}: {admission.formula}   ({admission.where})", style="bold")
    made_on = _of(admission)
    print_table(
        "Decisions and their reasons",
        ["applicant", "instance", "decision", "complete reason", "sufficient reasons"],
        ([*_who(a, d), str(d.reason), str(d.sufficient_reasons())] for a, d in made_on),
    )
    protected = ", ".join(admission.protected)
    print_table(
        "What is necessary" + (f"; protected: {protected}" if protected else ""),
        ["applicant", "instance", "decision", "necessary property", "necessary reason", "biased"],
        ([*_who(a, d), *_needs(d), _biased(d, admission)] for a, d in made_on),
    )
    for applicant, made in _of(admission):
        print(f"\n{applicant.name} ({applicant.where}):")
        for text in _sentences(applicant, made, admission):
            print(f"  {text}")
    if admission.protected:
        print(f"\n{_classifier_line(clf.bias(admission.protected), admission)}")


def _who(applicant: Applicant, made: Decision) -> list[str]:
    label = "admitted" if made.label else "denied"
    return [applicant.name, str(made.instance), label]


def _needs(made: Decision) -> list[str]:
    return [
        str(made.necessary_property),
        "none" if made.necessary_reason is None else str(made.necessary_reason),
    ]


def _biased(made: Decision, admission: Admission) -> str:
    if not admission.protected:
        return "nothing protected"
    bias = made.bias(admission.protected)
    return f"yes; witness: {bias.witness}" if bias else "no"


def _sentences(applicant: Applicant, made: Decision, admission: Admission) -> Iterator[str]:
    yield from made.statements(protected=admission.protected)
    for change, term in applicant.even_if:
        holds = made.even_if_because(change, term)
        truth = "true" if holds else "false"
        yield f'The paper says "even if {change}, because {term}": {truth}.'
    unbiased = admission.protected and not made.bias(admission.protected)
    if unbiased and made.shows_classifier_bias(admission.protected):
        yield "The decision is not biased, but its reasons show that the classifier is."


def _classifier_line(bias: Bias, admission: Admission) -> str:
    names = ", ".join(admission.protected)
    if not bias:
        return f"The classifier {admission.key} is not biased on {names}."
    one, other = bias.witness
    pair = f"({one}) and ({other})"
    return f"The classifier {admission.key} is biased on {names}; witness pair: {pair}."


def _admission_view(admission: Admission) -> dict[str, Any]:
    clf = classifier(admission.key)
    return {
        "name": admission.key,
        "formula": admission.formula,
        "where": admission.where,
        "bias": bias_view(clf, bias_overview(clf, None, admission.protected)),
        "applicants": [
            {
                "name": a.name,
                "where": a.where,
                **overview_view(overview(d, admission.protected)),
                "statements": list(_sentences(a, d, admission)),
            }
            for a, d in _of(admission)
        ],
    }


def _draw(folder: Path) -> Iterator[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot create the folder {folder}: {error.strerror}") from None
    for name, text in _figures():
        path = folder / f"{name}.svg"
        write_atomically(path, text.encode())
        yield path


def _figures() -> Iterator[tuple[str, str]]:
    for admission in ADMISSIONS:
        yield f"{admission.key}-graph", svg(picture(classifier(admission.key)))
    figure = figure_classifier()
    made = figure.decide("~A, B, C")
    panels = ("graph", "circuit", "consensus", "filtered")
    yield "steps", svg_row([_panel(figure, made, what) for what in panels])
    for what in panels[1:]:
        yield f"steps-{what}", svg(picture(figure, made, what))
    study = [a for a in APPLICANTS if a.admission == "C4"]
    for applicant in study:
        yield f"reason-{applicant.name}", svg(decision(applicant).reason.drawing())
    yield "reasons", svg_row([_titled(decision(a).reason.drawing(), a.name) for a in study])


def _panel(figure: Any, made: Decision, what: str) -> Graph:
    return picture(figure, None if what == "graph" else made, what)


def _titled(drawing: Graph, title: str) -> Graph:
    return Graph(title, drawing.vertices, drawing.edges, drawing.title)
