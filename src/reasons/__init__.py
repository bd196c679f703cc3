"""Why a classifier decided what it decided: exactly, fast, with evidence.

>>> import reasons
>>> clf = reasons.compile("E & (~F | G | W)")
>>> d = clf.decide("E, ~F, ~G, W")
>>> d.label, str(d.reason)
(True, 'E & (~F | W)')
"""

from reasons.audit.api import audit
from reasons.audit.audit import Audit
from reasons.budget import Budget
from reasons.circuits.circuit import Circuit
from reasons.classifier import Classifier
from reasons.counting.bias_share import Amount
from reasons.counting.enumeration import Entailment
from reasons.counting.equivalence import Equivalence
from reasons.counting.min_cost import Cheapest
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
from reasons.frontends.bnn.layers import BatchNorm, Dense, Sign, Step
from reasons.frontends.bnn.region import Flips
from reasons.frontends.builder import Builder
from reasons.frontends.rules.api import from_rules
from reasons.frontends.scorecards.api import from_points
from reasons.frontends.truth_table.table import from_table
from reasons.frontends.validation import Check, check
from reasons.render.dot import dot
from reasons.render.svg import svg, svg_row
from reasons.views.pictures import picture
from reasons.widget.widget import widget

__version__ = "0.1.0"

__all__ = [
    "IMPOSSIBLE",
    "MISSING",
    "OTHER",
    "Amount",
    "Audit",
    "BatchNorm",
    "Bias",
    "Budget",
    "BudgetExceeded",
    "Builder",
    "Cheapest",
    "Check",
    "Circuit",
    "Classifier",
    "CompilerWarning",
    "Decision",
    "Dense",
    "Entailment",
    "Equivalence",
    "Feature",
    "Flips",
    "FormatWarning",
    "InputError",
    "Instance",
    "Interval",
    "ParseError",
    "PropertyError",
    "ReasonCircuit",
    "ReasonsError",
    "Sign",
    "Step",
    "Term",
    "TermSet",
    "UnknownFeature",
    "UnsupportedModel",
    "Wording",
    "audit",
    "check",
    "compile",
    "dot",
    "from_points",
    "from_rules",
    "from_table",
    "load",
    "picture",
    "svg",
    "svg_row",
    "widget",
    "write",
]
