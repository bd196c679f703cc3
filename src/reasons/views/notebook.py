"""What a notebook shows for a classifier and for a decision."""

from typing import TYPE_CHECKING

from reasons.features.feature import Feature
from reasons.render import html
from reasons.text import comma_list

if TYPE_CHECKING:
    from reasons.classifier import Classifier
    from reasons.decision import Decision


def classifier_html(classifier: "Classifier", drawn: str) -> str:
    """The size, the labels, the features with their values, and the graph where it is drawn."""
    said = [("classifier", repr(classifier).rpartition("; ")[2].rstrip(">"))]
    said.append(("labels", comma_list(classifier.labels)))
    if classifier.constraint:
        said.append(("possible only if", classifier.constraint))
    if classifier.notes:
        said.append(("notes", "; ".join(classifier.notes)))
    rows = [(f.name, f.kind, _values(f)) for f in classifier.features]
    features = html.grid(("feature", "kind", "values"), rows)
    return html.boxed(html.table(said), features, f"<div>{drawn}</div>")


def _values(feature: Feature) -> str:
    return comma_list((feature.value_text(cell) for cell in range(len(feature.values))), most=6)


def decision_html(decision: "Decision") -> str:
    """The label, the instance, what is necessary, sentences, and the reason drawn.

    A model that is answered by search has no reason to draw: one reason is written instead.
    """
    rows = [
        ("decision", str(decision.label)),
        ("instance", str(decision.instance)),
        ("necessary", str(decision.necessary_property)),
    ]
    if decision.classifier.method == "search":
        rows.append(("one reason", str(decision.sufficient_reason())))
        return html.boxed(html.table(rows))
    sentences = html.bullets(decision.statements(limit=5))
    return html.boxed(html.table(rows), sentences, decision.reason._repr_html_())
