"""What a notebook shows for a decision."""

from typing import TYPE_CHECKING

from reasons.render import html

if TYPE_CHECKING:
    from reasons.decision import Decision


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
