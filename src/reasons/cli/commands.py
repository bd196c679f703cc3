"""The commands, each: read, call, print."""

from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from reasons.classifier import Classifier, Decision
from reasons.cli.output import print_json, print_pairs
from reasons.cli.sources import classifier_of, decision_of, working
from reasons.cli.tell import tell_story
from reasons.errors import BudgetExceeded, InputError
from reasons.pictures import WHAT, picture
from reasons.queries.bias import Bias
from reasons.queries.termset import TermSet
from reasons.render.dot import dot
from reasons.render.svg import svg
from reasons.storage import write_atomically

Source = Annotated[str, typer.Argument(help="A file, a formula, or - for standard input.")]
Given = Annotated[str | None, typer.Option(help="Formula of the instances that are possible.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seconds = Annotated[float | None, typer.Option(help="Give up after this long (exit code 3).")]
Nodes = Annotated[int | None, typer.Option(help="Give up above this many nodes (exit code 3).")]
InstanceText = Annotated[
    str | None, typer.Option("--instance", "-i", help='Such as "E, ~F, age = 33".')
]
Data = Annotated[Path | None, typer.Option(help="CSV file with a column for each feature.")]
Row = Annotated[int | None, typer.Option(help="Row of --data, counted from 0.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="Where to write.")]

_SHOWN = 20


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
    protected: Annotated[str, typer.Option(help="Protected features: R,sex")] = "",
    given: Given = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Say why an instance is decided as it is.

    Examples:

    `reasons explain "E & (~F | G | W)" --instance "E, ~F, ~G, W"`

    `reasons explain model.reasons --data rows.csv --row 17 --protected R --json`
    """
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, given, budget)
        decision = decision_of(classifier, instance, data, row)
        names = [name.strip() for name in protected.split(",") if name.strip()]
        found = _explained(decision, names, budget)
    if json:
        print_json(found)
    else:
        print_pairs(f"{source}", _lines(found))


def _explained(decision: Decision, protected: list[str], budget: Any) -> dict[str, Any]:
    necessary = decision.necessary_reason
    found: dict[str, Any] = {
        "label": decision.label,
        "instance": dict(decision.instance),
        "complete_reason": str(decision.reason),
        "general_reason": str(decision.general_reason),
        "sufficient_reason": decision.sufficient_reason(budget=budget),
        "sufficient_reasons": _terms(lambda: decision.sufficient_reasons(budget=budget)),
        "necessary_property": decision.necessary_property,
        "necessary_reason": necessary,
        "contrastive_sets": _terms(lambda: decision.contrastive_sets(budget=budget)),
        "smallest_change": _smallest(decision),
        "statements": decision.statements(protected=protected),
        "given": decision.classifier.given,
    }
    if protected:
        found["bias"] = {
            "protected": protected,
            "decision": _verdict(decision.bias(protected)),
            "classifier": _verdict(decision.classifier.bias(protected, budget=budget)),
        }
    return found


def _terms(make: Any) -> dict[str, Any]:
    """A set of terms: how many and the first few, or that they are too many to list."""
    try:
        terms: TermSet = make()
    except BudgetExceeded as error:
        return {"count": None, "shortest": [], "shares": {}, "note": str(error)}
    shares = {name: share for name, share in terms.share().items() if share}
    return {"count": terms.count(), "shortest": list(islice(terms, _SHOWN)), "shares": shares}


def _smallest(decision: Decision) -> dict[str, Any] | None:
    change = decision.contrastive_set()
    if change is None:
        return None
    return {"instance": dict(change.instance), "label": change.label, "given_up": change.given_up}


def _verdict(found: Bias) -> dict[str, Any]:
    return {"biased": found.biased, "witness": found.witness, "proof": found.proof}


def _lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    def listed(terms: dict[str, Any]) -> str:
        if terms["count"] is None:
            return str(terms["note"])
        more = terms["count"] - len(terms["shortest"])
        lines = [str(term) for term in terms["shortest"]]
        return "\n".join([*lines, *([f"... and {more:,} more"] if more else [])])

    lines = [
        ("decision", str(found["label"])),
        ("complete reason", found["complete_reason"]),
        ("sufficient reasons", listed(found["sufficient_reasons"])),
        ("features in them", _bars(found["sufficient_reasons"]["shares"])),
        ("necessary property", str(found["necessary_property"])),
        ("necessary reason", str(found["necessary_reason"] or "none")),
        ("would change it", listed(found["contrastive_sets"])),
        ("smallest change", _change_line(found["smallest_change"])),
        ("in words", "\n".join(found["statements"])),
    ]
    if found["general_reason"] != found["complete_reason"]:
        lines.insert(2, ("general reason", found["general_reason"]))
    if found["given"]:
        lines.append(("possible only if", found["given"]))
    for subject, verdict in found.get("bias", {}).items():
        if subject != "protected":
            lines.append((f"{subject} bias", _bias_line(verdict)))
    return lines


def _bars(shares: dict[str, float]) -> str:
    """How often each feature occurs, as bars; the most frequent first, at most twelve."""
    ranked = sorted(shares.items(), key=lambda item: -item[1])[:12]
    width = max((len(name) for name, _ in ranked), default=0)
    return "\n".join(f"{n:<{width}} {s:>5.0%} {'█' * round(20 * s)}" for n, s in ranked) or "none"


def _change_line(change: dict[str, Any] | None) -> str:
    if change is None:
        return "none; the label is always the same"
    values = ", ".join(f"{name} = {change['instance'][name]}" for name in change["given_up"])
    return f"{values}: {change['label']}"


def _bias_line(verdict: dict[str, Any]) -> str:
    if not verdict["biased"]:
        return f"no ({verdict['proof']})"
    witness = verdict["witness"]
    pair = witness if isinstance(witness, tuple) else (witness,)
    return "yes; witness " + "\nand ".join(str(instance) for instance in pair)


def show(
    source: Source,
    given: Given = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Describe a classifier: features, labels, size, how many instances get each label.

    Example: `reasons show model.reasons`
    """
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, given, budget)
    found = _described(classifier)
    if json:
        print_json(found)
        return
    counts = "\n".join(f"{label}: {count:,}" for label, count in found["instances"].items())
    features = "\n".join(
        f"{f['name']}: {f['kind']}, {len(f['values'])} values" for f in found["features"]
    )
    pairs = [("features", features), ("instances", counts)]
    for name in ("nodes", "edges", "ordered", "given"):
        pairs.append((name, str(found[name])))
    print_pairs(source, pairs)


def _described(classifier: Classifier) -> dict[str, Any]:
    circuit = classifier.circuit
    return {
        "features": [
            {"name": f.name, "kind": f.kind, "values": [str(v) for v in f.values]}
            for f in classifier.features
        ],
        "labels": list(classifier.labels),
        "instances": {str(label): classifier.count(label) for label in classifier.labels},
        "method": classifier.method,
        "nodes": len(circuit),
        "edges": circuit.edges,
        "ordered": circuit.is_ordered,
        "given": classifier.given,
    }


def draw(
    source: Source,
    output: Output,
    instance: InstanceText = None,
    what: Annotated[str, typer.Option(help=f"One of: {', '.join(WHAT)}.")] = "",
    given: Given = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Draw a classifier, or a step on the way to a decision's reason, as SVG or DOT.

    Examples:

    `reasons draw "E & (~F | G | W)" -o graph.svg`

    `reasons draw "E & (~F | G | W)" --instance "E, ~F, ~G, W" --what filtered -o filtered.svg`
    """
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, given, budget)
        decision = classifier.decide(instance) if instance is not None else None
        drawing = picture(classifier, decision, what)
    suffix = output.suffix.lower()
    if suffix not in (".svg", ".dot", ".gv"):
        raise InputError(f"cannot draw a {suffix or 'nameless'} file; use .svg or .dot")
    text = svg(drawing) if suffix == ".svg" else dot(drawing)
    write_atomically(output, text.encode())
    _written(output, json, vertices=len(drawing.vertices), edges=len(drawing.edges))


def compile_(
    source: Source,
    output: Output,
    given: Given = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
) -> None:
    """Compile a classifier once, into a `.reasons` file that loads fast.

    Example: `reasons compile "E & (~F | G | W)" -o admission.reasons`
    """
    with working(seconds, nodes) as budget:
        classifier = classifier_of(source, given, budget)
    classifier.save(output)
    _written(output, json, nodes=len(classifier.circuit), edges=classifier.circuit.edges)


def _written(output: Path, json: bool, **figures: int) -> None:
    if json:
        print_json({"written": str(output), **figures})
    else:
        counts = ", ".join(f"{number:,} {name}" for name, number in figures.items())
        print(f"{output}: {counts}")
