"""Why a classifier decided what it decided: exactly, fast, with evidence.

>>> import reasons
>>> clf = reasons.compile("E & (~F | G | W)")
>>> d = clf.decide("E, ~F, ~G, W")
>>> d.label, str(d.reason)
(True, 'E & (~F | W)')
"""

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
from reasons.explain.sentences import Wording
from reasons.explain.term_set import TermSet
from reasons.features.feature import Feature
from reasons.features.terms import Instance, Term
from reasons.features.values import IMPOSSIBLE, MISSING, OTHER, Interval
from reasons.formats.write import write
from reasons.frontends.api import compile, load
from reasons.frontends.builder import Builder
from reasons.frontends.rules.api import from_rules
from reasons.frontends.scorecards.api import from_points
from reasons.frontends.truth_table.table import from_table
from reasons.frontends.validation import Check, check
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
