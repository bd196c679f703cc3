"""Why a classifier decided what it decided: exactly, fast, with evidence.

>>> import reasons
>>> clf = reasons.compile("E & (~F | G | W)")
>>> d = clf.decide("E, ~F, ~G, W")
>>> d.label, str(d.reason)
(True, 'E & (~F | W)')
"""

from reasons.auditing.result import Audit
from reasons.auditing.run import audit
from reasons.budget import Budget
from reasons.builder import Builder
from reasons.circuit import Circuit
from reasons.classifier import Classifier
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
from reasons.features import Feature
from reasons.frontends.checks import Check, check
from reasons.frontends.neural.layers import BatchNorm, Dense, Sign, Step
from reasons.frontends.neural.region import Flips
from reasons.frontends.points.loaded import from_points
from reasons.frontends.rules.loaded import from_rules
from reasons.frontends.sources import compile, load
from reasons.frontends.table import from_table
from reasons.frontends.targets import write
from reasons.pictures import picture
from reasons.queries.amount import Amount
from reasons.queries.bias import Bias
from reasons.queries.cheapest import Cheapest
from reasons.queries.equal import Equivalence
from reasons.queries.listing import Entailment
from reasons.queries.termset import TermSet
from reasons.reason import ReasonCircuit
from reasons.render.dot import dot
from reasons.render.svg import svg, svg_row
from reasons.statements import Wording
from reasons.terms import Instance, Term
from reasons.values import IMPOSSIBLE, MISSING, OTHER, Interval
from reasons.whatif import widget

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
