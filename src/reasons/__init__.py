"""Why a classifier decided what it decided: exactly, fast, with evidence.

>>> import reasons
>>> clf = reasons.compile("E & (~F | G | W)")
>>> d = clf.decide("E, ~F, ~G, W")
>>> d.label, str(d.reason)
(True, 'E & (~F | W)')
"""

import sys as _sys
from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

TYPE_CHECKING = False  # type checkers take it for true; importing `typing` would cost 10 ms
if TYPE_CHECKING:
    from reasons import bnn
    from reasons.audit.api import audit
    from reasons.audit.audit import Audit
    from reasons.budget import Budget
    from reasons.circuits.circuit import Circuit
    from reasons.classifier import Classifier
    from reasons.counting.bias_share import BiasShare
    from reasons.counting.enumeration import Entailment
    from reasons.counting.equivalence import Equivalence
    from reasons.counting.min_cost import CheapestInstances
    from reasons.decision import Decision
    from reasons.errors import (
        BudgetExceeded,
        CompilerWarning,
        FormatWarning,
        InputError,
        ParseError,
        PropertyError,
        ReasonsError,
        UnknownFeature,
        UnsupportedModel,
    )
    from reasons.explain.bias import Bias
    from reasons.explain.reason_circuit import ReasonCircuit
    from reasons.explain.term_set import TermSet
    from reasons.explain.wording import Wording
    from reasons.features.feature import Feature
    from reasons.features.terms import Instance, Term
    from reasons.features.values import IMPOSSIBLE, MISSING, OTHER, Interval
    from reasons.formats.write import write
    from reasons.frontends.agreement import Check, check
    from reasons.frontends.api import compile, load
    from reasons.frontends.builder import Builder
    from reasons.frontends.rules.api import from_rules
    from reasons.frontends.scorecards.api import from_points
    from reasons.frontends.truth_table.table import from_table
    from reasons.widget.widget import widget

__version__ = "0.1.0"

__all__ = [
    "IMPOSSIBLE",
    "MISSING",
    "OTHER",
    "Audit",
    "Bias",
    "BiasShare",
    "Budget",
    "BudgetExceeded",
    "Builder",
    "CheapestInstances",
    "Check",
    "Circuit",
    "Classifier",
    "CompilerWarning",
    "Decision",
    "Entailment",
    "Equivalence",
    "Feature",
    "FormatWarning",
    "InputError",
    "Instance",
    "Interval",
    "ParseError",
    "PropertyError",
    "ReasonCircuit",
    "ReasonsError",
    "Term",
    "TermSet",
    "UnknownFeature",
    "UnsupportedModel",
    "Wording",
    "audit",
    "bnn",
    "check",
    "compile",
    "from_points",
    "from_rules",
    "from_table",
    "load",
    "widget",
    "write",
]

_HOMES = {
    "audit.api": ("audit",),
    "audit.audit": ("Audit",),
    "budget": ("Budget",),
    "circuits.circuit": ("Circuit",),
    "classifier": ("Classifier",),
    "counting.bias_share": ("BiasShare",),
    "counting.enumeration": ("Entailment",),
    "counting.equivalence": ("Equivalence",),
    "counting.min_cost": ("CheapestInstances",),
    "decision": ("Decision",),
    "errors": (
        "BudgetExceeded",
        "CompilerWarning",
        "FormatWarning",
        "InputError",
        "ParseError",
        "PropertyError",
        "ReasonsError",
        "UnknownFeature",
        "UnsupportedModel",
    ),
    "explain.bias": ("Bias",),
    "explain.reason_circuit": ("ReasonCircuit",),
    "explain.wording": ("Wording",),
    "explain.term_set": ("TermSet",),
    "features.feature": ("Feature",),
    "features.terms": ("Instance", "Term"),
    "features.values": ("IMPOSSIBLE", "MISSING", "OTHER", "Interval"),
    "formats.write": ("write",),
    "frontends.api": ("compile", "load"),
    "frontends.builder": ("Builder",),
    "frontends.rules.api": ("from_rules",),
    "frontends.scorecards.api": ("from_points",),
    "frontends.truth_table.table": ("from_table",),
    "frontends.agreement": ("Check", "check"),
    "widget.widget": ("widget",),
}
_HOME = {name: f"reasons.{home}" for home, names in _HOMES.items() for name in names}

if not TYPE_CHECKING:  # type checkers would take any name for a public one

    def __getattr__(name):
        """Import what holds a public name when it is first used (PEP 562)."""
        if name == "bnn":
            return _import_module("reasons.bnn")
        if name not in _HOME:
            raise AttributeError(f"module 'reasons' has no attribute {name!r}")
        value = globals()[name] = getattr(_import_module(_HOME[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})


class _Package(_ModuleType):
    """Keeps public functions that are called like the packages they come from.

    After importing `reasons.audit` the import system binds the name `audit` of this module to
    that package. Here the name belongs to the function, however the package was imported.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _HOME or not isinstance(value, _ModuleType):
            super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Package
del TYPE_CHECKING
