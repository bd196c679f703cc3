"""Audits as JSON objects: the summary that shell, server and report share, and the report."""

from typing import TYPE_CHECKING

from reasons.views.values import Object, json_tree

if TYPE_CHECKING:
    from reasons.audit.audit import Audit
    from reasons.audit.summary.cases import Case
    from reasons.audit.summary.summary import Summary


def summary_view(summary: "Summary") -> Object:
    """The figures of a summary; counts beyond 2^53 are texts, like other such numbers."""
    return {name: json_tree(figure) for name, figure in summary.figures.items()}


def report_view(audit: "Audit", data: str | None, cases: "list[Case]", why: str | None) -> Object:
    """Everything that a report says; `why` says why there are no cases."""
    options, summary = audit.options, audit.summary
    about = {
        "data": data,
        "model": repr(audit.classifier).strip("<>"),
        "method": audit.classifier.method,
        "protected": {name or ", ".join(own): own for name, own in options.protected.items()},
        "asked": sorted(options.ask),
    }
    return {
        "about": json_tree(about),
        "findings": summary.findings,
        **summary_view(summary),
        "cases": json_tree(cases),
        "cases_why": why,
    }
